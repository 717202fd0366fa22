import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, pageQuery, ref, several } from '../kit/fields.ts'

/** What happened with a company, of every kind on one line of time. */
export const historyKinds = {
  change: '变更',
  project: '参建项目',
  aptitude: '资质',
  score: '信用分',
  good: '良好行为',
  penalty: '处罚',
  black: '黑名单',
  grant: '应用授权',
} as const
export type HistoryKind = keyof typeof historyKinds

const happening = z.object({
  id: z.string(),
  at: z.string(),
  kind: z.string(),
  kindName: z.string(),
  title: z.string(),
  changes: z.array(z.object({ label: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
  byName: z.string().nullable(),
  /** Withdrawn or over: it stays, struck through, with the day. */
  overSince: z.string().nullable(),
  /** The record itself, where it can be opened. */
  link: z.string().nullable(),
})
export type Happening = z.infer<typeof happening>

/** A company sees all of its own; others what is public: its projects in sight, qualifications, registered facts, penalties, credit. */
export const companyHistory = endpoint({
  method: 'GET',
  path: '/api/v2/oa/corporation/:corpCode/history',
  summary: '企业历史',
  needs: ['corporation.view', 'setting.view'],
  answers: 'list',
  params: z.object({ corpCode: ref('corporation') }),
  query: pageQuery.extend({ kind: several.optional(), at: dayRange.optional() }),
  response: z.object({
    list: z.array(happening),
    total: z.number().int(),
    counts: z.record(z.string(), z.number().int()),
    /** The credit score from day to day of its changes, the present one last. */
    scores: z.array(z.object({ day: z.string(), score: z.number() })),
  }),
})
