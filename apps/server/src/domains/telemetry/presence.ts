import { offlineSecondsOf } from '@zhugong/contract/telemetry/families'
import type pg from 'pg'
import type { FleetDevice } from '../equipment/public.ts'

interface Life {
  receivedAt: number
  online: boolean
  /** Found silent, being written. */
  leaving: boolean
  /** Said good-bye. */
  left?: boolean
  /** Silent for longer than its pace when this process began, and not heard since: not online, and its leaving is not yet told. */
  unheard?: boolean
}

/** Terminals of JT/T 808 send a heartbeat each minute, whatever their family: three missed are silence. */
const jt808SilentSeconds = 180
const silentSecondsOf = (device: FleetDevice): number =>
  device.protocol === 'jt808' ? jt808SilentSeconds : offlineSecondsOf(device.family, device.intervalSeconds)

/**
 * Who has been heard of, by receive time. Silence before this process started is not the device's, nor is it while nobody listened because
 * nothing could be stored: it counts from when there was somebody to hear.
 */
export class Presence {
  private readonly lives = new Map<string, Life>()
  private listeningSince = 0

  /**
   * Whoever was silent for too long before anybody listened is not called online by it: nobody knows. That it left is told when it has been
   * silent for as long again.
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

  /** A valid message. True when the device was not online before. */
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

  /** Nobody could be heard up to now. */
  deaf(now: number): void {
    this.listeningSince = now
  }

  lastReceived(deviceId: string): number | undefined {
    return this.lives.get(deviceId)?.receivedAt
  }
  isOnline(deviceId: string): boolean {
    return this.lives.get(deviceId)?.online ?? false
  }

  /** Since when a device is silent, as far as this process can know. */
  silentSince(deviceId: string): number | undefined {
    const life = this.lives.get(deviceId)
    return life && Math.max(life.receivedAt, this.listeningSince)
  }

  /** Devices that have just become silent; each is named once. */
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

  /** It has said that it goes: nobody waits for its silence. */
  leave(deviceId: string): void {
    const life = this.lives.get(deviceId)
    if (life) life.left = true
  }

  forget(deviceId: string): void {
    this.lives.delete(deviceId)
  }
}
