import { ageOn } from '@zhugong/contract/kit/checks'
import { emptyOption } from '@zhugong/contract/kit/fields'
import { stations } from '@zhugong/contract/labour/codes'
import { type StayRow, stayRow } from '@zhugong/contract/personnel/people-rows'
import { ageLimits, type EntryCondition, entryConditions } from '@zhugong/contract/personnel/rules'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { type Row, slices } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, equals, inProjects, instantsBetween, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { hasCome } from '../attendance/public.ts'
import { linkOf } from '../files/public.ts'
import { joinLicence, type LicenceColumns, licenceColumns, licenceHolds, licenceIs, licenceState } from '../labour/public.ts'
import { conditionsMissing } from './conditions.ts'
import { lacksContract, lacksPayCard, lacksRealName, lacksTraining } from './people-figures.ts'
import { ages, byIdCard, byPhone, flag, type ListScope, quick, type StayQuery, turned, type WorkerFilters } from './people-filters.ts'

/** Conditions of entry as SQL over `w` (stay), `p` (person) and `lic`. */
const missingSql = (today: string): Record<EntryCondition, Condition> => ({
  realName: condition(lacksRealName('w')),
  age: condition(
    sql`extract(year from age(w.entry_time::date, w.birthday)) not between ${ageLimits.least} and (case w.gender when '2' then ${ageLimits.mostFemale}::int else ${ageLimits.mostMale}::int end)`,
  ),
  contract: condition(lacksContract('w')),
  training: condition(lacksTraining('w')),
  cert: condition(sql`not (${licenceHolds('w', today)})`),
  blacklist: condition(sql`w.black_hit`),
  payCard: condition(lacksPayCard('w')),
})

const comesToday = (today: string) => sql`exists (select 1 from attendance_day d
  where d.project_code = w.project_code and d.worker_id = w.worker_id and d.work_day = ${today}::date and ${hasCome('d')})`

const isCondition = (requested: string): requested is EntryCondition => Object.hasOwn(entryConditions, requested)

/** Consistent with the rows: a person who has left has no missing conditions. */
function anyMissing(requested: readonly string[], today: string): Condition[] {
  const missing = missingSql(today)
  const either = (conditions: readonly Condition[]) => sql`(${sql.join(conditions, sql` or `)})`
  if (requested.includes(emptyOption)) return [condition(sql`(w.exit_time is not null or not ${either(Object.values(missing))})`)]
  const wanted = requested.filter(isCondition).map((one) => missing[one])
  return wanted.length === 0 ? [] : [condition(sql`(w.exit_time is null and ${either(wanted)})`)]
}
/** Consistent with the rows: a person who has left needs no licence. */
const anyState = (states: readonly string[], today: string): Condition => {
  const one = (state: string) =>
    state === emptyOption || state === 'none'
      ? sql`(w.exit_time is not null or ${licenceIs('w', 'none', today)})`
      : sql`(w.exit_time is null and ${licenceIs('w', state, today)})`
  return condition(sql`(${sql.join(states.map(one), sql` or `)})`)
}

/** The filters of every list of stays, over `w`. Certificates must be joined if a filter reads them (`readsLicence`). */
export function stayConditions(ctx: ListScope, query: WorkerFilters): Condition {
  const today = formatDay(ctx.clock.now())
  const firstIn = {
    in: condition(comesToday(today)),
    out: condition(sql`not ${comesToday(today)}`),
    late: condition(sql`exists (select 1 from attendance_day d where d.project_code = w.project_code and d.worker_id = w.worker_id
      and d.work_day = ${today}::date and 2 = any (d.results))`),
  }
  return allOf(
    ...inProjects('w.projectCode', projectsFor(ctx, query.projectCode)),
    ...contains('w.workerName', query.name),
    ...anyOf('w.gender', query.gender),
    ...ages('w.birthday', query.age, today),
    ...byIdCard(ctx, 'w.idCardHash', query.idCardNumber),
    ...byPhone(ctx, 'w.cellPhoneHash', query.cellPhone),
    ...equals('w.corpCode', query.corpCode),
    ...equals('w.teamId', query.teamId),
    ...equals('w.workRole', query.workRole),
    ...anyOf('w.workType', query.workType),
    ...anyOf('w.post', query.post),
    ...instantsBetween('w.entryTime', query.entryTime),
    ...instantsBetween('w.exitTime', query.exitTime),
    ...anyOf('w.formalStatus', query.formalStatus),
    // Filters by exit_time instead of the state column: the partial indexes are on it.
    ...(query.stationed === stations.present
      ? [condition(sql`w.exit_time is null`)]
      : query.stationed === stations.left
        ? [condition(sql`w.exit_time is not null`)]
        : []),
    ...flag('w.attendEnabled', query.attendEnabled),
    ...flag('w.hasContract', query.hasContract),
    ...(query.certState?.length ? [anyState(query.certState, today)] : []),
    ...anyMissing(query.missing ?? [], today),
    ...(query.firstIn ? [firstIn[query.firstIn]] : []),
    ...(query.lastPass
      ? [
          condition(sql`exists (select 1 from attendance_event e where e.project_code = w.project_code and e.worker_id = w.worker_id
            and ${allOf(...instantsBetween('e.time', query.lastPass))})`),
        ]
      : []),
    ...(query.importId
      ? [condition(sql`exists (select 1 from worker_import_row i where i.project_worker_id = w.id and i.import_id = ${query.importId})`)]
      : []),
    ...quick(ctx, query.q),
  )
}

/** Whether a filter reads licences: only then they are joined before paging. */
const readsLicence = (query: WorkerFilters) =>
  Boolean(query.certState?.length || query.missing?.some((m) => m === 'cert' || m === emptyOption))

const stayOrder = (sort: StayQuery['sort'], alias = 'w') =>
  orderBy(
    turned(sort),
    {
      entryTime: `${alias}.entryTime!`,
      exitTime: `${alias}.exitTime`,
      name: `${alias}.workerName`,
      // Ages sort in reverse order of birthdays.
      age: `${alias}.birthday`,
      teamId: `${alias}.teamId`,
      workType: `${alias}.workType`,
      formalStatus: `${alias}.formalStatus`,
    },
    '-entryTime',
    `${alias}.id`,
  )
/** A stay with the data its entry conditions depend on. */
export type JudgedStay = Row<'projectWorker'> & LicenceColumns & { realNameState: string }

export type RawStay = JudgedStay & {
  corpName: string | null
  teamName: string | null
  projectName: string | null
  face: string | null
  firstIn: Date | null
  results: number[] | null
  lastPass: Date | null
}

/**
 * The joins for the columns a stay is displayed with, over `w`. Each is an index lookup per row: a plain join read all people of the day.
 */
export const stayJoins = (today: string) => sql`
  left join corporation c on c.corp_code = w.corp_code
  left join team t on t.id = w.team_id
  left join project pr on pr.project_code = w.project_code
  left join worker p on p.id = w.worker_id
  left join lateral (select a.first_in, a.results from attendance_day a
    where a.project_code = w.project_code and a.worker_id = w.worker_id and a.work_day = ${today}::date limit 1) d on true
  left join lateral (select e.time from attendance_event e
    where e.project_code = w.project_code and e.worker_id = w.worker_id order by e.time desc limit 1) pass on true
  ${joinLicence('w')}`
const besideColumns = sql`c.corp_name, t.team_name, pr.name as project_name, coalesce(p.real_name_state, zg_real_name_state(w.worker_id)) as real_name_state, case when w.exit_time is null and w.confirmed_at is not null then coalesce(p.face_photo, p.head_image) end as face,
  d.first_in, d.results, pass.time as last_pass, ${licenceColumns}`
export const stayColumns = sql`w.*, ${besideColumns}`

type Beside = Omit<RawStay, keyof Row<'projectWorker'>>

/** The stays with their displayed columns, in the given order. All lists share one statement, so that its plan is cached. */
async function withBeside(ctx: ListScope, stays: readonly Row<'projectWorker'>[], today: string): Promise<RawStay[]> {
  if (stays.length === 0) return []
  const of = <K extends keyof Row<'projectWorker'>>(key: K) => stays.map((stay) => stay[key])
  const { rows } = await sql<Beside & { id: string }>`
    select w.id, ${besideColumns}
    from unnest(${of('id')}::text[], ${of('projectCode')}::text[], ${of('workerId')}::text[], ${of('corpCode')}::text[], ${of('teamId')}::text[],
      ${of('workType')}::text[], ${of('exitTime')}::timestamptz[], ${of('confirmedAt')}::timestamptz[])
      as w (id, project_code, worker_id, corp_code, team_id, work_type, exit_time, confirmed_at)
      ${stayJoins(today)}`.execute(ctx.db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return stays.flatMap((stay) => {
    const beside = byId.get(stay.id)
    return beside ? [{ ...stay, ...beside }] : []
  })
}

interface Page {
  limit: number
  offset: number
}

export async function stayRows(ctx: ListScope, query: StayQuery, page: Page): Promise<StayRow[]> {
  return (await stayPage(ctx, query, page)).list
}

/** A page of the list and the total, in one query unless the page is beyond the last one. */
export async function stayPage(ctx: ListScope, query: StayQuery, page: Page): Promise<{ list: StayRow[]; total: number }> {
  const today = formatDay(ctx.clock.now())
  const stays = sql`from project_worker w ${readsLicence(query) ? joinLicence('w') : sql``} where ${stayConditions(ctx, query)}`
  // The page is selected from one table and one index first; joined data is read for its rows only.
  const { rows } = await sql<Row<'projectWorker'> & { total: number }>`
    select w.*, (select count(*)::int ${stays}) as total ${stays} order by ${stayOrder(query.sort)}
    limit ${page.limit} offset ${page.offset}`.execute(ctx.db)
  const total = rows[0]?.total ?? (page.offset > 0 ? await countStays(ctx, query) : 0)
  return { list: (await withBeside(ctx, rows, today)).map((row) => toStayRow(ctx, row, today)), total }
}

export async function countStays(ctx: ListScope, query: WorkerFilters): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from project_worker w ${readsLicence(query) ? joinLicence('w') : sql``} where ${stayConditions(ctx, query)}`.execute(
    ctx.db,
  )
  return rows[0]?.n ?? 0
}

const clockOf = (at: Date) => formatInstant(at).slice(11, 16)

export function toStayRow(ctx: Pick<Context, 'secrets' | 'clock'>, w: RawStay, today: string): StayRow {
  // For people who have left, later photos and certificates are not shown.
  const licence = w.exitTime ? licenceState(null, w, today) : licenceState(w.workType, w, today)
  return rowOf(stayRow, w, {
    name: w.workerName,
    age: ageOn(w.birthday, today),
    idCardNumber: w.idCardMask,
    cellPhone: w.cellPhoneMask,
    workTypeName: w.workType ? dictName('workerType', w.workType) : dictName('managerPost', w.post),
    entryTime: formatInstant(w.entryTime),
    exitTime: w.exitTime ? formatInstant(w.exitTime) : null,
    exitReasonName: dictName('exitReason', w.exitReason),
    stationed: w.exitTime ? '2' : '1',
    ...licence,
    firstIn: w.firstIn ? clockOf(w.firstIn) : null,
    late: w.results?.includes(2) ?? false,
    lastPass: w.lastPass ? formatInstant(w.lastPass) : null,
    missing: w.exitTime ? [] : conditionsMissing(w, w.realNameState, licence.certState),
    photo: linkOf(ctx, w.face),
  })
}

const exportChunk = 500

/**
 * Streams all rows of the list. The keys are ordered first, from one index; the other columns are then read for some hundreds of rows at a
 * time. One join over 100,000 rows took minutes.
 */
export async function* streamStays(ctx: ListScope, query: StayQuery): AsyncIterable<StayRow & { birthday: string }> {
  const today = formatDay(ctx.clock.now())
  const keys = sql<{ id: string }>`
    select w.id from project_worker w ${readsLicence(query) ? joinLicence('w') : sql``}
    where ${stayConditions(ctx, query)} order by ${stayOrder(query.sort)}`
  for await (const page of slices(ctx.db, 'stays', keys, exportChunk)) {
    const { rows } = await sql<Row<'projectWorker'>>`
      select w.* from unnest(${page.map((key) => key.id)}::text[]) with ordinality as key (id, place) join project_worker w on w.id = key.id
      order by key.place limit ${exportChunk}`.execute(ctx.db)
    for (const row of await withBeside(ctx, rows, today)) yield { ...toStayRow(ctx, row, today), birthday: row.birthday }
  }
}
