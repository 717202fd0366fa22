import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { filled, nullable, ofProject, paged, pageQuery, ref } from '../../kit/fields.ts'
import { minuteMs } from '../../kit/time.ts'
import { crossesItself, isInside } from '../../rules/polygon.ts'
import { epoch } from '../../telemetry/model.ts'
import { type AiType, aiTypes, leastConfidence } from './ai-codes.ts'

/** A higher threshold would suppress everything. */
const mostConfidence = 0.99
/** Recognitions that zones filter; fire and passages through a gate are notified wherever they occur. */
export const zonedTypes: readonly string[] = ['intrusion']
const mostZones = 6
const mostCorners = 30
const dayMinutes = 1_440
const shanghaiMs = 8 * 60 * minuteMs
/** Least area of a zone, fraction of the picture: smaller ones are drawn by mistake. */
const leastShare = 0.01

const share = z.number({ error: '坐标应为数字' }).min(0, '坐标应在 0 到 1 之间').max(1, '坐标应在 0 到 1 之间')
const minute = z.coerce.number({ error: '时间应为分钟数' }).int().min(0).max(dayMinutes)
type Corner = readonly [number, number]

const areaOf = (ring: readonly Corner[]): number =>
  Math.abs(
    ring.reduce((sum, [x, y], i) => {
      const [nextX, nextY] = ring[(i + 1) % ring.length] ?? [x, y]
      return sum + x * nextY - nextX * y
    }, 0),
  ) / 2

const zoneFields = z.object({
  name: filled(20, '名称'),
  /** Fractions of the picture from its upper left corner, independent of resolution. */
  points: z
    .array(z.tuple([share, share]))
    .min(3, '至少画三个角点')
    .max(mostCorners, `最多 ${mostCorners} 个角点`)
    .refine((ring) => ring.length < 3 || !crossesItself(ring), '边线不能互相交叉')
    .refine((ring) => ring.length < 3 || areaOf(ring) >= leastShare, '区域太小，不足画面的百分之一'),
  /** Minutes of day between which the zone applies, may span midnight; null = all day. */
  fromMinute: nullable(minute).default(null),
  untilMinute: nullable(minute).default(null),
})
export const cameraZone = zoneFields
  .refine(({ fromMinute, untilMinute }) => (fromMinute === null) === (untilMinute === null), {
    path: ['untilMinute'],
    message: '开始与结束时间应同时填写',
  })
  .refine(({ fromMinute, untilMinute }) => fromMinute === null || fromMinute !== untilMinute, {
    path: ['untilMinute'],
    message: '开始与结束时间不能相同',
  })
export type CameraZone = z.infer<typeof cameraZone>

const type = z.enum(Object.keys(aiTypes) as [AiType, ...AiType[]], { error: '识别类型不正确' })
const rules = z.object({
  /** Confidence threshold by type; types not listed use the general minimum. */
  thresholds: z
    .array(
      z.object({
        type,
        least: z.coerce
          .number({ error: '阈值应为数字' })
          .min(leastConfidence, `阈值不能低于 ${leastConfidence}`)
          .max(mostConfidence, `阈值不能高于 ${mostConfidence}`),
      }),
    )
    .max(Object.keys(aiTypes).length)
    .refine((all) => new Set(all.map((one) => one.type)).size === all.length, '同一类型只能设一个阈值'),
  zones: z
    .array(cameraZone)
    .max(mostZones, `最多 ${mostZones} 个区域`)
    .refine((all) => new Set(all.map((one) => one.name)).size === all.length, '区域名称不能重复'),
})
export type CameraRules = z.infer<typeof rules>

interface Seen {
  type: unknown
  confidence: unknown
  boxes: unknown
}
type Box = [x: number, y: number, width: number, height: number]
const isShare = (n: unknown) => typeof n === 'number' && n >= 0 && n <= 1

/** The boxes of a recognition, sent as text or a list; invalid entries are skipped. */
export function boxesIn(value: unknown): Box[] {
  try {
    const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value
    return Array.isArray(parsed) ? parsed.filter((one): one is Box => Array.isArray(one) && one.length === 4 && one.every(isShare)) : []
  } catch {
    return []
  }
}

/** Whether a zone applies at a time of day in Shanghai. */
export function zoneHolds({ fromMinute, untilMinute }: Pick<CameraZone, 'fromMinute' | 'untilMinute'>, at: number): boolean {
  if (fromMinute === null || untilMinute === null) return true
  const now = Math.floor((at + shanghaiMs) / minuteMs) % dayMinutes
  return fromMinute < untilMinute ? now >= fromMinute && now < untilMinute : now >= fromMinute || now < untilMinute
}

export const keptReasons = { confidence: '低于阈值，只留存', zone: '不在区域或时段内，只留存' } as const
export type KeptReason = keyof typeof keptReasons

/**
 * Why a recognition is suppressed; null if it is notified. Alarm, list and preview share this function. A box lies in a zone if the middle of its
 * lower edge does, or its centre (the legs may be hidden). Without boxes zones do not apply, without a confidence thresholds do not.
 */
export function whyKept(given: CameraRules | undefined, seen: Seen, at: number): KeptReason | null {
  const least = Math.max(leastConfidence, given?.thresholds.find((one) => one.type === seen.type)?.least ?? 0)
  if (typeof seen.confidence === 'number' && seen.confidence < least) return 'confidence'
  if (!given || given.zones.length === 0 || !zonedTypes.includes(String(seen.type))) return null
  const boxes = boxesIn(seen.boxes)
  if (boxes.length === 0) return null
  const now = given.zones.filter((zone) => zoneHolds(zone, at))
  const stands = ([x, y, width, height]: Box): Corner[] => [
    [x + width / 2, Math.min(1, y + height)],
    [x + width / 2, y + height / 2],
  ]
  return boxes.some((box) => now.some((zone) => stands(box).some((point) => isInside(point, zone.points)))) ? null : 'zone'
}

const cameraAi = rules.extend({
  deviceId: z.string(),
  projectCode: z.string(),
  deviceName: z.string(),
  updateBy: z.string().nullable(),
  updateTime: epoch.nullable(),
  /** -1 while nothing is set. */
  version: z.number().int(),
  editable: z.boolean(),
})
export type CameraAi = z.infer<typeof cameraAi>

const path = '/api/v1/oa/process/cameraAi'
const one = z.object({ id: ref('device') })

export const listCameraAi = endpoint({
  method: 'GET',
  path,
  summary: 'AI 摄像机阈值与区域',
  needs: 'video.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, deviceId: ref('device').optional() }),
  response: paged(cameraAi),
})
export const previewDays = 7
const changed = z.object({
  /** No longer notified, or newly notified; and how many of these were confirmed. */
  fewer: z.number().int(),
  fewerReal: z.number().int(),
  more: z.number().int(),
  moreReal: z.number().int(),
})
export const previewCameraAi = endpoint({
  method: 'POST',
  path: `${path}/:id/preview`,
  summary: '试算 AI 阈值与区域',
  needs: 'video.view',
  unaudited: 'changes nothing',
  perMinute: 60,
  params: one,
  query: ofProject,
  body: rules,
  response: changed.extend({ days: z.number().int(), seen: z.number().int(), types: z.array(changed.extend({ type: z.string() })) }),
})
/** A camera's settings are changed by the site and its companies; supervising bodies can read them. */
export const setCameraAi = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '设置 AI 阈值与区域',
  needs: 'video.ai-review',
  params: one,
  query: ofProject,
  body: rules.extend({ version: z.coerce.number().int() }),
  response: cameraAi,
})
