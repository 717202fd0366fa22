import { z } from 'zod'
import { dayRange, numericRange, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { sortBy } from '../kit/list.ts'
import { approvalRow } from './endpoints.ts'

export const approvalBoxes = { todo: '待我审批', done: '我已审批', mine: '我发起的', cc: '抄送我' } as const
export type ApprovalBox = keyof typeof approvalBoxes

/** Items in the active group that wait for the caller, or that the caller decided, submitted or received a copy of. */
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
  /** Only overdue items, or items due today. */
  due: z.enum(['overdue', 'today']).optional(),
  sort: sortBy('deadline', 'createTime', 'title', 'stay', 'applicant'),
})
export const approvalsAnswer = paged(approvalRow).extend({
  /** All kinds of approval items, for the filter. */
  kinds: z.array(z.object({ kind: z.string(), name: z.string() })),
  /** Counts of the active group, regardless of filters. */
  counts: z.object({
    todo: z.number().int(),
    dueToday: z.number().int(),
    overdue: z.number().int(),
    /** Mean duration in hours of the caller's decisions of the last 30 days; null without decisions. */
    meanHours: z.number().nullable(),
    cc: z.number().int(),
  }),
})
