import { z } from 'zod'
import { dayRange, flag, pointsTo, several, text } from '../kit/fields.ts'
import { allowedAction, logLine } from '../kit/process.ts'
import { signatureRow } from '../kit/signatures.ts'
import { planPicture } from '../places/pins.ts'
import { checkProblem } from './problems.ts'

export const patrolRow = z.object({
  id: z.string(),
  /** Drawn when it is submitted; null for a draft. */
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  inspectType: z.string(),
  inspectTypeName: z.string(),
  checkTime: z.string(),
  checkers: z.array(z.string()),
  checkerGroupName: z.string(),
  part: z.string(),
  /** Of the round, or where its problems are. */
  placeNames: z.array(z.string()),
  /** The first problem; null for a round without problems. */
  problem: z.string().nullable(),
  /** Address of the first photo of a problem, or of the round. */
  photo: z.string().nullable(),
  photoCount: z.number().int(),
  problemCount: z.number().int(),
  passedCount: z.number().int(),
  dangerLevel: z.string().nullable(),
  dangerLevelName: z.string().nullable(),
  corpNames: z.array(z.string()),
  persons: z.array(z.string()),
  /** The earliest deadline of the notices that run; of all problems when none does. */
  deadline: z.string().nullable(),
  /** Days past that deadline; 0 when on time or finished. */
  overdueDays: z.number().int(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type PatrolRow = z.output<typeof patrolRow>

export const patrolDetail = patrolRow.extend({
  remark: z.string().nullable(),
  photos: z.array(z.string()),
  placeId: z.string().nullable(),
  problems: z.array(checkProblem),
  /** The plans on which problems lie. */
  plans: z.array(planPicture),
  /** The notices that the problems became. */
  notices: z.array(
    z.object({
      id: z.string(),
      code: z.string().nullable(),
      corpName: z.string(),
      state: z.string(),
      stateName: z.string(),
      deadline: z.string(),
      overdueDays: z.number().int(),
      problemCount: z.number().int(),
      passedCount: z.number().int(),
    }),
  ),
  /** Earlier problems at the same part or place, the newest first. */
  earlier: z.array(
    z.object({ checkId: z.string(), code: z.string().nullable(), checkTime: z.string(), description: z.string(), stateName: z.string() }),
  ),
  timeline: z.array(logLine),
  signatures: z.array(signatureRow),
  actions: z.array(allowedAction),
})
export type PatrolDetail = z.output<typeof patrolDetail>

/** Filters that the lists of all patrols have. */
export const patrolFilters = {
  /** `todo`: waits for the caller; `own`: checked by the caller. */
  tab: z.enum(['todo', 'own', 'open']).optional(),
  code: text(50).optional(),
  inspectType: several.optional(),
  checkTime: dayRange.optional(),
  part: text(50).optional(),
  /** The place, or a place in it. */
  place: pointsTo('sitePlace', text(64)).optional(),
  problem: text(50).optional(),
  dangerLevel: several.optional(),
  corpName: text(50).optional(),
  person: text(50).optional(),
  deadline: dayRange.optional(),
  overdue: flag.optional(),
  today: flag.optional(),
  state: several.optional(),
}
export const patrolSorts = ['overdueDays', 'checkTime', 'deadline', 'problemCount'] as const

export const patrolCounts = {
  todo: z.number().int(),
  open: z.number().int(),
  overdue: z.number().int(),
  today: z.number().int(),
  /** Mean time from issue to closing of the notices closed in the last 30 days, in hours; null without any. */
  meanCloseHours: z.number().nullable(),
}

/** What the changing calls of a patrol answer. */
export const madePatrol = z.object({ id: z.string(), code: z.string().nullable(), version: z.number().int(), state: z.string() })
