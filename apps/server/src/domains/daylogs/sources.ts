import { alarmStates } from '@zhugong/contract/alarms/codes'
import { type BriefingState, briefingStateNames, briefingStates } from '@zhugong/contract/briefings/moves'
import type { FactKind } from '@zhugong/contract/daylogs/fields'
import { materialStates } from '@zhugong/contract/materials/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { workOf } from '@zhugong/contract/steps/chain'
import { stepStates } from '@zhugong/contract/steps/moves'
import { sql } from 'kysely'
import { formatInstant, startOfDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { type Condition, condition } from '#kit/list'
import { hasCome } from '../attendance/public.ts'

type Reader = Pick<Context, 'db'>

/** The day that is being written about. */
export interface Day {
  day: string
  projects: readonly string[]
  /** Of the works; undefined: all. */
  unitId?: string | undefined
  /** Also orders of earlier days that are still open. */
  open?: boolean | undefined
}
/** One thing that the day recorded. */
export interface Recorded {
  refId: string
  projectCode: string
  words: string
  amount: number | null
  unit: string | null
  state: string | null
  link: string | null
}
/** A source of what a log is prefilled with: a line in `sources`. */
interface Source {
  kind: FactKind
  ofDay(ctx: Reader, day: Day): Promise<Recorded[]>
  /** The records by their ids as they are now, for what has a state. */
  now?(ctx: Reader, ids: readonly string[]): Promise<Recorded[]>
}

const dayMs = 86_400_000
/** A day has so many of one kind at most; the rest are on their own pages. */
const most = sql`limit 60`

const among = (column: string, { projects }: Day) => condition(sql`${sql.ref(column)} = any (${[...projects]})`)
const during = (column: string, { day }: Day) => {
  const from = startOfDay(day)
  return condition(sql`${sql.ref(column)} >= ${new Date(from)} and ${sql.ref(column)} < ${new Date(from + dayMs)}`)
}
const both = (...all: Condition[]) => sql.join(all, sql` and `)
const byId = (column: string, ids: readonly string[]) => condition(sql`${sql.ref(column)} = any (${[...ids]})`)
const plain = { amount: null, unit: null }
const time = (at: Date) => formatInstant(at).slice(11, 16)

/** A kind whose records have ids and states: one query by a condition. */
const byCondition = (
  kind: FactKind,
  id: string,
  ofDay: (day: Day) => Condition,
  read: (ctx: Reader, where: Condition) => Promise<Recorded[]>,
) => ({
  kind,
  ofDay: (ctx: Reader, day: Day) => read(ctx, ofDay(day)),
  now: (ctx: Reader, ids: readonly string[]) => read(ctx, byId(id, ids)),
})

/** People of each gang, by the gates. */
const gangs: Source = {
  kind: 'gang',
  async ofDay(ctx, day) {
    type Gang = { projectCode: string; teamId: string | null; name: string; people: number }
    const { rows } =
      await sql<Gang>`select d.project_code, d.team_id, coalesce(max(t.team_name), '管理人员') as name, count(*)::int as people
      from attendance_day d left join team t on t.id = d.team_id
      where ${among('d.projectCode', day)} and d.work_day = ${day.day}::date and ${hasCome('d')} group by 1, 2 order by 4 desc, 3 ${most}`.execute(
        ctx.db,
      )
    return rows.map(({ projectCode, teamId, name, people }) => ({
      refId: teamId ?? projectCode,
      projectCode,
      words: name,
      amount: people,
      unit: '人',
      state: null,
      link: teamId ? `/teamSystem/info/basic?id=${teamId}` : null,
    }))
  },
}

/** Cranes and lifts that worked, with their cycles. */
const machines: Source = {
  kind: 'machine',
  async ofDay(ctx, day) {
    type Machine = { projectCode: string; id: string; name: string; family: string; cycles: number }
    const { rows } = await sql<Machine>`select d.project_code, d.id, d.name, d.family, count(*)::int as cycles
      from device_record r join device d on d.id = r.device_id
      where ${among('r.projectCode', day)} and r.record = 'workingCycle' and ${during('r.ts', day)} group by d.id order by d.family desc, d.name ${most}`.execute(
      ctx.db,
    )
    return rows.map(({ projectCode, id, name, family, cycles }) => ({
      refId: id,
      projectCode,
      words: name,
      amount: cycles,
      unit: family === 'towerCrane' ? '吊' : '趟',
      state: null,
      link: family === 'towerCrane' ? `/tower/handling?deviceId=${id}` : `/equipment/handling?deviceId=${id}`,
    }))
  },
}

/** Pages and names of the kinds of check. */
const checkPages: Readonly<Record<string, readonly [name: string, page: string]>> = {
  securityCheck: ['安全检查', '/securityCheck/securityCheckdetail?id='],
  qualityInspection: ['质量检查', '/qualityInspectiondetail?id='],
  safetyInspection: ['安全巡检', '/safetyInspection/details?id='],
  examine: ['项目安全检查', '/safetyP/examine/details?id='],
  checksP: ['专项检查', '/safetyP/checksP/details?check='],
  civiConsInspection: ['文明施工检查', '/civiConsInspection/details?id='],
  dust: ['扬尘检查', '/dustInspectionDetails?id='],
  deviceInspect: ['设备检查', '/deviceInspect/details?id='],
  daycheck: ['监督检查', '/jgt/daycheck/details?id='],
}
const checks = byCondition(
  'check',
  'c.id',
  (day) => condition(both(among('c.projectCode', day), during('c.checkTime', day))),
  async (ctx, where) => {
    type Check = { id: string; projectCode: string; kind: string; part: string; n: number; state: string; at: Date }
    const { rows } = await sql<Check>`select c.id, c.project_code, c.kind, c.part, c.problem_count as n, c.state, c.check_time as at
      from site_check c where ${where} and c.state <> '0' and c.shown_at is not null order by c.check_time ${most}`.execute(ctx.db)
    return rows.flatMap(({ id, projectCode, kind, part, n, state, at }) => {
      const known = checkPages[kind]
      if (!known) return []
      const [name, page] = known
      const words = `${time(at)} ${name} ${part}，${n > 0 ? `问题 ${n} 条` : '未发现问题'}`
      return [{ refId: id, projectCode, words, ...plain, state: dictName('rectifyState', state), link: `${page}${id}` }]
    })
  },
)

/** 已闭合 and 已撤销 in dictionary rectifyState. */
const closedNotice = '7'
const settledNotices = [closedNotice, '8']
const notices = byCondition(
  'rectify',
  'r.id',
  (day) => {
    const open = day.open ? sql` or r.state <> all (${settledNotices})` : sql``
    const closed = sql`exists (select from process_log l where l.kind = 'rectify' and l.object_id = r.id and l.to_state = ${closedNotice}
      and ${during('l.at', day)})`
    return condition(sql`${among('r.projectCode', day)} and (${during('r.issueTime', day)} or ${closed}${open})`)
  },
  async (ctx, where) => {
    type Notice = {
      id: string
      projectCode: string
      code: string | null
      origin: string
      summary: string | null
      state: string
      deadline: string
    }
    const { rows } = await sql<Notice>`select r.id, r.project_code, r.code, r.origin, r.state, r.deadline,
        (select l.description from rectify_line l where l.rectify_id = r.id order by l.seq limit 1) as summary
      from rectify r where ${where} and r.shown_at is not null order by r.issue_time desc ${most}`.execute(ctx.db)
    return rows.map(({ id, projectCode, code, origin, summary, state, deadline }) => ({
      refId: id,
      projectCode,
      words: `${code ?? '整改单'} ${summary ?? ''}（期限 ${deadline}）`,
      ...plain,
      state: dictName('rectifyState', state),
      link: origin === 'gov' ? `/safetySupervisionRectification/details?id=${id}` : `/safetyP/abarbeitung/details?id=${id}`,
    }))
  },
)

const levels = ['', '一级', '二级', '三级', '四级']
const alarms = byCondition(
  'alarm',
  'a.id',
  (day) => condition(sql`${among('a.projectCode', day)} and ${during('a.fireTime', day)} and not a.simulated and not a.historical`),
  async (ctx, where) => {
    type Alarm = { id: string; projectCode: string; device: string; label: string; level: number; state: string; at: Date }
    const { rows } = await sql<Alarm>`select a.id, a.project_code, a.device_name as device, a.label, a.level, a.state, a.fire_time as at
      from alarm a where ${where} order by a.level, a.fire_time ${most}`.execute(ctx.db)
    return rows.map(({ id, projectCode, device, label, level, state, at }) => ({
      refId: id,
      projectCode,
      words: `${time(at)} ${device} ${label}（${levels[level] ?? ''}）`,
      ...plain,
      state: alarmStates[state as keyof typeof alarmStates] ?? state,
      link: `/alarm/record?alarmId=${id}`,
    }))
  },
)

/** Work permits that were in force on the day. */
const permits = byCondition(
  'permit',
  'w.id',
  (day) => {
    const from = startOfDay(day.day)
    return condition(
      sql`${among('w.projectCode', day)} and w.start_time < ${new Date(from + dayMs)} and coalesce(w.closed_at, w.end_time) >= ${new Date(from)}`,
    )
  },
  async (ctx, where) => {
    type Permit = { id: string; projectCode: string; type: string; part: string; state: string; at: Date; people: number }
    const { rows } = await sql<Permit>`select w.id, w.project_code, w.type, w.part, w.state, w.start_time as at,
        (select count(*)::int from work_permit_person p where p.permit_id = w.id and p.role <> 'guardian') as people
      from work_permit w where ${where} and w.state not in ('0', '5') and w.shown_at is not null order by w.start_time ${most}`.execute(
      ctx.db,
    )
    return rows.map(({ id, projectCode, type, part, state, at, people }) => ({
      refId: id,
      projectCode,
      words: `${time(at)} ${dictName('dangerousWorkType', type) ?? type} ${part}`,
      amount: people,
      unit: '人',
      state: dictName('workPermitState', state),
      link: `/safety/dangerous/details?permit=${id}`,
    }))
  },
)

/** Briefings of gangs. */
const briefings = byCondition(
  'briefing',
  'b.id',
  (day) => condition(sql`${among('b.projectCode', day)} and b.date = ${day.day}::date`),
  async (ctx, where) => {
    type Briefing = { id: string; projectCode: string; name: string; part: string; state: string; people: number }
    const { rows } = await sql<Briefing>`select b.id, b.project_code, b.name, b.part, b.state,
        (select count(*)::int from briefing_receiver r where r.briefing_id = b.id) as people
      from briefing b where ${where} and b.type = 'safetyPTechnical' and b.state <> ${briefingStates.draft} and b.shown_at is not null
      order by b.create_time, b.id ${most}`.execute(ctx.db)
    return rows.map(({ id, projectCode, name, part, state, people }) => ({
      refId: id,
      projectCode,
      words: `${name}（${part}）`,
      amount: people,
      unit: '人',
      state: briefingStateNames[state as BriefingState] ?? state,
      link: `/safetyP/technical/details?id=${id}`,
    }))
  },
)

const trainings = byCondition(
  'training',
  't.id',
  (day) => condition(both(among('t.projectCode', day), during('t.startTime', day))),
  async (ctx, where) => {
    type Training = { id: string; projectCode: string; name: string; people: number; closed: boolean; at: Date }
    const { rows } = await sql<Training>`select t.id, t.project_code, t.name, t.start_time as at, t.closed_at is not null as closed,
        (select count(*)::int from worker_training w where w.training_id = t.id) as people
      from training t where ${where} order by t.start_time ${most}`.execute(ctx.db)
    return rows.map(({ id, projectCode, name, people, closed, at }) => ({
      refId: id,
      projectCode,
      words: `${time(at)} ${name}`,
      amount: people,
      unit: '人',
      state: closed ? '已完成' : '待评定',
      link: `/person/train/details?id=${id}`,
    }))
  },
)

const steps = byCondition(
  'step',
  's.id',
  (day) => {
    const unit = day.unitId
      ? sql` and exists (select from site_place q join site_place u on u.id = any (q.path) where q.id = s.place_id and u.unit_id = ${day.unitId})`
      : sql``
    return condition(sql`${among('s.projectCode', day)} and ${during('s.checkTime', day)}${unit}`)
  },
  async (ctx, where) => {
    type Step = { id: string; projectCode: string; work: string; part: string; state: string }
    const { rows } = await sql<Step>`select s.id, s.project_code, s.work, s.part, s.state from site_step s
      where ${where} and s.state <> '0' order by s.check_time ${most}`.execute(ctx.db)
    return rows.map(({ id, projectCode, work, part, state }) => ({
      refId: id,
      projectCode,
      words: `${part} ${workOf(work)?.name ?? work}`,
      ...plain,
      state: stepStates[state as keyof typeof stepStates] ?? state,
      link: `/safetyP/qualityP/details?id=${id}`,
    }))
  },
)

const materials = byCondition(
  'material',
  'b.id',
  (day) => condition(both(among('b.projectCode', day), during('b.arriveTime', day))),
  async (ctx, where) => {
    type Batch = { id: string; projectCode: string; name: string; spec: string; quantity: number; unit: string; state: string }
    const { rows } = await sql<Batch>`select b.id, b.project_code, b.name, b.spec, b.quantity::float8 as quantity, b.unit, b.state
      from material_batch b where ${where} order by b.arrive_time ${most}`.execute(ctx.db)
    return rows.map(({ id, projectCode, name, spec, quantity, unit, state }) => ({
      refId: id,
      projectCode,
      words: `${name} ${spec}`,
      amount: quantity,
      unit,
      state: materialStates[state as keyof typeof materialStates] ?? state,
      link: `/material/details?id=${id}`,
    }))
  },
)

/** Tasks of the schedule that were in work. */
const tasks = byCondition(
  'task',
  't.id',
  (day) =>
    condition(sql`${among('t.projectCode', day)} and t.actual_start <= ${day.day}::date
      and (t.actual_end is null or t.actual_end >= ${day.day}::date)${day.unitId ? sql` and t.unit_id = ${day.unitId}` : sql``}`),
  async (ctx, where) => {
    type Task = { id: string; projectCode: string; name: string; unitName: string | null; percent: number; late: number }
    const { rows } = await sql<Task>`select t.id, t.project_code, t.name, u.name as unit_name, t.percent, t.delay_days as late
      from schedule_task t left join unit_project u on u.id = t.unit_id where ${where} and t.leaf order by t.plan_start, t.id ${most}`.execute(
      ctx.db,
    )
    return rows.map(({ id, projectCode, name, unitName, percent, late }) => ({
      refId: id,
      projectCode,
      words: [unitName, name].filter(Boolean).join(' '),
      amount: percent,
      unit: '%',
      state: late > 0 ? `滞后 ${late} 天` : '正常',
      link: `/schedule/management?project=${projectCode}`,
    }))
  },
)

/** In the order in which a log shows them. */
export const sources: readonly Source[] = [gangs, machines, permits, briefings, trainings, checks, notices, alarms, steps, materials, tasks]
