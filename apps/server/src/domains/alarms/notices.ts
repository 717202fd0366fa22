import { alarmStates, isUrgeable } from '@zhugong/contract/alarms/codes'
import * as calls from '@zhugong/contract/alarms/notices'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, projectsFor, requireCode } from '#kit/context'
import { allOf, equals } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { actOn, firstRequested, holdItem, itemOf, newestItem, startFlow } from '../workflow/public.ts'
import { checkNotice, requireDeadline } from './notice-check.ts'
import { tellOfUrging, writeStep } from './notice-course.ts'
import { flowStart, noticeKind } from './notice-flow.ts'
import { inSight, isReported, type NoticeRow, noticeColumns, noticePage, noticeTables } from './notice-rows.ts'

export function noticeRoutes(serve: Serve): void {
  serve(calls.listNotices, listNotices)
  serve(calls.sendNotice, sendNotice)
  serve(calls.noticeReceivers, noticeReceivers)
  serve(calls.actOnNotice, actOnNotice)
}

const listNotices: HandlerOf<typeof calls.listNotices> = async ({ query }, ctx) => {
  const running = sql`n.state = ${approvalStates.running}`
  const { rows } = await sql<{ waiting: number; unread: number; late: number; answered: number; toCheck: number }>`
    select count(*) filter (where ${running})::int as waiting, count(*) filter (where ${running} and n.read_time is null)::int as unread,
      count(*) filter (where ${running} and n.deadline < ${new Date(ctx.clock.now())})::int as late,
      count(*) filter (where n.state = ${approvalStates.passed})::int as answered,
      count(*) filter (where n.state = ${approvalStates.passed} and n.kind = 'supervise')::int as to_check
    from site_notice n where ${allOf(...inSight(ctx, query))}`.execute(ctx.db)
  const counts = rows[0] ?? { waiting: 0, unread: 0, late: 0, answered: 0, toCheck: 0 }
  return { ...(await noticePage(ctx, query, true)), counts }
}

type Sending = ParsedFor<typeof calls.sendNotice>['body']

/** Checks that the devices and alarms belong to the projects given; ids from the client are not trusted. */
async function checkTargets(ctx: Context, targets: Sending['targets']): Promise<void> {
  for (const code of new Set(targets.map((one) => one.projectCode))) projectsFor(ctx, code)
  const devices = targets.flatMap((one) => (one.deviceId === null ? [] : [one.deviceId]))
  const alarms = targets.flatMap((one) => (one.alarmId === null ? [] : [one.alarmId]))
  const { rows } = await sql<{ id: string; projectCode: string }>`
    select id, project_code from device where id = any (${devices}) union all select id, project_code from alarm where id = any (${alarms})`.execute(
    ctx.db,
  )
  const siteOf = new Map(rows.map((r) => [r.id, r.projectCode]))
  const strange = targets.some((one) => [one.deviceId, one.alarmId].some((id) => id !== null && siteOf.get(id) !== one.projectCode))
  if (strange) throw new AppError('invalidInput', '所选设备或告警不属于该项目', { field: 'targets' })
}

/** Only serious, unsettled alarms can be supervised, and by one group at a time; a second request is refused with the name of the first. */
async function checkUrgings(ctx: Context, alarmIds: readonly string[]): Promise<void> {
  if (new Set(alarmIds).size < alarmIds.length) throw new AppError('invalidInput', '同一告警只能督办一次', { field: 'targets' })
  // Serialises requests of the same group for the same alarm, so that the second one sees the first.
  for (const id of [...alarmIds].sort())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`urging ${ctx.group.id} ${id}`}, 0))`.execute(ctx.db)
  const { rows } = await sql<{
    name: string
    maxLevel: number
    state: keyof typeof alarmStates
    simulated: boolean
    historical: boolean
    by: string | null
    until: Date | null
  }>`
    select a.device_name || ' ' || a.label as name, a.max_level, a.state, a.simulated, a.historical, n.from_name as by, n.deadline as until
    from alarm a left join site_notice n on n.alarm_id = a.id and n.kind = 'supervise' and n.from_group = ${ctx.group.id} and n.state in ('1', '2')
    where a.id = any (${[...alarmIds]}) order by a.id`.execute(ctx.db)
  for (const row of rows) {
    if (row.until)
      throw new AppError('refused', `${row.name}已由 ${row.by} 督办，期限 ${formatInstant(row.until)}，请等待答复或先撤回`, {
        field: 'targets',
      })
    if (!isUrgeable(row))
      throw new AppError('refused', `${row.name}不能督办：只督办未关闭的一、二级告警（${alarmStates[row.state]}）`, { field: 'targets' })
  }
}

const sendNotice: HandlerOf<typeof calls.sendNotice> = async ({ query, body }, ctx) => {
  projectsFor(ctx, query.projectCode)
  const now = ctx.clock.now()
  if (ctx.group.type === groupTypes.project) throw new AppError('refused', '现场通知由监督机构、企业或平台发出')
  const deadline = requireDeadline(body.deadline, now)
  await checkTargets(ctx, body.targets)
  const alarmIds = body.targets.flatMap((one) => (one.alarmId === null ? [] : [one.alarmId]))
  if (calls.isChecked(body.kind)) await checkUrgings(ctx, alarmIds)
  // Supervision orders always need an answer; a required photo implies an answer.
  const replyWanted = body.replyWanted || body.photoWanted || calls.isChecked(body.kind)
  const batch = ctx.newId()
  const ids: string[] = []
  for (const target of body.targets) {
    const id = ctx.newId()
    await sql`insert into site_notice (id, project_code, batch, kind, text, deadline, reply_wanted, photo_wanted, device_id, alarm_id, subject, from_id, from_name, from_group,
        from_group_name, create_time)
      values (${id}, ${target.projectCode}, ${batch}, ${body.kind}, ${body.text}, ${deadline}, ${replyWanted}, ${body.photoWanted}, ${target.deviceId}, ${target.alarmId},
        ${target.subject}, ${ctx.user.id}, ${ctx.user.name}, ${ctx.group.id}, ${ctx.group.name}, ${new Date(now)})`.execute(ctx.db)
    const request = { id, projectCode: target.projectCode, subject: target.subject, deadline }
    await startFlow(ctx, flowStart({ ...request, kind: body.kind, text: body.text, replyWanted }, ctx.group.id))
    const notice = { id, projectCode: target.projectCode, kind: body.kind, alarmId: target.alarmId }
    await writeStep(ctx, notice, { action: 'send', text: body.text, deadline })
    await tellOfUrging(ctx, notice, body.text)
    ids.push(id)
  }
  const projects = new Set(body.targets.map((one) => one.projectCode)).size
  ctx.note(`${calls.noticeKinds[body.kind]}：通知 ${projects} 个项目，${formatInstant(deadline)} 前${replyWanted ? '答复' : '办理'}`, batch)
  return { ids, projects }
}

/** The first receivers at each site according to its settings, for the preview before sending. */
const noticeReceivers: HandlerOf<typeof calls.noticeReceivers> = async ({ query }, ctx) => {
  const codes = [...new Set(query.projectCode)].slice(0, calls.mostTargets)
  for (const code of codes) projectsFor(ctx, code)
  const { rows } = await sql<{ projectCode: string; name: string }>`
    select project_code, name from project where project_code = any (${codes}) order by name`.execute(ctx.db)
  const list = []
  for (const { projectCode, name } of rows) {
    const people = await firstRequested(ctx, noticeKind, projectCode)
    list.push({ projectCode, projectName: name, people: people.map((p) => p.name) })
  }
  return { list, total: list.length }
}

const deeds = { answer: 'pass', return: 'reject', withdraw: 'withdraw' } as const
const verbs = { answer: '答复', return: '退回', withdraw: '撤回' } as const

const actOnNotice: HandlerOf<typeof calls.actOnNotice> = async ({ params, query, body }, ctx) => {
  // Locks the approval item before the notice, in the same order as decisions.
  await holdItem(ctx, noticeKind, params.id)
  const { rows } = await sql<NoticeRow>`select ${noticeColumns} from ${noticeTables}
    where ${allOf(...equals('n.id', params.id), ...inSight(ctx, { projectCode: query.projectCode, box: undefined }))} for update of n`.execute(
    ctx.db,
  )
  const row = found(rows[0], '通知')
  const bySender = body.action === 'withdraw' || body.action === 'accept' || body.action === 'redo'
  requireCode(ctx, bySender ? 'alarm.urge' : calls.answersNotices)
  if (body.action === 'read') return read(ctx, row)
  const { action } = body
  if (action === 'accept' || action === 'redo') return checkNotice(ctx, row, { ...body, action })
  const item = row.state === approvalStates.running ? await itemOf(ctx, noticeKind, row.id) : await newestItem(ctx, noticeKind, row.id)
  if (!item) throw new AppError('refused', '当前状态不允许该操作')
  if (row.state === approvalStates.running && body.version !== undefined && body.version !== row.version)
    throw await conflictOf(ctx, 'siteNotice', { id: row.id }, '通知')
  await actOn(ctx, item.id, {
    result: deeds[action],
    opinion: body.text,
    choice: { photos: body.photos },
    ...(action === 'withdraw' ? {} : { code: calls.answersNotices }),
  })
  ctx.note(`${verbs[action]}现场通知：${row.subject || row.text.slice(0, 40)}`, row.id)
  return undefined
}

/** Marks the notice as read by the site; the sender sees by whom and when. */
async function read(ctx: Context, row: NoticeRow): Promise<undefined> {
  if (!isReported(ctx, row)) throw new AppError('refused', '只有收到通知的项目可以签收')
  if (row.state !== approvalStates.running) throw new AppError('refused', '通知已办结，无需签收')
  if (row.readTime === null) {
    await sql`update site_notice set read_time = ${new Date(ctx.clock.now())}, read_name = ${ctx.user.name}, version = version + 1
      where id = ${row.id} and read_time is null`.execute(ctx.db)
    await writeStep(ctx, row, { action: 'read' })
  }
  ctx.note(`签收现场通知：${row.subject || row.text.slice(0, 40)}`, row.id)
  return undefined
}
