import { randomBytes } from 'node:crypto'
import type * as below from '@zhugong/contract/docking/below'
import { dockingKey } from '@zhugong/contract/docking/below'
import { isObjectType, objectOf } from '@zhugong/contract/docking/standard'
import { AppError } from '@zhugong/contract/kit/errors'
import { areaPath } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, contains, equals, instantsBetween, orderBy, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import { type HandlerOf, hashToken } from '#kit/serve'
import { requireVersion } from './platforms.ts'

export const listKeys: HandlerOf<typeof below.listKeys> = async (_, ctx) => {
  const { rows } = await sql<Row<'dockingKey'> & { creator: string | null }>`
    select k.*, u.name as creator from docking_key k left join app_user u on u.id = k.create_by order by k.revoked_time is not null, k.create_time desc, k.id`.execute(
    ctx.db,
  )
  return {
    list: rows.map((row) =>
      rowOf(dockingKey, row, {
        areaName: areaPath(row.areaCode) ?? row.areaCode,
        lastTime: row.lastTime && formatInstant(row.lastTime),
        createTime: formatInstant(row.createTime),
        createBy: row.creator ?? '',
        revokedTime: row.revokedTime && formatInstant(row.revokedTime),
      }),
    ),
  }
}

export const issueKey: HandlerOf<typeof below.issueKey> = async ({ body }, ctx) => {
  const key = `zgd_${randomBytes(24).toString('base64url')}`
  const id = ctx.newId()
  await ctx.db
    .insertInto('dockingKey')
    .values({
      id,
      groupId: ctx.group.id,
      ...body,
      keyHash: hashToken(key),
      keyHint: `${key.slice(0, 8)}…${key.slice(-4)}`,
      createTime: new Date(ctx.clock.now()),
      createBy: ctx.user.id,
    })
    .execute()
  ctx.note(`签发下级接入密钥 ${body.name}`, id)
  return { id, key }
}

export const revokeKey: HandlerOf<typeof below.revokeKey> = async ({ params, body }, ctx) => {
  const row = found(
    await ctx.db.selectFrom('dockingKey').selectAll().where('id', '=', params.id).forUpdate().executeTakeFirst(),
    '接入密钥',
  )
  requireVersion(row, body.version)
  if (row.revokedTime) throw new AppError('refused', '该密钥已经吊销')
  await changeRow(ctx, 'dockingKey', {
    key: { id: row.id },
    version: row.version,
    noun: '密钥',
    values: { revokedTime: new Date(ctx.clock.now()), revokedBy: ctx.user.id },
  })
  ctx.note(`吊销下级接入密钥 ${row.name}`, row.id)
  return {}
}

const conditions = (query: below.RejectedQuery): Condition =>
  allOf(
    ...equals('x.keyId', query.keyId),
    ...contains('k.name', query.platformName),
    ...anyOf('x.objectType', query.objectType),
    ...contains('x.errorText', query.errorText),
    ...instantsBetween('x.at', query.at),
  )
const rejected = sql`docking_rejected x join docking_key k on k.id = x.key_id`
type Looker = Pick<Context, 'db'>

export async function findRejected(ctx: Looker, query: below.RejectedQuery) {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row<'dockingRejected'> & { platformName: string }>`
    select x.*, k.name as platform_name from ${rejected} where ${conditions(query)} order by ${orderBy(query.sort, { at: 'x.at!' }, '-at', 'x.id')}
    limit ${limit} offset ${offset}`.execute(ctx.db)
  return rows.map((row) => ({
    ...pick(row, 'id', 'platformName', 'objectType', 'businessId', 'errorCode', 'errorText'),
    objectName: isObjectType(row.objectType) ? objectOf(row.objectType).name : row.objectType,
    at: formatInstant(row.at),
  }))
}
export async function countRejected(ctx: Looker, query: below.RejectedQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${rejected} where ${conditions(query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
export const listRejected: HandlerOf<typeof below.listRejected> = async ({ query }, ctx) => ({
  list: await findRejected(ctx, query),
  total: await countRejected(ctx, query),
})
