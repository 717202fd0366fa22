import * as calls from '@zhugong/contract/alarms/notices'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, projectsFor, requireCode } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { exportOf, type ListContext, pagesOf } from '../exports/registry.ts'
import { fileIdsOf, keptFiles, linksOf } from '../files/public.ts'
import { actOn, holdItem, itemOf, newestItem, type Offer, offersFor, startFlow } from '../workflow/public.ts'
import { flowStart, noticeKind } from './notice-flow.ts'

const longestMs = 90 * 86_400_000

interface Row
  extends Omit<
    calls.SiteNotice,
    'deadline' | 'createTime' | 'readTime' | 'doneTime' | 'photos' | 'fromGroup' | 'late' | 'itemId' | 'actions'
  > {
  deadline: Date
  createTime: Date
  readTime: Date | null
  doneTime: Date | null
  files: string[]
  fromGroup: string | null
  fromGroupName: string
}
const columns = sql`n.id, n.project_code, p.name as project_name, n.kind, n.text, n.deadline, n.reply_wanted, n.device_id, d.name as device_name, n.alarm_id, n.subject,
  n.from_name, n.from_group, n.from_group_name, n.create_time, n.read_time, n.read_name, n.state, n.answer, n.files, n.done_name, n.done_time, n.version`
const tables = sql`site_notice n join project p on p.project_code = n.project_code left join device d on d.id = n.device_id`

export function noticeRoutes(serve: Serve): void {
  serve(calls.listNotices, listNotices)
  serve(calls.sendNotice, sendNotice)
  serve(calls.actOnNotice, actOnNotice)
}

const isTold = (ctx: ListContext, row: Pick<Row, 'projectCode'>) =>
  ctx.group.type === groupTypes.project && ctx.group.code === row.projectCode

function toNotice(ctx: ListContext, { files, fromGroup: _from, fromGroupName, ...row }: Row, offer?: Offer): calls.SiteNotice {
  const offered = offer?.actions ?? []
  const end = row.doneTime?.getTime() ?? ctx.clock.now()
  const answers = offered.includes('pass') && ctx.codes.has(calls.answersNotices)
  const actions: calls.SiteNotice['actions'] = [
    ...(row.state === approvalStates.running && row.readTime === null && isTold(ctx, row) && ctx.codes.has(calls.answersNotices)
      ? (['read'] as const)
      : []),
    ...(answers ? (['answer', 'return'] as const) : []),
    ...(offered.includes('withdraw') && ctx.codes.has('alarm.urge') ? (['withdraw'] as const) : []),
  ]
  return {
    ...row,
    fromGroup: fromGroupName,
    deadline: row.deadline.getTime(),
    createTime: row.createTime.getTime(),
    readTime: row.readTime?.getTime() ?? null,
    doneTime: row.doneTime?.getTime() ?? null,
    late: row.state !== approvalStates.withdrawn && end > row.deadline.getTime(),
    photos: linksOf(ctx, files),
    itemId: offer?.itemId ?? null,
    actions,
  }
}

type Query = ParsedFor<typeof calls.listNotices>['query']
const isLate = (now: number) =>
  condition(sql`n.state <> ${approvalStates.withdrawn} and coalesce(n.done_time, ${new Date(now)}) > n.deadline`)

/** What is asked of a site is its own and its companies' matter; a company with some people on it has no part in it. */
const inSight = (ctx: ListContext, query: Pick<Query, 'projectCode' | 'box'>): Condition[] => [
  ...inProjects('n.project_code', projectsFor(ctx, query.projectCode)),
  condition(sql`n.project_code <> all (${[...ctx.scope.limited]}::text[])`),
  ...(query.box === undefined
    ? []
    : [condition(query.box === 'out' ? sql`n.from_group = ${ctx.group.id}` : sql`n.from_group is distinct from ${ctx.group.id}`)]),
]

async function noticePage(ctx: ListContext, query: Query, offers: boolean) {
  const { limit, offset } = pageSlice(query)
  const now = ctx.clock.now()
  const where = allOf(
    ...inSight(ctx, query),
    ...anyOf('n.kind', query.kind),
    ...anyOf('n.state', query.state),
    ...equals('n.device_id', query.deviceId),
    ...equals('n.alarm_id', query.alarmId),
    ...contains('p.name', query.projectName),
    ...contains('n.subject', query.subject),
    ...(query.late === undefined ? [] : [query.late ? isLate(now) : condition(sql`not (${isLate(now)})`)]),
  )
  const order = orderBy(query.sort, { createTime: 'n.createTime!', deadline: 'n.deadline!' }, '-createTime', 'n.id')
  const { rows } = await sql<Row & { total: number }>`
    select ${columns}, count(*) over ()::int as total from ${tables} where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const waiting = rows.filter((r) => r.state === approvalStates.running).map((r) => r.id)
  const open = offers ? await offersFor(ctx, noticeKind, waiting) : new Map<string, Offer>()
  return { list: rows.map(({ total: _total, ...row }) => toNotice(ctx, row, open.get(row.id))), total: rows[0]?.total ?? 0 }
}

const listNotices: HandlerOf<typeof calls.listNotices> = async ({ query }, ctx) => {
  const running = sql`n.state = ${approvalStates.running}`
  const { rows } = await sql<{ waiting: number; unread: number; late: number; answered: number }>`
    select count(*) filter (where ${running})::int as waiting, count(*) filter (where ${running} and n.read_time is null)::int as unread,
      count(*) filter (where ${running} and n.deadline < ${new Date(ctx.clock.now())})::int as late,
      count(*) filter (where n.state = ${approvalStates.passed})::int as answered
    from site_notice n where ${allOf(...inSight(ctx, query))}`.execute(ctx.db)
  const counts = rows[0] ?? { waiting: 0, unread: 0, late: 0, answered: 0 }
  return { ...(await noticePage(ctx, query, true)), counts }
}

type Sending = ParsedFor<typeof calls.sendNotice>['body']

/** What a notice is about has to be the site's own; a caller's ids prove nothing. */
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

const sendNotice: HandlerOf<typeof calls.sendNotice> = async ({ query, body }, ctx) => {
  projectsFor(ctx, query.projectCode)
  const now = ctx.clock.now()
  const deadline = parseInstant(body.deadline) ?? 0
  if (ctx.group.type === groupTypes.project) throw new AppError('refused', '现场通知由监督机构、企业或平台发出')
  if (deadline <= now) throw new AppError('invalidInput', '期限应晚于现在', { field: 'deadline' })
  if (deadline - now > longestMs) throw new AppError('invalidInput', '期限最长 90 天', { field: 'deadline' })
  await checkTargets(ctx, body.targets)
  const batch = ctx.newId()
  const ids: string[] = []
  for (const target of body.targets) {
    const id = ctx.newId()
    await sql`insert into site_notice (id, project_code, batch, kind, text, deadline, reply_wanted, device_id, alarm_id, subject, from_id, from_name, from_group,
        from_group_name, create_time)
      values (${id}, ${target.projectCode}, ${batch}, ${body.kind}, ${body.text}, ${new Date(deadline)}, ${body.replyWanted}, ${target.deviceId}, ${target.alarmId},
        ${target.subject}, ${ctx.user.id}, ${ctx.user.name}, ${ctx.group.id}, ${ctx.group.name}, ${new Date(now)})`.execute(ctx.db)
    const asked = { id, projectCode: target.projectCode, subject: target.subject, deadline: new Date(deadline) }
    await startFlow(ctx, flowStart({ ...asked, kind: body.kind, text: body.text, replyWanted: body.replyWanted }, ctx.group.id))
    ids.push(id)
  }
  const projects = new Set(body.targets.map((one) => one.projectCode)).size
  ctx.note(
    `${calls.noticeKinds[body.kind]}：通知 ${projects} 个项目，${formatInstant(deadline)} 前${body.replyWanted ? '答复' : '办理'}`,
    batch,
  )
  return { ids, projects }
}

const deeds = { answer: 'pass', return: 'reject', withdraw: 'withdraw' } as const
const verbs = { answer: '答复', return: '退回', withdraw: '撤回' } as const

const actOnNotice: HandlerOf<typeof calls.actOnNotice> = async ({ params, query, body }, ctx) => {
  // Whoever decides has the item before the thing.
  await holdItem(ctx, noticeKind, params.id)
  const { rows } = await sql<Row>`select ${columns} from ${tables}
    where ${allOf(...equals('n.id', params.id), ...inSight(ctx, { projectCode: query.projectCode, box: undefined }))} for update of n`.execute(
    ctx.db,
  )
  const row = found(rows[0], '通知')
  requireCode(ctx, body.action === 'withdraw' ? 'alarm.urge' : calls.answersNotices)
  if (body.action === 'read') return read(ctx, row)
  const item = row.state === approvalStates.running ? await itemOf(ctx, noticeKind, row.id) : await newestItem(ctx, noticeKind, row.id)
  if (!item) throw new AppError('refused', '当前状态不允许该操作')
  if (row.state === approvalStates.running && body.version !== undefined && body.version !== row.version)
    throw new AppError('conflict', '通知刚被其他人办理，请刷新后再试', { version: row.version })
  await actOn(ctx, item.id, {
    result: deeds[body.action],
    opinion: body.text,
    ...(body.action === 'withdraw' ? {} : { code: calls.answersNotices }),
  })
  if (body.action === 'answer' && body.photos.length > 0) {
    const files = await keptFiles(ctx, fileIdsOf(body.photos), row.files, 'photos')
    await sql`update site_notice set files = ${files}::text[] where id = ${row.id}`.execute(ctx.db)
  }
  ctx.note(`${verbs[body.action]}现场通知：${row.subject || row.text.slice(0, 40)}`, row.id)
  return undefined
}

/** Somebody of the site has it before him: the sender sees who and when. */
async function read(ctx: Context, row: Row): Promise<undefined> {
  if (!isTold(ctx, row)) throw new AppError('refused', '只有收到通知的项目可以签收')
  if (row.state !== approvalStates.running) throw new AppError('refused', '通知已办结，无需签收')
  if (row.readTime === null)
    await sql`update site_notice set read_time = ${new Date(ctx.clock.now())}, read_name = ${ctx.user.name}, version = version + 1
      where id = ${row.id} and read_time is null`.execute(ctx.db)
  ctx.note(`签收现场通知：${row.subject || row.text.slice(0, 40)}`, row.id)
  return undefined
}

export function registerNoticeExport(): void {
  exportOf(
    calls.noticeList,
    {
      title: '现场通知',
      widths: { projectName: 28, createTime: 20, deadline: 20, text: 48, answer: 48, subject: 28 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await noticePage(ctx, q, false)).list),
      count: async (ctx, query) => (await noticePage(ctx, { ...query, page: 1, size: 1 }, false)).total,
    },
    {
      createTime: (r) => formatInstant(r.createTime),
      projectName: (r) => r.projectName,
      kind: (r) => calls.noticeKinds[r.kind],
      subject: (r) => r.subject,
      text: (r) => r.text,
      deadline: (r) => formatInstant(r.deadline),
      state: (r) => `${calls.noticeStates[r.state]}${r.late ? '（逾期）' : ''}`,
      readTime: (r) => (r.readTime === null ? '未签收' : `${r.readName} ${formatInstant(r.readTime)}`),
      answer: (r) => r.answer,
      doneTime: (r) => (r.doneTime === null ? null : formatInstant(r.doneTime)),
      fromGroup: (r) => r.fromGroup,
      fromName: (r) => r.fromName,
    },
  )
}
