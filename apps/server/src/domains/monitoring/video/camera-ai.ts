import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import { aiTypes } from '@zhugong/contract/monitoring/video/ai-codes'
import * as calls from '@zhugong/contract/monitoring/video/camera-ai'
import { sql } from 'kysely'
import { mayAct } from '#kit/acts'
import { changedMeanwhile, changeRow, conflictOf } from '#kit/change-row'
import { type Context, found, groupTypes, projectsFor } from '#kit/context'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'

/** AI settings of cameras: thresholds by type, and zones of a picture for intrusion. The rules reload them every minute (`rules/cameras.ts`). */
export function cameraAiRoutes(serve: Serve): void {
  serve(calls.listCameraAi, ({ query }, ctx) => cameras(ctx, query))
  serve(calls.previewCameraAi, previewCameraAi)
  serve(calls.setCameraAi, setCameraAi)
}

interface Row extends Omit<calls.CameraAi, 'updateTime' | 'editable'> {
  updateTime: Date | null
}
interface CameraQuery {
  projectCode?: string | undefined
  deviceId?: string | undefined
  page: number
  size: number
}

const mayEdit = (ctx: Context, projectCode: string): boolean =>
  ctx.group.type !== groupTypes.government && ctx.codes.has('video.ai-review') && mayAct(ctx, 'site', { projectCode })

async function cameras(ctx: Context, query: CameraQuery): Promise<{ list: calls.CameraAi[]; total: number }> {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Row & { total: number }>`
    select d.id as device_id, d.project_code, d.name as device_name, coalesce(c.thresholds, '[]') as thresholds, coalesce(c.zones, '[]') as zones,
      c.update_by, c.update_time, coalesce(c.version, -1) as version, count(*) over ()::int as total
    from device d left join camera_ai c on c.device_id = d.id and c.project_code = d.project_code
    where ${allOf(
      ...inProjects('d.project_code', projectsFor(ctx, query.projectCode)),
      ...equals('d.family', 'videoAi'),
      ...equals('d.id', query.deviceId),
    )} order by d.project_code, d.name, d.id limit ${limit} offset ${offset}`.execute(ctx.db)
  return {
    list: rows.map(({ total: _total, ...row }) => ({
      ...row,
      updateTime: row.updateTime?.getTime() ?? null,
      editable: mayEdit(ctx, row.projectCode),
    })),
    total: rows[0]?.total ?? 0,
  }
}

async function cameraOf(ctx: Context, deviceId: string, projectCode: string | undefined): Promise<calls.CameraAi> {
  const { list } = await cameras(ctx, { projectCode, deviceId, page: 1, size: 1 })
  return found(list[0], '摄像机')
}

const nothing = () => ({ fewer: 0, fewerReal: 0, more: 0, moreReal: 0 })

/** Evaluates the last days under other settings with the function that judges new events. */
const previewCameraAi: HandlerOf<typeof calls.previewCameraAi> = async ({ params, query, body }, ctx) => {
  const camera = await cameraOf(ctx, params.id, query.projectCode)
  const from = new Date(ctx.clock.now() - calls.previewDays * dayMs)
  const { rows } = await sql<{ ts: Date; type: string | null; confidence: unknown; boxes: unknown; isReal: boolean }>`
    select r.ts, r.data ->> 'type' as type, r.data -> 'confidence' as confidence, r.data -> 'boxes' as boxes,
      coalesce(v.verdict, r.data ->> 'review') = '1' as is_real
    from device_record r left join ai_review v on v.device_id = r.device_id and v.ts = r.ts and v.record_id = r.id
    where r.device_id = ${camera.deviceId} and r.project_code = ${camera.projectCode} and r.record = 'aiEvent' and r.ts >= ${from}
    order by r.ts desc limit ${mostPreviewed}`.execute(ctx.db)
  const byType = new Map<string, ReturnType<typeof nothing>>()
  for (const { ts, isReal, ...seen } of rows) {
    const at = ts.getTime()
    const [was, is] = [calls.whyKept(camera, seen, at) === null, calls.whyKept(body, seen, at) === null]
    if (was === is || seen.type === null) continue
    const one = byType.get(seen.type) ?? nothing()
    byType.set(seen.type, one)
    if (was) one.fewer++
    else one.more++
    if (isReal && was) one.fewerReal++
    if (isReal && !was) one.moreReal++
  }
  const types = [...byType].map(([type, one]) => ({ type, ...one })).sort((a, b) => b.fewer + b.more - a.fewer - a.more)
  const sum = (of: 'fewer' | 'fewerReal' | 'more' | 'moreReal') => types.reduce((all, one) => all + one[of], 0)
  return {
    days: calls.previewDays,
    seen: rows.length,
    fewer: sum('fewer'),
    fewerReal: sum('fewerReal'),
    more: sum('more'),
    moreReal: sum('moreReal'),
    types,
  }
}
/** Limit per camera and week: one event in twelve seconds. */
const mostPreviewed = 50_000

const setCameraAi: HandlerOf<typeof calls.setCameraAi> = async ({ params, query, body }, ctx) => {
  const camera = await cameraOf(ctx, params.id, query.projectCode)
  if (ctx.group.type === groupTypes.government) throw new AppError('refused', 'AI 阈值与区域由项目或其企业设置')
  if (camera.version !== body.version) throw changedMeanwhile(cameraSetting, { version: camera.version })
  const { thresholds, zones } = body
  const values = { thresholds: JSON.stringify(thresholds), zones: JSON.stringify(zones) }
  const key = { deviceId: camera.deviceId, projectCode: camera.projectCode }
  if (camera.version === -1) {
    const { numAffectedRows } = await sql`insert into camera_ai (device_id, project_code, thresholds, zones, update_by, update_time)
      values (${camera.deviceId}, ${camera.projectCode}, ${values.thresholds}, ${values.zones}, ${ctx.user.name}, ${new Date(ctx.clock.now())})
      on conflict do nothing`.execute(ctx.db)
    if (!numAffectedRows) throw await conflictOf(ctx, 'cameraAi', key, cameraSetting)
  } else await changeRow(ctx, 'cameraAi', { key, version: body.version, noun: cameraSetting, by: ctx.user.name, values })
  ctx.note(`设置 ${camera.deviceName} 的 AI 阈值与区域：${wordsOf(body)}`, camera.deviceId)
  return cameraOf(ctx, camera.deviceId, camera.projectCode)
}

const cameraSetting = '这台摄像机的设置'

const wordsOf = ({ thresholds, zones }: calls.CameraRules): string =>
  [
    thresholds.map((one) => `${aiTypes[one.type]} ${one.least}`).join('、') || '阈值均为默认',
    zones.length > 0 ? `区域 ${zones.map((one) => one.name).join('、')}` : '不划区域',
  ].join('；')
