import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ofProject, ref } from '../kit/fields.ts'
import { scheduleFigures, scheduleMade, schedulePath, taskRow } from './calls.ts'
import { reportFields } from './moves.ts'

const report = z.object({
  id: z.string(),
  taskId: z.string(),
  taskName: z.string(),
  at: z.string(),
  percent: z.number(),
  before: z.number(),
  delayDays: z.number().int(),
  reason: z.string().nullable(),
  byName: z.string(),
  photos: z.array(z.string()),
  /** What contradicts each photograph; null: nothing. */
  photoNotes: z.array(z.string().nullable()),
})

export const unitAnswer = z.object({
  id: z.string(),
  name: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  phaseName: z.string().nullable(),
  floorsUp: z.number().int().nullable(),
  floorsDown: z.number().int().nullable(),
  today: z.string(),
  state: z.string().nullable(),
  stateName: z.string().nullable(),
  figures: scheduleFigures.nullable(),
  tasks: z.array(taskRow),
  reports: z.array(report),
  mayReport: z.boolean(),
  linked: z.object({
    openQuality: z.number().int(),
    measured: z.number().int(),
    passRate: z.number().nullable(),
    retest: z.number().int(),
    people: z.array(z.object({ trade: z.string(), days: z.number().int() })),
  }),
})
export type ScheduleUnit = z.output<typeof unitAnswer>

/** One unit of the works: where exactly is it, with what was seen there. */
export const getScheduleUnit = endpoint({
  method: 'GET',
  path: `${schedulePath}/:id`,
  summary: '单体进度详情',
  needs: 'inspection.view',
  params: z.object({ id: ref('unitProject') }),
  query: ofProject,
  response: unitAnswer,
})

/** Reports one task of a unit; `version` is that of the task. */
export const reportTask = endpoint({
  method: 'PUT',
  path: `${schedulePath}/:id`,
  summary: '填报单体进度',
  needs: 'inspection.scheduleEdit',
  params: z.object({ id: ref('unitProject') }),
  query: ofProject,
  body: z.object({ version: z.number().int(), ...reportFields }),
  response: scheduleMade,
})
