import { createUnit, updateUnitInfo } from '@zhugong/contract/labour/unit-info'
import { addUnit, removeUnit, setUnitTime, updateUnit } from '@zhugong/contract/labour/units'
import { call, type Fixtures, rowId } from '../../../test/fixtures/helpers.ts'
import { idCard, mobile } from '../../../test/givens.ts'
import { cloneRow, oneRow } from '../../../test/parts/clone-row.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      addUnit,
      'parties',
    )((s, c) => ({
      body: {
        projectCode: s.projectCode,
        corpCode: c.corpCode,
        corpType: '010',
        entryTime: '2026-11-02',
        pmName: '周大勇',
        pmIdCardType: '01',
        pmIdCardNumber: idCard(),
        pmPhone: mobile(),
        contractFile: [],
      },
    })),
    call(
      updateUnit,
      'parties',
    )((_s, c) => ({
      body: { id: c.projectCorpId, entryTime: '2026-10-01', pmName: '周大勇', contractFile: [], version: 0 },
    })),
    call(setUnitTime, 'parties')((_s, c) => ({ body: { id: c.projectCorpId, entryTime: '2026-10-02', exitTime: null } })),
    call(
      createUnit,
      'parties',
    )((s) => ({
      body: {
        projectCode: s.projectCode,
        company: {
          corpCode: '91420200MA4TERT13Y',
          corpName: '远山劳务有限公司',
          corpKind: ['6'],
          areaCode: '420200',
          address: '黄石大道 1 号',
          legalMan: '周大勇',
          linkMan: '周大勇',
          linkPhone: '13800138000',
        },
        corpType: '010',
        entryTime: '2026-11-02',
        pmName: '周大勇',
        pmIdCardType: '01',
        pmIdCardNumber: idCard(),
        pmPhone: mobile(),
        contractFile: [],
      },
    })),
    call(updateUnitInfo, 'parties')((_s, c) => ({ body: { part: 'remark', id: c.projectCorpId, version: 0, remark: '合同原件在经营部' } })),
    call(removeUnit, 'parties')((s) => ({ body: { id: rowId('empty unit', s) } })),
  ],
  siteRows: async (pool, site) => {
    const unit = await oneRow<{ id: string }>(pool, 'select id from project_corp where project_code = $1 order by id', [site.projectCode])
    const free = await oneRow<{ corp_code: string }>(
      pool,
      `select corp_code from corporation where enable = '1' and corp_code not in (select corp_code from project_corp where project_code = $1) order by corp_code`,
      [site.projectCode],
    )
    const changes = { id: rowId('empty unit', site), corp_code: free.corp_code, corp_type: '011', parent_corp_code: null, exit_time: null }
    await cloneRow(pool, 'project_corp', unit.id, changes)
  },
  owners: {
    projectCorp: {
      sql: `select id, project_code, corp_code from project_corp where corp_type not in ('007', '008', '009')`,
      personal: true,
    },
  },
  guarded: ['project_corp'],
}
