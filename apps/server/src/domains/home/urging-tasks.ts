import type { HomeTask } from '@zhugong/contract/home/endpoints'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { allOf, inProjects } from '#kit/list'

/** Supervision orders of the caller's group that need its action: answered and to be checked, or overdue. */
export async function urgings(
  ctx: Pick<Context, 'db' | 'clock' | 'codes' | 'group'>,
  projects: readonly string[] | undefined,
  most: number,
): Promise<HomeTask[]> {
  if (!ctx.codes.has('alarm.urge')) return []
  const now = new Date(ctx.clock.now())
  const { rows } = await sql<{
    id: string
    projectCode: string
    projectName: string
    subject: string
    text: string
    deadline: Date
    answered: boolean
    at: Date
  }>`
    select n.id, n.project_code, p.name as project_name, n.subject, n.text, n.deadline, n.state = '2' as answered, coalesce(n.done_time, n.create_time) as at
    from site_notice n join project p using (project_code)
    where n.kind = 'supervise' and n.from_group = ${ctx.group.id} and (n.state = '2' or (n.state = '1' and n.deadline < ${now}))
      and ${allOf(...inProjects('n.project_code', projects))}
    order by n.state, n.deadline, n.id limit ${most}`.execute(ctx.db)
  const today = formatDay(ctx.clock.now())
  return rows.map((n) => ({
    id: `urging:${n.id}`,
    kind: 'approval',
    kindName: '督办',
    level: null,
    title: n.subject || n.text,
    reason: n.answered ? '项目已答复，待核查' : `逾期未答复，期限 ${formatInstant(n.deadline).slice(0, 16)}`,
    time: formatInstant(n.at),
    projectCode: n.projectCode,
    projectName: n.projectName,
    active: false,
    overdue: !n.answered,
    several: null,
    due: n.answered ? 'today' : 'overdue',
    dueDay: n.answered ? today : formatDay(n.deadline),
    action: n.answered ? '核查' : '查看',
    link: `/notice?noticeId=${n.id}&projectCode=${n.projectCode}`,
  }))
}
