import { AppError } from '@zhugong/contract/kit/errors'
import { judgeArea, pointResults, type Tolerance } from '@zhugong/contract/measuring/judge'
import type { MeasuredArea, RetestedArea } from '@zhugong/contract/measuring/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { fileIdsOf, keptFiles, usePhotos } from '../files/public.ts'
import { placeColumns } from '../places/public.ts'
import type { Task } from './kind.ts'

export type Item = Row<'measureTaskItem'>
type Point = Row<'measurePoint'>
const fault = (message: string) => new AppError('invalidInput', message, { field: 'areas' })

export async function itemsOf(ctx: Pick<Context, 'db'>, taskId: string): Promise<Item[]> {
  const { rows } = await sql<Item>`select * from measure_task_item where task_id = ${taskId} order by no`.execute(ctx.db)
  return rows
}
const toleranceOf = ({ baseValue, judgeStart, judgeEnd, isAbsolute, isRange, isCustomBase, pointCount, burstFactor }: Item): Tolerance => ({
  baseValue,
  judgeStart,
  judgeEnd,
  isAbsolute,
  isRange,
  isCustomBase,
  pointCount,
  burstFactor,
})
const nameOf = (item: Pick<Item, 'itemCode' | 'standardName'>) => dictName('measureItem', item.itemCode) ?? item.standardName

/** The stage under which the photographs of a point are kept as evidence. */
export const stageOf = (itemNo: number, placeId: string, areaNo: number, pointNo: number): string =>
  `${placeId} ${itemNo} ${areaNo} ${pointNo}`

/**
 * Writes the areas as the device has them: each replaces what was measured of it before, so that a repeated request changes nothing.
 * @throws AppError `invalidInput` at `areas` or `instrumentNo`
 */
export async function writeAreas(ctx: Context, task: Task, areas: readonly MeasuredArea[], instrumentNo: string | null): Promise<void> {
  if (areas.length === 0) return
  const { id: taskId, projectCode, corpCode } = task
  const items = new Map((await itemsOf(ctx, taskId)).map((one) => [one.no, one]))
  const { rows: places } = await sql<{ id: string }>`select place_id as id from measure_task_place where task_id = ${taskId}`.execute(
    ctx.db,
  )
  const placeIds = new Set(places.map((one) => one.id))
  const seen = new Set<string>()
  const judged = areas.map((area) => {
    const { placeId, itemNo, areaNo, designValue, values } = area
    const item = items.get(itemNo)
    if (!item) throw fault(`任务没有第 ${itemNo} 个测项，请刷新`)
    if (!placeIds.has(placeId)) throw fault('部位不属于该任务，请刷新')
    if (areaNo > item.areaCount) throw fault(`${nameOf(item)}只有 ${item.areaCount} 个测区`)
    if (values.length > item.pointCount) throw fault(`${nameOf(item)}每区只有 ${item.pointCount} 个测点`)
    const key = `${placeId} ${itemNo} ${areaNo}`
    if (seen.has(key)) throw fault(`${nameOf(item)}测区 ${areaNo} 重复`)
    seen.add(key)
    if (item.forbidManual && values.some((one) => one !== null) && !instrumentNo)
      throw new AppError('invalidInput', `${nameOf(item)}仅允许仪器录入，请填写仪器编号`, { field: 'instrumentNo' })
    if (item.isCustomBase && designValue === null && values.some((one) => one !== null))
      throw fault(`请填写${nameOf(item)}测区 ${areaNo} 的基准值`)
    return { area, item, verdicts: judgeArea(toleranceOf(item), designValue, values) }
  })
  const pins = await placeColumns(
    ctx,
    projectCode,
    areas.map(({ placeId, pin }) => ({ placeId, pin })),
    () => 'areas',
  )
  const photos = await keptPhotos(ctx, taskId, areas)
  const at = new Date(ctx.clock.now())
  const areaRows = judged.map(({ area: { placeId, itemNo, areaNo, designValue } }, i) => ({
    place: placeId,
    item: itemNo,
    area: areaNo,
    design: designValue,
    plan: pins[i]?.planId ?? null,
    x: pins[i]?.pinX ?? null,
    y: pins[i]?.pinY ?? null,
  }))
  const areaId = sql`md5(${taskId} || ' ' || r.place || ' ' || r.item || ' ' || r.area)`
  await sql`insert into measure_area (id, task_id, project_code, corp_code, place_id, item_no, area_no, design_value, plan_id, pin_x, pin_y)
    select ${areaId}, ${taskId}, ${projectCode}, ${corpCode}, r.place, r.item, r.area, r.design, r.plan, r.x, r.y
    from jsonb_to_recordset(${JSON.stringify(areaRows)}::jsonb)
      as r (place text, item int, area int, design numeric, plan text, x real, y real)
    on conflict (id) do update set design_value = excluded.design_value, plan_id = excluded.plan_id, pin_x = excluded.pin_x, pin_y = excluded.pin_y`.execute(
    ctx.db,
  )
  const pointRows = judged.flatMap(({ area, item, verdicts }) =>
    area.values.flatMap((value, i) =>
      value === null
        ? []
        : [
            {
              place: area.placeId,
              item: area.itemNo,
              code: item.itemCode,
              area: area.areaNo,
              point: i + 1,
              value,
              deviation: verdicts[i]?.deviation ?? null,
              result: verdicts[i]?.result ?? null,
              photos: photos.get(stageOf(area.itemNo, area.placeId, area.areaNo, i + 1)) ?? [],
            },
          ],
    ),
  )
  // A point that was measured before keeps its time, unless its value changes.
  await sql`with given as (select r.*, ${areaId} as area_id from jsonb_to_recordset(${JSON.stringify(pointRows)}::jsonb)
        as r (place text, item int, code text, area int, point int, value numeric, deviation numeric, result text, photos text[])),
      gone as (delete from measure_point p using jsonb_to_recordset(${JSON.stringify(areaRows)}::jsonb) as r (place text, item int, area int)
        where p.area_id = ${areaId} and not exists (select from given g where g.area_id = p.area_id and g.point = p.point_no))
    insert into measure_point (id, area_id, task_id, project_code, corp_code, place_id, item_code, area_no, point_no, value, deviation, result, photos,
      measurer, instrument_no, at)
    select md5(g.area_id || ' ' || g.point), g.area_id, ${taskId}, ${projectCode}, ${corpCode}, g.place, g.code, g.area, g.point, g.value, g.deviation, g.result,
      g.photos, ${ctx.user.name}, ${instrumentNo}, ${at} from given g
    on conflict (id) do update set value = excluded.value, deviation = excluded.deviation, result = excluded.result, photos = excluded.photos,
      measurer = excluded.measurer, instrument_no = excluded.instrument_no,
      at = case when measure_point.value = excluded.value then measure_point.at else excluded.at end`.execute(ctx.db)
  for (const [stage, files] of photos)
    await usePhotos(ctx, {
      kind: '实测实量',
      objectId: taskId,
      stage,
      projectCode,
      corpCode,
      shownAt: task.shownAt,
      groups: task.groups,
      files,
    })
}

/** The photographs of points by their stage. @throws AppError at `areas` */
async function keptPhotos(ctx: Context, taskId: string, areas: readonly MeasuredArea[]): Promise<Map<string, string[]>> {
  const wanted = areas.flatMap(({ placeId, itemNo, areaNo, photos }) =>
    Object.entries(photos).map(([pointNo, files]) => [stageOf(itemNo, placeId, areaNo, Number(pointNo)), fileIdsOf(files)] as const),
  )
  const all = wanted.flatMap(([, files]) => files)
  if (all.length === 0) return new Map()
  const { rows } = await sql<{ file: string }>`select unnest(photos) as file from measure_point where task_id = ${taskId}`.execute(ctx.db)
  await keptFiles(
    ctx,
    all,
    rows.map((one) => one.file),
    'areas',
  )
  return new Map(wanted.filter(([, files]) => files.length > 0))
}

export interface Counted {
  currentPoints: number
  qualifiedPoints: number
  burstPoints: number
  firstQualified: number
}

/** Counts the points of a task as they stand. */
export async function countPoints(ctx: Pick<Context, 'db'>, taskId: string): Promise<Counted> {
  const { rows } = await sql<Counted>`select count(*)::int as current_points,
      count(*) filter (where coalesce(retest_result, result) = ${pointResults.passed})::int as qualified_points,
      count(*) filter (where coalesce(retest_result, result) = ${pointResults.burst})::int as burst_points,
      count(*) filter (where result = ${pointResults.passed})::int as first_qualified
    from measure_point where task_id = ${taskId} and result is not null`.execute(ctx.db)
  return rows[0] ?? { currentPoints: 0, qualifiedPoints: 0, burstPoints: 0, firstQualified: 0 }
}

const named = (item: Item | undefined, areaNo: number, pointNo: number) => `${item ? nameOf(item) : ''}测区 ${areaNo} 测点 ${pointNo}`

/** @throws AppError at `areas` when something is half-measured, or a burst point has no photograph */
export async function requireWhole(ctx: Context, task: Task): Promise<void> {
  const items = new Map((await itemsOf(ctx, task.id)).map((one) => [one.no, one]))
  type Open = { itemNo: number; areaNo: number; pointNo: number }
  const unjudged = await sql<Open>`select a.item_no, p.area_no, p.point_no from measure_point p join measure_area a on a.id = p.area_id
    where p.task_id = ${task.id} and p.result is null order by 1, 2, 3 limit 1`.execute(ctx.db)
  const half = unjudged.rows[0]
  if (half) throw fault(`${named(items.get(half.itemNo), half.areaNo, half.pointNo)}所在测区的极差要测完全部测点才能判定`)
  // One photograph shows the whole area of a spread.
  const bare = await sql<Open & { n: number }>`select a.item_no, p.area_no, p.point_no, (count(*) over ())::int as n
    from measure_point p join measure_area a on a.id = p.area_id join measure_task_item i on i.task_id = a.task_id and i.no = a.item_no
    where p.task_id = ${task.id} and p.result = ${pointResults.burst} and p.photos = '{}'
      and not (i.is_range and exists (select from measure_point q where q.area_id = p.area_id and q.photos <> '{}'))
    order by 1, 2, 3 limit 1`.execute(ctx.db)
  const first = bare.rows[0]
  if (first) throw fault(`${first.n} 个爆点缺照片：${named(items.get(first.itemNo), first.areaNo, first.pointNo)}`)
}

/**
 * Writes the second measurement of failed points.
 * @throws AppError at `retests` when a failed point is left out or a passed one is given
 */
export async function writeRetests(ctx: Context, task: Task, retests: readonly RetestedArea[]): Promise<void> {
  const refuse = (message: string) => new AppError('invalidInput', message, { field: 'retests' })
  const items = new Map((await itemsOf(ctx, task.id)).map((one) => [one.no, one]))
  type Known = Pick<Point, 'id' | 'areaId' | 'pointNo' | 'areaNo' | 'placeId' | 'result' | 'retestResult'> & {
    itemNo: number
    designValue: number | null
  }
  const { rows } =
    await sql<Known>`select p.id, p.area_id, p.point_no, p.area_no, p.place_id, p.result, p.retest_result, a.item_no, a.design_value
    from measure_point p join measure_area a on a.id = p.area_id where p.task_id = ${task.id}`.execute(ctx.db)
  const failed = rows.filter((one) => (one.retestResult ?? one.result) !== pointResults.passed)
  const keyOf = (one: { placeId: string; itemNo: number; areaNo: number }) => `${one.placeId} ${one.itemNo} ${one.areaNo}`
  const given = new Map(retests.map((one) => [keyOf(one), one]))
  const missing = failed.filter((one) => (given.get(keyOf(one))?.values[one.pointNo - 1] ?? null) === null)
  if (missing[0])
    throw refuse(`还有 ${missing.length} 个不合格点未复测：${named(items.get(missing[0].itemNo), missing[0].areaNo, missing[0].pointNo)}`)
  const byArea = Map.groupBy(failed, keyOf)
  const written = [...given].flatMap(([key, { itemNo, values }]) => {
    const points = byArea.get(key)
    const item = items.get(itemNo)
    if (!points?.[0] || !item) throw refuse('只复测不合格的测点，请刷新')
    if (values.length > item.pointCount) throw refuse(`${nameOf(item)}每区只有 ${item.pointCount} 个测点`)
    const verdicts = judgeArea(toleranceOf(item), points[0].designValue, values)
    return points.map(({ id, pointNo }) => ({ id, value: values[pointNo - 1], result: verdicts[pointNo - 1]?.result ?? null }))
  })
  if (written.some((one) => one.result === null)) throw refuse('极差要复测测区的全部测点')
  await sql`update measure_point p set retest = r.value, retest_result = r.result, retest_at = ${new Date(ctx.clock.now())}
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb) as r (id text, value numeric, result text)
    where p.id = r.id and p.task_id = ${task.id}`.execute(ctx.db)
}
