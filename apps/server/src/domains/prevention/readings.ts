import { dayMs } from '@zhugong/contract/kit/time'
import { bodyRange, declaredNames, declaredState, levelOf, tempLevelNames } from '@zhugong/contract/prevention/codes'
import type * as contract from '@zhugong/contract/prevention/endpoints'
import { isEpidemic, type TempSetting } from '@zhugong/contract/prevention/endpoints'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import { allOf, between, type Condition, condition, contains, equals, inProjects, orderBy, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { recordLook } from '../access/public.ts'
import type { ListContext } from '../exports/registry.ts'
import { type Health, healthOf } from '../personnel/public.ts'
import { countTempAlarms } from './alarms.ts'
import { gatesOf, round1, seesHealth, settingFor } from './settings.ts'

type TempQuery = NonNullable<(typeof contract.listTemperatures)['types']>['parsed']['query']

interface RawReading {
  id: string
  projectCode: string
  projectName: string | null
  workerId: string
  name: string | null
  corpName: string | null
  teamName: string | null
  temperature: number | null
  time: Date | null
  channel: string | null
  terminalCode: string | null
}

/** The limits: of the site for one project, the default ones for several. */
export const limitsOf = async (ctx: Pick<Context, 'db'>, projects: readonly string[] | undefined): Promise<TempSetting> =>
  settingFor(ctx.db, projects?.length === 1 ? (projects[0] ?? '') : '')

const dateOf = (ctx: Pick<Context, 'clock'>, query: { date?: string | undefined }) => query.date ?? formatDay(ctx.clock.now())
const readings = (from: Date, to: Date, projects: readonly string[] | undefined) => sql`
  select e.id, e.project_code, p.name as project_name, e.worker_id, c.corp_name, t.team_name, e.temperature::float as temperature, e.time, e.channel, e.terminal_code,
    (select w.worker_name from project_worker w where w.project_code = e.project_code and w.worker_id = e.worker_id limit 1) as name
  from attendance_event e join project p using (project_code) left join corporation c on c.corp_code = e.corp_code left join team t on t.id = e.team_id
  where e.time >= ${from} and e.time < ${to} and e.worker_id is not null and e.temperature is not null and ${allOf(...inProjects('e.projectCode', projects))}`
/** People who came on the day without a temperature from any gate. */
const unmeasured = (from: Date, to: Date, projects: readonly string[] | undefined) => sql`
  select e.project_code || '.' || e.worker_id as id, e.project_code, max(p.name) as project_name, e.worker_id, max(c.corp_name) as corp_name,
    max(t.team_name) as team_name, null::float as temperature, null::timestamptz as time, null::text as channel, null::text as terminal_code,
    max((select w.worker_name from project_worker w where w.project_code = e.project_code and w.worker_id = e.worker_id limit 1)) as name
  from attendance_event e join project p using (project_code) left join corporation c on c.corp_code = e.corp_code left join team t on t.id = e.team_id
  where e.time >= ${from} and e.time < ${to} and e.worker_id is not null and ${allOf(...inProjects('e.projectCode', projects))}
  group by e.project_code, e.worker_id having count(e.temperature) = 0`

/** A filter by value would reveal values, so it is ignored without the permission. */
const valueConditions = (query: Partial<TempQuery>, limits: TempSetting, sees: boolean): Condition[] => {
  const isWarm = sql`(r.temperature >= ${limits.threshold} and r.temperature <= ${bodyRange.high})`
  const levels = query.level ?? []
  const ofLevel = levels.map((level) =>
    level === '3'
      ? sql`(r.temperature >= ${limits.high} and r.temperature <= ${bodyRange.high})`
      : level === '2'
        ? sql`(${isWarm} and r.temperature < ${limits.high})`
        : sql`not ${isWarm}`,
  )
  return [
    ...(sees ? between('r.temperature', query.temperature) : []),
    ...(ofLevel.length ? [condition(sql`(${sql.join(ofLevel, sql` or `)})`)] : []),
  ]
}

async function requested(ctx: ListContext, query: Partial<TempQuery>) {
  const projects = projectsFor(ctx, query.projectCode)
  const limits = await limitsOf(ctx, projects)
  const from = new Date(startOfDay(dateOf(ctx, query)))
  const to = new Date(from.getTime() + dayMs)
  const base = query.unmeasured ? unmeasured(from, to, projects) : readings(from, to, projects)
  const where = allOf(
    ...contains('r.name', query.name),
    ...equals('r.terminalCode', query.terminalCode),
    ...valueConditions(query, limits, seesHealth(ctx)),
  )
  return { projects, limits, from, to, base, where }
}

export async function findReadings(ctx: ListContext, query: TempQuery): Promise<RawReading[]> {
  const { base, where } = await requested(ctx, query)
  const { limit, offset } = pageSlice(query)
  // A sort by value would reveal values too.
  const sort = query.sort?.endsWith('temperature') && !seesHealth(ctx) ? '-measureTime' : query.sort
  const { rows } = await sql<RawReading>`
    select * from (${base}) r where ${where}
    order by ${orderBy(sort, { measureTime: 'r.time', name: 'r.name', temperature: 'r.temperature' }, '-measureTime', 'r.id')} limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  return rows
}
export async function countReadings(ctx: ListContext, query: Partial<TempQuery>): Promise<number> {
  const { base, where } = await requested(ctx, query)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${base}) r where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

const isFault = (value: number | null) => value !== null && (value < bodyRange.low || value > bodyRange.high)

export function toReading(ctx: Pick<Context, 'codes'>, r: RawReading, limits: TempSetting) {
  const fault = isFault(r.temperature)
  const level = r.temperature === null || fault ? '1' : levelOf(r.temperature, limits)
  return {
    ...pick(r, 'id', 'projectCode', 'projectName', 'workerId', 'corpName', 'teamName', 'channel', 'terminalCode'),
    name: r.name ?? '未登记人员',
    temperature: seesHealth(ctx) ? r.temperature : null,
    fault,
    level,
    levelName: fault ? '设备异常' : r.temperature === null ? '未测' : (tempLevelNames[level] ?? level),
    measureTime: r.time ? formatInstant(r.time) : null,
  }
}

export async function readingPage(ctx: Context, query: TempQuery) {
  const { projects, limits, from, to } = await requested(ctx, query)
  const sees = seesHealth(ctx)
  const date = dateOf(ctx, query)
  const inRange = sql`r.temperature between ${bodyRange.low} and ${bodyRange.high}`
  const { rows } = await sql<{ people: number; faults: number; mean: number | null }>`
    select (count(distinct r.worker_id))::int as people,
      count(*) filter (where not (${inRange}))::int as faults, (avg(r.temperature) filter (where ${inRange}))::float as mean
    from (${readings(from, to, projects)}) r`.execute(ctx.db)
  const came = await sql<{ n: number }>`
    select count(distinct e.worker_id)::int as n from attendance_event e
    where e.time >= ${from} and e.time < ${to} and e.worker_id is not null and ${allOf(...inProjects('e.projectCode', projects))}`.execute(
    ctx.db,
  )
  const spread = sees
    ? await sql<{ value: number; count: number }>`
        select round(r.temperature::numeric, 1)::float as value, count(*)::int as count from (${readings(from, to, projects)}) r
        where ${inRange} group by 1 order by 1`.execute(ctx.db)
    : { rows: [] }
  const gates = await gatesOf(ctx, projects, from, to)
  const sums = rows[0]
  return {
    list: (await findReadings(ctx, query)).map((r) => toReading(ctx, r, limits)),
    total: await countReadings(ctx, query),
    date,
    health: sees,
    mode: isEpidemic(limits, formatDay(ctx.clock.now())),
    figures: {
      people: sums?.people ?? 0,
      came: came.rows[0]?.n ?? 0,
      // Abnormal people are counted from alarms, which consider gate bias and mistaken measurements.
      abnormal: await countTempAlarms(ctx, { projectCode: query.projectCode, time: { from: date, to: date } }),
      faults: sums?.faults ?? 0,
      mean: sees && sums?.mean ? round1(sums.mean) : null,
    },
    spread: spread.rows,
    gates: gates.map((g) => (sees ? g : { ...g, mean: null, bias: null })),
  }
}

// ---------- health declarations and the health page of a site

interface Sealed {
  workerId: string
  name: string
  corpName: string | null
  teamName: string | null
  health: Buffer | null
}
/** Row-level security must confirm access before the read log is written. */
async function seenProject(ctx: Context, requested: string | undefined): Promise<string> {
  const projectCode = oneProject(ctx, requested)
  const row = await ctx.db.selectFrom('project').select('projectCode').where('projectCode', '=', projectCode).executeTakeFirst()
  return found(row, '项目').projectCode
}

async function peopleOf(ctx: Context, projectCode: string, name: string | undefined): Promise<Sealed[]> {
  const { rows } = await sql<Sealed>`
    select distinct on (w.worker_id) w.worker_id, w.worker_name as name, c.corp_name, t.team_name, k.health
    from project_worker w join worker k on k.id = w.worker_id left join corporation c on c.corp_code = w.corp_code left join team t on t.id = w.team_id
    where w.project_code = ${projectCode} and w.exit_time is null and ${allOf(...contains('w.workerName', name))}
    order by w.worker_id, w.entry_time desc`.execute(ctx.db)
  return rows
}
/** Encrypted fields cannot be searched, so the data of one site's people is decrypted and filtered here. */
const opened = (ctx: Context, people: readonly Sealed[]) =>
  people.flatMap((p): (Sealed & { open: Health })[] => {
    const open = healthOf(ctx, p)
    return open ? [{ ...p, open }] : []
  })
const pageOf = <T>(rows: readonly T[], query: { page: number; size: number }) => {
  const { limit, offset } = pageSlice(query)
  return { list: rows.slice(offset, offset + limit), total: rows.length }
}
const whoOf = ({ workerId, name, corpName, teamName }: Sealed) => ({ workerId, name, corpName, teamName })

type DeclareQuery = NonNullable<(typeof contract.listDeclarations)['types']>['parsed']['query']
export async function declarationPage(ctx: Context, query: DeclareQuery) {
  const projectCode = await seenProject(ctx, query.projectCode)
  const sees = seesHealth(ctx)
  const setting = await settingFor(ctx.db, projectCode)
  const row = await ctx.db
    .selectFrom('tempAlarmSetting')
    .select(['updateName', 'updateTime'])
    .where('projectCode', '=', projectCode)
    .executeTakeFirst()
  const people = await peopleOf(ctx, projectCode, undefined)
  const all = opened(ctx, people).flatMap((p) =>
    p.open.declarations.map((d) => {
      const state = declaredState(d, setting.threshold)
      return { ...whoOf(p), id: `${p.workerId}.${d.time}`, ...d, state, stateName: declaredNames[state] ?? state }
    }),
  )
  const today = formatDay(ctx.clock.now())
  const latest = [
    ...Map.groupBy(
      all.filter((d) => d.time.slice(0, 10) === today),
      (d) => d.workerId,
    ).values(),
  ].map((list) => list.reduce((a, b) => (a.time > b.time ? a : b)))
  const wanted = all
    .filter((d) => !query.name || d.name.includes(query.name))
    .filter((d) => !query.state?.length || query.state.includes(d.state))
    .filter(
      (d) => (!query.declared?.from || d.time >= query.declared.from) && (!query.declared?.to || d.time.slice(0, 10) <= query.declared.to),
    )
    .toSorted((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : a.id < b.id ? -1 : 1))
  if (sees) await recordLook(ctx, { objectId: projectCode, summary: '查看健康申报', projectCode })
  return {
    ...(sees ? pageOf(wanted, query) : { list: [], total: 0 }),
    health: sees,
    mode: {
      on: isEpidemic(setting, today),
      reason: setting.modeReason,
      until: setting.modeUntil,
      by: row?.updateName ?? null,
      since: row ? formatInstant(row.updateTime) : null,
    },
    figures: {
      due: isEpidemic(setting, today) ? people.length : 0,
      declared: latest.length,
      watch: latest.filter((d) => d.state === '2').length,
      unwell: latest.filter((d) => d.state === '3').length,
    },
  }
}

type HealthyQuery = NonNullable<(typeof contract.listHealthy)['types']>['parsed']['query']
/** Default number of days searched for contacts. */
const contactDays = 14

export async function healthyPage(ctx: Context, query: HealthyQuery) {
  const projectCode = await seenProject(ctx, query.projectCode)
  if (!seesHealth(ctx)) return { list: [], total: 0, health: false }
  const setting = await settingFor(ctx.db, projectCode)
  if (query.contactOf) await seenPerson(ctx, projectCode, query.contactOf)
  const days = query.contactOf ? await contactsOf(ctx, projectCode, query.contactOf, query.since) : undefined
  const rows = opened(ctx, await peopleOf(ctx, projectCode, query.name))
    .filter((p) => !days || days.has(p.workerId))
    .filter((p) => !query.healthStatus?.length || query.healthStatus.includes(p.open.healthStatus ?? ''))
    .map((p) => {
      const last = p.open.declarations[0]
      return {
        ...whoOf(p),
        id: p.workerId,
        healthStatus: p.open.healthStatus,
        healthStatusName: dictName('healthStatus', p.open.healthStatus),
        doses: p.open.vaccinated.length,
        lastDose:
          p.open.vaccinated
            .map((v) => v.date)
            .toSorted()
            .at(-1) ?? null,
        examDate: p.open.examDate,
        lastDeclared: last?.time ?? null,
        state: last ? declaredState(last, setting.threshold) : null,
        days: days?.get(p.workerId) ?? null,
      }
    })
    .toSorted((a, b) => (b.days ?? 0) - (a.days ?? 0) || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1))
  await recordLook(ctx, {
    objectId: query.contactOf ?? projectCode,
    summary: query.contactOf ? '查看接触人员' : '查看人员健康台账',
    projectCode,
  })
  return { ...pageOf(rows, query), health: true }
}

async function seenPerson(ctx: Context, projectCode: string, workerId: string): Promise<void> {
  const stay = await ctx.db
    .selectFrom('projectWorker')
    .select('id')
    .where('projectCode', '=', projectCode)
    .where('workerId', '=', workerId)
    .executeTakeFirst()
  found(stay, '人员')
}

/** People in the same team on the same work days, with the number of days. */
async function contactsOf(ctx: Context, projectCode: string, workerId: string, since: string | undefined): Promise<Map<string, number>> {
  const from = since ?? addDays(formatDay(ctx.clock.now()), -contactDays)
  const { rows } = await sql<{ workerId: string; n: number }>`
    select o.worker_id, count(*)::int as n from attendance_day d join attendance_day o on o.project_code = d.project_code and o.work_day = d.work_day
      and o.team_id = d.team_id and o.worker_id <> d.worker_id and o.record_count > 0
    where d.project_code = ${projectCode} and d.worker_id = ${workerId} and d.record_count > 0 and d.work_day >= ${from}::date group by 1`.execute(
    ctx.db,
  )
  return new Map(rows.map((r) => [r.workerId, r.n]))
}
