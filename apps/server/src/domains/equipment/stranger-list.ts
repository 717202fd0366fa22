import type * as calls from '@zhugong/contract/equipment/device-tools'
import { frameResults } from '@zhugong/contract/telemetry/commands'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { found, groupTypes } from '#kit/context'
import { allOf, anyOf, condition, contains, equals, orderBy, pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'

/** Refusals of a gateway itself are shown with the gateway. */
const isDevice = sql<boolean>`u.identifier is distinct from u.gateway_id`

/** Unregistered devices that tried to connect: all of them for the platform, those at its own gateways for a site. */
export const listUnregistered: HandlerOf<typeof calls.listUnregistered> = async ({ query }, ctx) => {
  const where = allOf(
    ...contains('u.identifier', query.identifier),
    ...anyOf('u.protocol', query.protocol),
    ...anyOf('u.reason', query.reason),
    ...(query.gatewayId ? equals('u.gateway_id', query.gatewayId) : [condition(isDevice)]),
    ...equals('u.ignored', query.ignored ?? false),
  )
  const order = orderBy(
    query.sort,
    { lastTime: 'u.last_time', firstTime: 'u.first_time', count: 'u.count', identifier: 'u.identifier' },
    '-lastTime',
    'u.identifier',
  )
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<{
    identifier: string
    protocol: string
    address: string
    gatewayId: string | null
    gatewayName: string | null
    reason: string
    count: number
    firstTime: Date
    lastTime: Date
    sample: string | null
    guess: string | null
    ignored: boolean
  }>`select u.identifier, u.protocol, u.address, u.gateway_id, g.name as gateway_name, u.reason, u.count, u.first_time, u.last_time, u.sample, u.guess, u.ignored
     from unregistered_device u left join gateway g on g.id = u.gateway_id where ${where} order by ${order}, u.reason limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const total = await sql<{ n: number }>`select count(*)::int as n from unregistered_device u where ${where}`.execute(ctx.db)
  return {
    list: rows.map((r) => ({
      ...r,
      id: `${r.identifier}/${r.reason}`,
      // The sample may contain personal data, so only the platform gets it.
      sample: ctx.group.type === groupTypes.platform ? r.sample : null,
      reasonText: frameResults[r.reason] ?? r.reason,
      firstTime: formatInstant(r.firstTime),
      lastTime: formatInstant(r.lastTime),
    })),
    total: total.rows[0]?.n ?? 0,
  }
}

export const ignoreUnregistered: HandlerOf<typeof calls.ignoreUnregistered> = async ({ params, body }, ctx) => {
  const { rows } =
    await sql`update unregistered_device set ignored = ${body.ignored} where identifier = ${params.identifier} returning 1`.execute(ctx.db)
  found(rows[0], '未登记设备')
}
