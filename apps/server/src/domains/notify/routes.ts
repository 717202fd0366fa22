import { AppError } from '@zhugong/contract/kit/errors'
import { type NoticeChannel, noticeChannels } from '@zhugong/contract/notify/codes'
import * as calls from '@zhugong/contract/notify/endpoints'
import { sql } from 'kysely'
import { type Context, found, groupTypes, oneProject, projectsFor, requireProject } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf, Serve } from '#kit/serve'
import { dutyRoutes } from './duty.ts'
import { listExecLog, resendNotice } from './log.ts'
import { messageRoutes } from './messages.ts'
import { readPlans } from './plans.ts'
import { findReceivers, type Receiver, rolesAndPeople } from './receivers.ts'
import type { NoticeSettings } from './settings.ts'

function personOf(r: Receiver) {
  return rowOf(calls.person, r, {
    hasPhone: r.phone !== null,
    hasEmail: r.email !== null,
  })
}

export function notifyRoutes(serve: Serve, settings: NoticeSettings): void {
  serve(calls.listExecLog, listExecLog)
  serve(calls.resendNotice, resendNotice)
  serve(calls.execReceivers, execReceivers(settings))
  serve(calls.testExec, testExec(settings))
  serve(calls.noticePlan, noticePlan(settings))

  dutyRoutes(serve, settings)
  messageRoutes(serve)
}

// Shows colleagues in other groups (company, supervisor) as the site's plan names them; read without row-level security.
const execReceivers =
  (settings: NoticeSettings): HandlerOf<typeof calls.execReceivers> =>
  async ({ query }, ctx) => {
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
        // Accounts unrelated to the project are not named, so that guessed ids reveal nothing.
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
  }

const testExec =
  (settings: NoticeSettings): HandlerOf<typeof calls.testExec> =>
  async ({ params, body }, ctx) => {
    const { rows } = await sql<{ name: string; kind: string; definition: { channels?: string[] }; projectCode: string | null }>`
      select name, kind, definition, project_code from rule_exec where id = ${params.id}`.execute(ctx.db)
    const exec = found(rows[0], '执行动作')
    if (body.projectCode) await seesProject(ctx, body.projectCode)
    if (exec.kind !== 'notify' && exec.kind !== 'webhook')
      throw new AppError('refused', exec.kind === 'rectify' ? '整改动作没有试发，告警时直接下发' : '联动请使用模拟联动')
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
  }

const noticePlan =
  (settings: NoticeSettings): HandlerOf<typeof calls.noticePlan> =>
  async ({ query }, ctx) => {
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
        ...pick(plan, 'channels', 'repeatMinutes', 'digest'),
        receivers: await namesOf(plan.roles, plan.onDuty),
        ladder,
      })
    }
    return { list, total: list.length }
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

async function anyProject(ctx: Context): Promise<string> {
  if (ctx.group.type === groupTypes.project) return ctx.group.code
  const { rows } = await sql<{
    projectCode: string
  }>`select project_code from project where ${allOf(...inProjects('project_code', projectsFor(ctx)))} order by project_code limit 1`.execute(
    ctx.db,
  )
  return found(rows[0], '项目').projectCode
}
