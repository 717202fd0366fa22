import { liveAlarmMessage } from '@zhugong/contract/telemetry/topics'
import type pg from 'pg'
import type { Log } from '#kit/log'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import { type AlarmOp, clearReasons } from '../alarms/public.ts'
import type { Live } from './live.ts'

interface Known {
  projectCode: string
  deviceId: string
  deviceName: string
  family: string
  alarmKey: string
  label: string
  level: number
}

const remembered = 5_000

type News = Extract<AlarmOp, { op: 'open' | 'upgrade' | 'downgrade' | 'clear' }>
const isNews = (op: AlarmOp): op is News =>
  op.op === 'open' ? !op.historical : op.op === 'upgrade' || op.op === 'downgrade' || op.op === 'clear'

/** Pushes alarm changes to live subscribers after the changes are committed. */
export class AlarmMessages {
  private readonly pool: pg.Pool
  private readonly live: Live
  private readonly log: Log
  private readonly known = new Map<string, Known>()

  constructor(pool: pg.Pool, live: Live, log: Log) {
    this.pool = pool
    this.live = live
    this.log = log
  }

  async send(ops: readonly AlarmOp[]): Promise<void> {
    try {
      // Alarms opened from late readings are stored but not pushed.
      const shown = ops.filter(isNews)
      for (const op of shown) if (op.op === 'open') this.known.set(op.id, op)
      await this.lookUp(shown.flatMap((op) => (this.known.has(op.id) ? [] : [op.id])))
      for (const op of shown) {
        const about = this.known.get(op.id)
        if (!about) continue
        if ('level' in op) about.level = op.level
        this.live.alarm(
          about.projectCode,
          rowOf(liveAlarmMessage, about, {
            id: op.id,
            event: op.op,
            time: op.op === 'open' ? op.startTime : op.time,
            value: op.op === 'clear' ? null : op.value,
            text: op.op === 'open' ? op.thresholdText : op.op === 'clear' ? clearReasons[op.reason] : op.text,
          }),
        )
        if (op.op === 'clear') this.known.delete(op.id)
      }
      if (this.known.size > remembered) this.known.clear()
    } catch (error) {
      this.log.warn({ err: error }, 'alarms not pushed')
    }
  }

  /** Pushes that a user acknowledged, handled or closed the alarm. */
  async handled(id: string, time: number): Promise<void> {
    try {
      this.known.delete(id)
      await this.lookUp([id])
      const about = this.known.get(id)
      if (!about) return
      const { projectCode, ...rest } = about
      this.live.alarm(projectCode, { id, event: 'handled', ...rest, time, value: null, text: about.label })
    } catch (error) {
      this.log.warn({ err: error }, 'alarm not pushed')
    }
  }

  private async lookUp(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    const { rows } = await this.pool.query<{
      id: string
      project_code: string
      device_id: string
      device_name: string
      family: string
      alarm_key: string
      label: string
      level: number
    }>('select id, project_code, device_id, device_name, family, alarm_key, label, level from alarm where id = any ($1)', [ids])
    for (const r of rows) {
      this.known.set(r.id, {
        projectCode: r.project_code,
        deviceId: r.device_id,
        deviceName: r.device_name,
        ...pick(r, 'family', 'label', 'level'),
        alarmKey: r.alarm_key,
      })
    }
  }
}
