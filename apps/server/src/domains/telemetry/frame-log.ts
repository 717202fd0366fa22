import type pg from 'pg'
import { newId } from '#kit/ids'
import { pick } from '#kit/pick'
import type { FleetDevice } from '../equipment/public.ts'
import { storableJson } from './copy-text.ts'

export interface NotedFrame {
  time: number
  device?: FleetDevice | undefined
  gatewayId?: string | undefined
  projectCode?: string | undefined
  /** The identifier in the protocol: serial number, MN, phone number or gateway. */
  identifier: string
  protocol: string
  address: string
  direction: 'up' | 'down'
  kind: string
  /** stored, duplicate, late, accepted, part, sent, or the reason of refusal. */
  result: string
  length: number
  body: Buffer
  isText: boolean
  decoded?: Record<string, unknown> | undefined
  answer?: string | undefined
  delayMs?: number | undefined
  /** For users: what was expected, what was received, what to change. */
  hint?: string | undefined
}

const keptBytes = 1_024
const decodedCharacters = 4_096
/** Rows written per second: enough to diagnose a device, and negligible load during a burst of readings. */
const perFlush = 200
const perKeyAndFlush = 10
const perKey = 2_000
/** Limit for all devices together: about half a gigabyte. */
const inAll = 500_000
export const keptMs = 24 * 3_600_000

/**
 * Log of the frames sent and received, for diagnosing a device. Written once a second. When frames exceed the limits, refused frames take
 * precedence over accepted ones. No message waits for the log; while the database is unavailable, log rows are lost.
 */
export class FrameLog {
  private waiting: NotedFrame[] = []
  private counts = new Map<string, number>()
  private refusals = 0

  /** Whether the log has room. Called before a frame is formatted, because thousands of frames may arrive per second. */
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
    // At least half of the rows are reserved for refused frames.
    if (this.waiting.length >= perFlush || (!isRefused && this.waiting.length - this.refusals >= perFlush / 2)) return
    if (isRefused) this.refusals++
    this.counts.set(key, count + 1)
    // Copies the bytes, so that the log does not retain the whole socket chunk or a 256 KiB message.
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
            ...pick(f, 'protocol', 'direction', 'length'),
            address: f.address.slice(0, 64),
            kind: f.kind.slice(0, 40),
            result: f.result.slice(0, 40),
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

/** Log result of a stored reading: `stored`, or the deviation of its timestamp. */
export const resultOf = (reading: { flag: number } | undefined): 'stored' | 'late' | 'clockAhead' =>
  reading?.flag === 1 ? 'late' : reading?.flag === 2 ? 'clockAhead' : 'stored'

/** Results that are not errors, including ignored messages. */
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

/** Deletes frames older than 24 hours, beyond the newest 2,000 per identifier, and beyond 500,000 in all. */
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

/** Masks secrets in a logged text: passwords and keys of HJ 212, secret fields in JSON. */
export function blanked(text: string): string {
  return text
    .replace(/((?:^|;)\s*PW=)[^;]*/g, '$1***')
    .replace(/(NewPW|NewSK|SKKey)=[^;,&]*/gi, '$1=***')
    .replace(/("(?:password|passwd|pwd|secret|appSecret|token|authCode|key)"\s*:\s*")(?:[^"\\]|\\.)*"/gi, '$1***"')
}
