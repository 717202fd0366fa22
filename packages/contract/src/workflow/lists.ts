import { z } from 'zod'
import { dayRange, numericRange, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { sortBy } from '../kit/list.ts'
import { approvalRow } from './endpoints.ts'

export const approvalBoxes = { todo: '待我审批', done: '我已审批', mine: '我发起的', cc: '抄送我' } as const
export type ApprovalBox = keyof typeof approvalBoxes

/** What waits for the caller, what he has decided, asked for, or is told of; in the active group. */
export const approvalsQuery = pageQuery.extend({
  box: z.enum(Object.keys(approvalBoxes) as [ApprovalBox, ...ApprovalBox[]], '不支持的分类'),
  type: z.literal('1').optional(),
  title: text(100).optional(),
  bizType: several.optional(),
  projectCode: ref('project').optional(),
  applicant: text(50).optional(),
  node: text(30).optional(),
  createTime: dayRange.optional(),
  deadline: dayRange.optional(),
  stay: numericRange.optional(),
  state: several.optional(),
  /** Only those whose deadline is past (1), or that are due today. */
  due: z.enum(['overdue', 'today']).optional(),
  sort: sortBy('deadline', 'createTime', 'title', 'stay', 'applicant'),
})
export const approvalsAnswer = paged(approvalRow).extend({
  /** What there is to be decided over at all, for the filter. */
  kinds: z.array(z.object({ kind: z.string(), name: z.string() })),
  /** Of the active group, whatever is filtered. */
  counts: z.object({
    todo: z.number().int(),
    dueToday: z.number().int(),
    overdue: z.number().int(),
    /** Hours the caller's decisions of the last 30 days took; null without any. */
    meanHours: z.number().nullable(),
    cc: z.number().int(),
  }),
})
