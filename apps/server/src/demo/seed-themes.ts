import { itemResults } from '@zhugong/contract/scoring/score'
import { themeName, themes } from '@zhugong/contract/themes/catalogue'
import { campaignStates } from '@zhugong/contract/themes/moves'
import { objectState, reportOf } from '@zhugong/contract/themes/progress'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import type { Insertable } from 'kysely'
import { campaignTodos, campaignType, inspectTypeFor, themePatrol } from '#domains/themes/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import type { ProblemWords } from './rectify-problems.ts'
import { actorOf, linked, type Numbers, numbersFrom, projectOf } from './seed-checks.ts'
import { type Actors, actorsOf, type Rows, rowsOf, tell } from './seed-rectify.ts'
import { inserterOf } from './seed-trade.ts'
import { type ThemePlan, type ThemeProblem, themePlans } from './theme-plan.ts'
import { todoRows } from './todo-rows.ts'

const hour = 3_600_000

/** Campaigns of the sites: running, late, closed, archived, and a draft. */
export async function seedThemes(tx: Tx, city: City, now: number): Promise<void> {
  const actors = await actorsOf(tx)
  const groups = await tx.selectFrom('tenant').select(['id', 'code', 'type']).execute()
  const siteGroup = (projectCode: string) => groups.find((one) => one.type === 3 && one.code === projectCode)?.id ?? ''
  const numbers = await numbersFrom(tx)
  const rows = themePlans.map((plan) => campaignRows({ city, actors, now, numbers, siteGroup, plan }))
  const put = inserterOf(tx, rows)
  for (const table of tables) await put(table)
  await numbers.store()
}
const tables = [
  'themeCampaign',
  'themeObject',
  'siteCheck',
  'themeCheck',
  'checkSheet',
  'checkResult',
  'themeSheet',
  'rectify',
  'rectifyLine',
  'rectifyAnswer',
  'rectifyReply',
  'rectifyExtension',
  'siteCheckProblem',
  'processLog',
  'processTodo',
] as const

interface Telling {
  city: City
  actors: Actors
  now: number
  numbers: Numbers
  siteGroup: (projectCode: string) => string
  plan: ThemePlan
}

/** A campaign, one check of a part of its objects, and what came of it. */
function campaignRows(telling: Telling): Rows {
  const { city, actors, now, plan } = telling
  const { projectCode } = projectOf(city, plan.site)
  const by = actorOf(actors, plan.by)
  const id = idOf(city.seed, 'themeCampaign', plan.site, plan.title)
  const today = formatDay(now)
  const at = new Date(startOfDay(addDays(today, -plan.begins)) + 9 * hour)
  const isDraft = plan.state === campaignStates.draft
  const disclosed = { projectCode, corpCode: null, shownAt: isDraft ? null : at, groups: [by.groupId] }
  const points = themes[plan.theme].points.map(([name, requirement], i) => ({
    code: `T${plan.theme}-P${String(i + 1).padStart(2, '0')}`,
    name,
    requirement,
  }))
  const objects = plan.own.map((name, seq) => ({ id: idOf(id, 'object', name), name, seq }))
  const checked = objects.slice(0, Math.round(objects.length * plan.checked))
  const faulty = plan.problems.map((one) => one.object)
  // What failed was looked at, wherever it stands in the list.
  const seen = [...new Set([...objects.filter((one) => faulty.includes(one.name)), ...checked])].slice(
    0,
    Math.max(checked.length, faulty.length),
  )
  const check = seen.length > 0 ? checkRows(telling, id, points, seen) : {}
  const isOver = plan.state === campaignStates.closed || plan.state === campaignStates.archived
  const endDate = addDays(today, plan.ends)
  const overAt = new Date(startOfDay(endDate) + 16 * hour)
  const noticeStory = {
    title: plan.title,
    themeName: themeName(plan.theme),
    startDate: addDays(today, -plan.begins),
    endDate,
    persons: [by.name],
  }
  const contractor = city.corporations.find((one) => one.corpCode === projectOf(city, plan.site).contractorCorpCode)?.corpName ?? ''
  const report = reportOf({
    ...noticeStory,
    objects: objects.map(({ name }) => {
      const own = plan.problems.filter((one) => one.object === name)
      const openCount = own.filter((one) => one.state !== '7').length
      return {
        name,
        state: objectState({ checked: seen.some((one) => one.name === name), skipped: false, problemCount: own.length, openCount }),
      }
    }),
    problems: plan.problems.map((one) => ({
      objectName: one.object,
      description: one.note,
      corpName: contractor,
      closed: one.state === '7',
    })),
  })
  const { themeName: _name, ...dated } = noticeStory
  const campaign: Insertable<Tables['themeCampaign']> & { id: string } = {
    id,
    ...disclosed,
    leaderGroup: by.groupId,
    leaderGroupName: by.groupName,
    ...dated,
    theme: plan.theme,
    orderedBy: plan.orderedBy,
    basis: plan.basis,
    noticeId: null,
    registers: [...plan.registers],
    points: JSON.stringify(points),
    report: isOver ? report : null,
    reportedAt: isOver ? overAt : null,
    closedAt: isOver ? overAt : null,
    state: plan.state,
    version: isDraft ? 0 : isOver ? 3 : 1,
    createBy: by.id,
    createTime: at,
    updateBy: by.id,
    updateTime: isOver ? overAt : at,
  }
  const step = (action: string, from: string | null, to: string, when: Date, opinion: string | null) => ({
    id: idOf(id, 'step', action),
    kind: campaignType,
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
  })
  const steps = isDraft
    ? [step('create', null, '0', at, null)]
    : [
        step('start', '0', '1', at, `${objects.length} 个对象，${points.length} 个要点`),
        ...(isOver ? [step('report', '1', '1', new Date(overAt.getTime() - hour), null), step('close', '1', '2', overAt, null)] : []),
        ...(plan.state === campaignStates.archived ? [step('archive', '2', '3', new Date(overAt.getTime() + 24 * hour), null)] : []),
      ]
  const todos = isDraft || isOver ? [] : campaignTodos({ id, title: plan.title, leaderGroup: by.groupId, endDate, state: plan.state })
  return {
    ...check,
    themeCampaign: [campaign],
    themeObject: objects.map((one) => ({ ...one, campaignId: id, ...disclosed, register: 'own', refId: null })),
    processLog: [...steps, ...(check.processLog ?? [])],
    processTodo: [...todoRows(campaignType, { ...disclosed, id }, todos, at, now), ...(check.processTodo ?? [])],
  } as Rows
}

interface Point {
  code: string
  name: string
  requirement: string
}
/** Of several notices the check has the state of the least advanced. */
const order = ['1', '2', '3', '6', '4', '5', '7']

function checkRows(
  { city, actors, now, numbers, siteGroup, plan }: Telling,
  campaignId: string,
  points: readonly Point[],
  objects: readonly { id: string; name: string }[],
): Rows {
  const project = projectOf(city, plan.site)
  const { projectCode } = project
  const by = actorOf(actors, plan.by)
  const id = idOf(campaignId, 'check')
  const age = Math.max(1, plan.begins - 2)
  const at = new Date(startOfDay(addDays(formatDay(now), -age)) + 15 * hour)
  const disclosed = { projectCode, corpCode: null, shownAt: at, groups: [by.groupId] }
  const number = (series: string) => {
    const { year, no } = numbers.next(projectCode, series, at)
    return `${project.shortName}-${series}-${year}-${String(no).padStart(3, '0')}`
  }
  const notices = [...Map.groupBy(plan.problems, (one) => one.state)].map(([state, problems]) => ({
    problems,
    rows: noticeRows({ city, actors, now, plan, age, checkId: id, state, problems, points, number, siteGroup: siteGroup(projectCode) }),
  }))
  const problems = notices.flatMap(({ rows, problems: own }) =>
    (rows.rectifyLine ?? []).map((line, i) => ({ line, own: own[i], deadline: rows.rectify?.[0]?.deadline ?? '' })),
  )
  const failed = (object: string, at: number) => plan.problems.find((one) => one.object === object && one.point === at)
  return {
    siteCheck: [
      {
        id,
        kind: themePatrol.kind,
        code: number(themePatrol.series),
        ...disclosed,
        checkerGroup: by.groupId,
        checkerGroupName: by.groupName,
        checkerId: by.id,
        inspectType: inspectTypeFor(plan),
        checkTime: at,
        checkers: [by.name],
        part: plan.title,
        placeId: null,
        remark: null,
        dangerLevel: problems.length > 0 ? '1' : null,
        problemCount: problems.length,
        state: order.find((state) => plan.problems.some((one) => one.state === state)) ?? '7',
        version: 1,
        createBy: by.id,
        createTime: at,
        updateBy: by.id,
        updateTime: at,
      },
    ],
    themeCheck: [{ checkId: id, campaignId, ...disclosed }],
    checkSheet: objects.map(({ name }, seq) => ({
      id: idOf(id, 'sheet', name),
      checkId: id,
      taskId: null,
      ...disclosed,
      seq,
      sheetCode: 'T-own',
      label: name,
      category: 'T-own',
      assignee: null,
      notApplicable: null,
      savedBy: by.name,
      savedAt: at,
      version: 1,
    })),
    checkResult: objects.flatMap(({ name }) =>
      points.map((point, seq) => ({
        sheetId: idOf(id, 'sheet', name),
        itemCode: point.code,
        checkId: id,
        ...disclosed,
        seq,
        itemId: null,
        name: point.name,
        maxScore: 0,
        guarantee: false,
        clause: null,
        rule: point.requirement,
        result: failed(name, seq) ? itemResults.wrong : itemResults.right,
        note: failed(name, seq)?.note ?? null,
        reason: null,
      })),
    ),
    themeSheet: objects.map((one) => ({ sheetId: idOf(id, 'sheet', one.name), checkId: id, objectId: one.id, ...disclosed })),
    ...merged(notices.map((one) => one.rows)),
    siteCheckProblem: problems.map(({ line, own, deadline }, i) => ({
      id: idOf(id, 'problem', String(i)),
      checkId: id,
      projectCode,
      corpCode: line.corpCode,
      shownAt: at,
      groups: disclosed.groups,
      seq: i + 1,
      description: line.description,
      part: own?.object ?? line.part,
      placeId: null,
      itemCode: points[own?.point ?? 0]?.code ?? null,
      clause: null,
      dangerLevel: '1',
      majorClause: null,
      requirement: line.requirement,
      person: line.person,
      deadline,
      photos: line.photos,
      mended: null,
      rectifyId: line.rectifyId,
      lineId: line.id,
    })),
    processLog: [
      {
        id: idOf(id, 'step'),
        kind: themePatrol.kind,
        objectId: id,
        ...disclosed,
        action: 'submit',
        fromState: '0',
        toState: problems.length > 0 ? '1' : '7',
        byId: by.id,
        byName: by.name,
        groupName: by.groupName,
        opinion: problems.length > 0 ? `发现 ${problems.length} 个问题` : '未发现问题',
        at,
      },
      ...notices.flatMap((one) => one.rows.processLog ?? []),
    ],
  } as Rows
}

const noticeTables = ['rectify', 'rectifyLine', 'rectifyAnswer', 'rectifyReply', 'rectifyExtension', 'processTodo'] as const
const merged = (all: readonly Rows[]): Rows =>
  Object.fromEntries(noticeTables.map((table) => [table, all.flatMap((one): unknown[] => [...(one[table] ?? [])])])) as Rows

interface Noticing extends Pick<Telling, 'city' | 'actors' | 'now' | 'plan'> {
  age: number
  checkId: string
  state: ThemeProblem['state']
  problems: readonly ThemeProblem[]
  points: readonly Point[]
  number: (series: string) => string
  siteGroup: string
}
/** The notice of the problems that have come to one state. */
function noticeRows({ city, actors, now, plan, age, checkId, state, problems, points, number, siteGroup }: Noticing): Rows {
  const { projectCode } = projectOf(city, plan.site)
  const words = problems.map(
    (one): ProblemWords => ({
      scene: one.scene,
      category: '01',
      clause: null,
      place: one.object,
      description: one.note,
      requirement: points[one.point]?.requirement ?? '整改到位',
      measure: '已整改到位，复查合格',
      fault: '照片看不清整改结果',
    }),
  )
  const noticeStory = tell(
    city,
    actors,
    {
      site: plan.site,
      by: plan.by,
      age,
      due: state === '7' ? -age + 5 : 3,
      since: Math.max(1, age - 4),
      state,
      lines: words.length,
      noticeType: '2',
    },
    `theme ${plan.site} ${plan.title} ${state}`,
    now,
    words,
  )
  const rows = linked(
    rowsOf({ ...noticeStory, sourceType: inspectTypeFor(plan) }, number('AQ'), siteGroup, now),
    themePatrol.kind,
    checkId,
    undefined,
  )
  const photos = (i: number, when: 'before' | 'after') => [
    idOf(city.seed, 'rectifyPhoto', projectCode, problems[i]?.scene ?? 'stack', when),
  ]
  const lineIds = (rows.rectifyLine ?? []).map((one) => one.id)
  return {
    ...rows,
    rectifyLine: (rows.rectifyLine ?? []).map((one, i) => ({ ...one, photos: photos(i, 'before') })),
    rectifyAnswer: (rows.rectifyAnswer ?? []).map((one) => ({ ...one, photos: photos(Math.max(0, lineIds.indexOf(one.lineId)), 'after') })),
  }
}
