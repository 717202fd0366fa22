import { z } from 'zod'
import { viewOf } from '../kit/endpoint.ts'
import { dayRange, paged, pageQuery, pointsTo, several, text } from '../kit/fields.ts'
import { listOf } from '../kit/list.ts'
import { rectifyLists } from './calls.ts'
import { replyCounts, replyFilters, replyRow, replySort, replyTabs } from './reply-model.ts'

/** Rounds of reply to the notices of authorities: what waits, oldest first, and what was decided. */
export const listReplies = viewOf(rectifyLists, {
  query: pageQuery.extend({
    view: z.literal('reply'),
    tab: z.enum(replyTabs).optional(),
    projectCode: pointsTo('project', text(64)).optional(),
    code: text(50).optional(),
    noticeType: several.optional(),
    level: several.optional(),
    corpName: text(50).optional(),
    deadline: dayRange.optional(),
    ...replyFilters,
    sort: replySort,
  }),
  response: paged(replyRow).extend({ counts: replyCounts }),
})

export const replyList = listOf(listReplies, {
  feature: 'rectifyReply',
  columns: {
    code: '通知编号',
    projectName: '项目',
    round: '轮次',
    replyTime: '回复时间',
    replier: '回复人',
    corpName: '责任单位',
    lines: '整改条数',
    jlResult: '监理结论',
    noticeType: '通知类型',
    level: '等级',
    deadline: '期限',
    waitDays: '等待天数',
    state: '状态',
  },
})
