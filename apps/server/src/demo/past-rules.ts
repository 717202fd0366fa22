import { familyOf } from '@zhugong/contract/telemetry/families'
import type { Device } from '@zhugong/simulator/city-types'
import { Budget } from '#domains/rules/budget'
import { metricsOf } from '#domains/rules/conditions'
import { defaultRules } from '#domains/rules/defaults'
import { isNothing, nothingKept, type RuleState, speaks, takeReading } from '#domains/rules/evaluate'
import { Memory } from '#domains/rules/history'
import { limitOf } from '#domains/rules/limits'
import type { Moment } from '#domains/rules/moment'
import { inSchedule, periodStart } from '#domains/rules/schedule'
import { maxGapMsOf, type ReadyTrigger, readyTrigger } from '#domains/rules/trigger'
import { inWords, wordingOf } from '#domains/rules/words'

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
  /** Handled as a false alarm. */
  isFalse?: boolean
  /** Reason for the false alarm. */
  falseWhy?: string
}

interface Watched {
  alarmKey: string
  trigger: ReadyTrigger
  metric: string | null
  held: RuleState
  alarm: PastAlarm | undefined
  /** Worst reading since the condition began. The past is thinned, so the value when the rule fires may already be normal. */
  worst: { value: number; time: number; values: Record<string, unknown> } | undefined
}

const evidenceMs = 60_000

/** Tilt from its two axes, unless the reading contains it. */
const tiltOf = ({ tilt, tiltX, tiltY }: Record<string, unknown>): number | undefined =>
  tilt === undefined && typeof tiltX === 'number' && typeof tiltY === 'number' ? Math.hypot(tiltX, tiltY) : undefined

const isWorse = (op: string, a: number, b: number): boolean =>
  op.includes('<') ? a < b : op.startsWith('abs') ? Math.abs(a) > Math.abs(b) : a > b

/** Evaluates the delivered rules over a device's past, with the code for live readings. */
export class PastRules {
  private readonly device: Device
  private readonly watched: Watched[]
  private readonly around
  private readonly gapMs: number
  private readonly memory: Memory
  private last: number | undefined
  private watchedUntil = 0

  constructor(device: Device) {
    this.device = device
    const family = familyOf(device.family)
    // Only rules about readings are evaluated, see below.
    this.around = wordingOf(device.family, undefined, device.params)
    this.gapMs = maxGapMsOf(family?.intervalSeconds ?? 60)
    // Windows and composite conditions would need every reading, but the past is thinned.
    this.watched = defaultRules
      .filter((r) => r.family === device.family && !r.options.on && !r.options.onlyWhen)
      .flatMap((r) => {
        const trigger = readyTrigger(r)
        const [level] = trigger.levels
        if (level?.condition.type !== 'threshold' || level.condition.windowSeconds !== undefined) return []
        return [
          {
            alarmKey: r.alarmKey,
            trigger,
            metric: metricsOf(level.condition)[0] ?? null,
            held: nothingKept(trigger),
            alarm: undefined,
            worst: undefined,
          },
        ]
      })
    this.memory = new Memory(new Map(), this.gapMs)
  }

  /** Whether readings around this moment belong to an alarm's evidence. */
  isWatched(time: number): boolean {
    return time <= this.watchedUntil
  }

  /** True when an alarm opened with this reading. */
  take(time: number, values: Record<string, unknown>, found: PastAlarm[]): boolean {
    const tilt = tiltOf(values)
    const onTilt = tilt === undefined ? values : { tilt }
    // Nearly all readings are normal for all rules: then no evaluation context is built.
    let judged: Omit<Moment, 'budget' | 'periodStart'> | undefined
    let opened = false
    for (const w of this.watched) {
      const idle = isNothing(w.held)
      if (idle && w.trigger.calm(w.metric === 'tilt' ? onTilt : values, undefined, this.device.params)) continue
      if (!judged) {
        const whole = tilt === undefined ? values : { tilt, ...values }
        this.memory.add({ time, mark: 0, values: whole })
        judged = this.momentOf(time, whole)
      }
      const moment: Moment = { ...judged, budget: new Budget(), periodStart: periodStart(w.trigger.schedule, time) }
      if (idle && (!speaks(w.trigger, moment) || !inSchedule(w.trigger.schedule, time))) continue
      const { held, events } = takeReading(w.trigger, w.held, moment, this.last)
      w.held = held
      const [level] = w.trigger.levels
      const raw = w.metric ? moment.values[w.metric] : undefined
      const value = typeof raw === 'number' ? raw : null
      const op = level?.condition.type === 'threshold' ? level.condition.op : '>'
      const before = idle ? undefined : w.worst
      const worst = value !== null && (!before || isWorse(op, value, before.value)) ? { value, time, values } : before
      w.worst = worst
      for (const event of events) {
        if (event.event === 'open' && level) {
          opened = true
          w.alarm = {
            deviceId: this.device.id,
            alarmKey: w.alarmKey,
            label: familyOf(this.device.family)?.alarm(w.alarmKey)?.label ?? w.alarmKey,
            level: level.level,
            startTime: event.startTime,
            fireTime: event.fireTime,
            clearTime: null,
            metric: w.metric,
            peak: worst?.value ?? value,
            peakTime: worst?.time ?? time,
            text: inWords(level, this.around),
            values: {
              ...(worst?.values ?? values),
              limit: (level.condition.type === 'threshold' ? limitOf(level.condition, this.around) : undefined) ?? null,
            },
          }
          found.push(w.alarm)
        } else if (event.event === 'clear' && w.alarm) {
          w.alarm.clearTime = event.time
          w.alarm = undefined
          this.watchedUntil = Math.max(this.watchedUntil, time + evidenceMs)
        }
      }
      if (w.alarm) {
        this.watchedUntil = Math.max(this.watchedUntil, time + evidenceMs)
        if (value !== null && (w.alarm.peak === null || isWorse(op, value, w.alarm.peak))) {
          w.alarm.peak = value
          w.alarm.peakTime = time
        }
      }
    }
    if (!judged) this.memory.add({ time, mark: 0, values })
    this.last = time
    return opened
  }

  private momentOf(time: number, values: Record<string, unknown>): Omit<Moment, 'budget' | 'periodStart'> {
    return { time, memory: this.memory, values, intervalMs: this.gapMs / 3, maxGapMs: this.gapMs, facts: {}, ...this.around }
  }
}
