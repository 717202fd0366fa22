import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { filled, instant, nullable, ofProject, paged, pageQuery, ref, text } from '../../kit/fields.ts'
import { epoch } from '../../telemetry/model.ts'

/** Manual readings of meters that do not transmit, and meter replacements. */
export const meterEntryKinds = { reading: '人工抄表', change: '换表' } as const
export type MeterEntryKind = keyof typeof meterEntryKinds
/** An entry may be made this many days late. */
export const entryPastDays = 60
/** Consumption above this multiple of the usual must be confirmed. */
export const oddUseTimes = 5
const mostFiles = 6
/** The largest registers have nine digits. */
const largestReading = 999_999_999
/** Limit of the catalogue. */
const largestRatio = 10_000
const dial = (name: string) =>
  z.coerce
    .number({ error: `${name}应为数字` })
    .min(0, `${name}不能小于 0`)
    .max(largestReading, `${name}过大`)

export const meterEntry = z.object({
  id: z.string(),
  projectCode: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  kind: z.enum(['reading', 'change']),
  at: epoch,
  /** Register value before any ratio; for a replacement the old meter's final value. */
  reading: z.number(),
  startReading: z.number().nullable(),
  /** For a replacement that also changed the transformers: the old and the new ratio, in force from that moment. */
  prevRatio: z.number().nullable(),
  nextRatio: z.number().nullable(),
  reason: z.string(),
  files: z.array(z.string()),
  byName: z.string(),
  createTime: epoch,
  voidReason: z.string().nullable(),
  voidBy: z.string().nullable(),
  /** Its month is settled: the entry can no longer be changed. */
  locked: z.boolean(),
})
export type MeterEntry = z.infer<typeof meterEntry>

const path = '/api/v1/oa/process/meterEntry'
export const listMeterEntries = endpoint({
  method: 'GET',
  path,
  summary: '人工抄表与换表记录',
  needs: 'meters.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, deviceId: ref('device').optional() }),
  response: paged(meterEntry),
})
export const addMeterEntry = endpoint({
  method: 'POST',
  path,
  summary: '登记抄表或换表',
  needs: 'meters.settle',
  query: ofProject,
  body: z
    .object({
      deviceId: ref('device'),
      kind: z.enum(['reading', 'change'], { error: '请选择抄表或换表' }),
      /** Default: now. */
      at: nullable(instant),
      reading: dial('读数'),
      startReading: nullable(dial('新表起始读数')).default(null),
      /** Ratio of the new transformers, if they were changed as well. */
      ratio: nullable(
        z.coerce
          .number({ error: '变比应为数字' })
          .int('变比应为整数')
          .min(1, '变比不能小于 1')
          .max(largestRatio, `变比不能大于 ${largestRatio}`),
      ).default(null),
      reason: filled(200, '原因'),
      files: z.array(text(400, '表盘照片')).min(1, '请上传表盘照片').max(mostFiles, `照片最多 ${mostFiles} 张`),
      /** The caller confirms the unusual consumption. */
      sure: z.boolean().default(false),
    })
    .superRefine(({ kind, startReading, ratio }, ctx) => {
      if (kind === 'reading' && ratio !== null) ctx.addIssue({ code: 'custom', path: ['ratio'], message: '变比随换表登记，抄表不改变比' })
      if ((kind === 'change') !== (startReading !== null))
        ctx.addIssue({
          code: 'custom',
          path: ['startReading'],
          message: kind === 'change' ? '请填写新表起始读数' : '抄表没有新表起始读数',
        })
    }),
  response: z.object({ id: z.string() }),
})
export const voidMeterEntry = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '撤销抄表或换表',
  needs: 'meters.settle',
  params: z.object({ id: ref('meterEntry') }),
  query: ofProject,
  body: z.object({ reason: filled(200, '撤销原因') }),
})
