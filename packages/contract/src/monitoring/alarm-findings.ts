import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, nullable, ofProject, paged, pageQuery, ref, text } from '../kit/fields.ts'
import { epoch } from '../telemetry/model.ts'

const mostFiles = 6
/** Most findings per alarm. */
export const mostFindings = 10
/** Longest interval between two rounds at a point under increased monitoring, hours. */
export const longestRoundHours = 168

export const alarmFinding = z.object({
  id: z.string(),
  projectCode: z.string(),
  alarmId: z.string(),
  code: z.string(),
  text: z.string(),
  person: z.string().nullable(),
  everyHours: z.number().int().nullable(),
  files: z.array(z.string()),
  byName: z.string(),
  byGroup: z.string(),
  at: epoch,
})
export type AlarmFinding = z.infer<typeof alarmFinding>

const path = '/api/v1/oa/process/alarmFinding'
export const listFindings = endpoint({
  method: 'GET',
  path,
  summary: '告警原因与决定',
  needs: 'alarm.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, alarmId: ref('alarm') }),
  response: paged(alarmFinding),
})
/** Entered by the site or its supervising body, independent of the alarm's handling; entries are appended, never replaced. */
export const stateFinding = endpoint({
  method: 'POST',
  path,
  summary: '登记告警原因或决定',
  needs: 'alarm.handle',
  acts: 'review',
  query: ofProject,
  body: z.object({
    alarmId: ref('alarm'),
    code: text(20, '类别').min(1, '请选择类别'),
    text: filled(300, '说明'),
    /** Responsible person; required for decisions. */
    person: nullable(text(40, '责任人')).default(null),
    everyHours: nullable(
      z
        .number({ error: '加密间隔应为数字' })
        .int('加密间隔应为整小时')
        .min(1, `加密间隔应在 1 到 ${longestRoundHours} 小时之间`)
        .max(longestRoundHours, `加密间隔应在 1 到 ${longestRoundHours} 小时之间`),
    ).default(null),
    files: z.array(text(400, '照片')).max(mostFiles, `照片最多 ${mostFiles} 张`).default([]),
  }),
  response: z.object({ id: z.string() }),
})
