import { createCraneZone, removeCraneZone, updateCraneZone } from '@zhugong/contract/monitoring/crane/crane-zones'
import { markCraneCycle } from '@zhugong/contract/monitoring/record-fixes'
import { type CallCase, call, type Fixtures, insertRecord, ofProject, reason, recordId, rowId } from '../../../../test/fixtures/helpers.ts'
import { freshId } from '../../../../test/parts/clone-row.ts'
import type { SiteRows } from '../../../../test/parts/site-rows.ts'

const craneCycle = (site: SiteRows) => recordId(site.device('towerCrane'), 'craneCycle')

/** A record as the device sent it, without corrections. */
const uncorrected: Pick<CallCase, 'meanwhile'> = {
  meanwhile: ['delete from record_fix where project_code = $1', 'delete from record_fix where project_code = $1'],
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createCraneZone,
      'site',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: {
        name: `区域${freshId().slice(0, 12)}`,
        kind: 'forbidden',
        points: [
          [0, 0],
          [9, 0],
          [9, 9],
        ],
      },
    })),
    call(
      updateCraneZone,
      'site',
    )((s) => ({
      params: { id: rowId('zone', s) },
      query: { projectCode: s.projectCode },
      body: {
        name: '学校上空',
        kind: 'forbidden',
        version: 0,
        points: [
          [0, 0],
          [9, 0],
          [9, 9],
        ],
      },
    })),
    call(removeCraneZone, 'site')((s) => ({ params: { id: rowId('zone', s) }, query: { projectCode: s.projectCode } })),
    call(
      markCraneCycle,
      'site',
      uncorrected,
    )((s) => ({ params: { id: craneCycle(s) }, query: { projectCode: s.projectCode }, body: { illegal: true, reason, version: 0 } })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into crane_zone (id, project_code, name, kind, points) values (md5($1), $2, '隔离测试', 'forbidden', '[[0,0],[9,0],[9,9]]')`,
      [`zone ${projectCode}`, projectCode],
    )
  },
  siteRows: (pool, site) =>
    insertRecord(pool, site, site.device('towerCrane'), { id: 'craneCycle', record: 'workingCycle', data: { maxLoad: 2.4 } }),
  owners: {
    craneZone: ofProject('crane_zone'),
  },
  guarded: ['crane_zone'],
}
