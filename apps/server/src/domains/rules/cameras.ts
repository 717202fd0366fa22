import { type CameraRules, whyKept } from '@zhugong/contract/monitoring/camera-ai'
import type pg from 'pg'

/** The record kind of what a camera recognised. */
export const recognition = 'aiEvent'
const refreshMs = 60_000

/** What sites have set at their cameras: a recognition they only keep raises nothing, whatever a rule says. */
export class Cameras {
  private byCamera = new Map<string, CameraRules>()
  private loadedAt: number | undefined
  private loading: Promise<void> | undefined

  /** Never fails: what was known stays until it can be read again. */
  refresh(pool: pg.Pool, now: number): Promise<void> {
    if (this.loadedAt !== undefined && now - this.loadedAt < refreshMs) return Promise.resolve()
    this.loading ??= this.load(pool, now)
      .catch(() => undefined)
      .finally(() => {
        this.loading = undefined
      })
    return this.loading
  }

  private async load(pool: pg.Pool, now: number): Promise<void> {
    const { rows } = await pool.query<CameraRules & { device_id: string }>(
      `select c.device_id, c.thresholds, c.zones from camera_ai c join device d on d.id = c.device_id and d.project_code = c.project_code`,
    )
    this.byCamera = new Map(rows.map(({ device_id, thresholds, zones }) => [device_id, { thresholds, zones }]))
    this.loadedAt = now
  }

  isOnlyKept(deviceId: string, { type, confidence, boxes }: Readonly<Record<string, unknown>>, at: number): boolean {
    return whyKept(this.byCamera.get(deviceId), { type, confidence, boxes }, at) !== null
  }
}
