import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createOutgoing } from '#kit/outgoing'
import { createSecrets } from '#kit/secret'
import { openCity, settleCity } from '../../../test/city.ts'
import { type Manner, startSlowServer } from '../../../test/slow-server.ts'
import type { World } from '../../../test/world.ts'
import { webhooks } from '../notify/senders.ts'
import { startReports } from './worker.ts'

let world: World
let good: Server
let url = ''
const soon = { timeout: 30_000 }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), {}, { environment: { OUTGOING_INSIDE: '127.0.0.0/8' } })
  await settleCity(world)
  good = createServer((request, response) => void request.resume().on('end', () => response.end('{}')))
  await new Promise<void>((resolve) => good.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(good.address() as AddressInfo).port}`
})
afterAll(async () => {
  good.closeAllConnections()
  good.close()
  await world.close()
})

/** The group and user ids of an account. */
async function memberOf(account: string) {
  const { rows } = await world.database.pool.query<{ groupId: string; userId: string }>(
    `select m.group_id as "groupId", m.user_id as "userId" from member m join app_user u on u.id = m.user_id where u.account = $1 limit 1`,
    [account],
  )
  return rows[0] ?? { groupId: '', userId: '' }
}
/** Creates deliveries that wait for a webhook, or for an in-app message. Returns their ids. */
async function waits(account: string, count: number, to?: string): Promise<string[]> {
  const { groupId, userId } = await memberOf(account)
  const push = newId()
  await world.database.pool.query(
    `insert into report_push (id, group_id, name, report_type, content, channels, send_at, webhook_url, enable, create_by)
     values ($1, $2, $1, '1', '{online}', '{1}', '08:00', $3, '0', $4)`,
    [push, groupId, to ?? '', userId],
  )
  const ids = Array.from({ length: count }, () => newId())
  await world.database.pool.query(
    `insert into report_sending (id, group_id, push_id, push_name, turn, report_type, content, from_day, to_day, user_id, receiver, channel, due_at)
     select unnest($1::text[]), $2, $3, 'x', 't', '1', '{online}', '2026-11-19', '2026-11-19', $4, 'x', $5, now() - interval '1 second'`,
    [ids, groupId, push, userId, to ? 'webhook' : '1'],
  )
  return ids
}
const statesOf = async (ids: string[]) =>
  (await world.database.pool.query<{ state: string }>('select distinct state from report_sending where id = any ($1)', [ids])).rows.map(
    (row) => row.state,
  )

test.each<Manner>(['dripping', 'silent'])(
  'an address that is %s holds up its own group’s webhooks alone, and not the end',
  async (manner) => {
    const slow = await startSlowServer(manner)
    await waits('hospital-pm', 30, slow.url)
    const log = createLog('test', 'silent')
    const clock = { now: () => Date.now() }
    const senders = { mail: undefined, sms: undefined, webhook: webhooks(createOutgoing(world.config, 'webhook')) }
    const reports = startReports({ database: world.database, clock, secrets: createSecrets(world.config.secretKey), log, senders })
    await reports.look()
    await expect.poll(() => slow.hanging, soon).toBeGreaterThan(1)
    const others = [...(await waits('yunze-lu', 5, url)), ...(await waits('yunze-lu', 5)), ...(await waits('hospital-pm', 5))]
    await reports.look()
    await expect.poll(() => statesOf(others), soon).toEqual(['1'])
    expect(slow.hanging).toBeGreaterThan(0)
    const begun = performance.now()
    await reports.stop()
    expect(performance.now() - begun).toBeLessThan(15_000)
    await slow.stop()
    await world.database.pool.query('delete from report_sending')
  },
)
