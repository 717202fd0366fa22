import type * as contract from '@zhugong/contract/civil/inspection'
import type { CivilPoint } from '@zhugong/contract/civil/inspection'
import { mostPoints } from '@zhugong/contract/civil/moves'
import { areaName, areaOfItem } from '@zhugong/contract/civil/score'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found, oneProject } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { pinOf, placeColumns, placeNameOf } from '../places/public.ts'
import { itemsFor, type SiteItem, standardName, versionFor } from './library.ts'

export type Point = Row<'civilPoint'> & { placeName: string | null }

/** The points of a site in the order of the walk. */
export async function pointsOf(ctx: Pick<Context, 'db'>, projectCode: string): Promise<Point[]> {
  const { rows } = await sql<Point>`select p.*, ${placeNameOf('p.place_id')} as place_name from civil_point p
    where p.project_code = ${projectCode} and not p.archived order by p.seq, p.id`.execute(ctx.db)
  return rows
}

/** What is judged at a point: what was chosen for it, or all of its area. */
export const itemsAt = (point: Pick<Point, 'area' | 'itemCodes'>, all: readonly SiteItem[]): SiteItem[] =>
  all.filter((one) => (point.itemCodes.length > 0 ? point.itemCodes.includes(one.itemCode) : areaOfItem(one.itemCode) === point.area))

const shown = ({ itemCode, name, maxScore, rule, own }: SiteItem) => ({ itemCode, name, maxScore, rule, own })

export const readPoints: HandlerOf<typeof contract.listCivilPoints> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const version = await versionFor(ctx, projectCode, formatDay(ctx.clock.now()))
  const all = await itemsFor(ctx, projectCode, version?.id ?? null)
  const last = await lastShots(ctx, projectCode, new Date(ctx.clock.now()))
  const points = (await pointsOf(ctx, projectCode)).map((point): CivilPoint => {
    const shot = last.get(point.id)
    return {
      ...pick(point, 'id', 'name', 'area', 'placeId', 'placeName', 'seq'),
      areaName: areaName(point.area),
      pin: pinOf(point),
      items: itemsAt(point, all).map(shown),
      last: linksOf(ctx, shot?.photos ?? []),
      lastDay: shot ? formatDay(shot.at) : null,
    }
  })
  return { versionName: version?.name ?? standardName, points, items: all.map(shown) }
}

/** The pictures of the last submitted walk before a moment, by point. */
export async function lastShots(ctx: Pick<Context, 'db'>, projectCode: string, before: Date) {
  const { rows } = await sql<{
    pointId: string
    photos: string[]
    at: Date
  }>`select distinct on (s.point_id) s.point_id, s.photos, c.check_time as at
    from civil_shot s join site_check c on c.id = s.check_id
    where s.project_code = ${projectCode} and c.state <> '0' and c.check_time < ${before} and s.photos <> '{}'
    order by s.point_id, c.check_time desc`.execute(ctx.db)
  return new Map(rows.map((one) => [one.pointId, one]))
}

export const createPoint: HandlerOf<typeof contract.createCivilPoint> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const repeated = await sql`select from civil_point where id = ${body.id} and create_by = ${ctx.user.id}`.execute(ctx.db)
  if (repeated.rows.length > 0) return { id: body.id }
  const { rows } = await sql<{ n: number; last: number; same: boolean }>`select count(*)::int as n, coalesce(max(seq), 0)::int as last,
    coalesce(bool_or(name = ${body.name}), false) as same from civil_point where project_code = ${projectCode} and not archived`.execute(
    ctx.db,
  )
  const { n = 0, last = 0, same = false } = rows[0] ?? {}
  if (n >= mostPoints) throw new AppError('refused', `点位最多 ${mostPoints} 个`)
  if (same) throw new AppError('invalidInput', '已有同名点位', { field: 'name' })
  const [place] = await placeColumns(ctx, projectCode, [body], (_at, name) => name)
  const { id, name, area, items: itemCodes } = body
  await ctx.db
    .insertInto('civilPoint')
    .values({
      id,
      projectCode,
      corpCode: null,
      seq: last + 1,
      name,
      area,
      placeId: null,
      ...place,
      itemCodes,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
  ctx.note(`新增文明施工点位 ${name}`, id)
  return { id }
}

/** @throws AppError `notFound` */
export async function pointFor(ctx: Pick<Context, 'db'>, id: string): Promise<Row<'civilPoint'>> {
  const { rows } = await sql<Row<'civilPoint'>>`select * from civil_point where id = ${id}`.execute(ctx.db)
  return found(rows[0], '点位')
}

export const removePoint: HandlerOf<typeof contract.removeCivilPoint> = async ({ params: { id }, query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const point = await pointFor(ctx, id)
  await sql`update civil_point set archived = true where id = ${id}`.execute(ctx.db)
  ctx.note(`停用文明施工点位 ${point.name}`, id)
  return undefined
}

const mostWalks = 24

export const comparePoint: HandlerOf<typeof contract.compareCivilPoint> = async ({ params: { id } }, ctx) => {
  const point = await pointFor(ctx, id)
  type Raw = { checkId: string; code: string | null; at: Date; photos: string[]; failItems: string[]; skipped: string | null }
  const { rows } = await sql<Raw>`select c.id as check_id, c.code, c.check_time as at, s.photos, t.not_applicable as skipped,
      array(select r.name from check_result r where r.sheet_id = t.id and r.result = '2' order by r.seq) as fail_items
    from civil_shot s join check_sheet t on t.id = s.sheet_id join site_check c on c.id = s.check_id
    where s.point_id = ${id} and c.state <> '0' order by c.check_time desc limit ${mostWalks}`.execute(ctx.db)
  return { name: point.name, walks: rows.map(({ at, photos, ...one }) => ({ ...one, day: formatDay(at), photos: linksOf(ctx, photos) })) }
}
