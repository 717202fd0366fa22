import { operation } from '@zhugong/contract/docking/codes'
import { objectByUpper } from '@zhugong/contract/docking/standard'
import { dayMs, minuteMs } from '@zhugong/contract/kit/time'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Clock, formatDay, startOfDay } from '#kit/clock'
import type { Db, Row } from '#kit/db'
import { newId } from '#kit/ids'
import { OpenDoor } from '#kit/open-door'
import type { Secrets } from '#kit/secret'
import { hashToken } from '#kit/serve'
import { type HandedUp, handedUp, nothingToRemove, type Refusal, refusalFor } from './check-received.ts'
import { wordsFor } from './error-words.ts'

export interface ReceiverDependencies {
  db: Db
  clock: Clock
  secrets: Secrets
}

/** Requests per minute and key: a district's platform sends some tens of thousands a day. */
export const perMinute = 1_200
const maxBytes = 256 * 1024
/** Daily limit of stored bytes per docking key: several times the data of a whole city. */
export const dailyBytes = 2 * 1024 ** 3
/** Bytes of a row in the table of refusals, including indexes. */
const refusalBytes = 1024

type Key = Row<'dockingKey'>

/**
 * Endpoints for platforms below: `POST /api/v1/open/docking/data` with `Authorization: Bearer <key>` stores a row. `/ping` checks the key,
 * `/count?day=` returns the counts of a day. Idempotent by row key. Responses have the upper platform's format: `{code: 0, result,
 * receiptNo}`, or `{code, field, message}`.
 */
export function receiveDocking(app: FastifyInstance, deps: ReceiverDependencies): void {
  const used = new Map<string, { minute: number; calls: number }>()
  const isTooOften = (id: string) => {
    const minute = Math.floor(deps.clock.now() / minuteMs)
    const existing = used.get(id)
    const now = existing?.minute === minute ? { minute, calls: existing.calls + 1 } : { minute, calls: 1 }
    used.set(id, now)
    return now.calls > perMinute
  }
  const door = new OpenDoor(deps.clock.now)
  const keys = new WeakMap<FastifyRequest, Key>()
  /** Runs before the body is read; a refusal closes the connection without reading it. */
  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const [, given = ''] = /^Bearer (\S{10,200})$/.exec(request.headers.authorization ?? '') ?? []
    const hash = given && hashToken(given)
    const refuse = (http: number, code: string, message: string) => reply.code(http).header('connection', 'close').send({ code, message })
    const wait = door.waitSeconds(request.ip, hash)
    if (wait) {
      void reply.header('retry-after', String(wait))
      return refuse(429, 'E4029', `该地址被拒绝的请求过多，请 ${wait} 秒后再试，并核对接入密钥`)
    }
    const key = hash && (await deps.db.selectFrom('dockingKey').selectAll().where('keyHash', '=', hash).executeTakeFirst())
    const isGood = key && !key.revokedTime
    door.note(request.ip, hash, isGood ? 200 : 401)
    if (!isGood) return refuse(401, 'E4001', key ? '接入密钥已吊销' : '接入密钥不正确')
    if (isTooOften(key.id)) return refuse(429, 'E4029', `调用过于频繁，每分钟最多 ${perMinute} 次`)
    keys.set(request, key)
    return undefined
  }
  const keyOf = (request: FastifyRequest): Key => {
    const key = keys.get(request)
    if (!key) throw new Error('a call of docking was not admitted')
    return key
  }
  void app.register(async (scope) => {
    scope.addHook('onRequest', admit)
    scope.setErrorHandler((error: { statusCode?: number }, _request, reply) =>
      (error.statusCode ?? 500) < 500
        ? reply
            .code(error.statusCode ?? 400)
            .send({ code: 'E1003', message: error.statusCode === 413 ? '报文超过 256 KB' : '报文格式不正确' })
        : reply.code(500).send({ code: 'E5000', message: '平台内部错误，请稍后重发' }),
    )
    const base = '/api/v1/open/docking'
    scope.get(`${base}/ping`, async (_request, reply) => reply.send({ code: 0 }))
    scope.get<{ Querystring: { day?: string } }>(`${base}/count`, async (request, reply) => {
      const key = keyOf(request)
      const day = /^\d{4}-\d{2}-\d{2}$/.test(request.query.day ?? '') ? (request.query.day ?? '') : formatDay(deps.clock.now())
      const from = startOfDay(day)
      const { rows } = await sql<{ object: string; taken: number; removed: number }>`
        select object_type as object, count(*) filter (where op <> '3')::int as taken, count(*) filter (where op = '3')::int as removed from docking_received
        where key_id = ${key.id} and at >= ${new Date(from)} and at < ${new Date(from + dayMs)} group by 1`.execute(deps.db)
      const by = (of: 'taken' | 'removed') => Object.fromEntries(rows.flatMap((row) => (row[of] > 0 ? [[row.object, row[of]]] : [])))
      return reply.send({ code: 0, counts: by('taken'), removed: by('removed') })
    })
    scope.post(`${base}/data`, { bodyLimit: maxBytes }, async (request, reply) => {
      const key = keyOf(request)
      const row = handedUp.safeParse(request.body)
      if (!row.success) return reply.send({ code: 'E1003', message: `报文格式不正确：${row.error.issues[0]?.path.join('.') ?? ''}` })
      const full = await overDay(deps, key)
      if (full)
        return reply.code(429).header('retry-after', String(full)).send({ code: 'E4029', message: '今天接收的数据已达上限，请明天再传' })
      return reply.send(await take(deps, key, row.data, request.ip))
    })
  })
}

/** Seconds until the next day if the key's daily limit is used up, otherwise undefined. */
async function overDay({ db, clock }: ReceiverDependencies, { id }: Key): Promise<number | undefined> {
  const now = clock.now()
  const today = formatDay(now)
  const { rows } = await sql<{ full: boolean }>`
    select coalesce(day = ${today}::date and day_bytes >= ${dailyBytes}, false) as full from docking_key where id = ${id}`.execute(db)
  return rows[0]?.full ? Math.ceil((startOfDay(today) + dayMs - now) / 1000) : undefined
}

/** Stores one row or returns the reason for refusing it; both are counted. */
async function take({ db, clock, secrets }: ReceiverDependencies, key: Key, row: HandedUp, ip: string) {
  const now = new Date(clock.now())
  const counted = (what: 'received' | 'duplicate' | 'rejected') =>
    db
      .updateTable('dockingKey')
      .set((eb) => ({ [what]: eb(what, '+', 1), lastTime: now, lastIp: ip }))
      .where('id', '=', key.id)
      .execute()
  const before = await db
    .selectFrom('dockingReceived')
    .select('receiptNo')
    .where('keyId', '=', key.id)
    .where('idemKey', '=', row.key)
    .executeTakeFirst()
  const duplicate = async (receiptNo: string) => {
    await counted('duplicate')
    return { code: 0, result: 'duplicate', receiptNo }
  }
  if (before) return duplicate(before.receiptNo)
  const refusal = refusalFor(row) ?? (await removalFor(db, key, row))
  if (refusal) {
    await keepRefusal(db, key, row, refusal, now)
    await counted('rejected')
    await countBytes(db, key, refusalBytes, now)
    return refusal
  }
  const receiptNo = `S${formatDay(now).replaceAll('-', '')}${newId(clock.now()).slice(-10)}`
  const body = secrets.seal(JSON.stringify(row.data)) ?? Buffer.alloc(0)
  const stored = await db
    .insertInto('dockingReceived')
    .values({
      keyId: key.id,
      idemKey: row.key,
      objectType: row.object,
      businessId: row.businessId,
      op: row.op,
      receiptNo,
      body,
      at: now,
    })
    .onConflict((conflict) => conflict.columns(['keyId', 'idemKey']).doNothing())
    .returning('receiptNo')
    .executeTakeFirst()
  // A concurrent request has stored the same row.
  if (!stored) return duplicate(await receiptOf(db, key.id, row.key))
  await counted('received')
  await countBytes(db, key, body.byteLength, now)
  return { code: 0, result: 'stored', receiptNo }
}

/** Stored bytes count towards the daily quota of the key, for accepted and refused rows alike. */
async function countBytes(db: Db, { id }: Key, bytes: number, now: Date): Promise<void> {
  const today = formatDay(now)
  await sql`update docking_key set day = ${today}::date,
    day_bytes = ${bytes} + case when day = ${today}::date then day_bytes else 0 end where id = ${id}`.execute(db)
}

/** Refuses to delete a row that is not stored, according to its newest record. */
async function removalFor(db: Db, key: Key, { op, object, businessId }: HandedUp): Promise<Refusal | undefined> {
  if (op !== operation.remove) return undefined
  const newest = await db
    .selectFrom('dockingReceived')
    .select('op')
    .where('keyId', '=', key.id)
    .where('objectType', '=', object)
    .where('businessId', '=', businessId)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest && newest.op !== operation.remove ? undefined : nothingToRemove
}

async function receiptOf(db: Db, keyId: string, idemKey: string): Promise<string> {
  const row = await db
    .selectFrom('dockingReceived')
    .select('receiptNo')
    .where('keyId', '=', keyId)
    .where('idemKey', '=', idemKey)
    .executeTakeFirst()
  return row?.receiptNo ?? ''
}

async function keepRefusal(db: Db, key: Key, row: HandedUp, refusal: Refusal, at: Date): Promise<void> {
  const type = objectByUpper.get(row.object)
  await db
    .insertInto('dockingRejected')
    .values({
      id: newId(at.getTime()),
      keyId: key.id,
      idemKey: row.key,
      objectType: type ?? row.object,
      businessId: row.businessId,
      errorCode: refusal.code,
      errorField: refusal.field ?? null,
      errorText: type ? wordsFor(type, refusal).text : refusal.message,
      at,
    })
    .execute()
}
