import { scoreCivil } from '@zhugong/contract/civil/score'
import { itemResults } from '@zhugong/contract/scoring/score'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { civilPatrol, standardItems } from '#domains/civil/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { cityRules, extras, type FailPlan, halfWalk, pointPlans, type WalkPlan, walkPlans } from './civil-plan.ts'
import type { ProblemWords } from './rectify-problems.ts'
import { actorOf, linked, type Numbers, numbersFrom, projectOf } from './seed-checks.ts'
import { type Actors, actorsOf, type Rows, rowsOf, tell } from './seed-rectify.ts'
import { insertAll, inserterOf } from './seed-trade.ts'

const hour = 3_600_000
/** Days before the demonstration on which the standard and the points were made. */
const madeDaysAgo = 180

/** The city's standard, the extras of the main site, its points and monthly walks past them. */
export async function seedCivil(tx: Tx, city: City, now: number): Promise<void> {
  const actors = await actorsOf(tx)
  const groups = await tx.selectFrom('tenant').select(['id', 'code', 'type', 'name']).execute()
  const codeOf = new Map(groups.map((one) => [one.id, one.code]))
  const siteGroup = (projectCode: string) => groups.find((one) => one.type === 3 && one.code === projectCode)?.id ?? ''
  const made = new Date(startOfDay(addDays(formatDay(now), -madeDaysAgo)) + 10 * hour)
  const office = actorOf(actors, 'city-fang')
  const area = await tx
    .selectFrom('government')
    .select('areaCode')
    .where('govCode', '=', codeOf.get(office.groupId) ?? '')
    .executeTakeFirst()
  const version: Insertable<Tables['civilVersion']> = {
    id: idOf(city.seed, 'civilVersion', '2026'),
    groupId: office.groupId,
    owner: 'government',
    ownerCode: codeOf.get(office.groupId) ?? '',
    groupName: office.groupName,
    areaCode: area?.areaCode ?? null,
    name: '市文明施工检查标准 2026 版',
    effectiveFrom: addDays(formatDay(now), -madeDaysAgo),
    issuedAt: made,
    issuedBy: office.name,
    createBy: office.id,
    createTime: made,
  }
  const hospital = projectOf(city, 'hospital')
  const picture = (scene: string, when: 'before' | 'after') => idOf(city.seed, 'rectifyPhoto', hospital.projectCode, scene, when)
  const fences = {
    good: [picture('rail', 'after'), picture('passage', 'after')],
    bad: [picture('rail', 'before'), picture('soil', 'before'), picture('stack', 'before')],
  }
  const ofCity = standardItems.map(
    ({ itemCode, name, part, maxScore }): Insertable<Tables['civilItem']> => ({
      id: idOf(city.seed, 'civilItem', itemCode),
      groupId: office.groupId,
      owner: 'government',
      ownerCode: version.ownerCode,
      versionId: version.id,
      itemCode,
      part,
      name,
      maxScore: cityRules[itemCode]?.marks ?? maxScore,
      rule: cityRules[itemCode]?.rule ?? '不符合要求每处扣 1 分，扣完为止',
      requirement: cityRules[itemCode]?.requirement ?? null,
      clause: 'JGJ 59-2011 第 3.2 节 文明施工',
      phases: part === '05' ? ['1', '2', '3', '4'] : [],
      ...(itemCode === 'C0101' ? fences : {}),
      supersededAt: null,
      createBy: office.id,
      createTime: made,
    }),
  )
  const manager = actorOf(actors, 'hospital-pm')
  const own = extras.map(
    ({ part, name, maxScore, requirement, rule }, i): Insertable<Tables['civilItem']> => ({
      id: idOf(city.seed, 'civilExtra', String(i)),
      groupId: manager.groupId,
      owner: 'project',
      ownerCode: hospital.projectCode,
      versionId: null,
      itemCode: `C${part}-P1`,
      part,
      name,
      maxScore,
      requirement,
      rule,
      clause: null,
      supersededAt: null,
      createBy: manager.id,
      createTime: made,
    }),
  )
  await insertAll(tx, 'civilVersion', [version])
  await insertAll(tx, 'civilItem', [...ofCity, ...own])
  const known = await sql<{ id: string }>`select id from site_place`.execute(tx)
  const places = new Set(known.rows.map((one) => one.id))
  const sites = [...new Set(walkPlans.map((one) => one.site))]
  await insertAll(
    tx,
    'civilPoint',
    sites.flatMap((site) => pointRows(city, site, places, manager.id, made)),
  )
  const numbers = await numbersFrom(tx)
  const items = (site: string) => [...ofCity, ...(site === 'hospital' ? own : [])].sort((a, b) => a.itemCode.localeCompare(b.itemCode))
  const common = { city, actors, now, numbers, siteGroup, version }
  const walks = walkPlans.toSorted((a, b) => b.age - a.age).map((plan) => walkRows({ ...common, plan, items: items(plan.site) }))
  const rows = [
    ...walks,
    walkRows({ ...common, plan: { ...halfWalk, age: 0, fails: [] }, items: items(halfWalk.site), done: halfWalk.done }),
  ]
  const put = inserterOf(tx, rows)
  for (const table of tables) await put(table)
  await numbers.store()
}
const tables = [
  'siteCheck',
  'checkScore',
  'checkCategory',
  'checkSheet',
  'checkResult',
  'civilWalk',
  'civilShot',
  'rectify',
  'rectifyLine',
  'rectifyAnswer',
  'rectifyReply',
  'rectifyExtension',
  'siteCheckProblem',
  'processLog',
  'processTodo',
] as const

const pointId = (city: City, projectCode: string, name: string) => idOf(city.seed, 'civilPoint', projectCode, name)

function pointRows(city: City, site: string, places: ReadonlySet<string>, by: string, at: Date): Insertable<Tables['civilPoint']>[] {
  const { projectCode } = projectOf(city, site)
  return pointPlans.map(({ name, area, place, at: spot, items }, i) => {
    const named = place === null ? null : idOf(city.seed, 'place', projectCode, place)
    const placeId = named !== null && places.has(named) ? named : null
    const [x, y] = placeId === null || spot === null ? [null, null] : spot
    const planId = x === null ? null : idOf(idOf(city.seed, 'place', projectCode, '基坑'), 'plan')
    return {
      id: pointId(city, projectCode, name),
      projectCode,
      corpCode: null,
      seq: i + 1,
      name,
      area,
      placeId,
      planId,
      pinX: x,
      pinY: y ?? null,
      itemCodes: [...items],
      createBy: by,
      createTime: at,
    }
  })
}

interface Telling {
  city: City
  actors: Actors
  now: number
  numbers: Numbers
  siteGroup: (projectCode: string) => string
  version: Insertable<Tables['civilVersion']>
  plan: WalkPlan
  items: readonly Insertable<Tables['civilItem']>[]
  /** Of a walk that goes on: how many points are done. */
  done?: number
}
/** Of several notices the walk has the state of the least advanced. */
const order = ['1', '2', '3', '6', '4', '5', '7']

function walkRows({ city, actors, now, numbers, siteGroup, version, plan, items, done }: Telling): Rows {
  const project = projectOf(city, plan.site)
  const { projectCode } = project
  const by = actorOf(actors, plan.by)
  const id = idOf(city.seed, 'walk', plan.site, String(plan.age))
  const isDraft = done !== undefined
  const at = isDraft ? new Date(now - 2 * hour) : new Date(startOfDay(addDays(formatDay(now), -plan.age)) + 15 * hour)
  const shownAt = isDraft ? null : at
  const disclosed = { projectCode, corpCode: null, shownAt, groups: [by.groupId] }
  const number = (series: string) => {
    const { year, no } = numbers.next(projectCode, series, at)
    return `${project.shortName}-${series}-${year}-${String(no).padStart(3, '0')}`
  }
  const picture = (scene: string, when: 'before' | 'after') => idOf(city.seed, 'rectifyPhoto', projectCode, scene, when)
  const points = pointPlans.slice(0, done ?? pointPlans.length).map((point, seq) => {
    const fails = plan.fails.filter((one) => one.point === point.name)
    return {
      ...point,
      seq,
      fails,
      skipped: plan.skipped?.[point.name] ?? null,
      sheetId: idOf(id, 'sheet', point.name),
      items: items.filter((one) => point.items.includes(one.itemCode)),
    }
  })
  const failOf = (point: (typeof points)[number], itemCode: string) => point.fails.find((one) => one.item === itemCode)
  const results = points.flatMap((point) =>
    point.items.map((item, seq): Insertable<Tables['checkResult']> => {
      const fail = failOf(point, item.itemCode)
      return {
        sheetId: point.sheetId,
        itemCode: item.itemCode,
        checkId: id,
        ...disclosed,
        seq,
        itemId: item.id,
        name: item.name,
        maxScore: item.maxScore,
        guarantee: false,
        clause: item.clause ?? null,
        rule: item.rule ?? null,
        result: point.skipped ? itemResults.unchecked : fail ? itemResults.wrong : itemResults.right,
        deduction: fail ? Math.min(fail.deduction, item.maxScore) : 0,
        note: fail?.note ?? null,
        reason: null,
      }
    }),
  )
  const score = scoreCivil(
    points.map((point) => ({
      area: point.area,
      skipped: point.skipped !== null,
      items: results
        .filter((one) => one.sheetId === point.sheetId)
        .map(({ maxScore, result, deduction }) => ({ maxScore, result: result ?? '4', deduction: deduction ?? 0 })),
    })),
  )
  const notices = isDraft ? [] : noticesOf({ city, actors, now, plan, id, number, siteGroup: siteGroup(projectCode), picture })
  const problems = notices.flatMap(({ rows, fails }) =>
    (rows.rectifyLine ?? []).map((line, i) => ({ line, fail: fails[i] as FailPlan, deadline: rows.rectify?.[0]?.deadline ?? '' })),
  )
  const state = isDraft ? '0' : (order.find((one) => notices.some(({ rows }) => rows.rectify?.[0]?.state === one)) ?? '7')
  const check: Insertable<Tables['siteCheck']> = {
    id,
    kind: civilPatrol.kind,
    code: isDraft ? null : number(civilPatrol.series),
    ...disclosed,
    checkerGroup: by.groupId,
    checkerGroupName: by.groupName,
    checkerId: by.id,
    inspectType: plan.by.endsWith('-jl') ? '13' : '12',
    checkTime: at,
    checkers: [by.name],
    part: '全场',
    remark: null,
    dangerLevel: problems.length > 0 ? '1' : null,
    problemCount: problems.length,
    state,
    version: 1,
    createBy: by.id,
    createTime: at,
    updateBy: by.id,
    updateTime: at,
  }
  const log = {
    id: idOf(id, 'step'),
    kind: civilPatrol.kind,
    objectId: id,
    ...disclosed,
    action: isDraft ? 'create' : 'submit',
    fromState: isDraft ? null : '0',
    toState: isDraft ? '0' : problems.length > 0 ? '1' : '7',
    byId: by.id,
    byName: by.name,
    groupName: by.groupName,
    opinion: isDraft ? null : `得分 ${score.score ?? 0}`,
    at,
  }
  return {
    siteCheck: [check],
    checkScore: [
      {
        checkId: id,
        ...disclosed,
        score: isDraft ? null : score.score,
        grade: null,
        reason: isDraft ? null : `应得 ${score.full} 分，实得 ${score.got} 分`,
        weakest: null,
      },
    ],
    checkCategory: isDraft
      ? []
      : score.areas.flatMap(({ code, got, full, score: own }) =>
          own === null
            ? []
            : [
                {
                  checkId: id,
                  ...disclosed,
                  category: code,
                  weight: Math.round((full / score.full) * 100),
                  score: own,
                  points: Math.round((got / score.full) * 10_000) / 100,
                },
              ],
        ),
    checkSheet: points.map((point) => ({
      id: point.sheetId,
      checkId: id,
      taskId: null,
      ...disclosed,
      seq: point.seq,
      sheetCode: `C-${point.area}`,
      label: point.name,
      category: `C-${point.area}`,
      assignee: null,
      notApplicable: point.skipped,
      savedBy: by.name,
      savedAt: at,
      version: 1,
    })),
    checkResult: results,
    civilWalk: [{ checkId: id, ...disclosed, versionId: version.id, versionName: version.name }],
    civilShot: points.map((point) => ({
      sheetId: point.sheetId,
      checkId: id,
      pointId: pointId(city, projectCode, point.name),
      ...disclosed,
      photos: point.skipped ? [] : [picture(point.scene, point.fails.length > 0 ? 'before' : 'after')],
      note: null,
    })),
    ...merged(notices.map((one) => one.rows)),
    siteCheckProblem: problems.map(({ line, fail, deadline }, i) => ({
      id: idOf(id, 'problem', String(i)),
      checkId: id,
      projectCode,
      corpCode: line.corpCode,
      shownAt,
      groups: disclosed.groups,
      seq: i + 1,
      description: line.description,
      part: fail.point,
      placeId: null,
      itemCode: fail.item,
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
    processLog: [log, ...notices.flatMap((one) => one.rows.processLog ?? [])],
  } as Rows
}

const noticeTables = ['rectify', 'rectifyLine', 'rectifyAnswer', 'rectifyReply', 'rectifyExtension', 'processTodo'] as const
const merged = (all: readonly Rows[]): Rows =>
  Object.fromEntries(noticeTables.map((table) => [table, all.flatMap((one): unknown[] => [...(one[table] ?? [])])])) as Rows

interface Noticing extends Pick<Telling, 'city' | 'actors' | 'now' | 'plan'> {
  id: string
  number: (series: string) => string
  siteGroup: string
  picture: (scene: string, when: 'before' | 'after') => string
}
/** The failed items by the state of their notices. */
function noticesOf({ city, actors, now, plan, id, number, siteGroup, picture }: Noticing): { rows: Rows; fails: readonly FailPlan[] }[] {
  return [...Map.groupBy(plan.fails, (one) => one.state)].map(([state, fails]) => {
    const sceneOf = (fail: FailPlan) => pointPlans.find((one) => one.name === fail.point)?.scene ?? 'stack'
    const words = fails.map(
      (fail): ProblemWords => ({
        scene: sceneOf(fail),
        category: '05',
        clause: null,
        place: fail.point,
        description: fail.note,
        requirement: '恢复到标准要求，同点位拍照回复',
        measure: '已整改到位并在同一点位复拍',
        fault: '照片不是同一点位',
      }),
    )
    const common = tell(
      city,
      actors,
      {
        site: plan.site,
        by: plan.by,
        age: plan.age,
        due: state === '7' ? -plan.age + 5 : 3,
        since: Math.max(1, plan.age - 4),
        state,
        lines: words.length,
        noticeType: '2',
      },
      `walk ${plan.site} ${plan.age} ${state}`,
      now,
      words,
    )
    const rows = linked(
      rowsOf({ ...common, sourceType: plan.by.endsWith('-jl') ? '13' : '12' }, number('AQ'), siteGroup, now),
      civilPatrol.kind,
      id,
      undefined,
    )
    const photos = (i: number, when: 'before' | 'after') => [picture(sceneOf(fails[i] as FailPlan), when)]
    const lineIds = (rows.rectifyLine ?? []).map((one) => one.id)
    return {
      fails,
      rows: {
        ...rows,
        rectifyLine: (rows.rectifyLine ?? []).map((one, i) => ({ ...one, photos: photos(i, 'before') })),
        rectifyAnswer: (rows.rectifyAnswer ?? []).map((one) => ({
          ...one,
          photos: photos(Math.max(0, lineIds.indexOf(one.lineId)), 'after'),
        })),
      },
    }
  })
}
