import { ageOn, normalizeIdCard } from '@zhugong/contract/kit/checks'
import { emptyOption } from '@zhugong/contract/kit/fields'
import { stations } from '@zhugong/contract/labour/codes'
import * as contract from '@zhugong/contract/personnel/endpoints'
import type { FileRow, RosterRow, StayRow } from '@zhugong/contract/personnel/model'
import { ageLimits, type EntryCondition, entryConditions } from '@zhugong/contract/personnel/rules'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, oneProject, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, contains, equals, inAreas, inProjects, instantsBetween, orderBy, pageSlice } from '#kit/list'
import type { Serve } from '#kit/serve'
import { linkOf } from '../files/public.ts'
import { joinLicence, type LicenceColumns, licenceColumns, licenceHolds, licenceIs, licenceState } from '../labour/public.ts'
import { conditionsMissing, incompleteOf, type WorkerFile } from './conditions.ts'
import { nativePlace } from './native-place.ts'
import { lacksContract } from './people-figures.ts'

type QueryOf<E extends { types?: { parsed: { query: unknown } } }> = Partial<NonNullable<E['types']>['parsed']['query']>
/** What all three views are filtered by; each sorts by names of its own, and the contract has refused the others'. */
type WorkerFilters = Omit<QueryOf<typeof contract.listWorkers>, 'sort'>
export type StayQuery = QueryOf<typeof contract.listStays>
export type FileQuery = QueryOf<typeof contract.listFiles>
export type RosterQuery = QueryOf<typeof contract.listRoster>
type ListScope = Pick<Context, 'db' | 'scope' | 'scopeChecks' | 'clock' | 'secrets'>
const bool = (raw: unknown) => raw as Condition

export function listRoutes(serve: Serve) {
  serve(contract.listWorkers, async ({ query }, ctx) => {
    const { limit, offset } = pageSlice(query)
    const { sort, ...filters } = query
    if (query.view === 'file') {
      const files = { ...filters, sort: sort as FileQuery['sort'] }
      return { list: await fileRows(ctx, files, { limit, offset }), total: await countFiles(ctx, filters) }
    }
    if (query.view === 'roster') {
      const at = { ...filters, projectCode: oneProject(ctx, query.projectCode) }
      return { list: await rosterRows(ctx, at, { limit, offset }), total: await countRoster(ctx, at) }
    }
    const stays = { ...filters, sort: sort as StayQuery['sort'] }
    return { list: await stayRows(ctx, stays, { limit, offset }), total: await countStays(ctx, filters) }
  })
  serve(contract.pickWorkers, async ({ query }, ctx) => {
    const where = allOf(
      ...inProjects('w.projectCode', projectsFor(ctx, query.projectCode)),
      ...equals('w.teamId', query.teamId),
      ...quick(ctx, query.name),
      bool(sql`w.exit_time is null`),
    )
    const { limit, offset } = pageSlice(query)
    const { rows } = await sql<Row<'projectWorker'> & { teamName: string | null }>`
      select w.*, t.team_name from project_worker w left join team t on t.id = w.team_id
      where ${where} order by w.worker_name, w.id limit ${limit} offset ${offset}`.execute(ctx.db)
    const total = await sql<{ n: number }>`select count(*)::int as n from project_worker w where ${where}`.execute(ctx.db)
    return {
      list: rows.map((w) => ({
        workerId: w.workerId,
        projectWorkerId: w.id,
        name: w.workerName,
        idCardNumber: w.idCardMask,
        projectCode: w.projectCode,
        teamId: w.teamId,
        teamName: w.teamName,
        workTypeName: w.workType ? dictName('workerType', w.workType) : dictName('managerPost', w.post),
      })),
      total: total.rows[0]?.n ?? 0,
    }
  })
}

// ---- filters

/** Whole ID numbers and telephones are matched by their keyed hash: parts of them cannot be searched, and stay out of the query plan. */
const byIdCard = (ctx: Pick<Context, 'secrets'>, column: string, value: string | undefined): Condition[] =>
  value ? equals(column, ctx.secrets.blindIndex('id-card', normalizeIdCard(value))) : []
const byPhone = (ctx: Pick<Context, 'secrets'>, column: string, value: string | undefined): Condition[] =>
  value ? equals(column, ctx.secrets.blindIndex('phone', value.replace(/\s/g, ''))) : []

/** One box for three things, told apart by their shape, so that each meets its own index. */
function quick(ctx: Pick<Context, 'secrets'>, q: string | undefined): Condition[] {
  if (!q) return []
  const plain = q.replace(/\s/g, '')
  if (/^1\d{10}$/.test(plain)) return byPhone(ctx, 'w.cellPhoneHash', plain)
  if (/^[A-Za-z0-9]{8,18}$/.test(plain)) return byIdCard(ctx, 'w.idCardHash', plain)
  return contains('w.workerName', q)
}

/** An age range as a range of birthdays, so that no row's age is reckoned. */
function ages(column: string, range: { low?: number | undefined; high?: number | undefined } | undefined, today: string): Condition[] {
  const back = (years: number) => `${Number(today.slice(0, 4)) - years}${today.slice(4)}`
  return [
    ...(range?.low === undefined ? [] : [bool(sql`${sql.ref(column)} <= ${back(Math.ceil(range.low))}::text::date`)]),
    ...(range?.high === undefined ? [] : [bool(sql`${sql.ref(column)} > ${back(Math.floor(range.high) + 1)}::text::date`)]),
  ]
}
const flag = (column: string, value: string | undefined): Condition[] =>
  value === undefined || value === '' ? [] : equals(column, value === '1' || value === 'true')

/** 29 February has no namesake in most years; PostgreSQL refuses the date. */
const plainDay = (today: string) => (today.endsWith('02-29') ? `${today.slice(0, 4)}-02-28` : today)

/** Conditions of entry as SQL over `w` (stay), `p` (person) and `lic`. */
const missingSql = (today: string): Record<EntryCondition, Condition> => ({
  realName: bool(sql`exists (select 1 from worker p where p.id = w.worker_id and p.real_name_state <> '1')`),
  age: bool(
    sql`extract(year from age(w.entry_time::date, w.birthday)) not between ${ageLimits.least} and (case w.gender when '2' then ${ageLimits.mostFemale}::int else ${ageLimits.mostMale}::int end)`,
  ),
  contract: bool(lacksContract('w')),
  training: bool(sql`not w.entry_trained`),
  cert: bool(sql`not (${licenceHolds('w', today)})`),
  blacklist: bool(sql`w.black_hit`),
  payCard: bool(sql`(w.work_role = '20' and w.pay_roll_bank_card_hash is null)`),
})

const comesToday = (today: string) => sql`exists (select 1 from attendance_day d
  where d.project_code = w.project_code and d.worker_id = w.worker_id and d.work_day = ${today}::date and d.first_in is not null)`

function stayConditions(ctx: ListScope, query: WorkerFilters): Condition {
  const today = formatDay(ctx.clock.now())
  const missing = missingSql(today)
  const wanted = (query.missing ?? []).filter((m): m is EntryCondition => Object.hasOwn(entryConditions, m))
  const firstIn = {
    in: bool(comesToday(today)),
    out: bool(sql`not ${comesToday(today)}`),
    late: bool(sql`exists (select 1 from attendance_day d where d.project_code = w.project_code and d.worker_id = w.worker_id
      and d.work_day = ${today}::date and 2 = any (d.results))`),
  }
  return allOf(
    ...inProjects('w.projectCode', projectsFor(ctx, query.projectCode)),
    ...contains('w.workerName', query.name),
    ...anyOf('w.gender', query.gender),
    ...ages('w.birthday', query.age, plainDay(today)),
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
    // exit_time rather than the state beside it: the partial indexes are on it.
    ...(query.stationed === stations.present
      ? [bool(sql`w.exit_time is null`)]
      : query.stationed === stations.left
        ? [bool(sql`w.exit_time is not null`)]
        : []),
    ...flag('w.attendEnabled', query.attendEnabled),
    ...flag('w.hasContract', query.hasContract),
    ...(query.certState?.length
      ? [
          bool(
            sql`(${sql.join(
              query.certState.map((s) => licenceIs('w', s === emptyOption ? 'none' : s, today)),
              sql` or `,
            )})`,
          ),
        ]
      : []),
    ...(query.missing?.includes(emptyOption)
      ? [bool(sql`not (${sql.join(Object.values(missing), sql` or `)})`)]
      : wanted.length
        ? [
            bool(
              sql`(${sql.join(
                wanted.map((m) => missing[m]),
                sql` or `,
              )})`,
            ),
          ]
        : []),
    ...(query.firstIn ? [firstIn[query.firstIn]] : []),
    ...(query.lastPass
      ? [
          bool(sql`exists (select 1 from attendance_event e where e.project_code = w.project_code and e.worker_id = w.worker_id
            and ${allOf(...instantsBetween('e.time', query.lastPass))})`),
        ]
      : []),
    ...quick(ctx, query.q),
  )
}

/** Whether a filter reads licences: only then are they joined before the page is cut. */
const readsLicence = (query: WorkerFilters) =>
  Boolean(query.certState?.length || query.missing?.some((m) => m === 'cert' || m === emptyOption))

const stayOrder = (sort: StayQuery['sort'], alias = 'w') =>
  orderBy(
    turned(sort),
    {
      entryTime: `${alias}.entryTime!`,
      exitTime: `${alias}.exitTime`,
      name: `${alias}.workerName`,
      // Older people were born earlier.
      age: `${alias}.birthday`,
      teamId: `${alias}.teamId`,
      workType: `${alias}.workType`,
      formalStatus: `${alias}.formalStatus`,
    },
    '-entryTime',
    `${alias}.id`,
  )
const turned = <S extends string>(sort: S | 'age' | '-age' | undefined) => (sort === 'age' ? '-age' : sort === '-age' ? 'age' : sort)

// ---- stays

export type RawStay = Row<'projectWorker'> &
  LicenceColumns & {
    corpName: string | null
    teamName: string | null
    projectName: string | null
    realNameState: string
    face: string | null
    firstIn: Date | null
    results: number[] | null
    lastPass: Date | null
  }

/** What a shown stay needs beside its own row; joined after the page is cut. */
export const stayJoins = (today: string) => sql`
  left join corporation c on c.corp_code = w.corp_code
  left join team t on t.id = w.team_id
  left join project pr on pr.project_code = w.project_code
  left join worker p on p.id = w.worker_id
  left join attendance_day d on d.project_code = w.project_code and d.worker_id = w.worker_id and d.work_day = ${today}::date
  left join lateral (select e.time from attendance_event e
    where e.project_code = w.project_code and e.worker_id = w.worker_id order by e.time desc limit 1) pass on true
  ${joinLicence('w')}`
export const stayColumns = sql`w.*, c.corp_name, t.team_name, pr.name as project_name, p.real_name_state, case when w.exit_time is null then coalesce(p.face_photo, p.head_image) end as face,
  d.first_in, d.results, pass.time as last_pass, ${licenceColumns}`

async function stayRows(ctx: ListScope, query: StayQuery, page: { limit: number; offset: number }): Promise<StayRow[]> {
  const today = formatDay(ctx.clock.now())
  // The page is cut from one table and one index first: what is joined is joined for its rows alone.
  const { rows } = await sql<RawStay>`
    select ${stayColumns} from (
      select w.* from project_worker w ${readsLicence(query) ? joinLicence('w') : sql``}
      where ${stayConditions(ctx, query)} order by ${stayOrder(query.sort)} limit ${page.limit} offset ${page.offset}
    ) w ${stayJoins(today)} order by ${stayOrder(query.sort)}`.execute(ctx.db)
  return rows.map((row) => toStayRow(ctx, row, today))
}

async function countStays(ctx: ListScope, query: WorkerFilters): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from project_worker w ${readsLicence(query) ? joinLicence('w') : sql``} where ${stayConditions(ctx, query)}`.execute(
    ctx.db,
  )
  return rows[0]?.n ?? 0
}

const clockOf = (at: Date) => formatInstant(at).slice(11, 16)

export function toStayRow(ctx: Pick<Context, 'secrets' | 'clock'>, w: RawStay, today: string): StayRow {
  // Of somebody who has gone, neither picture nor papers of later days are shown.
  const licence = w.exitTime ? licenceState(null, w, today) : licenceState(w.workType, w, today)
  return {
    id: w.id,
    workerId: w.workerId,
    name: w.workerName,
    gender: w.gender,
    age: ageOn(w.birthday, today),
    idCardNumber: w.idCardMask,
    cellPhone: w.cellPhoneMask,
    projectCode: w.projectCode,
    projectName: w.projectName,
    corpCode: w.corpCode,
    corpName: w.corpName,
    teamId: w.teamId,
    teamName: w.teamName,
    workRole: w.workRole,
    workType: w.workType,
    workTypeName: w.workType ? dictName('workerType', w.workType) : dictName('managerPost', w.post),
    post: w.post,
    isTeamLeader: w.isTeamLeader,
    entryTime: formatInstant(w.entryTime),
    exitTime: w.exitTime ? formatInstant(w.exitTime) : null,
    exitReasonName: dictName('exitReason', w.exitReason),
    formalStatus: w.formalStatus,
    stationed: w.exitTime ? '2' : '1',
    hasContract: w.hasContract,
    attendEnabled: w.attendEnabled,
    ...licence,
    firstIn: w.firstIn ? clockOf(w.firstIn) : null,
    late: w.results?.includes(2) ?? false,
    lastPass: w.lastPass ? formatInstant(w.lastPass) : null,
    missing: w.exitTime ? [] : conditionsMissing(w, w.realNameState, licence.certState),
    photo: linkOf(ctx, w.face),
    version: w.version,
  }
}

const exportChunk = 500

/**
 * The list's own rows without a page. The order is fixed first, from one index, as keys; what a row needs beside itself is joined for some
 * hundreds at a time: joined for all of 100,000 at once, the same took minutes.
 */
export async function* streamStays(ctx: ListScope, query: StayQuery): AsyncIterable<StayRow & { birthday: string }> {
  const today = formatDay(ctx.clock.now())
  const { rows: keys } = await sql<{ id: string }>`
    select w.id from project_worker w ${readsLicence(query) ? joinLicence('w') : sql``}
    where ${stayConditions(ctx, query)} order by ${stayOrder(query.sort)}`.execute(ctx.db)
  for (let at = 0; at < keys.length; at += exportChunk) {
    const ids = keys.slice(at, at + exportChunk).map(({ id }) => id)
    const { rows } = await sql<RawStay>`
      select ${stayColumns} from (
        select w.*, key.place from unnest(${ids}::text[]) with ordinality as key (id, place) join project_worker w on w.id = key.id
        order by key.place limit ${exportChunk}
      ) w ${stayJoins(today)} order by w.place`.execute(ctx.db)
    for (const row of rows) yield { ...toStayRow(ctx, row, today), birthday: row.birthday }
  }
}

/** Runs raw SQL through the pool's cursor: a large export never stands in memory. */
async function* cursor<T>(ctx: Pick<Context, 'db'>, raw: ReturnType<typeof sql<T>>): AsyncIterable<T> {
  const query = ctx.db.selectFrom(sql<Record<string, unknown>>`(${raw})`.as('rows')).selectAll()
  for await (const row of query.stream(1000)) yield row as T
}

export { countFiles, countRoster, countStays, cursor }

// ---- files

type RawFile = WorkerFile & {
  id: string
  birthPlaceCode: string | null
  workCorpName: string | null
  createTime: Date
  badCount: number
  projects: { projectCode: string; projectName: string; stayId: string }[] | null
  /** False for whoever had the person: the row then shows what the last stay wrote down. */
  held: boolean
  stayName: string | null
  stayIdCardMask: string | null
  stayPhoneMask: string | null
}

/** Columns and join that tell a former owner's rows from those one holds. */
const holdColumns = (ctx: ListScope) =>
  ctx.scope.all
    ? sql`true as held, null as stay_name, null as stay_id_card_mask, null as stay_phone_mask`
    : sql`zg_holds_worker(p.id) as held, last.worker_name as stay_name, last.id_card_mask as stay_id_card_mask, last.cell_phone_mask as stay_phone_mask`
const holdJoin = (ctx: ListScope) =>
  ctx.scope.all
    ? sql``
    : sql`left join lateral (select s.worker_name, s.id_card_mask, s.cell_phone_mask from project_worker s
        where s.worker_id = p.id order by s.exit_time is null desc, s.exit_time desc limit 1) last on true`

/** Sight of files is by stays; a group's own files that nobody else has taken over are added. The platform sees all. */
function fileScope(ctx: ListScope): Condition[] {
  const projects = projectsFor(ctx)
  if (!projects) return []
  return [
    bool(sql`(p.id in (select w.worker_id from project_worker w where w.project_code = any (${[...projects]}))
      or (p.owner_group = (select zg_setting('app.group')) and zg_is_free(p.id)))`),
  ]
}
/** By the telephone of a stay in sight; by the file's own where there is no stay: a number taken later is not found by an earlier project. */
function filePhone(ctx: ListScope, phone: string): Condition[] {
  const hash = ctx.secrets.blindIndex('phone', phone.replace(/\s/g, ''))
  return [
    bool(sql`p.id in (select s.worker_id from project_worker s where s.cell_phone_hash = ${hash}
      union all select x.id from worker x where x.cell_phone_hash = ${hash} and not exists (select 1 from project_worker s where s.worker_id = x.id))`),
  ]
}
const incompleteSql = sql`(p.nation is null or p.address is null or p.grant_org is null or p.start_date is null or p.expiry_date is null
  or p.head_image is null or p.cell_phone is null or p.culture_level is null or p.work_type_code is null or p.urgent_link_man is null
  or p.urgent_link_man_phone is null or p.has_bad_medical_history is null or not p.consents @> '[{"kind":"personal","state":"同意"}]')`

function fileConditions(ctx: ListScope, query: WorkerFilters): Condition {
  const today = formatDay(ctx.clock.now())
  const plain = query.q?.replace(/\s/g, '') ?? ''
  const q = !query.q
    ? []
    : /^1\d{10}$/.test(plain)
      ? filePhone(ctx, plain)
      : /^[A-Za-z0-9]{8,18}$/.test(plain)
        ? byIdCard(ctx, 'p.idCardHash', plain)
        : contains('p.name', query.q)
  const one = query.projectCode && query.projectCode !== '*' ? projectsFor(ctx, query.projectCode) : undefined
  const here = bool(sql`exists (select 1 from project_worker w where w.worker_id = p.id and w.exit_time is null)`)
  return allOf(
    bool(sql`not p.deleted`),
    ...fileScope(ctx),
    ...(one ? [bool(sql`p.id in (select w.worker_id from project_worker w where w.project_code = any (${[...one]}))`)] : []),
    ...contains('p.name', query.name),
    ...anyOf('p.gender', query.gender),
    ...ages('p.birthday', query.age, plainDay(today)),
    ...byIdCard(ctx, 'p.idCardHash', query.idCardNumber),
    ...(query.cellPhone ? filePhone(ctx, query.cellPhone) : []),
    ...inAreas('p.birthPlaceCode', query.birthPlaceCode),
    ...anyOf('p.workTypeCode', query.workTypeCode),
    ...contains('p.workCorpName', query.workCorpName),
    ...anyOf('p.realNameState', query.realNameState),
    ...(query.missing?.length ? [query.missing.includes(emptyOption) ? bool(sql`not ${incompleteSql}`) : bool(incompleteSql)] : []),
    ...(query.badCount?.low === undefined
      ? []
      : [bool(sql`(select count(*) from worker_bad b where b.worker_id = p.id) >= ${query.badCount.low}`)]),
    ...(query.badCount?.high === undefined
      ? []
      : [bool(sql`(select count(*) from worker_bad b where b.worker_id = p.id) <= ${query.badCount.high}`)]),
    ...instantsBetween('p.createTime', query.createTime),
    ...(query.onSite === '1' ? [here] : query.onSite === '0' ? [bool(sql`not ${here}`)] : []),
    ...q,
  )
}
const fileOrder = (sort: FileQuery['sort']) =>
  orderBy(turned(sort), { createTime: 'p.createTime', name: 'p.name', age: 'p.birthday' }, '-createTime', 'p.id')

/** Columns a file's row needs; sealed ones only as whether they are there. */
const fileColumns = sql`p.id, p.name, p.gender, p.birthday, p.id_card_mask, p.cell_phone_mask, p.birth_place_code, p.work_type_code,
  p.work_corp_name, p.real_name_state, p.create_time, p.nation, p.grant_org, p.start_date, p.expiry_date, p.head_image, p.culture_level,
  p.urgent_link_man, p.has_bad_medical_history, p.consents, p.address is not null as has_address, p.cell_phone is not null as has_phone,
  p.urgent_link_man_phone is not null as has_urgent_phone`

async function fileRows(ctx: ListScope, query: FileQuery, page: { limit: number; offset: number }): Promise<FileRow[]> {
  const { rows } = await sql<RawFile>`
    select p.*, ${holdColumns(ctx)}, (select count(*)::int from worker_bad b where b.worker_id = p.id and b.audit_status <> '2') as bad_count, stays.projects
    from (select ${fileColumns} from worker p where ${fileConditions(ctx, query)}
      order by ${fileOrder(query.sort)} limit ${page.limit} offset ${page.offset}) p
    left join lateral (select jsonb_agg(jsonb_build_object('projectCode', w.project_code, 'projectName', pr.name, 'stayId', w.id) order by w.entry_time desc) as projects
      from project_worker w join project pr using (project_code) where w.worker_id = p.id and w.exit_time is null) stays on true
    ${holdJoin(ctx)}
    order by ${fileOrder(query.sort)}`.execute(ctx.db)
  return rows.map((row) => toFileRow(row, formatDay(ctx.clock.now())))
}

function toFileRow(row: RawFile, today: string): FileRow {
  const p = row.held
    ? row
    : {
        ...row,
        name: row.stayName ?? row.name,
        idCardMask: row.stayIdCardMask ?? row.idCardMask,
        cellPhoneMask: row.stayPhoneMask,
        birthPlaceCode: null,
        workTypeCode: null,
        workCorpName: null,
      }
  const { incomplete, completeness } = row.held ? incompleteOf(row) : { incomplete: [], completeness: 0 }
  return {
    id: p.id,
    workerId: p.id,
    name: p.name,
    gender: p.gender,
    age: ageOn(p.birthday, today),
    idCardNumber: p.idCardMask,
    cellPhone: p.cellPhoneMask,
    birthPlaceName: nativePlace(p.birthPlaceCode, areaName),
    workTypeCode: p.workTypeCode,
    workTypeName: dictName('workerType', p.workTypeCode),
    workCorpName: p.workCorpName,
    realNameState: p.realNameState,
    completeness,
    incomplete,
    projects: p.projects ?? [],
    badCount: p.badCount,
    createTime: formatInstant(p.createTime),
  }
}

async function countFiles(ctx: ListScope, query: WorkerFilters): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from worker p where ${fileConditions(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
export async function* streamFiles(ctx: ListScope, query: FileQuery): AsyncIterable<FileRow> {
  const raw = sql<RawFile>`
    select ${fileColumns}, ${holdColumns(ctx)}, (select count(*)::int from worker_bad b where b.worker_id = p.id and b.audit_status <> '2') as bad_count,
      (select jsonb_agg(jsonb_build_object('projectCode', w.project_code, 'projectName', pr.name, 'stayId', w.id))
        from project_worker w join project pr using (project_code) where w.worker_id = p.id and w.exit_time is null) as projects
    from worker p ${holdJoin(ctx)} where ${fileConditions(ctx, query)} order by ${fileOrder(query.sort)}`
  for await (const row of cursor<RawFile>(ctx, raw)) yield toFileRow(row, formatDay(ctx.clock.now()))
}

// ---- the paper roster

type RawRoster = Row<'projectWorker'> & {
  corpName: string | null
  teamName: string | null
  address: Buffer | null
  skillLevel: string | null
  urgentLinkMan: string | null
  contractCode: string | null
}

/** Who was on the books at the end of a day: rebuilt from entries and exits, so that the same day gives the same roster for ever. */
function rosterConditions(ctx: ListScope, query: WorkerFilters): Condition {
  const asOf = query.asOf ?? formatDay(ctx.clock.now())
  const end = new Date(startOfDay(addDays(asOf, 1)))
  const month = new Date(startOfDay(`${asOf.slice(0, 8)}01`))
  return allOf(
    ...inProjects('w.projectCode', projectsFor(ctx, query.projectCode)),
    bool(sql`w.entry_time < ${end}`),
    query.range === 'month'
      ? bool(sql`(w.exit_time is null or w.exit_time >= ${month})`)
      : bool(sql`(w.exit_time is null or w.exit_time >= ${end})`),
    ...equals('w.corpCode', query.corpCode),
    ...equals('w.teamId', query.teamId),
    ...quick(ctx, query.q),
  )
}
const rosterSelect = (ctx: ListScope, query: WorkerFilters) => {
  const asOf = query.asOf ?? formatDay(ctx.clock.now())
  return sql`
    select w.*, c.corp_name, t.team_name, p.address, p.skill_level, p.urgent_link_man,
      (select k.contract_code from worker_contract k where k.worker_id = w.worker_id and k.project_code = w.project_code
        and k.start_date <= ${asOf}::date and (k.terminate_date is null or k.terminate_date > ${asOf}::date) order by k.start_date desc limit 1) as contract_code
    from project_worker w left join corporation c on c.corp_code = w.corp_code left join team t on t.id = w.team_id
      left join worker p on p.id = w.worker_id and (w.exit_time is null
        or exists (select 1 from project_worker n where n.worker_id = w.worker_id and n.exit_time is null))
    where ${rosterConditions(ctx, query)}
    order by c.corp_name, w.corp_code, t.team_name nulls first, w.team_id, w.is_team_leader desc, w.entry_time, w.id`
}
export async function rosterRows(ctx: ListScope, query: WorkerFilters, page: { limit: number; offset: number }): Promise<RosterRow[]> {
  const { rows } = await sql<RawRoster>`${rosterSelect(ctx, query)} limit ${page.limit} offset ${page.offset}`.execute(ctx.db)
  return rows.map((row) => toRosterRow(ctx, row, query.asOf ?? formatDay(ctx.clock.now())))
}
async function countRoster(ctx: ListScope, query: WorkerFilters): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from project_worker w where ${rosterConditions(ctx, query)}`.execute(
    ctx.db,
  )
  return rows[0]?.n ?? 0
}
export async function* streamRoster(ctx: ListScope, query: WorkerFilters): AsyncIterable<RosterRow> {
  for await (const row of cursor<RawRoster>(ctx, sql<RawRoster>`${rosterSelect(ctx, query)}`))
    yield toRosterRow(ctx, row, query.asOf ?? formatDay(ctx.clock.now()))
}

function toRosterRow(ctx: Pick<Context, 'secrets'>, w: RawRoster, asOf: string): RosterRow {
  const exited = w.exitTime && formatDay(w.exitTime) <= asOf
  return {
    id: w.id,
    workerId: w.workerId,
    name: w.workerName,
    gender: w.gender,
    age: ageOn(w.birthday, asOf),
    idCardNumber: w.idCardMask,
    cellPhone: w.cellPhoneMask,
    address: maskAddress(ctx.secrets.open(w.address)),
    corpCode: w.corpCode,
    corpName: w.corpName,
    teamId: w.teamId,
    teamName: w.teamName,
    workName: w.workType ? dictName('workerType', w.workType) : dictName('managerPost', w.post),
    skillLevelName: dictName('certLevel', w.skillLevel),
    isTeamLeader: w.isTeamLeader,
    entryDate: formatDay(w.entryTime),
    exitDate: exited && w.exitTime ? formatDay(w.exitTime) : null,
    contractCode: w.contractCode,
    payCard: w.payRollBankCardMask
      ? `${dictName('bankCode', w.payRollBankCode) ?? ''} 尾号 ${w.payRollBankCardMask.slice(-4)}`.trim()
      : null,
    urgentLinkMan: w.urgentLinkMan,
  }
}

/** The front of an address, as far as the district; the house stays hidden. */
export function maskAddress(address: string | null): string | null {
  if (!address) return null
  return `${/^.{2,14}?(?:区|县|旗)/u.exec(address)?.[0] ?? [...address].slice(0, 6).join('')}****`
}
