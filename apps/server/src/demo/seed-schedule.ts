import { baseStates } from '@zhugong/contract/schedule/moves'
import { dayNumber, shiftDay } from '@zhugong/contract/schedule/plan'
import { phaseOfName } from '@zhugong/contract/schedule/report'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { scheduleType, settle, todosOf } from '#domains/schedule/public'
import { formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { type Actor, actorsOf } from './actors.ts'
import { progressShot } from './media/site-shots.ts'
import { type SchedulePlan, schedulePlans, type TaskPlan, towerPlan } from './schedule-plan.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

type Task = Insertable<Tables['scheduleTask']> & { id: string; planStart: string; planEnd: string }
type Report = Insertable<Tables['scheduleReport']>
type Unit = City['unitProjects'][number]

const hour = 3_600_000
/** Units of a site that are planned; weeks with photographs. */
const [mostUnits, shownWeeks] = [3, 10]
const whole = 100
const rebaseReason = '设计变更，二层以上层高调整，总工期顺延'

interface Site {
  scheduleId: string
  projectCode: string
  corpCode: string
  author: Actor
  supervisor: Actor
  plan: SchedulePlan
}

/** Plans of three sites with what was reported: one tower late at the masonry, one site severely, one changed baseline that waits for 监理. */
export async function seedSchedule(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const people = await actorsOf(tx)
  for (const [key, plan] of Object.entries(schedulePlans)) {
    const persona = city.personas.find((one) => one.account === `${key}-pm`)
    const project = city.projects.find((one) => one.projectCode === persona?.projectCode)
    const author = people.of(`${key}-pm`)
    const supervisor = people.of(`${key}-jl`) ?? people.of('hospital-jl')
    if (!project || !author || !supervisor) continue
    const { projectCode, contractorCorpCode: corpCode } = project
    const units = city.unitProjects.filter((one) => one.projectCode === projectCode && (one.floorsUp ?? 0) > 0).slice(0, mostUnits)
    if (units.length === 0) continue
    const site = { scheduleId: idOf(city.seed, 'schedule', projectCode), projectCode, corpCode, author, supervisor, plan }
    await seedSite(tx, site, units, now, folder)
  }
}

async function seedSite(tx: Tx, site: Site, units: readonly Unit[], now: number, folder: string): Promise<void> {
  const today = formatDay(now)
  const made = units.map((unit, i) => ({
    unit,
    tasks: towerPlan(i + 1, unit.name, unit.floorsUp ?? 1, today, i === 1 || units.length === 1 ? site.plan.lateDays : 0, i * 3),
  }))
  const first = made.flatMap(({ tasks }) => tasks.map((one) => one.planStart)).sort()[0] ?? today
  const shownAt = new Date(startOfDay(shiftDay(first, -12)) + 9 * hour)
  const disclosed = { projectCode: site.projectCode, corpCode: site.corpCode, shownAt, groups: [site.author.groupId] }
  const rebasedAt = new Date(startOfDay(shiftDay(today, -40)) + 15 * hour)
  const { rebased, state } = site.plan
  const waits = state === baseStates.submitted
  const baseNo = rebased && !waits ? 2 : 1
  const approvedAt = new Date(startOfDay(shiftDay(first, -8)) + 16 * hour)
  await insertAll(tx, 'schedule', [
    {
      id: site.scheduleId,
      ...disclosed,
      baseNo,
      baseReason: waits ? rebaseReason : null,
      approvedAt: rebased && !waits ? rebasedAt : approvedAt,
      planStart: null,
      planEnd: null,
      reportTime: null,
      state,
      version: 2,
      createBy: site.author.id,
      createTime: shownAt,
      updateBy: site.author.id,
    },
  ])
  const tasks: Task[] = []
  const reports: Report[] = []
  const drawn: Drawn[] = []
  for (const [i, { unit, tasks: planned }] of made.entries()) {
    const share = i === made.length - 1 ? whole - Math.floor(whole / made.length) * (made.length - 1) : Math.floor(whole / made.length)
    const rows = planned.map((one) => taskRow(site, disclosed, unit, one, one.wbs.includes('.') ? one.weight : share))
    for (const [n, row] of rows.entries()) {
      const plan = planned[n]
      const leaf = plan && !rows.some((other) => other.wbs.startsWith(`${row.wbs}.`))
      if (!plan || !leaf) continue
      reports.push(...progress(site, row, plan, today, now))
    }
    tasks.push(...rows)
    drawn.push(...(await photograph(folder, site, rows, reports, unit, now)))
  }
  await keepAll(tx, drawn)
  await insertAll(tx, 'scheduleTask', tasks)
  await insertAll(tx, 'scheduleReport', reports)
  await seedBases(tx, site, tasks, disclosed, { approvedAt, rebasedAt })
  await finish(tx, site, now)
}

function taskRow(site: Site, disclosed: object, unit: Unit, plan: TaskPlan, weight: number): Task {
  const { wbs, name, planStart, planEnd, milestone = false, critical = false } = plan
  const parent = wbs.includes('.') ? wbs.slice(0, wbs.lastIndexOf('.')) : null
  const id = idOf(site.scheduleId, unit.id, wbs)
  return {
    id,
    scheduleId: site.scheduleId,
    projectCode: site.projectCode,
    corpCode: site.corpCode,
    shownAt: null,
    groups: [],
    ...disclosed,
    unitId: unit.id,
    parentId: parent === null ? null : idOf(site.scheduleId, unit.id, parent),
    wbs,
    name,
    phase: phaseOfName(name),
    milestone,
    critical,
    weight,
    weightSum: null,
    ...{ planStart, planEnd, baseStart: planStart, baseEnd: planEnd },
    actualStart: null,
    actualEnd: null,
    delayReason: null,
    reportTime: null,
    updateBy: site.author.id,
  }
}

/** What was reported of a leaf until today: its end, or how far it has come; the task follows. */
function progress(site: Site, task: Task, plan: TaskPlan, today: string, now: number): Report[] {
  const [start, end] = [shiftDay(plan.planStart, plan.late), shiftDay(plan.planEnd, plan.late)]
  if (start >= today) return []
  const done = end < today
  const length = dayNumber(end) - dayNumber(start) + 1
  const percent = done ? whole : Math.max(5, Math.round(((dayNumber(today) - dayNumber(start)) / length) * 20) * 5)
  const reason = plan.late > 7 ? '砌块供应不足，砌筑班组不满员，已增加一个班组' : null
  task.percent = Math.min(percent, done ? whole : 95)
  task.actualStart = start
  task.actualEnd = done ? end : null
  task.delayReason = reason
  const at = Math.min(startOfDay(done ? end : shiftDay(today, -1)) + 17 * hour, now - hour)
  task.reportTime = new Date(at)
  const { id, scheduleId, projectCode, corpCode, shownAt, groups } = task
  return [
    {
      id: idOf(id, 'report', String(at)),
      taskId: id,
      scheduleId,
      ...{ projectCode, corpCode, shownAt, groups },
      percent: task.percent,
      before: 0,
      actualStart: start,
      actualEnd: task.actualEnd,
      delayDays: plan.late,
      reason,
      byId: site.author.id,
      byName: site.author.name,
      at: new Date(at),
    },
  ]
}

/** A picture of the tower from the same place in each of the last weeks. */
async function photograph(
  folder: string,
  site: Site,
  tasks: readonly Task[],
  reports: Report[],
  unit: Unit,
  now: number,
): Promise<Drawn[]> {
  const drawn: Drawn[] = []
  const floors = unit.floorsUp ?? 1
  for (let week = shownWeeks; week >= 0; week--) {
    const from = formatDay(now - (week + 1) * 7 * 24 * hour)
    const until = formatDay(now - week * 7 * 24 * hour)
    const of = new Map(tasks.filter((one) => one.name.endsWith('主体结构') && one.name !== '主体结构').map((one) => [one.id, one]))
    const report = reports.findLast((one) => of.has(one.taskId) && formatDay(one.at) > from && formatDay(one.at) <= until)
    if (!report) continue
    const floor = Number.parseInt(of.get(report.taskId)?.name ?? '1', 10)
    const file = { id: idOf(report.id, 'photo'), name: `${unit.name}${until}.png`, mime: 'image/png' as const }
    drawn.push(await keepFile(folder, site.projectCode, file, progressShot(floor, floors)))
    report.photos = [file.id]
  }
  return drawn
}

async function seedBases(
  tx: Tx,
  site: Site,
  tasks: readonly Task[],
  disclosed: { projectCode: string; corpCode: string; shownAt: Date; groups: string[] },
  { approvedAt, rebasedAt }: { approvedAt: Date; rebasedAt: Date },
): Promise<void> {
  const { author, supervisor, plan, scheduleId } = site
  const waits = plan.state === baseStates.submitted
  const versions = plan.rebased ? [1, 2] : [1]
  const bases = versions.map((no) => ({
    id: idOf(scheduleId, 'base', String(no)),
    scheduleId,
    ...disclosed,
    no,
    reason: no === 1 ? null : rebaseReason,
    submittedBy: author.name,
    submittedAt: no === 1 ? disclosed.shownAt : new Date(rebasedAt.getTime() - 48 * hour),
    approvedBy: no === 2 && waits ? null : supervisor.name,
    approvedAt: no === 2 ? (waits ? null : rebasedAt) : approvedAt,
    opinion: no === 2 && waits ? null : '同意',
  }))
  await insertAll(tx, 'scheduleBase', bases)
  await insertAll(
    tx,
    'scheduleBaseTask',
    bases
      .filter((one) => one.approvedAt !== null)
      .flatMap(({ id: baseId, no }) =>
        tasks.map((one) => ({
          id: idOf(baseId, one.id),
          baseId,
          taskId: one.id,
          ...disclosed,
          name: one.name,
          // What lay ahead of the change was planned five days earlier.
          planStart: shiftDay(one.planStart, no < versions.length && one.planStart > formatDay(rebasedAt) ? -5 : 0),
          planEnd: shiftDay(one.planEnd, no < versions.length && one.planStart > formatDay(rebasedAt) ? -5 : 0),
          weight: one.weight,
        })),
      ),
  )
  const line = (action: string, by: Actor, at: Date, from: string | null, to: string, opinion: string | null) => ({
    id: idOf(scheduleId, 'log', action, String(at.getTime())),
    kind: scheduleType,
    objectId: scheduleId,
    ...disclosed,
    action,
    fromState: from,
    toState: to,
    byId: by.id,
    byName: by.name,
    groupName: by.groupName,
    opinion,
    at,
  })
  const { drafted, submitted, approved } = baseStates
  await insertAll(tx, 'processLog', [
    line('create', author, new Date(disclosed.shownAt.getTime() - 72 * hour), null, drafted, null),
    line('submitBaseline', author, disclosed.shownAt, drafted, submitted, null),
    line('approveBaseline', supervisor, approvedAt, submitted, approved, '同意'),
    ...(plan.rebased ? [line('rebase', author, new Date(rebasedAt.getTime() - 48 * hour), approved, submitted, rebaseReason)] : []),
    ...(plan.rebased && !waits ? [line('approveBaseline', supervisor, rebasedAt, submitted, approved, '同意')] : []),
  ])
}

/** Figures and to-dos, from the rows as they are stored. */
async function finish(tx: Tx, site: Site, now: number): Promise<void> {
  const read = () => tx.selectFrom('schedule').selectAll().where('id', '=', site.scheduleId).executeTakeFirstOrThrow()
  await settle({ db: tx, clock: { now: () => now } }, await read())
  const row = await read()
  const { rows } = await sql<{ name: string; companyGroup: string | null }>`select p.name, (select t.id from tenant t where t.type = 2
    and t.code = ${row.corpCode}) as company_group from project p where p.project_code = ${row.projectCode}`.execute(tx)
  const { name: projectName = '', companyGroup = null } = rows[0] ?? {}
  const todos = todosOf({ ...row, projectName, companyGroup })
  await insertAll(tx, 'processTodo', todoRows(scheduleType, row, todos, row.reportTime ?? row.createTime, now))
}
