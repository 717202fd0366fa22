import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { pointsTo, text } from '../kit/fields.ts'

/** Subjects of the settings pages: the caller's own site, a project seen from above, a company, a government, the active group itself. */
export const parentKinds = ['site', 'project', 'enterprise', 'government', 'org'] as const
export type ParentKind = (typeof parentKinds)[number]

/** Number of records offered for selection; the others are found in their own lists. */
export const recentShown = 10

const fact = z.object({ label: z.string(), value: z.string().nullable(), tone: z.enum(['danger', 'warning', 'fine']).optional() })

/**
 * The header of the settings pages: their subject, and the number of waiting items in each part. Null when no subject is given and several
 * are possible.
 */
export const getSettingsHead = endpoint({
  method: 'GET',
  path: '/api/v1/oa/settings/head',
  summary: '设置概况',
  needs: ['setting.view', 'project.view', 'org.view', 'org.set', 'corporation.view', 'government.view'],
  query: z.object({
    kind: z.enum(parentKinds),
    projectCode: pointsTo('project', text(64)).optional(),
    corpCode: pointsTo('corporation', text(64)).optional(),
    govCode: pointsTo('government', text(64)).optional(),
  }),
  response: z.object({
    head: z
      .object({
        code: z.string(),
        title: z.string(),
        tag: z.string(),
        tagTone: z.enum(['fine', 'warning', 'danger', 'neutral', 'running']),
        enable: z.string(),
        facts: z.array(fact),
        /** Keyed by the last segment of a page's path. */
        counts: z.record(z.string(), z.object({ count: z.number().int().optional(), warning: z.boolean().optional() })),
      })
      .nullable(),
    /** The most recently changed records, to choose from when no subject is given. */
    recent: z.array(z.object({ code: z.string(), name: z.string(), remark: z.string(), updateTime: z.string().nullable() })),
  }),
})
