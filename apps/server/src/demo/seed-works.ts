import type { WorkAction, WorkState } from '@zhugong/contract/works/moves'
import { needsMonitor, sizeKeys } from '@zhugong/contract/works/scale'
import type { City } from '@zhugong/simulator/city-types'
import { drawFile } from '@zhugong/simulator/pictures'
import { idOf, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { contentHash } from '#domains/process/public'
import { type Work, workKind, workSeats } from '#domains/works/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Row, Tables, Tx } from '#kit/db'
import { type Actor, actorsOf } from './actors.ts'
import { drawnName } from './drawn-name.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'
import { type WorkPlan, workPlans } from './works-plan.ts'

type Review = Pick<Row<'expertActivity'>, 'id' | 'title' | 'date' | 'result' | 'conclusion' | 'report' | 'aboutProject'>
type Step = { action: WorkAction | 'create'; from: WorkState | null; to: WorkState; by: Actor; at: Date; opinion: string | null }
type Made = { row: Insertable<Tables['bigproject']>; steps: Step[]; people: Insertable<Tables['bigprojectPerson']>[] }

const hour = 3_600_000
const techLead = '余志强'
const projectTech = '冯建业'
const foreman = '刘铁柱'

/** Dangerous works of six sites with their history, signatures and devices. The experts' activities exist already. */
export async function seedWorks(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const people = await actorsOf(tx)
  const reviews = await sql<Review>`select id, title, date, result, conclusion, report, about_project from expert_activity
    where activity_type = '1' and over_scale and result in ('passed', 'changed') and state in ('3', '4') order by date`.execute(tx)
  const drawn: Drawn[] = []
  const numbers = new Map<string, number>()
  const sub = city.personas.find((one) => one.account === 'dingli-cheng')?.corpCode
  for (const plan of [...workPlans].sort((a, b) => b.age - a.age)) {
    const projectCode = city.personas.find((one) => one.account === `${plan.site}-pm`)?.projectCode
    const project = city.projects.find((one) => one.projectCode === projectCode)
    const manager = people.of(`${plan.site}-pm`)
    if (!project || !manager) continue
    const id = idOf(city.seed, 'bigproject', plan.site, plan.name)
    const paper = { id: idOf(id, 'plan'), name: `${plan.name}专项施工方案.png`, mime: 'image/png' as const }
    const lines = [project.shortName, plan.part, '编制、审核、审批签字盖章']
    drawn.push(await keepFile(folder, project.projectCode, paper, drawFile({ ...paper, kind: 'licence', title: '专项施工方案', lines })))
    const year = addDays(formatDay(now), -plan.age).slice(0, 4)
    const series = `${project.projectCode}/WD/${year}`
    const no = (numbers.get(series) ?? 0) + 1
    numbers.set(series, no)
    const made = rowsOf({
      id,
      plan,
      code: `${project.shortName}-WD-${year}-${String(no).padStart(3, '0')}`,
      projectCode: project.projectCode,
      contractor: project.contractorCorpCode,
      sub: plan.bySub ? (sub ?? null) : null,
      manager,
      supervisor: people.of(`${plan.site}-jl`) ?? manager,
      review: reviews.rows.find((one) => one.aboutProject === project.projectCode && plan.review && one.title.startsWith(plan.review)),
      paper: paper.id,
      photo: (scene) => idOf(city.seed, 'rectifyPhoto', project.projectCode, scene, 'after'),
      now,
    })
    await put(tx, city, plan, made, now)
  }
  await keepAll(tx, drawn)
  await insertAll(
    tx,
    'documentNumber',
    [...numbers].map(([series, last]) => {
      const [owner = '', docType = '', y = ''] = series.split('/')
      return { owner, docType, year: Number(y), last }
    }),
  )
}

interface WorkStory {
  id: string
  plan: WorkPlan
  code: string
  projectCode: string
  contractor: string
  sub: string | null
  manager: Actor
  supervisor: Actor
  review: Review | undefined
  paper: string
  photo: (scene: string) => string
  now: number
}

/** The steps to the state of the plan, spread over the days since it was registered; the work begins on its planned day. */
function stepsOf({ plan, manager, supervisor, review, now }: WorkStory): Step[] {
  const today = formatDay(now)
  const reached = Number(plan.state)
  const isOver = ['103', '203', '205', '304', '408', '707'].includes(plan.category)
  const wayHome: [Step['action'], WorkState | null, WorkState, Actor, string | null][] = [
    ['create', null, '0', manager, null],
    ['plan', '0', '1', manager, null],
    ['submit', '1', '2', manager, null],
    ['pass', '2', isOver ? '3' : '5', supervisor, '计算书完整，同意'],
    ...(isOver
      ? ([
          [
            'review',
            '3',
            plan.state === '4' ? '4' : review?.result === 'changed' ? '3' : '5',
            manager,
            plan.state === '4' ? '不通过：单点荷载取值偏小，支撑布置须重新计算' : (review?.conclusion ?? null),
          ],
          ...(review?.result === 'changed'
            ? ([
                ['revise', '3', '3', manager, '已按专家意见逐条修改，修改处加云线'],
                ['passRevised', '3', '5', supervisor, '修改到位，同意'],
              ] as const)
            : []),
        ] as never[])
      : []),
    ['start', '5', '6', manager, plan.early === undefined ? null : '登记时已开工'],
    ['finish', '6', '7', manager, null],
    ['accept', '7', '8', supervisor, '验收合格，同意进入下道工序'],
    ['close', '8', '9', manager, null],
  ]
  const last =
    plan.state === '3' ? wayHome.findIndex(([action]) => action === 'pass') : wayHome.findLastIndex(([, , to]) => to === plan.state)
  const taken = wayHome.slice(0, last + 1)
  const startsAt = reached >= 6 ? plan.start : -1
  const before = taken.filter(([action]) => !['start', 'finish', 'accept', 'close'].includes(action)).length
  return taken.map(([action, from, to, by, opinion], i) => {
    const day =
      i < before
        ? -plan.age + Math.floor(((plan.age + Math.min(startsAt, -1)) * i) / Math.max(1, before))
        : action === 'start'
          ? plan.start
          : Math.min(plan.end + (i - before), -1)
    return { action, from, to, by, at: new Date(Math.min(startOfDay(addDays(today, day)) + (9 + (i % 8)) * hour, now - hour)), opinion }
  })
}

function rowsOf(told: WorkStory): Made {
  const { id, plan, code, projectCode, contractor, sub, manager, review, paper, photo, now } = told
  const steps = stepsOf(told)
  const today = formatDay(now)
  const reached = (state: number) => Number(plan.state) >= state && plan.state !== '4'
  const passed = steps.findLast((one) => one.to === '5')
  const started = steps.find((one) => one.action === 'start')
  const finished = steps.find((one) => one.action === 'finish')
  const accepted = steps.find((one) => one.action === 'accept')
  const since = steps.findLast((one) => one.from !== one.to)?.at ?? new Date(now)
  const corpCode = sub ?? contractor
  const disclosed = { projectCode, corpCode, shownAt: steps[0]?.at ?? new Date(now), groups: [manager.groupId] }
  const dayOf = (at: Date | undefined) => (at ? formatDay(at) : null)
  const isOver = steps.some((one) => one.to === '3')
  const changed = review?.result === 'changed' && steps.some((one) => one.action === 'revise')
  const told5 = reached(6) || (plan.state === '5' && plan.site === 'hospital')
  const row: Made['row'] = {
    id,
    code,
    ...disclosed,
    name: plan.name,
    category: plan.category,
    overScale: isOver,
    riskLevel: plan.riskLevel,
    unitId: null,
    placeId: null,
    part: plan.part,
    ...(Object.fromEntries(Object.keys(sizeKeys).map((key) => [key, plan.sizes[key as keyof typeof sizeKeys] ?? null])) as Record<
      keyof typeof sizeKeys,
      number | null
    >),
    constructionCorp: contractor,
    subCorp: sub,
    planStartDate: addDays(today, plan.start),
    planEndDate: addDays(today, plan.end),
    actualStartDate: plan.early === undefined ? dayOf(started?.at) : addDays(today, plan.early),
    actualEndDate: dayOf(finished?.at),
    planName: Number(plan.state) >= 1 ? `${plan.name}专项施工方案` : null,
    planFiles: Number(plan.state) >= 1 ? [paper] : [],
    planPassDate: dayOf(passed?.at),
    activityId: review && steps.some((one) => one.action === 'review') ? review.id : null,
    reviewDate: steps.some((one) => one.action === 'review')
      ? (review?.date ?? dayOf(steps.find((one) => one.action === 'review')?.at))
      : null,
    reviewResult:
      plan.state === '4' ? 'failed' : steps.some((one) => one.action === 'review') ? ((review?.result as 'passed') ?? null) : null,
    reviewReport: review?.report ?? null,
    reviewConclusion: plan.state === '4' ? '单点荷载取值偏小，支撑布置须重新计算' : (review?.conclusion ?? null),
    revisionNote: changed ? '已按专家意见逐条修改，修改处加云线' : null,
    revisionFiles: changed ? [paper] : [],
    disclosureDate: told5 ? dayOf(passed?.at) : null,
    discloser: told5 ? techLead : null,
    disclosureText: told5 ? `按${plan.name}专项施工方案交底：工序、限值、监测报警值和应急措施` : null,
    warnPhotos: told5 ? [photo('passage')] : [],
    monitorOrg: told5 && (needsMonitor(plan.category) || plan.monitorOrg) ? (plan.monitorOrg ?? '江城岩土工程勘察院') : null,
    monitorFiles: told5 && needsMonitor(plan.category) ? [paper] : [],
    acceptDate: dayOf(accepted?.at) ?? (plan.state === '7' ? addDays(today, -1) : null),
    acceptPhotos: reached(7) ? [photo('tie')] : [],
    state: plan.state,
    stateSince: since,
    version: steps.length,
    createBy: manager.id,
    createTime: steps[0]?.at ?? new Date(now),
    updateBy: manager.id,
    updateTime: steps.at(-1)?.at ?? new Date(now),
  }
  const person = (kind: 'receiver' | 'inspector', seq: number, name: string, post: string) => ({
    id: idOf(id, kind, String(seq)),
    workId: id,
    ...disclosed,
    kind,
    seq,
    name,
    post,
  })
  const people = told5
    ? [
        person('receiver', 1, foreman, '架子班班组长'),
        person('receiver', 2, '陈国栋', '施工员'),
        person('receiver', 3, '马长生', '钢筋班班组长'),
        person('inspector', 1, '孙立明', '安全员'),
        person('inspector', 2, told.supervisor.name, '监理'),
      ]
    : []
  return { row, steps, people }
}

async function put(tx: Tx, city: City, plan: WorkPlan, { row, steps, people }: Made, now: number): Promise<void> {
  await tx.insertInto('bigproject').values(row).execute()
  await insertAll(tx, 'bigprojectPerson', people)
  const { projectCode, corpCode, shownAt = null, groups, id } = row
  const disclosed = { projectCode, corpCode, shownAt, groups }
  if (plan.watchedBy && Number(plan.state) >= 5)
    await sql`insert into bigproject_device (work_id, device_id, project_code, corp_code, shown_at, groups)
      select ${id}, d.id, d.project_code, ${corpCode}, ${shownAt}::timestamptz, ${groups}::text[] from device d
      where d.project_code = ${projectCode} and d.family = ${plan.watchedBy} and d.status = '1' order by d.name, d.id limit 3`.execute(tx)
  if (plan.notice)
    await sql`update rectify set source_kind = 'bigproject', source_id = ${id} where id = (select id from rectify where project_code = ${projectCode}
      and origin = 'gov' and state in ('2', '3', '4', '6') and source_id is null order by issue_time desc limit 1)`.execute(tx)
  await insertAll(
    tx,
    'processLog',
    steps.map(({ action, from, to, by, at, opinion }, i) => ({
      id: idOf(id, 'step', String(i)),
      kind: workKind.kind,
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
    })),
  )
  const stored = await tx.selectFrom('bigproject').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await insertAll(tx, 'processTodo', todoRows(workKind.kind, { id, ...disclosed }, workKind.todos(stored as Work), stored.stateSince, now))
  await insertAll(tx, 'processSignature', await signaturesOf(tx, city, stored, steps))
}

/** Who signs each kind of seat, and the action before which he did. */
const signers: Readonly<Record<string, { name: string | null; before: WorkAction }>> = {
  tech: { name: techLead, before: 'submit' },
  chief: { name: null, before: 'pass' },
  tech2: { name: techLead, before: 'passRevised' },
  chief2: { name: null, before: 'passRevised' },
  discloser: { name: techLead, before: 'start' },
  receiver: { name: null, before: 'start' },
  acceptTech: { name: projectTech, before: 'accept' },
  acceptChief: { name: null, before: 'accept' },
}

async function signaturesOf(
  tx: Tx,
  city: City,
  row: Row<'bigproject'>,
  steps: readonly Step[],
): Promise<Insertable<Tables['processSignature']>[]> {
  const { projectCode, corpCode, shownAt, groups } = row
  return (await workSeats({ db: tx }, row)).flatMap(({ seat, role, expects, content }) => {
    const signer = signers[seat.replace(/\.\d+$/, '')]
    const step = steps.find((one) => one.action === signer?.before)
    // The technical lead signs before a plan is submitted, also while it waits to be.
    if (!signer || !step) return []
    const isChief = seat.startsWith('chief') || seat === 'acceptChief'
    const name = expects ?? signer.name ?? step.by.name
    return [
      {
        id: idOf(row.id, 'signature', seat),
        kind: workKind.kind,
        objectId: row.id,
        projectCode,
        corpCode,
        shownAt,
        groups,
        seat,
        role,
        name,
        userId: isChief ? step.by.id : null,
        image: drawnName(name, stream(city.seed, 'drawn', name)),
        hash: contentHash(content),
        refused: false,
        place: '项目部',
        byId: step.by.id,
        byName: step.by.name,
        at: new Date(step.at.getTime() - hour / 2),
      },
    ]
  })
}
