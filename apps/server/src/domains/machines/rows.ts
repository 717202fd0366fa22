import type * as contract from '@zhugong/contract/machines/calls'
import { type MachineRow, machineRow } from '@zhugong/contract/machines/calls'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, anyOf, between, type Condition, condition, contains, daysBetween, equals, filtersOf, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { everyStay, illegality, verdictFor } from './facts.ts'
import type { Machine } from './missing.ts'

type Query = Partial<Omit<NonNullable<(typeof contract.listMachines)['types']>['parsed']['query'], 'projectCode'>>
type Viewer = Pick<Context, 'scope' | 'scopeChecks' | 'clock'>
export type RawMachine = Omit<Machine, 'unsigned' | 'installers' | 'badInstallers'> & {
  projectName: string
  installName: string | null
  useName: string
}

/** Days before the next test in which it counts as due. */
const testSoonDays = 30
const either = (is: RawBuilder<unknown>) => (value: boolean) => condition(value ? is : sql`not ${is}`)
const confirmable = sql`(s.state in ('1', '2', '8') and s.confirmed_at is null)`
const testDue = (ctx: Viewer) =>
  sql`(s.state in ('6', '7') and coalesce(s.next_inspect_date <= ${addDays(formatDay(ctx.clock.now()), testSoonDays)}::date, false))`
const operatorsOk = sql`case when s.operators > 0 then s.bad_operators = 0 end`

/** Conditions of the list and of its export. */
export function conditions(ctx: Viewer, query: Query & { projectCode?: string }): Condition {
  return filtersOf(query, {
    projectCode: 'elsewhere',
    tab: (state) => condition(sql`s.state = ${state}`),
    deviceType: [anyOf, 's.deviceType'],
    name: [contains, 's.name'],
    model: [contains, 's.model'],
    recordNo: [contains, 's.recordNo'],
    useRegNo: [contains, 's.useRegNo'],
    ownerCorp: [contains, 's.ownerCorp'],
    installName: [contains, 's.installName'],
    maintainCorp: [contains, 's.maintainCorp'],
    inspectDate: [daysBetween, 's.inspectDate'],
    nextInspectDate: [daysBetween, 's.nextInspectDate'],
    ageYears: (value) => allOf(...between('s.ageYears', value)),
    operatorsOk: (value) => condition(sql`coalesce(${operatorsOk}, false) = ${value}`),
    iotState: [anyOf, 's.iotState'],
    state: [anyOf, 's.state'],
    waiting: either(confirmable),
    testDue: either(testDue(ctx)),
    unregistered: either(sql`s.unregistered_late`),
    overAge: either(sql`s.over_age`),
    illegal: either(sql`(${illegality} > 0)`),
  })
}

const order = (sort: Query['sort']) =>
  orderBy(
    sort,
    {
      // What waits for the authority before what is finished.
      illegal: sql`(${illegality} * 10 + (case when ${confirmable} then 2 else 0 end) + (case when s.state = '9' then 0 else 1 end))`,
      nextInspectDate: 's.nextInspectDate',
      ageYears: 's.ageYears',
      name: 's.name',
    },
    '-illegal',
    's.id',
  )

function named(ctx: Viewer, projectCode: string | undefined) {
  const within = allOf(...inProjects('s.projectCode', projectsFor(ctx, projectCode)))
  return sql`(select s.*, p.name as project_name, i.corp_name as install_name, u.corp_name as use_name from ${everyStay(ctx, within)}
    join project p on p.project_code = s.project_code join corporation u on u.corp_code = s.corp_code
    left join corporation i on i.corp_code = s.install_corp) s`
}

export async function readRows(
  ctx: Viewer & Pick<Context, 'db'>,
  where: Condition,
  projectCode: string | undefined,
  { sort, limit, offset }: { sort?: Query['sort']; limit?: number; offset?: number },
): Promise<RawMachine[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawMachine>`select s.* from ${named(ctx, projectCode)} where ${where} order by ${order(sort)} ${page}`.execute(
    ctx.db,
  )
  return rows
}

export async function countRows(ctx: Viewer & Pick<Context, 'db'>, where: Condition, projectCode: string | undefined): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${named(ctx, projectCode)} where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export const toRow = (r: RawMachine): MachineRow => {
  const { usable, reasons } = verdictFor(r)
  return rowOf(machineRow, r, {
    deviceTypeName: dictName('specialDeviceType', r.deviceType) ?? r.deviceType,
    operatorsOk: r.operators > 0 ? r.badOperators === 0 : null,
    usable,
    reasons,
    stateName: dictName('deviceLifecycle', r.state) ?? r.state,
    waiting: ['1', '2', '8'].includes(r.state) && r.confirmedAt === null,
  })
}

/** Figures of the strip and the tabs: each counts with the condition of the list it opens. */
export async function countsOf(ctx: Viewer & Pick<Context, 'db'>, projectCode: string | undefined) {
  const within = allOf(...inProjects('s.projectCode', projectsFor(ctx, projectCode)))
  const n = (of: RawBuilder<unknown>) => sql`(count(*) filter (where ${of}))::int`
  type Raw = { state: string; n: number; testDue: number; unregistered: number; overAge: number }
  const { rows } =
    await sql<Raw>`select s.state, count(*)::int as n, ${n(testDue(ctx))} as test_due, ${n(sql`s.unregistered_late`)} as unregistered,
      ${n(sql`s.over_age`)} as over_age from ${everyStay(ctx, within)} group by s.state`.execute(ctx.db)
  const sum = (key: 'testDue' | 'unregistered' | 'overAge') => rows.reduce((all, one) => all + one[key], 0)
  const states = Object.fromEntries(rows.map((one) => [one.state, one.n]))
  return { used: states['6'] ?? 0, testDue: sum('testDue'), unregistered: sum('unregistered'), overAge: sum('overAge'), states }
}

export async function rowFor(ctx: Viewer & Pick<Context, 'db'>, id: string, projectCode: string): Promise<RawMachine | undefined> {
  const [row] = await readRows(ctx, allOf(...equals('s.id', id)), projectCode, {})
  return row
}

const mostStrays = 20

/** Sites with cranes or lifts that report to the platform and belong to no legal file: a machine online without registration. */
export async function straysOf(ctx: Viewer & Pick<Context, 'db'>, projectCode: string | undefined) {
  const projects = projectsFor(ctx, projectCode)
  type Raw = { projectCode: string; projectName: string; devices: number; names: string }
  const { rows } =
    await sql<Raw>`select d.project_code, p.name as project_name, count(*)::int as devices, string_agg(d.name, '、' order by d.name) as names
    from device d join project p using (project_code) join device_latest l on l.device_id = d.id and l.online
    where ${allOf(...inProjects('d.projectCode', projects))} and d.status = '1' and d.family in ('towerCrane', 'lifter')
      and not exists (select from machine_stay s where s.device_id = d.id and s.state <> '9')
    group by d.project_code, p.name order by devices desc, p.name limit ${mostStrays}`.execute(ctx.db)
  return rows
}
