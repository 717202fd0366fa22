import type { EpisodeMember } from '@zhugong/contract/alarms/endpoints'
import { episodeGapMs, happeningEnds, sharedHappenings } from '@zhugong/contract/alarms/episodes'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'

/** What an alarm tells of, as `happeningOf` says it. */
const happening = sql`coalesce(${JSON.stringify(sharedHappenings)}::jsonb ->> a.alarm_key, regexp_replace(a.alarm_key, ${happeningEnds}, ''))`
const gap = sql`make_interval(secs => ${episodeGapMs / 1000})`
const worstFirst = sql`level, active desc, start_time, id`

/**
 * The alarms of a condition as episodes (`intoEpisodes` of the contract): `id` of the one that leads, `members` with it in front. An
 * alarm that begins after everything before it has ended, and the gap is over, begins the next episode.
 */
export const episodesOf = (where: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select (array_agg(id order by ${worstFirst}))[1] as id,
    jsonb_agg(jsonb_build_object('id', id, 'alarmLabel', label, 'level', level, 'state', state, 'active', active, 'version', version)
      order by ${worstFirst}) as members
  from (
    select *, count(*) filter (where begins) over (partition by project_code, device_id, point, happening order by start_time, id) as nth
    from (
      select a.*, ${happening} as happening,
        start_time > max(coalesce(clear_time, 'infinity')) over (partition by project_code, device_id, point, ${happening}
          order by start_time, id rows between unbounded preceding and 1 preceding) + ${gap} as begins
      from alarm a where ${where}) marked) numbered
  group by project_code, device_id, point, happening, nth`

/** At most so many are named beside an alarm; a machine that flaps has more. */
const mostBeside = 20

/** What was going on at the same machine for the same reason while this alarm went on. */
export async function besideAlarm(db: Tx, id: string): Promise<EpisodeMember[]> {
  const { rows } = await sql<EpisodeMember>`
    with own as (select a.*, ${happening} as happening from alarm a where a.id = ${id})
    select a.id, a.label as alarm_label, a.level, a.state, a.active, a.version from alarm a, own o
    where a.project_code = o.project_code and a.device_id = o.device_id and a.point = o.point and a.simulated = o.simulated and a.id <> o.id
      and ${happening} = o.happening and a.start_time <= coalesce(o.clear_time, 'infinity') + ${gap}
      and coalesce(a.clear_time, 'infinity') + ${gap} >= o.start_time
    order by a.level, a.active desc, a.start_time, a.id limit ${mostBeside}`.execute(db)
  return rows
}
