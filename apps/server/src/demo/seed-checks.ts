import { hourMs } from '@zhugong/contract/kit/time'
import { majorLevel } from '@zhugong/contract/rectify/moves'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, type Random, stream } from '@zhugong/simulator/random'
import type { Insertable } from 'kysely'
import { measureKind } from '#domains/measures/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { itemOfScene, type MeasurePlan, measurePlans, type RoundPlan, roundPlans } from './checks-plan.ts'
import { type ProblemWords, problems } from './rectify-problems.ts'
import type { Actor } from './rectify-story.ts'
import { type Actors, actorsOf, type NoticeStory, type Rows, rowsOf, tell } from './seed-rectify.ts'
import { inserterOf } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

/** What the rounds of one kind of patrol differ in. */
export interface Trade {
  kind: string
  /** Distinguishes their ids. */
  name: string
  /** Letters of the numbers of rounds, and of their notices. */
  series: string
  notices: string
  /** The problems of a round. */
  words(city: City, projectCode: string, plan: RoundPlan, random: Random): ProblemWords[]
  /** Columns of a problem beside the usual ones. */
  mark(words: ProblemWords): Partial<Insertable<Tables['siteCheckProblem']>>
  clear: { parts: readonly string[]; remark: string }
}
const safety: Trade = {
  kind: 'securityCheck',
  name: 'round',
  series: 'XJ',
  notices: 'AQ',
  words: wordsOf,
  mark: ({ scene }) => ({ itemCode: itemOfScene[scene] ?? null }),
  clear: {
    parts: ['办公区与生活区', '地下室', '裙楼一至三层', '塔楼标准层', '材料加工区'],
    remark: '沿线检查临边、洞口、用电和动火点，未发现问题',
  },
}

/** Weeks of patrols with the notices that their problems became, and the measures against what came again. */
export async function seedChecks(tx: Tx, city: City, now: number): Promise<void> {
  const actors = await actorsOf(tx)
  const siteGroups = new Map(
    (await tx.selectFrom('tenant').select(['id', 'code']).where('type', '=', 3).execute()).map((one) => [one.code, one.id]),
  )
  const rounds = roundPlans.map((plan, i) => roundOf(city, actors, safety, plan, i, now)).sort((a, b) => +a.at - +b.at)
  const numbers = await numbersFrom(tx)
  const rows = rounds.flatMap((round) => rowsOfRound(safety, round, numbers, siteGroups.get(round.project.projectCode) ?? '', now))
  rows.push(...measurePlans.map((plan, i) => measureRows(city, actors, plan, i, now)))
  const put = inserterOf(tx, rows)
  for (const table of tables) await put(table)
  await numbers.store()
}
const tables = [
  'siteCheck',
  'rectify',
  'rectifyLine',
  'rectifyAnswer',
  'rectifyExtension',
  'siteCheckProblem',
  'safetyMeasure',
  'safetyMeasureWork',
  'processLog',
  'processTodo',
] as const

export interface Round {
  id: string
  plan: RoundPlan
  project: City['projects'][number]
  checker: Actor
  at: Date
  /** The notice of its problems, told from issue to its state; undefined when nothing was found. */
  told: NoticeStory | undefined
}

/** 企业自查, 项目自查, 监理检查 in dictionary inspectType. */
const inspectTypeOf = ({ by, site }: RoundPlan) => (by.endsWith('-jl') ? '13' : by.startsWith(`${site}-`) ? '12' : '11')

export function roundOf(city: City, actors: Actors, trade: Trade, plan: RoundPlan, index: number, now: number): Round {
  const random = stream(city.seed, trade.name, String(index))
  const project = projectOf(city, plan.site)
  const checker = actorOf(actors, plan.by)
  const id = idOf(city.seed, trade.name, String(index))
  const words = trade.words(city, project.projectCode, plan, random)
  if (plan.outcome === 'clear') return { id, plan, project, checker, at: atWork(plan.age, now, random), told: undefined }
  const noticeStory = tell(city, actors, noticePlanOf(plan), `${trade.name} ${index}`, now, words)
  return {
    id,
    plan,
    project,
    checker,
    at: noticeStory.story.issueTime ?? atWork(plan.age, now, random),
    told: { ...noticeStory, sourceType: inspectTypeOf(plan) },
  }
}

/** A round that was mended at once is told like a fresh notice and closed below. */
const noticePlanOf = ({ site, by, age, outcome, due, since, problems: lines, major, corp }: RoundPlan) => ({
  site,
  by,
  age,
  due,
  since,
  lines,
  state: outcome === 'mended' || outcome === 'clear' ? ('1' as const) : outcome,
  ...(major ? { major } : {}),
  ...(corp ? { corp } : {}),
  ...(outcome === '6' ? { returned: ['supervisor' as const], failing: 1 } : {}),
})

function atWork(age: number, now: number, random: Random): Date {
  if (age === 0) return new Date(now - random.int(100, 290) * 60_000)
  return new Date(startOfDay(addDays(formatDay(now), -age)) + random.int(500, 1_020) * 60_000)
}

const quality = '02'
/** Counted by the plan alone, so that the effect of the measure against it shows. */
const measured = 'rail'
/** Problems of the round, each at a building of the site. */
function wordsOf(city: City, projectCode: string, plan: RoundPlan, random: Random): ProblemWords[] {
  const fits = problems.filter((one) => (plan.scene ? one.scene === plan.scene : one.category !== quality && one.scene !== measured))
  const some = random.shuffled(fits)
  const first = plan.major ? some.filter((one) => one.scene === plan.major).slice(0, 1) : []
  const buildings = city.unitProjects.filter((one) => one.projectCode === projectCode).map((one) => one.name)
  const building = buildings.length ? random.pick(buildings) : ''
  return [...first, ...some.filter((one) => !first.includes(one))]
    .slice(0, plan.problems)
    .map((one) => ({ ...one, place: [building, one.place].filter(Boolean).join(' ') }))
}

export interface Numbers {
  next(projectCode: string, series: string, at: Date): { year: number; no: number }
  store(): Promise<void>
}
/** Goes on from the numbers that have been drawn. */
export async function numbersFrom(tx: Tx): Promise<Numbers> {
  const drawn = await tx.selectFrom('documentNumber').selectAll().execute()
  const counters = new Map(drawn.map((one) => [`${one.owner}/${one.docType}/${one.year}`, one]))
  return {
    next(owner, docType, at) {
      const year = Number(formatDay(at).slice(0, 4))
      const key = `${owner}/${docType}/${year}`
      const counter = counters.get(key) ?? { owner, docType, year, last: 0 }
      counter.last++
      counters.set(key, counter)
      return { year, no: counter.last }
    },
    async store() {
      await tx
        .insertInto('documentNumber')
        .values([...counters.values()])
        .onConflict((oc) => oc.columns(['owner', 'docType', 'year']).doUpdateSet((eb) => ({ last: eb.ref('excluded.last') })))
        .execute()
    },
  }
}

export function rowsOfRound(
  trade: Trade,
  { id, plan, project, checker, at, told }: Round,
  numbers: Numbers,
  siteGroup: string,
  now: number,
): Rows[] {
  const { projectCode } = project
  const code = (series: string) => {
    const { year, no } = numbers.next(projectCode, series, at)
    return `${project.shortName}-${series}-${year}-${String(no).padStart(3, '0')}`
  }
  const notice = told
    ? linked(rowsOf(told, code(trade.notices), siteGroup, now), trade.kind, id, plan.outcome === 'mended' ? checker : undefined)
    : undefined
  const row = notice?.rectify?.[0]
  const problemRows = told && row ? problemsOf(trade, id, told, row, notice) : []
  const disclosed = { projectCode, corpCode: null, shownAt: at, groups: [checker.groupId] }
  const check: Insertable<Tables['siteCheck']> = {
    id,
    kind: trade.kind,
    code: code(trade.series),
    ...disclosed,
    checkerGroup: checker.groupId,
    checkerGroupName: checker.groupName,
    checkerId: checker.id,
    inspectType: inspectTypeOf(plan),
    checkTime: at,
    checkers: [checker.name],
    part: told?.story.lines[0]?.words.place ?? trade.clear.parts[at.getTime() % trade.clear.parts.length] ?? '',
    remark: told ? null : trade.clear.remark,
    dangerLevel: told ? (plan.major ? majorLevel : '1') : null,
    problemCount: problemRows.length,
    state: row?.state ?? '7',
    version: 1,
    createBy: checker.id,
    createTime: at,
    updateBy: checker.id,
    updateTime: at,
  }
  const log = {
    id: idOf(id, 'step'),
    kind: trade.kind,
    objectId: id,
    ...disclosed,
    action: 'submit',
    fromState: '0',
    toState: told && plan.outcome !== 'mended' ? '1' : '7',
    byId: checker.id,
    byName: checker.name,
    groupName: checker.groupName,
    opinion: told ? `发现 ${problemRows.length} 个问题` : '未发现问题',
    at,
  }
  return [{ ...notice, siteCheck: [check], siteCheckProblem: problemRows, processLog: [log, ...(notice?.processLog ?? [])] }]
}

/** A notice linked to its check; `mender`: who saw it mended on the spot, which closes it. */
export function linked(rows: Rows, kind: string, checkId: string, mender: Actor | undefined): Rows {
  const source = { sourceKind: kind, sourceId: checkId }
  const notices = rows.rectify?.map((one) => ({ ...one, ...source })) ?? []
  if (!mender) return { ...rows, rectify: notices }
  return {
    rectify: notices.map((one) => ({
      ...one,
      noticeType: '1',
      state: '7',
      receiver: one.responsiblePerson,
      receiveTime: one.issueTime,
      closeTime: one.issueTime,
      deadline: formatDay(new Date(one.issueTime as Date)),
      version: 1,
    })),
    rectifyLine: rows.rectifyLine?.map((one) => ({ ...one, state: 'passed' as const })) ?? [],
    rectifyAnswer: rows.rectifyLine?.map((line) => mendedAnswer(line, notices[0]?.issueTime as Date, mender)) ?? [],
    processLog: rows.processLog?.filter((one) => one.action === 'issue').map((one) => ({ ...one, action: 'mend', toState: '7' })) ?? [],
  }
}

const mendedAnswer = (
  { id: lineId, rectifyId, projectCode, corpCode, groups, description, person }: Insertable<Tables['rectifyLine']>,
  at: Date,
  by: Actor,
): Insertable<Tables['rectifyAnswer']> => ({
  lineId,
  round: 1,
  rectifyId,
  projectCode,
  corpCode,
  shownAt: at,
  groups,
  measure: measureFor(description),
  doneDate: formatDay(at),
  person,
  byId: by.id,
  byName: by.name,
  at,
  draft: false,
  recheckPassed: true,
})

const measureFor = (description: string): string => problems.find((one) => one.description === description)?.measure ?? '已当场改正'

function problemsOf(trade: Trade, checkId: string, { story }: NoticeStory, notice: Insertable<Tables['rectify']>, rows: Rows | undefined) {
  const isMended =
    notice.noticeType === '1' && notice.state === '7' && +new Date(notice.closeTime as Date) === +new Date(notice.issueTime as Date)
  return (rows?.rectifyLine ?? []).map((line, i): Insertable<Tables['siteCheckProblem']> => {
    const words = story.lines[i]?.words
    const { plan } = story
    const isMajor = plan.major !== undefined && i === 0
    return {
      id: idOf(checkId, 'problem', String(line.seq)),
      checkId,
      projectCode: line.projectCode,
      corpCode: line.corpCode,
      shownAt: line.shownAt,
      groups: line.groups,
      seq: line.seq,
      description: line.description,
      part: line.part,
      ...(words && trade.mark(words)),
      clause: line.clause,
      dangerLevel: isMajor ? majorLevel : '1',
      majorClause: isMajor ? notice.majorClause : null,
      requirement: line.requirement,
      person: line.person,
      deadline: notice.deadline,
      mended: isMended ? measureFor(line.description) : null,
      rectifyId: notice.id,
      lineId: line.id,
    }
  })
}

export const projectOf = (city: City, site: string) => {
  const code = city.personas.find((one) => one.account === `${site}-pm`)?.projectCode
  const project = city.projects.find((one) => one.projectCode === code)
  if (!project) throw new Error(`no project ${site}`)
  return project
}
export const actorOf = (actors: Actors, account: string): Actor => {
  const known = actors.get(account)
  if (!known) throw new Error(`nobody is called ${account}`)
  return known
}

const measureId = (city: City, index: number) => idOf(city.seed, 'measure', String(index))

/** Which pictures show each measure before and after. */
export const measureScenes = (city: City) =>
  measurePlans.map(({ site, scene }, i) => ({ id: measureId(city, i), projectCode: projectOf(city, site).projectCode, scene }))

function measureRows(city: City, actors: Actors, plan: MeasurePlan, index: number, now: number): Rows {
  const id = measureId(city, index)
  const project = projectOf(city, plan.site)
  const { projectCode, contractorCorpCode: corpCode } = project
  const [author, doer, supervisor] = [`${plan.site}-pm`, `${plan.site}-officer`, `${plan.site}-jl`].map((one) => actorOf(actors, one))
  if (!author || !doer || !supervisor) throw new Error(`no people at ${plan.site}`)
  const today = formatDay(now)
  const startDate = addDays(today, plan.start)
  const endDate = addDays(today, plan.end)
  const moment = (ago: number, hours: number) => new Date(Math.min(now - hourMs, startOfDay(addDays(today, -ago)) + hours * hourMs))
  const begun = moment(Math.max(0, -plan.start), 9)
  const shownAt = plan.state === '0' ? null : begun
  const doneAt = plan.done === null ? null : moment(plan.done, 16)
  const archivedAt = plan.state === '2' && plan.done !== null ? moment(plan.done - 1, 10) : null
  const disclosed = { projectCode, corpCode, shownAt, groups: [author.groupId] }
  const measure: Insertable<Tables['safetyMeasure']> = {
    id,
    ...disclosed,
    authorGroup: author.groupId,
    authorGroupName: author.groupName,
    name: plan.name,
    hazardSource: plan.hazardSource,
    riskLevel: plan.riskLevel,
    content: plan.content,
    responsible: doer.name,
    startDate,
    endDate,
    cost: plan.cost === null ? null : plan.cost * 100,
    seriesBy: plan.series ? 'item' : null,
    seriesKey: plan.series ? (itemOfScene[plan.scene] ?? null) : null,
    doneAt,
    state: plan.state,
    version: 1,
    createBy: author.id,
    createTime: begun,
    updateBy: author.id,
    updateTime: archivedAt ?? doneAt ?? begun,
  }
  const note = '已按措施内容落实，自查合格，附现场照片'
  const step = (action: string, by: Actor, at: Date, from: string, to: string, opinion: string | null = null) => ({
    id: idOf(id, action),
    kind: measureKind.kind,
    objectId: id,
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
  const extension = `由 ${addDays(endDate, -10)} 延至 ${endDate}：后续楼层仍有焊接作业，措施继续执行`
  const steps = [
    ...(plan.state === '0' ? [step('create', author, begun, '0', '0')] : [step('submit', author, begun, '0', '1')]),
    ...(doneAt ? [step('implement', doer, doneAt, '1', '1', note)] : []),
    ...(plan.extended ? [step('extend', author, moment(6, 11), '1', '1', extension)] : []),
    ...(archivedAt ? [step('archive', supervisor, archivedAt, '1', '2', '现场核实属实，同意归档')] : []),
  ]
  const todos = measureKind.todos({ ...measure, photos: [], vouchers: [], workers: [], doneAt } as never)
  return {
    safetyMeasure: [measure],
    safetyMeasureWork: doneAt
      ? [
          {
            id: idOf(id, 'work'),
            measureId: id,
            ...disclosed,
            shownAt: doneAt,
            note,
            photos: [],
            byId: doer.id,
            byName: doer.name,
            at: doneAt,
          },
        ]
      : [],
    processLog: steps,
    processTodo: todoRows(measureKind.kind, { id, ...disclosed }, todos, doneAt ?? begun, now),
  }
}
