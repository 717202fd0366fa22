import { failuresToPenalty, majorLevel, stopNotices } from '@zhugong/contract/rectify/moves'
import { penaltyDocType, penaltyStates } from '@zhugong/contract/rectify/penalty'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, type Random, stream } from '@zhugong/simulator/random'
import type { Insertable } from 'kysely'
import { penaltyKind, proposalOf, rectifyKind } from '#domains/rectify/public'
import { addDays, formatDay } from '#kit/clock'
import type { Row, Tables, Tx } from '#kit/db'
import { governmentHeads, governmentNotices, type NoticePlan, siteOrders } from './rectify-plan.ts'
import { majorClauses, type ProblemWords, problems } from './rectify-problems.ts'
import { type Actor, type Story, tellStory } from './rectify-story.ts'
import { insertAll, inserterOf } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

export interface NoticeStory {
  id: string
  origin: 'gov' | 'site'
  project: City['projects'][number]
  corpCode: string
  /** Who is responsible, and who mends each problem. */
  person: string
  hands: readonly string[]
  sourceType: string
  story: Story
  random: Random
}
export type Rows = { [T in keyof Tables]?: Insertable<Tables[T]>[] }

/** Weeks of rectification: notices of the authorities and orders of the sites in every state, with their history and who has to act now. */
export async function seedRectify(tx: Tx, city: City, now: number): Promise<void> {
  const actors = await actorsOf(tx)
  const stories = [
    ...governmentNotices.map((plan, i) => tell(city, actors, plan, `gov ${i}`, now)),
    ...siteOrders.map((plan, i) => tell(city, actors, plan, `site ${i}`, now)),
  ]
  const siteGroups = new Map(
    (await tx.selectFrom('tenant').select(['id', 'code']).where('type', '=', 3).execute()).map((one) => [one.code, one.id]),
  )
  const codes = new Map<string, string>()
  const counters = numbersOf(stories, codes)
  const rows = stories.map((one) => rowsOf(one, codes.get(one.id) ?? null, siteGroups.get(one.project.projectCode) ?? '', now))
  const tables = ['rectify', 'rectifyLine', 'rectifyAnswer', 'rectifyReply', 'rectifyExtension', 'processLog', 'processTodo'] as const
  const put = inserterOf(tx, rows)
  for (const table of tables) await put(table)
  await insertAll(tx, 'documentNumber', counters)
  await seedPenalties(tx, rows.flatMap((one) => one.rectify ?? []) as Row<'rectify'>[], actors.get('bj-wu')?.name ?? '', now)
}

/** Proposals of a penalty for what failed three rechecks: the first one is a draft, the others are issued. */
async function seedPenalties(tx: Tx, notices: readonly Row<'rectify'>[], head: string, now: number): Promise<void> {
  const failed = notices.filter((one) => one.origin === 'gov' && one.returns >= failuresToPenalty)
  for (const [i, notice] of failed.entries()) {
    const isDraft = i === 0
    const at = new Date((notice.updateTime ?? new Date(now)).getTime())
    const issued = new Date(Math.min(now, at.getTime() + 6 * 3_600_000))
    const year = Number(formatDay(issued).slice(0, 4))
    const { id: rectifyId, projectCode, corpCode, groups, issuerGroup } = notice
    const row: Row<'rectifyPenalty'> = {
      id: idOf(rectifyId, 'penalty'),
      rectifyId,
      ...{ projectCode, corpCode, groups, issuerGroup },
      shownAt: isDraft ? null : issued,
      code: isDraft ? null : `${notice.issuerGroupName}罚建〔${year}〕第${String(i).padStart(4, '0')}号`,
      ...(await proposalOf({ db: tx }, notice)),
      amountYuan: isDraft ? null : 20_000,
      issueTime: isDraft ? null : issued,
      issuedBy: isDraft ? null : head,
      dropReason: null,
      state: isDraft ? penaltyStates.draft : penaltyStates.issued,
      version: isDraft ? 0 : 1,
      createTime: at,
      updateBy: null,
      updateTime: isDraft ? at : issued,
    }
    await insertAll(tx, 'rectifyPenalty', [row])
    await insertAll(tx, 'processTodo', todoRows(penaltyKind.kind, row, penaltyKind.todos(row), at, now))
    if (!isDraft) await insertAll(tx, 'documentNumber', [{ owner: issuerGroup, docType: penaltyDocType, year, last: i }])
  }
}

export type Actors = ReadonlyMap<string, Actor>
export async function actorsOf(tx: Tx): Promise<Actors> {
  const found = await tx
    .selectFrom('member as m')
    .innerJoin('appUser as u', 'u.id', 'm.userId')
    .innerJoin('tenant as t', 't.id', 'm.groupId')
    .where('m.isDefault', '=', true)
    .select(['u.id', 'u.name', 'u.account', 't.id as groupId', 't.name as groupName'])
    .execute()
  return new Map(found.map(({ account, ...actor }) => [account, actor]))
}

/** How the third kind of source is called: by project, company or 监理 (dictionary inspectType). */
const sourceOf = (account: string) => (account.endsWith('-jl') ? '13' : account.endsWith('-pm') ? '12' : '11')

/** `words`: the problems found; by default some that fit the plan. */
export function tell(
  city: City,
  actors: Actors,
  plan: NoticePlan,
  name: string,
  now: number,
  words?: readonly ProblemWords[],
): NoticeStory {
  const random = stream(city.seed, 'rectify', name)
  const actor = (account: string) => {
    const known = actors.get(account)
    if (!known) throw new Error(`nobody is called ${account}`)
    return known
  }
  const [manager, officer] = [actor(`${plan.site}-pm`), actor(`${plan.site}-officer`)]
  const issuer = actor(plan.by)
  const isGov = name.startsWith('gov')
  const project = city.projects.find((p) => p.projectCode === city.personas.find((one) => one.account === `${plan.site}-pm`)?.projectCode)
  if (!project) throw new Error(`no project ${plan.site}`)
  const units = city.projectCorps.filter((one) => one.projectCode === project.projectCode && one.exitTime === null)
  const nameOf = (corpCode: string) => city.corporations.find((one) => one.corpCode === corpCode)?.corpName ?? ''
  const unit =
    units.find((one) => plan.corp?.test(nameOf(one.corpCode))) ?? units.find((one) => one.corpCode === project.contractorCorpCode)
  const corpCode = unit?.corpCode ?? project.contractorCorpCode
  const here = city.projectWorkers.filter(
    (w) =>
      w.projectCode === project.projectCode && w.corpCode === corpCode && w.exitTime === null && (w.isTeamLeader || w.workRole === '10'),
  )
  const hands = here.slice(0, 8).map((w) => city.workers.find((one) => one.workerId === w.workerId)?.name ?? '')
  const bureau = plan.by.slice(0, 2)
  const colleagues = [...actors].filter(([account]) => account.startsWith(`${bureau}-`) && account !== plan.by).map(([, one]) => one.name)
  const cast = {
    issuer,
    head: isGov ? actor(governmentHeads[bureau] ?? plan.by) : issuer,
    signer: manager,
    // Nobody judges his own answer.
    replier: issuer.id === manager.id || random.chance(0.6) ? officer : manager,
    supervisor: actor(`${plan.site}-jl`),
    second: isGov ? (colleagues.length ? random.pick(colleagues) : '陈立') : null,
  }
  return {
    id: idOf(city.seed, 'rectify', name),
    origin: isGov ? 'gov' : 'site',
    project,
    corpCode,
    person: corpCode === project.contractorCorpCode ? manager.name : (unit?.pmName ?? manager.name),
    hands: hands.length ? hands : [manager.name],
    sourceType: isGov ? random.pick(['01', '01', '01', '01', '02', '02', '03', '05', '09']) : sourceOf(plan.by),
    story: tellStory(plan, cast, words ?? problemsOf(city, project.projectCode, plan, random), now, random),
    random,
  }
}

/** The problems of a notice, each at a building of the site. */
function problemsOf(city: City, projectCode: string, plan: NoticePlan, random: Random): ProblemWords[] {
  const fits = (one: ProblemWords) =>
    plan.category === undefined
      ? one.category !== '02'
      : one.category === plan.category || one.category === (plan.category === '02' ? '02' : '')
  const some = random.shuffled(problems.filter(fits))
  const first = plan.major ? some.filter((one) => one.scene === plan.major) : []
  const buildings = city.unitProjects.filter((one) => one.projectCode === projectCode).map((one) => one.name)
  return [...first, ...some.filter((one) => !first.includes(one))]
    .slice(0, plan.lines)
    .map((one) => ({ ...one, place: buildings.length ? `${random.pick(buildings)} ${one.place}` : one.place }))
}

const quality = '02'
/** Numbers in the order of issuing, per authority and type of paper, or per site and trade; answers the counters as they stand then. */
function numbersOf(told: readonly NoticeStory[], codes: Map<string, string>) {
  const counters = new Map<string, { owner: string; docType: string; year: number; last: number }>()
  const issued = told.flatMap((one) => (one.story.issueTime ? [{ ...one, at: one.story.issueTime }] : [])).sort((a, b) => +a.at - +b.at)
  for (const { id, origin, project, story, at } of issued) {
    const year = Number(formatDay(at).slice(0, 4))
    const { issuer } = story.cast
    const isQuality = story.lines[0]?.words.category === quality
    const trade = isQuality ? 'ZL' : 'AQ'
    const govType = stopNotices.includes(story.plan.noticeType ?? '') ? '202' : isQuality ? '204' : '201'
    const [owner, docType] = origin === 'gov' ? [issuer.groupId, govType] : [project.projectCode, trade]
    const key = `${owner}/${docType}/${year}`
    const counter = counters.get(key) ?? { owner, docType, year, last: 0 }
    counter.last++
    counters.set(key, counter)
    const word = { 201: '安整', 202: '停整', 204: '质整' }[govType] ?? ''
    codes.set(
      id,
      origin === 'gov'
        ? `${issuer.groupName}${word}〔${year}〕第${String(counter.last).padStart(4, '0')}号`
        : `${project.shortName}-${trade}-${year}-${String(counter.last).padStart(3, '0')}`,
    )
  }
  return [...counters.values()]
}

/** The rows of a notice as its calls would have written them. */
export function rowsOf(
  { id, origin, project, corpCode, person, hands, sourceType, story, random }: NoticeStory,
  code: string | null,
  siteGroup: string,
  now: number,
): Rows {
  const { plan, cast, steps } = story
  const { issuer } = cast
  const replier = plan.onPaper ? issuer : cast.replier
  const { projectCode } = project
  const shownAt = story.issueTime
  const disclosed = { projectCode, corpCode, shownAt, groups: [issuer.groupId] }
  const begun = steps[0]?.at ?? new Date(now)
  const last = steps.at(-1)
  const notice = {
    id,
    code,
    origin,
    ...disclosed,
    issuerGroup: issuer.groupId,
    issuerGroupName: issuer.groupName,
    issuerId: issuer.id,
    issuerName: issuer.name,
    sourceType,
    sourceKind: null,
    sourceId: null,
    noticeType: plan.noticeType ?? (plan.lines === 1 ? '1' : '2'),
    category: story.lines[0]?.words.category ?? '99',
    level: plan.major ? majorLevel : '1',
    majorClause: plan.major ? (majorClauses[plan.major] ?? null) : null,
    checkDate: addDays(formatDay(begun), random.chance(0.3) ? -1 : 0),
    deadline: story.deadline,
    responsiblePerson: person,
    issueTime: story.issueTime,
    receiver: story.receiveTime && !plan.deemed ? cast.signer.name : null,
    receiveTime: story.receiveTime,
    deemed: plan.deemed ?? false,
    replyTime: story.replyTime,
    replierId: story.rounds.at(-1)?.by.id ?? null,
    returns: story.returns,
    extendCount: story.extendCount,
    urgedAt: story.urgedAt,
    closeTime: story.closeTime,
    state: story.state,
    version: story.version,
    createBy: issuer.id,
    createTime: begun,
    updateBy: last?.by.id ?? issuer.id,
    updateTime: last?.at ?? begun,
  }
  const lineId = (seq: number) => idOf(id, 'line', String(seq))
  const helpers = story.lines.map(() => random.pick(hands))
  return {
    rectify: [notice],
    rectifyLine: story.lines.map(({ words, state }, i) => ({
      id: lineId(i),
      rectifyId: id,
      ...disclosed,
      seq: i + 1,
      description: words.description,
      part: words.place,
      clause: words.clause,
      requirement: words.requirement,
      person: helpers[i] ?? null,
      state,
    })),
    rectifyAnswer: story.lines.flatMap(({ words, answers }, i) =>
      answers.map(({ at, draft, ...answer }) => ({
        lineId: lineId(i),
        rectifyId: id,
        projectCode,
        corpCode,
        shownAt: draft ? null : at,
        groups: [...new Set([replier.groupId, siteGroup])],
        measure: words.measure,
        doneDate: formatDay(at),
        person: helpers[i] ?? null,
        byId: replier.id,
        byName: replier.name,
        at,
        draft,
        ...answer,
      })),
    ),
    rectifyReply: story.rounds.map(({ by, paper, ...one }) => ({
      rectifyId: id,
      ...disclosed,
      shownAt: one.at,
      origin,
      ...one,
      byId: by.id,
      byName: by.name,
      groupName: by.groupName,
      onBehalf: paper !== null,
      reason: paper?.reason ?? null,
    })),
    rectifyExtension: story.extensions.map(({ until, ...one }, i) => ({
      id: idOf(id, 'extension', String(i)),
      rectifyId: id,
      ...disclosed,
      ...one,
      shownAt: one.at,
      untilDay: until,
      byName: cast.signer.name,
      decidedBy: one.agreed === null ? null : cast.head.name,
    })),
    // Saved drafts are not part of the history.
    processLog: steps
      .filter(({ action }) => action !== 'saveReply')
      .map(({ action, from, to, by, at, opinion }, i) => ({
        id: idOf(id, 'step', String(i)),
        kind: rectifyKind.kind,
        objectId: id,
        ...disclosed,
        action: action === 'sign' && by.id === 'system' ? 'deem' : action,
        fromState: from,
        toState: to,
        byId: by.id,
        byName: by.name,
        groupName: by.groupName,
        opinion,
        at,
      })),
    processTodo: todoRows(
      rectifyKind.kind,
      notice,
      rectifyKind.todos({ ...notice, extendAsked: story.extensions.some((one) => one.agreed === null) }),
      last?.at ?? begun,
      now,
    ),
  } as Rows
}
