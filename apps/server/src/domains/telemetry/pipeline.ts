import type { FleetDevice } from '../equipment/public.ts'
import { Lane, type LaneOptions } from './lane.ts'
import { withMarks } from './point-marks.ts'
import type { Work } from './work.ts'

export interface PipelineOptions extends LaneOptions {
  lanes?: number
}

/**
 * Group commit. Each device belongs to one lane, and a lane has one connection and one batch at a time, so a device's readings are
 * evaluated in order. `done` of a message is called only after its commit.
 * While the database is unavailable nothing is acknowledged and nothing is lost. The batch waits and is written later; rows written before
 * are recognised by their key.
 */
export class Pipeline {
  private readonly lanes: Lane[]
  constructor(options: PipelineOptions) {
    this.lanes = Array.from({ length: options.lanes ?? 2 }, (_, i) => new Lane(i, options))
  }

  submit(work: Work): void {
    this.laneOf(work.device).submit(withMarks(work))
  }

  laneOf(device: FleetDevice): Lane {
    return this.lanes[laneNumber(device.id, this.lanes.length)] as Lane
  }
  get all(): readonly Lane[] {
    return this.lanes
  }

  /** Items waiting for their commit. */
  get pending(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.pending, 0)
  }
  /** False while the database does not accept writes. */
  get isFlowing(): boolean {
    return this.lanes.every((lane) => !lane.isStuck)
  }
  async stop(): Promise<void> {
    await Promise.all(this.lanes.map((lane) => lane.stop()))
  }
}

export function laneNumber(deviceId: string, lanes: number): number {
  // Ids end in random hexadecimal digits.
  return (Number.parseInt(deviceId.slice(-4), 36) || 0) % lanes
}
