import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { month, ofProject } from '../kit/fields.ts'

const figure = z.object({ code: z.string(), name: z.string(), count: z.number().int() })
const share = z.object({ passed: z.number().int(), all: z.number().int() })
const deadlineRow = z.object({
  id: z.string(),
  projectName: z.string(),
  dueDate: z.string(),
  daysLeft: z.number().int(),
  paused: z.boolean(),
  state: z.string(),
})
export const fireDashboard = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/fireAssess/dashboard',
  summary: '消防验收现场评定看板',
  needs: 'fire-acceptance.view',
  answers: 'object',
  query: ofProject.extend({ month: month.optional() }),
  response: z.object({
    month: z.string(),
    today: z.string(),
    waiting: z.number().int(),
    running: z.number().int(),
    done: z.number().int(),
    first: share,
    near: z.number().int(),
    late: z.number().int(),
    rechecked: share,
    /** 备案 that were not drawn: in no rate. */
    notDrawn: z.number().int(),
    states: z.array(figure),
    kinds: z.array(figure),
    districts: z.array(figure.extend({ open: z.number().int() })),
    spots: z.array(
      z.object({
        id: z.string(),
        projectCode: z.string(),
        projectName: z.string(),
        areaCode: z.string(),
        lng: z.number().nullable(),
        lat: z.number().nullable(),
        daysLeft: z.number().int().nullable(),
        state: z.string(),
      }),
    ),
    deadlines: z.array(deadlineRow),
    failures: z.array(z.object({ itemCode: z.string(), name: z.string(), level: z.string(), count: z.number().int() })),
    levels: z.object({ A: z.number().int(), B: z.number().int(), C: z.number().int() }),
    load: z.array(z.object({ name: z.string(), cases: z.number().int() })),
    teams: z.array(
      z.object({
        id: z.string(),
        projectName: z.string(),
        assessors: z.array(z.string()),
        subsDone: z.number().int(),
        subsTotal: z.number().int(),
        lastAt: z.string().nullable(),
      }),
    ),
  }),
})
export type FireDashboard = NonNullable<(typeof fireDashboard)['types']>['out']
