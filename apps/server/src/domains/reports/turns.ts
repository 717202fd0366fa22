import { AppError } from '@zhugong/contract/kit/errors'
import type { RestDays } from '@zhugong/contract/kit/rest-days'
import { type Report, reportContents } from '@zhugong/contract/reports/endpoints'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Clock, formatDay } from '#kit/clock'
import { type Database, type Db, inScope, type Row, type Tx } from '#kit/db'
import { newId } from '#kit/ids'
import { InFlight } from '#kit/in-flight'
import type { Log } from '#kit/log'
import { OutgoingError } from '#kit/outgoing'
import { pick } from '#kit/pick'
import { RequestTurns, unlimitedTurns } from '#kit/request-turns'
import type { Secrets } from '#kit/secret'
import { calendarOf, principalLater } from '../access/public.ts'
import { type Senders, tellOne } from '../notify/public.ts'
import { nextTurn, periodBefore, type Rhythm } from './calendar.ts'
import { buildReport } from './figures.ts'
import { periodWords, reportPdf, reportWorkbook } from './paper.ts'

export interface ReportDependencies {
  database: Database
  clock: Clock
  secrets: Secrets
  log: Log
  senders: Senders
}

type Push = Row<'reportPush'>
type Sending = Row<'reportSending'>

/** Pushes started at once; the rest follow in the next run. */
const perBatch = 20
/** Concurrent deliveries per group and in total; the webhook address is chosen by the group. */
const webhookLimits = { perKey: 2, inAll: 24 }
const otherLimits = { perKey: 2, inAll: 8 }
/** Reports computed concurrently, alternating between groups, because they load the database. */
const reckoned = new RequestTurns({ ...unlimitedTurns, waitingPerAccount: Number.POSITIVE_INFINITY, inAll: 2 })
/** If a process ends while sending, another may take the delivery after this time. */
const leaseMs = 5 * 60_000
/** Delays after the first attempt and each retry. */
const retryMs: readonly number[] = [60_000, 600_000, 3_600_000]
const webhook = 'webhook'

/** Deliveries in flight, separate per channel, so that a slow channel or group does not delay others. */
export interface ReportSendings {
  webhook: InFlight
  other: InFlight
}
export const createReportSendings = (log: Log, onRoom?: () => void): ReportSendings => ({
  webhook: new InFlight(webhookLimits, log, onRoom),
  other: new InFlight(otherLimits, log, onRoom),
})

/**
 * Starts due pushes, and sends waiting deliveries within the limits. Processes share the work: each row is taken by one. Returns how much
 * was started.
 */
export async function turnReports(deps: ReportDependencies, sendings: ReportSendings): Promise<number> {
  const begun = await beginDue(deps)
  const sent = await sendDue(deps, sendings)
  return begun + sent
}

/** Creates one row per recipient and channel for each due push, and sets its next time in the same transaction. */
async function beginDue({ database, clock, log }: ReportDependencies): Promise<number> {
  return database.kysely.transaction().execute(async (tx) => {
    const now = clock.now()
    const due = await tx
      .selectFrom('reportPush')
      .selectAll()
      .where('nextAt', '<=', new Date(now))
      .orderBy('nextAt')
      .limit(perBatch)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const push of due) {
      const turn = await queue(tx, push, { receivers: await receiversOf(tx, push), day: formatDay(now), now })
      // After downtime, only the newest report is sent, not all missed ones.
      const next = nextTurn(push, now, await calendarOf(tx, push.groupId))
      if (!next) log.warn({ push: push.id }, 'a report has no next turn')
      await tx
        .updateTable('reportPush')
        .set({ nextAt: next ?? null, enable: next ? '1' : '0', lastTurn: turn, lastTime: new Date(now) })
        .where('id', '=', push.id)
        .execute()
    }
    return due.length
  })
}

interface Receiver {
  id: string
  name: string
}
interface Turn {
  receivers: readonly Receiver[]
  /** The day of the run, yyyy-MM-dd: the report covers the period before it. */
  day: string
  now: number
  test?: boolean
}

/** Current recipients: named users and members of named roles who are active and have not unsubscribed. */
async function receiversOf(db: Db | Tx, push: Pick<Push, 'groupId' | 'userIds' | 'roleIds' | 'leftBy'>): Promise<Receiver[]> {
  const { rows } = await sql<Receiver>`
    select u.id, u.name from member m join app_user u on u.id = m.user_id and u.enable = '1'
    where m.group_id = ${push.groupId} and m.enable = '1' and (m.deadline is null or m.deadline >= (now() at time zone 'Asia/Shanghai')::date)
      and u.id <> all (${push.leftBy}) and (u.id = any (${push.userIds}) or exists (select 1 from member_role mr
        where mr.member_id = m.id and mr.enable = '1' and mr.role_id = any (${push.roleIds})
          and (mr.deadline is null or mr.deadline >= (now() at time zone 'Asia/Shanghai')::date)))
    order by u.name, u.id`.execute(db)
  return rows
}

/** Creates the deliveries of one run. Returns its id. */
export async function queue(tx: Db | Tx, push: Push, { receivers, day, now, test = false }: Turn): Promise<string> {
  const turn = newId(now)
  const { from, to } = periodBefore(push.reportType, day)
  const base = {
    ...pick(push, 'groupId', 'reportType', 'content', 'projects'),
    pushId: push.id,
    pushName: push.name,
    turn,
    fromDay: from,
    toDay: to,
    dueAt: new Date(now),
    createTime: new Date(now),
    test,
  }
  const rows = receivers.flatMap(({ id, name }) =>
    push.channels.map((channel) => ({ ...base, id: newId(now), userId: id, receiver: name, channel })),
  )
  const toAddress =
    push.webhookUrl && !test
      ? [{ ...base, id: newId(now), userId: push.updateBy ?? push.createBy, receiver: push.webhookUrl, channel: webhook }]
      : []
  if (rows.length + toAddress.length > 0)
    await tx
      .insertInto('reportSending')
      .values([...rows, ...toAddress])
      .execute()
  return turn
}

const wayOf = ({ channel }: Pick<Sending, 'channel'>): keyof ReportSendings => (channel === webhook ? 'webhook' : 'other')
/** Limits apply per group and channel, so that slow mail does not delay in-app messages. */
const keyOf = ({ groupId, channel }: Pick<Sending, 'groupId' | 'channel'>) => `${groupId} ${channel}`

async function sendDue(deps: ReportDependencies, sendings: ReportSendings): Promise<number> {
  const now = deps.clock.now()
  const db = deps.database.kysely
  const { rows: due } = await sql<Pick<Sending, 'groupId' | 'channel'>>`
    select group_id, channel from report_sending where state = '0' and due_at <= ${new Date(now)} group by group_id, channel order by min(due_at)`.execute(
    db,
  )
  const claims = (Object.keys(sendings) as (keyof ReportSendings)[]).flatMap((way) => {
    const mine = due.filter((one) => wayOf(one) === way)
    const shares = sendings[way].share(mine.map(keyOf))
    return mine
      .map((one) => ({ group_id: one.groupId, channel: one.channel, room: shares.get(keyOf(one)) ?? 0 }))
      .filter((one) => one.room > 0)
  })
  if (claims.length === 0) return 0
  const { rows } = await sql<Sending>`
    update report_sending set attempts = attempts + 1, due_at = ${new Date(now + leaseMs)}
    where id in (select r.id from jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) as k(group_id text, channel text, room int) cross join lateral (
      select id from report_sending s where state = '0' and due_at <= ${new Date(now)} and s.group_id = k.group_id and s.channel = k.channel
      order by due_at limit k.room for update skip locked) r)
    returning *`.execute(db)
  for (const row of rows) sendings[wayOf(row)].start(keyOf(row), () => sendOne(deps, row))
  return rows.length
}

/** Permanent failure: a retry would not help. */
class NoWay extends Error {}

async function sendOne(deps: ReportDependencies, row: Sending): Promise<void> {
  const db = deps.database.kysely
  const end = (change: { state: '0' | '1' | '2' | '3'; reason: string; dueAt: Date | null; sentTime?: Date; report?: string }) =>
    db.updateTable('reportSending').set(change).where('id', '=', row.id).where('state', '=', '0').execute()
  try {
    const report = row.report ?? (await reckoned.run(row.groupId, () => reportFor(deps, row)))
    await deliver(deps, row, report)
    await end({ state: '1', reason: '', dueAt: null, sentTime: new Date(deps.clock.now()), report: JSON.stringify(report) })
  } catch (error) {
    if (error instanceof AppError) return void (await end({ state: '3', reason: error.message, dueAt: null }))
    const isFinal = error instanceof NoWay
    const wait = isFinal ? undefined : retryMs[row.attempts - 1]
    const reason = isFinal || error instanceof OutgoingError ? (error as Error).message : '发送失败'
    if (!isFinal && !(error instanceof OutgoingError)) deps.log.warn({ err: error, sending: row.id }, 'a report was not sent')
    await end(wait === undefined ? { state: '2', reason, dueAt: null } : { state: '0', reason, dueAt: new Date(deps.clock.now() + wait) })
  }
}

/** Computed with the reader's current rights. Throws AppError if the reader no longer has access. */
async function reportFor(deps: ReportDependencies, row: Sending): Promise<Report> {
  if (row.userId === null) throw new AppError('forbidden', '接收人已不存在')
  const needs = [...new Set(row.content.map((key) => reportContents[key].code))]
  const principal = await principalLater(deps, { userId: row.userId, groupId: row.groupId, projectCode: '*' }, ['home.view'])
  if (!needs.some((code) => principal.codes.has(code))) throw new AppError('forbidden', '接收人没有查看这些内容的权限')
  const request = {
    title: row.pushName,
    ...pick(row, 'reportType', 'content', 'projects'),
    period: { from: row.fromDay, to: row.toDay },
  }
  return inScope(deps.database.kysely, principal.scope, (tx) =>
    buildReport({ db: tx, codes: principal.codes, scope: principal.scope, group: principal.group, now: deps.clock.now() }, request),
  )
}

/** The message text: figures and a link, without names of people. */
const wordsOf = (report: Report): string =>
  report.sections
    .map(
      (one) =>
        `${one.title}：${one.facts.map((fact) => `${fact.label} ${fact.value ?? '—'}${fact.value === null ? '' : fact.unit}`).join('，')}`,
    )
    .join('；') || '本期没有您可查看的内容'

const smsMost = 300
const linkOf = (row: Sending): string => `/reportPushSet?report=${row.id}`

async function deliver(deps: ReportDependencies, row: Sending, report: Report): Promise<void> {
  const { senders, secrets, database } = deps
  const title = `${row.test ? '【测试】' : ''}${dictName('reportType', row.reportType) ?? '报表'} ${row.pushName}（${periodWords(report)}）`
  if (row.channel === webhook) {
    const push = await database.kysely
      .selectFrom('reportPush')
      .select(['webhookUrl', 'webhookSecret', 'enable'])
      .where('id', '=', row.pushId ?? '')
      .executeTakeFirst()
    if (!push?.webhookUrl) throw new NoWay('回调地址已取消')
    return senders.webhook.send(
      push.webhookUrl,
      secrets.open(push.webhookSecret),
      JSON.stringify({ id: row.id, reportType: row.reportType, ...report }),
      row.id,
    )
  }
  const person = await database.kysely
    .selectFrom('appUser')
    .select(['phone', 'email'])
    .where('id', '=', row.userId ?? '')
    .where('enable', '=', '1')
    .executeTakeFirst()
  if (!person) throw new NoWay('账号已停用')
  if (row.channel === '1') {
    await tellOne(
      database.kysely,
      { userId: row.userId ?? '', kind: 'report', title, text: wordsOf(report), link: linkOf(row) },
      deps.clock.now(),
    )
    return
  }
  if (row.channel === '2') {
    if (!senders.sms) throw new NoWay('短信通道未配置')
    const phone = secrets.open(person.phone)
    if (!phone) throw new NoWay('未登记手机号')
    return senders.sms.send(phone, `${title}。${wordsOf(report)}`.slice(0, smsMost), row.id)
  }
  if (!senders.mail) throw new NoWay('邮件服务未配置')
  const email = secrets.open(person.email)
  if (!email) throw new NoWay('未登记邮箱')
  const name = `${row.pushName}_${report.from}_${report.to}`
  return senders.mail.send(email, title, wordsOf(report), row.id, [
    { filename: `${name}.pdf`, content: await reportPdf(report) },
    { filename: `${name}.xlsx`, content: await reportWorkbook(report) },
  ])
}

/** The first sending time. Throws AppError at the field if it would never come. */
export function firstTurn(body: Rhythm, now: number, rest: RestDays): Date {
  if (body.reportType === '1' && body.weekend === 'monday')
    throw new AppError('invalidInput', '日报遇休息日只能照常发送或不发送', { field: 'weekend' })
  const next = nextTurn(body, now, rest)
  if (!next) throw new AppError('invalidInput', '发送日总是休息日，按“不发送”将永远不会发出', { field: 'weekend' })
  return next
}
