import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startDrill } from '@zhugong/contract/alarms/endpoints'
import { changeMyContact, getMyContact } from '@zhugong/contract/identity/endpoints'
import { muteMyNotices } from '@zhugong/contract/identity/my-account'
import * as calls from '@zhugong/contract/notify/endpoints'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { type AlarmOp, writeAlarmOps } from '#domains/alarms/public'
import { formatDay } from '#kit/clock'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { createOutgoing } from '#kit/outgoing'
import { createSecrets } from '#kit/secret'
import { inTransaction } from '#kit/transaction'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'
import type { NotifyDependencies } from './deps.ts'
import { tellDues } from './dues.ts'
import { followUp, readHappenings } from './happenings.ts'
import { httpSms, smtpSender, webhooks } from './senders.ts'
import { createSendings, sendDue } from './sending.ts'
import { readReported, spread, tellGroups } from './telling.ts'
import { tellWarnings } from './warnings.ts'

interface Mail {
  to: string
  raw: string
}

let world: World
let city: CityWorld
let deps: NotifyDependencies
let now: number
let projectCode: string
let crane: { id: string; name: string }
let pm: Caller
let safety: Caller
let mails: Mail[] = []
let mailDown = false
let smtp: SMTPServer
let web: Server
let webDown = false
let webCalls: { path: string; body: string; headers: Record<string, unknown> }[] = []
let webPort = 0
let smtpPort = 0

const minute = 60_000
/** 2026-11-20 10:00 in Asia/Shanghai. */
const morning = Date.parse('2026-11-20T10:00:00+08:00')
const fastRetries = [1_000, 1_000, 1_000]

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => Date.now() } })
  city = await settleCity(world)
  pm = await city.as('hospital-pm')
  safety = await city.as('hospital-safety')
  projectCode = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  const device = city.city.devices.find((d) => d.projectCode === projectCode && d.family === 'towerCrane')
  crane = { id: device?.id ?? '', name: device?.name ?? '' }
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect: (_session, done) => done(mailDown ? Object.assign(new Error('closed for today'), { responseCode: 421 }) : undefined),
    onMailFrom: (_address, _session, done) =>
      done(mailDown ? Object.assign(new Error('closed for today'), { responseCode: 451 }) : undefined),
    onData(stream, session, done) {
      let raw = ''
      stream.on('data', (part: Buffer) => {
        raw += part.toString()
      })
      stream.on('end', () => {
        mails.push({ to: session.envelope.rcptTo[0]?.address ?? '', raw })
        done()
      })
    },
  })
  smtpPort = await new Promise<number>((resolve) => {
    const server = smtp.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
  web = createServer((request, response) => {
    let body = ''
    request.on('data', (part: Buffer) => {
      body += part.toString()
    })
    request.on('end', () => {
      webCalls.push({ path: request.url ?? '', body, headers: request.headers })
      response.writeHead(webDown ? 503 : 200).end('{}')
    })
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  webPort = (web.address() as AddressInfo).port
  deps = {
    pool: world.database.pool,
    secrets: createSecrets(world.config.secretKey),
    log: createLog('test-notify', 'silent'),
    senders: {
      mail: smtpSender(`smtp://127.0.0.1:${smtpPort}`, '筑工 <notice@zhugong.test>'),
      sms: httpSms(createOutgoing(world.config, 'operator'), `http://127.0.0.1:${webPort}/sms`, 'a secret of the gateway'),
      webhook: webhooks(createOutgoing({ ...world.config, outgoingInside: ['127.0.0.1'] }, 'webhook')),
    },
    now: () => now,
  }
  // Leaves one safety officer, so that messages are easy to count.
  await deps.pool.query(
    `delete from member_role where member_id in (select m.id from member m join app_user u on u.id = m.user_id where u.account = 'hospital-officer')`,
  )
  for (const { account } of city.city.personas) {
    await deps.pool.query('update app_user set phone = $2, phone_mask = $3, email = $4, email_mask = $5 where account = $1', [
      account,
      deps.secrets.seal('13800138000'),
      '138****8000',
      deps.secrets.seal(`${account}@zhugong.test`),
      'z***@zhugong.test',
    ])
  }
})
afterAll(async () => {
  deps.senders.mail?.close()
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
  web.closeAllConnections()
  await new Promise((resolve) => web.close(resolve))
  await world.close()
})
beforeEach(() => {
  now = morning
})
afterEach(async () => {
  mails = []
  webCalls = []
  mailDown = false
  webDown = false
  await deps.pool.query(
    'truncate alarm, alarm_log, alarm_outbox, exec_log, notice_group, notice_watch, message, duty_shift, rule_trigger, rule_exec, alarm_drill cascade',
  )
  await deps.pool.query(`update member set enable = '1'`)
})

async function write(ops: AlarmOp[]): Promise<void> {
  await inTransaction(deps.pool, (client) => writeAlarmOps(client, ops))
}

interface Opening {
  level?: number
  deviceId?: string
  deviceName?: string
  family?: string
  alarmKey?: string
  label?: string
  point?: string
  ruleId?: string | null
  metric?: string
}
async function opens(o: Opening = {}): Promise<string> {
  const id = newId()
  await write([
    {
      op: 'open',
      id,
      projectCode,
      deviceId: o.deviceId ?? crane.id,
      deviceName: o.deviceName ?? crane.name,
      point: o.point ?? '',
      family: o.family ?? 'towerCrane',
      alarmKey: o.alarmKey ?? 'momentAlarm',
      label: o.label ?? '力矩超限',
      level: o.level ?? 2,
      startTime: now,
      fireTime: now,
      metric: o.metric ?? 'momentPercent',
      value: 104.456,
      thresholdText: '力矩百分比 ≥ 100 %',
      ruleId: o.ruleId ?? null,
      ruleVersion: 1,
      source: 'rule',
      values: {},
    },
  ])
  // Lets the notifier read the event at once.
  await readHappenings(deps)
  return id
}
const clears = (id: string) => write([{ op: 'clear', id, time: now, reason: 'recovered' }])
async function happens(id: string, event: string): Promise<void> {
  if (event === 'ack') await deps.pool.query(`update alarm set state = 'acknowledged' where id = $1`, [id])
  await deps.pool.query(
    `insert into alarm_outbox (alarm_id, project_code, event, level, at) select id, project_code, $2, level, $3 from alarm where id = $1`,
    [id, event, new Date(now)],
  )
}
/** Runs the jobs role until nothing more is due now. */
async function round(delays = fastRetries): Promise<void> {
  const sendings = createSendings(deps.log)
  for (let n = 1; n > 0; ) {
    n = (await readHappenings(deps)) + (await followUp(deps)) + (await tellGroups(deps)) + (await sendDue(deps, sendings, delays))
    for (const way of Object.values(sendings)) await way.settled()
  }
}
async function passes(ms: number): Promise<void> {
  now += ms
  await round()
}
interface Logged {
  step: string
  channel: string
  receiver_name: string
  state: string
  title: string
  text: string
  result: string
  attempts: number
  alarm_ids: string[]
}
async function logged(where = 'true'): Promise<Logged[]> {
  const { rows } = await deps.pool.query<Logged>(
    `select step, channel, receiver_name, state, title, text, result, attempts, alarm_ids from exec_log where ${where} order by create_time, id`,
  )
  return rows
}
const inApp = (step: string) => logged(`channel = '1' and step = '${step}' and state = 'sent'`)
const nameOf = (account: string) => city.city.personas.find((p) => p.account === account)?.name ?? account

async function action(definition: object, kind = 'notify', secret: Buffer | null = null): Promise<{ execId: string; ruleId: string }> {
  const [execId, ruleId] = [newId(), newId()]
  await deps.pool.query(`insert into rule_exec (id, name, kind, project_code, definition, secret) values ($1, '动作', $2, $3, $4, $5)`, [
    execId,
    kind,
    projectCode,
    JSON.stringify(definition),
    secret,
  ])
  await deps.pool.query(
    `insert into rule_trigger (id, name, family, alarm_key, scope, project_code, levels, exec_ids) values ($1, '规则', 'towerCrane', 'momentAlarm', '{"kind":"global"}', $2, '[]', $3)`,
    [ruleId, projectCode, [execId]],
  )
  return { execId, ruleId }
}

test('a power cut of forty meters is one message that lists forty', async () => {
  const gatewayId = (await deps.pool.query<{ id: string }>('select id from gateway where project_code = $1 limit 1', [projectCode])).rows[0]
    ?.id
  await deps.pool.query(`update gateway set online = false where id = $1`, [gatewayId])
  for (let i = 0; i < 40; i++) {
    const id = newId()
    await deps.pool.query(
      `insert into device select (jsonb_populate_record(null::device, to_jsonb(d) || $2::jsonb)).* from device d where d.id = $1`,
      [crane.id, JSON.stringify({ id, name: `电表 ${i + 1}`, device_sn: `cut-${i}`, access_key: `cut-${i}`, gateway_id: gatewayId })],
    )
    // Two families behind one gateway still count as one outage.
    await opens({
      level: 3,
      deviceId: id,
      deviceName: `电表 ${i + 1}`,
      family: i % 2 ? 'electricMeter' : 'waterMeter',
      alarmKey: 'offline',
      label: '离线',
    })
    now += 200
  }
  await round()
  expect(await inApp('open')).toEqual([])
  await passes(30_000)
  const result = await inApp('open')
  expect(result).toHaveLength(1)
  expect(result[0]?.title).toMatch(/^【三级】网关 .+ 离线，影响 40 台设备$/)
  for (let i = 1; i <= 40; i++) expect(result[0]?.text).toContain(`电表 ${i}`)
  expect(result[0]?.alarm_ids).toHaveLength(40)
  await deps.pool.query(`delete from device where device_sn like 'cut-%'`)
})

test('level 2 waits half a minute for others of its kind, level 1 is told at once', async () => {
  await opens({ level: 2, point: 'a' })
  await opens({ level: 1, alarmKey: 'collisionAlarm', label: '碰撞报警' })
  await round()
  expect((await inApp('open')).map((l) => l.title)).toEqual([`【一级】${crane.name}碰撞报警`])
  await opens({ level: 2, point: 'b' })
  await passes(30_000)
  const second = (await inApp('open')).slice(1)
  expect(second).toHaveLength(1)
  expect(second[0]).toMatchObject({ title: '【二级】力矩超限 2 条', receiver_name: nameOf('hospital-safety') })
})

test('what follows a level 1 alarm within half a minute is one message, and the next is told at once again', async () => {
  const more = (point: string) => opens({ level: 1, alarmKey: 'collisionAlarm', label: '碰撞报警', point })
  await more('a')
  await round()
  expect(await inApp('open')).toHaveLength(1)
  for (const point of ['b', 'c', 'd']) {
    await more(point)
    now += 3_000
    await round()
  }
  expect(await inApp('open')).toHaveLength(1)
  await passes(21_000)
  const result = await inApp('open')
  expect(result.map((one) => one.alarm_ids.length)).toEqual([1, 3])
  // The second message opened another half minute, in which no alarm came.
  await passes(31_000)
  await more('e')
  await round()
  expect(await inApp('open')).toHaveLength(3)
})

test('repeats until somebody takes it up: level 1 every 5 minutes, level 2 every 30, level 3 never', async () => {
  const one = await opens({ level: 1, alarmKey: 'collisionAlarm' })
  const two = await opens({ level: 2 })
  await opens({ level: 3, alarmKey: 'windAlarm' })
  await round()
  for (let i = 0; i < 62; i++) await passes(minute)
  const repeats = await inApp('repeat')
  expect(repeats.filter((l) => l.alarm_ids.includes(one))).toHaveLength(12)
  expect(repeats.filter((l) => l.alarm_ids.includes(two))).toHaveLength(2)
  expect(repeats).toHaveLength(14)
  await happens(one, 'ack')
  await happens(two, 'ack')
  await passes(60 * minute)
  expect(await inApp('repeat')).toHaveLength(14)
})

test('the ladder: project manager after 5 minutes, company after 15, supervisor after 30', async () => {
  await opens({ level: 2 })
  await round()
  const seen: string[] = []
  for (let i = 0; i < 40; i++) {
    const before = (await inApp('escalate')).length
    await passes(minute)
    for (const l of (await inApp('escalate')).slice(before)) seen.push(`${i + 1} ${l.receiver_name}`)
  }
  expect(seen).toContain(`5 ${nameOf('hospital-pm')}`)
  expect(seen.filter((s) => s.startsWith('15 '))).not.toEqual([])
  expect(seen.filter((s) => s.startsWith('30 '))).not.toEqual([])
  expect(seen.every((s) => /^(5|15|30) /.test(s))).toBe(true)
  expect(seen.filter((s) => s.startsWith('30 ')).map((s) => s.slice(3))).toContain(nameOf('hospital-jl'))
})

test('taking it up stops the ladder; clearing stops it for level 2 but not for level 1', async () => {
  const acknowledged = await opens({ level: 1, alarmKey: 'a' })
  const cleared1 = await opens({ level: 1, alarmKey: 'b' })
  const cleared2 = await opens({ level: 2, alarmKey: 'c' })
  await passes(minute)
  await happens(acknowledged, 'ack')
  await clears(cleared1)
  await clears(cleared2)
  await passes(5 * minute)
  const result = (await inApp('escalate')).flatMap((l) => l.alarm_ids)
  expect(result).toEqual([cleared1])
  expect((await inApp('repeat')).flatMap((l) => l.alarm_ids)).toEqual([cleared1])
})

test('those who were told hear that it is over; nobody hears of what was over before it was told', async () => {
  const result = await opens({ level: 3, alarmKey: 'a' })
  await passes(31_000)
  const brief = await opens({ level: 3, alarmKey: 'b' })
  now += 5_000
  await clears(result)
  await clears(brief)
  await round()
  await passes(31_000)
  expect((await inApp('open')).flatMap((l) => l.alarm_ids)).toEqual([result])
  expect((await inApp('clear')).flatMap((l) => l.alarm_ids)).toEqual([result])
})

test('quiet hours hold back all but level 1, and end with a digest; they may cross midnight', async () => {
  const { ruleId } = await action({ roles: ['安全员'], channels: ['1'], quietHours: { from: '22:00', to: '06:30' }, escalation: [] })
  now = Date.parse('2026-11-20T23:50:00+08:00')
  await opens({ level: 3, ruleId, alarmKey: 'a' })
  await opens({ level: 2, ruleId, alarmKey: 'b' })
  await opens({ level: 1, ruleId, alarmKey: 'c' })
  await passes(minute)
  expect((await inApp('open')).map((l) => l.title)).toEqual([expect.stringContaining('【一级】')])
  now = Date.parse('2026-11-21T06:29:00+08:00')
  await round()
  expect(await inApp('digest')).toEqual([])
  expect((await inApp('repeat')).every((l) => l.title.includes('【一级】'))).toBe(true)
  await passes(minute)
  expect((await inApp('digest')).map((l) => l.title).sort()).toEqual([
    `汇总：【三级】${crane.name}力矩超限`,
    `汇总：【二级】${crane.name}力矩超限`,
  ])
})

test('level 4 is told once a day at 07:30', async () => {
  await opens({ level: 4, alarmKey: 'a', label: '连接告警' })
  await opens({ level: 4, alarmKey: 'b', label: '采样偏少' })
  await passes(2 * minute)
  expect(await logged()).toEqual([])
  now = Date.parse('2026-11-21T07:30:01+08:00')
  await round()
  const result = await inApp('digest')
  expect(result).toHaveLength(1)
  expect(result[0]?.text).toContain('连接告警、采样偏少 2 条')
})

test('a digest names what is over by then, and says that it is', async () => {
  const { ruleId } = await action({ roles: ['安全员'], channels: ['1'], quietHours: { from: '22:00', to: '06:30' }, escalation: [] })
  now = Date.parse('2026-11-20T23:50:00+08:00')
  const alone = await opens({ level: 2, ruleId, alarmKey: 'a' })
  const [first, lasting, taken] = [
    await opens({ level: 3, ruleId, alarmKey: 'b', label: '力矩预警' }),
    await opens({ level: 3, ruleId, alarmKey: 'c', label: '大风' }),
    await opens({ level: 3, ruleId, alarmKey: 'd', label: '倾斜' }),
  ]
  await passes(minute)
  // An alarm that ends before it is read.
  const brief = newId()
  const [row] = (await deps.pool.query<{ rule_id: string }>('select rule_id from alarm where id = $1', [alone])).rows
  await write([
    {
      op: 'open',
      id: brief,
      projectCode,
      deviceId: crane.id,
      deviceName: crane.name,
      point: '',
      family: 'towerCrane',
      alarmKey: 'e',
      label: '幅度越限',
      level: 3,
      startTime: now,
      fireTime: now,
      metric: null,
      value: null,
      thresholdText: '',
      ruleId: row?.rule_id ?? null,
      ruleVersion: 1,
      source: 'rule',
      values: {},
    },
    { op: 'clear', id: brief, time: now + 1000, reason: 'recovered' },
  ])
  await clears(alone)
  await clears(first)
  await happens(taken, 'ack')
  await passes(minute)
  now = Date.parse('2026-11-21T06:30:30+08:00')
  await round()
  const result = await inApp('digest')
  expect(result.flatMap((l) => l.alarm_ids).sort()).toEqual([alone, first, lasting, brief].sort())
  expect(result.find((l) => l.alarm_ids.includes(alone))?.text).toMatch(/，现已恢复$/)
  const many = result.find((l) => l.alarm_ids.includes(first))?.text
  expect(many).toContain(`${crane.name}力矩预警（已恢复）、${crane.name}大风、${crane.name}幅度越限（已恢复），其中 2 条已恢复`)
  expect(await inApp('open')).toEqual([])
  expect(await inApp('clear')).toEqual([])
})

test('the daily digest of level 4 names what is over as well', async () => {
  const id = await opens({ level: 4, alarmKey: 'a', label: '连接告警' })
  await passes(minute)
  await clears(id)
  await passes(minute)
  now = Date.parse('2026-11-21T07:30:01+08:00')
  await round()
  expect((await inApp('digest')).map((l) => l.text)).toEqual([expect.stringMatching(/连接告警.*，现已恢复$/)])
})

test('an upgrade is told, a downgrade is not', async () => {
  const id = await opens({ level: 3 })
  await passes(31_000)
  await write([{ op: 'upgrade', id, level: 1, time: now, value: 120, text: '升为一级' }])
  await round()
  expect((await inApp('upgrade')).map((l) => l.title)).toEqual([`升级：【一级】${crane.name}力矩超限`])
  const before = (await logged()).length
  await write([{ op: 'downgrade', id, level: 3, time: now, value: 80, text: '降为三级' }])
  await round()
  expect((await logged()).length).toBe(before)
})

test('flapping stops the messages', async () => {
  const id = await opens({ level: 1 })
  await round()
  await write([{ op: 'flapping', id, time: now }])
  await passes(20 * minute)
  expect(await inApp('repeat')).toEqual([])
})

test('level 1 inhibits lower levels of the same device and key', async () => {
  await opens({ level: 1, point: 'left' })
  await opens({ level: 3, point: 'right' })
  await passes(31_000)
  expect((await inApp('open')).map((l) => l.title)).toEqual([expect.stringContaining('【一级】')])
})

test('who has left the project gets nothing, and the log says so; a role with nobody behind it falls to whoever answers for the project', async () => {
  const leaver = (await deps.pool.query<{ id: string }>(`select id from app_user where account = 'hospital-safety'`)).rows[0]?.id ?? ''
  await deps.pool.query(`update member set enable = '0' where user_id = $1`, [leaver])
  const { ruleId } = await action({ roles: ['安全员'], userIds: [leaver], channels: ['1', '2'] })
  await opens({ level: 1, ruleId })
  await round()
  const rows = await logged(`step = 'open'`)
  expect(
    rows
      .filter((r) => r.state === 'skipped')
      .map((r) => [r.receiver_name, r.result])
      .sort(),
  ).toEqual(
    [
      [nameOf('hospital-safety'), '已不在本项目'],
      ['安全员', '该角色当前无人'],
    ].sort(),
  )
  expect(rows.filter((r) => r.state === 'sent').map((r) => r.receiver_name)).toEqual([nameOf('hospital-pm'), nameOf('hospital-pm')])
  expect(webCalls).toHaveLength(1)
})

test('mail is really sent, with the words somebody wrote', async () => {
  const { ruleId } = await action({ roles: ['安全员'], channels: ['4'], text: '{设备}出现{告警}，数值 {数值}，{无此项}' })
  await opens({ level: 1, ruleId })
  await round()
  expect(mails.map((m) => m.to)).toEqual(['hospital-safety@zhugong.test'])
  const body = mails[0]?.raw ?? ''
  const text = Buffer.from(body.slice(body.indexOf('\r\n\r\n')).trim(), 'base64').toString('utf8')
  const shown = /quoted-printable/i.test(body) ? body.replaceAll('=\r\n', '') : text
  const decoded = /quoted-printable/i.test(body)
    ? Buffer.from(
        shown.replace(/=([0-9A-F]{2})/g, (_m, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString('utf8')
    : text
  expect(decoded).toContain(`${crane.name}出现力矩超限，数值 104.46 %，{无此项}`)
  expect(body).toMatch(/Message-ID: <[0-9a-f]{32}@zhugong\.test>/i)
})

test('a notification channel that is down: three repeats, then the next channel, once', async () => {
  mailDown = true
  const { ruleId } = await action({ roles: ['安全员'], channels: ['4'] })
  await opens({ level: 1, ruleId, alarmKey: 'x' })
  await round()
  for (let i = 0; i < 5; i++) await passes(1_500)
  const rows = await logged(`step = 'open'`)
  expect(rows.find((r) => r.channel === '4')).toMatchObject({
    state: 'failed',
    attempts: 4,
    result: expect.stringMatching(/邮件|连接|发送/),
  })
  expect(rows.filter((r) => r.channel !== '4').map((r) => [r.channel, r.state])).toEqual([['1', 'sent']])
  expect(mails).toEqual([])
})

test('a mail server that comes back in time gets each notice once', async () => {
  mailDown = true
  const { ruleId } = await action({ roles: ['安全员'], channels: ['4'] })
  await opens({ level: 1, ruleId })
  await round()
  await passes(1_500)
  mailDown = false
  for (let i = 0; i < 4; i++) await passes(1_500)
  expect(mails).toHaveLength(1)
  expect(await logged(`channel = '4'`)).toMatchObject([{ state: 'sent', result: '' }])
})

test('a webhook is signed, and keeps its number when it is sent again', async () => {
  const { ruleId } = await action({ url: `http://127.0.0.1:${webPort}/hook` }, 'webhook', deps.secrets.seal('between us'))
  webDown = true
  await opens({ level: 2, ruleId })
  await round()
  webDown = false
  await passes(1_500)
  const hooks = webCalls.filter((c) => c.path === '/hook')
  expect(hooks).toHaveLength(2)
  const [first, second] = hooks
  expect(first?.headers['x-zhugong-delivery']).toBe(second?.headers['x-zhugong-delivery'])
  const { createHmac } = await import('node:crypto')
  const expected = createHmac('sha256', 'between us').update(`${second?.headers['x-zhugong-timestamp']}.${second?.body}`).digest('hex')
  expect(second?.headers['x-zhugong-signature']).toBe(`sha256=${expected}`)
  expect(JSON.parse(second?.body ?? '{}')).toMatchObject({ event: 'open', alarms: [{ deviceId: crane.id, level: 2, simulated: false }] })
  // If a rule has only a webhook, nobody would be notified, so the plan of the alarm's level applies too.
  await passes(30_000)
  expect(await inApp('open')).toHaveLength(1)
})

test('how high somebody’s heart beats is in no message', async () => {
  const { pool } = deps
  const about = { family: 'smartHelmet', deviceName: '安全帽', alarmKey: 'heartRateAlarm', label: '心率异常' }
  const id = await opens({ ...about, metric: 'heartRate' })
  const battery = await opens({ ...about, metric: 'batteryPercent', alarmKey: 'batteryLow', label: '电量低' })
  expect((await readReported(pool, [id, battery])).map((a) => [a.alarmKey, a.peakValue]).sort()).toEqual([
    ['batteryLow', 104.456],
    ['heartRateAlarm', null],
  ])
})

test('a webhook may not reach into the house', async () => {
  await expect(webhooks(createOutgoing(world.config, 'webhook')).send(`http://127.0.0.1:${webPort}/hook`, null, '{}', 'x')).rejects.toThrow(
    '内网',
  )
})

test('a drill is told only when it shall be, and says what it is', async () => {
  const drill = { deviceId: crane.id, alarmKey: 'windAlarm', level: 2 as const }
  const admin = await city.as('hospital-pm')
  now = Date.now()
  await admin.call(startDrill, { body: { ...drill, notify: false } as never })
  await passes(minute)
  expect(await logged()).toEqual([])
  await admin.call(startDrill, { body: { ...drill, alarmKey: 'momentAlarm', notify: true } as never })
  await passes(minute)
  const rows = await logged(`channel = '1'`)
  expect(rows.map((r) => r.step)).toEqual(['drill'])
  expect(rows[0]?.title).toMatch(/^【演练】/)
  await passes(60 * minute)
  expect((await logged()).every((r) => r.step === 'drill')).toBe(true)
})

test('two senders at once tell each thing once', async () => {
  const { ruleId } = await action({ roles: ['安全员'], channels: ['1', '2', '4'] })
  for (let i = 0; i < 60; i++) await opens({ level: 1, ruleId, alarmKey: `k${i}`, family: `f${i % 7}` })
  await Promise.all([round(), round(), round()])
  await passes(1_000)
  const rows = await logged()
  expect(rows.filter((r) => r.step === 'open').every((r) => r.state === 'sent')).toBe(true)
  for (const channel of ['1', '2', '4']) {
    const shown = rows.filter((r) => r.channel === channel).flatMap((r) => r.alarm_ids)
    expect(shown).toHaveLength(60)
    expect(new Set(shown).size).toBe(60)
  }
  expect(mails.length).toBe(rows.filter((r) => r.channel === '4').length)
})

test('a sender that ends in the middle leaves its notice to the next', async () => {
  const { ruleId } = await action({ roles: ['安全员'], channels: ['4'] })
  await opens({ level: 1, ruleId })
  await readHappenings(deps)
  await tellGroups(deps)
  // The process took the notice and stopped.
  await deps.pool.query(`update exec_log set attempts = 1, due_at = $1 where state = 'waiting'`, [new Date(now + 60_000)])
  await passes(59_000)
  expect(mails).toHaveLength(0)
  await passes(2_000)
  expect(mails).toHaveLength(1)
})

test('who is on duty is told besides the roles', async () => {
  now = Date.now()
  const { people } = await pm.call(calls.listDuty, { query: { projectCode } })
  const labour = people.find((p) => p.name === nameOf('hospital-labour'))
  const at = (ms: number) => new Date(now + ms).toISOString()
  const { id } = await pm.call(calls.createDuty, {
    query: { projectCode },
    body: { userId: labour?.id ?? '', fromTime: at(-minute), untilTime: at(60 * minute) },
  })
  const twice = await pm.ask(calls.createDuty, {
    query: { projectCode },
    body: { userId: labour?.id ?? '', fromTime: at(0), untilTime: at(minute) },
  })
  expect(twice).toMatchObject({ message: '该人员在此时段已有值班', data: { field: 'fromTime' } })
  const backwards = await pm.ask(calls.createDuty, {
    query: { projectCode },
    body: { userId: labour?.id ?? '', fromTime: at(minute), untilTime: at(0) },
  })
  expect(backwards.message).toContain('结束时间应晚于开始时间')
  const stranger = await pm.ask(calls.createDuty, {
    query: { projectCode },
    body: { userId: newId(), fromTime: at(0), untilTime: at(minute) },
  })
  expect(stranger.message).toBe('值班人员须为本项目在用账号')
  await opens({ level: 1 })
  await round()
  expect((await inApp('open')).map((l) => l.receiver_name).sort()).toEqual([nameOf('hospital-safety'), nameOf('hospital-labour')].sort())
  await pm.call(calls.deleteDuty, { params: { id }, query: { projectCode } })
  expect((await pm.call(calls.listDuty, { query: { projectCode } })).list).toEqual([])
})

test('a week of shifts is taken over to the next, once; what is over or taken is left out', async () => {
  const { people } = await pm.call(calls.listDuty, { query: { projectCode } })
  const [one, other] = people
  // The HTTP endpoints use the real clock: the week to be filled began three days ago.
  const dayOf = (days: number) => formatDay(Date.now() + days * 86_400_000)
  const shift = (userId: string | undefined, days: number) =>
    pm.call(calls.createDuty, {
      query: { projectCode },
      body: { userId: userId ?? '', fromTime: `${dayOf(days)} 08:00:00`, untilTime: `${dayOf(days)} 20:00:00` },
    })
  const week = dayOf(-3)
  const copy = () => pm.ask(calls.copyDuty, { query: { projectCode }, body: { week } })
  expect((await copy()).message).toBe('上周没有排班，没有可沿用的')
  await shift(one?.id, -9)
  await shift(one?.id, -5)
  await shift(other?.id, -5)
  // One of them already has a shift then.
  await shift(other?.id, 2)
  expect((await copy()).data).toEqual({ copied: 1, left: 2 })
  const filled = await pm.call(calls.listDuty, { query: { projectCode, from: `${week} 00:00:00`, to: `${dayOf(3)} 23:59:59` } })
  expect(filled.list.map((row) => [row.userId, row.fromTime]).sort()).toEqual(
    [
      [one?.id, `${dayOf(2)} 08:00:00`],
      [other?.id, `${dayOf(2)} 08:00:00`],
    ].sort(),
  )
  const again = await copy()
  expect([again.status, again.message]).toEqual([4, '上周的班次在这周都已过时、已排或人员已离开，没有可沿用的'])
  await deps.pool.query('delete from duty_shift where project_code = $1', [projectCode])
})

test('a person sees and reads the own messages only', async () => {
  await opens({ level: 1 })
  await round()
  const mine = await safety.call(calls.listMessages, { query: {} })
  expect(mine).toMatchObject({ total: 1, counts: { unread: 1 } })
  expect(mine.list[0]).toMatchObject({ kind: 'alarm', level: 1, read: false, link: expect.stringMatching(/^\/alarm\/record\?alarmId=/) })
  const id = mine.list[0]?.id ?? ''
  expect((await pm.call(calls.listMessages, { query: {} })).total).toBe(0)
  expect(await pm.call(calls.readMessages, { body: { ids: [id] } })).toEqual({ read: 0 })
  expect(await safety.call(calls.readMessages, { body: { ids: [id] } })).toEqual({ read: 1 })
  expect((await safety.call(calls.listMessages, { query: { unread: true } })).total).toBe(0)
})

test('the log names what was sent to whom with masks, and a failed message is sent again', async () => {
  mailDown = true
  const { ruleId, execId } = await action({ roles: ['安全员'], channels: ['4'] })
  const alarmId = await opens({ level: 1, ruleId })
  await round([])
  const { list } = await pm.call(calls.listExecLog, { query: { projectCode, alarmId, channel: '4' } })
  expect(list).toMatchObject([{ state: 'failed', channelName: '邮件', receiverMask: 'z***@zhugong.test', stepName: '首次通知', execId }])
  mailDown = false
  await happens(alarmId, 'ack')
  await pm.call(calls.resendNotice, { params: { id: list[0]?.id ?? '' }, query: { projectCode } })
  now = Date.now() + 1000
  await round()
  expect(mails).toHaveLength(1)
  const again = await pm.ask(calls.resendNotice, { params: { id: list[0]?.id ?? '' }, query: { projectCode } })
  expect(again.message).toBe('只有发送失败的通知可以重发')
})

test('who would be told is named beforehand, an empty role as empty', async () => {
  const answer = await pm.call(calls.execReceivers, { query: { projectCode, roles: '安全员,机械员', onDuty: true } })
  expect(answer.list.map((g) => [g.name, g.empty])).toEqual([
    ['安全员', false],
    ['机械员', true],
    ['值班', true],
  ])
  expect(answer.list[0]?.people[0]).toMatchObject({ name: nameOf('hospital-safety'), phoneMask: '138****8000', hasEmail: true })
  expect(answer.roles).toContain('监理单位')
  expect(answer.channels).toContainEqual({ channel: '4', name: '邮件', ready: false })
  const plan = await pm.call(calls.noticePlan, { query: { projectCode } })
  expect(plan.list.map((p) => [p.level, p.repeatMinutes, p.ladder.map((r) => r.afterMinutes)])).toEqual([
    [1, 5, [5, 15, 30]],
    [2, 30, [5, 15, 30]],
    [3, null, []],
    [4, null, []],
  ])
})

test('an action is tried out on oneself', async () => {
  const { execId } = await action({ roles: ['安全员'], channels: ['1', '4'] })
  const { sent } = await pm.call(calls.testExec, { params: { id: execId }, body: {} })
  expect(sent).toEqual([
    { channel: '1', state: 'sent', result: '' },
    { channel: '4', state: 'failed', result: '邮件服务未配置' },
  ])
  expect((await pm.call(calls.listMessages, { query: {} })).list[0]?.title).toBe('测试：动作')
})

test('what falls due on machines is told once on its days, in the daytime', async () => {
  const due = newId()
  await deps.pool.query(
    `insert into device_due (id, device_id, project_code, kind, due_date) values ($1, $2, $3, 'calibration', '2026-11-27')`,
    [due, crane.id, projectCode],
  )
  now = Date.parse('2026-11-20T03:00:00+08:00')
  await tellDues(deps)
  expect(await logged(`step = 'due'`)).toEqual([])
  now = morning
  await tellDues(deps)
  now += 60 * minute
  await tellDues(deps)
  const rows = await logged(`step = 'due' and state = 'sent' and channel = '1' and title like '%检定校准%'`)
  expect(rows).toMatchObject([{ title: `${crane.name}检定校准7 天后到期`, receiver_name: nameOf('hospital-safety') }])
  const { rows: state } = await deps.pool.query('select notice_state, noticed_to from device_due where id = $1', [due])
  expect(state).toEqual([{ notice_state: '1', noticed_to: expect.stringContaining(nameOf('hospital-safety')) }])
  await deps.pool.query('delete from device_due where id = $1', [due])
})

test('who spoke for a device and was refused is told once an hour, while it goes on', async () => {
  const warn = (count: number) =>
    deps.pool.query(
      `insert into device_warning (device_id, kind, project_code, count, address, text, first_time, last_time) values ($1, 'registration', $2, $3, '192.0.2.9', '登记的车牌是 A，终端上报 B', $4, $4)
       on conflict (device_id, kind) do update set count = excluded.count, last_time = excluded.last_time`,
      [crane.id, projectCode, count, new Date(now)],
    )
  const reported = () => logged(`step = 'warning' and state = 'sent'`)
  now = morning
  await warn(1)
  expect(await tellWarnings(deps)).toBe(1)
  expect(await tellWarnings(deps)).toBe(0)
  expect(await reported()).toMatchObject([
    { title: `${crane.name}：终端注册被拒绝，可能有人冒用`, receiver_name: nameOf('hospital-safety') },
  ])
  now += 10 * minute
  await warn(7)
  expect(await tellWarnings(deps)).toBe(0)
  now += 51 * minute
  expect(await tellWarnings(deps)).toBe(1)
  expect(await reported()).toHaveLength(2)
  now += 61 * minute
  expect(await tellWarnings(deps)).toBe(0)
  await deps.pool.query('delete from device_warning')
})

test('a thousand alarms at once are read in turns and told in few messages', async () => {
  const ops: AlarmOp[] = []
  for (let i = 0; i < 1000; i++) {
    ops.push({
      op: 'open',
      id: newId(),
      projectCode,
      deviceId: crane.id,
      deviceName: crane.name,
      point: String(i),
      family: 'towerCrane',
      alarmKey: 'momentAlarm',
      label: '力矩超限',
      level: 2,
      startTime: now,
      fireTime: now,
      metric: null,
      value: null,
      thresholdText: '',
      ruleId: null,
      ruleVersion: null,
      source: 'rule',
      values: {},
    })
  }
  await write(ops)
  await passes(31_000)
  await passes(31_000)
  const result = await inApp('open')
  expect(result.flatMap((l) => l.alarm_ids)).toHaveLength(1000)
  expect(result.length).toBeLessThanOrEqual(2)
  expect(result.every((l) => l.text.length < 3000)).toBe(true)
})

test('people say themselves where their notices go, and see no more of it than a mask', async () => {
  const password = city.accounts.find((one) => one.account === 'hospital-safety')?.password ?? ''
  const bad = await safety.ask(changeMyContact, { body: { phone: '12345', password } })
  expect(bad).toMatchObject({ message: '手机号应为 1 开头的 11 位数字', data: { field: 'phone' } })
  expect((await safety.ask(changeMyContact, { body: { email: 'nobody', password } })).message).toBe('邮箱格式不正确')
  await safety.call(changeMyContact, { body: { email: 'wang.jg@zhugong.test', password } })
  expect(await safety.call(getMyContact)).toMatchObject({ phoneMask: '138****8000', emailMask: 'w***@zhugong.test' })
  const { ruleId } = await action({ roles: ['安全员'], channels: ['4'] })
  await opens({ level: 1, ruleId })
  await round()
  expect(mails.map((m) => m.to)).toEqual(['wang.jg@zhugong.test'])
  const { rows } = await deps.pool.query(`select email from app_user where account = 'hospital-safety'`)
  expect(String(rows[0]?.email)).not.toContain('wang')
})

test('whoever wants no text messages gets none, and finds the notice in the product; a first-level alarm comes all the same', async () => {
  await safety.call(muteMyNotices, { body: { muted: { alarm: ['2'] } } })
  const base = {
    projectCode,
    alarmIds: [],
    execId: null,
    kind: 'notify' as const,
    step: 'open',
    title: '力矩超限',
    text: '',
    link: '',
    simulated: false,
  }
  const request = { roles: ['安全员'], userIds: [], onDuty: false }
  const client = await deps.pool.connect()
  const ways = async (level: number, step = 'open') =>
    (await spread(client, { ...base, level, step }, request, ['2'], now))
      .filter((one) => one.receiverName === nameOf('hospital-safety'))
      .map((one) => `${one.channel} ${one.state} ${one.result}`.trim())
  try {
    expect(await ways(2)).toEqual(['2 skipped 本人已关闭此通道', '1 sent'])
    expect(await ways(1)).toEqual(['2 waiting'])
    expect(await ways(2, 'due'), 'another kind').toEqual(['2 waiting'])
  } finally {
    client.release()
  }
  await safety.call(muteMyNotices, { body: { muted: {} } })
})
