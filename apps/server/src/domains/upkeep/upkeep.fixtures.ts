import { createMachineCheck, signMachineCheck } from '@zhugong/contract/upkeep/inspections'
import { itemsOf } from '@zhugong/contract/upkeep/items'
import { createMaintenance } from '@zhugong/contract/upkeep/maintenance'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { call, daysAgo, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'
import { strokes } from '../../../test/givens.ts'

/** A machine in use with one check and one job of maintenance. */
async function insertUpkeep(pool: pg.Pool, key: string, projectCode: string, corpCode: string): Promise<void> {
  const row = [`upkeep ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into special_machine (id, device_type, name, model, manufacture_no, manufacturer, manufacture_date, owner_corp, create_group, create_by, create_time)
     values (md5($1), '1', '样例塔机', 'QTZ80', md5($1), '样例厂', '2020-01-01', '样例租赁', 'nobody', 'nobody', now())`,
    row.slice(0, 1),
  )
  await pool.query(
    `insert into machine_stay (id, machine_id, project_code, corp_code, shown_at, groups, position, maintain_corp, state, create_by, create_time)
     values (md5($1), md5($1), $2, $3, now(), '{}', '主楼东侧', '样例维保', '6', 'nobody', now())`,
    row,
  )
  await pool.query(
    `insert into site_check (id, kind, code, project_code, corp_code, shown_at, groups, checker_group, checker_group_name, checker_id, inspect_type,
       check_time, checkers, part, state, create_by, create_time)
     values (md5($1), 'deviceInspect', '样例-' || md5($1), $2, $3, now(), '{}', 'nobody', '样例机构', 'nobody', '12', now(), '{样例}', '样例塔机', '7', 'nobody', now())`,
    row,
  )
  await pool.query(
    `insert into device_inspect (check_id, project_code, corp_code, shown_at, groups, stay_id, machine_name, device_type, type, day, check_org, items, result)
     values (md5($1), $2, $3, now(), '{}', md5($1), '样例塔机', '1', '4', current_date, '样例机构', '[]', '1')`,
    row,
  )
  await pool.query(
    `insert into device_maintain (id, code, project_code, corp_code, shown_at, groups, stay_id, machine_name, device_type, type, maintain_date,
       maintain_corp, maintainers, content, result, acceptor, create_by, create_name, create_time)
     values (md5($1), '样例-' || md5($1), $2, $3, now(), '{}', md5($1), '样例塔机', '1', '2', current_date, '样例维保', '[]', '例行保养', '1', '样例',
       'nobody', '样例', now())`,
    row,
  )
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createMachineCheck,
      'review',
    )((s, _c, a) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: newId(),
        machineId: rowId('upkeep', { key: s.projectCode }),
        type: '1',
        items: itemsOf('1', '1').map(({ code }) => ({ code, result: '1' as const })),
        result: '1',
        problems: [],
        photos: [a.fileId],
      },
    })),
    call(
      createMaintenance,
      'people',
    )((s, c, a) => ({
      query: { projectCode: s.projectCode },
      body: {
        id: newId(),
        machineId: rowId('upkeep', c),
        type: '2',
        maintainDate: daysAgo(0),
        maintainCorp: '样例维保',
        maintainers: [{ name: '样例', certNo: 'A1' }],
        content: '例行保养，紧固螺栓',
        result: '1',
        photos: [a.fileId],
        acceptor: '样例',
        signature: strokes(),
      },
    })),
  ],
  exempt: [
    {
      why: 'its seats are for the names of the check and for the account of the site: upkeep.test.ts',
      calls: [signMachineCheck],
    },
  ],
  withoutPage: [{ why: 'the export centre is what pages offer', names: ['exportMachineChecks', 'exportMaintenance'] }],
  projectRows: async ({ pool, projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      'select corp_code from project_corp where project_code = $1 order by entry_time, id limit 1',
      [projectCode],
    )
    if (rows[0]) await insertUpkeep(pool, projectCode, projectCode, rows[0].corp_code)
  },
  companyRows: (pool, { key, corpCode }, { projectCode }) => insertUpkeep(pool, key, projectCode, corpCode),
  owners: { deviceMaintain: ofPeople('device_maintain') },
  guarded: ['device_maintain'],
}
