import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { codesFor } from '@zhugong/contract/access/codes'
import { createRole, createUser, listUsers, switchUser, updateRole } from '@zhugong/contract/access/endpoints'
import { changePassword, login } from '@zhugong/contract/identity/endpoints'
import { liveTelemetry } from '@zhugong/contract/telemetry/topics'
import { expect, inject, test } from 'vitest'
import { acknowledged, craneData, message, openSite, until, uplink } from '../../src/domains/telemetry/ingest-for-test.ts'
import { writeTicket } from '../../src/domains/telemetry/live-access.ts'
import { openCity, settleCity } from '../city.ts'

/** Removing a right takes effect for active sessions: over REST within a second, on live channels within two. */
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const [restMs, liveMs] = [1_000, 2_000]

test('over REST: a code, an account and a group are gone a second after the answer', async () => {
  const world = await openCity(inject('postgresUrl'))
  const settled = await settleCity(world)
  await world.api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = world.api.app.server.address() as AddressInfo
  const owner = await settled.as('hospital-pm')
  const appoint = async (account: string) => {
    const { id: roleId } = await owner.call(createRole, { body: { name: account, codes: ['user.view', 'attendance.view'], remark: '' } })
    const made = await owner.call(createUser, { body: { account, name: '将离开的人', roleIds: [roleId] } })
    const first = world.caller((await world.anonymous.call(login, { body: { account, password: made.password } })).token)
    await first.call(changePassword, { body: { oldPassword: made.password, newPassword: 'Leaving#Soon99' } })
    return { roleId, userId: made.id, token: first.token }
  }
  const look = async (token: string) =>
    (await fetch(`http://127.0.0.1:${port}${listUsers.path}`, { headers: { token, group: '*' } })).status
  const [byRole, byAccount, byGroup] = [await appoint('leaves.role'), await appoint('leaves.account'), await appoint('leaves.group')]
  const take = {
    role: () => owner.call(updateRole, { params: { id: byRole.roleId }, body: { name: 'leaves.role', codes: [], remark: '', version: 0 } }),
    account: () => owner.call(switchUser, { body: { id: byAccount.userId, status: '0' } }),
    group: () =>
      world.database.pool.query(`update tenant set enable = '0' where id = (select group_id from member where user_id = $1)`, [
        byGroup.userId,
      ]),
  }
  for (const [way, who] of [
    ['role', byRole],
    ['account', byAccount],
    ['group', byGroup],
  ] as const) {
    // Called just before, so that the cached principal is as fresh as possible.
    expect([way, await look(who.token)]).toEqual([way, 200])
    await take[way]()
    await wait(restMs)
    expect([way, await look(who.token)]).toEqual([way, 403])
  }
  await world.close()
})

test('watching: whoever may no longer is told nothing two seconds later', async () => {
  const site = await openSite(inject('postgresUrl'))
  const { pool } = site
  const gateway = await site.given.gateway('P1')
  const crane = await site.given.device('P1', 'towerCrane', { protocol: 'mqtt', gatewayId: gateway.id })
  await pool.query(`insert into tenant (id, type, code, name) values ('t1', 3, 'P1', 'P1')`)
  const watch = async (name: string) => {
    const hash = randomBytes(16).toString('hex')
    await pool.query(`insert into app_user (id, account, name, password_hash, must_change) values ($1, $1, '观众', 'x', false)`, [name])
    await pool.query(`insert into member (id, user_id, group_id) values ($1, $1, 't1')`, [name])
    await pool.query(`insert into role (id, group_id, groups_type, name, codes) values ($1, 't1', 3, $1, $2)`, [name, codesFor(3)])
    await pool.query('insert into member_role (member_id, role_id) values ($1, $1)', [name])
    await pool.query(
      `insert into session (token_hash, user_id, group_id, project_code, live, entry, ip, created_at, seen_at, expires_at, hard_expires_at)
       values ($1, $2, 't1', '*', false, 'default', '', now(), now(), now() + interval '30 minutes', now() + interval '12 hours')`,
      [hash, name],
    )
    const clientId = `view:${name}`
    const ticket = { sessionHash: hash, projectCode: '*', expiresAt: Date.now() + 600_000, clientId }
    const client = site.connect({ clientId, username: 'live', password: writeTicket(site.secrets, ticket) })
    await new Promise<void>((resolve, reject) => {
      client.once('connect', () => resolve())
      client.once('close', () => reject(new Error('refused')))
    })
    await client.subscribeAsync(liveTelemetry.of({ projectCode: 'P1' }))
    const heard: string[] = []
    client.on('message', (topic) => heard.push(topic))
    return { heard, name }
  }
  const stays = await watch('stays')
  const leaving = {
    codes: await watch('codes'),
    account: await watch('account'),
    member: await watch('member'),
    session: await watch('session'),
    deadline: await watch('deadline'),
  }
  const sender = await site.gatewayClient(gateway)
  let seq = 0
  const send = () =>
    acknowledged(sender, uplink(gateway.id, crane.sn, 'telemetry'), message([{ time: Date.now(), seq: seq++, data: craneData() }]))
  await send()
  await until(() => [stays, ...Object.values(leaving)].every((one) => one.heard.length > 0))
  await pool.query(`update role set codes = '{}' where id = 'codes'`)
  await pool.query(`update app_user set enable = '0' where id = 'account'`)
  await pool.query(`update member set enable = '0' where id = 'member'`)
  await pool.query(`delete from session where user_id = 'session'`)
  await pool.query(`update member_role set deadline = '2026-01-01' where member_id = 'deadline'`)
  await wait(liveMs)
  const before = new Map(Object.entries(leaving).map(([way, one]) => [way, one.heard.length]))
  const heardBefore = stays.heard.length
  await send()
  await until(() => stays.heard.length > heardBefore)
  await wait(500)
  for (const [way, one] of Object.entries(leaving)) expect([way, one.heard.length]).toEqual([way, before.get(way)])
  sender.end(true)
  await site.close()
})
