import { z } from 'zod'
import { dayRange, flag, numericRange, several, text } from '../kit/fields.ts'
import { sortBy } from '../kit/list.ts'

/** Where a round of reply stands: with 监理, with the issuer, or decided. */
export const replyStates = { recheck: '待复查', review: '待监理', passed: '已通过', returned: '已退回' } as const
export type ReplyState = keyof typeof replyStates
export const replyTabs = ['recheck', 'review', 'passed', 'returned'] as const satisfies readonly ReplyState[]

/** What 监理 said of a round; `paper`: signed on the paper that was handed in. */
export const jlResults = { passed: '通过', returned: '退回', paper: '纸质签认', none: '未复核' } as const
export type JlResult = keyof typeof jlResults

/** One round of reply to a notice of an authority. */
export const replyRow = z.object({
  /** The notice. */
  id: z.string(),
  round: z.number().int(),
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  noticeType: z.string(),
  noticeTypeName: z.string(),
  level: z.string(),
  levelName: z.string(),
  corpCode: z.string(),
  corpName: z.string(),
  replyTime: z.string(),
  replier: z.string(),
  onBehalf: z.boolean(),
  /** Problems answered in this round. */
  lines: z.number().int(),
  jlResult: z.enum(Object.keys(jlResults) as [JlResult, ...JlResult[]]),
  jlBy: z.string().nullable(),
  deadline: z.string(),
  overdueDays: z.number().int(),
  /** Whole days since it came to whoever has it now; null once decided. */
  waitDays: z.number().int().nullable(),
  /** Cannot be passed without a visit to the site. */
  mustVisit: z.boolean(),
  state: z.enum(replyTabs),
  recheckBy: z.string().nullable(),
  recheckTime: z.string().nullable(),
  /** The first photographs of the problems, and of what was done. */
  before: z.array(z.string()),
  after: z.array(z.string()),
})
export type ReplyRow = z.output<typeof replyRow>

/** Filters of the view of replies that the list of notices does not have. */
export const replyFilters = {
  replier: text(50).optional(),
  replyTime: dayRange.optional(),
  jlResult: several.optional(),
  waitDays: numericRange.optional(),
  mustVisit: flag.optional(),
  onBehalf: flag.optional(),
  /** Waits for the caller to recheck. */
  forMe: flag.optional(),
  /** Rechecked today by the caller's group. */
  doneToday: flag.optional(),
}
export const replySort = sortBy('replyTime', 'waitDays', 'deadline', 'round')

export const replyCounts = z.object({
  recheck: z.number().int(),
  review: z.number().int(),
  passed: z.number().int(),
  returned: z.number().int(),
  forMe: z.number().int(),
  /** Days that the oldest of them waits; 0 without any. */
  longestDays: z.number().int(),
  toVisit: z.number().int(),
  doneToday: z.number().int(),
})
