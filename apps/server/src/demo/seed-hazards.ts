import { askedLevel, scoreOf } from '@zhugong/contract/hazards/levels'
import type { PermitState } from '@zhugong/contract/hazards/permit-moves'
import { permitTypes } from '@zhugong/contract/hazards/permit-rules'
import { dayMs, hourMs, minuteMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { hazardTodos, hazardType, permitTodos, permitType } from '#domains/hazards/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Row, Tables, Tx } from '#kit/db'
import { type Actor, actorsOf } from './actors.ts'
import { pastPermits, plannedHazards, plannedPermits } from './hazards-plan.ts'
import { rectifyPhoto } from './media/rectify-scene.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

interface Site {
  projectCode: string
  shortName: string
  corpCode: string
  author: Actor
  approver: Actor
  photo: string
  people: readonly Person[]
  plans: readonly { id: string; placeId: string }[]
}
interface Person {
  workerId: string
  name: string
  teamName: string | null
  kinds: string[]
}
type Hazard = Insertable<Tables['hazardSource']>
type Permit = Insertable<Tables['workPermit']>

const series = 'ZY'
/** Days between patrols by level. */
const everyDays: Readonly<Record<string, number>> = { 1: 1, 2: 3, 3: 7, 4: 14 }
const officers = ['冯建业', '陈国强', '林晓峰', '何志远']
const weeks = 4

/** Thirty-five hazards and the permits of a hospital, and the gravest hazards of the other sites. */
export async function seedHazards(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const site = await siteOf(tx, city, folder, now)
  if (!site) return
  for (const [i, planned] of plannedHazards.entries()) await putHazard(tx, city, site, planned, i, now)
  await putPermits(tx, city, site, now)
  await putOthers(tx, city, site, now)
}

async function siteOf(tx: Tx, city: City, folder: string, now: number): Promise<Site | undefined> {
  const people = await actorsOf(tx)
  const author = people.of('hospital-pm')
  const project = city.projects.find((one) => city.personas.some((p) => p.account === 'hospital-pm' && p.projectCode === one.projectCode))
  if (!author || !project) return undefined
  const file = { id: idOf(city.seed, 'hazardPhoto', project.projectCode), name: '作业现场.png', mime: 'image/png' as const }
  const drawn: Drawn[] = [await keepFile(folder, project.projectCode, file, rectifyPhoto('props', true))]
  await keepAll(tx, drawn)
  const { rows } = await sql<Person>`select pw.worker_id, pw.worker_name as name, t.team_name,
      coalesce((select array_agg(distinct left(c.special_type, 2)) from worker_cert c where c.worker_id = pw.worker_id and c.cert_type in ('7', '8')
        and c.audit_status = '1' and c.status = '1' and coalesce(c.valid_end, '9999-12-31'::date) > ${addDays(formatDay(new Date(now)), 10)}::date
        and c.special_type is not null), '{}') as kinds
    from project_worker pw left join team t on t.id = pw.team_id where pw.project_code = ${project.projectCode} and pw.exit_time is null
      and not pw.black_hit order by pw.worker_id`.execute(tx)
  const plans = await sql<{ id: string; placeId: string }>`select id, place_id from site_plan where project_code = ${project.projectCode}
    and replaced_at is null order by place_id limit 3`.execute(tx)
  return {
    projectCode: project.projectCode,
    shortName: project.shortName,
    corpCode: project.contractorCorpCode,
    author,
    approver: people.of('yunze-lu') ?? author,
    photo: file.id,
    people: rows,
    plans: plans.rows,
  }
}

function hazardRow(
  city: City,
  site: Site,
  planned: (typeof plannedHazards)[number],
  i: number,
  now: number,
): Hazard & { id: string; nextCheck: string | null } {
  const [name, kinds, part, [likelihood, exposure, consequence], controlLevel, measures] = planned
  const id = idOf(city.seed, 'hazard', site.projectCode, String(i))
  const random = stream(city.seed, 'hazard', id)
  const judged = { likelihood, exposure, consequence }
  const level = askedLevel(judged, false)
  const today = formatDay(new Date(now))
  const begun = addDays(today, -weeks * 7 - random.int(1, 40))
  const state = i % 12 === 5 ? '1' : i % 17 === 16 ? '3' : '2'
  const every = everyDays[level] ?? 7
  // Two patrols are overdue, the others are due from today on.
  const ago = i === 1 ? every + 2 : i === 8 ? every + 1 : random.int(1, every)
  const lastDay = addDays(today, -ago)
  const plan = site.plans[i % Math.max(1, site.plans.length)]
  const createTime = new Date(startOfDay(begun) + 9 * hourMs)
  return {
    id,
    projectCode: site.projectCode,
    corpCode: site.corpCode,
    shownAt: createTime,
    groups: [site.author.groupId],
    authorGroup: site.author.groupId,
    authorGroupName: site.author.groupName,
    name,
    hazardSource: [...kinds],
    placeId: plan?.placeId ?? null,
    planId: plan?.id ?? null,
    pinX: plan ? Math.round(random.float(0.1, 0.9) * 1000) / 1000 : null,
    pinY: plan ? Math.round(random.float(0.1, 0.9) * 1000) / 1000 : null,
    part,
    bigProjectId: null,
    ...judged,
    score: scoreOf(judged),
    riskLevel: level,
    levelReason: null,
    controlLevel,
    measures: [...measures],
    responsible: officers[i % officers.length] ?? '',
    checkEvery: every,
    startDate: begun,
    endDate: null,
    controlNote: state === '1' ? null : '措施已落实，标牌已挂',
    controlPhotos: state === '1' ? [] : [site.photo],
    controlledAt: state === '1' ? null : new Date(createTime.getTime() + 5 * hourMs),
    lastCheck: state === '2' ? new Date(startOfDay(lastDay) + random.int(8, 17) * hourMs) : null,
    nextCheck: state === '2' ? addDays(lastDay, every) : null,
    state,
    version: 2,
    createBy: site.author.id,
    createTime,
    updateBy: site.author.id,
    updateTime: createTime,
  }
}

async function putHazard(tx: Tx, city: City, site: Site, planned: (typeof plannedHazards)[number], i: number, now: number): Promise<void> {
  const row = hazardRow(city, site, planned, i, now)
  await tx.insertInto('hazardSource').values(row).execute()
  const { projectCode, corpCode, shownAt = null, groups } = row
  const own = { projectCode, corpCode, shownAt, groups }
  const last = row.lastCheck instanceof Date ? row.lastCheck.getTime() : undefined
  const patrols: Insertable<Tables['hazardPatrol']>[] = []
  for (let n = 0; last !== undefined && n < Math.min(20, (weeks * 7) / row.checkEvery); n++) {
    const problem = (i + n) % 11 === 10
    patrols.push({
      id: idOf(row.id, 'patrol', String(n)),
      hazardId: row.id,
      ...own,
      at: new Date(last - n * row.checkEvery * dayMs),
      byName: row.responsible,
      result: problem ? '2' : '1',
      note: problem ? '警戒标志移位，已当场恢复' : null,
      photos: problem ? [site.photo] : [],
      lateDays: n % 9 === 8 ? 1 : 0,
    })
  }
  await insertAll(tx, 'hazardPatrol', patrols)
  const log = (action: string, from: string, to: string, at: Date, opinion: string | null) =>
    logRow(hazardType, row.id, own, site.author, { action, from, to, at, opinion })
  await insertAll(tx, 'processLog', [
    log('submit', '0', '1', row.createTime as Date, null),
    ...(row.controlledAt instanceof Date ? [log('control', '1', '2', row.controlledAt, row.controlNote ?? null)] : []),
    ...(row.state === '3' ? [log('lift', '2', '3', new Date(now - 3 * dayMs), '施工完成，危险源消除')] : []),
  ])
  const state = row.state ?? '0'
  const todos = hazardTodos({ id: row.id, state, name: row.name, part: row.part, authorGroup: row.authorGroup, nextCheck: row.nextCheck })
  await insertAll(tx, 'processTodo', todoRows(hazardType, { id: row.id, ...own }, todos, row.createTime as Date, now))
}

type Own = Pick<Row<'processLog'>, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>
interface LogStep {
  action: string
  from: string
  to: string
  at: Date
  opinion: string | null
}
const logRow = (
  kind: string,
  objectId: string,
  own: Own,
  by: Actor | undefined,
  { action, from, to, at, opinion }: LogStep,
): Insertable<Tables['processLog']> => ({
  id: idOf(objectId, 'log', action),
  kind,
  objectId,
  ...own,
  action,
  fromState: from,
  toState: to,
  byId: by?.id ?? '',
  byName: by?.name ?? '系统',
  groupName: by?.groupName ?? '',
  opinion,
  at,
})

/** The gravest hazards of every other site, as its general contractor noted them. */
async function putOthers(tx: Tx, city: City, site: Site, now: number): Promise<void> {
  for (const [n, project] of city.projects.entries()) {
    if (project.projectCode === site.projectCode || n % 3 === 2) continue
    const { rows } = await sql<{
      id: string
      name: string
    }>`select id, name from tenant where type = 3 and code = ${project.projectCode} limit 1`.execute(tx)
    const group = rows[0]
    if (!group) continue
    const author: Actor = { id: site.author.id, name: site.author.name, groupId: group.id, groupName: group.name }
    const there = {
      ...site,
      projectCode: project.projectCode,
      shortName: project.shortName,
      corpCode: project.contractorCorpCode,
      author,
      plans: [],
    }
    for (let i = 0; i < 2 + (n % 4); i++) {
      const planned = plannedHazards[(n * 3 + i * 4) % 24]
      if (planned) await putOther(tx, hazardRow(city, there, planned, i, now))
    }
  }
}
async function putOther(tx: Tx, row: Hazard): Promise<void> {
  await tx
    .insertInto('hazardSource')
    .values({ ...row, controlPhotos: [] })
    .execute()
}

async function putPermits(tx: Tx, city: City, site: Site, now: number): Promise<void> {
  const today = formatDay(new Date(now))
  const at = (day: number, hour: number) => startOfDay(addDays(today, day)) + hour * hourMs
  let number = 0
  for (const [i, [type, level, content, part]] of pastPermits.entries()) {
    const day = -7 - i * 2
    const given = {
      key: `past ${i}`,
      type,
      level,
      content,
      part,
      state: '4' as const,
      start: at(day, 8),
      end: at(day, 16),
      late: false,
      number: ++number,
    }
    await putPermit(tx, city, site, given, now)
  }
  for (const one of plannedPermits) {
    const running = one.day === undefined
    const start = running ? now + 40 * minuteMs - 2.5 * dayMs : at(one.day ?? 0, one.from ?? 8)
    const end = running ? now + 40 * minuteMs : at(one.day ?? 0, one.until ?? 17)
    const { key, type, level, content, part, state, late = false } = one
    await putPermit(
      tx,
      city,
      site,
      { key, type, level, content, part, state, start, end, late, number: state === '0' ? null : ++number },
      now,
    )
  }
  await sql`insert into document_number (owner, doc_type, year, last) values (${site.projectCode}, ${series}, ${Number(today.slice(0, 4))}, ${number})
    on conflict (owner, doc_type, year) do update set last = greatest(document_number.last, excluded.last)`.execute(tx)
}

interface Given {
  key: string
  type: string
  level: string | null
  content: string
  part: string
  state: PermitState
  start: number
  end: number
  late: boolean
  number: number | null
}

async function putPermit(tx: Tx, city: City, site: Site, given: Given, now: number): Promise<void> {
  const { key, type, level, content, part, state, start, end, late, number } = given
  const id = idOf(city.seed, 'permit', site.projectCode, key)
  const isHot = type === '1'
  const approved = ['2', '3', '4', '6'].includes(state)
  const started = ['3', '4', '6'].includes(state)
  const closed = state === '4'
  const requestedAt = new Date(Math.min(start, now) - 18 * hourMs)
  const shownAt = state === '0' ? null : requestedAt
  const endedAt = isHot && closed ? new Date(end + (late ? 20 : -50) * minuteMs) : null
  const closedAt = closed ? new Date(end + (late ? 95 : -15) * minuteMs) : null
  const approvedAt = approved ? new Date(requestedAt.getTime() + 2 * hourMs) : null
  const own = { projectCode: site.projectCode, corpCode: site.corpCode, shownAt, groups: [site.author.groupId] }
  const year = formatDay(new Date(now)).slice(0, 4)
  const row: Permit = {
    id,
    code: number === null ? null : `${site.shortName}-${series}-${year}-${String(number).padStart(3, '0')}`,
    ...own,
    authorGroup: site.author.groupId,
    authorGroupName: site.author.groupName,
    type,
    level,
    content,
    placeId: null,
    planId: null,
    pinX: null,
    pinY: null,
    part,
    hazardId: hazardFor(city, site, part),
    deviceId: null,
    startTime: new Date(start),
    endTime: new Date(end),
    closesBy: new Date(end),
    approvedBy: approvedAt && site.approver.name,
    approvedAt,
    startedAt: started ? new Date(start + 10 * minuteMs) : null,
    startPhotos: started ? [site.photo] : [],
    endedAt,
    finishPhotos: endedAt ? [site.photo] : [],
    closedAt,
    closeNote: closed ? '场地已清理' : null,
    closePhotos: closed ? [site.photo] : [],
    extendTo: null,
    extendReason: null,
    late,
    state,
    version: 3,
    createBy: site.author.id,
    createTime: requestedAt,
    updateBy: site.author.id,
    updateTime: requestedAt,
  }
  await tx.insertInto('workPermit').values(row).execute()
  await insertAll(tx, 'workPermitPerson', peopleFor(site, type, id, own))
  await insertAll(
    tx,
    'workPermitMeasure',
    (permitTypes[type]?.measures ?? []).map((one, seq) => ({
      id: idOf(id, 'measure', String(seq)),
      permitId: id,
      ...own,
      seq,
      text: one.text,
      photo: one.photo ?? false,
      done: state !== '0',
      photos: one.photo && state !== '0' ? [site.photo] : [],
    })),
  )
  const log = (action: string, from: string, to: string, when: Date, by: Actor | undefined, opinion: string | null) =>
    logRow(permitType, id, own, by, { action, from, to, at: when, opinion })
  await insertAll(tx, 'processLog', [
    log(state === '0' ? 'create' : 'submit', '0', state === '0' ? '0' : '1', requestedAt, site.author, null),
    ...(state === '5'
      ? [log('reject', '1', '5', new Date(requestedAt.getTime() + hourMs), site.approver, '油漆未清空，先转移再申请')]
      : []),
    ...(approvedAt ? [log('approve', '1', '2', approvedAt, site.approver, '措施到位，同意')] : []),
    ...(started ? [log('start', '2', '3', new Date(start + 10 * minuteMs), site.author, null)] : []),
    ...(late ? [log('overdue', '3', '6', new Date(end + minuteMs), undefined, '已提醒监护人')] : []),
    ...(endedAt ? [log('finish', late ? '6' : '3', late ? '6' : '3', endedAt, site.author, null)] : []),
    ...(closedAt ? [log('close', late ? '6' : '3', '4', closedAt, site.author, isHot ? '余火检查无异常' : null)] : []),
  ])
  const stored = await tx.selectFrom('workPermit').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await insertAll(tx, 'processTodo', todoRows(permitType, { id, ...own }, permitTodos(stored), requestedAt, now))
}

const hazardFor = (city: City, site: Site, part: string): string | null => {
  const at = plannedHazards.findIndex(([, , where]) => part.startsWith(where))
  return at < 0 ? null : idOf(city.seed, 'hazard', site.projectCode, String(at))
}

function peopleFor(
  site: Site,
  type: string,
  permitId: string,
  own: Own & { projectCode: string; corpCode: string },
): Insertable<Tables['workPermitPerson']>[] {
  const wanted = permitTypes[type]?.licences ?? []
  const fits = site.people.filter((one) => wanted.length === 0 || one.kinds.some((kind) => wanted.includes(kind)))
  const plain = site.people.filter((one) => one.kinds.length === 0)
  const workers = (fits.length > 0 ? fits : plain).slice(0, 2)
  const guardian = plain.find((one) => !workers.includes(one))
  const chosen = [
    ...workers.map((one) => ({ one, role: 'worker' as const })),
    ...(guardian ? [{ one: guardian, role: 'guardian' as const }] : []),
  ]
  return chosen.map(({ one, role }, i) => ({
    id: idOf(permitId, 'person', String(i)),
    permitId,
    ...own,
    seq: i + 1,
    role,
    workerId: one.workerId,
    name: one.name,
    teamName: one.teamName,
    until: null,
  }))
}
