import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createOutgoing } from '#kit/outgoing'
import { createSecrets } from '#kit/secret'
import { openCity, settleCity } from '../../../test/city.ts'
import { type Manner, type SlowServer, startSlowServer } from '../../../test/slow-server.ts'
import type { World } from '../../../test/world.ts'
import type { NotifyDependencies } from './deps.ts'
import { httpSms, smtpSender, webhooks } from './senders.ts'
import { startNotices } from './worker.ts'

let world: World
let sites: string[]
let good: Server
const heard: string[] = []
let url = ''
const soon = { timeout: 20_000 }

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), {}, { environment: { OUTGOING_INSIDE: '127.0.0.0/8' } })
  await settleCity(world)
  sites = (await world.database.pool.query<{ code: string }>('select project_code as code from project order by 1 limit 3')).rows.map(
    (row) => row.code,
  )
  good = createServer((request, response) => {
    heard.push(request.url ?? '')
    request.resume().on('end', () => response.end('{}'))
  })
  await new Promise<void>((resolve) => good.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(good.address() as AddressInfo).port}`
})
afterAll(async () => {
  good.closeAllConnections()
  good.close()
  await world.close()
})

async function action(projectCode: string, to: string): Promise<string> {
  const id = newId()
  await world.database.pool.query(
    `insert into rule_exec (id, name, kind, project_code, definition) values ($1, $1, 'webhook', $2, jsonb_build_object('url', $3::text))`,
    [id, projectCode, to],
  )
  return id
}
/** A waiting notice, one second older than later ones. */
async function waits(projectCode: string, way: { exec: string } | { channel: '2' | '4'; user: string }): Promise<string> {
  const id = newId()
  const isHook = 'exec' in way
  await world.database.pool.query(
    `insert into exec_log (id, project_code, exec_id, kind, step, level, channel, receiver_id, receiver_name, title, text, state, due_at)
     values ($1, $2, $3, $4, 'first', 1, $5, $6, 'x', '告警', '{}', 'waiting', now() - interval '1 second')`,
    [id, projectCode, isHook ? way.exec : null, isHook ? 'webhook' : 'notify', isHook ? 'webhook' : way.channel, isHook ? null : way.user],
  )
  return id
}
const stateOf = async (id: string) =>
  (await world.database.pool.query<{ state: string }>('select state from exec_log where id = $1', [id])).rows[0]?.state

function begin(smtp?: SlowServer) {
  const deps: NotifyDependencies = {
    pool: world.database.pool,
    secrets: createSecrets(world.config.secretKey),
    log: createLog('test-notify', 'silent'),
    senders: {
      mail: smtp && smtpSender(`smtp://127.0.0.1:${smtp.port}`, 'x@zhugong.test', 1_500),
      sms: httpSms(createOutgoing(world.config, 'operator'), `${url}/sms`, undefined),
      webhook: webhooks(createOutgoing(world.config, 'webhook')),
    },
    now: () => Date.now(),
  }
  return startNotices(deps, world.config.databaseUrl ?? '')
}

test.each<Manner>(['dripping', 'silent', 'refusing'])(
  'a webhook that is %s holds up its own site alone, and not the end',
  async (manner) => {
    const slow = await startSlowServer(manner)
    const [bad = '', fine = ''] = sites
    const [toSlow, toGood] = [await action(bad, slow.url), await action(fine, `${url}/${manner}`)]
    for (let i = 0; i < 60; i++) await waits(bad, { exec: toSlow })
    const notices = begin()
    await expect.poll(() => slow.called, soon).toBeGreaterThan(3)
    const result = await Promise.all(Array.from({ length: 10 }, () => waits(fine, { exec: toGood })))
    for (const id of result) await expect.poll(() => stateOf(id), soon).toBe('sent')
    expect(heard.filter((path) => path === `/${manner}`)).toHaveLength(10)
    if (manner !== 'refusing') expect(slow.hanging).toBeGreaterThan(0)
    // The slow site's text messages are sent too, because they use another channel.
    const user = await world.database.pool.query<{ id: string }>(`update app_user set phone = $1 where account = 'admin' returning id`, [
      createSecrets(world.config.secretKey).seal('13800138000'),
    ])
    const text = await waits(bad, { channel: '2', user: user.rows[0]?.id ?? '' })
    await expect.poll(() => stateOf(text), soon).toBe('sent')
    const begun = performance.now()
    await notices.stop()
    expect(performance.now() - begun).toBeLessThan(15_000)
    await slow.stop()
    await world.database.pool.query('truncate exec_log')
  },
)

test('a mail server that greets and is slow then holds up no webhook, and is left for a new connection', async () => {
  const slow = await startSlowServer('dripping', '220 slow\r\n250-slow')
  const [bad = '', fine = ''] = sites
  const user = await world.database.pool.query<{ id: string }>(`update app_user set email = $1 where account = 'admin' returning id`, [
    createSecrets(world.config.secretKey).seal('a@zhugong.test'),
  ])
  const mails = await Promise.all(Array.from({ length: 6 }, () => waits(bad, { channel: '4', user: user.rows[0]?.id ?? '' })))
  const notices = begin(slow)
  await expect.poll(() => slow.hanging, soon).toBeGreaterThan(0)
  const result = await waits(fine, { exec: await action(fine, `${url}/mail`) })
  await expect.poll(() => stateOf(result), soon).toBe('sent')
  const why = async () =>
    (await world.database.pool.query<{ result: string }>('select result from exec_log where id = any ($1)', [mails])).rows.map(
      (row) => row.result,
    )
  await expect.poll(why, soon).toContain('邮件服务器 1.5 秒内没有收下邮件')
  await notices.stop()
  await slow.stop()
})
