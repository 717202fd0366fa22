import { dayMs } from '@zhugong/contract/kit/time'
import { addYears } from '@zhugong/contract/kit/years'
import { badSources, badTargets, proposalFor, refusedCorrection, sameFactDays } from '@zhugong/contract/misconduct/codes'
import { auditStates } from '@zhugong/contract/personnel/codes'
import type { City } from '@zhugong/simulator/city-types'
import { drawFile } from '@zhugong/simulator/pictures'
import { idOf } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { badKind, factOfNotice, type Misconduct, monthsLater } from '#domains/misconduct/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { expertCases, type MisconductPlan, misconductPlans, suggestedDrafts } from './misconduct-plan.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

interface Actor {
  id: string
  name: string
  groupId: string
  groupName: string
  corpCode: string | null
}
interface Target {
  projectCode: string | null
  corpCode: string | null
  workerId: string | null
  teamId: string | null
  expertId: string | null
  targetName: string
}
type Log = Insertable<Tables['processLog']>
const hour = 3_600_000

/** Records of misconduct of the hospital's site and of the city's experts, with history, pleas, points and two drafts of the system. */
export async function seedMisconduct(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const actors = await actorsOf(tx)
  const project = city.projects.find((p) => p.projectCode === city.personas.find((one) => one.account === 'hospital-pm')?.projectCode)
  if (!project) return
  const { projectCode, shortName } = project
  const { rows: experts } = await sql<{
    id: string
    name: string
  }>`select e.id, e.name from expert e join member m on m.group_id = e.library_group
    join app_user u on u.id = m.user_id and u.account = 'city-xu' where e.state = '2' order by e.id desc limit ${expertCases.length}`.execute(
    tx,
  )
  const drawn: Drawn[] = []
  const rows: Misconduct[] = []
  const logs: Log[] = []
  const pleas: Insertable<Tables['misconductPlea']>[] = []
  const numbers = new Map<string, number>()
  const used = new Set<string>()
  for (const [at, plan] of [...misconductPlans, ...expertCases].entries()) {
    const target = await targetOf(tx, plan, projectCode, actors, experts[at - misconductPlans.length], used)
    const [by, head] = [actors.get(plan.by), actors.get(plan.head)]
    if (!target || !by || !head) continue
    const id = idOf(city.seed, 'misconduct', String(at))
    const paper = { id: idOf(id, 'paper'), name: '现场取证.png', mime: 'image/png' as const }
    const lines = [target.targetName, plan.fact.slice(0, 24)]
    drawn.push(await keepFile(folder, projectCode, paper, drawFile({ ...paper, kind: 'licence', title: '取证记录', lines })))
    const row = rowOf({ id, plan, target, by, head, now, paper: paper.id, shortName, numbers, groups: await answering(tx, target) })
    rows.push(row)
    logs.push(...logsOf(row, plan, by, head))
    pleas.push(...pleasOf(row, plan, actors.get(plan.of ?? '') ?? by, head))
  }
  const drafts = await systemDrafts(tx, now)
  rows.push(...drafts)
  logs.push(
    ...drafts.map((row) =>
      logOf(row, { action: 'suggest', from: null, to: '0', by: undefined, at: row.createTime, opinion: '整改逾期 7 天' }),
    ),
  )
  await keepAll(tx, drawn)
  await insertAll(
    tx,
    'misconduct',
    rows.map(({ ofLeader: _leader, openPlea: _plea, appealed: _appealed, ...row }) => row),
  )
  await insertAll(tx, 'misconductPlea', pleas)
  await insertAll(tx, 'processLog', logs)
  await insertAll(
    tx,
    'processTodo',
    rows.flatMap((row) => todoRows(badKind.kind, row, badKind.todos(row), row.decideTime ?? row.proposeTime ?? row.createTime, now)),
  )
  await insertAll(
    tx,
    'documentNumber',
    [...numbers].map(([series, last]) => {
      const [owner = '', docType = '', year = ''] = series.split('/')
      return { owner, docType, year: Number(year), last }
    }),
  )
  await effects(tx, rows)
}

async function actorsOf(tx: Tx): Promise<Map<string, Actor>> {
  const { rows } = await sql<Actor & { account: string }>`select u.id, u.name, u.account, t.id as group_id, t.name as group_name,
      case when t.type = 2 then t.code end as corp_code
    from member m join app_user u on u.id = m.user_id join tenant t on t.id = m.group_id where m.is_default`.execute(tx)
  return new Map(rows.map(({ account, ...actor }) => [account, actor]))
}

async function targetOf(
  tx: Tx,
  plan: MisconductPlan,
  projectCode: string,
  actors: Map<string, Actor>,
  expert: { id: string; name: string } | undefined,
  used: Set<string>,
): Promise<Target | undefined> {
  const none = { projectCode, corpCode: null, workerId: null, teamId: null, expertId: null }
  if (plan.targetType === badTargets.expert) return expert && { ...none, projectCode: null, expertId: expert.id, targetName: expert.name }
  const corpCode = actors.get(plan.of ?? '')?.corpCode ?? ''
  const day = sql`(now() - make_interval(days => ${plan.age + sameFactDays}))`
  const from =
    plan.targetType === badTargets.company
      ? sql`select c.corp_code as id, c.corp_name as name from project_corp s join corporation c using (corp_code) where s.project_code = ${projectCode} and c.corp_code = ${corpCode}`
      : plan.targetType === badTargets.team
        ? sql`select t.id, t.team_name as name from team t where t.project_code = ${projectCode} and t.corp_code = ${corpCode} and t.exit_time is null`
        : sql`select w.id, w.name from project_worker s join worker w on w.id = s.worker_id where s.project_code = ${projectCode} and s.corp_code = ${corpCode}
            and s.exit_time is null and s.entry_time < ${day}`
  const { rows } = await sql<{ id: string; name: string }>`select * from (${from}) x order by x.id limit 20`.execute(tx)
  const found = plan.targetType === badTargets.company ? rows[0] : rows.find((one) => !used.has(one.id))
  if (!found) return undefined
  used.add(found.id)
  return {
    ...none,
    corpCode,
    workerId: plan.targetType === badTargets.worker ? found.id : null,
    teamId: plan.targetType === badTargets.team ? found.id : null,
    targetName: found.name,
  }
}

interface Answering {
  party: string | null
  site: string | null
  ofLeader: boolean
}
/** The groups that answer for a target. */
async function answering(tx: Tx, { corpCode, projectCode }: Pick<Target, 'corpCode' | 'projectCode'>): Promise<Answering> {
  const { rows } = await sql<Answering>`select (select id from tenant where type = 2 and code = ${corpCode}) as party,
    (select id from tenant where type = 3 and code = ${projectCode}) as site,
    coalesce((select contractor_corp_code = ${corpCode} from project where project_code = ${projectCode}), false) as of_leader`.execute(tx)
  return rows[0] ?? { party: null, site: null, ofLeader: false }
}

interface MisconductStory {
  id: string
  plan: MisconductPlan
  target: Target
  by: Actor
  head: Actor
  now: number
  paper: string
  shortName: string
  numbers: Map<string, number>
  groups: Answering
}

function rowOf({ id, plan, target, by, head, now, paper, shortName, numbers, groups }: MisconductStory): Misconduct {
  const today = formatDay(now)
  const at = (age: number, hours: number) => new Date(Math.min(startOfDay(addDays(today, -age)) + hours * hour, now - hour))
  const isExpert = plan.targetType === badTargets.expert
  const isSent = plan.state !== '0'
  const isJudged = !['0', '1'].includes(plan.state)
  const isDecided = isJudged && plan.state !== '3'
  const isReceived = isDecided && !plan.unreceived
  const number = (owner: string, docType: string, day: Date) => {
    const series = `${owner}/${docType}/${formatDay(day).slice(0, 4)}`
    const last = (numbers.get(series) ?? 0) + 1
    numbers.set(series, last)
    return last
  }
  const proposeTime = isSent ? at(plan.age, 10) : null
  const decideAge = Math.max(0, plan.age - 4)
  const decideTime = isJudged ? at(decideAge, 15) : null
  const receiveTime = isReceived ? at(Math.max(0, decideAge - 2), 9) : null
  const publishStart = receiveTime && formatDay(receiveTime)
  const over = ['5', '6', '7'].includes(plan.state)
  return {
    id,
    code: proposeTime
      ? `${isExpert ? '专家' : shortName}-BL-${formatDay(proposeTime).slice(0, 4)}-${String(number(target.projectCode ?? head.groupId, 'BL', proposeTime)).padStart(3, '0')}`
      : null,
    ...target,
    shownAt: isDecided && !isExpert ? decideTime : null,
    groups: [...new Set([by.groupId, ...(isSent ? [head.groupId] : [])])],
    targetType: plan.targetType,
    type: plan.type,
    level: plan.level,
    degree: plan.degree ?? (isExpert ? '3' : '4'),
    occurrenceDate: addDays(today, -plan.age - 1),
    fact: plan.fact,
    basis: proposalFor(plan.targetType, plan.type).basis || '《建设工程安全生产管理条例》第六十六条',
    score: plan.score,
    source: plan.source,
    sourceId: null,
    system: false,
    apart: false,
    files: [paper],
    proposeGroup: by.groupId,
    proposeGroupName: by.groupName,
    proposerId: isSent ? by.id : null,
    proposerName: isSent ? by.name : null,
    proposeTime,
    partyGroup: groups.party,
    siteGroup: groups.site,
    decideGroup: isSent ? head.groupId : null,
    decideGroupName: isSent ? head.groupName : null,
    deciderId: isJudged ? head.id : null,
    deciderName: isJudged ? head.name : null,
    decideTime,
    decideOpinion: isJudged ? (plan.rejected ?? '事实清楚，证据充分') : null,
    docCode:
      isDecided && decideTime
        ? `${head.groupName}不良认定〔${formatDay(decideTime).slice(0, 4)}〕第${String(number(head.groupId, 'BLRD', decideTime)).padStart(4, '0')}号`
        : null,
    appealDays: isDecided ? 15 : null,
    appealUntil: receiveTime && addDays(formatDay(receiveTime), 15),
    months: plan.months ?? null,
    receiver: receiveTime && (isExpert ? target.targetName : '当事单位'),
    receiveTime,
    serveFiles: [],
    publishStart,
    publishEnd: publishStart && monthsLater(publishStart, plan.months ?? 3),
    deducted: plan.targetType === badTargets.company && isDecided ? plan.score : null,
    returnedAt: over ? at(Math.max(0, Math.floor(plan.age / 3)), 16) : null,
    workerBadId: target.workerId && isDecided ? idOf(id, 'bad') : null,
    state: plan.state,
    version: 0,
    createBy: by.id,
    createTime: at(plan.age + 1, 16),
    updateBy: by.id,
    updateTime: decideTime ?? proposeTime ?? at(plan.age + 1, 16),
    ofLeader: groups.ofLeader,
    openPlea: plan.appeal && plan.state === '4' ? 'appeal' : null,
    appealed: plan.appeal && plan.state !== '4' ? 1 : 0,
  }
}

interface Step {
  action: string
  from: string | null
  to: string
  by: Pick<Actor, 'id' | 'name' | 'groupName'> | undefined
  at: Date
  opinion: string | null
}
const logOf = (row: Misconduct, { action, from, to, by, at, opinion }: Step): Log => ({
  id: idOf(row.id, 'log', action, String(at.getTime())),
  kind: badKind.kind,
  objectId: row.id,
  projectCode: row.projectCode as string,
  corpCode: row.corpCode,
  shownAt: row.shownAt,
  groups: row.groups,
  action,
  fromState: from,
  toState: to,
  byId: by?.id ?? '',
  byName: by?.name ?? '系统',
  groupName: by?.groupName ?? '',
  opinion,
  at,
})

const later = (at: Date, days: number) => new Date(at.getTime() + days * dayMs)
const partyWords = { id: '', name: '经办人', groupName: '当事单位' }

function logsOf(row: Misconduct, plan: MisconductPlan, by: Actor, head: Actor): Log[] {
  const steps: Step[] = [{ action: 'create', from: null, to: '0', by, at: row.createTime, opinion: null }]
  if (row.proposeTime) steps.push({ action: 'submit', from: '0', to: '1', by, at: row.proposeTime, opinion: null })
  if (row.decideTime)
    steps.push({
      action: plan.rejected ? 'reject' : 'decide',
      from: '1',
      to: plan.rejected ? '3' : '2',
      by: head,
      at: row.decideTime,
      opinion: plan.rejected ?? `扣 ${row.score} 分，公示 ${row.months ?? ''} 个月，出具${row.docCode ?? ''}`,
    })
  if (row.receiveTime) steps.push({ action: 'receive', from: '2', to: '2', by: partyWords, at: row.receiveTime, opinion: null })
  const received = row.receiveTime
  if (plan.appeal && received) {
    steps.push({ action: 'appeal', from: '2', to: '4', by: partyWords, at: later(received, 3), opinion: plan.appeal.reason })
    const judged = later(received, 9)
    const judge = { id: '', name: '方启年', groupName: '市住建局' }
    if (plan.appeal.upheld) steps.push({ action: 'uphold', from: '4', to: '2', by: judge, at: judged, opinion: plan.appeal.upheld })
    if (plan.appeal.cancelled) steps.push({ action: 'cancel', from: '4', to: '7', by: head, at: judged, opinion: plan.appeal.cancelled })
  }
  if (plan.repair && row.returnedAt) {
    steps.push({ action: 'applyRepair', from: '2', to: '2', by: partyWords, at: later(row.returnedAt, -5), opinion: plan.repair })
    steps.push({ action: 'repair', from: '2', to: '5', by: head, at: row.returnedAt, opinion: '整改到位，准予修复' })
  }
  if (plan.state === '6' && row.returnedAt)
    steps.push({
      action: 'expire',
      from: '2',
      to: '6',
      by: undefined,
      at: row.returnedAt,
      opinion: `公示至 ${row.publishEnd ?? ''}，扣分退回`,
    })
  return steps.map((step) => logOf(row, step))
}

function pleasOf(row: Misconduct, plan: MisconductPlan, party: Actor, head: Actor): Insertable<Tables['misconductPlea']>[] {
  const { projectCode, corpCode, shownAt, groups, receiveTime } = row
  const made = {
    misconductId: row.id,
    projectCode,
    corpCode,
    shownAt,
    groups,
    byId: party.id,
    byName: party.name,
    groupName: party.groupName,
  }
  const decidedName = `${head.groupName} ${head.name}`
  if (plan.appeal && receiveTime) {
    const opinion = plan.appeal.cancelled ?? plan.appeal.upheld ?? null
    const judged = opinion === null ? null : later(receiveTime, 9)
    return [
      {
        ...made,
        id: idOf(row.id, 'appeal'),
        kind: 'appeal',
        reason: plan.appeal.reason,
        files: row.files,
        at: later(receiveTime, 3),
        granted: opinion === null ? null : plan.appeal.cancelled !== undefined,
        opinion,
        decidedName: judged && decidedName,
        decidedAt: judged,
      },
    ]
  }
  if (plan.repair && row.returnedAt)
    return [
      {
        ...made,
        id: idOf(row.id, 'repair'),
        kind: 'repair',
        reason: plan.repair,
        files: row.files,
        at: later(row.returnedAt, -5),
        granted: true,
        opinion: '整改到位，准予修复',
        decidedName,
        decidedAt: row.returnedAt,
      },
    ]
  return []
}

/** What the ladder of overdue notices would have drafted. */
async function systemDrafts(tx: Tx, now: number): Promise<Misconduct[]> {
  type Late = {
    id: string
    code: string | null
    projectCode: string
    corpCode: string
    corpName: string
    deadline: string
    issuerGroup: string
    issuerGroupName: string
    problems: string | null
  }
  const { rows } =
    await sql<Late>`select r.id, r.code, r.project_code, r.corp_code, c.corp_name, r.deadline::text as deadline, r.issuer_group, r.issuer_group_name,
      (select string_agg(l.description, '；' order by l.seq) from rectify_line l where l.rectify_id = r.id and l.state <> 'passed') as problems
    from rectify r join corporation c on c.corp_code = r.corp_code where r.origin = 'gov' and r.state in ('1', '2', '3', '6')
      and r.deadline < ${formatDay(now)}::date - 1 order by r.deadline, r.id limit ${suggestedDrafts}`.execute(tx)
  const { level, score, basis } = proposalFor(badTargets.company, refusedCorrection)
  const made: Misconduct[] = []
  for (const late of rows) {
    const groups = await answering(tx, late)
    const overdue = Math.round((Date.parse(formatDay(now)) - Date.parse(late.deadline)) / dayMs)
    const since = new Date(Math.min(now - hour, startOfDay(addDays(late.deadline, 7)) + hour))
    made.push({
      ...blank,
      id: idOf(late.id, 'misconduct'),
      projectCode: late.projectCode,
      corpCode: late.corpCode,
      groups: [late.issuerGroup],
      targetType: badTargets.company,
      targetName: late.corpName,
      type: refusedCorrection,
      level,
      degree: '4',
      occurrenceDate: late.deadline,
      fact: factOfNotice(late.code, late.deadline, overdue, late.problems),
      basis,
      score,
      source: badSources.rectify,
      sourceId: late.id,
      system: true,
      proposeGroup: late.issuerGroup,
      proposeGroupName: late.issuerGroupName,
      partyGroup: groups.party,
      siteGroup: groups.site,
      createTime: since,
      updateTime: since,
      ofLeader: groups.ofLeader,
    })
  }
  return made
}

/** A draft in which nothing has happened. */
const blank = {
  code: null,
  shownAt: null,
  workerId: null,
  teamId: null,
  expertId: null,
  apart: false,
  files: [] as string[],
  proposerId: null,
  proposerName: null,
  proposeTime: null,
  decideGroup: null,
  decideGroupName: null,
  deciderId: null,
  deciderName: null,
  decideTime: null,
  decideOpinion: null,
  docCode: null,
  appealDays: null,
  appealUntil: null,
  months: null,
  receiver: null,
  receiveTime: null,
  serveFiles: [] as string[],
  publishStart: null,
  publishEnd: null,
  deducted: null,
  returnedAt: null,
  workerBadId: null,
  state: '0',
  version: 0,
  createBy: 'system',
  updateBy: null,
  openPlea: null,
  appealed: 0,
} as const

/** What the decisions in force did: points of companies, records of people, cases of experts. */
async function effects(tx: Tx, rows: readonly Misconduct[]): Promise<void> {
  const inForce = rows.filter((row) => row.state === '2' || row.state === '4')
  for (const { corpCode, deducted, decideTime } of inForce)
    if (deducted)
      await sql`update corporation set credit_score = greatest(0, credit_score - ${deducted}::numeric), update_time = ${decideTime} where corp_code = ${corpCode}`.execute(
        tx,
      )
  const people = inForce.filter((row) => row.workerBadId !== null)
  await insertAll(
    tx,
    'workerBad',
    people.map((row) => ({
      id: row.workerBadId ?? '',
      type: '1',
      workerId: row.workerId,
      projectCode: row.projectCode ?? '',
      corpCode: row.corpCode ?? '',
      teamId: null,
      badRecordType: row.type,
      badRecordLevel: row.level,
      actionDegree: row.degree,
      occurrenceDate: row.occurrenceDate ?? '',
      reason: row.fact,
      processResult: '不良行为认定',
      score: row.score,
      files: JSON.stringify(row.files),
      auditStatus: auditStates.passed,
      validUntil: addYears(formatDay(row.decideTime ?? new Date()), 1),
      auditedBy: row.deciderId,
      auditedName: row.decideGroupName,
      misconductId: row.id,
      createBy: row.createBy,
      createTime: row.createTime,
    })),
  )
  await insertAll(
    tx,
    'expertFault',
    rows
      .filter((row) => row.expertId !== null && row.state !== '0')
      .map((row) => ({
        id: row.id,
        libraryGroup: row.decideGroup ?? '',
        expertId: row.expertId ?? '',
        year: Number((row.occurrenceDate ?? '').slice(0, 4)),
        points: row.decideTime ? row.score : 0,
        since: row.proposeTime ?? row.createTime,
        until: row.returnedAt,
      })),
  )
}
