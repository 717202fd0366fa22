import { z } from 'zod'
import { day, dayRange, flag, month, ofProject, several, text } from '../kit/fields.ts'
import { allowedAction, logLine } from '../kit/process.ts'

/** One log in a list, of any kind. */
export const logRow = z.object({
  id: z.string(),
  /** Null for a log of an institution. */
  projectCode: z.string().nullable(),
  projectName: z.string().nullable(),
  /** Sites that a log of an institution is about. */
  visited: z.array(z.object({ projectCode: z.string(), name: z.string() })),
  unitId: z.string().nullable(),
  unitName: z.string().nullable(),
  day: z.string(),
  weather: z.string().nullable(),
  weatherName: z.string().nullable(),
  tempHigh: z.number().nullable(),
  tempLow: z.number().nullable(),
  wind: z.number().int().nullable(),
  workerCount: z.number().int().nullable(),
  /** By attendance when it was written. */
  attendCount: z.number().int().nullable(),
  parts: z.string(),
  /** Machines that ran, as counted by the devices. */
  ran: z.string(),
  /** Tasks of the schedule with their percent. */
  progress: z.string(),
  problemCount: z.number().int(),
  commentCount: z.number().int(),
  /** Comments that nobody has answered. */
  openComments: z.number().int(),
  impact: z.string(),
  impactName: z.string(),
  idleCount: z.number().int().nullable(),
  /** The longest delay among the tasks in work that it names; null without any. */
  delayDays: z.number().int().nullable(),
  late: z.boolean(),
  recorder: z.string(),
  authorGroupName: z.string(),
  submittedAt: z.string().nullable(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type LogRow = z.output<typeof logRow>

export const fact = z.object({
  kind: z.string(),
  kindName: z.string(),
  refId: z.string(),
  /** Null: not of one site. */
  projectCode: z.string().nullable(),
  text: z.string(),
  /** Of people or runs. */
  amount: z.number().nullable(),
  unit: z.string().nullable(),
  /** Its state when the log was written; null where it has none. */
  state: z.string().nullable(),
  /** Where the record stands. */
  link: z.string().nullable(),
})
export type Fact = z.output<typeof fact>

/** A fact of a written log, with what has become of it. */
const keptFact = fact.extend({
  /** Its state now, where it has changed since. */
  later: z.string().nullable(),
})

const comment = z.object({
  id: z.string(),
  content: z.string(),
  byName: z.string(),
  groupName: z.string(),
  at: z.string(),
  answer: z.string().nullable(),
  answerBy: z.string().nullable(),
  answerAt: z.string().nullable(),
})

const change = z.object({
  id: z.string(),
  field: z.string(),
  before: z.string(),
  after: z.string(),
  reason: z.string().nullable(),
  byName: z.string(),
  at: z.string(),
})

const neighbour = z.object({ day: z.string(), mark: z.string(), id: z.string().nullable() })

export const logDetail = logRow.extend({
  machines: z.string().nullable(),
  safetyState: z.string().nullable(),
  qualityState: z.string().nullable(),
  tomorrow: z.string().nullable(),
  lateReason: z.string().nullable(),
  photos: z.array(z.string()),
  photoTimes: z.array(z.string().nullable()),
  problems: z.array(
    z.object({
      description: z.string(),
      rectify: z
        .object({ id: z.string(), code: z.string().nullable(), stateName: z.string(), closed: z.boolean(), link: z.string() })
        .nullable(),
    }),
  ),
  facts: z.array(keptFact),
  /** By attendance now, and whether the written head count differs from it by more than a fifth. */
  attendance: z.object({ count: z.number().int().nullable(), differs: z.boolean() }),
  tasks: z.array(
    z.object({
      taskId: z.string(),
      name: z.string(),
      before: z.number(),
      percent: z.number(),
      /** As the schedule says now. */
      now: z.number().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  pours: z.array(
    z.object({ part: z.string(), grade: z.string(), volume: z.number(), from: z.string(), until: z.string(), byName: z.string() }),
  ),
  blocks: z.array(
    z.object({
      id: z.string(),
      part: z.string(),
      gang: z.string().nullable(),
      content: z.string(),
      byName: z.string(),
      at: z.string(),
      own: z.boolean(),
    }),
  ),
  comments: z.array(comment),
  changes: z.array(change),
  /** Orders that were written from it. */
  orders: z.array(
    z.object({
      id: z.string(),
      code: z.string().nullable(),
      stateName: z.string(),
      deadline: z.string(),
      open: z.boolean(),
      link: z.string(),
    }),
  ),
  /** The days around it, the latest first; empty for a log of an institution. */
  neighbours: z.array(neighbour),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
})
export type LogDetail = z.output<typeof logDetail>

/** What a day has recorded by itself. */
export const prefill = z.object({
  day: z.string(),
  /** Whether a reason is needed: more than 48 hours after the day. */
  late: z.boolean(),
  /** From the site's own station; null without one. */
  weather: z
    .object({ tempHigh: z.number().nullable(), tempLow: z.number().nullable(), wind: z.number().int().nullable(), station: z.string() })
    .nullable(),
  /** By attendance; null where there is none for this day. */
  workerCount: z.number().int().nullable(),
  facts: z.array(fact),
  /** The log of this day that exists already. */
  existing: z.object({ id: z.string(), recorder: z.string(), state: z.string() }).nullable(),
  /** The log before it, to copy from. */
  previous: z
    .object({
      day: z.string(),
      parts: z.string(),
      safetyState: z.string().nullable(),
      qualityState: z.string().nullable(),
      tomorrow: z.string().nullable(),
    })
    .nullable(),
  /** Tasks in work, for the percent of the day. */
  tasks: z.array(
    z.object({ taskId: z.string(), name: z.string(), percent: z.number(), planPercent: z.number(), delayDays: z.number().int() }),
  ),
  /** Sites where the writer was, or that he checked. */
  visited: z.array(z.object({ projectCode: z.string(), name: z.string(), why: z.string() })),
})
export type Prefill = z.output<typeof prefill>

/** One site in the month's table. */
export const matrixRow = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  areaName: z.string(),
  /** One mark for each day of the month. */
  marks: z.string(),
  due: z.number().int(),
  written: z.number().int(),
  late: z.number().int(),
  missing: z.number().int(),
  stopped: z.number().int(),
  /** When it was last reminded today. */
  urgedAt: z.string().nullable(),
})
export type MatrixRow = z.output<typeof matrixRow>

export const filters = {
  ...ofProject.shape,
  tab: z.enum(['draft', 'written', 'unanswered', 'mine']).optional(),
  month: month.optional(),
  day: dayRange.optional(),
  weather: several.optional(),
  parts: text(50).optional(),
  recorder: text(50).optional(),
  late: flag.optional(),
  state: several.optional(),
}

export const made = z.object({ id: z.string(), version: z.number().int(), state: z.string() })
export const dayQuery = ofProject.extend({ day })
