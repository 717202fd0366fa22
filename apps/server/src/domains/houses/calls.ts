import { getHouse, houseSync, runHouseSync, signHouse } from '@zhugong/contract/houses/houses'
import { houseStates } from '@zhugong/contract/houses/moves'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { itemResults } from '@zhugong/contract/scoring/score'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found, projectsFor } from '#kit/context'
import { allOf, equals, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linksOf, usePhotos } from '../files/public.ts'
import { registerPlaceUse } from '../places/public.ts'
import { drawNumber, historyOf, type Outcome, offersFor, sign, signaturesOf, take } from '../process/public.ts'
import { acceptItems, type House, houseKind, itemsOf, readHouse, stepLabels, unsignedParties } from './kind.ts'
import {
  buildingsOf,
  countHouses,
  countProblems,
  countSyncs,
  houseConditions,
  houseCounts,
  problemConditions,
  readHouses,
  readProblems,
  readSyncs,
  syncConditions,
} from './rows.ts'
import { sync } from './sync.ts'

export function houseRoutes(serve: Serve): void {
  registerPlaceUse(placesOfHouses)
  serve(houseSync, listView)
  serve(getHouse, readDetail)
  serve(runHouseSync, run)
  serve(signHouse, ({ params, body }, ctx) => sign(ctx, houseKind, params.id, body).then(() => undefined))
}

async function placesOfHouses(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select place_id as id from house where place_id = any (${[...ids]})
    union select building_id from house where building_id = any (${[...ids]})`.execute(ctx.db)
  return rows.map((one) => one.id)
}

const listView: HandlerOf<typeof houseSync> = async ({ query }, ctx) => {
  const page = { sort: query.sort, ...pageSlice(query) }
  if (query.view === 'syncs') {
    const where = syncConditions(ctx, query)
    return { list: await readSyncs(ctx, where, page), total: await countSyncs(ctx, where) }
  }
  if (query.view === 'problems') {
    const where = problemConditions(ctx, query)
    return { list: await readProblems(ctx, where, page), total: await countProblems(ctx, where) }
  }
  const where = houseConditions(ctx, query)
  return {
    list: await readHouses(ctx, where, page),
    total: await countHouses(ctx, where),
    counts: await houseCounts(ctx, query),
    buildings: await buildingsOf(ctx, query),
  }
}

const readDetail: HandlerOf<typeof getHouse> = async ({ params: { id }, query }, ctx) => {
  const [row] = await readHouses(ctx, allOf(...equals('h.id', id), ...inProjects('h.projectCode', projectsFor(ctx, query.projectCode))), {})
  const listed = found(row, '分户')
  const house = await readHouse(ctx, id)
  return {
    ...listed,
    items: (await itemsOf(ctx, id)).map(({ itemCode, result, note, photos }) => ({ itemCode, result, note, photos: linksOf(ctx, photos) })),
    fixNote: house.fixNote,
    fixPhotos: linksOf(ctx, house.fixPhotos),
    signatures: await signaturesOf(ctx, houseKind, house),
    timeline: await historyOf(ctx, houseKind.kind, id, stepLabels),
    actions: offersFor(ctx, houseKind, house),
  }
}

type Body = ParsedFor<typeof runHouseSync>['body']
type Act = Exclude<Body, { action: 'preview' | 'apply' }>

const run: HandlerOf<typeof runHouseSync> = async ({ query, body }, ctx) => {
  if (body.action === 'preview' || body.action === 'apply') return { sync: await sync(ctx, query.projectCode, body), house: null }
  const { id, action, version } = body
  const projects = projectsFor(ctx, query.projectCode)
  const { rows } = await sql<{ projectCode: string }>`select project_code from house where id = ${id}`.execute(ctx.db)
  if (projects && !projects.includes(found(rows[0], '分户').projectCode)) found(undefined, '分户')
  const after = await take(ctx, houseKind, { id, action, version }, (row) => write(ctx, row, body))
  return { sync: null, house: { id, version: after.version, state: after.state } }
}

/** What each action changes beside the state. */
async function write(ctx: Context, row: House, body: Act): Promise<Outcome<House>> {
  switch (body.action) {
    case 'start':
      return {}
    case 'save':
      await writeItems(ctx, row, body.items)
      return { values: { problemCount: (await badItems(ctx, row.id)).length } }
    case 'accept':
    case 'recheck':
      await writeItems(ctx, row, body.items)
      return conclude(ctx, row)
    case 'fix': {
      const files = await keptFiles(ctx, fileIdsOf(body.photos), row.fixPhotos, 'photos')
      const { projectCode, corpCode, shownAt, groups } = row
      await usePhotos(ctx, {
        kind: '分户验收',
        objectId: row.id,
        stage: `fix ${row.version}`,
        files,
        projectCode,
        corpCode,
        shownAt,
        groups,
      })
      return { values: { fixNote: body.note, fixPhotos: files }, opinion: body.note }
    }
  }
}

const badItems = async (ctx: Pick<Context, 'db'>, id: string) => (await itemsOf(ctx, id)).filter((one) => one.result === itemResults.wrong)

async function writeItems(ctx: Context, row: House, items: Extract<Body, { action: 'save' }>['items']): Promise<void> {
  const refuse = (at: number, message: string) => new AppError('invalidInput', message, { field: `items.${at}` })
  const known = new Map((await itemsOf(ctx, row.id)).map((one) => [one.itemCode, one]))
  const allowed = new Set(acceptItems().map((one) => one.code))
  const at = new Date(ctx.clock.now())
  for (const [i, { itemCode, result, note, photos }] of items.entries()) {
    if (!allowed.has(itemCode)) throw refuse(i, '请选择具体验收项')
    if (result === itemResults.wrong && !note) throw refuse(i, `请写明“${dictName('houseAcceptItem', itemCode)}”的问题`)
    const before = known.get(itemCode)
    const files = await keptFiles(ctx, fileIdsOf(photos), before?.photos ?? [], `items.${i}`)
    const values = {
      result,
      note,
      photos: files,
      badSince: result === itemResults.wrong ? (before?.badSince ?? at) : null,
      byName: ctx.user.name,
      at,
    }
    const { id: houseId, projectCode, corpCode, shownAt, groups } = row
    await ctx.db
      .insertInto('houseItem')
      .values({ houseId, itemCode, projectCode, corpCode, ...values })
      .onConflict((on) => on.columns(['houseId', 'itemCode']).doUpdateSet(values))
      .execute()
    await usePhotos(ctx, { kind: '分户验收', objectId: houseId, stage: itemCode, files, projectCode, corpCode, shownAt, groups })
  }
}

/** To 合格 with three signatures and a certificate, or back to mending with the open problems. */
async function conclude(ctx: Context, row: House): Promise<Outcome<House>> {
  const items = await itemsOf(ctx, row.id)
  const open = acceptItems().filter(({ code }) => !items.some((one) => one.itemCode === code))
  if (open[0]) throw new AppError('refused', `还有 ${open.length} 项未验收：${open[0].name}`)
  const bad = items.filter((one) => one.result === itemResults.wrong)
  if (bad.length > 0) return { to: houseStates.toFix, values: { problemCount: bad.length }, opinion: `${bad.length} 项不合格` }
  const missing = await unsignedParties(ctx, row)
  if (missing.length > 0) throw new AppError('refused', `${missing.join('、')}尚未签字，不能通过`)
  const { year, no } = await drawNumber(ctx, row.projectCode, 'houseCert')
  return {
    to: houseStates.passed,
    values: {
      problemCount: 0,
      acceptDate: formatDay(ctx.clock.now()),
      certNo: `FH-${year}-${String(no).padStart(4, '0')}`,
    },
  }
}
