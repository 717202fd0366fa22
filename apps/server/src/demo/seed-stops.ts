import { dictName } from '@zhugong/contract/settings/dictionaries'
import { resumeItems, runningStops, type StopAction, type StopState, stopStates, stopTypes } from '@zhugong/contract/stops/moves'
import type { City } from '@zhugong/simulator/city-types'
import { drawFile } from '@zhugong/simulator/pictures'
import { idOf } from '@zhugong/simulator/random'
import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import { type Application, stopKind } from '#domains/stops/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { type Actor, actorsOf } from './actors.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { insertAll, inserterOf } from './seed-trade.ts'
import { type StopPlan, stopPlans } from './stop-plan.ts'
import { todoRows } from './todo-rows.ts'

interface Step {
  action: StopAction | 'create'
  from: StopState | null
  to: StopState
  by: Actor
  at: Date
  opinion: string | null
}
type Rows = { [T in keyof Tables]?: Insertable<Tables[T]>[] }

/** The eve of the last spring festival that lies behind the day: it falls between the end of January and the middle of February. */
const festivalEves: Readonly<Record<string, string>> = {
  2024: '2024-02-08',
  2025: '2025-01-26',
  2026: '2026-02-14',
  2027: '2027-02-04',
  2028: '2028-01-24',
}
const festivalTail = 25
function lastFestival(today: string): number {
  const eves = Object.values(festivalEves).filter((eve) => addDays(eve, festivalTail) < today)
  return Math.round((Date.parse(eves.at(-1) ?? today) - Date.parse(today)) / 86_400_000)
}

/** Where authorities have their section heads, by area code. */
const heads: Readonly<Record<string, string>> = { 420202: 'bj-wu', 420203: 'yd-wang' }
/** Owners without an account are named by their project. */
const ownersOf: Readonly<Record<string, string>> = { hospital: 'weijian-xia', jiangtan: 'jiangtan-he' }
const named: Readonly<Record<string, string>> = { dongwan: '宋立群', tunnel: '谢振邦', zhigu: '梁慧', school: '贺敏' }

/** Applications to stop and resume with their history, the stops they brought about, and their sealed papers. */
export async function seedStops(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const today = formatDay(now)
  const people = await actorsOf(tx)
  const drawn: Drawn[] = []
  const numbers = new Map<string, number>()
  const all: Rows[] = []
  const plans = [...stopPlans(lastFestival(today))].sort((a, b) => b.age - a.age)
  for (const [at, plan] of plans.entries()) {
    const project = city.projects.find((p) => p.projectCode === city.personas.find((one) => one.account === `${plan.site}-pm`)?.projectCode)
    const owner = project && people.groups.get(`2/${project.buildCorpCode}`)
    if (!project || !owner) continue
    const applicant = people.of(ownersOf[plan.site] ?? '') ?? { id: 'demo', name: named[plan.site] ?? '经办人', ...owner }
    const head = people.of(heads[project.areaCode] ?? '') ?? applicant
    const supervisor = people.of(`${plan.site}-jl`) ?? applicant
    const id = idOf(city.seed, 'stopapply', String(at))
    const file = { id: idOf(id, 'paper'), name: '申请表（三方盖章）.png', mime: 'image/png' as const }
    const title = dictName('stopApplyType', plan.type) ?? ''
    if (plan.state !== stopStates.draft) {
      const lines = [project.shortName, plan.reason.slice(0, 20), '建设、施工、监理单位盖章']
      drawn.push(await keepFile(folder, project.projectCode, file, drawFile({ ...file, kind: 'licence', title: `${title}表`, lines })))
    }
    const number = (series: string) => {
      const last = (numbers.get(series) ?? 0) + 1
      numbers.set(series, last)
      return last
    }
    all.push(
      rowsOf({
        id,
        plan,
        projectCode: project.projectCode,
        corpCode: project.buildCorpCode,
        shortName: project.shortName,
        applicant,
        head,
        supervisor,
        today,
        now,
        paper: file.id,
        number,
        photo: (scene) => idOf(city.seed, 'rectifyPhoto', project.projectCode, scene, 'after'),
      }),
    )
  }
  await keepAll(tx, drawn)
  const tables = ['stopapply', 'stopapplyCheck', 'projectStop', 'processLog', 'processTodo'] as const
  const put = inserterOf(tx, all)
  for (const table of tables) await put(table)
  await insertAll(
    tx,
    'documentNumber',
    [...numbers].map(([series, last]) => {
      const [owner = '', docType = '', year = ''] = series.split('/')
      return { owner, docType, year: Number(year), last }
    }),
  )
  await stopsByNotice(tx)
}

/** Notices that ordered a full stop and are closed have stopped their project meanwhile. */
async function stopsByNotice(tx: Tx): Promise<void> {
  await sql`insert into project_stop (id, project_code, source, source_id, code, ordered_by, reason, plan_resume_date, from_day, until_day)
    select md5('stop ' || id), project_code, 'rectify', id, code, issuer_group_name, '全面停工整改通知 ' || code, deadline,
      (issue_time at time zone 'Asia/Shanghai')::date, (close_time at time zone 'Asia/Shanghai')::date
    from rectify where notice_type = '4' and state = '7'`.execute(tx)
}

interface StopStory {
  id: string
  plan: StopPlan
  projectCode: string
  corpCode: string
  shortName: string
  applicant: Actor
  head: Actor
  supervisor: Actor
  today: string
  now: number
  /** Id of the sealed form. */
  paper: string
  number: (series: string) => number
  photo: (scene: string) => string
}

const hour = 3_600_000
const scenes = ['passage', 'rail', 'box', 'tie', 'hotWork', 'base']

/** The steps that led to the state of the plan, a day or two apart. */
function stepsOf({ plan, applicant, head, supervisor, today, now }: StopStory): Step[] {
  const at = (daysAfter: number, hours: number) =>
    new Date(Math.min(startOfDay(addDays(today, daysAfter - plan.age)) + hours * hour, now - hour))
  const step = (
    action: Step['action'],
    from: StopState | null,
    to: StopState,
    by: Actor,
    when: Date,
    opinion: string | null = null,
  ): Step => ({ action, from, to, by, at: when, opinion })
  const begun = step('create', null, '0', applicant, at(0, 9))
  if (plan.state === stopStates.draft) return [begun]
  const submitted = step('submit', '0', '1', applicant, at(0, 10))
  if (plan.state === stopStates.supervisor) return [begun, submitted]
  const why = plan.rejected?.why ?? null
  if (plan.rejected?.by === 'supervisor') return [begun, submitted, step('reject', '1', '5', supervisor, at(1, 15), why)]
  const agreed = step('agree', '1', '2', supervisor, at(1, 11), '情况属实，安全保障措施到位')
  if (plan.state === stopStates.authority) return [begun, submitted, agreed]
  if (plan.rejected) return [begun, submitted, agreed, step('reject', '2', '5', head, at(2, 16), why)]
  if (plan.type === stopTypes.stop) return [begun, submitted, agreed, step('approve', '2', '4', head, at(2, 9), '同意')]
  const arranged = step('arrange', '2', '3', head, at(1, 16), '现场核查')
  if (plan.state === stopStates.siteCheck) return [begun, submitted, agreed, arranged]
  return [begun, submitted, agreed, arranged, step('pass', '3', '4', head, at(3, 15), '六项核查合格')]
}

function rowsOf(told: StopStory): Rows {
  const { id, plan, projectCode, corpCode, shortName, applicant, head, supervisor, today, now, paper, number, photo } = told
  const steps = stepsOf(told)
  const at = (action: Step['action']) => steps.find((one) => one.action === action)
  const submitted = at('submit')
  const decided = steps.find((one) => one.by === head && (one.action === 'approve' || one.action === 'pass' || one.action === 'reject'))
  const audited = steps.find((one) => one.by === supervisor && one.action !== 'create')
  const last = steps.at(-1)
  const year = (submitted?.at ?? new Date(now)).getFullYear()
  const isPassed = plan.state === stopStates.passed
  const docType = { 1: '301', 2: '302', 3: '303' }[plan.type]
  const word = { 1: '中止', 2: '恢复', 3: '终止' }[plan.type]
  const code = submitted ? `${shortName}-TFG-${year}-${String(number(`${projectCode}/TFG/${year}`)).padStart(3, '0')}` : null
  const docCode = isPassed
    ? `${head.groupName}${word}〔${year}〕第${String(number(`${head.groupId}/${docType}/${year}`)).padStart(4, '0')}号`
    : null
  const isRunning = runningStops.some((state) => state === plan.state)
  const shownAt = submitted?.at ?? null
  const disclosed = { projectCode, corpCode, shownAt, groups: [applicant.groupId] }
  const day = (days: number | undefined) => (days === undefined ? null : addDays(today, days))
  const isStop = plan.type === stopTypes.stop
  const holding = isPassed && isStop && plan.ended === undefined
  const row = {
    id,
    code,
    ...disclosed,
    type: plan.type,
    reasonType: plan.reasonType ?? null,
    reason: plan.reason,
    stopDate: day(plan.from),
    planResumeDate: day(plan.resume),
    ongoingParts: plan.parts ?? null,
    guardPersons: isStop && submitted ? `${applicant.name}、项目安全员，24 小时两班值守` : null,
    affectAttendance: true,
    completeCert: [],
    attachments: submitted ? [paper] : [],
    applyGroup: applicant.groupId,
    applicantName: applicant.name,
    submitTime: shownAt,
    authorityGroup: submitted ? head.groupId : null,
    auditName: audited?.by.name ?? null,
    auditGroup: audited?.by.groupName ?? null,
    auditTime: audited?.at ?? null,
    auditPassed: audited ? audited.action === 'agree' : null,
    auditOpinion: audited?.opinion ?? null,
    checkDate: at('arrange') ? formatDay(Math.min(startOfDay(addDays(today, 3 - plan.age)), startOfDay(today))) : null,
    officer: at('arrange') ? head.name : null,
    secondOfficer: at('arrange') ? '郑涛' : null,
    decideName: decided?.by.name ?? null,
    decideGroup: decided?.by.groupName ?? null,
    decideTime: decided?.at ?? null,
    decidePassed: decided ? decided.action !== 'reject' : null,
    decideOpinion: decided?.opinion ?? null,
    docCode,
    waitSince: isRunning ? (last?.at ?? null) : null,
    state: plan.state,
    version: steps.length,
    createBy: applicant.id,
    createTime: steps[0]?.at ?? new Date(now),
    updateBy: last?.by.id ?? applicant.id,
    updateTime: last?.at ?? new Date(now),
  }
  const items = plan.type === stopTypes.resume ? resumeItems.slice(0, plan.filled ?? resumeItems.length) : []
  return {
    stopapply: [row],
    stopapplyCheck: items.map(({ item, asks }, i) => ({
      applyId: id,
      item,
      ...disclosed,
      passed: true,
      note: `${asks}，已完成`,
      photos: [photo(scenes[i] ?? 'passage')],
      sitePassed: isPassed
        ? true
        : plan.failing
          ? plan.failing.item !== item && Number(item) < 4
            ? true
            : plan.failing.item === item
              ? false
              : null
          : null,
      siteNote: plan.failing?.item === item ? plan.failing.note : null,
    })),
    projectStop:
      isPassed && isStop
        ? [
            {
              id: idOf(id, 'stop'),
              projectCode,
              source: 'stopapply',
              sourceId: id,
              code,
              orderedBy: head.groupName,
              reason: plan.reason,
              affectAttendance: true,
              planResumeDate: row.planResumeDate,
              fromDay: row.stopDate ?? today,
              untilDay: day(plan.ended),
            },
          ]
        : [],
    processLog: steps.map(({ action, from, to, by, at: when, opinion }, i) => ({
      id: idOf(id, 'step', String(i)),
      kind: stopKind.kind,
      objectId: id,
      ...disclosed,
      action,
      fromState: from,
      toState: to,
      byId: by.id,
      byName: by.name,
      groupName: by.groupName,
      opinion,
      at: when,
    })),
    processTodo: todoRows(
      stopKind.kind,
      { id, ...disclosed },
      stopKind.todos({ ...row, holding, coming: false } as Application),
      last?.at ?? new Date(now),
      now,
    ),
  } as Rows
}
