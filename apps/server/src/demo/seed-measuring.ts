import { judgeArea, pointResults, reaches, rounded, type Tolerance, tallyOf } from '@zhugong/contract/measuring/judge'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { taskKind, todosOfTask } from '#domains/measuring/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Row, Tables, Tx } from '#kit/db'
import { type Actor, actorsOf } from './actors.ts'
import { methods, stricter, type TaskPlan, taskPlans, templatePlans } from './measuring-plan.ts'
import { planRooms } from './media/floor-plan.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

type Rule = Insertable<Tables['measureRule']> & { id: string; itemCode: string }
type Point = Insertable<Tables['measurePoint']>
type Area = Insertable<Tables['measureArea']>
type Room = Pick<Row<'sitePlace'>, 'id' | 'name' | 'fullName'> & { floor: string; planId: string | null }

const hour = 3_600_000
const service = /楼梯间|管井/
/** Days before the demonstration on which the templates were written. */
const writtenDaysAgo = 150

/** Templates, tasks and some 20,000 points of two sites. */
export async function seedMeasuring(tx: Tx, city: City, now: number): Promise<void> {
  const people = await actorsOf(tx)
  const contractor = people.of('yunze-lu')
  if (!contractor) return
  const at = new Date(startOfDay(addDays(formatDay(now), -writtenDaysAgo)) + 9 * hour)
  await insertAll(
    tx,
    'measureTemplate',
    templatePlans.map(({ key, name, stage, targetRate }, i) => ({
      id: idOf(city.seed, 'measureTemplate', key),
      groupId: contractor.groupId,
      name,
      stage,
      targetRate,
      createBy: contractor.id,
      createTime: new Date(at.getTime() + i * hour),
    })),
  )
  const rules = new Map(templatePlans.map((plan) => [plan.key, rulesOf(city, plan, contractor, at)]))
  await insertAll(tx, 'measureRule', [...rules.values()].flat())
  const made: Made[] = []
  const numbers = new Map<string, number>()
  for (const [i, plan] of taskPlans.entries()) {
    const manager = people.of(`${plan.site}-pm`)
    const projectCode = city.personas.find((one) => one.account === `${plan.site}-pm`)?.projectCode
    const project = city.projects.find((one) => one.projectCode === projectCode)
    if (!manager || !project) continue
    const rooms = await roomsOf(tx, project.projectCode, plan)
    const no = (numbers.get(project.projectCode) ?? 0) + 1
    numbers.set(project.projectCode, no)
    const corp = plan.corp === 'contractor' ? project.contractorCorpCode : corpOf(city, plan.corp)
    made.push(
      taskOf({ city, plan, i, no, rooms, rules: rules.get(plan.template) ?? [], manager, projectCode: project.projectCode, corp, now }),
    )
  }
  await insertAll(
    tx,
    'measureTask',
    made.map((one) => one.task),
  )
  await insertAll(
    tx,
    'measureTaskPlace',
    made.flatMap((one) => one.places),
  )
  await insertAll(
    tx,
    'measureTaskItem',
    made.flatMap((one) => one.items),
  )
  await insertSet(
    tx,
    'measure_area',
    made.flatMap((one) => one.areas),
  )
  await insertSet(
    tx,
    'measure_point',
    made.flatMap((one) => one.points),
  )
  await insertAll(
    tx,
    'processLog',
    made.flatMap((one) => one.log),
  )
  await insertAll(
    tx,
    'processTodo',
    made.flatMap((one) => one.todos),
  )
  const year = Number(formatDay(now).slice(0, 4))
  await insertAll(
    tx,
    'documentNumber',
    [...numbers].map(([owner, last]) => ({ owner, docType: 'measureTask', year, last })),
  )
}

const corpOf = (city: City, key: TaskPlan['corp']): string | null => {
  const account = key === 'dingli' ? 'dingli-cheng' : undefined
  if (account) return city.personas.find((one) => one.account === account)?.corpCode ?? null
  return city.corporations.find((one) => one.corpName.includes('华安'))?.corpCode ?? null
}

/** Rows of one statement: ten thousand parameters a statement would take several times as long. */
async function insertSet(tx: Tx, table: 'measure_area' | 'measure_point', rows: readonly object[]): Promise<void> {
  const snake = (name: string) => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)
  const json = JSON.stringify(rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [snake(key), value]))))
  await sql`insert into ${sql.table(table)} select * from jsonb_populate_recordset(null::${sql.table(table)}, ${json}::jsonb)`.execute(tx)
}

function rulesOf(city: City, plan: (typeof templatePlans)[number], author: Actor, at: Date): Rule[] {
  const items = (dictionaryOf('measureItem')?.items ?? []).filter((one) => one.parent === plan.stage)
  const basis = (dictionaryOf('measureItem')?.items ?? []).find((one) => one.code === plan.stage)?.basis
  return items.map(({ code, name, min, max, absolute, range }) => {
    const own = stricter[code]
    const id = idOf(city.seed, 'measureRule', code)
    return {
      id,
      templateId: idOf(city.seed, 'measureTemplate', plan.key),
      groupId: author.groupId,
      itemCode: code,
      standardName: own?.standardName ?? name,
      baseValue: null,
      judgeStart: Number(min),
      judgeEnd: own?.judgeEnd ?? Number(max),
      isAbsolute: absolute === true,
      isRange: range === true,
      isCustomBase: absolute !== true,
      areaCount: plan.areas,
      pointCount: plan.points,
      method: methods[plan.stage] ?? null,
      norm: own ? `${String(basis)}；集团《实测实量内控标准》` : String(basis),
      forbidManual: own?.forbidManual ?? false,
      burstFactor: 1.5,
      originId: id,
      createBy: author.id,
      createTime: at,
    }
  })
}

async function roomsOf(tx: Tx, projectCode: string, { building, floors }: TaskPlan): Promise<Room[]> {
  const { rows } = await sql<Room>`select r.id, r.name, r.full_name, f.name as floor, n.id as plan_id from site_place r
    join site_place f on f.id = r.parent_id join site_place b on b.id = f.parent_id left join site_plan n on n.place_id = f.id and n.replaced_at is null
    where r.project_code = ${projectCode} and b.name = ${building} and f.name = any (${floors.map((n) => `${n}层`)}) and r.kind = 'room'
    order by f.seq, r.seq`.execute(tx)
  return rows.filter((one) => !service.test(one.name))
}

interface Given {
  city: City
  plan: TaskPlan
  i: number
  no: number
  rooms: readonly Room[]
  rules: readonly Rule[]
  manager: Actor
  projectCode: string
  corp: string | null
  now: number
}
interface Made {
  task: Insertable<Tables['measureTask']>
  places: Insertable<Tables['measureTaskPlace']>[]
  items: Insertable<Tables['measureTaskItem']>[]
  areas: Area[]
  points: Point[]
  log: Insertable<Tables['processLog']>[]
  todos: ReturnType<typeof todoRows>
}

function taskOf(given: Given): Made {
  const { city, plan, i, no, rooms, rules, manager, projectCode, corp, now } = given
  const id = idOf(city.seed, 'measureTask', i)
  const today = formatDay(now)
  const template = templatePlans.find((one) => one.key === plan.template)
  const submitted = ['4', '5', '6'].includes(plan.state)
  const at = new Date(Math.min(startOfDay(addDays(today, -Math.max(plan.age, 0))) + 9 * hour, now - 2 * hour))
  const created = new Date(at.getTime() - 3 * 24 * hour)
  const { areas, points } = measure(given, id, at)
  const judged = points.filter((one) => one.result)
  const final = judged.map((one) => ({ result: one.retestResult ?? one.result ?? pointResults.passed }))
  const tally = tallyOf(final)
  // The plan says how it ended: a task that is done has reached its target.
  const state =
    submitted && plan.state !== '6' ? plan.state : plan.state === '6' && !reaches(tally, template?.targetRate ?? 90) ? '4' : plan.state
  const floors = plan.floors.length > 1 ? `${plan.floors[0]}～${plan.floors.at(-1)}层` : `${plan.floors[0]}层`
  const fixed = plan.state === '5'
  const task = {
    id,
    projectCode,
    corpCode: corp,
    shownAt: created,
    groups: [manager.groupId],
    taskNo: `CL-${today.slice(0, 4)}-${String(no).padStart(4, '0')}`,
    taskName: `${template?.name ?? ''}实测 ${plan.building} ${floors}`,
    checkType: i % 9 === 0 ? '1' : '2',
    templateId: idOf(city.seed, 'measureTemplate', plan.template),
    templateName: template?.name ?? '',
    templateRevision: 1,
    targetRate: template?.targetRate ?? 90,
    placeName: `${plan.building} / ${floors}（${rooms.length} 处）`,
    placeCount: rooms.length,
    authorGroup: manager.groupId,
    authorGroupName: manager.groupName,
    memberId: manager.id,
    memberName: manager.name,
    memberGroup: manager.groupId,
    deadline: submitted ? formatDay(at.getTime() + 24 * hour) : addDays(today, -plan.age),
    totalItems: rules.length,
    totalPoints: rooms.length * rules.reduce((sum, one) => sum + one.areaCount * one.pointCount, 0),
    currentPoints: tally.measured,
    qualifiedPoints: tally.passed,
    burstPoints: tally.burst,
    firstQualified: judged.filter((one) => one.result === pointResults.passed).length,
    instrumentNo: 'LS-2208',
    checkTime: submitted ? at : null,
    fixBy: fixed ? 'demo' : null,
    fixNote: fixed ? '不合格测点已剔凿修补，养护后自检合格' : null,
    state,
    createBy: manager.id,
    createTime: created,
  } satisfies Insertable<Tables['measureTask']>
  const of = { taskId: id, projectCode, corpCode: corp }
  const disclosed = { projectCode, corpCode: corp, shownAt: created, groups: [manager.groupId] }
  const steps: [action: string, from: string | null, to: string, days: number, opinion: string | null][] = [
    plan.state === '3' ? ['own', null, '3', 0, null] : ['create', null, '1', 0, null],
    ...(Number(state) >= 2 && state !== '3' ? ([['start', '1', '2', 2, null]] as never[]) : []),
    ...(submitted
      ? ([
          [
            'submit',
            '2',
            fixed ? '4' : state,
            3,
            `已测 ${tally.measured} 点，合格 ${tally.passed} 点${tally.burst ? `，爆点 ${tally.burst} 个` : ''}`,
          ],
        ] as never[])
      : []),
    ...(fixed ? ([['fix', '4', '5', 4, '不合格测点已剔凿修补，养护后自检合格']] as never[]) : []),
  ]
  return {
    task,
    places: rooms.map((room, seq) => ({ ...of, placeId: room.id, seq })),
    items: rules.map((rule, n) => ({ ...of, ...itemOf(rule), no: n + 1 })),
    areas,
    points,
    log: steps.map(([action, from, to, days, opinion], n) => ({
      id: idOf(id, 'step', String(n)),
      kind: taskKind.kind,
      objectId: id,
      ...disclosed,
      action,
      fromState: from,
      toState: to,
      byId: manager.id,
      byName: manager.name,
      groupName: manager.groupName,
      opinion,
      at: new Date(Math.min(created.getTime() + days * 24 * hour, now - hour)),
    })),
    todos: todoRows(taskKind.kind, { id, ...disclosed }, todosOfTask(task), at, now),
  }
}

const itemOf = (rule: Rule) => ({
  ruleId: rule.id,
  originId: rule.originId,
  revision: 1,
  itemCode: rule.itemCode,
  standardName: rule.standardName,
  baseValue: rule.baseValue,
  judgeStart: rule.judgeStart,
  judgeEnd: rule.judgeEnd,
  isAbsolute: rule.isAbsolute,
  isRange: rule.isRange,
  isCustomBase: rule.isCustomBase,
  areaCount: rule.areaCount,
  pointCount: rule.pointCount,
  method: rule.method,
  forbidManual: rule.forbidManual ?? false,
  burstFactor: rule.burstFactor ?? 1.5,
})

/** Measured values of a task: a running one has its first rooms only. */
function measure(
  { city, plan, rooms, rules, manager, projectCode, corp }: Given,
  taskId: string,
  at: Date,
): { areas: Area[]; points: Point[] } {
  const random = stream(city.seed, 'measure', taskId)
  const areas: Area[] = []
  const points: Point[] = []
  const measured = plan.state === '1' ? 0 : plan.state === '2' || plan.state === '3' ? Math.ceil(rooms.length / 2) : rooms.length
  let bursts = plan.burst
  for (const [r, room] of rooms.slice(0, measured).entries())
    for (const [n, rule] of rules.entries())
      for (let areaNo = 1; areaNo <= rule.areaCount; areaNo++) {
        const id = idOf(taskId, room.id, String(n), String(areaNo))
        const designValue = rule.isCustomBase ? (sizes[rule.itemCode] ?? 200) : null
        const isBurst = bursts > 0 && areaNo === 1 && !rule.isRange && random.int(0, 5) === 0
        if (isBurst) bursts--
        const values = valuesOf(rule, designValue, plan.weak, isBurst, random)
        const rule_: Tolerance = { ...itemOf(rule), baseValue: null }
        const verdicts = judgeArea(rule_, designValue, values)
        areas.push({
          id,
          taskId,
          projectCode,
          corpCode: corp,
          placeId: room.id,
          itemNo: n + 1,
          areaNo,
          designValue,
          ...pinOf(room, n, areaNo, rules.length),
        })
        for (const [p, value] of values.entries()) {
          const verdict = verdicts[p]
          const isBad = verdict?.result === pointResults.burst
          // What was done after the first measurement: most failed points of a finished task were mended and measured again.
          const again = plan.state === '6' && !rule.isRange && verdict && verdict.result !== pointResults.passed && random.int(0, 9) < 7
          points.push({
            id: idOf(id, String(p)),
            areaId: id,
            taskId,
            projectCode,
            corpCode: corp,
            placeId: room.id,
            itemCode: rule.itemCode,
            areaNo,
            pointNo: p + 1,
            value,
            deviation: verdict?.deviation ?? null,
            result: verdict?.result ?? null,
            retest: again ? rounded((designValue ?? 0) + rule.judgeEnd * 0.5) : null,
            retestResult: again ? pointResults.passed : null,
            photos: isBad ? [idOf(city.seed, 'rectifyPhoto', projectCode, photoScene, 'before')] : [],
            measurer: manager.name,
            instrumentNo: 'LS-2208',
            at: new Date(at.getTime() - (rooms.length - r) * 5 * 60_000),
            retestAt: again ? new Date(at.getTime() + 20 * hour) : null,
          })
        }
      }
  return { areas, points }
}
const photoScene = 'wall'

/** Sizes of the drawing by item, where a deviation is measured from one. */
const sizes: Readonly<Record<string, number>> = { 101: 300, 105: 2900, 109: 120, 205: 2100, 306: 3600, 307: 2750 }

function valuesOf(rule: Rule, designValue: number | null, weak: number, isBurst: boolean, random: ReturnType<typeof stream>): number[] {
  const base = designValue ?? 0
  const { judgeStart: low, judgeEnd: high } = rule
  const step = high < 1 ? 0.1 : 0.5
  const onStep = (value: number) => rounded(Math.round(value / step) * step)
  // A spread fails as a whole, so its share of failures is that of a point.
  const fails = (share: number) => random.int(0, 999) < share * 10
  if (rule.isRange) {
    const spread = fails(weak) ? high * 1.2 : high * random.float(0.3, 0.95)
    return Array.from({ length: rule.pointCount }, (_, i) => (i === 0 ? 0 : i === 1 ? onStep(spread) : onStep(spread * random.float(0, 1))))
  }
  return Array.from({ length: rule.pointCount }, (_, i) => {
    if (isBurst && i === 0) return rounded(base + onStep(high * 1.8))
    if (fails(weak)) return rounded(base + onStep(high * random.float(1.1, 1.45)))
    return rounded(base + onStep(Math.max(low, 0) + random.float(low < 0 ? low * 0.8 : 0, high * 0.9)))
  })
}

/** A point within the room on the plan of its floor. */
function pinOf(room: Room, n: number, areaNo: number, items: number): Pick<Area, 'planId' | 'pinX' | 'pinY'> {
  const boxes = { ...planRooms.homes, ...planRooms.halls }
  const box = boxes[Object.keys(boxes).find((name) => room.name.endsWith(name)) ?? '']
  if (!box || room.planId === null) return { planId: null, pinX: null, pinY: null }
  const [left, top, right, bottom] = box
  return {
    planId: room.planId,
    pinX: Math.round((left + (right - left) * (0.2 + (0.6 * n) / Math.max(1, items - 1))) * 1000) / 1000,
    pinY: Math.round((top + (bottom - top) * (areaNo === 1 ? 0.3 : 0.7)) * 1000) / 1000,
  }
}
