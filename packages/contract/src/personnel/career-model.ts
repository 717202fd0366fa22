import { z } from 'zod'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import { across, fileRefs, whileIncomplete } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'
import { issuesOf, today } from './identity-model.ts'

export const resumeBody = z
  .object({
    workerId: ref('worker'),
    projectName: filled(200, '项目'),
    corpName: filled(200, '企业'),
    teamName: nullable(text(100, '班组')),
    workType: dict('workerType', '工种'),
    entryTime: day,
    exitTime: nullable(day),
    evaluate: nullable(text(200, '评价')),
  })
  .superRefine(
    across((h, context) => {
      if (typeof h.exitTime === 'string' && h.exitTime < h.entryTime) issuesOf(context)('exitTime', '退场日期不能早于进场日期')
      if (h.entryTime > today()) issuesOf(context)('entryTime', '进场日期不能晚于今天')
    }),
    whileIncomplete,
  )

export const resumeRow = z.object({
  id: z.string(),
  /** A stay of the platform cannot be edited here; a stay on another group's project shows few fields. */
  source: z.enum(['platform', 'foreign', 'own']),
  projectName: z.string(),
  corpName: z.string().nullable(),
  teamName: z.string().nullable(),
  workTypeName: z.string().nullable(),
  workType: z.string().nullable(),
  entryTime: z.string(),
  exitTime: z.string().nullable(),
  exitReasonName: z.string().nullable(),
  attendDays: z.number().int().nullable(),
  evaluate: z.string().nullable(),
  /** Overlaps with another stay. */
  overlaps: z.boolean(),
})

export type ResumeRow = z.infer<typeof resumeRow>

export const healthBody = z.object({
  healthStatus: nullable(dict('healthStatus', '健康状况')),
  bloodType: nullable(dict('bloodType', '血型')),
  contraindications: z.array(dict('medicalContraindication', '职业禁忌')).max(20).default([]),
  examDate: nullable(day.refine((v) => v <= today(), '体检日期不能晚于今天')),
  examReport: fileRefs('体检报告').default([]),
  vaccinated: z
    .array(z.object({ dose: z.coerce.number().int().min(1).max(10), date: day }))
    .max(10)
    .default([]),
  /** One new declaration or measurement, added to the list. */
  declare: nullable(
    z.object({
      temperature: nullable(z.coerce.number().min(35, '体温应在 35.0-42.0 之间').max(42, '体温应在 35.0-42.0 之间')),
      symptoms: nullable(text(200, '症状')),
      trip: nullable(text(200, '行程')),
    }),
  ),
  version: z.number().int(),
})

export type HealthBody = z.output<typeof healthBody>

export const healthAnswer = z.object({
  healthStatus: z.string().nullable(),
  bloodType: z.string().nullable(),
  contraindications: z.array(z.string()),
  examDate: z.string().nullable(),
  examReport: z.array(z.string()),
  vaccinated: z.array(z.object({ dose: z.number().int(), date: z.string() })),
  declarations: z.array(
    z.object({
      time: z.string(),
      temperature: z.number().nullable(),
      symptoms: z.string().nullable(),
      trip: z.string().nullable(),
      by: z.string(),
    }),
  ),
  /** Measured at gates in the last 30 days; newest first. */
  temperatures: z.array(z.object({ time: z.string(), value: z.number() })),
  fitness: z.object({ state: z.enum(['fit', 'check', 'unfit', 'unknown']), date: z.string().nullable() }),
  version: z.number().int(),
})

export type HealthAnswer = z.infer<typeof healthAnswer>
