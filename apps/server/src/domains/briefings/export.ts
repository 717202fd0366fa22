import { gangBriefingList, gapList, managerBriefingList, unbriefedList } from '@zhugong/contract/briefings/calls'
import { type Doubt, doubts } from '@zhugong/contract/briefings/doubts'
import { exportOf } from '../exports/registry.ts'
import { countGaps, countUnbriefed, readGaps, readUnbriefed } from './gaps.ts'
import { conditions, countBriefings, readBriefings } from './rows.ts'

const widths = { code: 24, projectName: 28, name: 30, part: 24, bigProjectName: 28 }
const doubtWords = (all: readonly Doubt[]) => all.map((one) => doubts[one]).join('、')

export function registerBriefingExports(): void {
  exportOf(
    gangBriefingList,
    {
      title: '安全技术交底台账',
      widths: { ...widths, corpName: 28 },
      async *rows(ctx, query) {
        yield* await readBriefings(ctx, conditions(ctx, 'safetyPTechnical', query), { sort: query.sort })
      },
      count: (ctx, query) => countBriefings(ctx, conditions(ctx, 'safetyPTechnical', query)),
    },
    {
      workType: (r) => r.workTypeName,
      signed: (r) => `${r.signed} / ${r.total}`,
      doubts: (r) => doubtWords(r.doubts),
      state: (r) => r.stateName,
    },
  )
  exportOf(
    managerBriefingList,
    {
      title: '方案与监督交底台账',
      widths,
      async *rows(ctx, query) {
        yield* await readBriefings(ctx, conditions(ctx, 'technical', query), { sort: query.sort })
      },
      count: (ctx, query) => countBriefings(ctx, conditions(ctx, 'technical', query)),
    },
    {
      kind: (r) => r.kindName,
      signed: (r) => `${r.signed} / ${r.total}`,
      doubts: (r) => doubtWords(r.doubts),
      state: (r) => r.stateName,
    },
  )
  exportOf(
    gapList,
    {
      title: '应交底未交底',
      widths: { name: 30, projectName: 28, corpName: 28, remark: 24 },
      async *rows(ctx, query) {
        yield* await readGaps(ctx, query)
      },
      count: (ctx, query) => countGaps(ctx, query),
    },
    { kind: (r) => (r.kind === 'work' ? '危大工程' : '新进场班组') },
  )
  exportOf(
    unbriefedList,
    {
      title: '未交底人员',
      widths: { projectName: 28, corpName: 28 },
      async *rows(ctx, query) {
        yield* await readUnbriefed(ctx, query)
      },
      count: (ctx, query) => countUnbriefed(ctx, query),
    },
    { workType: (r) => r.workTypeName, present: (r) => (r.present ? '是' : '否'), waiting: (r) => (r.waiting ? '是' : '否') },
  )
}
