import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, pageQuery, ref, several } from '../kit/fields.ts'

/** Kinds of events in the history of a company, shown on one timeline. */
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
  /** The day on which it was withdrawn or expired; it is then displayed struck through. */
  overSince: z.string().nullable(),
  /** Link to the record, if the caller can open it. */
  link: z.string().nullable(),
})
export type Happening = z.infer<typeof happening>

/**
 * A company sees its complete history. Others see the public part: visible projects, qualifications, registered facts, penalties, credit.
 */
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
    /** The credit score on each day it changed, ending with the current one. */
    scores: z.array(z.object({ day: z.string(), score: z.number() })),
  }),
})
