import { rectifyList } from '@zhugong/contract/rectify/calls'
import { replyList } from '@zhugong/contract/rectify/replies'
import { jlResults, replyStates } from '@zhugong/contract/rectify/reply-model'
import { exportOf } from '../exports/registry.ts'
import { countReplies, readReplies, replyConditions } from './replies.ts'
import { conditions, countRows, readRows } from './rows.ts'

export function registerRectifyExport(): void {
  exportOf(
    rectifyList,
    {
      title: '整改单',
      widths: { code: 28, projectName: 28, summary: 36, corpName: 28 },
      async *rows(ctx, query) {
        yield* await readRows(ctx, conditions(ctx, { ...query, projectCode: undefined }), { sort: query.sort })
      },
      count: (ctx, query) => countRows(ctx, conditions(ctx, { ...query, projectCode: undefined })),
    },
    {
      placeNames: (r) => r.placeNames.join('、'),
      noticeType: (r) => r.noticeTypeName,
      category: (r) => r.categoryName,
      level: (r) => r.levelName,
      sourceType: (r) => r.sourceTypeName,
      problemCount: (r) => `${r.passedCount} / ${r.problemCount}`,
      state: (r) => r.stateName,
    },
  )
  exportOf(
    replyList,
    {
      title: '整改回复',
      widths: { code: 28, projectName: 28, corpName: 28, replyTime: 20 },
      async *rows(ctx, query) {
        yield* await readReplies(ctx, replyConditions(ctx, { ...query, projectCode: undefined }), query)
      },
      count: (ctx, query) => countReplies(ctx, replyConditions(ctx, { ...query, projectCode: undefined })),
    },
    {
      round: (r) => `第 ${r.round} 轮`,
      replier: (r) => `${r.replier}${r.onBehalf ? '（代录）' : ''}`,
      jlResult: (r) => `${jlResults[r.jlResult]}${r.jlBy ? `（${r.jlBy}）` : ''}`,
      noticeType: (r) => r.noticeTypeName,
      level: (r) => `${r.levelName}${r.mustVisit ? '，须现场复查' : ''}`,
      state: (r) => replyStates[r.state],
    },
  )
}
