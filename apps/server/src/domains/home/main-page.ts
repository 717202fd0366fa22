import type { HomeFigure, HomeProject, MainPage } from '@zhugong/contract/home/endpoints'
import { sitePlan } from '@zhugong/contract/organisation/site-plan'
import { areaName, dictionaryOf, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, dayMs, formatDay, formatInstant, startOfDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { machinesInUse, machinesOnline } from '../equipment/public.ts'
import { deviceFamilies } from './device-center.ts'
import { findTasks } from './tasks.ts'

/** Work days begin at 04:00 by default (attendance.md A16); the home pages count by that cut. */
const dayCutMs = 4 * 3_600_000
const shownTasks = 8

export async function buildMainPage(ctx: Context, projects: readonly string[] | undefined, view: string): Promise<MainPage> {
  const one = projects?.length === 1 ? projects[0] : undefined
  const kind: MainPage['kind'] =
    view === 'index'
      ? 'index'
      : one
        ? 'project'
        : ctx.group.type === groupTypes.platform
          ? 'platform'
          : ctx.group.type === groupTypes.government
            ? 'government'
            : 'corporation'
  const now = ctx.clock.now()
  const [tasks, devices, list, week] = await Promise.all([
    findTasks(ctx, projects),
    deviceFamilies(ctx, projects),
    projectCards(ctx, projects),
    weekOf(ctx, projects),
  ])
  return {
    kind,
    at: formatInstant(now),
    figures: figuresOf(kind, list, devices, week, now),
    tasks: tasks.slice(0, kind === 'index' ? 0 : shownTasks),
    taskCount: tasks.length,
    site: one ? await siteOf(ctx, one) : null,
    keyPosts: one && ctx.group.type !== groupTypes.platform && ctx.group.type !== groupTypes.government ? await keyPostsOf(ctx, one) : [],
    hours: one ? await hoursOf(ctx, one) : [],
    week,
    devices,
    projects: one ? [] : list,
    districts: kind === 'government' || kind === 'platform' ? await districtsOf(ctx, projects, list) : [],
    service: kind === 'platform' ? await serviceOf(ctx) : null,
  }
}

/** Two decimals, null without anybody in place. */
const rate = (part: number, whole: number) => (whole === 0 ? null : Math.round((part / whole) * 10_000) / 100)
const workDayOf = (now: number) => formatDay(now - dayCutMs)

async function projectCards(ctx: Context, projects: readonly string[] | undefined): Promise<HomeProject[]> {
  const today = workDayOf(ctx.clock.now())
  const { rows } = await sql<{
    projectCode: string
    name: string
    areaCode: string
    prjStatus: string
    lng: number
    lat: number
    onSite: number
    attended: number
    openAlarms: number
    worstLevel: number | null
    devices: number
    online: number
    absentPosts: number
    expired: number
    week: number[]
  }>`
    select p.project_code, p.name, p.area_code, p.prj_status, p.lng, p.lat, coalesce(w.n, 0) as on_site, coalesce(t.n, 0) as attended,
      coalesce(a.n, 0) as open_alarms, a.worst as worst_level, coalesce(d.total, 0) as devices, coalesce(d.online, 0) as online,
      coalesce(k.absent, 0) as absent_posts, coalesce(x.n, 0) as expired, coalesce(wk.days, '{}') as week
    from project p
      left join (select project_code, count(*)::int as n from project_worker where exit_time is null group by 1) w using (project_code)
      left join (select project_code, count(*)::int as n from attendance_day where work_day = ${today}::date and first_in is not null group by 1) t using (project_code)
      left join (select project_code, count(*)::int as n, min(level)::int as worst from alarm where state = 'open' and not simulated and not historical group by 1) a using (project_code)
      left join (select d.project_code, ${machinesInUse} as total, ${machinesOnline} as online from device d
        left join device_latest l on l.device_id = d.id where d.status = '1' group by 1) d using (project_code)
      left join (select pw.project_code, count(*)::int as absent from project_worker pw
        where pw.exit_time is null and pw.post = any (${keyPosts}) and not exists (
          select 1 from attendance_day ad where ad.project_code = pw.project_code and ad.worker_id = pw.worker_id and ad.work_day = ${today}::date and ad.record_count > 0)
        group by 1) k using (project_code)
      left join (select pw.project_code, count(*)::int as n from project_worker pw join worker_cert c on c.worker_id = pw.worker_id
        where pw.exit_time is null and c.valid_end < current_date group by 1) x using (project_code)
      left join (select project_code, array_agg(n order by work_day) as days from (
        select project_code, work_day, sum(attend_day)::int as n from attendance_day where work_day between ${addDays(today, -6)}::date and ${today}::date group by 1, 2) q
        group by 1) wk using (project_code)
    where p.enable = '1' and ${allOf(...inProjects('p.projectCode', projects))}`.execute(ctx.db)
  return rows
    .map((r) => {
      const stopped = r.prjStatus === '005'
      const attendance = stopped ? null : rate(r.attended, r.onSite)
      const why = [
        ...(r.worstLevel !== null && r.worstLevel <= 2 ? [`${r.worstLevel === 1 ? '一级' : '二级'}告警未处置`] : []),
        ...(r.openAlarms > 0 ? [`未处理告警 ${r.openAlarms} 条`] : []),
        ...(!stopped && r.absentPosts > 0 ? [`关键岗位缺 ${r.absentPosts} 人`] : []),
        ...(r.expired > 0 ? [`过期证书 ${r.expired} 本`] : []),
        ...(r.devices > r.online ? [`离线设备 ${r.devices - r.online} 台`] : []),
        ...(stopped ? ['停工中，不计考勤考核'] : []),
      ]
      const score =
        (r.worstLevel === 1 ? 40 : r.worstLevel === 2 ? 25 : 0) +
        Math.min(20, r.openAlarms) +
        (stopped ? 0 : Math.min(20, r.absentPosts * 5)) +
        Math.min(10, r.expired) +
        Math.min(10, (r.devices - r.online) * 2)
      return {
        projectCode: r.projectCode,
        name: r.name,
        areaName: areaName(r.areaCode) ?? '',
        prjStatus: r.prjStatus,
        prjStatusName: dictName('projectState', r.prjStatus) ?? '',
        lng: r.lng,
        lat: r.lat,
        onSite: r.onSite,
        attended: r.attended,
        rate: attendance,
        openAlarms: r.openAlarms,
        worstLevel: r.worstLevel,
        devices: r.devices,
        online: r.online,
        absentPosts: stopped ? 0 : r.absentPosts,
        score: Math.min(100, score),
        why,
        week: r.week,
      }
    })
    .sort((a, b) => b.score - a.score || a.name.localeCompare(b.name))
}

/** Posts whose holder must be on site (dictionary managerPost, `key`). */
const keyPosts = (dictionaryOf('managerPost')?.items ?? []).filter((item) => item.key === true).map((item) => item.code)

function figuresOf(
  kind: MainPage['kind'],
  list: HomeProject[],
  devices: MainPage['devices'],
  week: MainPage['week'],
  now: number,
): HomeFigure[] {
  const counted = list.filter((p) => p.prjStatus !== '005')
  const sum = (of: readonly HomeProject[], pick: (p: HomeProject) => number) => of.reduce((n, p) => n + pick(p), 0)
  const onSite = sum(list, (p) => p.onSite)
  const attended = sum(counted, (p) => p.attended)
  const due = sum(counted, (p) => p.onSite)
  const alarms = sum(list, (p) => p.openAlarms)
  const total = devices.reduce((n, d) => n + d.total, 0)
  const online = devices.reduce((n, d) => n + d.online, 0)
  const yesterday = week.at(-2)
  const trend = week.map((d) => d.attended)
  const figure = (f: Pick<HomeFigure, 'key' | 'title' | 'value' | 'unit' | 'note'> & Partial<HomeFigure>): HomeFigure => ({
    digits: 0,
    tone: 'plain',
    trend: [],
    link: null,
    ...f,
  })
  const people = figure({
    key: 'onSite',
    title: '在场人数',
    value: onSite,
    unit: '人',
    note: yesterday ? `昨日在场 ${yesterday.onSite}` : '已进场未退场',
    trend: week.map((d) => d.onSite),
    link: '/personList',
  })
  const today = figure({
    key: 'attended',
    title: '今日出勤',
    value: attended,
    unit: '人',
    note: `出勤率 ${due ? `${rate(attended, due)}%` : '--'}${counted.length < list.length ? '，停工项目不计' : ''}`,
    trend,
    link: '/checkingList',
  })
  const open = figure({
    key: 'openAlarms',
    title: '未处理告警',
    value: alarms,
    unit: '条',
    note: alarms ? '先处理一、二级' : '没有待处理告警',
    tone: alarms ? 'danger' : 'fine',
    link: '/alarm/record',
  })
  const machines = figure({
    key: 'online',
    title: '设备在线率',
    value: rate(online, total),
    unit: '%',
    digits: 2,
    note: `${online} / ${total} 台在线`,
    tone: online < total ? 'warning' : 'fine',
    link: '/administration',
  })
  const absent = figure({
    key: 'absentPosts',
    title: '关键岗位未到',
    value: sum(counted, (p) => p.absentPosts),
    unit: '人',
    note: new Date(now + 8 * 3_600_000).getUTCHours() < 9 ? '9 点前为实时，不作考核' : '今日无进场记录',
    tone: 'warning',
  })
  switch (kind) {
    case 'project':
      return [people, today, open, machines, absent]
    case 'corporation':
      return [
        figure({
          key: 'projects',
          title: '在建项目',
          value: list.filter((p) => p.prjStatus === '003').length,
          unit: '个',
          note: `参与 ${list.length} 个项目`,
        }),
        people,
        today,
        open,
      ]
    case 'government':
      return [
        figure({
          key: 'projects',
          title: '在建项目',
          value: list.filter((p) => p.prjStatus === '003').length,
          unit: '个',
          note: `停工 ${list.filter((p) => p.prjStatus === '005').length} 个`,
          link: '/gov/project',
        }),
        today,
        open,
        machines,
      ]
    default:
      return [
        figure({
          key: 'projects',
          title: '项目',
          value: list.length,
          unit: '个',
          note: `在建 ${list.filter((p) => p.prjStatus === '003').length} 个`,
          link: '/gov/project',
        }),
        people,
        open,
        machines,
      ]
  }
}

async function weekOf(ctx: Context, projects: readonly string[] | undefined) {
  const today = workDayOf(ctx.clock.now())
  const { rows } = await sql<{ day: string; attended: number; onSite: number }>`
    select work_day as day, count(*) filter (where first_in is not null)::int as attended, count(*)::int as on_site from attendance_day d
    where work_day between ${addDays(today, -6)}::date and ${today}::date and ${allOf(...inProjects('d.projectCode', projects))} group by 1 order by 1`.execute(
    ctx.db,
  )
  return rows
}

async function siteOf(ctx: Context, projectCode: string): Promise<MainPage['site']> {
  const p = await ctx.db.selectFrom('project').selectAll().where('projectCode', '=', projectCode).executeTakeFirst()
  if (!p) return null
  const { rows } = await sql<{ v: Record<string, number | undefined>; ts: Date }>`
    select l.v, l.ts from device d join device_latest l on l.device_id = d.id
    where d.project_code = ${projectCode} and d.family = 'environment' and l.online order by l.ts desc limit 1`.execute(ctx.db)
  const v = rows[0]?.v ?? {}
  return {
    projectCode,
    name: p.name,
    lng: p.lng,
    lat: p.lat,
    prjStatus: p.prjStatus,
    prjStatusName: dictName('projectState', p.prjStatus) ?? '',
    phaseName: dictName('projectPhase', p.phase),
    startDate: p.actualStartDate ?? p.startDate,
    completeDate: p.completeDate,
    sitePlan: sitePlan.safeParse(p.sitePlan).data ?? null,
    machines: await machinesOf(ctx, projectCode),
    weather: {
      temperature: v.temperature ?? null,
      humidity: v.humidity ?? null,
      wind: v.windSpeed ?? null,
      pm10: v.pm10 ?? null,
      at: rows[0] ? formatInstant(rows[0].ts) : null,
    },
  }
}

/** Families drawn on the site plan; the many measuring points of a pit would hide everything else. */
const drawnFamilies = ['towerCrane', 'lifter', 'environment', 'weighbridge']

async function machinesOf(ctx: Context, projectCode: string): Promise<NonNullable<MainPage['site']>['machines']> {
  const { rows } = await sql<{
    id: string
    name: string
    family: string
    params: Record<string, unknown>
    online: boolean | null
    v: Record<string, unknown> | null
    level: number | null
    label: string | null
  }>`
    select d.id, d.name, d.family, d.params, l.online, l.v, a.level, a.label from device d
      left join device_latest l on l.device_id = d.id
      left join lateral (select level, label from alarm where device_id = d.id and active and not simulated and not historical order by level limit 1) a on true
    where d.project_code = ${projectCode} and d.status = '1' and d.family = any (${drawnFamilies}) order by d.family, d.name`.execute(
    ctx.db,
  )
  const number = (value: unknown) => (typeof value === 'number' ? value : null)
  return rows.flatMap((r) => {
    const x = number(r.params.x)
    const y = number(r.params.y)
    if (x === null || y === null) return []
    const state = !r.online ? 'offline' : r.level === null ? 'normal' : r.level <= 2 ? 'alarm' : 'warning'
    return [
      {
        id: r.id,
        name: r.name,
        family: r.family,
        x,
        y,
        state,
        stateText: !r.online ? '离线' : (r.label ?? '正常'),
        jibLength: number(r.params.jibLength),
        slewAngle: number(r.v?.slewAngle),
      } as const,
    ]
  })
}

async function keyPostsOf(ctx: Context, projectCode: string) {
  const today = workDayOf(ctx.clock.now())
  const { rows } = await sql<{ post: string; name: string; firstIn: Date | null; recordCount: number | null }>`
    select pw.post, pw.worker_name as name, d.first_in, d.record_count from project_worker pw
      left join attendance_day d on d.project_code = pw.project_code and d.worker_id = pw.worker_id and d.work_day = ${today}::date
    where pw.project_code = ${projectCode} and pw.exit_time is null and pw.post = any (${keyPosts}) order by pw.post, pw.worker_name`.execute(
    ctx.db,
  )
  return rows.map((r) => ({
    post: r.post,
    postName: dictName('managerPost', r.post) ?? r.post,
    name: r.name,
    present: (r.recordCount ?? 0) > 0,
    since: r.firstIn ? formatInstant(r.firstIn).slice(11, 16) : null,
  }))
}

async function hoursOf(ctx: Context, projectCode: string) {
  const now = ctx.clock.now()
  const start = startOfDay(workDayOf(now)) + dayCutMs
  const count = async (from: number, to: number) => {
    const { rows } = await sql<{ hour: number; n: number }>`
      select extract(hour from time at time zone 'Asia/Shanghai')::int as hour, count(distinct worker_id)::int as n from attendance_event e
      where project_code = ${projectCode} and time >= ${new Date(from)} and time < ${new Date(to)} and direction = '01' and quarantine is null group by 1`.execute(
      ctx.db,
    )
    return new Map(rows.map((r) => [r.hour, r.n]))
  }
  const [current, before] = await Promise.all([count(start, now), count(start - 7 * dayMs, start - 6 * dayMs)])
  return Array.from({ length: 24 }, (_, i) => {
    const hour = (i + 4) % 24
    const reached = start + i * 3_600_000 <= now
    return { hour: String(hour).padStart(2, '0'), today: reached ? (current.get(hour) ?? 0) : null, lastWeek: before.get(hour) ?? 0 }
  })
}

async function districtsOf(ctx: Context, projects: readonly string[] | undefined, list: HomeProject[]): Promise<MainPage['districts']> {
  const { rows } = await sql<{ areaCode: string; projectCode: string; named: number; stays: number; before: number | null }>`
    select p.area_code, p.project_code,
      (select count(*)::int from project_worker pw join worker w on w.id = pw.worker_id where pw.project_code = p.project_code and pw.exit_time is null and w.real_name_state = '1') as named,
      (select count(*)::int from project_worker pw where pw.project_code = p.project_code and pw.exit_time is null) as stays,
      (select avg(n)::float from (select sum(attend_day)::float / nullif(count(*), 0) * 100 as n from attendance_day d
         where d.project_code = p.project_code and d.work_day between current_date - 14 and current_date - 8 group by d.work_day) q) as before
    from project p where p.enable = '1' and ${allOf(...inProjects('p.projectCode', projects))}`.execute(ctx.db)
  const byArea = Map.groupBy(rows, (r) => r.areaCode)
  const cards = new Map(list.map((p) => [p.projectCode, p]))
  return [...byArea].map(([areaCode, members]) => {
    const own = members.flatMap((m) => cards.get(m.projectCode) ?? [])
    const counted = own.filter((p) => p.prjStatus !== '005')
    const total = (pick: (p: HomeProject) => number, of = own) => of.reduce((n, p) => n + pick(p), 0)
    const attendance = rate(
      total((p) => p.attended, counted),
      total((p) => p.onSite, counted),
    )
    const onlineRate = rate(
      total((p) => p.online),
      total((p) => p.devices),
    )
    const realNameRate = rate(
      members.reduce((n, m) => n + m.named, 0),
      members.reduce((n, m) => n + m.stays, 0),
    )
    const parts = [attendance, onlineRate, realNameRate].filter((v) => v !== null)
    const earlier = members.flatMap((m) => m.before ?? [])
    return {
      areaCode,
      name: areaName(areaCode) ?? areaCode,
      projects: own.length,
      building: own.filter((p) => p.prjStatus === '003').length,
      onSite: total((p) => p.onSite),
      rate: attendance,
      onlineRate,
      openAlarms: total((p) => p.openAlarms),
      realNameRate,
      // Mean of the three rates, less two points for each open level 1 or 2 alarm.
      score: parts.length
        ? Math.max(
            0,
            Math.round((parts.reduce((a, b) => a + b, 0) / parts.length - own.filter((p) => (p.worstLevel ?? 9) <= 2).length * 2) * 10) /
              10,
          )
        : null,
      change:
        attendance !== null && earlier.length
          ? Math.round((attendance - earlier.reduce((a, b) => a + b, 0) / earlier.length) * 10) / 10
          : null,
    }
  })
}

async function serviceOf(ctx: Context): Promise<MainPage['service']> {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from tenant where enable = '1') as groups, (select count(*)::int from app_user where enable = '1') as users,
      (select count(*)::int from tenant t where t.type = 3 and not exists (select 1 from member m where m.group_id = t.id)) as without_admin,
      (select count(*)::int from gateway where status = '1' and not online) as gateways_offline,
      (select count(*)::int from unregistered_device where not ignored) as unregistered,
      (select count(*)::int from device_latest where received_at > now() - interval '1 minute') as readings_per_minute,
      (select count(*)::int from export_task where status = 2) as jobs_running,
      (select count(*)::int from export_task where status = 0 and create_time > now() - interval '1 day') as jobs_failed,
      (pg_database_size(current_database()) / 1048576)::int as database_mb`.execute(ctx.db)
  const r = rows[0] ?? {}
  return {
    groups: r.groups ?? 0,
    users: r.users ?? 0,
    withoutAdmin: r.withoutAdmin ?? 0,
    gatewaysOffline: r.gatewaysOffline ?? 0,
    unregistered: r.unregistered ?? 0,
    readingsPerMinute: r.readingsPerMinute ?? 0,
    jobsRunning: r.jobsRunning ?? 0,
    jobsFailed: r.jobsFailed ?? 0,
    databaseMb: r.databaseMb ?? 0,
  }
}
