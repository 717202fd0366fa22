import { dayMs } from '@zhugong/contract/kit/time'
import { type Report, type ReportContent, type ReportSection, reportContents } from '@zhugong/contract/reports/endpoints'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant, startOfDay } from '#kit/clock'
import type { Group, Principal } from '#kit/context'
import type { Tx } from '#kit/db'
import { allOf, inProjects } from '#kit/list'
import { awaits } from '../alarms/public.ts'
import { hasArrived, isDue } from '../attendance/public.ts'
import { machinesInUse, machinesOnline } from '../equipment/public.ts'
import { type Period, periodEarlier } from './calendar.ts'

/** Maximum projects in a table; the complete list is available in the product. */
const mostRows = 30

export interface FigureQuery {
  title: string
  reportType: string
  content: readonly ReportContent[]
  /** Empty: all projects visible to the reader. */
  projects: readonly string[]
  period: Period
}

interface Reader extends Pick<Principal, 'codes' | 'scope'> {
  db: Tx
  group: Group
  now: number
}

interface Look {
  db: Tx
  projects: readonly string[] | undefined
  period: Period
  earlier: Period
}

/** Builds a report for one reader: visible projects only, without sections whose code the reader lacks. */
export async function buildReport(reader: Reader, query: FigureQuery): Promise<Report> {
  const { scope } = reader
  const chosen = query.projects.length > 0 ? query.projects : undefined
  const projects = scope.all ? chosen : (chosen?.filter((code) => scope.projects.includes(code)) ?? scope.projects)
  const look = { db: reader.db, projects, period: query.period, earlier: periodEarlier(query.reportType, query.period) }
  const sections: ReportSection[] = []
  for (const key of Object.keys(reportContents) as ReportContent[])
    if (query.content.includes(key) && reader.codes.has(reportContents[key].code)) sections.push(await parts[key](look))
  return { title: query.title, ...query.period, groupName: reader.group.name, madeAt: formatInstant(reader.now), sections }
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : Math.round((part / whole) * 1_000) / 10)
const round1 = (n: number | null): number | null => (n === null ? null : Math.round(n * 10) / 10)
const sum = <T>(rows: readonly T[], of: (row: T) => number): number => rows.reduce((total, row) => total + of(row), 0)
const from = ({ period }: Pick<Look, 'period'>) => new Date(startOfDay(period.from))
const until = ({ period }: Pick<Look, 'period'>) => new Date(startOfDay(period.to) + dayMs)

function section(
  key: ReportContent,
  made: Omit<ReportSection, 'key' | 'title' | 'rows' | 'total'> & { rows: ReportSection['rows'] },
): ReportSection {
  return { key, title: reportContents[key].name, ...made, rows: made.rows.slice(0, mostRows), total: made.rows.length }
}

const parts: Readonly<Record<ReportContent, (look: Look) => Promise<ReportSection>>> = { attendance, keyPost, alarm, dust, online }

interface Came {
  name: string
  manDays: number
  came: number
  expected: number
}
/** Days with expected people and those who came, as in the weekly rate on the home page (`home/districts.ts`). */
const cameByProject = async ({ db, projects }: Look, { from, to }: Period, posts?: readonly string[]): Promise<Came[]> => {
  const current = posts ? sql`join project_worker pw on pw.id = d.stay_id and pw.post = any (${[...posts]})` : sql``
  const { rows } = await sql<Came>`
    select p.name, sum(d.attend_day)::float8 as man_days, count(*) filter (where ${hasArrived('d')})::int as came,
      count(*) filter (where ${isDue('d')})::int as expected
    from attendance_day d join project p on p.project_code = d.project_code ${current}
    where d.work_day between ${from}::date and ${to}::date and ${allOf(...inProjects('d.projectCode', projects))}
    group by d.project_code, p.name having count(*) filter (where d.expected) > 0 or sum(d.attend_day) > 0
    order by count(*) filter (where ${hasArrived('d')})::float8 / nullif(count(*) filter (where ${isDue('d')}), 0) nulls last, p.name`.execute(
    db,
  )
  return rows
}
const rateOf = (rows: readonly Came[]) =>
  share(
    sum(rows, (r) => r.came),
    sum(rows, (r) => r.expected),
  )

async function attendance(look: Look): Promise<ReportSection> {
  const [now, before] = [await cameByProject(look, look.period), await cameByProject(look, look.earlier)]
  const late = await gatesAway(look)
  return section('attendance', {
    note: late > 0 ? `${late} 台闸机现在离线，其记录可能晚到；本报表不因晚到的记录重发` : null,
    facts: [
      { label: '出勤工日', value: round1(sum(now, (r) => r.manDays)), unit: '工日', before: round1(sum(before, (r) => r.manDays)) },
      { label: '出勤率', value: rateOf(now), unit: '%', before: rateOf(before) },
      { label: '有出勤的项目', value: now.length, unit: '个', before: before.length },
    ],
    columns: ['项目', '出勤工日', '应到人次', '实到人次', '出勤率 %'],
    rows: now.map((r) => [r.name, round1(r.manDays), r.expected, r.came, share(r.came, r.expected)]),
  })
}

async function gatesAway({ db, projects }: Look): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from device d left join device_latest l on l.device_id = d.id
    where d.family = 'gate' and d.status = '1' and not coalesce(l.online, false) and ${allOf(...inProjects('d.projectCode', projects))}`.execute(
    db,
  )
  return rows[0]?.n ?? 0
}

const keyPosts = (dictionaryOf('managerPost')?.items ?? []).filter((item) => item.key === true).map((item) => item.code)

async function keyPost(look: Look): Promise<ReportSection> {
  const [now, before] = [await cameByProject(look, look.period, keyPosts), await cameByProject(look, look.earlier, keyPosts)]
  const full = (rows: readonly Came[]) => rows.filter((r) => r.came === r.expected).length
  return section('keyPost', {
    note: null,
    facts: [
      { label: '到岗率', value: rateOf(now), unit: '%', before: rateOf(before) },
      { label: '缺岗人次', value: sum(now, (r) => r.expected - r.came), unit: '人次', before: sum(before, (r) => r.expected - r.came) },
      { label: '全部到岗的项目', value: full(now), unit: '个', before: full(before) },
    ],
    columns: ['项目', '应到人次', '实到人次', '到岗率 %'],
    rows: now.map((r) => [r.name, r.expected, r.came, share(r.came, r.expected)]),
  })
}

const levels = [1, 2, 3, 4] as const

async function alarm(look: Look): Promise<ReportSection> {
  const { rows } = await sql<{ name: string; l1: number; l2: number; l3: number; l4: number; before: number; open: number }>`
    select p.name, ${sql.join(levels.map((level) => sql`count(*) filter (where a.start_time >= ${from(look)} and a.max_level = ${level})::int as ${sql.ref(`l${level}`)}`))},
      count(*) filter (where a.start_time < ${from(look)})::int as before,
      count(*) filter (where a.start_time >= ${from(look)} and ${awaits('a')})::int as open
    from alarm a join project p on p.project_code = a.project_code
    where not a.simulated and a.start_time >= ${new Date(startOfDay(look.earlier.from))} and a.start_time < ${until(look)}
      and ${allOf(...inProjects('a.projectCode', look.projects))}
    group by a.project_code, p.name order by 2 desc, 3 desc, 4 desc, p.name`.execute(look.db)
  const now = rows.filter((r) => r.l1 + r.l2 + r.l3 + r.l4 > 0)
  const all = sum(now, (r) => r.l1 + r.l2 + r.l3 + r.l4)
  return section('alarm', {
    note: null,
    facts: [
      { label: '报警', value: all, unit: '条', before: sum(rows, (r) => r.before) },
      { label: '其中一、二级', value: sum(now, (r) => r.l1 + r.l2), unit: '条', before: null },
      { label: '待处理', value: sum(now, (r) => r.open), unit: '条', before: null },
    ],
    columns: ['项目', '一级', '二级', '三级', '四级', '待处理'],
    rows: now.map((r) => [r.name, r.l1, r.l2, r.l3, r.l4, r.open]),
  })
}

async function dust(look: Look): Promise<ReportSection> {
  const mean = (metric: string) => sql`sum((t.v -> ${metric}::text ->> 2)::float8) / nullif(sum((t.v -> ${metric}::text ->> 3)::float8), 0)`
  const read = async ({ from, to }: Period) => {
    const { rows } = await sql<{ name: string; pm10: number | null; pm25: number | null; noise: number | null }>`
      select p.name, ${mean('pm10')} as pm10, ${mean('pm25')} as pm25, max((t.v -> 'noise' ->> 1)::float8) as noise
      from telemetry_5m t join device d on d.id = t.device_id join project p on p.project_code = d.project_code
      where d.family = 'environment' and d.status = '1' and t.ts >= ${new Date(startOfDay(from))} and t.ts < ${new Date(startOfDay(to) + dayMs)}
        and ${allOf(...inProjects('d.projectCode', look.projects))}
      group by d.project_code, p.name order by 2 desc nulls last, p.name`.execute(look.db)
    return rows
  }
  const [now, before] = [await read(look.period), await read(look.earlier)]
  const meanOf = (rows: typeof now, of: (row: (typeof now)[number]) => number | null) => {
    const known = rows.map(of).filter((value) => value !== null)
    return known.length === 0 ? null : round1(sum(known, (value) => value) / known.length)
  }
  return section('dust', {
    note: '项目均值为该项目在用扬尘设备读数的平均；合计为各项目均值的平均',
    facts: [
      { label: 'PM10 均值', value: meanOf(now, (r) => r.pm10), unit: 'μg/m³', before: meanOf(before, (r) => r.pm10) },
      { label: 'PM2.5 均值', value: meanOf(now, (r) => r.pm25), unit: 'μg/m³', before: meanOf(before, (r) => r.pm25) },
      { label: '有监测的项目', value: now.length, unit: '个', before: before.length },
    ],
    columns: ['项目', 'PM10 均值', 'PM2.5 均值', '噪声最高 dB'],
    rows: now.map((r) => [r.name, round1(r.pm10), round1(r.pm25), round1(r.noise)]),
  })
}

async function online(look: Look): Promise<ReportSection> {
  const { rows } = await sql<{ name: string; machines: number; online: number }>`
    select p.name, ${machinesInUse} as machines, ${machinesOnline} as online
    from device d join project p on p.project_code = d.project_code left join device_latest l on l.device_id = d.id
    where ${allOf(...inProjects('d.projectCode', look.projects))}
    group by d.project_code, p.name having ${machinesInUse} > 0 order by ${machinesOnline}::float8 / ${machinesInUse}, p.name`.execute(
    look.db,
  )
  return section('online', {
    note: '为生成报表时的状态，不是统计期内的平均',
    facts: [
      { label: '在用设备', value: sum(rows, (r) => r.machines), unit: '台', before: null },
      { label: '在线', value: sum(rows, (r) => r.online), unit: '台', before: null },
      {
        label: '在线率',
        value: share(
          sum(rows, (r) => r.online),
          sum(rows, (r) => r.machines),
        ),
        unit: '%',
        before: null,
      },
    ],
    columns: ['项目', '在用设备', '在线', '在线率 %'],
    rows: rows.map((r) => [r.name, r.machines, r.online, share(r.online, r.machines)]),
  })
}
