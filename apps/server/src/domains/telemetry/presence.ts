import { offlineSecondsOf } from '@zhugong/contract/telemetry/families'
import type pg from 'pg'
import type { FleetDevice } from '../equipment/public.ts'

interface Life {
  receivedAt: number
  online: boolean
  /** Found silent; the offline state is being written. */
  leaving: boolean
  /** The device reported that it goes offline. */
  left?: boolean
  /**
   * Was silent for too long when this process started and has not been heard since: shown as offline, but the offline event is still to be
   * written.
   */
  unheard?: boolean
}

/** JT/T 808 terminals of any family send a heartbeat every minute; three missed heartbeats count as silence. */
const jt808SilentSeconds = 180
const silentSecondsOf = (device: FleetDevice): number =>
  device.protocol === 'jt808' ? jt808SilentSeconds : offlineSecondsOf(device.family, device.intervalSeconds)

/**
 * Online state of devices by receive time. Time before this process started, or while data could not be stored, does not count as silence:
 * it is measured from when the process could receive data.
 */
export class Presence {
  private readonly lives = new Map<string, Life>()
  private listeningSince = 0

  /**
   * Loads the states. A device silent for too long before the start is marked as offline, since its state is unknown. Its offline event is
   * written after it has been silent as long again.
   */
  async load(pool: pg.Pool, now: number, deviceOf: (id: string) => FleetDevice | undefined): Promise<void> {
    this.listeningSince = now
    this.lives.clear()
    const { rows } = await pool.query<{ device_id: string; received_at: Date; online: boolean }>(
      'select device_id, received_at, online from device_latest',
    )
    const unheard: string[] = []
    for (const row of rows) {
      const device = row.online ? deviceOf(row.device_id) : undefined
      const receivedAt = row.received_at.getTime()
      const isUnheard = device !== undefined && now - receivedAt >= silentSecondsOf(device) * 1000
      if (isUnheard) unheard.push(row.device_id)
      this.lives.set(row.device_id, { receivedAt, online: row.online && !isUnheard, leaving: false, unheard: isUnheard })
    }
    if (unheard.length > 0)
      await pool.query(`update device_latest set online = false, online_since = $2 where device_id = any ($1) and online`, [
        unheard,
        new Date(now),
      ])
  }

  /** Records a valid message. Returns true if the device was not online before. */
  heard(deviceId: string, at: number): boolean {
    const life = this.lives.get(deviceId)
    if (!life) {
      this.lives.set(deviceId, { receivedAt: at, online: true, leaving: false })
      return true
    }
    const was = life.online && !life.leaving
    life.online = true
    life.leaving = false
    life.left = false
    life.unheard = false
    life.receivedAt = Math.max(life.receivedAt, at)
    return !was
  }

  /** Call while data cannot be received; silence counts from `now`. */
  deaf(now: number): void {
    this.listeningSince = now
  }

  lastReceived(deviceId: string): number | undefined {
    return this.lives.get(deviceId)?.receivedAt
  }
  isOnline(deviceId: string): boolean {
    return this.lives.get(deviceId)?.online ?? false
  }

  /** Since when the device has been silent, as far as this process knows (epoch milliseconds). */
  silentSince(deviceId: string): number | undefined {
    const life = this.lives.get(deviceId)
    return life && Math.max(life.receivedAt, this.listeningSince)
  }

  /** Devices that have just become silent; each is returned once. */
  leavers(devices: Iterable<FleetDevice>, now: number): { device: FleetDevice; since: number; at: number }[] {
    const found: { device: FleetDevice; since: number; at: number }[] = []
    for (const device of devices) {
      const life = this.lives.get(device.id)
      if (!life || life.leaving || !(life.online || life.unheard)) continue
      if (!life.left && now - Math.max(life.receivedAt, this.listeningSince) < silentSecondsOf(device) * 1000) continue
      life.leaving = true
      found.push({ device, since: life.receivedAt, at: now })
    }
    return found
  }

  confirmOffline(deviceId: string): void {
    const life = this.lives.get(deviceId)
    if (!life?.leaving) return
    life.leaving = false
    life.online = false
    life.unheard = false
  }

  /** The device reported that it goes offline, so its silence is not awaited. */
  leave(deviceId: string): void {
    const life = this.lives.get(deviceId)
    if (life) life.left = true
  }

  forget(deviceId: string): void {
    this.lives.delete(deviceId)
  }
}
