import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import * as calls from '@zhugong/contract/monitoring/video/video'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, contains, equals, inProjects, instantsBetween, pageSlice } from '#kit/list'
import { byPages, exportOf, type ListContext } from '../../exports/registry.ts'
import { todayStart } from '../shared/family.ts'

const slotMs = 3_600_000

/** Logs views of a camera once an hour, because addresses are requested every few minutes. */
export async function noteView(
  ctx: Context,
  camera: { id: string; projectCode: string },
  kind: calls.ViewKind,
  reason: string | undefined,
): Promise<void> {
  const now = ctx.clock.now()
  const at = new Date(now)
  await sql`insert into video_view (id, project_code, device_id, kind, slot, first_at, last_at, user_id, user_name, group_name, reason)
    values (${ctx.newId()}, ${camera.projectCode}, ${camera.id}, ${kind}, ${new Date(Math.floor(now / slotMs) * slotMs)}, ${at}, ${at}, ${ctx.user.id},
      ${ctx.user.name}, ${ctx.group.name}, ${reason ?? null})
    on conflict (device_id, user_id, kind, slot) do update set last_at = excluded.last_at, reason = coalesce(excluded.reason, video_view.reason)`.execute(
    ctx.db,
  )
}

interface Row {
  id: string
  projectCode: string
  projectName: string
  deviceId: string
  deviceName: string
  kind: calls.ViewKind
  firstAt: Date
  lastAt: Date
  userName: string
  groupName: string
  reason: string | null
}
type Query = ParsedFor<typeof calls.listViews>['query']
const tables = sql`video_view w join project p on p.project_code = w.project_code join device d on d.id = w.device_id`
const conditionsOf = (ctx: ListContext, query: Query): Condition =>
  allOf(
    ...inProjects('w.project_code', projectsFor(ctx, query.projectCode)),
    ...equals('w.device_id', query.deviceId),
    ...contains('d.name', query.deviceName),
    ...anyOf('w.kind', query.kind),
    ...contains('w.user_name', query.userName),
    ...contains('w.group_name', query.groupName),
    ...instantsBetween('w.last_at', query.lastAt),
  )

async function viewPage(ctx: ListContext, query: Query) {
  const { limit, offset } = pageSlice(query)
  const order = query.sort === 'lastAt' ? sql`w.last_at asc` : sql`w.last_at desc`
  const { rows } = await sql<Row & { total: number }>`
    select w.id, w.project_code, p.name as project_name, w.device_id, d.name as device_name, w.kind, w.first_at, w.last_at, w.user_name, w.group_name, w.reason,
      count(*) over ()::int as total
    from ${tables} where ${conditionsOf(ctx, query)} order by ${order}, w.id limit ${limit} offset ${offset}`.execute(ctx.db)
  return {
    list: rows.map(({ total: _total, firstAt, lastAt, ...row }) => ({ ...row, firstAt: firstAt.getTime(), lastAt: lastAt.getTime() })),
    total: rows[0]?.total ?? 0,
  }
}

export async function viewsOf(ctx: Context, query: Query) {
  const { rows } = await sql<{ views: number; people: number }>`
    select count(*)::int as views, count(distinct w.user_id)::int as people from ${tables}
    where ${allOf(...inProjects('w.project_code', projectsFor(ctx, query.projectCode)), ...equals('w.device_id', query.deviceId))}
      and w.last_at >= ${new Date(todayStart(ctx.clock.now()))}`.execute(ctx.db)
  return { ...(await viewPage(ctx, query)), today: rows[0] ?? { views: 0, people: 0 } }
}

export function registerViewExport(): void {
  exportOf(
    calls.viewList,
    {
      title: '视频查看记录',
      widths: { projectName: 28, lastAt: 20, groupName: 28, reason: 36 },
      ...byPages(viewPage),
    },
    {
      lastAt: (r) => formatInstant(r.lastAt),
      kind: (r) => calls.viewKinds[r.kind],
    },
  )
}
