import { timingSafeEqual } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type HandedUp, handedUp, nothingToRemove, type Refusal, refusalFor, signature } from '#domains/docking/public'
import { formatDay } from '#kit/clock'

/**
 * A platform above that receives records, for the demonstration and for tests. It accepts each idempotency key once, keeps one record per
 * row of the sender, checks the required fields and codes of the standard, and can simulate the failures of such platforms.
 */
export interface UpperFaults {
  /** True while the platform is unreachable. */
  isOut?: () => boolean
  /** Refuses a row in addition to the checks of the standard; undefined accepts it. */
  refuse?: (row: HandedUp) => Refusal | undefined
  /** True when the platform accepts no more changes of the row. */
  isLocked?: (row: HandedUp) => boolean
  /** Shares of the calls, 0 to 1. */
  lost?: number
  repeated?: number
  slow?: number
  later?: number
  slowMs?: number
  laterMs?: number
  /** Random number from 0 to 1; the same numbers produce the same faults. */
  random?: () => number
}

export interface StoredRecord {
  key: string
  object: string
  /** 3: deleted at this platform. Records of earlier versions do not have it. */
  op?: HandedUp['op']
  businessId: string
  receiptNo: string
  day: string
}

export interface UpperPlatform {
  url: string
  /** The accepted records in their order. */
  held: readonly StoredRecord[]
  /** True when a row of the sender is stored here: accepted and not deleted. */
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
  /** File in which the records are kept over a restart. */
  file?: string
  port?: number
}

interface Reply {
  code: string | number
  [name: string]: unknown
}
/** The connection is closed without an answer. */
const cut = Symbol('cut')
const windowMs = 5 * 60_000

export async function startUpperPlatform({ appKey, secret, faults = {}, now = Date.now, file, port = 0 }: Options): Promise<UpperPlatform> {
  const storedRecords: StoredRecord[] = []
  const byKey = new Map<string, StoredRecord>()
  const later = new Map<string, { at: number; row: HandedUp }>()
  let calls = 0
  const current = new Set<string>()
  const nameOf = ({ object, businessId }: Pick<StoredRecord, 'object' | 'businessId'>) => `${object} ${businessId}`
  const keep = (one: StoredRecord) => {
    storedRecords.push(one)
    byKey.set(one.key, one)
    if (one.op === '3') current.delete(nameOf(one))
    else current.add(nameOf(one))
  }
  if (file && existsSync(file)) for (const line of readFileSync(file, 'utf8').split('\n')) if (line) keep(JSON.parse(line))
  const random = () => (faults.random ?? Math.random)()
  const happens = (share = 0) => share > 0 && random() < share

  const store = (row: HandedUp): Reply => {
    const known = byKey.get(row.key)
    if (known) return { code: 0, result: 'duplicate', receiptNo: known.receiptNo }
    const one: StoredRecord = {
      key: row.key,
      object: row.object,
      op: row.op,
      businessId: row.businessId,
      receiptNo: `R${formatDay(now()).replaceAll('-', '')}${String(storedRecords.length + 1).padStart(7, '0')}`,
      day: formatDay(now()),
    }
    keep(one)
    if (file) appendFileSync(file, `${JSON.stringify(one)}\n`)
    return { code: 0, result: 'stored', receiptNo: one.receiptNo }
  }
  const judge = (row: HandedUp): Reply => {
    const known = byKey.get(row.key)
    if (known) return { code: 0, result: 'duplicate', receiptNo: known.receiptNo }
    if (faults.isLocked?.(row)) return { code: 0, result: 'locked' }
    const refusal = refusalFor(row) ?? faults.refuse?.(row) ?? (row.op === '3' && !current.has(nameOf(row)) ? nothingToRemove : undefined)
    return refusal ? { ...refusal } : store(row)
  }
  const take = (row: HandedUp): Reply => {
    const ticket = `T-${row.key}`
    if (later.has(ticket)) return { code: 0, result: 'later', ticket }
    if (!byKey.has(row.key) && happens(faults.later)) {
      later.set(ticket, { at: now() + (faults.laterMs ?? 0), row })
      return { code: 0, result: 'later', ticket }
    }
    const first = judge(row)
    return happens(faults.repeated) ? judge(row) : first
  }
  const resultOf = (ticket: string): Reply => {
    const waits = later.get(ticket)
    if (!waits) return { code: 'E2001', message: '没有该受理号' }
    if (waits.at > now()) return { code: 0, status: 0 }
    const reported = judge(waits.row)
    return reported.code === 0 ? { ...reported, status: 20 } : { ...reported, status: 10 }
  }
  const countOf = (day: string): Reply => {
    const [counts, removed]: Record<string, number>[] = [{}, {}]
    for (const one of storedRecords) {
      const into = one.op === '3' ? removed : counts
      if (into && one.day === day) into[one.object] = (into[one.object] ?? 0) + 1
    }
    return { code: 0, counts, removed }
  }

  async function answer(request: IncomingMessage): Promise<Reply | typeof cut> {
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
    const reported = take(row.data)
    return happens(faults.lost) ? cut : reported
  }

  function isSigned({ headers }: IncomingMessage, body: string): boolean {
    const at = String(headers['x-timestamp'] ?? '')
    if (headers['x-app'] !== appKey || Math.abs(Number(at) - now()) > windowMs) return false
    const [given, wanted] = [Buffer.from(String(headers['x-sign'] ?? '')), Buffer.from(signature(secret, at, body))]
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }

  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    calls++
    const result = await answer(request)
    if (result === cut) return request.socket.destroy()
    response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
  }
  const server = createServer((request, response) => {
    reply(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    held: storedRecords,
    stands: (object, businessId) => current.has(nameOf({ object, businessId })),
    faults,
    calls: () => calls,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
