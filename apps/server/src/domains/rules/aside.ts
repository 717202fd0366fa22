import type pg from 'pg'
import type { FleetDevice } from '../equipment/public.ts'
import type { Effects } from './effects.ts'
import { readDrills, readSuppressions, type Suppression } from './stored.ts'

/** Alarms suppressed during maintenance, and running drills. */
export class Aside {
  private suppressions = new Map<string, Suppression[]>()
  private drills: { id: string; deviceId: string; endsAt: number }[] = []

  async read(pool: pg.Pool): Promise<void> {
    this.suppressions = Map.groupBy(await readSuppressions(pool, Date.now()), (s) => s.deviceId)
    this.drills = await readDrills(pool)
  }

  isSuppressed(deviceId: string, point: string, alarmKey: string, time: number): boolean {
    const all = this.suppressions.get(deviceId)
    return (
      all?.some((s) => time >= s.from && time < s.until && (s.point === '' || s.point === point) && s.alarmKeys.includes(alarmKey)) ?? false
    )
  }

  /** Closes drills whose time is over. */
  endDrills(
    now: number,
    deviceOf: (id: string) => FleetDevice | undefined,
    effects: Effects,
    mine: (device: FleetDevice) => boolean,
  ): void {
    for (const drill of this.drills.filter((d) => d.endsAt <= now)) {
      const device = deviceOf(drill.deviceId)
      if (device && !mine(device)) continue
      this.drills = this.drills.filter((d) => d !== drill)
      effects.alarms.push({ op: 'clear', id: drill.id, time: drill.endsAt, reason: 'simulatedEnd' })
    }
  }
}
