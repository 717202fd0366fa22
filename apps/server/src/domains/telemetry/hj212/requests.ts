import type { FleetDevice } from '../../equipment/public.ts'
import { blanked, type FrameLog } from '../frame-log.ts'
import { firstCommands, type Hj212Downlink, hj212DownlinkOf } from './downlink.ts'
import { type ExchangeOutcome, Exchanges } from './exchanges.ts'
import { buildFrame, type Hj212Frame } from './frame.ts'
import { type Line, type Spoken, send } from './line.ts'
import type { Stations } from './stations.ts'
import { formatDataTime } from './values.ts'

/** Requests to stations, each sent on the station's most recent connection, and the three steps of their responses. */
export class StationRequests {
  private readonly deps: { frames: FrameLog; stations: Stations; now(): number }
  private readonly lineOf = new Map<string, Line>()
  private readonly exchanges = new Map<string, Exchanges>()
  private lastQn = 0

  constructor(deps: StationRequests['deps']) {
    this.deps = deps
  }

  heard(device: FleetDevice, line: Line, spoken: Spoken): void {
    line.stations.set(device.id, spoken)
    this.lineOf.set(device.id, line)
  }

  /** Whether the frame is a step of a pending request. */
  take(device: FleetDevice, frame: Hj212Frame, at: number): boolean {
    return this.exchanges.get(device.id)?.take(frame, at) ?? false
  }

  gone(line: Line): void {
    for (const id of line.stations.keys()) {
      if (this.lineOf.get(id) !== line) continue
      this.lineOf.delete(id)
      this.exchanges.get(id)?.close()
    }
  }

  /** Sends a command; undefined if the station is not connected or the command is unknown. */
  request(device: FleetDevice, command: string, params: Record<string, unknown>, expireAt?: number): Promise<ExchangeOutcome> | undefined {
    const downlink = hj212DownlinkOf(command, params, this.deps.now())
    return downlink && this.ask(device, downlink, expireAt)
  }

  ask(device: FleetDevice, { cn, cp }: Hj212Downlink, expireAt?: number): Promise<ExchangeOutcome> | undefined {
    const line = this.lineOf.get(device.id)
    const spoken = line?.stations.get(device.id)
    if (!line || !spoken) return undefined
    const at = this.deps.now()
    // Two requests within one millisecond need different QNs.
    this.lastQn = Math.max(at, this.lastQn + 1)
    const qn = formatDataTime(this.lastQn, true)
    const { st, pw, mn } = spoken
    // Keeps the version bits; requests a response, without packet numbers.
    const frame = buildFrame({ qn, st, cn, pw, mn, flag: (spoken.flag & ~3) | 1, cp }, device.access.crcMode ?? 'standard')
    const mine = this.exchanges.get(device.id) ?? new Exchanges()
    this.exchanges.set(device.id, mine)
    send(line, frame)
    const text = `QN=${qn};ST=${st};CN=${cn};PW=***;MN=${mn};CP=&&${blanked(cp)}&&`
    this.deps.frames.note({
      time: at,
      device,
      identifier: mn,
      protocol: 'hj212',
      address: line.address,
      direction: 'down',
      kind: cn,
      result: 'sent',
      length: frame.length,
      body: Buffer.from(text),
      isText: true,
    })
    return mine.begin(qn, frame, at, expireAt)
  }

  /** Sends the commands configured for a newly connected station, one after the other. */
  greet(device: FleetDevice): void {
    const commands = firstCommands(this.deps.stations.of(device.id)?.firstActions ?? {})
    void (async () => {
      for (const { cmd, params } of commands) await this.request(device, cmd, params)
    })()
  }

  /** Retransmits requests without a timely response. */
  sweep(at: number): void {
    for (const [id, mine] of this.exchanges) {
      const line = this.lineOf.get(id)
      for (const frame of mine.due(at)) if (line) send(line, frame)
    }
  }
}
