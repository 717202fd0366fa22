import type { FleetDevice, Strangers } from '../../equipment/public.ts'
import type { Counters } from '../counters.ts'
import type { FrameLog } from '../frame-log.ts'
import { ids } from './bodies.ts'
import type { Jt808Frame } from './frame.ts'
import type { Line } from './line.ts'

/** What the frame log is told of a frame beside the frame itself. */
export interface Noted {
  result: string
  answer?: string
  decoded?: Record<string, unknown> | undefined
  receivedAt?: number | undefined
  hint?: string | undefined
  /** A secret stands in the body. */
  hides?: boolean
  /** Where the connection is not, or not yet, the device's. */
  device?: FleetDevice | undefined
}

interface NoteDependencies {
  frames: FrameLog
  strangers: Strangers
  counters: Counters
  now(): number
}

const hex = (id: number) => `0x${id.toString(16).padStart(4, '0')}`

/** What is kept of a connection's frames for whoever brings a terminal on line. */
export class FrameNotes {
  private readonly deps: NoteDependencies
  private readonly line: Line
  /** Whose connection it is by now. */
  private readonly owner: () => FleetDevice | undefined

  constructor(deps: NoteDependencies, line: Line, owner: () => FleetDevice | undefined) {
    this.deps = deps
    this.line = line
    this.owner = owner
  }

  up(frame: Jt808Frame, { result, answer, decoded, receivedAt, hint, device, hides }: Noted): void {
    const { frames, now } = this.deps
    const at = now()
    // A code, or a password among the parameters: the body that carries it is not kept.
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
  /** A message that was sent, or one that never came whole. */
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
