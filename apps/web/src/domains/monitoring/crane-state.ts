import { craneSensors, craneTypes } from '@zhugong/contract/monitoring/crane/crane-codes'
import { dark } from '#kit/colors.ts'
import { span } from '#kit/format.ts'
import { isStale } from '#kit/live.ts'
import type { Reading } from '#kit/live-store.ts'
import type { CraneShape, Motion, Pose } from './crane-geometry.ts'
import { levelColor } from './level-color.ts'

export type Tone = 'fine' | 'warning' | 'alarm' | 'offline' | 'maintenance' | 'none'

export const toneColors: Record<Tone, string> = {
  fine: dark.fine,
  warning: dark.warning,
  alarm: dark.alarm,
  offline: dark.stale,
  maintenance: dark.maintenance,
  none: dark.stale,
}

export interface MachineStatus {
  tone: Tone
  /** Always shown beside the colour. */
  word: string
}

export interface StatusInput {
  online: boolean
  reading: Reading | undefined
  lastTime: number | null | undefined
  intervalMs: number
  now: number
  alarm: { level: number; label: string } | undefined
  /** In service according to the register. */
  activated?: boolean
  /** Word for the normal state. */
  fine: string
}

/** State of a device in one word. Offline or outdated data takes precedence over the last reported values. */
export function status({ online, reading, lastTime, intervalMs, now, alarm, activated = false, fine }: StatusInput): MachineStatus {
  const at = reading?.at ?? lastTime ?? undefined
  if (at === undefined) return { tone: 'none', word: activated ? '尚无数据' : '未激活' }
  if (!online) return { tone: 'offline', word: `离线 ${span(now - at)}` }
  if (reading?.values.sensorStatus === craneSensors.maintenance) return { tone: 'maintenance', word: '停机维护' }
  if (alarm) return { tone: levelColor(alarm.level) === dark.alarm ? 'alarm' : 'warning', word: alarm.label }
  if (isStale({ at, paceMs: reading?.paceMs }, now, intervalMs)) return { tone: 'offline', word: '数据陈旧' }
  return { tone: 'fine', word: fine }
}

export const numberIn = (values: Readonly<Record<string, unknown>> | undefined, key: string): number | undefined => {
  const value = values?.[key]
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** The crane's pose; undefined until all its values have been received. */
export function poseIn(values: Readonly<Record<string, unknown>> | undefined): Pose | undefined {
  const angle = numberIn(values, 'slewAngle')
  const radius = numberIn(values, 'radius')
  if (angle === undefined || radius === undefined) return undefined
  return { angle, radius, hook: numberIn(values, 'hookHeight') ?? 0 }
}

/** Converts rotations and metres per minute to degrees and metres per second. */
export const motionIn = (values: Readonly<Record<string, unknown>> | undefined): Motion => ({
  slew: (numberIn(values, 'slewSpeed') ?? 0) * 6,
  trolley: (numberIn(values, 'trolleySpeed') ?? 0) / 60,
  hoist: (numberIn(values, 'hoistSpeed') ?? 0) / 60,
})

export const isMoving = ({ slew, trolley }: Motion): boolean => Math.abs(slew) > 0.15 || Math.abs(trolley) > 0.05

/** Short name: 3# for 3# 塔机. */
export const shortName = (name: string): string => name.replace(/\s*塔(式起重)?[机吊]$/, '') || name

export function shapeOf(
  crane: {
    deviceId: string
    name: string
    x: number
    y: number
    jibLength: number
    counterJibLength: number
    jibHeight: number
    craneType: string
  },
  params: Readonly<Record<string, unknown>> | undefined,
): CraneShape {
  const base = numberIn(params, 'baseElevation') ?? 0
  const from = numberIn(params, 'slewLimitFrom')
  const to = numberIn(params, 'slewLimitTo')
  return {
    id: crane.deviceId,
    label: shortName(crane.name),
    x: crane.x,
    y: crane.y,
    luffing: crane.craneType === craneTypes.luffing,
    jibLength: crane.jibLength,
    counterJibLength: crane.counterJibLength,
    jibHeight: crane.jibHeight,
    minRadius: numberIn(params, 'minRadius') ?? 3,
    maxRadius: numberIn(params, 'maxRadius') ?? crane.jibLength,
    maxHeight: numberIn(params, 'maxHeight') ?? Math.max(1, crane.jibHeight - 6),
    base,
    slewLimit: from === undefined || to === undefined ? undefined : [from, to],
  }
}

const toneOrder: Record<Tone, number> = { alarm: 0, warning: 1, offline: 2, maintenance: 4, fine: 4, none: 5 }
export const byUrgency = <T extends { status: MachineStatus; name: string }>(a: T, b: T): number =>
  toneOrder[a.status.tone] - toneOrder[b.status.tone] || a.name.localeCompare(b.name, 'zh', { numeric: true })
