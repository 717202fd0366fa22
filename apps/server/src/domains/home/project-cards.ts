import type { HomeProject } from '@zhugong/contract/home/endpoints'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays } from '#kit/clock'
import type { Context } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { graveLevel } from '../alarms/public.ts'
import { hasCome, presenceRate } from '../attendance/public.ts'
import { machinesInUse, machinesOnline } from '../equipment/public.ts'
import { expiredByProject } from '../personnel/public.ts'
import type { Today } from './today.ts'

interface CardRow {
  projectCode: string
  name: string
  areaCode: string
  prjStatus: string
  lng: number | null
  lat: number | null
  devices: number
  online: number
  week: number[]
}

async function findCards(ctx: Context, projects: readonly string[] | undefined, day: string): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`
    select p.project_code, p.name, p.area_code, p.prj_status, p.lng, p.lat, coalesce(d.total, 0) as devices, coalesce(d.online, 0) as online,
      coalesce(wk.days, '{}') as week
    from project p
      left join (select d.project_code, ${machinesInUse} as total, ${machinesOnline} as online from device d
        left join device_latest l on l.device_id = d.id where d.status = '1' group by 1) d using (project_code)
      left join (select project_code, array_agg(n order by work_day) as days from (
        select project_code, work_day, count(*) filter (where ${hasCome('attendance_day')})::int as n from attendance_day where work_day between ${addDays(day, -6)}::date and ${day}::date group by 1, 2) q
        group by 1) wk using (project_code)
    where p.enable = '1' and ${allOf(...inProjects('p.projectCode', projects))}`.execute(ctx.db)
  return rows
}

/** Active projects, those that most need a visit first. Reads device and attendance_day in addition to `today`. */
export async function projectCards(ctx: Context, projects: readonly string[] | undefined, today: Today): Promise<HomeProject[]> {
  const rows = await findCards(ctx, projects, today.day)
  const expired = await expiredByProject(ctx, projects)
  return rows
    .map((row) => toCard(row, today, expired.get(row.projectCode) ?? 0))
    .sort((a, b) => b.score - a.score || a.name.localeCompare(b.name))
}

function toCard({ areaCode, ...row }: CardRow, today: Today, expired: number): HomeProject {
  const presence = today.presence.get(row.projectCode)
  const alarms = today.awaiting.get(row.projectCode)
  const absentPosts = today.absentPosts.get(row.projectCode) ?? 0
  const stopped = row.prjStatus === projectStates.stopped
  const worstLevel = alarms?.worst ?? null
  const openAlarms = alarms?.count ?? 0
  const offline = row.devices - row.online
  const why = [
    ...(worstLevel !== null && worstLevel <= graveLevel ? [`${worstLevel === 1 ? '一级' : '二级'}告警未处置`] : []),
    ...(openAlarms > 0 ? [`待处理告警 ${openAlarms} 条`] : []),
    ...(absentPosts > 0 ? [`关键岗位缺 ${absentPosts} 人`] : []),
    ...(expired > 0 ? [`特种作业证过期 ${expired} 人`] : []),
    ...(offline > 0 ? [`离线设备 ${offline} 台`] : []),
    ...(stopped ? ['停工中，不计考勤考核'] : []),
  ]
  const score =
    (worstLevel === 1 ? 40 : worstLevel === 2 ? 25 : 0) +
    Math.min(20, openAlarms) +
    Math.min(20, absentPosts * 5) +
    Math.min(10, expired) +
    Math.min(10, offline * 2)
  return {
    ...row,
    areaCode,
    areaName: areaName(areaCode) ?? '',
    prjStatusName: dictName('projectState', row.prjStatus) ?? '',
    onSite: presence?.inPlace ?? 0,
    attended: presence?.attended ?? 0,
    expected: presence?.expected ?? 0,
    arrived: presence?.arrived ?? 0,
    rate: presence ? presenceRate([presence]) : null,
    openAlarms,
    graveAlarms: alarms?.grave ?? 0,
    worstLevel,
    absentPosts,
    score: Math.min(100, score),
    why,
  }
}
