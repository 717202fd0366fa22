import { z } from 'zod'
import { endpoint, type OutputFor } from '../kit/endpoint.ts'
import { day } from '../kit/fields.ts'
import { count, object } from './fields.ts'

export const getFreshness = endpoint({
  method: 'GET',
  path: '/api/v1/docking/freshness',
  summary: '上传总览',
  needs: 'docking.view',
  query: z.object({}),
  response: z.object({
    /** Percentage of successes among the records completed in 30 days; null when there were none. */
    rate: z.number().nullable(),
    waiting: count,
    failed: count,
    /** Mean over the projects. */
    freshness: z.number().nullable(),
    projects: z.array(
      z.object({
        projectCode: z.string(),
        projectName: z.string(),
        score: count,
        /** 0 to 100 each; null when there are no records of the kind. */
        people: count,
        attendance: count,
        pay: z.null(),
        failedScore: count,
        waiting: count,
        failed: count,
        oldest: z.string().nullable(),
        lastAccepted: z.string().nullable(),
      }),
    ),
    objects: z.array(z.object({ objectType: object, waiting: count, accepted: count, failed: count })),
    days: z.array(z.object({ day, accepted: count, refused: count })),
    platforms: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        status: z.string(),
        paused: z.boolean(),
        downSince: z.string().nullable(),
        probeAt: z.string().nullable(),
        lastAnswer: z.string().nullable(),
        waiting: count,
        failed: count,
      }),
    ),
  }),
})
export type Freshness = OutputFor<typeof getFreshness>
