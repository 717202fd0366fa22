import { timingSafeEqual } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type HandedUp, handedUp, nothingToRemove, type Refusal, refusalFor, signature } from '#domains/docking/public'
import { formatDay } from '#kit/clock'

/**
 * A platform above, to be handed data: for the demonstration and for tests. It takes each key once and each row of ours as one record, holds
 * what it is sent to the standard's required fields and codes, and can be made to fail in all the ways such platforms do.
 */
export interface UpperFaults {
  /** Nobody answers. */
  isOut?: () => boolean
  /** Refused beside what is wrong anyway; undefined is taken. */
  refuse?: (row: HandedUp) => Refusal | undefined
  /** Takes no change of it any more. */
  isLocked?: (row: HandedUp) => boolean
  /** Shares of the calls, 0 to 1. */
  lost?: number
  repeated?: number
  slow?: number
  later?: number
  slowMs?: number
  laterMs?: number
  /** 0 to 1; the same numbers give the same faults. */
  random?: () => number
}

export interface Held {
  key: string
  object: string
  /** 3: it does not stand here any more. Left out in what was kept long ago. */
  op?: HandedUp['op']
  businessId: string
  receiptNo: string
  day: string
}

export interface UpperPlatform {
  url: string
  /** What was taken, in its order. */
  held: readonly Held[]
  /** Whether a row of ours stands here: taken and not deleted. */
  stands(object: string, businessId: string): boolean
  faults: UpperFaults
  calls(): number
  stop(): Promise<void>
}

interface Options {
  appKey: string
  secret: string
  faults?: UpperFaults
  now?: () => number
  /** Where it keeps what it took over a restart. */
  file?: string
  port?: number
}

interface Told {
  code: string | number
  [name: string]: unknown
}
/** The line is cut without an answer. */
const cut = Symbol('cut')
const windowMs = 5 * 60_000

export async function startUpperPlatform({ appKey, secret, faults = {}, now = Date.now, file, port = 0 }: Options): Promise<UpperPlatform> {
  const held: Held[] = []
  const byKey = new Map<string, Held>()
  const later = new Map<string, { at: number; row: HandedUp }>()
  let calls = 0
  const standing = new Set<string>()
  const nameOf = ({ object, businessId }: Pick<Held, 'object' | 'businessId'>) => `${object} ${businessId}`
  const keep = (one: Held) => {
    held.push(one)
    byKey.set(one.key, one)
    if (one.op === '3') standing.delete(nameOf(one))
    else standing.add(nameOf(one))
  }
  if (file && existsSync(file)) for (const line of readFileSync(file, 'utf8').split('\n')) if (line) keep(JSON.parse(line))
  const random = () => (faults.random ?? Math.random)()
  const happens = (share = 0) => share > 0 && random() < share

  const store = (row: HandedUp): Told => {
    const known = byKey.get(row.key)
    if (known) return { code: 0, result: 'duplicate', receiptNo: known.receiptNo }
    const one: Held = {
      key: row.key,
      object: row.object,
      op: row.op,
      businessId: row.businessId,
      receiptNo: `R${formatDay(now()).replaceAll('-', '')}${String(held.length + 1).padStart(7, '0')}`,
      day: formatDay(now()),
    }
    keep(one)
    if (file) appendFileSync(file, `${JSON.stringify(one)}\n`)
    return { code: 0, result: 'stored', receiptNo: one.receiptNo }
  }
  const judge = (row: HandedUp): Told => {
    const known = byKey.get(row.key)
    if (known) return { code: 0, result: 'duplicate', receiptNo: known.receiptNo }
    if (faults.isLocked?.(row)) return { code: 0, result: 'locked' }
    const refusal = refusalFor(row) ?? faults.refuse?.(row) ?? (row.op === '3' && !standing.has(nameOf(row)) ? nothingToRemove : undefined)
    return refusal ? { ...refusal } : store(row)
  }
  const take = (row: HandedUp): Told => {
    const ticket = `T-${row.key}`
    if (later.has(ticket)) return { code: 0, result: 'later', ticket }
    if (!byKey.has(row.key) && happens(faults.later)) {
      later.set(ticket, { at: now() + (faults.laterMs ?? 0), row })
      return { code: 0, result: 'later', ticket }
    }
    const first = judge(row)
    return happens(faults.repeated) ? judge(row) : first
  }
  const resultOf = (ticket: string): Told => {
    const waits = later.get(ticket)
    if (!waits) return { code: 'E2001', message: '没有该受理号' }
    if (waits.at > now()) return { code: 0, status: 0 }
    const told = judge(waits.row)
    return told.code === 0 ? { ...told, status: 20 } : { ...told, status: 10 }
  }
  const countOf = (day: string): Told => {
    const [counts, removed]: Record<string, number>[] = [{}, {}]
    for (const one of held) {
      const into = one.op === '3' ? removed : counts
      if (into && one.day === day) into[one.object] = (into[one.object] ?? 0) + 1
    }
    return { code: 0, counts, removed }
  }

  async function answer(request: IncomingMessage): Promise<Told | typeof cut> {
    if (faults.isOut?.()) return cut
    const url = new URL(request.url ?? '/', 'http://upper')
    const body = request.method === 'POST' ? await text(request) : ''
    if (!isSigned(request, body)) return { code: 'E4001', message: '签名不正确' }
    if (url.pathname === '/ping') return { code: 0 }
    if (url.pathname === '/count') return countOf(url.searchParams.get('day') ?? '')
    if (url.pathname === '/result') return resultOf(url.searchParams.get('ticket') ?? '')
    if (url.pathname !== '/data') return { code: 'E1004', message: '没有这个接口' }
    const row = handedUp.safeParse(JSON.parse(body))
    if (!row.success) return { code: 'E1003', message: '报文格式不正确' }
    if (happens(faults.slow)) await new Promise((resolve) => setTimeout(resolve, faults.slowMs ?? 50))
    const told = take(row.data)
    return happens(faults.lost) ? cut : told
  }

  function isSigned({ headers }: IncomingMessage, body: string): boolean {
    const at = String(headers['x-timestamp'] ?? '')
    if (headers['x-app'] !== appKey || Math.abs(Number(at) - now()) > windowMs) return false
    const [given, wanted] = [Buffer.from(String(headers['x-sign'] ?? '')), Buffer.from(signature(secret, at, body))]
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }

  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    calls++
    const told = await answer(request)
    if (told === cut) return request.socket.destroy()
    response.setHeader('content-type', 'application/json').end(JSON.stringify(told))
  }
  const server = createServer((request, response) => {
    reply(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held,
    stands: (object, businessId) => standing.has(nameOf({ object, businessId })),
    faults,
    calls: () => calls,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
