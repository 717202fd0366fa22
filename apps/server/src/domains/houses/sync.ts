import type { runHouseSync, SyncOutcome } from '@zhugong/contract/houses/houses'
import { type KnownHouse, labelOf, planSync, type SourceRow } from '@zhugong/contract/houses/plan-sync'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { nameJoint } from '@zhugong/contract/places/tree'
import { sql } from 'kysely'
import { type Context, groupTypes, oneProject } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { roomsNamed } from '../places/public.ts'

type Body = ParsedFor<typeof runHouseSync>['body']
type Sync = Extract<Body, { action: 'preview' | 'apply' }>

/** Rooms of a tree that nobody lives in. */
const service = /楼梯|管井|电井|水井|电梯|机房/
/** Rows of the answer that name single houses. */
const mostNamed = 200

async function knownHouses(ctx: Pick<Context, 'db'>, projectCode: string): Promise<KnownHouse[]> {
  const { rows } = await sql<
    Row<'house'> & { accepted: boolean }
  >`select h.*, (h.state <> '0' or exists (select from house_item i where i.house_id = h.id)) as accepted
    from house h where h.project_code = ${projectCode}`.execute(ctx.db)
  return rows.map((one) => ({
    ...pick(one, 'id', 'externalNo', 'name', 'houseType', 'businessType', 'buildArea', 'accepted'),
    building: one.buildingName,
    unit: one.unitName ?? '',
    floor: one.floorName,
    gone: one.goneAt !== null,
  }))
}

/** The rooms of a building of the site's tree as the rows of a source; what the platform knows of them already is kept. */
async function rowsOfPlaces(
  ctx: Context,
  projectCode: string,
  building: string | undefined,
  known: readonly KnownHouse[],
): Promise<SourceRow[]> {
  if (!building) throw new AppError('invalidInput', '请选择楼栋', { field: 'building' })
  const { rows } = await sql<{
    kinds: string[]
    names: string[]
  }>`select array_agg(s.kind order by p.n) as kinds, array_agg(s.name order by p.n) as names
    from site_place r cross join lateral unnest(r.path) with ordinality as p(id, n) join site_place s on s.id = p.id
    where r.project_code = ${projectCode} and r.kind = 'room' and r.path[1] = ${building} and r.archived_at is null
    group by r.id order by min(r.seq)`.execute(ctx.db)
  const houses = rows.filter(({ names }) => !service.test(names.at(-1) ?? ''))
  if (houses.length === 0) throw new AppError('invalidInput', '该楼栋还没有房间，请先在“部位”中批量生成楼层与房间', { field: 'building' })
  const there = new Map(known.map((one) => [labelOf(one), one]))
  return houses.map(({ kinds, names }) => {
    const named = (kind: string) => names[kinds.indexOf(kind)] ?? ''
    const place = {
      building: named('building'),
      unit: kinds.includes('unit') ? named('unit') : '',
      floor: named('floor'),
      name: named('room'),
    }
    const before = there.get(labelOf(place))
    return {
      externalNo: before?.externalNo ?? labelOf(place).split(nameJoint).join('-').slice(0, 50),
      ...place,
      houseType: before?.houseType ?? '',
      businessType: before?.businessType ?? '住宅',
      buildArea: before?.buildArea == null ? '' : String(before.buildArea),
    }
  })
}

/** A dry run shows what a sync would write; a sync writes it and keeps what failed, row by row. */
export async function sync(ctx: Context, requested: string, body: Sync): Promise<SyncOutcome> {
  const projectCode = oneProject(ctx, requested)
  if (ctx.group.type === groupTypes.government) throw new AppError('forbidden', '房屋数据由项目或参建企业同步')
  await sql`select pg_advisory_xact_lock(hashtext(${`houses ${projectCode}`}))`.execute(ctx.db)
  const known = await knownHouses(ctx, projectCode)
  const rows = body.source === 'places' ? await rowsOfPlaces(ctx, projectCode, body.building, known) : body.rows
  if (rows.length === 0) throw new AppError('invalidInput', '没有可同步的数据', { field: 'rows' })
  const plan = planSync(known, rows)
  const nameOf = new Map(known.map((one) => [one.id, labelOf(one)]))
  const outcome: SyncOutcome = {
    syncId: null,
    added: plan.added.map(labelOf).slice(0, mostNamed),
    changed: plan.changed.map((one) => ({ name: nameOf.get(one.id) ?? '', what: one.what })).slice(0, mostNamed),
    missing: plan.missing.map(({ label, kept }) => ({ name: label, kept })).slice(0, mostNamed),
    unchanged: plan.unchanged,
    failures: plan.failures,
  }
  if (body.action === 'preview') {
    ctx.note('试算房屋同步', projectCode)
    return outcome
  }
  await write(ctx, projectCode, plan)
  const syncId = ctx.newId()
  await ctx.db
    .insertInto('houseSync')
    .values({
      id: syncId,
      projectCode,
      source: body.source,
      at: new Date(ctx.clock.now()),
      rows: rows.length,
      added: plan.added.length,
      changed: plan.changed.length,
      missing: plan.missing.length,
      failed: plan.failures.length,
      failures: JSON.stringify(plan.failures),
      byName: ctx.user.name,
    })
    .execute()
  ctx.note(
    `同步房屋：新增 ${plan.added.length}，变更 ${plan.changed.length}，来源已无 ${plan.missing.length}，失败 ${plan.failures.length}`,
    projectCode,
  )
  return { ...outcome, syncId }
}

async function write(ctx: Context, projectCode: string, plan: ReturnType<typeof planSync>): Promise<void> {
  const now = new Date(ctx.clock.now())
  const gone = plan.missing.filter((one) => !one.kept).map((one) => one.id)
  const kept = plan.missing.filter((one) => one.kept).map((one) => one.id)
  // A house without acceptance data has nothing to be kept for.
  if (gone.length > 0) await sql`delete from house where id = any (${gone}) and state = '0'`.execute(ctx.db)
  if (kept.length > 0) await sql`update house set gone_at = ${now}, version = version + 1 where id = any (${kept})`.execute(ctx.db)
  const all = [
    ...plan.added.map((row) => ({ id: ctx.newId(), row, fresh: true })),
    ...plan.changed.map(({ id, row }) => ({ id, row, fresh: false })),
  ]
  if (all.length === 0) return
  const places = await roomsNamed(
    ctx,
    projectCode,
    all.map((one) => one.row),
  )
  const written = all.map(({ id, row, fresh }, i) => ({
    id,
    fresh,
    external: row.externalNo,
    place: places[i]?.placeId,
    building: places[i]?.buildingId,
    building_name: row.building,
    unit_name: row.unit || null,
    floor_name: row.floor,
    name: row.name,
    house_type: row.houseType,
    business_type: row.businessType,
    build_area: row.buildArea,
  }))
  const given = sql`jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as r (id text, fresh boolean, external text, place text, building text, building_name text,
    unit_name text, floor_name text, name text, house_type text, business_type text, build_area numeric)`
  await sql`update house h set place_id = r.place, building_id = r.building, building_name = r.building_name, unit_name = r.unit_name, floor_name = r.floor_name,
      name = r.name, house_type = r.house_type, business_type = r.business_type, build_area = r.build_area, gone_at = null, version = h.version + 1,
      update_by = ${ctx.user.id}, update_time = ${now}
    from ${given} where h.id = r.id and not r.fresh`.execute(ctx.db)
  await sql`insert into house (id, project_code, shown_at, groups, external_no, place_id, building_id, building_name, unit_name, floor_name, name, house_type,
      business_type, build_area, create_by, create_time)
    select r.id, ${projectCode}, ${now}, ${[ctx.group.id]}::text[], r.external, r.place, r.building, r.building_name, r.unit_name, r.floor_name, r.name,
      r.house_type, r.business_type, r.build_area, ${ctx.user.id}, ${now} from ${given} where r.fresh`.execute(ctx.db)
}
