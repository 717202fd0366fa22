import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/monitoring/pile/pile-work'
import { sql } from 'kysely'
import { projectsFor } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, condition, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linksOf } from '../../files/public.ts'
import { type DeviceRow, getDeviceRow } from '../shared/devices.ts'
import { numberOr } from '../shared/family.ts'
import { getPile } from './register/store.ts'

const family = 'pileFoundation'
/** A reading older than this does not show the current depth. */
const freshMs = 10 * 60_000

interface Work extends Omit<calls.PileWork, 'startedAt' | 'endedAt'> {
  startedAt: Date
  endedAt: Date | null
}
const workColumns = sql`w.id, w.project_code, w.device_id, d.name as device_name, w.pile_id, g.pile_no,
  round(coalesce(g.design_depth, g.design_length)::numeric, 2)::float8 as design_depth, w.started_at, w.by_name, w.ended_at, w.ended_by, w.end_depth, w.end_note`
const workTables = sql`pile_work w join device d on d.id = w.device_id join pile g on g.id = w.pile_id`
const toWork = (row: Work): calls.PileWork => ({ ...row, startedAt: row.startedAt.getTime(), endedAt: row.endedAt?.getTime() ?? null })

export function pileWorkRoutes(serve: Serve): void {
  serve(calls.listPileWork, listPileWork)
  serve(calls.startPile, startPile)
  serve(calls.endPile, endPile)
  serve(calls.listPileTroubles, listPileTroubles)
  serve(calls.addPileTrouble, addPileTrouble)
}

export async function workNow(db: Tx, deviceId: string): Promise<calls.PileWork | null> {
  const { rows } = await sql<Work>`select ${workColumns} from ${workTables} where w.device_id = ${deviceId} and w.ended_at is null`.execute(
    db,
  )
  return rows[0] ? toWork(rows[0]) : null
}

const listPileWork: HandlerOf<typeof calls.listPileWork> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Work & { total: number }>`
    select ${workColumns}, count(*) over ()::int as total from ${workTables}
    where ${allOf(
      ...inProjects('w.project_code', projectsFor(ctx, query.projectCode)),
      ...equals('w.device_id', query.deviceId),
      ...equals('w.pile_id', query.pileId),
    )} order by w.started_at desc, w.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
  return { list: rows.map(({ total: _total, ...row }) => toWork(row)), total: rows[0]?.total ?? 0 }
}

const depthNow = (rig: DeviceRow, now: number): number | null =>
  rig.ts && now - rig.ts.getTime() <= freshMs ? numberOr(rig.v?.depth) : null

const startPile: HandlerOf<typeof calls.startPile> = async ({ query, body }, ctx) => {
  const rig = await getDeviceRow(ctx, body.deviceId, family)
  if (!(projectsFor(ctx, query.projectCode) ?? [rig.projectCode]).includes(rig.projectCode))
    throw new AppError('invalidInput', '桩机不属于所选项目', { field: 'deviceId' })
  const pile = await getPile(ctx, body.pileId, query.projectCode)
  if (pile.projectCode !== rig.projectCode) throw new AppError('invalidInput', '桩与桩机不在同一个项目', { field: 'pileId' })
  if (pile.verdict === '1') throw new AppError('refused', `${pile.pileNo} 已判定合格，不能再成桩`, { field: 'pileId' })
  // Serializes starts: concurrent calls must not both start.
  await sql`select pg_advisory_xact_lock(hashtext(${`pile work ${rig.projectCode}`}))`.execute(ctx.db)
  const { rows } = await sql<Work>`select ${workColumns} from ${workTables} where w.ended_at is null and ${allOf(
    condition(sql`(w.device_id = ${rig.id} or w.pile_id = ${pile.id})`),
  )}`.execute(ctx.db)
  const [busy] = rows
  if (busy)
    throw new AppError(
      'refused',
      busy.deviceId === rig.id ? `${rig.name} 正在施工 ${busy.pileNo}，请先结束` : `${pile.pileNo} 正由 ${busy.deviceName} 施工`,
    )
  const id = ctx.newId()
  await sql`insert into pile_work (id, project_code, device_id, pile_id, started_at, by_name)
    values (${id}, ${rig.projectCode}, ${rig.id}, ${pile.id}, ${new Date(ctx.clock.now())}, ${ctx.user.name})`.execute(ctx.db)
  ctx.note(`${rig.name} 开始成桩 ${pile.pileNo}`, id)
  return { id }
}

const endPile: HandlerOf<typeof calls.endPile> = async ({ params, query, body }, ctx) => {
  const { rows } = await sql<Work>`select ${workColumns} from ${workTables}
    where ${allOf(...equals('w.id', params.id), ...inProjects('w.project_code', projectsFor(ctx, query.projectCode)))} for update of w`.execute(
    ctx.db,
  )
  const [work] = rows
  if (!work) throw new AppError('notFound', '作业记录不存在')
  if (work.endedAt) throw new AppError('refused', `${work.pileNo} 已结束`)
  const now = ctx.clock.now()
  const rig = await getDeviceRow(ctx, work.deviceId, family)
  const depth = depthNow(rig, now)
  if (body.note === '' && (depth === null || depth < work.designDepth))
    throw new AppError(
      'invalidInput',
      depth === null ? '桩机 10 分钟内没有读数，请说明终孔情况' : `深度 ${depth} m 未到设计 ${work.designDepth} m，请说明原因`,
      { field: 'note' },
    )
  await sql`update pile_work set ended_at = ${new Date(Math.max(now, work.startedAt.getTime() + 1))}, ended_by = ${ctx.user.name}, end_depth = ${depth},
    end_note = ${body.note} where id = ${work.id}`.execute(ctx.db)
  ctx.note(
    `${work.deviceName} 结束成桩 ${work.pileNo}${depth === null ? '' : ` 深 ${depth} m`}${body.note ? `：${body.note}` : ''}`,
    work.id,
  )
}

interface Trouble extends Omit<calls.PileTrouble, 'at'> {
  at: Date
}
const listPileTroubles: HandlerOf<typeof calls.listPileTroubles> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Trouble & { total: number }>`
    select t.id, t.project_code, t.device_id, d.name as device_name, t.pile_id, g.pile_no, t.at, t.kind, t.depth, t.text, t.files, t.by_name,
      count(*) over ()::int as total
    from pile_trouble t join device d on d.id = t.device_id left join pile g on g.id = t.pile_id
    where ${allOf(
      ...inProjects('t.project_code', projectsFor(ctx, query.projectCode)),
      ...equals('t.device_id', query.deviceId),
      ...equals('t.pile_id', query.pileId),
    )} order by t.at desc, t.id desc limit ${limit} offset ${offset}`.execute(ctx.db)
  return {
    list: rows.map(({ total: _total, ...row }) => ({ ...row, at: row.at.getTime(), files: linksOf(ctx, row.files) })),
    total: rows[0]?.total ?? 0,
  }
}

const addPileTrouble: HandlerOf<typeof calls.addPileTrouble> = async ({ query, body }, ctx) => {
  const rig = await getDeviceRow(ctx, body.deviceId, family)
  if (!(projectsFor(ctx, query.projectCode) ?? [rig.projectCode]).includes(rig.projectCode))
    throw new AppError('invalidInput', '桩机不属于所选项目', { field: 'deviceId' })
  const now = ctx.clock.now()
  const work = await workNow(ctx.db, rig.id)
  const depth = body.depth ?? depthNow(rig, now)
  const id = ctx.newId()
  const files = await keptFiles(ctx, fileIdsOf(body.files), [], 'files')
  await sql`insert into pile_trouble (id, project_code, device_id, pile_id, at, kind, depth, text, files, by_name)
    values (${id}, ${rig.projectCode}, ${rig.id}, ${work?.pileId ?? null}, ${new Date(now)}, ${body.kind}, ${depth}, ${body.text}, ${files}::text[],
      ${ctx.user.name})`.execute(ctx.db)
  ctx.note(`${rig.name} ${work?.pileNo ?? ''} ${calls.pileTroubles[body.kind]}：${body.text}`, id)
  return { id }
}
