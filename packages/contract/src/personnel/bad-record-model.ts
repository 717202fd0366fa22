import { z } from 'zod'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import { fileRefs } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'
import { today } from './identity-model.ts'

export const badBody = z.object({
  workerId: ref('worker'),
  projectCode: ref('project'),
  badRecordType: dict('badActionType', '行为类别'),
  badRecordLevel: dict('actionLevel', '严重程度'),
  actionDegree: dict('actionDegree', '认定级别'),
  occurrenceDate: day.refine((v) => v <= today(), '发生日期不能晚于今天'),
  reason: filled(1000, '详细情况').min(10, '详细情况至少 10 个字'),
  processResult: nullable(text(500, '处理结果')),
  score: nullable(z.coerce.number().min(0, '扣分不能为负').max(99, '扣分过大')),
  files: fileRefs('证据').min(1, '请上传证据'),
})

export const badRow = z.object({
  id: z.string(),
  workerId: z.string().nullable(),
  workerName: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string().nullable(),
  corpName: z.string().nullable(),
  badRecordType: z.string(),
  badRecordTypeName: z.string().nullable(),
  badRecordLevel: z.string(),
  badRecordLevelName: z.string().nullable(),
  actionDegree: z.string(),
  actionDegreeName: z.string().nullable(),
  occurrenceDate: z.string(),
  reason: z.string(),
  processResult: z.string().nullable(),
  score: z.number().nullable(),
  files: z.array(z.string()),
  auditStatus: z.string(),
  auditStatusName: z.string().nullable(),
  validUntil: z.string().nullable(),
  /** Who confirmed or refused it. */
  auditedName: z.string().nullable(),
  /** The day on which an objection was accepted: the record does not count from then on. */
  revokedDay: z.string().nullable(),
  /** Currently counts. */
  counts: z.boolean(),
  own: z.boolean(),
  createTime: z.string(),
  version: z.number().int(),
})

export type BadRow = z.infer<typeof badRow>
