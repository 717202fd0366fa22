import { createHash, createHmac } from 'node:crypto'
import type { Profile } from '@zhugong/contract/docking/standard'
import { z } from 'zod'
import { type Outgoing, OutgoingError } from '#kit/outgoing'
import type { HandedUp } from './check-received.ts'

/** Access settings of an upper platform. */
export interface Line {
  profile: Profile
  endpoint: string
  appKey: string
  secret: string
}

/** A conclusive response; connection failures throw OutgoingError instead. */
export interface UpperAnswer {
  outcome: 'stored' | 'duplicate' | 'locked' | 'later' | 'refused'
  code?: string | undefined
  field?: string | undefined
  message?: string | undefined
  receiptNo?: string | undefined
  ticket?: string | undefined
  /** The raw response. */
  text: string
}

const answerShape = z.object({
  code: z.union([z.string(), z.number()]).transform(String),
  message: z.string().max(500).optional(),
  field: z.string().max(60).optional(),
  result: z.enum(['stored', 'duplicate', 'locked', 'later']).optional(),
  receiptNo: z.string().max(100).optional(),
  ticket: z.string().max(100).optional(),
  /** For delayed results: dictionary asyncStatus. */
  status: z.union([z.string(), z.number()]).transform(String).optional(),
  counts: z.record(z.string(), z.number()).optional(),
  removed: z.record(z.string(), z.number()).optional(),
})
type Answer = z.output<typeof answerShape>
const fine = '0'

/** The signature of a request: HMAC-SHA256 over the time and the body's hash, with the shared secret. */
export const signature = (secret: string, timestamp: string, body: string): string =>
  createHmac('sha256', secret)
    .update(`${timestamp}\n${createHash('sha256').update(body).digest('hex')}`)
    .digest('hex')

async function ask(
  outgoing: Outgoing,
  line: Line,
  method: string,
  path: string,
  now: number,
  body = '',
): Promise<{ answer: Answer; text: string }> {
  const timestamp = String(now)
  const proof: Record<string, string> =
    line.profile === 'zhugong'
      ? { authorization: `Bearer ${line.secret}` }
      : { 'x-app': line.appKey, 'x-timestamp': timestamp, 'x-sign': signature(line.secret, timestamp, body) }
  const headers = body ? { ...proof, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) } : proof
  const text = await outgoing.ask({ url: `${line.endpoint.replace(/\/+$/, '')}${path}`, method, headers, body: body || undefined })
  const parsed = answerShape.safeParse(jsonOf(text))
  if (!parsed.success) throw new OutgoingError('对方的应答无法识别')
  return { answer: parsed.data, text }
}

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const refused = ({ code, field, message }: Answer, text: string): UpperAnswer => ({ outcome: 'refused', code, field, message, text })

/** Sends one row. Throws OutgoingError if it is unknown whether it arrived. */
export async function handUp(outgoing: Outgoing, line: Line, row: HandedUp, now: number): Promise<UpperAnswer> {
  const { answer, text } = await ask(outgoing, line, 'POST', '/data', now, JSON.stringify(row))
  if (answer.code !== fine) return refused(answer, text)
  return { outcome: answer.result ?? 'stored', receiptNo: answer.receiptNo, ticket: answer.ticket, text }
}

/** The result of a delayed row; `later` while it is undecided. Throws OutgoingError. */
export async function askResult(outgoing: Outgoing, line: Line, ticket: string, now: number): Promise<UpperAnswer> {
  const { answer, text } = await ask(outgoing, line, 'GET', `/result?ticket=${encodeURIComponent(ticket)}`, now)
  if (answer.code !== fine || answer.status === '10') return refused(answer, text)
  return answer.status === '20' ? { outcome: 'stored', receiptNo: answer.receiptNo, text } : { outcome: 'later', ticket, text }
}

/** Checks that the platform is reachable and accepts the credentials. Undefined if so, else the reason as text. */
export async function askThere(outgoing: Outgoing, line: Line, now: number): Promise<string | undefined> {
  try {
    const { answer } = await ask(outgoing, line, 'GET', '/ping', now)
    return answer.code === fine ? undefined : (answer.message ?? `对方返回 ${answer.code}`)
  } catch (error) {
    if (error instanceof OutgoingError) return error.message
    throw error
  }
}

export interface Counts {
  counts: Record<string, number>
  /** Deletions; null if they are included in the counts. */
  removed: Record<string, number> | null
}
/** The counts of accepted rows of a day, by the standard's object name. Throws OutgoingError. */
export async function askCounts(outgoing: Outgoing, line: Line, day: string, now: number): Promise<Counts> {
  const { answer } = await ask(outgoing, line, 'GET', `/count?day=${day}`, now)
  if (answer.code !== fine) throw new OutgoingError(answer.message ?? `对方返回 ${answer.code}`)
  return { counts: answer.counts ?? {}, removed: answer.removed ?? null }
}
