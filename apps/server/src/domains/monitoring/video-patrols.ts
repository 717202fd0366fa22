import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/video-patrols'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { found, projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, contains, equals, inProjects, instantsBetween, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { exportOf, type ListContext, pagesOf } from '../exports/registry.ts'
import { fileIdsOf, keptFiles, linksOf } from '../files/public.ts'

interface Row extends Omit<calls.VideoPatrol, 'time' | 'online'> {
  at: Date
}
type CameraState = calls.VideoPatrol['cameras'][number]['state']
const columns = sql`v.id, v.project_code, p.name as project_name, v.at, v.cameras, v.result, v.finding, v.photos, v.device_id, d.name as device_name, v.by_name, v.by_group`
const tables = sql`video_patrol v join project p on p.project_code = v.project_code left join device d on d.id = v.device_id`

export function videoPatrolRoutes(serve: Serve): void {
  serve(calls.listPatrols, ({ query }, ctx) => patrolPage(ctx, query))
  serve(calls.addPatrol, addPatrol)
}

const toPatrol = (ctx: ListContext, { at, ...row }: Row): calls.VideoPatrol => ({
  ...row,
  time: at.getTime(),
  online: row.cameras.filter((one) => one.state === 'online').length,
  photos: linksOf(ctx, row.photos),
})

type Query = NonNullable<(typeof calls.listPatrols)['types']>['parsed']['query']
const conditionsOf = (ctx: ListContext, query: Query): Condition =>
  allOf(
    ...inProjects('v.project_code', projectsFor(ctx, query.projectCode)),
    ...anyOf('v.result', query.result),
    ...contains('v.by_name', query.byName),
    ...instantsBetween('v.at', query.time),
  )

/** Rounds as the list and its file show them, the newest first. */
async function patrolPage(ctx: ListContext, query: Query) {
  const { limit, offset } = pageSlice(query)
  const order = query.sort === 'time' ? sql`v.at asc` : sql`v.at desc`
  const { rows } = await sql<Row & { total: number }>`
    select ${columns}, count(*) over ()::int as total from ${tables} where ${conditionsOf(ctx, query)} order by ${order}, v.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  return { list: rows.map(({ total: _total, ...row }) => toPatrol(ctx, row)), total: rows[0]?.total ?? 0 }
}

const addPatrol: HandlerOf<typeof calls.addPatrol> = async ({ query, body }, ctx) => {
  const [projectCode, ...more] = projectsFor(ctx, query.projectCode) ?? []
  if (!projectCode || more.length > 0) throw new AppError('invalidInput', '请先选择一个项目', { field: 'projectCode' })
  const finding = body.result === 'found' ? body.finding : null
  if (body.result === 'found' && !finding) throw new AppError('invalidInput', '请填写发现的问题', { field: 'finding' })
  const ids = [...new Set(body.cameraIds)]
  const { rows: cameras } = await sql<{ deviceId: string; name: string; state: CameraState }>`
    select d.id as device_id, d.name, case when not coalesce(l.online, false) or l.v ->> 'online' = '0' then 'offline' when l.v ->> 'stream' = '2' then 'covered'
      when l.v ->> 'stream' = '0' then 'noStream' else 'online' end as state
    from device d left join device_latest l on l.device_id = d.id
    where d.id = any (${ids}) and d.family = 'videoAi' and d.project_code = ${projectCode} order by d.name, d.id`.execute(ctx.db)
  if (cameras.length !== ids.length) throw new AppError('invalidInput', '摄像机不属于这个项目', { field: 'cameraIds' })
  const seenBy = finding === null ? null : body.deviceId
  if (seenBy !== null && !ids.includes(seenBy)) throw new AppError('invalidInput', '发现问题的摄像机不在这一轮里', { field: 'deviceId' })
  const photos = finding === null ? [] : await keptFiles(ctx, fileIdsOf(body.photos), [], 'photos')
  const id = ctx.newId()
  await sql`insert into video_patrol (id, project_code, at, cameras, result, finding, photos, device_id, by_id, by_name, by_group)
    values (${id}, ${projectCode}, ${new Date(ctx.clock.now())}, ${JSON.stringify(cameras)}::jsonb, ${body.result}, ${finding}, ${photos}::text[], ${seenBy},
      ${ctx.user.id}, ${ctx.user.name}, ${ctx.group.name})`.execute(ctx.db)
  ctx.note(`视频巡查 ${cameras.length} 路：${finding ?? calls.patrolResults.fine}`, id)
  const { rows } = await sql<Row>`select ${columns} from ${tables} where ${allOf(...equals('v.id', id))}`.execute(ctx.db)
  return toPatrol(ctx, found(rows[0], '巡查记录'))
}

export function registerPatrolExport(): void {
  exportOf(
    calls.patrolList,
    {
      title: '视频巡查记录',
      widths: { projectName: 28, time: 20, finding: 48 },
      rows: (ctx, query) => pagesOf(query, async (q) => (await patrolPage(ctx, q)).list),
      count: async (ctx, query) => (await patrolPage(ctx, { ...query, page: 1, size: 1 })).total,
    },
    {
      time: (r) => formatInstant(r.time),
      projectName: (r) => r.projectName,
      cameras: (r) => r.cameras.length,
      online: (r) => r.online,
      result: (r) => calls.patrolResults[r.result],
      finding: (r) => r.finding,
      deviceName: (r) => r.deviceName,
      byName: (r) => r.byName,
      byGroup: (r) => r.byGroup,
    },
  )
}
