import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { type NoticeChannel, noticeChannels, noticeStates, noticeSteps } from '@zhugong/contract/notify/codes'
import * as calls from '@zhugong/contract/notify/endpoints'
import { sql } from 'kysely'
import type pg from 'pg'
import { dayMs, formatDay, formatInstant, startOfDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { found, groupTypes, oneProject, projectsFor, requireProject } from '#kit/context'
import { allOf, anyOf, condition, contains, equals, inProjects, pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'
import { readPlans } from './plans.ts'
import { findReceivers, type Receiver, rolesAndPeople } from './receivers.ts'

export interface NoticeSettings {
  pool: pg.Pool
  /** Which channels this installation can send over. */
  ready: Readonly<Record<NoticeChannel, boolean>>
}

interface LogRow {
  id: string
  projectCode: string
  projectName: string
  alarmId: string | null
  alarmLabel: string | null
  deviceName: string | null
  alarms: number
  execId: string | null
  execName: string | null
  kind: string
  step: string
  level: number
  channel: string
  receiverName: string
  receiverMask: string | null
  title: string
  text: string
  state: string
  result: string
  attempts: number
  createTime: Date
  sentAt: Date | null
}

const channelName = (channel: string): string => noticeChannels[channel as NoticeChannel] ?? (channel === 'webhook' ? 'Webhook' : '联动')

const logTables = sql`exec_log x join project p on p.project_code = x.project_code left join alarm a on a.id = x.alarm_id left join rule_exec e on e.id = x.exec_id`

function personOf(r: Receiver) {
  return { id: r.id, name: r.name, phoneMask: r.phoneMask, emailMask: r.emailMask, hasPhone: r.phone !== null, hasEmail: r.email !== null }
}

export function notifyRoutes(serve: Serve, settings: NoticeSettings): void {
  serve(calls.listExecLog, async ({ query }, ctx) => {
    const scope = inProjects('x.project_code', projectsFor(ctx, query.projectCode))
    const where = allOf(
      ...scope,
      ...equals('x.exec_id', query.execId),
      ...(query.alarmId ? [condition(sql`x.alarm_ids @> ${[query.alarmId]}::text[]`)] : []),
      ...anyOf('x.kind', query.kind),
      ...anyOf('x.state', query.state),
      ...anyOf('x.channel', query.channel),
      ...contains('x.receiver_name', query.receiverName),
    )
    const { limit, offset } = pageSlice(query)
    const { rows } =
      await sql<LogRow>`select x.id, x.project_code, p.name as project_name, x.alarm_id, a.label as alarm_label, a.device_name, cardinality(x.alarm_ids) as alarms, x.exec_id,
        e.name as exec_name, x.kind, x.step, x.level, x.channel, x.receiver_name, x.receiver_mask, x.title, case x.kind when 'webhook' then '' else x.text end as text, x.state, x.result, x.attempts, x.create_time, x.sent_at
      from ${logTables} where ${where} order by x.create_time desc, x.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
    const total = await sql<{ n: number }>`select count(*)::int as n from exec_log x where ${where}`.execute(ctx.db)
    const since = new Date(ctx.clock.now() - dayMs)
    const counts = await sql<{
      sent: number
      failed: number
      waiting: number
    }>`select count(*) filter (where x.state = 'sent')::int as sent,
        count(*) filter (where x.state = 'failed')::int as failed, count(*) filter (where x.state = 'waiting')::int as waiting
      from exec_log x where ${allOf(...scope, ...equals('x.exec_id', query.execId))} and x.create_time >= ${since}`.execute(ctx.db)
    return {
      list: rows.map(({ createTime, sentAt, ...r }) => ({
        ...r,
        stepName: noticeSteps[r.step] ?? r.step,
        stateName: noticeStates[r.state] ?? r.state,
        channelName: channelName(r.channel),
        time: formatInstant(createTime),
        sentTime: sentAt ? formatInstant(sentAt) : null,
      })),
      total: total.rows[0]?.n ?? 0,
      counts: counts.rows[0] ?? { sent: 0, failed: 0, waiting: 0 },
    }
  })

  serve(calls.resendNotice, async ({ params, query }, ctx) => {
    const { rows } = await sql<{
      id: string
      state: string
      kind: string
      title: string
    }>`select x.id, x.state, x.kind, x.title from exec_log x
      where x.id = ${params.id} and ${allOf(...inProjects('x.project_code', projectsFor(ctx, query.projectCode)))} for update`.execute(
      ctx.db,
    )
    const row = found(rows[0], '通知记录')
    if (row.kind === 'linkage' || row.state !== 'failed') throw new AppError('refused', '只有发送失败的通知可以重发')
    await sql`update exec_log set state = 'waiting', attempts = 0, due_at = ${new Date(ctx.clock.now())}, result = '' where id = ${row.id}`.execute(
      ctx.db,
    )
    ctx.note(`重发通知：${row.title}`, row.id)
    return { id: row.id }
  })

  // Colleagues of other groups (company, supervisor) are named here as a site's plan names them: looked up beside row-level security.
  serve(calls.execReceivers, async ({ query }, ctx) => {
    requireProject(ctx, query.projectCode)
    await seesProject(ctx, query.projectCode)
    const now = ctx.clock.now()
    const groups = await findReceivers(
      settings.pool,
      query.projectCode,
      { roles: query.roles ?? [], userIds: query.userIds ?? [], onDuty: query.onDuty ?? false },
      now,
    )
    const { roles } = await rolesAndPeople(settings.pool, query.projectCode, now)
    return {
      list: groups.map((g) => ({
        kind: g.kind,
        // An account that is nobody's here is not named to whoever guesses ids.
        name: g.kind === 'user' && g.people.length === 0 ? '不在本项目的账号' : g.name,
        people: g.people.map(personOf),
        empty: g.people.length === 0,
      })),
      roles,
      channels: (Object.keys(noticeChannels) as NoticeChannel[]).map((c) => ({
        channel: c,
        name: noticeChannels[c],
        ready: settings.ready[c],
      })),
    }
  })

  serve(calls.testExec, async ({ params, body }, ctx) => {
    const { rows } = await sql<{ name: string; kind: string; definition: { channels?: string[] }; projectCode: string | null }>`
      select name, kind, definition, project_code from rule_exec where id = ${params.id}`.execute(ctx.db)
    const exec = found(rows[0], '执行动作')
    if (body.projectCode) await seesProject(ctx, body.projectCode)
    if (exec.kind !== 'notify' && exec.kind !== 'webhook') throw new AppError('refused', '联动请使用模拟联动')
    const projectCode =
      exec.projectCode ?? (body.projectCode || ctx.projectCode !== '*' ? oneProject(ctx, body.projectCode) : await anyProject(ctx))
    requireProject(ctx, projectCode)
    const now = new Date(ctx.clock.now())
    const channels = exec.kind === 'webhook' ? ['webhook'] : (exec.definition.channels ?? []).filter((c) => c in noticeChannels)
    const title = `测试：${exec.name}`
    const text = `这是一条测试消息，由${ctx.user.name}发出，用于确认通知渠道可用。`
    const person = await sql<{ phone: Buffer | null; phoneMask: string | null; email: Buffer | null; emailMask: string | null }>`
      select phone, phone_mask, email, email_mask from app_user where id = ${ctx.user.id}`.execute(ctx.db)
    const sent: { channel: string; state: string; result: string }[] = []
    for (const channel of channels) {
      const { state, result } = wayOf(channel, person.rows[0], settings)
      const messageText = channel === 'webhook' ? JSON.stringify({ event: 'test', title, alarms: [] }) : text
      await sql`insert into exec_log (id, project_code, exec_id, kind, step, level, channel, receiver_id, receiver_name, receiver_mask, title, text, state, result, attempts, due_at, sent_at, create_time)
        values (${ctx.newId()}, ${projectCode}, ${params.id}, ${exec.kind}, 'test', 4, ${channel}, ${channel === 'webhook' ? null : ctx.user.id}, ${channel === 'webhook' ? 'Webhook' : ctx.user.name},
          ${channel === '2' ? (person.rows[0]?.phoneMask ?? null) : channel === '4' ? (person.rows[0]?.emailMask ?? null) : null}, ${title}, ${messageText}, ${state}, ${result},
          ${state === 'sent' ? 1 : 0}, ${state === 'waiting' ? now : null}, ${state === 'sent' ? now : null}, ${now})`.execute(ctx.db)
      if (channel === '1') {
        await sql`insert into message (id, user_id, project_code, kind, level, title, text, create_time) values (${ctx.newId()}, ${ctx.user.id}, ${projectCode}, 'test', 4, ${title}, ${text}, ${now})`.execute(
          ctx.db,
        )
      }
      sent.push({ channel, state, result: result || (state === 'waiting' ? '已提交发送，结果见执行日志' : '') })
    }
    ctx.note(`测试执行动作：${exec.name}`, params.id)
    return { sent }
  })

  serve(calls.noticePlan, async ({ query }, ctx) => {
    requireProject(ctx, query.projectCode)
    await seesProject(ctx, query.projectCode)
    const now = ctx.clock.now()
    const subjects = [1, 2, 3, 4].map((level) => ({ ruleId: null, projectCode: query.projectCode, level }))
    const plans = await readPlans(settings.pool, subjects)
    const namesOf = async (roles: readonly string[], onDuty = false) =>
      (await findReceivers(settings.pool, query.projectCode, { roles, userIds: [], onDuty }, now)).map((g) => ({
        role: g.name,
        people: g.people.map((p) => p.name),
      }))
    const list = []
    for (const subject of subjects) {
      const plan = plans.one(subject, '')
      if (!plan) continue
      const ladder = []
      for (const rung of plan.escalation) {
        const people = await namesOf(rung.roles)
        ladder.push({ afterMinutes: rung.afterMinutes, roles: rung.roles, people: [...new Set(people.flatMap((g) => g.people))] })
      }
      list.push({
        level: subject.level,
        channels: plan.channels,
        receivers: await namesOf(plan.roles, plan.onDuty),
        repeatMinutes: plan.repeatMinutes,
        ladder,
        digest: plan.digest,
      })
    }
    return { list, total: list.length }
  })

  dutyRoutes(serve, settings)
  messageRoutes(serve)
}

function wayOf(
  channel: string,
  person: { phone: Buffer | null; email: Buffer | null } | undefined,
  { ready }: NoticeSettings,
): { state: string; result: string } {
  if (channel === '1') return { state: 'sent', result: '' }
  if (channel === 'webhook') return { state: 'waiting', result: '' }
  if (!ready[channel as NoticeChannel]) return { state: 'failed', result: channel === '2' ? '短信通道未配置' : '邮件服务未配置' }
  const address = channel === '2' ? person?.phone : person?.email
  return address ? { state: 'waiting', result: '' } : { state: 'skipped', result: channel === '2' ? '您未登记手机号' : '您未登记邮箱' }
}

/** What is looked up beside row-level security is asked for by people who see the project, with or without the application's own checks. */
async function seesProject(ctx: Context, projectCode: string): Promise<void> {
  const { rows } =
    await sql`select 1 from project where project_code = ${projectCode} and ${allOf(...inProjects('project_code', projectsFor(ctx)))}`.execute(
      ctx.db,
    )
  if (rows.length === 0) throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projectCode' })
}

async function anyProject(ctx: Context): Promise<string> {
  if (ctx.group.type === groupTypes.project) return ctx.group.code
  const { rows } = await sql<{
    projectCode: string
  }>`select project_code from project where ${allOf(...inProjects('project_code', projectsFor(ctx)))} order by project_code limit 1`.execute(
    ctx.db,
  )
  return found(rows[0], '项目').projectCode
}

interface DutyRow {
  id: string
  projectCode: string
  userId: string
  fromTime: Date
  untilTime: Date
  remark: string
  version: number
}

/** A shift is one day or less in practice; somebody who is on duty for a year has mistyped. */
const longestShiftMs = 14 * dayMs

function dutyRoutes(serve: Serve, settings: NoticeSettings): void {
  serve(calls.listDuty, async ({ query }, ctx) => {
    requireProject(ctx, query.projectCode)
    await seesProject(ctx, query.projectCode)
    const now = ctx.clock.now()
    const from = (query.from && parseInstant(query.from)) || startOfDay(formatDay(now))
    const to = (query.to && parseInstant(query.to)) || from + 7 * dayMs
    const { rows } =
      await sql<DutyRow>`select d.id, d.project_code, d.user_id, d.from_time, d.until_time, d.remark, d.version from duty_shift d
      where d.project_code = ${query.projectCode} and d.until_time > ${new Date(from)} and d.from_time < ${new Date(to)} order by d.from_time, d.id limit 500`.execute(
        ctx.db,
      )
    const { rows: names } = await settings.pool.query<{ id: string; name: string; phone_mask: string | null }>(
      'select id, name, phone_mask from app_user where id = any ($1)',
      [rows.map((r) => r.userId)],
    )
    const nameOf = new Map(names.map((n) => [n.id, n]))
    const { people } = await rolesAndPeople(settings.pool, query.projectCode, now)
    return {
      list: rows.map((r) => ({
        id: r.id,
        userId: r.userId,
        userName: nameOf.get(r.userId)?.name ?? '',
        phoneMask: nameOf.get(r.userId)?.phone_mask ?? null,
        fromTime: formatInstant(r.fromTime),
        untilTime: formatInstant(r.untilTime),
        remark: r.remark,
        version: r.version,
      })),
      total: rows.length,
      people,
    }
  })

  const checked = async (
    ctx: Context,
    projectCode: string,
    body: { userId: string; fromTime: string; untilTime: string },
    except?: string,
  ) => {
    const from = parseInstant(body.fromTime) ?? 0
    const until = parseInstant(body.untilTime) ?? 0
    if (until - from > longestShiftMs) throw new AppError('invalidInput', '一个班次最长 14 天', { field: 'untilTime' })
    const { people } = await rolesAndPeople(settings.pool, projectCode, ctx.clock.now())
    if (!people.some((p) => p.id === body.userId)) throw new AppError('invalidInput', '值班人员须为本项目在用账号', { field: 'userId' })
    const { rows } =
      await sql`select 1 from duty_shift where project_code = ${projectCode} and user_id = ${body.userId} and id <> ${except ?? ''}
      and from_time < ${new Date(until)} and until_time > ${new Date(from)}`.execute(ctx.db)
    if (rows.length) throw new AppError('conflict', '该人员在此时段已有值班', { field: 'fromTime' })
    return { from: new Date(from), until: new Date(until) }
  }
  const findShift = async (ctx: Context, id: string, projectCode: string) => {
    const { rows } = await sql<DutyRow>`select id, project_code, user_id, from_time, until_time, remark, version from duty_shift
      where id = ${id} and ${allOf(...inProjects('project_code', projectsFor(ctx, projectCode)))} for update`.execute(ctx.db)
    return found(rows[0], '值班')
  }

  serve(calls.createDuty, async ({ query: { projectCode }, body }, ctx) => {
    requireProject(ctx, projectCode)
    await seesProject(ctx, projectCode)
    const { from, until } = await checked(ctx, projectCode, body)
    const id = ctx.newId()
    await sql`insert into duty_shift (id, project_code, user_id, from_time, until_time, remark, create_time, create_by)
      values (${id}, ${projectCode}, ${body.userId}, ${from}, ${until}, ${body.remark ?? ''}, ${new Date(ctx.clock.now())}, ${ctx.user.name})`.execute(
      ctx.db,
    )
    ctx.note('新增值班', id)
    return { id }
  })
  serve(calls.updateDuty, async ({ params, query, body }, ctx) => {
    const row = await findShift(ctx, params.id, query.projectCode)
    if (body.version !== undefined && body.version !== row.version)
      throw new AppError('conflict', '值班刚被其他人修改，请刷新后再试', { version: row.version })
    const { from, until } = await checked(ctx, row.projectCode, body, row.id)
    await sql`update duty_shift set user_id = ${body.userId}, from_time = ${from}, until_time = ${until}, remark = ${body.remark ?? ''}, version = version + 1,
      update_time = ${new Date(ctx.clock.now())}, update_by = ${ctx.user.name} where id = ${row.id}`.execute(ctx.db)
    ctx.note('修改值班', row.id)
    return { id: row.id }
  })
  serve(calls.deleteDuty, async ({ params, query }, ctx) => {
    const row = await findShift(ctx, params.id, query.projectCode)
    await sql`delete from duty_shift where id = ${row.id}`.execute(ctx.db)
    ctx.note('删除值班', row.id)
  })
}

interface MessageRow {
  id: string
  kind: string
  level: number | null
  title: string
  text: string
  link: string | null
  projectCode: string | null
  simulated: boolean
  readTime: Date | null
  createTime: Date
}

function messageRoutes(serve: Serve): void {
  serve(calls.listMessages, async ({ query }, ctx) => {
    const where = allOf(
      ...equals('user_id', ctx.user.id),
      ...(query.unread === undefined ? [] : [condition(sql`(read_time is null) = ${query.unread}`)]),
      ...anyOf('kind', query.kind),
    )
    const { limit, offset } = pageSlice(query)
    const { rows } =
      await sql<MessageRow>`select id, kind, level, title, text, link, project_code, simulated, read_time, create_time from message
      where ${where} order by create_time desc, id desc limit ${limit} offset ${offset}`.execute(ctx.db)
    const count = await sql<{ n: number }>`select count(*)::int as n from message where ${where}`.execute(ctx.db)
    const unread = await sql<{
      n: number
    }>`select count(*)::int as n from message where user_id = ${ctx.user.id} and read_time is null`.execute(ctx.db)
    return {
      list: rows.map(({ readTime, createTime, ...r }) => ({ ...r, read: readTime !== null, time: formatInstant(createTime) })),
      total: count.rows[0]?.n ?? 0,
      counts: { unread: unread.rows[0]?.n ?? 0 },
    }
  })
  serve(calls.readMessages, async ({ body }, ctx) => {
    if (!body.all && !body.ids?.length) throw new AppError('invalidInput', '请选择消息', { field: 'ids' })
    const { numAffectedRows } = await sql`update message set read_time = ${new Date(ctx.clock.now())}
      where user_id = ${ctx.user.id} and read_time is null and ${body.all ? sql`true` : sql`id = any (${body.ids ?? []})`}`.execute(ctx.db)
    return { read: Number(numAffectedRows ?? 0) }
  })
}
