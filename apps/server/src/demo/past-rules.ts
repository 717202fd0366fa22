import { familyOf } from '@zhugong/contract/telemetry/families'
import type { Device } from '@zhugong/simulator/city-types'
import { defaultRules } from '#domains/rules/defaults'
import { inSchedule } from '#domains/rules/engine'
import { holds, inWords, type LevelState, limitOf, maxGapMsOf, metricsOf, type RuleLevel, take } from '#domains/rules/evaluate'

export interface PastAlarm {
  deviceId: string
  alarmKey: string
  label: string
  level: number
  startTime: number
  fireTime: number
  clearTime: number | null
  metric: string | null
  peak: number | null
  peakTime: number | null
  text: string
  values: Record<string, unknown>
}

interface Watched {
  alarmKey: string
  level: RuleLevel
  schedule: readonly (readonly [number, number])[] | null
  metric: string | null
  state: LevelState
  alarm: PastAlarm | undefined
}

const evidenceMs = 60_000

/** The delivered rules over one device's past: the same evaluation as for live readings. */
export class PastRules {
  private readonly device: Device
  private readonly watched: Watched[]
  private readonly around
  private readonly gapMs: number
  private watchedUntil = 0

  constructor(device: Device) {
    this.device = device
    const family = familyOf(device.family)
    this.around = {
      params: device.params,
      unitOf: (m: string) => family?.metric(m)?.unit,
      labelOf: (m: string) => family?.metric(m)?.label ?? m,
    }
    this.gapMs = maxGapMsOf(family?.intervalSeconds ?? 60)
    this.watched = defaultRules
      .filter((r) => r.family === device.family && r.levels[0]?.condition.type === 'threshold' && !('onlyWhen' in r.options))
      .flatMap((r) =>
        r.levels.map((level) => ({
          alarmKey: r.alarmKey,
          level,
          schedule: r.schedule,
          metric: metricsOf(level.condition)[0] ?? null,
          state: {},
          alarm: undefined,
        })),
      )
  }

  /** Whether readings around this moment belong to an alarm's evidence. */
  isWatched(time: number): boolean {
    return time <= this.watchedUntil
  }

  /** True when an alarm opened with this reading. */
  take(time: number, values: Record<string, unknown>, found: PastAlarm[]): boolean {
    const tilted =
      typeof values.tiltX === 'number' && typeof values.tiltY === 'number'
        ? { tilt: Math.hypot(values.tiltX, values.tiltY), ...values }
        : values
    const reading = { time, values: tilted }
    let opened = false
    for (const w of this.watched) {
      const idle = w.state.pendingSince === undefined && w.state.activeSince === undefined
      if (idle && (holds(w.level.condition, reading, this.around) !== true || !inSchedule(w.schedule, time))) continue
      const { state, events } = take(w.level, w.state, reading, this.around, this.gapMs)
      w.state = state
      const raw = w.metric ? tilted[w.metric as keyof typeof tilted] : undefined
      const value = typeof raw === 'number' ? raw : null
      for (const event of events) {
        if (event.kind === 'open') {
          opened = true
          w.alarm = {
            deviceId: this.device.id,
            alarmKey: w.alarmKey,
            label: familyOf(this.device.family)?.alarm(w.alarmKey)?.label ?? w.alarmKey,
            level: w.level.level,
            startTime: event.startTime,
            fireTime: event.fireTime,
            clearTime: null,
            metric: w.metric,
            peak: value,
            peakTime: time,
            text: inWords(w.level, this.around),
            values: { ...values, limit: limitOf(w.level.condition, this.around) ?? null },
          }
          found.push(w.alarm)
        } else if (w.alarm) {
          w.alarm.clearTime = event.time
          w.alarm = undefined
          this.watchedUntil = Math.max(this.watchedUntil, time + evidenceMs)
        }
      }
      if (w.alarm) {
        this.watchedUntil = Math.max(this.watchedUntil, time + evidenceMs)
        if (value !== null && (w.alarm.peak === null || value > w.alarm.peak)) {
          w.alarm.peak = value
          w.alarm.peakTime = time
        }
      }
    }
    return opened
  }
}
