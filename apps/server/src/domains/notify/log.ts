import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { type NoticeChannel, noticeChannels, noticeStates, noticeSteps } from '@zhugong/contract/notify/codes'
import * as calls from '@zhugong/contract/notify/endpoints'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { found, projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { exportOf, type ListContext, pagesOf } from '../exports/registry.ts'

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

type LogQuery = ParsedFor<typeof calls.listExecLog>['query']

function whereOf(ctx: ListContext, query: LogQuery): Condition {
  return allOf(
    ...inProjects('x.project_code', projectsFor(ctx, query.projectCode)),
    ...equals('x.exec_id', query.execId),
    ...(query.alarmId ? [condition(sql`x.alarm_ids @> ${[query.alarmId]}::text[]`)] : []),
    ...anyOf('x.kind', query.kind),
    ...anyOf('x.state', query.state),
    ...anyOf('x.channel', query.channel),
    ...contains('x.receiver_name', query.receiverName),
  )
}

const toLog = ({ createTime, sentAt, ...r }: LogRow) => ({
  ...r,
  stepName: noticeSteps[r.step] ?? r.step,
  stateName: noticeStates[r.state] ?? r.state,
  channelName: channelName(r.channel),
  time: formatInstant(createTime),
  sentTime: sentAt ? formatInstant(sentAt) : null,
})

/** A page of the notification and action log, newest first. Contents sent to webhooks are not included. */
async function findLog(ctx: ListContext, query: LogQuery) {
  const { limit, offset } = pageSlice(query)
  const { rows } =
    await sql<LogRow>`select x.id, x.project_code, p.name as project_name, x.alarm_id, a.label as alarm_label, a.device_name, cardinality(x.alarm_ids) as alarms, x.exec_id,
        e.name as exec_name, x.kind, x.step, x.level, x.channel, x.receiver_name, x.receiver_mask, x.title, case x.kind when 'webhook' then '' else x.text end as text, x.state, x.result, x.attempts, x.create_time, x.sent_at
      from ${logTables} where ${whereOf(ctx, query)} order by x.create_time desc, x.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
  return rows.map(toLog)
}

async function countLog(ctx: ListContext, query: LogQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from exec_log x where ${whereOf(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export const listExecLog: HandlerOf<typeof calls.listExecLog> = async ({ query }, ctx) => {
  const since = new Date(ctx.clock.now() - dayMs)
  const scope = [...inProjects('x.project_code', projectsFor(ctx, query.projectCode)), ...equals('x.exec_id', query.execId)]
  const counts = await sql<{
    sent: number
    failed: number
    waiting: number
  }>`select count(*) filter (where x.state = 'sent')::int as sent,
        count(*) filter (where x.state = 'failed')::int as failed, count(*) filter (where x.state = 'waiting')::int as waiting
      from exec_log x where ${allOf(...scope)} and x.create_time >= ${since}`.execute(ctx.db)
  return {
    list: await findLog(ctx, query),
    total: await countLog(ctx, query),
    counts: counts.rows[0] ?? { sent: 0, failed: 0, waiting: 0 },
  }
}

export function registerExecLogExport(): void {
  exportOf(
    calls.execLogList,
    {
      title: '执行日志',
      widths: { time: 20, alarmLabel: 30, projectName: 28, execName: 24, result: 30, text: 60 },
      rows: (ctx, query) => pagesOf(query, (q) => findLog(ctx, q)),
      count: countLog,
    },
    {
      alarmLabel: (row) => [row.deviceName, row.alarmLabel].filter(Boolean).join(' ') || row.title,
      step: (row) => row.stepName,
      channel: (row) => row.channelName,
      state: (row) => row.stateName,
    },
  )
}

export const resendNotice: HandlerOf<typeof calls.resendNotice> = async ({ params, query }, ctx) => {
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
}
