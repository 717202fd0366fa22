import { dayMs } from '@zhugong/contract/kit/time'
import { metersOutside, ringsOf } from '@zhugong/contract/organisation/fence'
import type { sendPlaces } from '@zhugong/contract/tracks/calls'
import { isOnDuty, usableMeters } from '@zhugong/contract/tracks/track'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { checkSince, hoursOf, requireBody, shiftsOf } from './settings.ts'

/** A device that was offline sends what it kept for at most so long. */
const longestOfflineMs = 2 * dayMs
/** A device's clock may run ahead by this. */
const aheadMs = 2 * 60_000

/**
 * Stores positions of the caller himself, sent by his device. Refused, one by one and with the reason: what lies outside of the duty hours
 * without an open check, what was measured while the position was switched off, and what is too old or in the future.
 */
export const storePlaces: HandlerOf<typeof sendPlaces> = async ({ body: { places } }, ctx) => {
  requireBody(ctx)
  const now = ctx.clock.now()
  const hours = await hoursOf(ctx)
  const shifts = await shiftsOf(ctx, new Date(now - longestOfflineMs))
  const checking = (await checkSince(ctx))?.getTime()
  const whyNot = (time: number): string | undefined => {
    if (time > now + aheadMs) return '设备时间晚于平台时间'
    if (time < now - longestOfflineMs) return '超过 2 天的位置不再接收'
    if (!shifts.some((one) => time >= one.beginTime.getTime() && (one.endTime === null || time <= one.endTime.getTime())))
      return '定位未开启'
    const inCheck = checking !== undefined && time >= checking
    return isOnDuty(hours, time) || inCheck ? undefined : `不在执勤时段（${hours.begin}–${hours.end}），位置不予保存`
  }
  const refused = places.flatMap(({ id, time }) => {
    const why = whyNot(time)
    return why === undefined ? [] : [{ id, why: `${formatInstant(time).slice(11, 16)} ${why}` }]
  })
  const out = new Set(refused.map((one) => one.id))
  const kept = places.filter((one) => !out.has(one.id))
  if (kept.length === 0) return { stored: 0, refused }
  const fences = await fencesOf(ctx)
  const rows = kept.map((one) => ({
    ...one,
    projectCode:
      one.accuracy > usableMeters
        ? null
        : (fences.find(({ rings }) => metersOutside([one.lng, one.lat], rings) === 0)?.projectCode ?? null),
  }))
  const { numAffectedRows = 0n } = await sql`insert into officer_place (id, group_id, user_id, at, lng, lat, accuracy, project_code)
    select x.id, ${ctx.group.id}, ${ctx.user.id}, to_timestamp(x.time / 1000.0), x.lng, x.lat, x.accuracy, x."projectCode"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x(id text, time float8, lng float8, lat float8, accuracy float8, "projectCode" text)
    on conflict (user_id, id) do nothing`.execute(ctx.db)
  return { stored: Number(numAffectedRows), refused }
}

/** Fences of the sites of the caller's area. */
export async function fencesOf(ctx: Pick<Context, 'db'>) {
  const { rows } = await sql<{ projectCode: string; name: string; areaRule: unknown }>`select project_code, name, area_rule from project
    where area_rule is not null order by project_code`.execute(ctx.db)
  return rows
    .map(({ projectCode, name, areaRule }) => ({ projectCode, name, rings: ringsOf(areaRule) }))
    .filter((one) => one.rings.length > 0)
}
