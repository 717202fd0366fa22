import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/video/video-walls'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { type Context, found, projectsFor } from '#kit/context'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { oneProject } from '../meter/meter-months.ts'

/** Camera wall layouts, private or shared in a group. */
export function videoWallRoutes(serve: Serve): void {
  serve(calls.listWalls, listWalls)
  serve(calls.addWall, addWall)
  serve(calls.changeWall, changeWall)
  serve(calls.removeWall, removeWall)
}

interface Row extends Omit<calls.VideoWall, 'updateTime' | 'own'> {
  updateTime: Date
  byId: string
}
const columns = sql`w.id, w.project_code, w.name, w.size, w.cameras, w.shared, w.by_id, w.by_name, w.update_time, w.version`

/** Layouts visible in the caller's group: private ones of others are excluded. */
const seen = (ctx: Context, projectCode: string) =>
  sql`w.group_id = ${ctx.group.id} and (w.shared or w.by_id = ${ctx.user.id}) and ${allOf(...inProjects('w.project_code', projectsFor(ctx, projectCode)))}`

const toWall = (ctx: Context, { byId, updateTime, ...row }: Row): calls.VideoWall => ({
  ...row,
  updateTime: updateTime.getTime(),
  own: byId === ctx.user.id,
})

const listWalls: HandlerOf<typeof calls.listWalls> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row & { total: number }>`select ${columns}, count(*) over ()::int as total from video_wall w
    where ${seen(ctx, query.projectCode)} order by w.by_id <> ${ctx.user.id}, w.name, w.id limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map(({ total: _total, ...row }) => toWall(ctx, row)), total: rows[0]?.total ?? 0 }
}

async function getWall(ctx: Context, id: string, projectCode: string): Promise<Row> {
  const { rows } = await sql<Row>`select ${columns} from video_wall w
    where ${allOf(...equals('w.id', id))} and ${seen(ctx, projectCode)} for update`.execute(ctx.db)
  return found(rows[0], '布局')
}

/** Only the author may change a layout; others save their own copy. */
function requireOwn(ctx: Context, wall: Row): void {
  if (wall.byId !== ctx.user.id) throw new AppError('forbidden', `只有保存的人（${wall.byName}）可以修改或删除，可另存为自己的布局`)
}

async function requireCameras(ctx: Context, projectCode: string, cameras: readonly string[]): Promise<void> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from device
    where id = any (${[...cameras]}) and project_code = ${projectCode} and family = 'videoAi'`.execute(ctx.db)
  if (rows[0]?.n !== cameras.length) throw new AppError('invalidInput', '有摄像机不属于这个项目', { field: 'cameras' })
}

async function requireName(ctx: Context, projectCode: string, name: string, except = ''): Promise<void> {
  const { rows } = await sql<{
    total: number
    taken: boolean
  }>`select count(*)::int as total, coalesce(bool_or(name = ${name} and id <> ${except}), false) as taken
    from video_wall where group_id = ${ctx.group.id} and project_code = ${projectCode} and by_id = ${ctx.user.id}`.execute(ctx.db)
  if (rows[0]?.taken) throw new AppError('refused', '已有同名布局，请换个名称', { field: 'name' })
  if (!except && (rows[0]?.total ?? 0) >= calls.mostWalls)
    throw new AppError('refused', `每个项目最多保存 ${calls.mostWalls} 个布局，请先删除不用的`)
}

const addWall: HandlerOf<typeof calls.addWall> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const { name, size, cameras, shared } = body
  await sql`select pg_advisory_xact_lock(hashtextextended(${`wall ${projectCode} ${ctx.user.id}`}, 0))`.execute(ctx.db)
  await requireCameras(ctx, projectCode, cameras)
  await requireName(ctx, projectCode, name)
  const id = ctx.newId()
  await sql`insert into video_wall (id, group_id, project_code, name, size, cameras, shared, by_id, by_name, update_time)
    values (${id}, ${ctx.group.id}, ${projectCode}, ${name}, ${size}, ${cameras}::text[], ${shared}, ${ctx.user.id}, ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(
    ctx.db,
  )
  ctx.note(`保存视频墙布局 ${name}${shared ? '（本单位共用）' : ''}`, id)
  return toWall(ctx, await getWall(ctx, id, projectCode))
}

const changeWall: HandlerOf<typeof calls.changeWall> = async ({ params, query, body }, ctx) => {
  const wall = await getWall(ctx, params.id, query.projectCode)
  requireOwn(ctx, wall)
  if (wall.version !== body.version) throw await conflictOf(ctx, 'videoWall', { id: wall.id }, '布局')
  await requireCameras(ctx, wall.projectCode, body.cameras)
  await requireName(ctx, wall.projectCode, body.name, wall.id)
  await changeRow(ctx, 'videoWall', {
    key: { id: wall.id },
    version: wall.version,
    noun: '布局',
    values: { name: body.name, size: body.size, cameras: body.cameras, shared: body.shared, updateTime: new Date(ctx.clock.now()) },
  })
  ctx.note(`修改视频墙布局 ${body.name}${body.shared ? '（本单位共用）' : ''}`, wall.id)
  return toWall(ctx, await getWall(ctx, wall.id, query.projectCode))
}

const removeWall: HandlerOf<typeof calls.removeWall> = async ({ params, query }, ctx) => {
  const wall = await getWall(ctx, params.id, query.projectCode)
  requireOwn(ctx, wall)
  await sql`delete from video_wall where id = ${wall.id}`.execute(ctx.db)
  ctx.note(`删除视频墙布局 ${wall.name}`, wall.id)
}
