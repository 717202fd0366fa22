import type { FleetDevice, Strangers } from '../../equipment/public.ts'
import type { Counters } from '../counters.ts'
import type { FrameLog } from '../frame-log.ts'
import { ids } from './bodies.ts'
import type { Jt808Frame } from './frame.ts'
import type { Line } from './line.ts'

/** Log fields of a frame besides the frame itself. */
export interface Noted {
  result: string
  answer?: string
  decoded?: Record<string, unknown> | undefined
  receivedAt?: number | undefined
  hint?: string | undefined
  /** The body contains a secret. */
  hides?: boolean
  /** The device, if it is not the one of the connection. */
  device?: FleetDevice | undefined
}

interface NoteDependencies {
  frames: FrameLog
  strangers: Strangers
  counters: Counters
  now(): number
}

const hex = (id: number) => `0x${id.toString(16).padStart(4, '0')}`

/** Writes a connection's frames to the frame log, for diagnosing a terminal. */
export class FrameNotes {
  private readonly deps: NoteDependencies
  private readonly line: Line
  /** The device authenticated on the connection, if any. */
  private readonly owner: () => FleetDevice | undefined

  constructor(deps: NoteDependencies, line: Line, owner: () => FleetDevice | undefined) {
    this.deps = deps
    this.line = line
    this.owner = owner
  }

  up(frame: Jt808Frame, { result, answer, decoded, receivedAt, hint, device, hides }: Noted): void {
    const { frames, now } = this.deps
    const at = now()
    // Bodies with an authentication code or a password parameter are not stored.
    const isSecret = frame.id === ids.authenticate || hides === true
    frames.note({
      time: receivedAt ?? at,
      device: device ?? (frame.phone === this.line.phone ? this.owner() : undefined),
      identifier: frame.phone,
      protocol: 'jt808',
      address: this.line.address,
      direction: 'up',
      kind: hex(frame.id),
      result,
      length: frame.body.length,
      body: isSecret ? Buffer.alloc(0) : frame.body,
      isText: false,
      decoded,
      answer,
      hint,
      delayMs: receivedAt === undefined ? undefined : at - receivedAt,
    })
  }
  /** Logs a sent message, or one that was never received completely. */
  message(direction: 'up' | 'down', id: number, body: Buffer, result: string, hint?: string): void {
    this.deps.frames.note({
      time: this.deps.now(),
      device: this.owner(),
      identifier: this.line.phone,
      protocol: 'jt808',
      address: this.line.address,
      direction,
      hint,
      kind: hex(id),
      result,
      length: body.length,
      body,
      isText: false,
    })
  }

  stranger(frame: Jt808Frame, device: FleetDevice | undefined, reason: string, plate?: string): void {
    this.deps.counters.refused(reason)
    this.deps.strangers.note(
      {
        identifier: device?.accessKey ?? frame.phone,
        protocol: 'jt808',
        address: this.line.address,
        reason,
        sample: `${hex(frame.id)}${plate ? ` ${plate}` : ''}`,
        guess: 'truckMonitor',
      },
      this.deps.now(),
    )
  }
}
