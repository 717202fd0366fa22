import type { HomeTask } from '@zhugong/contract/home/endpoints'
import { dayMs } from '@zhugong/contract/kit/time'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, groupTypes, type Rights } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { pick } from '#kit/pick'
import { awaits, graveLevel } from '../alarms/public.ts'
import { noticePage, noticesWaiting } from '../announcements/public.ts'
import { openByType } from '../labour-alarms/public.ts'
import { licencesDue, withoutContract as projectsWithoutContract } from '../personnel/public.ts'
import { todosFor } from '../process/public.ts'
import { approvalsWaiting } from '../workflow/public.ts'
import { urgings } from './urging-tasks.ts'

/** Maximum tasks shown per kind: a list longer than a screen is not a to-do list. */
const perKind = 20
const levelWords = ['', '一级', '二级', '三级', '四级']

type TaskContext = Pick<Context, 'db' | 'clock' | 'codes' | 'group' | 'user' | 'scope'> & { principal: Rights }

/**
 * Open tasks, most urgent first: alarms by level, expired certificates, missing contracts, documents, pending decisions. Reads the tables
 * of several domains, as dashboards do.
 */
export async function findTasks(ctx: TaskContext, projects: readonly string[] | undefined): Promise<HomeTask[]> {
  const site = ctx.group.type === groupTypes.project || ctx.group.type === groupTypes.corporation
  const lists = await Promise.all([
    openAlarms(ctx, projects),
    ctx.codes.has('personnel.view') && site ? certificates(ctx, projects) : [],
    ctx.codes.has('personnel.contract') && site ? withoutContract(ctx, projects) : [],
    ctx.codes.has('attendance.alarm') && site ? labourAlarms(ctx, projects) : [],
    ctx.codes.has('setting.material') && site ? returnedPapers(ctx, projects) : [],
    ctx.codes.has('setting.materialAudit') ? waitingPapers(ctx, projects) : [],
    approvals(ctx, projects),
    urgings(ctx, projects, perKind),
    records(ctx, projects),
    notices(ctx),
  ])
  return inOrder(lists.flat())
}

/**
 * Rank of a task: level 1 alarms first, then overdue tasks and active level 2 alarms, then other level 2 alarms, then tasks due soon. For
 * users who can only view alarms, their own tasks come first.
 */
function rankOf(task: HomeTask): number {
  if (task.kind !== 'alarm') return task.overdue ? 1 : 2.5
  if (task.level === 1) return task.action === '查看' ? 3 : 0
  if (task.level !== graveLevel) return 4
  return task.active ? 1 : 2
}
const inOneTurn = 3

/** Most urgent first, alternating between kinds: dozens of alarms must not hide an expired licence. */
export function inOrder(tasks: readonly HomeTask[]): HomeTask[] {
  const heard = new Map<string, number>()
  return tasks
    .map((task, at) => {
      const turn = heard.get(task.kind) ?? 0
      heard.set(task.kind, turn + 1)
      // After three tasks of one kind, other kinds follow. Active dangerous alarms move back behind overdue tasks only, not further.
      const behind = Math.floor(turn / inOneTurn)
      const dangerous = task.active && task.level !== null && task.level <= graveLevel
      return { task, at, rank: rankOf(task) + (dangerous ? behind / (behind + 1) : behind) }
    })
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ task }) => task)
}

/** Due category of a day; 本周 ends on the Sunday of the current week. Days are yyyy-MM-dd. */
export function dueOf(day: string, today: string): HomeTask['due'] {
  if (day < today) return 'overdue'
  if (day === today) return 'today'
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7
  return day <= addDays(today, 6 - weekday) ? 'week' : 'later'
}
const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / dayMs)

/** Text on how many of several items are overdue, and by how much. */
export function latePart(r: { n: number; late: number; oldest: Date }, unit: string, lateDays: number): string {
  if (r.late === 0) return `最早 ${formatDay(r.oldest)}，均未逾期`
  return r.late === r.n ? `均已逾期，最久 ${lateDays} 天` : `其中 ${r.late} ${unit}已逾期，最久 ${lateDays} 天`
}
/** For users of several sites, the link filters the list by the task's project. */
const among = (projects: readonly string[] | undefined, projectCode: string) =>
  projects?.length === 1 ? '' : `&projectCode=${projectCode}`

/** Days from entry within which a contract must be signed (劳动合同法 第十条). */
const contractDays = 30

async function openAlarms(ctx: TaskContext, projects: readonly string[] | undefined): Promise<HomeTask[]> {
  if (!ctx.codes.has('alarm.view')) return []
  // Users who cannot act on alarms get only the gravest ones, after their own tasks.
  const action = ['alarm.ack', 'alarm.handle', 'alarm.close'].some((code) => ctx.codes.has(code))
    ? '处理'
    : ctx.codes.has('alarm.urge')
      ? '督办'
      : '查看'
  const worst = action === '查看' ? 1 : 3
  // Repeated alarms of one machine for the same reason are one task.
  const { rows } = await sql<{
    id: string
    label: string
    level: number
    deviceName: string
    firstTime: Date
    lastTime: Date
    thresholdText: string
    active: boolean
    n: number
    projectCode: string
    projectName: string
  }>`
    select (array_agg(a.id order by a.level, a.active desc, a.start_time desc))[1] as id, a.label, min(a.level)::int as level, a.device_name,
      min(a.start_time) as first_time, max(a.start_time) as last_time, bool_or(a.active) as active, count(*)::int as n,
      (array_agg(a.threshold_text order by a.level, a.active desc, a.start_time desc))[1] as threshold_text, a.project_code, p.name as project_name
    from alarm a join project p using (project_code)
    where ${awaits('a')} and a.level <= ${worst} and ${allOf(...inProjects('a.projectCode', projects))}
    group by a.project_code, p.name, a.device_id, a.device_name, a.label
    order by level, active desc, last_time desc limit ${perKind}`.execute(ctx.db)
  const now = ctx.clock.now()
  return rows.map((a) => {
    const overdue = now - a.firstTime.getTime() > dayMs
    return {
      id: `alarm:${a.id}`,
      kind: 'alarm',
      kindName: '告警',
      ...pick(a, 'level', 'projectCode', 'projectName', 'active'),
      title: `${a.deviceName} ${a.label}`,
      reason: [levelWords[a.level], ...(a.n > 1 ? [`共 ${a.n} 次`] : []), a.active ? '仍在告警' : '已恢复，待处置', a.thresholdText]
        .filter(Boolean)
        .join('，'),
      time: formatInstant(a.lastTime),
      overdue,
      several: null,
      due: overdue ? 'overdue' : 'today',
      // Its 24 hours may end tomorrow, but it is due today.
      dueDay: formatDay(overdue ? a.firstTime.getTime() + dayMs : now),
      action,
      link: `/alarm/record?alarmId=${a.id}`,
    }
  })
}

async function certificates(ctx: TaskContext, projects: readonly string[] | undefined): Promise<HomeTask[]> {
  const today = formatDay(ctx.clock.now())
  const rows = await licencesDue(ctx, projects, perKind)
  return rows.map((c) => {
    const left = Math.round((Date.parse(c.validEnd) - Date.parse(today)) / dayMs)
    const over = left < 0
    // A suspended person needs no suspension; only the certificate must be renewed.
    const current = c.pausedAt !== null
    const due = current ? 'later' : dueOf(c.validEnd, today)
    const work = current ? `已于 ${formatDay(c.pausedAt as Date)} 暂停作业，换证后恢复` : over ? '应暂停作业' : '到期后应暂停作业'
    return {
      id: `cert:${c.id}`,
      kind: 'certificate',
      kindName: '证书',
      level: null,
      title: `${c.workerName} ${c.name}${over ? '已过期' : '将到期'}`,
      reason: `${dictName('workerType', c.workType) ?? '管理人员'}，${over ? `过期 ${-left} 天` : `剩 ${left} 天`}，${work}`,
      time: c.validEnd,
      projectCode: c.projectCode,
      projectName: c.projectName,
      active: false,
      overdue: due === 'overdue',
      several: null,
      due,
      dueDay: current ? null : c.validEnd,
      action: over && !current ? '处理' : '续期',
      link: `/personnelSystem/info/certificate?id=${c.workerId}&projectCode=${c.projectCode}`,
    }
  })
}

async function withoutContract(ctx: TaskContext, projects: readonly string[] | undefined): Promise<HomeTask[]> {
  const today = formatDay(ctx.clock.now())
  const rows = await projectsWithoutContract(ctx, projects, { enteredBefore: addDays(today, -contractDays), limit: perKind })
  return rows.map((r) => {
    const dueDay = addDays(formatDay(r.oldest), contractDays)
    const due = dueOf(dueDay, today)
    return {
      id: `contract:${r.projectCode}`,
      kind: 'contract',
      kindName: '合同',
      level: null,
      title: `${r.n} 人进场未签合同`,
      reason: `${latePart(r, '人', daysBetween(dueDay, today))}，用工之日起一个月内应签订`,
      time: formatInstant(r.oldest),
      projectCode: r.projectCode,
      projectName: r.projectName,
      active: false,
      overdue: due === 'overdue',
      several: { count: r.n, late: r.late },
      due,
      dueDay,
      action: '补签',
      link: `/personList?stationed=1&hasContract=0${among(projects, r.projectCode)}`,
    }
  })
}

/** Kinds that have tasks of their own in the list. */
const reportedApart = ['204', '207']
/** Days after which an open one is overdue. */
const labourAlarmDays = 7

async function labourAlarms(ctx: TaskContext, projects: readonly string[] | undefined): Promise<HomeTask[]> {
  const today = formatDay(ctx.clock.now())
  const rows = await openByType(ctx.db, projects, { toldBefore: addDays(today, -labourAlarmDays), limit: perKind })
  return rows
    .filter((r) => !reportedApart.includes(r.type))
    .map((r) => {
      const dueDay = addDays(formatDay(r.oldest), labourAlarmDays)
      const due = dueOf(dueDay, today)
      return {
        id: `labour:${r.projectCode}:${r.type}`,
        kind: 'labourAlarm',
        kindName: '劳务预警',
        level: null,
        title: `${r.n} 人${dictName('laborAlarmType', r.type) ?? ''}`,
        reason: `${latePart(r, '人', daysBetween(dueDay, today))}，处理或注明原因后忽略`,
        time: formatInstant(r.oldest),
        projectCode: r.projectCode,
        projectName: r.projectName,
        active: false,
        overdue: due === 'overdue',
        several: { count: r.n, late: r.late },
        due,
        dueDay,
        action: '处理',
        link: `/alarmSet?tab=records&type=${r.type}&state=1${among(projects, r.projectCode)}`,
      }
    })
}

interface Papers {
  projectCode: string
  projectName: string
  n: number
  late: number
  oldest: Date
}

async function papersIn(ctx: TaskContext, projects: readonly string[] | undefined, state: string): Promise<Papers[]> {
  const { rows } = await sql<Papers>`
    select m.project_code, p.name as project_name, count(*)::int as n, min(coalesce(m.judge_time, m.update_time)) as oldest,
      count(*) filter (where (coalesce(m.judge_time, m.update_time) at time zone 'Asia/Shanghai')::date
        < ${addDays(formatDay(ctx.clock.now()), -paperDays)}::date)::int as late
    from project_material m join project p using (project_code)
    where m.state = ${state} and ${allOf(...inProjects('m.projectCode', projects))}
    group by 1, 2 order by oldest, m.project_code limit ${perKind}`.execute(ctx.db)
  return rows
}

/** Days within which a document must be reviewed, or a returned one submitted again. */
const paperDays = 7

function paperTask(ctx: TaskContext, r: Papers, words: Pick<HomeTask, 'title' | 'reason' | 'action' | 'link'>): HomeTask {
  const today = formatDay(ctx.clock.now())
  const dueDay = addDays(formatDay(r.oldest), paperDays)
  const due = dueOf(dueDay, today)
  return {
    id: `paper:${words.action}:${r.projectCode}`,
    kind: 'material',
    kindName: '资料',
    level: null,
    time: formatInstant(r.oldest),
    projectCode: r.projectCode,
    projectName: r.projectName,
    active: false,
    overdue: due === 'overdue',
    several: { count: r.n, late: r.late },
    due,
    dueDay,
    ...words,
    reason: `${latePart(r, '项', daysBetween(dueDay, today))}，${words.reason}`,
  }
}

async function returnedPapers(ctx: TaskContext, projects: readonly string[] | undefined): Promise<HomeTask[]> {
  const link = '/informationSettings/material'
  return (await papersIn(ctx, projects, '3')).map((r) =>
    paperTask(ctx, r, {
      title: `${r.n} 项资料被退回`,
      reason: '按意见替换后重新提交',
      action: '补正',
      link: `${link}?projectCode=${r.projectCode}`,
    }),
  )
}

async function waitingPapers(ctx: TaskContext, projects: readonly string[] | undefined): Promise<HomeTask[]> {
  const link = '/system/project/material'
  return (await papersIn(ctx, projects, '1')).map((r) =>
    paperTask(ctx, r, {
      title: `${r.n} 项资料待审`,
      reason: `${r.projectName} 提交`,
      action: '审核',
      link: `${link}?projectCode=${r.projectCode}`,
    }),
  )
}

async function approvals(ctx: TaskContext, projects: readonly string[] | undefined): Promise<HomeTask[]> {
  const rows = await approvalsWaiting(ctx, projects, perKind)
  const now = ctx.clock.now()
  return rows.map((a) => {
    const overdue = a.deadline !== null && a.deadline.getTime() < now
    return {
      id: `approval:${a.id}`,
      kind: 'approval',
      kindName: a.act ? a.kindName : '审批',
      level: null,
      ...pick(a, 'title', 'projectCode', 'projectName'),
      reason: `${a.kindName}${a.applicantName ? `，${a.applicantName} 发起` : ''}${a.deadline ? `，时限 ${formatInstant(a.deadline).slice(0, 16)}` : ''}`,
      time: formatInstant(a.createTime),
      active: false,
      overdue,
      several: null,
      due: overdue ? 'overdue' : a.deadline ? dueOf(formatDay(a.deadline), formatDay(now)) : 'later',
      dueDay: a.deadline && formatDay(a.deadline),
      action: a.act ?? '审批',
      link: a.link ?? `/workbench/approvalDetail?id=${a.id}`,
    }
  })
}

const recordNames: Readonly<Record<string, string>> = {
  rectify: '整改',
  rectifyPenalty: '处罚建议',
  stopapply: '停复工',
  safetyInspection: '安全巡检',
  safetyMeasures: '安全措施',
  materialBatch: '物资',
  qualityP: '工序验收',
  checksPlan: '专项检查',
  spotcheck: '质量抽查',
  schedule: '进度',
  measureTask: '实测实量',
  house: '分户验收',
  advice: '意见',
  expert: '专家审核',
  expertDraw: '专家论证',
  expertActivity: '专家活动',
  expertTrip: '专家外出',
  bigproject: '危大工程',
  spdevice: '起重机械',
  provinces: '省市督查',
  checkplan: '监督计划',
  daycheck: '日常检查',
  manualsheet: '监督记录单',
  badaction: '不良行为',
  qualityImprovement: '质量改进',
  notice: '通知审核',
}

/** To-do of kind 8 (dictionary todoType): a notice to be signed for, or one not yet opened. */
const noticeTask = 'noticeReceipt'

const kindNames: Readonly<Record<string, string>> = {
  ...recordNames,
  alarm: '告警',
  approval: '审批',
  certificate: '证书',
  contract: '合同',
  material: '资料',
  labourAlarm: '劳务预警',
  [noticeTask]: dictName('todoType', '8') ?? '通知签收',
}
/** Title of a kind of tasks. Single tasks may be named more precisely, such as the business of an approval. */
export const kindNameOf = (kind: string): string => kindNames[kind] ?? '其他'

/** Records with states of their own that wait for the caller, such as a notice to be signed for or a reply to be checked. */
async function records(ctx: TaskContext, projects: readonly string[] | undefined): Promise<HomeTask[]> {
  const today = formatDay(ctx.clock.now())
  const rows = await todosFor(ctx, projects, perKind)
  return rows.map((t) => {
    const due = t.due === null ? 'later' : dueOf(t.due, today)
    const late = t.due === null ? 0 : daysBetween(t.due, today)
    return {
      id: `${t.kind}:${t.id}`,
      ...pick(t, 'kind', 'title', 'projectCode', 'projectName', 'link'),
      kindName: recordNames[t.kind] ?? '待办',
      level: null,
      reason: t.due === null ? '' : late > 0 ? `逾期 ${late} 天，期限 ${t.due}` : `期限 ${t.due}`,
      time: formatInstant(t.since),
      active: false,
      overdue: late > 0,
      several: null,
      due,
      dueDay: t.due,
      action: '办理',
    }
  })
}

/** What the list of notices counts as waiting, also in the bell. */
async function notices(ctx: TaskContext): Promise<HomeTask[]> {
  const rows = await noticesWaiting(ctx, perKind)
  const now = ctx.clock.now()
  const today = formatDay(now)
  return rows.map((n) => {
    const overdue = n.deadline !== null && n.deadline.getTime() < now
    return {
      id: `${noticeTask}:${n.id}`,
      kind: noticeTask,
      kindName: kindNameOf(noticeTask),
      level: null,
      title: n.needReceipt ? `签收“${n.title}”` : `查阅“${n.title}”`,
      reason: [n.groupName, n.deadline && `截止 ${formatInstant(n.deadline).slice(0, 16)}`].filter(Boolean).join('，'),
      time: formatInstant(n.publishTime),
      projectCode: null,
      projectName: null,
      active: false,
      overdue,
      several: null,
      due: overdue ? 'overdue' : n.deadline ? dueOf(formatDay(n.deadline), today) : 'later',
      dueDay: n.deadline && formatDay(n.deadline),
      action: n.needReceipt ? '签收' : '查阅',
      link: noticePage(n.id),
    }
  })
}
