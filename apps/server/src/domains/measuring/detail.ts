import type { getMeasureTask, MeasureTaskDetail, ShownArea, TaskItem } from '@zhugong/contract/measuring/tasks'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { linksOf, photoNotesOf } from '../files/public.ts'
import { planPictures } from '../places/public.ts'
import { historyOf, offersFor } from '../process/public.ts'
import { stepLabels, type Task, taskKind } from './kind.ts'
import { itemsOf, stageOf } from './points.ts'
import { standardItem } from './standard.ts'
import { taskFor } from './task-rows.ts'

export const readTask: HandlerOf<typeof getMeasureTask> = async ({ params: { id } }, ctx) => {
  const row = found(await taskFor(ctx, id), '实测实量任务')
  const { rows } = await sql<Task>`select * from measure_task where id = ${id}`.execute(ctx.db)
  const task = found(rows[0], '实测实量任务')
  const places = await placesOf(ctx, id)
  const areas = await areasOf(ctx, id)
  return {
    ...row,
    places,
    items: (await itemsOf(ctx, id)).map(shownItem),
    areas,
    plans: await planPictures(ctx, [...areas.map((one) => one.planId), ...(await plansAround(ctx, id))]),
    instrumentNo: task.instrumentNo,
    fixNote: task.fixNote,
    fixPhotos: linksOf(ctx, task.fixPhotos),
    timeline: await historyOf(ctx, taskKind.kind, id, stepLabels),
    actions: offersFor(ctx, taskKind, task),
  }
}

function shownItem(item: Awaited<ReturnType<typeof itemsOf>>[number]): TaskItem {
  const known = standardItem(item.itemCode)
  const { no, itemCode, standardName, baseValue, judgeStart, judgeEnd, isAbsolute, isRange, isCustomBase } = item
  const { areaCount, pointCount, method, forbidManual, burstFactor } = item
  return {
    no,
    itemCode,
    itemName: known?.name ?? itemCode,
    standardName,
    baseValue,
    judgeStart,
    judgeEnd,
    unit: known?.unit ?? '',
    isAbsolute,
    isRange,
    isCustomBase,
    areaCount,
    pointCount,
    method,
    forbidManual,
    burstFactor,
  }
}

async function placesOf(ctx: Pick<Context, 'db'>, taskId: string): Promise<MeasureTaskDetail['places']> {
  const { rows } = await sql<MeasureTaskDetail['places'][number]>`select q.id, q.name, q.full_name from measure_task_place w
    join site_place q on q.id = w.place_id where w.task_id = ${taskId} order by w.seq`.execute(ctx.db)
  return rows
}

/** The plans in use of the places of a task, or of the places around them. */
async function plansAround(ctx: Pick<Context, 'db'>, taskId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select distinct f.id from measure_task_place w join site_place q on q.id = w.place_id
    join site_plan f on f.place_id = any (q.path) and f.replaced_at is null where w.task_id = ${taskId}`.execute(ctx.db)
  return rows.map((one) => one.id)
}

async function areasOf(ctx: Context, taskId: string): Promise<ShownArea[]> {
  const areas = await sql<
    Row<'measureArea'>
  >`select * from measure_area where task_id = ${taskId} order by place_id, item_no, area_no`.execute(ctx.db)
  const points = await sql<Row<'measurePoint'>>`select * from measure_point where task_id = ${taskId} order by area_id, point_no`.execute(
    ctx.db,
  )
  const notes = await photoNotesOf(ctx, taskId)
  const byArea = Map.groupBy(points.rows, (one) => one.areaId)
  return areas.rows.map(({ id, placeId, itemNo, areaNo, designValue, planId, pinX, pinY }) => ({
    placeId,
    itemNo,
    areaNo,
    designValue,
    planId,
    x: pinX,
    y: pinY,
    points: (byArea.get(id) ?? []).map(({ id: own, pointNo, value, deviation, result, retest, retestResult, photos }) => ({
      id: own,
      pointNo,
      value,
      deviation,
      result,
      retest,
      retestResult,
      photos: linksOf(ctx, photos),
      photoNotes: photos.map((file) => notes.get(`${stageOf(itemNo, placeId, areaNo, pointNo)} ${file}`) ?? null),
    })),
  }))
}
