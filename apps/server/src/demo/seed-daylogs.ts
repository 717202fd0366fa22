import type { FactKind } from '@zhugong/contract/daylogs/fields'
import { isLate, windForce } from '@zhugong/contract/daylogs/rules'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, stream } from '@zhugong/simulator/random'
import { dayEvents, isStopDay } from '@zhugong/simulator/shifts'
import { weatherAt } from '@zhugong/simulator/weather'
import { type Insertable, sql } from 'kysely'
import { factsOf, todosOf } from '#domains/daylogs/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { type Actor, actorsOf } from './actors.ts'
import { careless, logDays, problemWords, qualityWords, safetyWords, silentFor, story, tomorrowWords, works } from './daylog-plan.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

type Log = Insertable<Tables['dayLog']> & { id: string; day: string; kind: 'safetyPLog' | 'construction' | 'log' }
type Of<T extends keyof Tables> = Insertable<Tables[T]>
/** Rows beside the logs, collected before they are inserted. */
interface Beside {
  dayLogFact: Of<'dayLogFact'>[]
  dayLogProblem: Of<'dayLogProblem'>[]
  dayLogTask: Of<'dayLogTask'>[]
  dayLogPour: Of<'dayLogPour'>[]
  dayLogBlock: Of<'dayLogBlock'>[]
  dayLogComment: Of<'dayLogComment'>[]
  dayLogChange: Of<'dayLogChange'>[]
  processLog: Of<'processLog'>[]
  processTodo: Of<'processTodo'>[]
}
const empty = (): Beside => ({
  dayLogFact: [],
  dayLogProblem: [],
  dayLogTask: [],
  dayLogPour: [],
  dayLogBlock: [],
  dayLogComment: [],
  dayLogChange: [],
  processLog: [],
  processTodo: [],
})

const hour = 3_600_000
/** Days for which a site's attendance is known, and for which its records are referred to. */
const [knownDays, factDays] = [12, 5]
const mostTasks = 4
/** A log that is written three days late lies in the past. */
const lateFrom = 5

interface SeedContext {
  tx: Tx
  city: City
  now: number
  today: string
  people: Awaited<ReturnType<typeof actorsOf>>
  beside: Beside
  logs: Log[]
}

/** A month of logs of every site, two of them careless; construction logs of two buildings; logs of three supervising institutions. */
export async function seedDayLogs(tx: Tx, city: City, now: number): Promise<void> {
  const seedContext: SeedContext = { tx, city, now, today: formatDay(now), people: await actorsOf(tx), beside: empty(), logs: [] }
  const main = city.personas.find((one) => one.account === 'hospital-pm')?.projectCode
  for (const [i, project] of city.projects.entries()) await safetyLogs(seedContext, project, i, project.projectCode === main)
  if (main) await constructionLogs(seedContext, main)
  for (const account of ['hospital-jl', 'bj-zhao', 'yunze-lu']) await ownLogs(seedContext, account)
  await insertAll(tx, 'dayLog', seedContext.logs)
  for (const table of Object.keys(seedContext.beside) as (keyof Beside)[]) await insertAll(tx, table, seedContext.beside[table] as never)
}

/** The day's weather as a writer would say it. */
function weatherOf(city: City, day: string, rains: boolean) {
  const hours = [6, 9, 12, 15, 18].map((at) => weatherAt(city.seed, startOfDay(day) + at * hour))
  const degrees = hours.map((one) => Math.round(one.temperature * 10) / 10)
  const rain = Math.max(...hours.map((one) => one.rain))
  const damp = hours.reduce((sum, one) => sum + one.humidity, 0) / hours.length
  const weather = rains ? '5' : rain > 2.5 ? '5' : rain > 0 ? '4' : damp > 78 ? '3' : damp > 62 ? '2' : '1'
  return {
    weather,
    tempHigh: Math.max(...degrees),
    tempLow: Math.min(...degrees),
    wind: windForce(Math.max(...hours.map((one) => one.windSpeed)) * 1.4),
  }
}

/** Who came, by the passages that the gates will tell; for older days a share of the people. */
function headsOf(city: City, projectCode: string, day: string, known: boolean) {
  const stays = city.projectWorkers.filter(
    (one) =>
      one.projectCode === projectCode && one.entryTime.slice(0, 10) <= day && (one.exitTime === null || one.exitTime.slice(0, 10) >= day),
  )
  if (!known) return { count: Math.round(stays.length * 0.86), teams: [] }
  const came = new Set(dayEvents(city, projectCode, day).map((one) => one.workerId))
  const byTeam = Map.groupBy(
    stays.filter((one) => came.has(one.workerId) && one.teamSysNo !== null),
    (one) => one.teamSysNo,
  )
  return { count: came.size, teams: [...byTeam].map(([no, some]) => ({ no, people: some.length })) }
}

const turn = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

async function safetyLogs(told: SeedContext, project: City['projects'][number], index: number, main: boolean): Promise<void> {
  const { tx, city, today, people, beside, logs } = told
  const { projectCode } = project
  const group = people.groups.get(`3/${projectCode}`)
  const persona = city.personas.find((one) => one.projectCode === projectCode && /-(safety|pm)$/.test(one.account))
  const author = people.of(main ? 'hospital-safety' : (persona?.account ?? ''))
  const begins = await sql<{
    day: string
  }>`select coalesce(actual_start_date, start_date) as day from project where project_code = ${projectCode}`.execute(tx)
  const names = await sql<{ name: string }>`select worker_name as name from project_worker
    where project_code = ${projectCode} and exit_time is null and post is not null order by id limit 1`.execute(tx)
  const teams = await sql<{
    no: string
    id: string
    name: string
  }>`select team_sys_no::text as no, id, team_name as name from team where project_code = ${projectCode}`.execute(tx)
  const by: Actor | undefined = author ?? (group && { id: 'demo', name: names.rows[0]?.name ?? '安全员', ...group })
  if (!by) return
  for (let ago = logDays; ago >= 1; ago--) {
    const day = addDays(today, -ago)
    if (day < (begins.rows[0]?.day ?? day) || isStopDay(city, projectCode, day)) continue
    const random = stream(city.seed, 'dayLog', projectCode, day)
    const lazy = careless.indexOf(index as 2 | 5)
    if (lazy >= 0 && (random.chance(0.4) || (lazy === 1 && ago <= silentFor))) continue
    if (!main && random.chance(0.03)) continue
    const id = idOf(city.seed, 'safetyLog', projectCode, day)
    const late = (main && story.late.some((one) => one === ago)) || (!main && ago > lateFrom && random.chance(0.04))
    const at = new Date(startOfDay(day) + (late ? 3 * 24 + 10 : 17.6) * hour + random.int(0, 50) * 60_000)
    const rains = story.rain.some((one) => one === ago)
    const sky = weatherOf(city, day, rains)
    const heads = headsOf(city, projectCode, day, main || ago <= knownDays)
    const disclosed = { projectCode, corpCode: null, shownAt: at, groups: [by.groupId] }
    const archived = day.slice(0, 7) < today.slice(0, 7) && ago > 10
    const troubled = random.chance(main ? 0.5 : 0.3) || ago === story.commented
    const log: Log = {
      id,
      kind: 'safetyPLog',
      ...disclosed,
      authorGroup: by.groupId,
      authorGroupName: by.groupName,
      unitId: null,
      day,
      ...sky,
      workerCount: main && ago === 12 ? Math.round(heads.count * 1.35) : heads.count,
      attendCount: heads.count,
      parts: turn(works, ago + index),
      machines: random.chance(0.5) ? '汽车泵 1 台、挖掘机 1 台' : null,
      safetyState: `${rains ? '雨天停止室外高处与吊装作业，' : ''}${turn(safetyWords, ago + index)}`,
      qualityState: null,
      tomorrow: turn(tomorrowWords, ago),
      idleCount: null,
      late,
      lateReason: late ? '当日安全员陪同上级检查，次日外出培训' : null,
      recorder: by.name,
      submittedAt: at,
      state: archived ? '2' : '1',
      version: 1,
      createBy: by.id,
      createTime: at,
      updateBy: by.id,
      updateTime: at,
    }
    logs.push(log)
    const facts: FactRow[] = heads.teams
      .sort((a, b) => b.people - a.people)
      .flatMap(({ no, people: n }) => {
        const team = teams.rows.find((one) => one.no === String(no))
        return team ? [gangFact(team.id, team.name, n)] : []
      })
    if (main || ago <= factDays) facts.push(...(await recorded(tx, projectCode, day, null)))
    pushFacts(beside, log, facts)
    if (troubled)
      beside.dayLogProblem.push({
        id: idOf(id, 'problem', '1'),
        logId: id,
        ...disclosed,
        seq: 1,
        description: turn(problemWords, ago + index),
        rectifyId: null,
      })
    pushSteps(beside, log, by, archived)
    if (main) await tellStory(told, log, by, ago)
  }
}

interface FactRow {
  kind: FactKind
  refId: string
  words: string
  amount: number | null
  unit: string | null
  state: string | null
  link: string | null
}
const gangFact = (refId: string, words: string, amount: number): FactRow => ({
  kind: 'gang',
  refId,
  words,
  amount,
  unit: '人',
  state: null,
  link: `/teamSystem/info/basic?id=${refId}`,
})
/** What the day recorded, but for the people, whom the gates tell later. */
async function recorded(tx: Tx, projectCode: string, day: string, unitId: string | null): Promise<FactRow[]> {
  const facts = await factsOf({ db: tx }, { day, projects: [projectCode], unitId: unitId ?? undefined })
  return facts.flatMap(({ kind, refId, text, amount, unit, state, link }) =>
    kind === 'gang' ? [] : [{ kind: kind as FactKind, refId, words: text, amount, unit, state, link }],
  )
}

function pushFacts(beside: Beside, log: Log, facts: readonly FactRow[]): void {
  const { id: logId, projectCode, corpCode, shownAt, groups } = log
  beside.dayLogFact.push(
    ...facts.map((one, i) => ({
      id: idOf(logId, 'fact', String(i)),
      logId,
      projectCode,
      corpCode,
      shownAt,
      groups,
      seq: i + 1,
      siteCode: projectCode,
      ...one,
    })),
  )
}

function step(log: Log, action: string, from: string, to: string, by: Actor, at: number, opinion: string | null): Of<'processLog'> {
  const { id, kind, projectCode, corpCode, shownAt, groups } = log
  return {
    id: idOf(id, 'step', action, String(at)),
    kind,
    objectId: id,
    projectCode,
    corpCode,
    shownAt,
    groups,
    action,
    fromState: from,
    toState: to,
    byId: by.id,
    byName: by.name,
    groupName: by.groupName,
    opinion,
    at: new Date(at),
  }
}

function pushSteps(beside: Beside, log: Log, by: Actor, archived: boolean): void {
  const at = (log.submittedAt as Date).getTime()
  beside.processLog.push(step(log, 'submit', '0', '1', by, at, log.late ? `补记：${log.lateReason}` : null))
  if (archived) beside.processLog.push(step(log, 'archive', '1', '2', by, at + 6 * 24 * hour, null))
}

/** Comments, an order from a problem, and a log that was sent back, on single days of the main site. */
async function tellStory({ tx, now, people, beside }: SeedContext, log: Log, by: Actor, ago: number): Promise<void> {
  const supervisor = people.of('hospital-jl') ?? by
  const authority = people.of('bj-zhao') ?? by
  const { id: logId, projectCode, corpCode, shownAt, groups } = log
  const of = { logId, projectCode, corpCode, shownAt, groups }
  const at = (log.submittedAt as Date).getTime()
  const comment = (who: Actor, after: number, content: string, answer: string | null) => {
    const when = Math.min(at + after * hour, now - 60_000)
    beside.dayLogComment.push({
      id: idOf(logId, 'comment', content),
      ...of,
      content,
      byId: who.id,
      byName: who.name,
      groupName: who.groupName,
      at: new Date(when),
      answer,
      answerBy: answer && by.name,
      answerAt: answer ? new Date(Math.min(when + 2 * hour, now - 30_000)) : null,
    })
    beside.processLog.push(step(log, 'comment', '1', '1', who, when, content))
    if (answer) beside.processLog.push(step(log, 'answer', '1', '1', by, Math.min(when + 2 * hour, now - 30_000), answer))
  }
  let openComments = 0
  if (ago === story.commented) {
    comment(supervisor, 14, '五层电梯井口防护请附整改后照片，并复查其余楼层。', '已逐层复查，照片已补传，其余楼层完好。')
    comment(authority, 16, '请说明大风预警期间塔机停用的执行情况。', null)
    openComments = 1
    const { rows } = await sql<{
      id: string
    }>`select id from rectify where project_code = ${projectCode ?? null} and origin = 'site' and shown_at is not null
      and shown_at <= ${new Date(at)} order by issue_time desc, id limit 1`.execute(tx)
    const problem = beside.dayLogProblem.find((one) => one.logId === logId)
    if (problem) problem.rectifyId = rows[0]?.id ?? null
  }
  if (ago === story.unanswered) {
    comment(authority, 15, '现场人数与考勤基本一致；请补充地下室临时用电检查情况。', null)
    openComments = 1
  }
  if (ago === story.returned) {
    const back = at + 15 * hour
    const again = at + 18 * hour
    beside.processLog.push(step(log, 'return', '1', '3', supervisor, back, '安全生产情况过于笼统，请写明检查部位'))
    beside.processLog.push(step(log, 'submit', '3', '1', by, again, '更改 1 处'))
    beside.dayLogChange.push({
      id: idOf(logId, 'change'),
      ...of,
      field: '安全生产情况',
      before: '安全情况正常。',
      after: log.safetyState ?? '',
      reason: null,
      byName: by.name,
      at: new Date(again),
    })
  }
  if (openComments > 0)
    beside.processTodo.push(
      ...todoRows(
        log.kind,
        { id: logId, projectCode: projectCode ?? null, corpCode: corpCode ?? null, shownAt: shownAt as Date, groups: groups as string[] },
        todosOf({ id: logId, kind: log.kind, state: '1', day: log.day, authorGroup: log.authorGroup, openComments }),
        new Date(at),
        now,
      ),
    )
}

/** Thirty days of two buildings: three of rain with 窝工, and one with the pour of 120 m³. */
async function constructionLogs(told: SeedContext, projectCode: string): Promise<void> {
  const { tx, city, today, people, beside, logs } = told
  const by = people.of('hospital-pm')
  const second = people.of('hospital-safety')
  if (!by || !second) return
  type Unit = { id: string; name: string }
  const { rows: units } = await sql<Unit>`select u.id, u.name from unit_project u where u.project_code = ${projectCode} and u.floors_up > 0
    order by exists (select from schedule_task t where t.unit_id = u.id) desc, u.seq, u.id limit 2`.execute(tx)
  for (const [at, unit] of units.entries()) {
    type Task = { id: string; name: string; percent: number; begun: string }
    const { rows: tasks } = await sql<Task>`select t.id, t.name, t.percent, t.actual_start as begun from schedule_task t
      where t.unit_id = ${unit.id} and t.leaf and t.actual_start is not null order by t.actual_start desc, t.id limit ${mostTasks}`.execute(
      tx,
    )
    for (let ago = 30; ago >= 1; ago--) {
      const day = addDays(today, -ago)
      if (isStopDay(city, projectCode, day)) continue
      const id = idOf(city.seed, 'constructionLog', unit.id, day)
      const submitted = new Date(startOfDay(day) + 18 * hour + at * 600_000)
      const disclosed = { projectCode, corpCode: null, shownAt: submitted, groups: [by.groupId] }
      const rains = story.rain.some((one) => one === ago)
      const heads = headsOf(city, projectCode, day, true)
      const here = Math.round(heads.count * (at === 0 ? 0.45 : 0.35))
      const archived = day.slice(0, 7) < today.slice(0, 7) && ago > 10
      const log: Log = {
        id,
        kind: 'construction',
        ...disclosed,
        authorGroup: by.groupId,
        authorGroupName: by.groupName,
        unitId: unit.id,
        day,
        ...weatherOf(city, day, rains),
        workerCount: here,
        attendCount: heads.count,
        parts: `${unit.name}：${turn(works, ago + at)}`,
        machines: ago === story.pour && at === 0 ? '汽车泵 1 台，搅拌车 12 车次' : null,
        safetyState: null,
        qualityState: turn(qualityWords, ago + at),
        tomorrow: turn(tomorrowWords, ago + at),
        impact: rains ? 'weather' : 'none',
        idleCount: rains ? Math.round(here * 0.4) : null,
        recorder: by.name,
        submittedAt: submitted,
        state: archived ? '2' : '1',
        version: 1,
        createBy: by.id,
        createTime: submitted,
        updateBy: by.id,
        updateTime: submitted,
      }
      logs.push(log)
      pushSteps(beside, log, by, archived)
      if (ago <= factDays) pushFacts(beside, log, await recorded(tx, projectCode, day, unit.id))
      const open = tasks.filter((one) => one.begun <= day)
      beside.dayLogTask.push(
        ...open.map((one, i) => ({
          id: idOf(id, 'task', one.id),
          logId: id,
          ...disclosed,
          seq: i + 1,
          taskId: one.id,
          name: one.name,
          before: Math.max(0, Math.round(one.percent - ago)),
          percent: Math.max(0, Math.round(one.percent - ago + (rains ? 0 : 1))),
          reason: null,
        })),
      )
      const block = (seq: number, who: Actor, part: string, gang: string, content: string) =>
        beside.dayLogBlock.push({
          id: idOf(id, 'block', String(seq)),
          logId: id,
          ...disclosed,
          seq,
          part,
          gang,
          content,
          byId: who.id,
          byName: who.name,
          at: submitted,
        })
      block(
        1,
        by,
        '①～④轴',
        '钢筋一班',
        rains ? '雨天停工待命，清理积水、覆盖材料' : `${turn(works, ago)}，完成约 ${40 + ((ago * 7) % 50)}%`,
      )
      if (ago % 2 === 0) block(2, second, '⑤～⑧轴', '木工一班', rains ? '室内支模，外架停止作业' : '模板支设与加固，自检合格')
      if (ago === story.pour && at === 0)
        beside.dayLogPour.push({
          id: idOf(id, 'pour'),
          logId: id,
          ...disclosed,
          seq: 1,
          part: '8 层①～⑧轴梁板',
          grade: 'C30',
          volume: 120,
          fromTime: '08:30',
          untilTime: '16:20',
          byName: by.name,
        })
    }
  }
}

/** Logs of somebody of a supervising institution about sites of his. */
async function ownLogs(told: SeedContext, account: string): Promise<void> {
  const { tx, city, today, people, beside, logs } = told
  const by = people.of(account)
  if (!by) return
  const { rows: sites } = await sql<{
    projectCode: string
    name: string
  }>`select p.project_code, p.name from project p join tenant t on t.id = ${by.groupId}
    where p.prj_status = '003' and (p.supervise_org = t.code or exists (select from project_corp c where c.project_code = p.project_code and c.corp_code = t.code and c.exit_time is null))
    order by p.project_code limit 3`.execute(tx)
  if (sites.length === 0) return
  for (const ago of [1, 2, 4, 7, 9, 11, 14]) {
    const day = addDays(today, -ago)
    const id = idOf(city.seed, 'ownLog', account, day)
    const at = new Date(startOfDay(day) + 18.5 * hour)
    const disclosed = { projectCode: null, corpCode: null, shownAt: at, groups: [by.groupId] }
    const visited = sites.slice(0, 1 + (ago % sites.length))
    const log: Log = {
      id,
      kind: 'log',
      ...disclosed,
      authorGroup: by.groupId,
      authorGroupName: by.groupName,
      unitId: null,
      day,
      ...weatherOf(
        city,
        day,
        story.rain.some((one) => one === ago),
      ),
      workerCount: null,
      attendCount: null,
      parts: visited.map((one) => `${one.name}：临边洞口、临时用电、起重机械抽查`).join('\n'),
      machines: null,
      safetyState: turn(safetyWords, ago),
      qualityState: null,
      tomorrow: '复查上周未闭合的整改，抽查夜间施工。',
      idleCount: null,
      visited: visited.map((one) => one.projectCode),
      late: isLate(day, at.getTime()),
      recorder: by.name,
      submittedAt: at,
      state: '1',
      version: 1,
      createBy: by.id,
      createTime: at,
      updateBy: by.id,
      updateTime: at,
    }
    logs.push(log)
    beside.processLog.push(step(log, 'submit', '0', '1', by, at.getTime(), null))
    if (ago % 2 === 0)
      beside.dayLogProblem.push({
        id: idOf(id, 'problem'),
        logId: id,
        ...disclosed,
        seq: 1,
        description: turn(problemWords, ago),
        rectifyId: null,
      })
    const facts = await factsOf({ db: tx }, { day, projects: log.visited as string[] })
    beside.dayLogFact.push(
      ...facts
        .filter((one) => one.kind === 'alarm' || one.kind === 'rectify' || one.kind === 'check')
        .slice(0, 6)
        .map(({ kind, refId, projectCode, text, amount, unit, state, link }, i) => ({
          id: idOf(id, 'fact', String(i)),
          logId: id,
          ...disclosed,
          seq: i + 1,
          kind: kind as FactKind,
          refId,
          siteCode: projectCode,
          words: text,
          amount,
          unit,
          state,
          link,
        })),
    )
  }
}
