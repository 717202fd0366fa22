import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { readConfig } from '#kit/config'
import { Load } from '../bench/load.ts'
import { Stand, until } from '../bench/stand.ts'
import { createAdministrator } from '../src/admin.ts'
import { inWords, isWhole, takeAccount } from './account.ts'
import { report } from './report.ts'

const boxes = 20
const downSeconds = 25
/** The second retry comes a minute after the first. */
const backSeconds = 100
const email = 'officer@measured.test'

/**
 * Mail server and webhook receiver are unreachable while alarms open, then return, and the jobs process is killed in between: everybody
 * must receive every notice exactly once.
 */
export async function noticesDown(firstPort: number): Promise<boolean> {
  const [smtpPort, hookPort] = [firstPort + 7, firstPort + 8]
  const mails = new Map<string, number>()
  const calls = new Map<string, number>()
  const stand = await Stand.open({ firstPort })
  let smtp: SMTPServer | undefined
  let hook: Server | undefined
  try {
    await settle(stand, hookPort)
    const env = { SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, SMTP_FROM: 'notice@zhugong.test', OUTGOING_INSIDE: '127.0.0.0/8' }
    const fleet = await stand.fleet('notice', boxes)
    await stand.start('ingest')
    await stand.start('jobs', [], env)
    // Every fifth machine exceeds its limit repeatedly.
    const load = await Load.start({ ...stand.mqtt, gateways: fleet, rate: boxes, inFlight: 10, bundle: 1, overloadOneIn: 5 })
    await load.connected(boxes)
    await sleep(downSeconds * 1_000)
    await stand.stop('jobs', 'SIGKILL')
    const account = await takeAccount(stand, load)
    const failing = await count(stand, `state = 'waiting' and attempts > 0`)
    smtp = await mailServer(smtpPort, mails)
    hook = await receiver(hookPort, calls)
    await stand.start('jobs', [], env)
    const begun = performance.now()
    const isQuiet = async () =>
      (await count(stand, `channel in ('4', 'webhook') and state = 'waiting'`)) === 0 &&
      (await stand.pool.query('select 1 from alarm_outbox where not noticed limit 1')).rows.length === 0 &&
      (await stand.pool.query('select 1 from notice_group limit 1')).rows.length === 0
    await until(isQuiet, backSeconds * 1_000)
    const took = (performance.now() - begun) / 1000
    await sleep(3_000)
    const { rows } = await stand.pool.query<{ id: string; channel: string; state: string }>(
      `select id, channel, state from exec_log where channel in ('4', 'webhook')`,
    )
    const sent = (r: { id: string; channel: string }) => (r.channel === 'webhook' ? calls : mails).get(r.id) ?? 0
    const lost = rows.filter((r) => sent(r) === 0).length
    const twice = rows.filter((r) => sent(r) > 1).length
    // Each alarm must have exactly one first notice per person and channel.
    const { rows: result } = await stand.pool.query<{ twice: number; untold: number }>(
      `select (select count(*)::int from (select 1 from exec_log e, unnest(e.alarm_ids) a where e.step = 'first' and e.exec_id is not null
                 group by a, e.channel, coalesce(e.receiver_id, ''), e.exec_id having count(*) > 1) d) as twice,
         (select count(*)::int from alarm a where a.rule_id = 'faults-rule' and not exists (select 1 from exec_log e where a.id = any (e.alarm_ids))) as untold`,
    )
    const doubled = twice + (result[0]?.twice ?? 0)
    const unreported = lost + (result[0]?.untold ?? 0)
    return report(
      `mail and webhook away ${downSeconds} s`,
      `${inWords(account)}; notices ${rows.length}, waiting while away ${failing}, not told ${unreported} (0), doubled ${doubled} (0), all told ${took.toFixed(1)} s after the way back (${backSeconds})`,
      isWhole(account) && rows.length > 0 && unreported === 0 && doubled === 0 && took < backSeconds,
    )
  } finally {
    if (smtp) await new Promise<void>((resolve) => smtp?.close(() => resolve()))
    hook?.closeAllConnections()
    hook?.close()
    await stand.close()
  }
}

async function count(stand: Stand, where: string): Promise<number> {
  const { rows } = await stand.pool.query<{ n: number }>(`select count(*)::int as n from exec_log where ${where}`)
  return rows[0]?.n ?? 0
}

/** Creates an officer with a mail address, and a rule that notifies by mail and webhook. */
async function settle(stand: Stand, hookPort: number): Promise<void> {
  const config = readConfig('serve', { DATABASE_URL: stand.postgres.url, SECRET_KEY: stand.secretKey, DATA_DIR: stand.dataDir })
  const log = console.log
  console.log = () => undefined
  await createAdministrator(config, ['measurer', 'Looking-On-2026']).finally(() => {
    console.log = log
  })
  const { pool, secrets } = stand
  await pool.query(`insert into tenant (id, type, code, name) values ('faults-site', 3, 'MEASURED', 'MEASURED')`)
  await pool.query(
    `insert into app_user (id, account, name, password_hash, email, email_mask) values ('faults-officer', 'officer', '安全员', '-', $1, 'o***')`,
    [secrets.seal(email)],
  )
  await pool.query(`insert into member (id, user_id, group_id) values ('faults-member', 'faults-officer', 'faults-site')`)
  await pool.query(
    `insert into member_role (member_id, role_id) select 'faults-member', id from role where groups_type = 3 and name = '安全员' and group_id is null`,
  )
  await pool.query(
    `insert into rule_exec (id, name, kind, definition, secret) values
       ('faults-mail', 'mail', 'notify', $1, null), ('faults-hook', 'hook', 'webhook', $2, $3)`,
    [
      JSON.stringify({ userIds: ['faults-officer'], channels: ['4'] }),
      JSON.stringify({ url: `http://127.0.0.1:${hookPort}/alarm` }),
      secrets.seal('a secret of the receiver'),
    ],
  )
  await pool.query(
    `insert into rule_trigger (id, name, family, alarm_key, scope, levels, options, exec_ids, project_code)
     select 'faults-rule', name, family, alarm_key, '{"kind":"projects","projectCodes":["MEASURED"]}', levels, options, '{faults-mail,faults-hook}', 'MEASURED'
     from rule_trigger where id = 'std-towerCrane-momentOverload'`,
  )
}

function mailServer(port: number, mails: Map<string, number>): Promise<SMTPServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, _session, done) {
      let raw = ''
      stream.on('data', (part: Buffer) => {
        raw += part.toString()
      })
      stream.on('end', () => {
        const id = /^Message-ID: <([^@]+)@/im.exec(raw)?.[1] ?? raw.slice(0, 80)
        mails.set(id, (mails.get(id) ?? 0) + 1)
        done()
      })
    },
  })
  server.on('error', () => undefined)
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)))
}

function receiver(port: number, calls: Map<string, number>): Promise<Server> {
  const server = createServer((request, response) => {
    const id = String(request.headers['x-zhugong-delivery'])
    request.resume().on('end', () => {
      calls.set(id, (calls.get(id) ?? 0) + 1)
      response.end('{}')
    })
  })
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)))
}
