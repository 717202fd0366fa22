import type { EpisodeMember } from '@zhugong/contract/alarms/endpoints'
import { episodeGapMs, happeningEnds, leastOfOutage, outages, sharedHappenings } from '@zhugong/contract/alarms/episodes'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#kit/db'

/** The kind of event behind an alarm, as defined by `happeningOf`. */
const happening = sql`coalesce(${JSON.stringify(sharedHappenings)}::jsonb ->> a.alarm_key, regexp_replace(a.alarm_key, ${happeningEnds}, ''))`
const gap = sql`make_interval(secs => ${episodeGapMs / 1000})`
/** The device family of an outage alarm, for families whose devices share one supply or one station. */
const dark = sql`case ${sql.join(
  outages.map(
    ({ family, alarmKeys }) =>
      sql`when a.family = ${sql.lit(family)} and a.alarm_key in (${sql.join(alarmKeys.map((key) => sql.lit(key)))}) then ${sql.lit(family)}`,
  ),
  sql` `,
)} end`
const darkGap = sql`make_interval(secs => case dark ${sql.join(
  outages.map(({ family, gapMs }) => sql`when ${sql.lit(family)} then ${sql.lit(gapMs / 1000)}::float8`),
  sql` `,
)} else 0 end)`

/** Alarms with the outage they belong to, if any; `run` numbers the outages of a site. */
const withOutages = (where: RawBuilder<unknown>) => sql`
  known as (select a.*, ${happening} as happening, ${dark} as dark from alarm a where ${where}),
  runs as (
    select *, count(*) filter (where far) over (partition by project_code, dark order by start_time, id) as run
    from (select *, start_time > lag(start_time) over (partition by project_code, dark order by start_time, id) + ${darkGap} as far from known) k),
  outages as (select project_code, dark, run from runs where dark is not null group by 1, 2, 3 having count(distinct device_id) >= ${leastOfOutage}),
  placed as (
    select runs.*, case when o.run is null then runs.device_id || ' ' || runs.point || ' ' || runs.happening else 'outage ' || runs.dark || ' ' || o.run end as subject, o.run is not null as is_outage
    from runs left join outages o on o.dark = runs.dark and o.project_code = runs.project_code and o.run = runs.run)`

const worstFirst = sql`level, active desc, start_time, id`

/**
 * The alarms that meet a condition, grouped into episodes (`intoEpisodes` of the contract). `id` is the leading alarm, `members` all of
 * them, leading one first. An alarm that begins after all earlier ones have ended and the gap has passed starts a new episode.
 */
export const episodesOf = (where: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  with ${withOutages(where)}
  select (array_agg(id order by ${worstFirst}))[1] as id,
    jsonb_agg(jsonb_build_object('id', id, 'deviceName', device_name, 'alarmLabel', label, 'level', level, 'state', state, 'active', active, 'version', version)
      order by ${worstFirst}) as members
  from (
    select *, count(*) filter (where begins) over (partition by project_code, subject order by start_time, id) as nth
    from (
      select *, not is_outage and start_time > max(coalesce(clear_time, 'infinity')) over (partition by project_code, subject
          order by start_time, id rows between unbounded preceding and 1 preceding) + ${gap} as begins
      from placed) marked) numbered
  group by project_code, subject, nth`

/** Maximum number of related alarms shown; a flapping machine has more. */
const mostBeside = 20

/** Devices that went offline further apart than this belong to different outages, even when others went offline in between. */
const outageReach = sql`interval '12 hours'`

/** Related alarms: those of the same machine and event at the same time, or those of the other meters of an outage. */
export async function besideAlarm(db: Tx, id: string): Promise<EpisodeMember[]> {
  const { rows: together } = await sql<EpisodeMember>`
    with own as (select a.* from alarm a where a.id = ${id} and ${dark} is not null),
    ${withOutages(sql`exists (select 1 from own o where a.project_code = o.project_code and a.family = o.family and a.simulated = o.simulated
      and a.start_time between o.start_time - ${outageReach} and o.start_time + ${outageReach})`)}
    select p.id, p.device_name, p.label as alarm_label, p.level, p.state, p.active, p.version from placed p
    where p.is_outage and p.id <> ${id} and p.subject = (select q.subject from placed q where q.id = ${id})
    order by p.level, p.active desc, p.start_time, p.id limit ${mostBeside}`.execute(db)
  if (together.length > 0) return together
  const { rows } = await sql<EpisodeMember>`
    with own as (select a.*, ${happening} as happening from alarm a where a.id = ${id})
    select a.id, a.device_name, a.label as alarm_label, a.level, a.state, a.active, a.version from alarm a, own o
    where a.project_code = o.project_code and a.device_id = o.device_id and a.point = o.point and a.simulated = o.simulated and a.id <> o.id
      and ${happening} = o.happening and a.start_time <= coalesce(o.clear_time, 'infinity') + ${gap}
      and coalesce(a.clear_time, 'infinity') + ${gap} >= o.start_time
    order by a.level, a.active desc, a.start_time, a.id limit ${mostBeside}`.execute(db)
  return rows
}
