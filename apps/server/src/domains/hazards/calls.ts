import type { dangerousSetup } from '@zhugong/contract/hazards/calls'
import * as hazards from '@zhugong/contract/hazards/calls'
import * as permits from '@zhugong/contract/hazards/permits'
import { sql } from 'kysely'
import { type Context, oneProject } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { registerPlaceUse } from '../places/public.ts'
import { sign } from '../process/public.ts'
import { countHazards, hazardConditions, hazardCounts, hazardRank, readHazard, readHazards, readMap } from './hazard-rows.ts'
import { changeHazardRow, createHazardRow, removeHazardRow } from './hazard-writes.ts'
import { readPeople, readPermit } from './permit-detail.ts'
import { permitKind } from './permit-kind.ts'
import { countPermits, permitConditions, permitCounts, readPermits } from './permit-rows.ts'
import { changePermitRow, createPermitRow, removePermitRow } from './permit-writes.ts'
import { weatherOf } from './site-facts.ts'

export function hazardRoutes(serve: Serve): void {
  registerPlaceUse(placesOfHazards)
  serve(hazards.dangerousRecords, dangerousRecords)
  serve(hazards.hazardMap, readMap)
  serve(hazards.dangerousSetup, readSetup)
  serve(permits.permitPeople, readPeople)
  serve(hazards.getHazard, ({ params }, ctx) => readHazard(ctx, params.id))
  serve(hazards.createHazard, createHazardRow)
  serve(hazards.changeHazard, changeHazardRow)
  serve(hazards.removeHazard, ({ params }, ctx) => removeHazardRow(ctx, params.id).then(() => undefined))
  serve(permits.getPermit, ({ params }, ctx) => readPermit(ctx, params.id))
  serve(permits.createPermit, createPermitRow)
  serve(permits.changePermit, changePermitRow)
  serve(permits.removePermit, ({ params }, ctx) => removePermitRow(ctx, params.id).then(() => undefined))
  serve(permits.signPermit, ({ params, body }, ctx) => sign(ctx, permitKind, params.id, body).then(() => undefined))
}

async function placesOfHazards(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ placeId: string }>`select distinct place_id from hazard_source where place_id = any (${[...ids]})
    union select distinct place_id from work_permit where place_id = any (${[...ids]})`.execute(ctx.db)
  return rows.map((one) => one.placeId)
}

type HazardQuery = NonNullable<(typeof hazards.listHazards)['types']>['parsed']['query']
type PermitQuery = NonNullable<(typeof hazards.listPermits)['types']>['parsed']['query']

const dangerousRecords: HandlerOf<typeof hazards.dangerousRecords> = async ({ query }, ctx) => {
  if (query.kind === 'permit') {
    const own = query as unknown as PermitQuery
    const where = permitConditions(ctx, own)
    const list = await readPermits(ctx, where, { sort: own.sort, ...pageSlice(own) })
    return { list, total: await countPermits(ctx, where), counts: await permitCounts(ctx, own) }
  }
  const own = query as unknown as HazardQuery
  const where = hazardConditions(ctx, own)
  const list = await readHazards(ctx, where, { sort: own.sort, ...pageSlice(own) })
  return {
    list,
    total: await countHazards(ctx, where),
    counts: await hazardCounts(ctx, own),
    permits: await permitCounts(ctx, own),
    rank: await hazardRank(ctx, own),
  }
}

const mostChoices = 500
/** Machines that lift. */
const liftingFamilies = ['towerCrane']

const readSetup: HandlerOf<typeof dangerousSetup> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const works = await sql<{ id: string; name: string; overScale: boolean }>`select id, name, over_scale from bigproject
    where project_code = ${projectCode} and state not in ('9') order by over_scale desc, name, id limit ${mostChoices}`.execute(ctx.db)
  const live = await sql<{ id: string; name: string; part: string; riskLevel: string }>`select id, name, part, risk_level from hazard_source
    where project_code = ${projectCode} and state in ('1', '2') order by risk_level, name, id limit ${mostChoices}`.execute(ctx.db)
  const machines = await sql<{ id: string; name: string }>`select id, name from device where project_code = ${projectCode} and status = '1'
    and family = any (${liftingFamilies}) order by name, id limit ${mostChoices}`.execute(ctx.db)
  const corps = await sql<{ code: string; name: string }>`select distinct u.corp_code as code, c.corp_name as name
    from project_corp u join corporation c using (corp_code) where u.project_code = ${projectCode} and u.exit_time is null
    order by 2 limit ${mostChoices}`.execute(ctx.db)
  const measures = await sql<{ hazardSource: string; text: string }>`select distinct m.hazard_source, m.name as text from safety_measure m
    where m.project_code = ${projectCode} and m.shown_at is not null order by 1, 2 limit ${mostChoices}`.execute(ctx.db)
  return {
    works: works.rows,
    hazards: live.rows,
    machines: machines.rows,
    corps: corps.rows,
    measures: measures.rows,
    weather: await weatherOf(ctx, projectCode),
  }
}
