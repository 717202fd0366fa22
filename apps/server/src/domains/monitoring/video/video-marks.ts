import { AppError } from '@zhugong/contract/kit/errors'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { dayMs } from '@zhugong/contract/kit/time'
import * as calls from '@zhugong/contract/monitoring/video/video-marks'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, projectsFor, requireCode } from '#kit/context'
import type { Db } from '#kit/db'
import { allOf, anyOf, type Condition, contains, equals, inProjects, instantsBetween, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { byPages, exportOf, type ListContext } from '../../exports/registry.ts'
import { asVideo, fileIdsOf, keptFiles, linkOf } from '../../files/public.ts'

interface Row extends Omit<calls.VideoMark, 'at' | 'createTime' | 'photo' | 'own'> {
  at: Date
  createTime: Date
  fileId: string | null
  byId: string
}
const columns = sql`m.id, m.project_code, p.name as project_name, m.kind, m.device_id, d.name as device_name, m.at, m.file_id, m.note, m.by_id, m.by_name, m.by_group,
  m.create_time, m.alarm_id, a.label as alarm_label, m.attached_by`
const tables = sql`video_mark m join project p on p.project_code = m.project_code join device d on d.id = m.device_id left join alarm a on a.id = m.alarm_id`

/** A mark not older than this counts as live; an older moment needs the right to play back. */
const nowWithinMs = 60_000
const mostDaysBack = 400

const toMark = (ctx: ListContext, { at, createTime, fileId, byId, ...row }: Row): calls.VideoMark => ({
  ...row,
  at: at.getTime(),
  createTime: createTime.getTime(),
  photo: linkOf(ctx, fileId),
  own: byId === ctx.user.id,
})

export function videoMarkRoutes(serve: Serve): void {
  serve(calls.listMarks, ({ query }, ctx) => markPage(ctx, query))
  serve(calls.addMark, addMark)
  serve(calls.attachMark, attachMark)
  serve(calls.removeMark, removeMark)
}

type Query = NonNullable<(typeof calls.listMarks)['types']>['parsed']['query']
const conditionsOf = (ctx: ListContext, query: Query): Condition =>
  allOf(
    ...inProjects('m.project_code', projectsFor(ctx, query.projectCode)),
    ...anyOf('m.kind', query.kind),
    ...equals('m.device_id', query.deviceId),
    ...equals('m.alarm_id', query.alarmId),
    ...contains('d.name', query.deviceName),
    ...contains('m.by_name', query.byName),
    ...instantsBetween('m.at', query.at),
  )

/** Marks, newest first, shared by list and export. */
async function markPage(ctx: ListContext, query: Query) {
  const { limit, offset } = pageSlice(query)
  const order = query.sort === 'at' ? sql`m.at asc` : sql`m.at desc`
  const { rows } = await sql<Row & { total: number }>`
    select ${columns}, count(*) over ()::int as total from ${tables} where ${conditionsOf(ctx, query)} order by ${order}, m.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  return { list: rows.map(({ total: _total, ...row }) => toMark(ctx, row)), total: rows[0]?.total ?? 0 }
}

async function getMark(ctx: Context, id: string, projectCode: string): Promise<Row> {
  const { rows } = await sql<Row>`select ${columns} from ${tables}
    where ${allOf(...equals('m.id', id), ...inProjects('m.project_code', projectsFor(ctx, projectCode)))}`.execute(ctx.db)
  return found(rows[0], '抓拍或书签')
}

const addMark: HandlerOf<typeof calls.addMark> = async ({ query, body }, ctx) => {
  const [projectCode, ...more] = projectsFor(ctx, query.projectCode) ?? []
  if (!projectCode || more.length > 0) throw new AppError('invalidInput', '请先选择一个项目', { field: 'projectCode' })
  const now = ctx.clock.now()
  const at = body.at === null ? now : (parseInstant(body.at) ?? now)
  if (at > now + nowWithinMs) throw new AppError('invalidInput', '画面时间不能晚于现在', { field: 'at' })
  if (at < now - mostDaysBack * dayMs) throw new AppError('invalidInput', `只能保存近 ${mostDaysBack} 天的画面`, { field: 'at' })
  requireCode(ctx, at < now - nowWithinMs ? 'video.playback' : 'video.play')
  const { rows } = await sql<{ name: string }>`select d.name from device d
    where ${allOf(...equals('d.id', body.deviceId), ...equals('d.project_code', projectCode), ...equals('d.family', 'videoAi'))}`.execute(
    ctx.db,
  )
  if (!rows[0]) throw new AppError('invalidInput', '摄像机不属于这个项目', { field: 'deviceId' })
  const [fileId] = body.kind === 'snapshot' ? await keptFiles(ctx, fileIdsOf(body.photo ? [body.photo] : []), [], 'photo') : []
  if (body.kind === 'snapshot' && !fileId) throw new AppError('invalidInput', '没有收到画面，请重新抓拍', { field: 'photo' })
  if (body.kind === 'bookmark' && !body.note) throw new AppError('invalidInput', '请填写书签说明', { field: 'note' })
  const id = ctx.newId()
  await sql`insert into video_mark (id, project_code, device_id, kind, at, file_id, note, by_id, by_name, by_group, create_time)
    values (${id}, ${projectCode}, ${body.deviceId}, ${body.kind}, ${new Date(at)}, ${fileId ?? null}, ${body.note}, ${ctx.user.id}, ${ctx.user.name},
      ${ctx.group.name}, ${new Date(now)})`.execute(ctx.db)
  if (fileId) await asVideo(ctx, fileId)
  ctx.note(`视频${calls.markKinds[body.kind]} ${rows[0].name} ${formatInstant(at)}`, id)
  return toMark(ctx, await getMark(ctx, id, projectCode))
}

const attachMark: HandlerOf<typeof calls.attachMark> = async ({ params, query, body }, ctx) => {
  const mark = await getMark(ctx, params.id, query.projectCode)
  const { rows } = await sql<{ label: string; deviceName: string }>`select label, device_name from alarm
    where id = ${body.alarmId} and project_code = ${mark.projectCode}`.execute(ctx.db)
  const [alarm] = rows
  if (body.alarmId !== null && !alarm) throw new AppError('invalidInput', '告警不属于这个项目', { field: 'alarmId' })
  const who = alarm ? ctx.user.name : null
  await sql`update video_mark set alarm_id = ${body.alarmId}, attached_by = ${who}, attached_at = ${alarm ? new Date(ctx.clock.now()) : null}
    where id = ${mark.id}`.execute(ctx.db)
  const what = `视频${calls.markKinds[mark.kind]} ${mark.deviceName} ${formatInstant(mark.at)}`
  ctx.note(alarm ? `${what} 附到告警 ${alarm.deviceName} ${alarm.label}` : `${what} 从告警取下`, mark.id)
}

const removeMark: HandlerOf<typeof calls.removeMark> = async ({ params, query }, ctx) => {
  const mark = await getMark(ctx, params.id, query.projectCode)
  if (mark.byId !== ctx.user.id) throw new AppError('forbidden', `只有保存的人（${mark.byName}）可以删除`)
  if (mark.alarmId !== null) throw new AppError('refused', '已附到告警，先从告警取下再删除')
  await sql`delete from video_mark where id = ${mark.id}`.execute(ctx.db)
  ctx.note(`删除视频${calls.markKinds[mark.kind]} ${mark.deviceName} ${formatInstant(mark.at)}`, mark.id)
}

/** Deletes expired marks not attached to an alarm; returns their pictures. */
export async function forgetMarks(db: Db, before: Date): Promise<string[]> {
  const { rows } = await sql<{ fileId: string | null }>`
    delete from video_mark where alarm_id is null and create_time < ${before} returning file_id`.execute(db)
  return rows.flatMap((row) => row.fileId ?? [])
}

export function registerMarkExport(): void {
  exportOf(
    calls.markList,
    {
      title: '视频抓拍与书签',
      widths: { projectName: 28, at: 20, createTime: 20, note: 40 },
      ...byPages(markPage),
    },
    {
      kind: (r) => calls.markKinds[r.kind],
      at: (r) => formatInstant(r.at),
      createTime: (r) => formatInstant(r.createTime),
    },
  )
}
