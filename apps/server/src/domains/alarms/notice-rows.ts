import * as calls from '@zhugong/contract/alarms/notices'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { groupTypes, projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import { exportOf, type ListContext, pagesOf } from '../exports/registry.ts'
import { linksOf } from '../files/public.ts'
import { actionsFor, type ItemActions } from '../workflow/public.ts'
import { coursesOf, type NoticeStep } from './notice-course.ts'
import { noticeKind } from './notice-flow.ts'

export interface NoticeRow
  extends Omit<
    calls.SiteNotice,
    'deadline' | 'createTime' | 'readTime' | 'doneTime' | 'checkTime' | 'photos' | 'fromGroup' | 'late' | 'itemId' | 'actions' | 'course'
  > {
  deadline: Date
  createTime: Date
  readTime: Date | null
  doneTime: Date | null
  checkTime: Date | null
  files: string[]
  fromGroup: string | null
  fromGroupName: string
}
export const noticeColumns = sql`n.id, n.project_code, p.name as project_name, n.kind, n.text, n.deadline, n.reply_wanted, n.device_id, d.name as device_name, n.alarm_id, n.subject,
  n.from_name, n.from_group, n.from_group_name, n.create_time, n.read_time, n.read_name, n.state, n.answer, n.files, n.done_name, n.done_time, n.photo_wanted,
  n.redone, n.check_text, n.check_name, n.check_time, n.version`
export const noticeTables = sql`site_notice n join project p on p.project_code = n.project_code left join device d on d.id = n.device_id`

/** Whether the caller's group issued this supervision order and may check the answer now. */
export const mayCheck = (ctx: ListContext, row: Pick<NoticeRow, 'kind' | 'state' | 'fromGroup'>): boolean =>
  calls.isChecked(row.kind) && row.state === calls.noticeState.answered && row.fromGroup === ctx.group.id && ctx.codes.has('alarm.urge')

export const isReported = (ctx: ListContext, row: Pick<NoticeRow, 'projectCode'>) =>
  ctx.group.type === groupTypes.project && ctx.group.code === row.projectCode

function toNotice(
  ctx: ListContext,
  { files, fromGroup, fromGroupName, ...row }: NoticeRow,
  available: ItemActions | undefined,
  course: readonly NoticeStep[],
): calls.SiteNotice {
  const choices = available?.actions ?? []
  const end = row.doneTime?.getTime() ?? ctx.clock.now()
  const answers = choices.includes('pass') && ctx.codes.has(calls.answersNotices)
  const actions: calls.SiteNotice['actions'] = [
    ...(row.state === approvalStates.running && row.readTime === null && isReported(ctx, row) && ctx.codes.has(calls.answersNotices)
      ? (['read'] as const)
      : []),
    ...(answers ? (['answer', 'return'] as const) : []),
    ...(choices.includes('withdraw') && ctx.codes.has('alarm.urge') ? (['withdraw'] as const) : []),
    ...(mayCheck(ctx, { ...row, fromGroup }) ? (['accept', 'redo'] as const) : []),
  ]
  return {
    ...row,
    fromGroup: fromGroupName,
    deadline: row.deadline.getTime(),
    createTime: row.createTime.getTime(),
    readTime: row.readTime?.getTime() ?? null,
    doneTime: row.doneTime?.getTime() ?? null,
    checkTime: row.checkTime?.getTime() ?? null,
    late: row.state !== approvalStates.withdrawn && end > row.deadline.getTime(),
    photos: linksOf(ctx, files),
    itemId: available?.itemId ?? null,
    course: course.map(({ noticeId: _notice, files: shown, at, deadline, ...step }) => ({
      ...step,
      time: at.getTime(),
      deadline: deadline?.getTime() ?? null,
      photos: linksOf(ctx, shown),
    })),
    actions,
  }
}

type Query = ParsedFor<typeof calls.listNotices>['query']
const isLate = (now: number) =>
  condition(sql`n.state <> ${approvalStates.withdrawn} and coalesce(n.done_time, ${new Date(now)}) > n.deadline`)

/** Notices are visible to the site and to companies that see it as a whole, not to companies that see only their own people. */
export const inSight = (ctx: ListContext, query: Pick<Query, 'projectCode' | 'box'>): Condition[] => [
  ...inProjects('n.project_code', projectsFor(ctx, query.projectCode)),
  condition(sql`n.project_code <> all (${[...ctx.scope.limited]}::text[])`),
  ...(query.box === undefined
    ? []
    : [condition(query.box === 'out' ? sql`n.from_group = ${ctx.group.id}` : sql`n.from_group is distinct from ${ctx.group.id}`)]),
]

export async function noticePage(ctx: ListContext, query: Query, actions: boolean) {
  const { limit, offset } = pageSlice(query)
  const now = ctx.clock.now()
  const where = allOf(
    ...inSight(ctx, query),
    ...anyOf('n.kind', query.kind),
    ...anyOf('n.state', query.state),
    ...equals('n.device_id', query.deviceId),
    ...equals('n.alarm_id', query.alarmId),
    ...equals('n.id', query.id),
    ...contains('p.name', query.projectName),
    ...contains('n.subject', query.subject),
    ...(query.late === undefined ? [] : [query.late ? isLate(now) : condition(sql`not (${isLate(now)})`)]),
  )
  const order = orderBy(query.sort, { createTime: 'n.createTime!', deadline: 'n.deadline!' }, '-createTime', 'n.id')
  const { rows } = await sql<NoticeRow & { total: number }>`
    select ${noticeColumns}, count(*) over ()::int as total from ${noticeTables} where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const waiting = rows.filter((r) => r.state === approvalStates.running).map((r) => r.id)
  const open = actions ? await actionsFor(ctx, noticeKind, waiting) : new Map<string, ItemActions>()
  const courses = await coursesOf(ctx.db, actions ? rows.map((r) => r.id) : [])
  return {
    list: rows.map(({ total: _total, ...row }) => toNotice(ctx, row, open.get(row.id), courses.get(row.id) ?? [])),
    total: rows[0]?.total ?? 0,
  }
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
      kind: (r) => calls.noticeKinds[r.kind],
      deadline: (r) => formatInstant(r.deadline),
      state: (r) => `${calls.noticeStateWord(r)}${r.late ? '（逾期）' : ''}`,
      readTime: (r) => (r.readTime === null ? '未签收' : `${r.readName} ${formatInstant(r.readTime)}`),
      doneTime: (r) => (r.doneTime === null ? null : formatInstant(r.doneTime)),
    },
  )
}
