import { type ItemResult, itemResults, scoreAll } from '@zhugong/contract/scoring/score'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, type Random, stream } from '@zhugong/simulator/random'
import type { Insertable } from 'kysely'
import { rectifyKind } from '#domains/rectify/public'
import { inspectionKind, inspectionType } from '#domains/scoring/public'
import { sheetName, sheetOf, standardCategories, standardItems } from '#domains/scoring/standard'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Row, Tables, Tx } from '#kit/db'
import { findings, type InspectionPlan, inspections, ownItems, running } from './scoring-plan.ts'
import { insertAll, inserterOf } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

export type Rows = { [T in keyof Tables]?: Insertable<Tables[T]>[] }
export interface Actor {
  id: string
  name: string
  groupId: string
  groupName: string
}
interface Item {
  code: string
  id: string | null
  name: string
  maxScore: number
  guarantee: boolean
  rule: string | null
  result: ItemResult
  deduction: number
  note: string | null
}
interface Sheet {
  code: string
  items: Item[]
}

/** What kinds of scored check differ in. */
export interface ScoredTrade {
  kind: string
  /** Letters of its numbers. */
  series: string
  /** Of its ids. */
  key: string
  /** Problems say the building as well as the sheet. */
  inBuildings: boolean
}
const ofInspections: ScoredTrade = { kind: inspectionType, series: 'XJ', key: 'inspection', inBuildings: true }

const hour = 3_600_000
const library = 'safety'
/** Days that a site has for a problem. */
const days = 7

/** Scored inspections of companies and 监理 over the past months, one that is being scored, and the items that companies have added. */
export async function seedScoring(tx: Tx, city: City, now: number): Promise<void> {
  const actors = await actorsOf(tx)
  const actor = (account: string): Actor => {
    const known = actors.get(account)
    if (!known) throw new Error(`nobody is called ${account}`)
    return known
  }
  const company = actor(running.by)
  const groups = [...new Set(inspections.map(({ by }) => actor(by).groupId))]
  await insertAll(
    tx,
    'checkItem',
    ownItems.map((one, i) => ownItemRow(city, company, one, i, now)),
  )
  await insertAll(
    tx,
    'checkPhrase',
    groups.flatMap((groupId) =>
      Object.entries(findings).flatMap(([itemCode, { words }]) =>
        words.map((phrase, seq) => ({ groupId, library, itemCode, seq, phrase })),
      ),
    ),
  )
  const drawn = await countersOf(tx)
  const submittedChecks = inspections
    .toSorted((a, b) => b.age - a.age)
    .map((plan) => submittedRows({ city, actor, plan, now, draw: drawn.draw }))
  const rows = [...submittedChecks, runningRows(city, actor, now)]
  const put = inserterOf(tx, rows)
  for (const table of tables) await put(table)
  await drawn.store()
}
const tables = [
  'siteCheck',
  'checkScore',
  'checkCategory',
  'checkSheet',
  'checkResult',
  'checkSign',
  'rectify',
  'rectifyLine',
  'rectifyAnswer',
  'siteCheckProblem',
  'processLog',
  'processTodo',
] as const

export async function actorsOf(tx: Tx): Promise<ReadonlyMap<string, Actor>> {
  const found = await tx
    .selectFrom('member as m')
    .innerJoin('appUser as u', 'u.id', 'm.userId')
    .innerJoin('tenant as t', 't.id', 'm.groupId')
    .where('m.isDefault', '=', true)
    .select(['u.id', 'u.name', 'u.account', 't.id as groupId', 't.name as groupName'])
    .execute()
  return new Map(found.map(({ account, ...one }) => [account, one]))
}

/** Numbers of papers go on where the sites' other papers have come to. */
export async function countersOf(tx: Tx) {
  const rows = await tx.selectFrom('documentNumber').selectAll().execute()
  const last = new Map(rows.map((row) => [`${row.owner} ${row.docType} ${row.year}`, row]))
  return {
    draw(owner: string, docType: string, at: number): string {
      const year = Number(formatDay(at).slice(0, 4))
      const key = `${owner} ${docType} ${year}`
      const row = { ...(last.get(key) ?? { owner, docType, year, last: 0 }) }
      row.last++
      last.set(key, row)
      return `${docType}-${year}-${String(row.last).padStart(3, '0')}`
    },
    async store() {
      for (const row of last.values())
        await tx
          .insertInto('documentNumber')
          .values(row)
          .onConflict((oc) => oc.columns(['owner', 'docType', 'year']).doUpdateSet({ last: row.last }))
          .execute()
    },
  }
}

function ownItemRow(city: City, company: Actor, one: (typeof ownItems)[number], i: number, now: number) {
  return {
    id: idOf(city.seed, 'checkItem', String(i)),
    groupId: company.groupId,
    owner: 'company' as const,
    library,
    itemCode: `${one.takenFrom}-01`,
    name: one.name,
    takenFrom: one.takenFrom,
    maxScore: one.maxScore,
    clause: null,
    rule: one.rule,
    supersededAt: null,
    createBy: company.id,
    createTime: new Date(now - 200 * 24 * hour),
    updateBy: null,
    updateTime: null,
  }
}

/** The items of a sheet as the library of the checking group has them. */
function itemsOf(city: City, code: string, hasOwn: boolean): Item[] {
  const own = (takenFrom: string) => (hasOwn ? ownItems.find((one) => one.takenFrom === takenFrom) : undefined)
  const clean = { result: itemResults.right, deduction: 0, note: null }
  return standardItems
    .filter((item) => item.sheet === code)
    .flatMap((item): Item[] => {
      const taken = own(item.code)
      const { name, guarantee } = item
      const rest = { code: item.code, id: null, name, guarantee, rule: null, maxScore: item.maxScore - (taken?.maxScore ?? 0), ...clean }
      if (!taken) return [rest]
      const id = idOf(city.seed, 'checkItem', String(ownItems.indexOf(taken)))
      return [rest, { code: `${item.code}-01`, id, name: taken.name, guarantee, rule: taken.rule, maxScore: taken.maxScore, ...clean }]
    })
}

const scored = (sheets: readonly Sheet[]) =>
  scoreAll(
    sheets.map(({ code, items }) => ({ name: sheetName(code), category: sheetOf(code)?.category ?? code, notApplicable: false, items })),
    standardCategories,
  )

/** Takes off points here and there until the score has come down to the planned one. */
function lose(sheets: readonly Sheet[], target: number, random: Random): void {
  const all = sheets.flatMap((sheet) => sheet.items.filter(({ code }) => findings[code]))
  // A third of an item is usual; more of a 保证项目 would soon make its sheet zero.
  const most = ({ maxScore, guarantee }: Item) => Math.floor(maxScore * (guarantee ? 0.3 : 0.6) * 2) / 2
  for (let left = 4000; left > 0; left--) {
    const above = (scored(sheets).score ?? 0) - target
    if (above <= 0.005) return
    const item = random.pick(all)
    const step = above > 1 ? 1 : above > 0.2 ? 0.5 : 0.1
    if (item.deduction + step > most(item)) continue
    item.result = itemResults.wrong
    item.deduction = Math.round((item.deduction + step) * 10) / 10
    item.note ??= random.pick(findings[item.code]?.words ?? [item.name])
  }
}

interface Telling {
  trade?: ScoredTrade
  city: City
  actor: (account: string) => Actor
  plan: InspectionPlan
  now: number
  draw: (owner: string, docType: string, at: number) => string
}

const siteOf = (city: City, site: string) => {
  const projectCode = city.personas.find((one) => one.account === `${site}-pm`)?.projectCode
  const project = city.projects.find((one) => one.projectCode === projectCode)
  if (!project) throw new Error(`no project ${site}`)
  return project
}

/** A submitted check with its sheets, score, problems and notices. */
export function submittedRows({ city, actor, plan, now, draw, trade = ofInspections }: Telling): Rows {
  const random = stream(city.seed, 'scoring', `${trade === ofInspections ? '' : trade.key}${plan.site} ${plan.age}`)
  const by = actor(plan.by)
  const project = siteOf(city, plan.site)
  const { projectCode } = project
  const id = idOf(city.seed, trade.key, plan.site, String(plan.age))
  const day = addDays(formatDay(now), -plan.age)
  const checkTime = new Date(startOfDay(day) + 9 * hour)
  const shownAt = new Date(startOfDay(day) + 16.5 * hour)
  const sheets: Sheet[] = plan.sheets.map((code) => ({ code, items: itemsOf(city, code, plan.by === running.by) }))
  lose(sheets, plan.score, random)
  const zeroed = sheets.flatMap(({ items }) => items).find(({ code }) => code === plan.zero)
  if (zeroed) {
    zeroed.result = itemResults.wrong
    zeroed.deduction = zeroed.maxScore
    zeroed.note = findings[zeroed.code]?.words[0] ?? null
  }
  const score = scored(sheets)
  const disclosed = { projectCode, corpCode: null, shownAt, groups: [by.groupId] }
  const colleague = random.pick(['何安', '秦立', '唐宁', '邵峰'])
  const [manager, supervisor] = [actor(`${plan.site}-pm`), actor(`${plan.site}-jl`)]
  const graver = sheets
    .flatMap(({ code, items }) => items.filter(({ deduction }) => deduction > 0).map((item) => ({ sheet: code, item })))
    .sort((a, b) => Number(b.item === zeroed) - Number(a.item === zeroed) || b.item.deduction - a.item.deduction)
    .slice(0, plan.problems)
  const notices = noticesOf({ trade, city, project, plan, by, id, day, shownAt, found: graver, random, now, draw })
  const check: Row<'siteCheck'> = {
    id,
    kind: trade.kind,
    code: `${project.shortName}-${draw(projectCode, trade.series, shownAt.getTime())}`,
    ...disclosed,
    checkerGroup: by.groupId,
    checkerGroupName: by.groupName,
    checkerId: by.id,
    inspectType: plan.inspectType,
    checkTime,
    checkers: [by.name, colleague],
    part: '全场',
    placeId: null,
    remark: null,
    photos: [],
    dangerLevel: '1',
    problemCount: graver.length,
    deadline: null,
    state: plan.open > 0 ? '3' : '7',
    version: plan.sheets.length + 1,
    createBy: by.id,
    createTime: checkTime,
    updateBy: by.id,
    updateTime: shownAt,
  }
  const step = (action: string, from: string | null, to: string, who: Actor, at: Date, opinion: string | null) => ({
    id: idOf(id, 'step', action),
    kind: trade.kind,
    objectId: id,
    ...disclosed,
    action,
    fromState: from,
    toState: to,
    byId: who.id,
    byName: who.name,
    groupName: who.groupName,
    opinion,
    at,
  })
  const signedAt = (hours: number) => new Date(shownAt.getTime() + hours * hour)
  const signs = plan.signed
    ? [
        { side: 'site' as const, who: manager, at: signedAt(2), opinion: '属实，按期整改' },
        ...(supervisor.groupId === by.groupId ? [] : [{ side: 'supervisor' as const, who: supervisor, at: signedAt(20), opinion: '属实' }]),
      ]
    : []
  const row = {
    ...check,
    undone: 0,
    signedSite: signs.length > 0,
    signedSupervisor: signs.length > 1,
    supervised: supervisor.groupId !== by.groupId,
  }
  return {
    siteCheck: [check],
    checkScore: [
      { checkId: id, ...disclosed, score: score.score, grade: score.grade, reason: score.reason, weakest: score.weakest?.code ?? null },
    ],
    checkCategory: score.categories.flatMap(({ code, weight, score: own, points }) =>
      own === null || points === null ? [] : [{ checkId: id, ...disclosed, category: code, weight, score: own, points }],
    ),
    ...sheetRows(id, disclosed, sheets, [by.name, colleague], shownAt, (code) => photosOf(city, projectCode, code)),
    checkSign: signs.map(({ side, who, at, opinion }) => ({
      checkId: id,
      side,
      ...disclosed,
      byId: who.id,
      name: who.name,
      groupName: who.groupName,
      opinion,
      at,
    })),
    ...notices,
    processLog: [
      step('create', null, '0', by, checkTime, null),
      step('submit', '0', graver.length ? '1' : '7', by, shownAt, `${score.reason}；下发整改 ${notices.rectify?.length ?? 0} 份`),
      ...signs.map(({ side, who, at, opinion }) => step(side === 'site' ? 'sign' : 'signSupervisor', '1', '1', who, at, opinion)),
      ...(notices.processLog ?? []),
    ],
    processTodo: [
      ...(trade === ofInspections ? todoRows(inspectionType, check, inspectionKind.todos(row), shownAt, now) : []),
      ...(notices.processTodo ?? []),
    ],
  } as Rows
}

/** The picture of a finding, if there is one; drawn later. */
const photosOf = (city: City, projectCode: string, itemCode: string): string[] => {
  const scene = findings[itemCode]?.scene
  return scene ? [idOf(city.seed, 'rectifyPhoto', projectCode, scene, 'before')] : []
}

function sheetRows(
  checkId: string,
  disclosed: Pick<Row<'checkSheet'>, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>,
  sheets: readonly Sheet[],
  team: readonly string[],
  at: Date,
  photos: (itemCode: string) => string[],
): Rows {
  const idOfSheet = (code: string) => idOf(checkId, 'sheet', code)
  const isDone = ({ items }: Sheet) => items.every(({ result }) => result !== itemResults.unchecked)
  return {
    checkSheet: sheets.map((sheet, seq) => ({
      id: idOfSheet(sheet.code),
      checkId,
      ...disclosed,
      seq,
      sheetCode: sheet.code,
      category: sheetOf(sheet.code)?.category ?? sheet.code,
      assignee: team[seq % team.length] ?? null,
      notApplicable: null,
      savedBy: isDone(sheet) ? (team[seq % team.length] ?? null) : null,
      savedAt: isDone(sheet) ? new Date(at.getTime() - (sheets.length - seq) * 10 * 60_000) : null,
      version: isDone(sheet) ? 1 : 0,
    })),
    checkResult: sheets.flatMap(({ code, items }) =>
      items.map((item, seq) => ({
        sheetId: idOfSheet(code),
        itemCode: item.code,
        checkId,
        ...disclosed,
        seq,
        itemId: item.id,
        name: item.name,
        maxScore: item.maxScore,
        guarantee: item.guarantee,
        clause: null,
        rule: item.rule,
        result: item.result,
        deduction: item.deduction,
        note: item.note,
        reason: null,
        photos: item.result === itemResults.wrong ? photos(item.code) : [],
      })),
    ),
  }
}

interface Found {
  sheet: string
  item: Item
}

/** The problems of an inspection and the notices they became: one for each company. */
function noticesOf({
  trade,
  city,
  project,
  plan,
  by,
  id,
  day,
  shownAt,
  found,
  random,
  now,
  draw,
}: {
  trade: ScoredTrade
  city: City
  project: City['projects'][number]
  plan: InspectionPlan
  by: Actor
  id: string
  day: string
  shownAt: Date
  found: readonly Found[]
  random: Random
  now: number
  draw: Telling['draw']
}): Rows {
  const { projectCode, contractorCorpCode } = project
  const units = city.projectCorps.filter(
    (one) => one.projectCode === projectCode && one.exitTime === null && one.corpType !== '007' && one.corpType !== '008',
  )
  const others = units.filter((one) => one.corpCode !== contractorCorpCode)
  const deadline = addDays(day, days)
  const buildings = city.unitProjects.filter((one) => one.projectCode === projectCode).map((one) => one.name)
  const problems = found.map(({ sheet, item }, seq) => ({
    seq: seq + 1,
    item,
    corpCode: seq % 3 === 2 && others.length > 0 ? random.pick(others).corpCode : contractorCorpCode,
    part: trade.inBuildings && buildings.length ? `${random.pick(buildings)} ${sheetName(sheet)}` : sheetName(sheet),
    open: seq < plan.open,
  }))
  const together = [...Map.groupBy(problems, ({ corpCode, open }) => `${corpCode} ${open}`).values()]
  const rows = { rectify: [], rectifyLine: [], rectifyAnswer: [], siteCheckProblem: [], processLog: [], processTodo: [] } as Required<
    Pick<Rows, 'rectify' | 'rectifyLine' | 'rectifyAnswer' | 'siteCheckProblem' | 'processLog' | 'processTodo'>
  >
  for (const [n, group] of together.entries()) {
    const [first] = group
    if (!first) continue
    const { corpCode } = first
    const unit = units.find((one) => one.corpCode === corpCode)
    const noticeId = idOf(id, 'notice', String(n))
    const state = !first.open ? '7' : plan.age > 10 ? '4' : n === 0 ? '3' : '2'
    const disclosed = { projectCode, corpCode, shownAt, groups: [by.groupId] }
    const answeredAt = new Date(Math.min(now - hour, shownAt.getTime() + 3 * 24 * hour))
    const closedAt = new Date(Math.min(now - hour / 2, shownAt.getTime() + 5 * 24 * hour))
    const isAnswered = state === '7' || state === '4'
    const person = unit?.pmName ?? '项目负责人'
    const notice = {
      id: noticeId,
      code: `${project.shortName}-${draw(projectCode, 'AQ', shownAt.getTime())}`,
      origin: 'site' as const,
      ...disclosed,
      issuerGroup: by.groupId,
      issuerGroupName: by.groupName,
      issuerId: by.id,
      issuerName: by.name,
      sourceType: plan.inspectType,
      sourceKind: trade.kind,
      sourceId: id,
      noticeType: '2',
      category: '01',
      level: '1',
      majorClause: null,
      checkDate: day,
      deadline,
      responsiblePerson: person,
      issueTime: shownAt,
      receiver: person,
      receiveTime: new Date(shownAt.getTime() + 2 * hour),
      deemed: false,
      replyTime: isAnswered ? answeredAt : null,
      replierId: null,
      returns: 0,
      extendCount: 0,
      urgedAt: null,
      closeTime: state === '7' ? closedAt : null,
      state,
      version: 3,
      createBy: by.id,
      createTime: shownAt,
      updateBy: by.id,
      updateTime: isAnswered ? answeredAt : shownAt,
    }
    rows.rectify.push(notice)
    for (const [i, { item, part, seq }] of group.entries()) {
      const lineId = idOf(noticeId, 'line', String(i))
      const description = `${item.name}：${item.note ?? '不符合要求'}`
      const requirement = `按“${item.name}”要求整改到位`
      const photos = photosOf(city, projectCode, item.code)
      rows.rectifyLine.push({
        id: lineId,
        rectifyId: noticeId,
        ...disclosed,
        seq: i + 1,
        description,
        part,
        clause: null,
        requirement,
        person,
        photos,
        state: state === '7' ? 'passed' : isAnswered ? 'answered' : 'open',
      })
      rows.siteCheckProblem.push({
        id: idOf(id, 'problem', String(seq)),
        checkId: id,
        ...disclosed,
        seq,
        description,
        part,
        itemCode: item.code,
        clause: null,
        dangerLevel: '1',
        majorClause: null,
        requirement,
        person,
        deadline,
        photos,
        mended: null,
        rectifyId: noticeId,
        lineId,
      })
      if (isAnswered)
        rows.rectifyAnswer.push({
          lineId,
          round: 1,
          rectifyId: noticeId,
          ...disclosed,
          shownAt: answeredAt,
          measure: `已整改：${item.name}恢复到位，班组复查合格`,
          photos: photosAfter(city, projectCode, item.code),
          doneDate: formatDay(answeredAt),
          person,
          byId: 'demo',
          byName: person,
          at: answeredAt,
          draft: false,
          reviewPassed: state === '7' ? true : null,
          reviewOpinion: null,
          recheckPassed: state === '7' ? true : null,
          recheckOpinion: null,
        })
    }
    const log = (action: string, from: string | null, to: string, at: Date, byName: string, groupName: string) => ({
      id: idOf(noticeId, 'step', action),
      kind: rectifyKind.kind,
      objectId: noticeId,
      ...disclosed,
      action,
      fromState: from,
      toState: to,
      byId: 'demo',
      byName,
      groupName,
      opinion: null,
      at,
    })
    const corpName = city.corporations.find((one) => one.corpCode === corpCode)?.corpName ?? ''
    rows.processLog.push(
      log('issue', '0', '1', shownAt, by.name, by.groupName),
      log('sign', '1', '2', notice.receiveTime, person, corpName),
      ...(isAnswered ? [log('reply', '3', '4', answeredAt, person, corpName)] : []),
      ...(state === '7' ? [log('recheckPass', '5', '7', closedAt, by.name, by.groupName)] : []),
    )
    rows.processTodo.push(
      ...todoRows(rectifyKind.kind, notice, rectifyKind.todos({ ...notice, extendAsked: false }), isAnswered ? answeredAt : shownAt, now),
    )
  }
  return rows
}

const photosAfter = (city: City, projectCode: string, itemCode: string): string[] => {
  const scene = findings[itemCode]?.scene
  return scene ? [idOf(city.seed, 'rectifyPhoto', projectCode, scene, 'after')] : []
}

/** An inspection of today: some sheets are done, the others wait for their checkers. */
function runningRows(city: City, actor: (account: string) => Actor, now: number): Rows {
  const random = stream(city.seed, 'scoring', 'running')
  const by = actor(running.by)
  const { projectCode } = siteOf(city, running.site)
  const id = idOf(city.seed, 'inspection', 'running')
  const begun = new Date(now - 2 * hour)
  const disclosed = { projectCode, corpCode: null, shownAt: null, groups: [by.groupId] }
  const sheets: Sheet[] = running.sheets.map((code) => ({ code, items: itemsOf(city, code, true) }))
  lose(sheets.slice(0, running.done), 84, random)
  for (const { items } of sheets.slice(running.done)) for (const item of items) item.result = itemResults.unchecked
  const check: Row<'siteCheck'> = {
    id,
    kind: inspectionType,
    code: null,
    ...disclosed,
    checkerGroup: by.groupId,
    checkerGroupName: by.groupName,
    checkerId: by.id,
    inspectType: '11',
    checkTime: begun,
    checkers: [by.name, ...running.checkers.filter((name) => name !== by.name)],
    part: '全场',
    placeId: null,
    remark: null,
    photos: [],
    dangerLevel: null,
    problemCount: 0,
    deadline: null,
    state: '0',
    version: running.done,
    createBy: by.id,
    createTime: begun,
    updateBy: by.id,
    updateTime: new Date(now - hour / 2),
  }
  const row = { ...check, undone: running.sheets.length - running.done, signedSite: false, signedSupervisor: false, supervised: true }
  return {
    siteCheck: [check],
    checkScore: [{ checkId: id, ...disclosed, score: null, grade: null, reason: null, weakest: null }],
    ...sheetRows(id, disclosed, sheets, check.checkers, new Date(now - hour / 2), (code) => photosOf(city, projectCode, code)),
    processLog: [
      {
        id: idOf(id, 'step', 'create'),
        kind: inspectionType,
        objectId: id,
        ...disclosed,
        action: 'create',
        fromState: null,
        toState: '0',
        byId: by.id,
        byName: by.name,
        groupName: by.groupName,
        opinion: null,
        at: begun,
      },
    ],
    processTodo: todoRows(inspectionType, check, inspectionKind.todos(row), begun, now),
  }
}
