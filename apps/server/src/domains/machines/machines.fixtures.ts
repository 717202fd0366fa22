import { changeMachine, createMachine } from '@zhugong/contract/machines/calls'
import { signMachine } from '@zhugong/contract/machines/seats'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { anyProject, call, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'
import { strokes } from '../../../test/givens.ts'

interface Given {
  name: string
  key: string
  projectCode: string
  corpCode: string
  state: string
}

/** A machine that a company uses, with one stage of its life. */
async function insertMachine(pool: pg.Pool, { name, key, projectCode, corpCode, state }: Given): Promise<void> {
  const row = [`${name} ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into special_machine (id, device_type, name, model, manufacture_no, manufacturer, manufacture_date, owner_corp, create_group, create_by, create_time)
     values (md5($1), '1', '样例塔机', 'QTZ80', md5($1), '样例厂', '2020-01-01', '样例租赁', 'nobody', 'nobody', now())`,
    [row[0]],
  )
  await pool.query(
    `insert into machine_stay (id, machine_id, project_code, corp_code, shown_at, groups, position, maintain_corp, accept_date, state, create_by, create_time)
     values (md5($1), md5($1), $2, $3, now(), '{}', '主楼东侧', '样例维保', current_date, $4, 'nobody', now())`,
    [...row, state],
  )
  await pool.query(
    `insert into machine_stage (id, stay_id, project_code, corp_code, shown_at, groups, stage, by_name, at)
     values (md5($1), md5($1), $2, $3, now(), '{}', 'file', '样例', now())`,
    row,
  )
}

const machine = {
  deviceType: '1',
  name: '样例塔机',
  model: 'QTZ80',
  manufacturer: '样例厂',
  manufactureDate: '2020-01-01',
  ownerCorp: '样例租赁',
  ratedMoment: 800,
  hoistClass: null,
  appraisedUntil: null,
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createMachine,
      'people',
    )((s, c) => ({
      query: { projectCode: s.projectCode },
      body: { action: 'new', ...machine, manufactureNo: newId(), useCorp: c.corpCode, maintainCorp: '样例维保', position: '主楼东侧' },
    })),
    call(
      changeMachine,
      'people',
    )((_s, c, a) => ({
      params: { id: rowId('unfiled machine', c) },
      query: anyProject,
      body: { version: 0, action: 'file', recordNo: newId(), files: [a.fileId] },
    })),
    call(
      signMachine,
      'people',
    )((_s, c) => ({
      params: { id: rowId('tested machine', c) },
      query: anyProject,
      body: { action: 'sign', id: newId(), seat: 'use', name: '样例', image: strokes() },
    })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      'select corp_code from project_corp where project_code = $1 order by entry_time, id limit 1',
      [projectCode],
    )
    if (rows[0]) await insertMachine(pool, { name: 'machine of', key: projectCode, projectCode, corpCode: rows[0].corp_code, state: '6' })
  },
  companyRows: async (pool, { key, corpCode }, { projectCode }) => {
    for (const [name, state] of [
      ['unfiled machine', '0'],
      ['tested machine', '4'],
    ] as const)
      await insertMachine(pool, { name, key, projectCode, corpCode, state })
  },
  owners: { spdevice: ofPeople('machine_stay') },
  guarded: ['machine_stay', 'machine_stage'],
}
