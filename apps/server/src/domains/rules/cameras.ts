import { type CameraRules, whyKept } from '@zhugong/contract/monitoring/video/camera-ai'
import type pg from 'pg'
import { ReadAnew } from './read-anew.ts'

/** The record kind of camera AI events. */
export const recognition = 'aiEvent'

/** AI settings of the sites' cameras. An event that a site only records opens no alarm, whatever the rules say. */
export class Cameras extends ReadAnew {
  private byCamera = new Map<string, CameraRules>()

  protected override async load(pool: pg.Pool): Promise<void> {
    const { rows } = await pool.query<CameraRules & { device_id: string }>(
      `select c.device_id, c.thresholds, c.zones from camera_ai c join device d on d.id = c.device_id and d.project_code = c.project_code`,
    )
    this.byCamera = new Map(rows.map(({ device_id, thresholds, zones }) => [device_id, { thresholds, zones }]))
  }

  isOnlyKept(deviceId: string, { type, confidence, boxes }: Readonly<Record<string, unknown>>, at: number): boolean {
    return whyKept(this.byCamera.get(deviceId), { type, confidence, boxes }, at) !== null
  }
}
