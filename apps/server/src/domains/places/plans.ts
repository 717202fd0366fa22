import { AppError } from '@zhugong/contract/kit/errors'
import type { PlanPicture } from '@zhugong/contract/places/pins'
import type * as contract from '@zhugong/contract/places/places'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { fileIdsOf, keptFiles, linkOf } from '../files/public.ts'
import { placeToEdit } from './store.ts'

type Plan = Row<'sitePlan'>

/** The plan of a place in use now. */
export async function planOf(ctx: Pick<Context, 'db'>, placeId: string): Promise<Plan | undefined> {
  const { rows } = await sql<Plan>`select * from site_plan where place_id = ${placeId} and replaced_at is null`.execute(ctx.db)
  return rows[0]
}

export const setPlan: HandlerOf<typeof contract.setPlan> = async ({ body }, ctx) => {
  const place = await placeToEdit(ctx, body.id)
  if (place.kind === 'room' || place.kind === 'unit') throw new AppError('invalidInput', '平面图设在楼层、楼栋或区域上', { field: 'file' })
  const before = await planOf(ctx, place.id)
  const [file] = await keptFiles(ctx, fileIdsOf(body.file ? [body.file] : []), before ? [before.fileId] : [], 'file')
  const at = new Date(ctx.clock.now())
  if (file && before?.fileId === file) return { planId: before.id }
  await sql`update site_plan set replaced_at = ${at} where place_id = ${place.id} and replaced_at is null`.execute(ctx.db)
  ctx.note(file ? `设置平面图：${place.fullName}` : `移除平面图：${place.fullName}`, place.projectCode)
  if (!file) return { planId: null }
  const id = ctx.newId()
  await ctx.db
    .insertInto('sitePlan')
    .values({ id, projectCode: place.projectCode, placeId: place.id, fileId: file, ratio: body.ratio, byName: ctx.user.name, at })
    .execute()
  return { planId: id }
}

/** Gives the places without a plan the picture of another one; answers how many. */
export async function addPlans(ctx: Context, projectCode: string, placeIds: readonly string[], like: Plan): Promise<number> {
  const { rows } = await sql`insert into site_plan (id, project_code, place_id, file_id, ratio, by_name, at)
    select md5(${ctx.newId()} || q.id), ${projectCode}, q.id, ${like.fileId}, ${like.ratio}, ${ctx.user.name}, ${new Date(ctx.clock.now())}
    from site_place q where q.id = any (${[...placeIds]}) and q.project_code = ${projectCode}
      and not exists (select from site_plan f where f.place_id = q.id and f.replaced_at is null) returning id`.execute(ctx.db)
  return rows.length
}

/** The pictures of plans by their ids, replaced ones too. */
export async function planPictures(
  ctx: Pick<Context, 'db' | 'secrets' | 'clock'>,
  ids: readonly (string | null)[],
): Promise<PlanPicture[]> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return []
  const { rows } = await sql<Pick<Plan, 'id' | 'fileId' | 'ratio'> & { name: string }>`
    select f.id, f.file_id, f.ratio, q.full_name as name from site_plan f join site_place q on q.id = f.place_id
    where f.id = any (${wanted}) order by q.full_name, f.id`.execute(ctx.db)
  return rows.map(({ fileId, ...plan }) => ({ ...plan, picture: linkOf(ctx, fileId) ?? '' }))
}
