import type pg from 'pg'
import type { AlarmOp } from '../alarms/public.ts'

/** A row of `rule_state` to write; null deletes it. */
export interface StateChange {
  deviceId: string
  triggerId: string
  point: string
  level: number
  state: object | null
}

/** An event to store for a device. */
export interface Note {
  deviceId: string
  item: { time: number; id: string; type: string; data: Record<string, unknown> }
}

/** Effects of a batch of readings on rules and alarms, written in the same transaction. */
export class Effects {
  readonly alarms: AlarmOp[] = []
  readonly notes: Note[] = []
  readonly states = new Map<string, StateChange>()
  private readonly peaks = new Map<string, { value: number; time: number }>()

  state(change: StateChange): void {
    this.states.set(`${change.deviceId}|${change.triggerId}|${change.point}|${change.level}`, change)
  }
  peak(id: string, value: number, time: number): void {
    this.peaks.set(id, { value, time })
  }
  get ops(): AlarmOp[] {
    return [...this.alarms, ...[...this.peaks].map(([id, p]) => ({ op: 'peak' as const, id, ...p }))]
  }
  get isEmpty(): boolean {
    return this.alarms.length === 0 && this.notes.length === 0 && this.states.size === 0 && this.peaks.size === 0
  }
}

/** Writes rule state, in the transaction of the readings that changed it. */
export async function writeStates(client: pg.ClientBase, changes: Iterable<StateChange>): Promise<void> {
  const all = [...changes]
  const gone = all.filter((c) => c.state === null)
  const kept = all.filter((c) => c.state !== null)
  const rows = (list: StateChange[]) =>
    JSON.stringify(list.map((c) => ({ device_id: c.deviceId, trigger_id: c.triggerId, point: c.point, level: c.level, state: c.state })))
  if (gone.length) {
    await client.query(
      `delete from rule_state s using jsonb_to_recordset($1::jsonb) as g(device_id text, trigger_id text, point text, level smallint)
       where s.device_id = g.device_id and s.trigger_id = g.trigger_id and s.point = g.point and s.level = g.level`,
      [rows(gone)],
    )
  }
  if (kept.length) {
    await client.query(
      `insert into rule_state (device_id, trigger_id, point, level, state)
       select device_id, trigger_id, point, level, state
       from jsonb_to_recordset($1::jsonb) as r(device_id text, trigger_id text, point text, level smallint, state jsonb)
       on conflict (device_id, trigger_id, point, level) do update set state = excluded.state`,
      [rows(kept)],
    )
  }
}
