import type pg from 'pg'
import { newId } from '#kit/ids'
import type { FleetDevice } from '../equipment/public.ts'
import { storableJson } from './copy-text.ts'

export interface NotedFrame {
  time: number
  device?: FleetDevice | undefined
  gatewayId?: string | undefined
  projectCode?: string | undefined
  /** What the wire calls it: serial number, MN, phone, gateway. */
  identifier: string
  protocol: string
  address: string
  direction: 'up' | 'down'
  kind: string
  /** stored, duplicate, late, accepted, part, sent, or why it was refused. */
  result: string
  length: number
  body: Buffer
  isText: boolean
  decoded?: Record<string, unknown> | undefined
  answer?: string | undefined
  delayMs?: number | undefined
  /** For people: what was expected, what came, what to change. */
  hint?: string | undefined
}

const keptBytes = 1_024
const decodedCharacters = 4_096
/** What is written a second: enough for whoever watches a device, nothing that a storm of readings would feel. */
const perFlush = 200
const perKeyAndFlush = 10
const perKey = 2_000
/** Of all together: about half a gigabyte. */
const inAll = 500_000
export const keptMs = 24 * 3_600_000

/**
 * What went over the wire, so that somebody at a silent box can see what it really sent. Written once a second, thinned when much comes:
 * what was refused comes before what went well. Nobody waits for it, and a database that is away only loses it.
 */
export class FrameLog {
  private waiting: NotedFrame[] = []
  private counts = new Map<string, number>()
  private refusals = 0

  /** Whether there is room: asked before a frame is made ready for the log, where thousands come a second. */
  wants(key: string, result: string): boolean {
    return (
      (this.counts.get(key) ?? 0) < perKeyAndFlush &&
      this.waiting.length < perFlush &&
      (!harmless.has(result) || this.waiting.length - this.refusals < perFlush / 2)
    )
  }

  note(frame: NotedFrame): void {
    const key = frame.device?.id ?? frame.identifier
    const count = this.counts.get(key) ?? 0
    if (count >= perKeyAndFlush) return
    const isRefused = !harmless.has(frame.result)
    // Half of the room belongs to what went wrong.
    if (this.waiting.length >= perFlush || (!isRefused && this.waiting.length - this.refusals >= perFlush / 2)) return
    if (isRefused) this.refusals++
    this.counts.set(key, count + 1)
    // A copy: the socket's chunk, or a 256 KiB message, is not kept alive for its head.
    this.waiting.push({ ...frame, body: Buffer.from(frame.body.subarray(0, keptBytes)) })
  }

  async flush(pool: pg.Pool): Promise<void> {
    const rows = this.waiting
    this.waiting = []
    this.counts = new Map()
    this.refusals = 0
    if (rows.length === 0) return
    await pool.query(
      `insert into device_frame (id, time, project_code, device_id, gateway_id, identifier, protocol, address, direction, kind, result, length, body,
         is_text, decoded, answer, delay_ms, hint)
       select id, time, project_code, device_id, gateway_id, identifier, protocol, address, direction, kind, result, length, decode(body, 'hex'),
         is_text, decoded, answer, delay_ms, hint
       from jsonb_to_recordset($1::jsonb) as f(id text, time timestamptz, project_code text, device_id text, gateway_id text, identifier text,
         protocol text, address text, direction text, kind text, result text, length int, body text, is_text boolean, decoded jsonb, answer text, delay_ms int, hint text)
       on conflict do nothing`,
      [
        storableJson(
          rows.map((f) => ({
            id: newId(f.time),
            time: new Date(f.time).toISOString(),
            project_code: f.device?.projectCode ?? f.projectCode ?? null,
            device_id: f.device?.id ?? null,
            gateway_id: f.gatewayId ?? f.device?.gatewayId ?? null,
            identifier: f.identifier.slice(0, 128),
            protocol: f.protocol,
            address: f.address.slice(0, 64),
            direction: f.direction,
            kind: f.kind.slice(0, 40),
            result: f.result.slice(0, 40),
            length: f.length,
            body: f.body.toString('hex'),
            is_text: f.isText,
            decoded: f.decoded && JSON.stringify(f.decoded).length <= decodedCharacters ? f.decoded : null,
            answer: f.answer ?? null,
            delay_ms: f.delayMs ?? null,
            hint: f.hint?.slice(0, 300) ?? null,
          })),
        ),
      ],
    )
  }
}

/** What is said of a stored reading: now, or how its clock is wrong. */
export const resultOf = (reading: { flag: number } | undefined): 'stored' | 'late' | 'clockAhead' =>
  reading?.flag === 1 ? 'late' : reading?.flag === 2 ? 'clockAhead' : 'stored'

/** What went well, or was meant for nobody. */
export const harmlessResults: readonly string[] = [
  'stored',
  'duplicate',
  'late',
  'clockAhead',
  'accepted',
  'part',
  'sent',
  'ignored',
  'outOfRange',
  'unknownKey',
  'flagged',
]
const harmless: ReadonlySet<string> = new Set(harmlessResults)

/** A day's frames, of each device no more than the last two thousand, and of all together half a million. */
export async function dropOldFrames(pool: pg.Pool, now: number): Promise<void> {
  await pool.query(
    'delete from device_frame where time < greatest($1, (select time from device_frame order by time desc offset $2 limit 1))',
    [new Date(now - keptMs), inAll],
  )
  await pool.query(
    `delete from device_frame f using (
       select identifier, (array_agg(time order by time desc))[$1 + 1] as before from device_frame group by identifier having count(*) > $1
     ) o where f.identifier = o.identifier and f.time <= o.before`,
    [perKey],
  )
}

/** What must not stand in a log, however it came: passwords of HJ 212, secrets in JSON. */
export function blanked(text: string): string {
  return text
    .replace(/((?:^|;)\s*PW=)[^;]*/g, '$1***')
    .replace(/(NewPW|NewSK|SKKey)=[^;,&]*/gi, '$1=***')
    .replace(/("(?:password|passwd|pwd|secret|appSecret|token|authCode|key)"\s*:\s*")(?:[^"\\]|\\.)*"/gi, '$1***"')
}
