import type { CivilDetail } from '@zhugong/contract/civil/inspection'
import * as contract from '@zhugong/contract/civil/inspection'
import { areaName } from '@zhugong/contract/civil/score'
import { scoreSheet } from '@zhugong/contract/scoring/score'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found, oneProject } from '#kit/context'
import type { Row } from '#kit/db'
import { pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { changePatrol, countChecks, createPatrol, readPatrol, registerPatrolSource, removePatrol } from '../checks/public.ts'
import { linksOf } from '../files/public.ts'
import { pinOf, placeNameOf, planPictures, registerPlaceUse } from '../places/public.ts'
import { sign } from '../process/public.ts'
import { sheetsOf } from '../scoring/public.ts'
import { civilLibraryRoutes } from './library-calls.ts'
import { civilKind, civilPatrol } from './patrol.ts'
import { comparePoint, createPoint, lastShots, readPoints, removePoint } from './points.ts'
import { conditions, countsOf, readCivil, withCivil } from './rows.ts'
import { fieldsOf, scoreOf, writePoints } from './walk.ts'

export function civilRoutes(serve: Serve): void {
  registerPatrolSource(civilPatrol)
  registerPlaceUse(placesOfPoints)
  civilLibraryRoutes(serve)
  serve(contract.listCivilChecks, listCivilChecks)
  serve(contract.listCivilPoints, readPoints)
  serve(contract.createCivilPoint, createPoint)
  serve(contract.removeCivilPoint, removePoint)
  serve(contract.compareCivilPoint, comparePoint)
  serve(contract.getCivilCheck, ({ params }, ctx) => readCivilCheck(ctx, params.id))
  serve(contract.createCivilCheck, createCivilCheck)
  serve(contract.changeCivilCheck, changeCivilCheck)
  serve(contract.removeCivilCheck, ({ params }, ctx) => removePatrol(ctx, civilKind, params.id).then(() => undefined))
  serve(contract.signCivilCheck, ({ params, body }, ctx) => sign(ctx, civilKind, params.id, body).then(() => undefined))
}

async function placesOfPoints(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ placeId: string }>`select distinct place_id from civil_point where place_id = any (${[...ids]})`.execute(
    ctx.db,
  )
  return rows.map((one) => one.placeId)
}

const listCivilChecks: HandlerOf<typeof contract.listCivilChecks> = async ({ query }, ctx) => {
  const where = conditions(ctx, query)
  const list = await readCivil(ctx, where, { sort: query.sort, ...pageSlice(query) })
  return { list, total: await countChecks(ctx, where), counts: await countsOf(ctx, query) }
}

const createCivilCheck: HandlerOf<typeof contract.createCivilCheck> = async ({ query, body }, ctx) => {
  const { id, action, ...given } = body
  const projectCode = oneProject(ctx, query.projectCode)
  return createPatrol(ctx, civilPatrol, civilKind, { id, action, projectCode, fields: fieldsOf(given) }, writePoints)
}

const changeCivilCheck: HandlerOf<typeof contract.changeCivilCheck> = async ({ params: { id }, body }, ctx) => {
  const { action, version, ...given } = body
  return changePatrol(ctx, civilPatrol, civilKind, { id, action, version, fields: fieldsOf(given) }, writePoints)
}

async function readCivilCheck(ctx: Context, id: string): Promise<CivilDetail> {
  const patrol = await readPatrol(ctx, civilPatrol, civilKind, id)
  const [row] = await withCivil(ctx, [patrol])
  const points = await pointsWalked(ctx, patrol)
  const walk = await sql<{ versionName: string }>`select version_name from civil_walk where check_id = ${id}`.execute(ctx.db)
  const score = scoreOf(await sheetsOf(ctx, id))
  return {
    ...patrol,
    ...found(row, civilPatrol.noun),
    score: row?.score ?? score.score,
    points,
    areas: score.areas.map((one) => ({ ...one, name: areaName(one.code) })),
    versionName: walk.rows[0]?.versionName ?? '',
    plans: await planPictures(
      ctx,
      points.map((one) => one.pin?.planId ?? null),
    ),
  }
}

/** The points of a walk with their items, the pictures of the walk before, and those of what was mended since. */
export async function pointsWalked(
  ctx: Pick<Context, 'db' | 'secrets' | 'clock'>,
  { id, projectCode, problems }: Pick<CivilDetail, 'id' | 'projectCode' | 'problems'>,
): Promise<CivilDetail['points']> {
  type Shot = Row<'civilShot'> &
    Pick<Row<'civilPoint'>, 'name' | 'area' | 'placeId' | 'planId' | 'pinX' | 'pinY'> & { placeName: string | null }
  const { rows: shots } =
    await sql<Shot>`select s.*, p.name, p.area, p.place_id, p.plan_id, p.pin_x, p.pin_y, ${placeNameOf('p.place_id')} as place_name
    from civil_shot s join civil_point p on p.id = s.point_id where s.check_id = ${id}`.execute(ctx.db)
  const check = await sql<{ checkTime: Date }>`select check_time from site_check where id = ${id}`.execute(ctx.db)
  const last = await lastShots(ctx, projectCode, check.rows[0]?.checkTime ?? new Date(ctx.clock.now()))
  const after = await sql<{
    part: string
    photos: string[]
  }>`select p.part, a.photos from site_check_problem p join rectify_answer a on a.line_id = p.line_id
    where p.check_id = ${id} and not a.draft order by a.round desc`.execute(ctx.db)
  return (await sheetsOf(ctx, id)).flatMap(({ sheet, results }) => {
    const shot = shots.find((one) => one.sheetId === sheet.id)
    if (!shot) return []
    const before = last.get(shot.pointId)
    const own = problems.filter((one) => one.part === shot.name)
    return [
      {
        ...pick(shot, 'pointId', 'name', 'area', 'placeId', 'placeName', 'note'),
        areaName: areaName(shot.area),
        pin: pinOf(shot),
        skipped: sheet.notApplicable,
        photos: linksOf(ctx, shot.photos),
        before: linksOf(ctx, before?.photos ?? []),
        beforeDay: before ? formatDay(before.at) : null,
        after: linksOf(ctx, after.rows.find((one) => one.part === shot.name)?.photos ?? []),
        score: scoreSheet({ items: results, notApplicable: sheet.notApplicable !== null })?.score ?? null,
        open: own.filter((one) => one.notice && !one.notice.passed).length,
        items: results.map((one) => ({
          itemCode: one.itemCode,
          name: one.name,
          maxScore: one.maxScore,
          rule: one.rule,
          own: /-[PE]\d+$/.test(one.itemCode),
          result: one.result,
          resultName: dictName('itemResult', one.result) ?? one.result,
          deduction: one.deduction,
          note: one.note,
        })),
      },
    ]
  })
}
