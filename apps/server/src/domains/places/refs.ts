import { AppError } from '@zhugong/contract/kit/errors'
import type { Pin } from '@zhugong/contract/places/pins'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#kit/context'
import { type Condition, condition } from '#kit/list'

interface Given {
  placeId?: string | null | undefined
  pin?: Pin | null | undefined
}
/** Columns of a record that names a place and a point on its plan. */
export interface PlaceColumns {
  placeId: string | null
  planId: string | null
  pinX: number | null
  pinY: number | null
}

/**
 * The columns of records that name places, in the order given.
 * @throws AppError `invalidInput` at the record's `placeId` or `pin` when the place is not of the project or archived, or the plan is neither
 * the place's nor that of a place around it
 */
export async function placeColumns(
  ctx: Pick<Context, 'db'>,
  projectCode: string,
  given: readonly Given[],
  field: (at: number, name: 'placeId' | 'pin') => string,
): Promise<PlaceColumns[]> {
  const ids = [...new Set(given.flatMap((one) => one.placeId ?? []))]
  const planIds = [...new Set(given.flatMap((one) => one.pin?.planId ?? []))]
  const places = ids.length
    ? await sql<{ id: string; path: string[]; archived: boolean }>`select id, path, archived_at is not null as archived
        from site_place where id = any (${ids}) and project_code = ${projectCode}`.execute(ctx.db)
    : { rows: [] }
  const plans = planIds.length
    ? await sql<{ id: string; placeId: string }>`select id, place_id from site_plan
        where id = any (${planIds}) and project_code = ${projectCode}`.execute(ctx.db)
    : { rows: [] }
  const placeOf = new Map(places.rows.map((one) => [one.id, one]))
  const planPlace = new Map(plans.rows.map((one) => [one.id, one.placeId]))
  return given.map(({ placeId, pin }, at) => {
    const refuse = (name: 'placeId' | 'pin', message: string) => new AppError('invalidInput', message, { field: field(at, name) })
    if (!placeId) {
      if (pin) throw refuse('pin', '请先选择部位，再在平面图上点选')
      return { placeId: null, planId: null, pinX: null, pinY: null }
    }
    const place = placeOf.get(placeId)
    if (!place) throw refuse('placeId', '部位不存在或不属于该项目')
    if (place.archived) throw refuse('placeId', '该部位已停用，请重新选择')
    if (!pin) return { placeId, planId: null, pinX: null, pinY: null }
    const on = planPlace.get(pin.planId)
    if (on === undefined || !place.path.includes(on)) throw refuse('pin', '平面图不属于该部位，请重新点选')
    return { placeId, planId: pin.planId, pinX: pin.x, pinY: pin.y }
  })
}

/** The point of a record's columns; null without one. */
export const pinOf = ({ placeId, planId, pinX, pinY }: PlaceColumns): Pin | null =>
  placeId === null || planId === null || pinX === null || pinY === null ? null : { planId, x: pinX, y: pinY }

/** Expression: the names from the building down to the place of a column, null without one. */
export const placeNameOf = (column: string): RawBuilder<string | null> =>
  sql`(select q.full_name from site_place q where q.id = ${sql.ref(column)})`

/** Condition: the column names the place, or a place in it. */
export const withinPlace = (column: string, placeId: string): Condition =>
  condition(sql`${sql.ref(column)} in (select q.id from site_place q where q.path @> array[${placeId}::text])`)
