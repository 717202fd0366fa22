import { campaignList } from '@zhugong/contract/campaigns/calls'
import { campaignCheckList } from '@zhugong/contract/campaigns/checks'
import { exportOf } from '../exports/registry.ts'
import { countChecks, readChecks } from './checks.ts'
import { countRows, readRows, rowFor } from './rows.ts'

export function registerCampaignExports(): void {
  exportOf(
    campaignList,
    {
      title: '省市督查',
      widths: { name: 40, startDate: 26 },
      async *rows(ctx, query) {
        yield* await readRows(ctx, query)
      },
      count: countRows,
    },
    {
      level: (r) => r.levelName,
      startDate: (r) => `${r.startDate} 至 ${r.endDate}`,
      drawMode: (r) => r.drawModeName,
      projectDone: (r) => `${r.done}/${r.due}`,
      majorCount: (r) => r.major,
      closeRate: (r) => (r.closeRate === null ? null : `${r.closeRate}%`),
      state: (r) => r.stateName,
    },
  )
  exportOf(
    campaignCheckList,
    {
      title: '督查项目排名',
      widths: { projectName: 36, checkers: 28 },
      heading: async (ctx, { planId }) => [(await rowFor(ctx, planId))?.name ?? ''],
      async *rows(ctx, query) {
        yield* await readChecks(ctx, query.planId, query)
      },
      count: (ctx, query) => countChecks(ctx, query.planId, query),
    },
    {
      rank: (r) => r.rank ?? (r.missingSheets.length > 0 ? `缺表不排名：${r.missingSheets.join('、')}` : null),
      areaCode: (r) => r.areaName,
      checkers: (r) => r.checkers.join('、'),
      grade: (r) => r.gradeName,
      noticeType: (r) => r.noticeTypeName,
      closeRate: (r) => (r.closeRate === null ? null : `${r.closeRate}%`),
      state: (r) => r.stateName,
    },
  )
}
