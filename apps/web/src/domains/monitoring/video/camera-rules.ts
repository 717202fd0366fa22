import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { type AiType, aiTypes, leastConfidence } from '@zhugong/contract/monitoring/video/ai-codes'
import { type CameraRules, type CameraZone, type previewCameraAi, setCameraAi } from '@zhugong/contract/monitoring/video/camera-ai'

type Preview = OutputFor<typeof previewCameraAi>

/** Effect of changed settings on the last days, as a sentence. */
export function previewWords({ days, seen, fewer, fewerReal, more, moreReal }: Preview): string {
  const real = (n: number) => `，其中 ${n} 条属实`
  const said = [...(fewer > 0 ? [`会少 ${fewer} 条${real(fewerReal)}`] : []), ...(more > 0 ? [`会多 ${more} 条${real(moreReal)}`] : [])]
  return `近 ${days} 天${said.length > 0 ? said.join('；') : `的 ${seen} 条识别不变`}`
}

/** A type without a threshold of its own uses the general minimum. */
export const leastOf = (rules: CameraRules, type: string): number =>
  rules.thresholds.find((one) => one.type === type)?.least ?? leastConfidence

export function withLeast(rules: CameraRules, type: AiType, least: number): CameraRules {
  const others = rules.thresholds.filter((one) => one.type !== type)
  return { ...rules, thresholds: least > leastConfidence ? [...others, { type, least }] : others }
}

/** First validation error; undefined if valid. */
export function problemOf(rules: CameraRules): string | undefined {
  const { error } = setCameraAi.schemas.body?.safeParse({ ...rules, version: 0 }) ?? {}
  const [issue] = error?.issues ?? []
  if (!issue) return undefined
  const [part, at] = issue.path
  const zone = part === 'zones' && typeof at === 'number' ? rules.zones[at] : undefined
  const of = part === 'thresholds' && typeof at === 'number' ? rules.thresholds[at] : undefined
  return [zone && (zone.name || `区域 ${Number(at) + 1}`), of && aiTypes[of.type], issue.message].filter(Boolean).join('：')
}

const twoDigits = (n: number) => String(n).padStart(2, '0')
export const clockOf = (minute: number | null): string | undefined =>
  minute === null ? undefined : `${twoDigits(Math.floor(minute / 60) % 24)}:${twoDigits(minute % 60)}`
export function minuteOf(clock: string | undefined): number | null {
  const [hours, minutes] = (clock ?? '').split(':').map(Number)
  return hours === undefined || minutes === undefined || Number.isNaN(hours + minutes) ? null : hours * 60 + minutes
}
export const hoursOf = ({ fromMinute, untilMinute }: Pick<CameraZone, 'fromMinute' | 'untilMinute'>): string =>
  fromMinute === null || untilMinute === null ? '全天' : `${clockOf(fromMinute)} 至 ${clockOf(untilMinute)}`
