import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, pointsTo, text } from '../kit/fields.ts'
import { count, object } from './fields.ts'
import { profiles } from './standard.ts'

const cause = z.object({
  code: z.string(),
  field: z.string(),
  text: z.string(),
  mender: z.string(),
  known: z.boolean(),
  profile: z.string(),
  objectType: object,
  count,
  /** One of the records, whose source page is opened for the correction. */
  sampleId: z.string(),
  sampleSource: z.string(),
  since: z.string(),
})
export type DockingCause = z.infer<typeof cause>
export const listErrors = endpoint({
  method: 'GET',
  path: '/api/v1/docking/error',
  summary: '失败原因',
  needs: 'docking.view',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.object({
    list: z.array(cause),
    /** Connections whose platform does not respond. */
    down: z.array(
      z.object({ id: z.string(), name: z.string(), since: z.string(), probeAt: z.string().nullable(), reason: z.string(), waiting: count }),
    ),
    /** Meanings of error codes; those added by this deployment come first. */
    known: z.array(
      z.object({ profile: z.string(), code: z.string(), text: z.string(), mender: z.string(), own: z.boolean(), version: count }),
    ),
  }),
})
export const translateError = endpoint({
  method: 'PUT',
  path: '/api/v1/docking/error',
  summary: '翻译上级返回码',
  needs: 'docking.edit',
  groupTypes: [0],
  acts: 'aside',
  body: z.object({
    profile: z.enum(Object.keys(profiles) as [keyof typeof profiles]),
    code: filled(40, '返回码'),
    text: filled(100, '说明'),
    mender: filled(40, '由谁处理'),
    version: count.default(0),
  }),
  response: z.object({ version: count }),
})
