import type { DayTrack } from '@zhugong/contract/tracks/calls'
import { type Place, stayOfCheck, staysOf, trackOf } from '@zhugong/contract/tracks/track'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import { linksOf } from '../files/public.ts'
import { recordsOf } from './records.ts'
import { fencesOf } from './send.ts'

/** Positions of a period at most; a device sends one in 30 seconds. */
const mostPlaces = 10_000

async function placesOf(ctx: Pick<Context, 'db' | 'group'>, userId: string, from: Date, to: Date): Promise<Place[]> {
  const { rows } = await sql<
    Omit<Place, 'time'> & { at: Date }
  >`select at, lng, lat, accuracy::float8 as accuracy, project_code from officer_place
    where group_id = ${ctx.group.id} and user_id = ${userId} and at >= ${from} and at < ${to} order by at limit ${mostPlaces}`.execute(
    ctx.db,
  )
  return rows.map(({ at, ...place }) => ({ ...place, time: at.getTime() }))
}

/**
 * An officer of the caller's institution in this time: where he was, and which checks there are.
 * @throws AppError `notFound` when the account is not of the institution
 */
export async function dayOf(ctx: Context, userId: string, from: Date, to: Date): Promise<DayTrack> {
  const { rows } = await sql<{ name: string }>`select u.name from member m join app_user u on u.id = m.user_id
    where m.group_id = ${ctx.group.id} and m.user_id = ${userId} limit 1`.execute(ctx.db)
  const { name } = found(rows[0], '监督人员')
  const track = trackOf(await placesOf(ctx, userId, from, to))
  const stays = staysOf(track.segments)
  const dayRecords = await recordsOf(ctx, userId, from, to)
  const fences = await fencesOf(ctx)
  const nameOf = (projectCode: string) => fences.find((one) => one.projectCode === projectCode)?.name ?? projectCode
  const matched = dayRecords.map((check) => ({
    check,
    stay: stayOfCheck(stays, { projectCode: check.projectCode, time: check.time.getTime() }),
  }))
  const near = new Set([...stays.map((one) => one.projectCode), ...dayRecords.map((one) => one.projectCode)])
  return {
    userId,
    name,
    ...track,
    stays: stays.map((stay) => ({
      ...stay,
      projectName: nameOf(stay.projectCode),
      checks: matched.flatMap((one) => (one.stay === stay ? [one.check.id] : [])),
    })),
    checks: matched.map(({ check: { time, photos, byId: _byId, ...check }, stay }) => ({
      ...check,
      time: time.getTime(),
      photos: linksOf(ctx, photos),
      hasStay: stay !== undefined,
    })),
    fences: fences
      .filter((one) => near.has(one.projectCode))
      .map((one) => ({ ...one, rings: one.rings.map((ring) => ring.map(([lng, lat]): [number, number] => [lng, lat])) })),
  }
}
