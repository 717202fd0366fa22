import type { DayCheckStart, dayCheckStart } from '@zhugong/contract/daychecks/calls'
import { dayCheckMoves, disciplines } from '@zhugong/contract/daychecks/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found, oneProject } from '#kit/context'
import type { Row } from '#kit/db'
import type { HandlerOf } from '#kit/serve'
import { openNotices } from '../rectify/public.ts'
import { proposedSheets } from './units.ts'

export const readStart: HandlerOf<typeof dayCheckStart> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const { rows } = await sql<{ name: string }>`select name from project where project_code = ${projectCode}`.execute(ctx.db)
  const units = await sql<Pick<Row<'unitProject'>, 'id' | 'name' | 'phase'>>`select id, name, phase from unit_project
    where project_code = ${projectCode} order by seq`.execute(ctx.db)
  return {
    projectCode,
    projectName: found(rows[0], '项目').name,
    officers: await officersOf(ctx),
    sheets: await proposedSheets(ctx, projectCode, query.discipline ?? [disciplines.safety]),
    units: units.rows.map(({ id, name, phase }) => ({ id, name, phaseName: dictName('projectPhase', phase) })),
    facts: await factsOf(ctx, projectCode),
  }
}

/** People of the caller's institution who may hold checks. */
export async function officersOf(ctx: Pick<Context, 'system' | 'group'>): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`select distinct u.id, u.name from member m join app_user u on u.id = m.user_id
    join member_role mr on mr.member_id = m.id join role r on r.id = mr.role_id and r.codes && ${[...dayCheckMoves.checkIn.needs]}::text[]
    where m.group_id = ${ctx.group.id} and m.enable = '1' and u.enable = '1' order by u.name limit 200`.execute(ctx.system)
  return rows
}

/** What is known of a site before the officers walk it: open notices, machines past their inspection, the last check. */
async function factsOf(ctx: Context, projectCode: string): Promise<DayCheckStart['facts']> {
  const notices = await openNotices(ctx, projectCode)
  const today = formatDay(ctx.clock.now())
  type Raw = { machines: number; uninspected: number; people: number; alarms: number }
  const { rows } = await sql<Raw>`select
      (select count(*)::int from device d where d.project_code = ${projectCode} and d.status = '1' and d.family in ('towerCrane', 'lifter')) as machines,
      (select count(distinct x.device_id)::int from device_due x join device d on d.id = x.device_id where d.project_code = ${projectCode}
        and d.status = '1' and x.kind = 'inspection' and x.notice_state <> '2' and x.due_date < ${today}::date) as uninspected,
      (select count(*)::int from project_worker w where w.project_code = ${projectCode} and w.exit_time is null) as people,
      (select count(*)::int from alarm a where a.project_code = ${projectCode} and a.active and a.level <= 2) as alarms`.execute(ctx.db)
  const last = await sql<{
    id: string
    day: string
    problems: number
  }>`select d.id, to_char(d.submit_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day,
      c.problem_count as problems from day_check d join site_check c on c.id = d.id
    where d.project_code = ${projectCode} and d.submit_at is not null order by d.submit_at desc limit 1`.execute(ctx.db)
  const [facts, before] = [rows[0], last.rows[0]]
  return [
    {
      label: '未闭合整改',
      value: notices.length ? `${notices.length} 份` : '无',
      link: notices.length ? `/jgt/project/tgzg_index?projectCode=${projectCode}&tab=running` : null,
      level: notices.length ? 'warn' : 'info',
    },
    {
      label: '起重机械',
      value: facts?.machines ? `在用 ${facts.machines} 台，检验过期 ${facts.uninspected} 台` : '无在用塔机、升降机',
      link: null,
      level: facts?.uninspected ? 'warn' : 'info',
    },
    {
      label: '一、二级告警',
      value: facts?.alarms ? `${facts.alarms} 条未恢复` : '无',
      link: null,
      level: facts?.alarms ? 'warn' : 'info',
    },
    { label: '在场人员', value: `${facts?.people ?? 0} 人`, link: null, level: 'info' },
    {
      label: '上次检查',
      value: before ? `${before.day}，问题 ${before.problems} 个` : '尚未检查',
      link: before ? `/jgt/daycheck/checkResult?id=${before.id}` : null,
      level: 'info',
    },
  ]
}
