import { z } from 'zod'
import { pointsTo, ref, text } from '../kit/fields.ts'

export const project = { projectCode: ref('project').optional() }

export const unit = { corpCode: ref('corporation').optional(), teamSysNo: pointsTo('teamNo', text(20, '班组')).optional() }

export const results = z.array(z.number().int().min(1).max(12))

export const moment = z.string().nullable()

const part = z.object({ corpCode: z.string(), teamSysNo: z.string().nullable(), workHours: z.number(), attendDay: z.number().int() })

/** Totals of one person's month: days of each kind, and hours. */
export const monthSums = {
  attendDays: z.number().int(),
  workHours: z.number(),
  late: z.number().int(),
  early: z.number().int(),
  missing: z.number().int(),
  absent: z.number().int(),
  leave: z.number().int(),
  overtime: z.number().int(),
  stop: z.number().int(),
  night: z.number().int(),
  lateData: z.number().int(),
  corrected: z.number().int(),
  overtimeHours: z.number(),
}

/** The person of a row. */
export const person = {
  workerId: z.string(),
  name: z.string(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  teamSysNo: z.string().nullable(),
  teamName: z.string().nullable(),
  workRole: z.string().nullable(),
  workType: z.string().nullable(),
  /** Trade of a worker, or post of a manager. */
  workTypeName: z.string().nullable(),
}

const closed = z.object({
  firstIn: moment,
  lastOut: moment,
  workHours: z.number(),
  attendDay: z.number().int(),
  results,
  recordCount: z.number().int(),
})

export const dayFields = {
  workDay: z.string(),
  firstIn: moment,
  lastOut: moment,
  workHours: z.number(),
  attendDay: z.number().int(),
  results,
  /** The results as displayed. */
  resultText: z.string(),
  recordCount: z.number().int(),
  parts: z.array(part),
  expected: z.boolean(),
  /** An entry that may still get its exit. */
  pending: z.boolean(),
  settled: z.boolean(),
  /** The figures when the day settled, if late data or a correction has changed them. */
  atClose: closed.nullable(),
  rulesVersion: z.string(),
  settingVersion: z.string(),
}
