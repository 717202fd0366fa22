import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { project } from './row-fields.ts'

const roleCount = z.object({
  inPlace: z.number().int(),
  attended: z.number().int(),
  onDuty: z.number().int(),
  /** 应到 and 实到 of the current working day; `rate` is 实到 / 应到. */
  expected: z.number().int(),
  arrived: z.number().int(),
  rate: z.number().nullable(),
})

export const realtimeOverview = endpoint({
  method: 'GET',
  path: '/api/v2/attendance/realtime/overview',
  summary: '实时考勤总览',
  needs: 'attendance.view',
  query: z.object(project),
  response: roleCount.extend({
    date: z.string(),
    at: z.string(),
    workers: roleCount,
    managers: roleCount,
    corps: z.array(roleCount.extend({ corpCode: z.string(), corpName: z.string().nullable() })),
    gates: z.object({ total: z.number().int(), online: z.number().int() }),
    passages: z.array(
      z.object({
        id: z.string(),
        projectCode: z.string(),
        workerId: z.string().nullable(),
        name: z.string(),
        corpName: z.string().nullable(),
        teamName: z.string().nullable(),
        date: z.string(),
        direction: z.string().nullable(),
        channel: z.string().nullable(),
        attendType: z.string(),
        late: z.boolean(),
      }),
    ),
    quarantined: z.number().int(),
  }),
})
