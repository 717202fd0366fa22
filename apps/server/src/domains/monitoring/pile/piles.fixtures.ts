import { assignPileRun, createPile, judgePile, removePile, updatePile } from '@zhugong/contract/monitoring/pile/pile-register'
import { addPileTest } from '@zhugong/contract/monitoring/pile/pile-tests'
import { addPileTrouble, endPile, startPile } from '@zhugong/contract/monitoring/pile/pile-work'
import { call, type Fixtures, insertRecord, ofProject, reason, recordId, rowId } from '../../../../test/fixtures/helpers.ts'
import { cloneRow, freshId } from '../../../../test/parts/clone-row.ts'
import type { SiteRows } from '../../../../test/parts/site-rows.ts'

const pileRun = (site: SiteRows) => recordId(site.device('pileFoundation'), 'pile')

const pileAs = (pileNo: string) => ({ pileNo, kind: 'bored' as const, designLength: 20, madeOn: '2026-01-02' })

export const fixtures: Fixtures = {
  calls: [
    call(createPile, 'site')((s) => ({ query: { projectCode: s.projectCode }, body: pileAs(`桩${freshId().slice(0, 8)}`) })),
    call(
      updatePile,
      'site',
    )((s) => ({ params: { id: rowId('pile', s) }, query: { projectCode: s.projectCode }, body: { ...pileAs('隔离-1'), version: 0 } })),
    call(removePile, 'site')((s) => ({ params: { id: rowId('spare pile', s) }, query: { projectCode: s.projectCode } })),
    call(
      assignPileRun,
      'site',
    )((s) => ({ params: { id: rowId('pile', s) }, query: { projectCode: s.projectCode }, body: { record: pileRun(s), reason } })),
    call(
      judgePile,
      'review',
    )((s) => ({ params: { id: rowId('pile', s) }, query: { projectCode: s.projectCode }, body: { verdict: '1', reason, version: 0 } })),
    call(
      addPileTest,
      'site',
    )((s) => ({
      params: { id: rowId('pile', s) },
      query: { projectCode: s.projectCode },
      body: { kind: 'lowStrain', testedOn: '2026-01-05', integrity: '1', isPassed: null, tester: '市建科院检测中心' },
    })),
    call(startPile, 'site', {
      meanwhile: [
        'delete from pile_work where project_code = $1 and ended_at is null',
        'delete from pile_work where project_code = $1 and ended_at is null',
      ],
    })((s) => ({ query: { projectCode: s.projectCode }, body: { deviceId: s.device('pileFoundation'), pileId: rowId('spare pile', s) } })),
    call(endPile, 'site', {
      meanwhile: [
        `update pile_work set ended_at = null, device_id = (select min(id) from device where project_code = $1 and family = 'pileFoundation')
       where id = md5('pile work ' || $1::text)`,
        `update pile_work set ended_at = started_at + interval '1 hour' where id = md5('pile work ' || $1::text)`,
      ],
    })((s) => ({ params: { id: rowId('pile work', s) }, query: { projectCode: s.projectCode }, body: { note: reason } })),
    call(
      addPileTrouble,
      'site',
    )((s, _c, a) => ({
      query: { projectCode: s.projectCode },
      body: { deviceId: s.device('pileFoundation'), kind: 'obstacle', depth: 6, text: '遇块石，引孔后继续', files: [a.fileId] },
    })),
  ],
  projectRows: async ({ pool, projectCode, device }) => {
    await pool.query(
      `insert into pile (id, project_code, pile_no, kind, design_length, made_on, create_by, create_time)
       values (md5($1), $2, '隔离-1', 'bored', 20, current_date - 1, '样例', now())`,
      [`pile ${projectCode}`, projectCode],
    )
    await pool.query(
      `insert into pile_work (id, project_code, device_id, pile_id, started_at, by_name, ended_at)
       values (md5($1), $2, $3, md5($4), now() - interval '3 hours', '样例', now() - interval '2 hours')`,
      [`pile work ${projectCode}`, projectCode, device.id, `pile ${projectCode}`],
    )
    await pool.query(
      `insert into pile_trouble (id, project_code, device_id, at, kind, text, by_name) values (md5($1), $2, $3, now(), 'stop', '隔离测试', '样例')`,
      [`pile trouble ${projectCode}`, projectCode, device.id],
    )
  },
  siteRows: async (pool, site) => {
    // A pile without work.
    await cloneRow(pool, 'pile', rowId('pile', site), { id: rowId('spare pile', site), pile_no: '备用-1', made_on: null })
    await insertRecord(pool, site, site.device('pileFoundation'), { id: 'pile', record: 'pileRecord', data: { finalDepth: 22 } })
  },
  owners: {
    pileWork: ofProject('pile_work'),
    pile: ofProject('pile'),
  },
  guarded: ['pile_work', 'pile_trouble'],
}
