import { type BriefingType, briefingStates } from '@zhugong/contract/briefings/moves'
import { discloserSeat } from '@zhugong/contract/briefings/seats'
import { briefingTemplates, contentOf } from '@zhugong/contract/briefings/templates'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { briefingSeats, readBriefingRow, todosOf } from '#domains/briefings/public'
import { contentHash } from '#domains/process/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Database, Tables, Tx } from '#kit/db'
import { type Actor, actorsOf } from './actors.ts'
import { type BriefingPlan, otherBriefings, storyBriefings } from './briefing-plan.ts'
import { drawnName } from './drawn-name.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

const minute = 60_000
const storyAccount = 'hospital-pm'
const [mostHere, mostElsewhere] = [14, 6]
/** Kept pictures of signatures: drawing one for everybody would take longer than the rest. */
const drawings = 40
const series = 'JD'

interface Person {
  id: string
  workerId: string
  name: string
  workType: string | null
  post: string | null
  corpCode: string
  corpName: string
  teamId: string | null
}
interface Site {
  projectCode: string
  shortName: string
  author: Actor
  witness: string
  /** Dangerous works ready or running, some of which are briefed. */
  works: string[]
}
type BriefingStory = BriefingPlan & {
  type: BriefingType
  kind?: 'plan' | 'authority' | 'supervisor'
  by?: Actor
  corpCode?: string
  people?: Person[]
}

/** Briefings of the sites whose attendance is written: only who came that day signs, except where the story says otherwise. */
export async function seedBriefings(
  { kysely }: Pick<Database, 'kysely'>,
  city: City,
  now: number,
  projectCodes: readonly string[],
): Promise<void> {
  for (const projectCode of projectCodes)
    await kysely.transaction().execute(async (tx) => {
      const known = await tx.selectFrom('briefing').select('id').where('projectCode', '=', projectCode).limit(1).executeTakeFirst()
      const site = known ? undefined : await siteOf(tx, city, projectCode)
      if (site) await tell(tx, city, site, now)
    })
}

async function siteOf(tx: Tx, city: City, projectCode: string): Promise<Site | undefined> {
  const project = city.projects.find((one) => one.projectCode === projectCode)
  const { rows } =
    await sql<Actor>`select u.id, u.name, t.id as group_id, t.name as group_name from tenant t join member m on m.group_id = t.id
    join app_user u on u.id = m.user_id where t.type = 3 and t.code = ${projectCode} order by m.is_default desc, u.account = ${storyAccount} desc, u.id limit 1`.execute(
      tx,
    )
  const author = rows[0]
  if (!project || !author) return undefined
  const { rows: officers } = await sql<{ name: string }>`select worker_name as name from project_worker
    where project_code = ${projectCode} and post in ('1018', '1029') and exit_time is null order by post, id limit 1`.execute(tx)
  const { rows: works } = await sql<{ id: string }>`select id from bigproject where project_code = ${projectCode} and state in ('5', '6')
    order by state desc, id`.execute(tx)
  return {
    projectCode,
    shortName: project.shortName,
    author,
    witness: officers.find((one) => one.name !== author.name)?.name ?? '冯建业',
    // Every third is a gap.
    works: works.filter((_one, i) => i % 3 !== 2).map((one) => one.id),
  }
}

async function tell(tx: Tx, city: City, site: Site, now: number): Promise<void> {
  const isStory = city.personas.some((one) => one.account === storyAccount && one.projectCode === site.projectCode)
  const plans: BriefingStory[] = (isStory ? storyBriefings : otherBriefings).map((plan) => ({ ...plan, type: 'safetyPTechnical' as const }))
  // One of the other sites signs everything at once.
  const at = city.projects.findIndex((one) => one.projectCode === site.projectCode)
  if (!isStory && at === 1) plans[1] = { ...(plans[1] as BriefingStory), doubt: 'fast' }
  if (isStory) plans.push(...(await managerPlans(tx, site)))
  const works = [...site.works]
  const numbers = new Map<string, number>()
  for (const plan of plans.toSorted((a, b) => b.age - a.age)) {
    const date = addDays(formatDay(now), -plan.age)
    const year = date.slice(0, 4)
    const number = (numbers.get(year) ?? 0) + 1
    const work = plan.type === 'technical' || plan.state === briefingStates.void ? undefined : works.shift()
    if (await put(tx, city, site, plan, { date, number, work, most: isStory ? mostHere : mostElsewhere, now })) numbers.set(year, number)
  }
  for (const [year, last] of numbers)
    await sql`insert into document_number (owner, doc_type, year, last) values (${site.projectCode}, ${series}, ${Number(year)}, ${last})
      on conflict (owner, doc_type, year) do update set last = greatest(document_number.last, excluded.last)`.execute(tx)
}

/** Briefings of nine managers: by the site about a plan, by 监理, and by the authority, whose signatures are being collected. */
async function managerPlans(tx: Tx, { projectCode, author }: Site): Promise<BriefingStory[]> {
  const people = await actorsOf(tx)
  const { rows: managers } =
    await sql<Person>`select w.id, w.worker_id, w.worker_name as name, w.work_type, w.post, w.corp_code, k.corp_name, w.team_id
    from project_worker w join corporation k on k.corp_code = w.corp_code
    where w.project_code = ${projectCode} and w.exit_time is null and w.post is not null order by w.post, w.id limit 9`.execute(tx)
  const { rows: contractor } = await sql<{ corpCode: string }>`select corp_code from project_corp
    where project_code = ${projectCode} and corp_type = '009' and exit_time is null limit 1`.execute(tx)
  const corpCode = contractor[0]?.corpCode
  if (!corpCode || managers.length === 0) return []
  const shared = { type: 'technical' as const, template: 'earth', corpCode, people: managers }
  return [
    { ...shared, kind: 'plan', name: '深基坑工程专项方案交底', part: '基坑', age: 30, state: '3', by: author },
    { ...shared, kind: 'supervisor', name: '危大工程监理交底', part: '全场', age: 21, state: '2', by: people.of('hospital-jl') ?? author },
    { ...shared, kind: 'authority', name: '监督交底', part: '全场', age: 2, state: '1', unsigned: 3, by: people.of('bj-zhao') ?? author },
  ]
}

/** People of the gang with most of the trade who came that day; without attendance those on the books. */
async function gangOf(tx: Tx, projectCode: string, trades: readonly string[], date: string, most: number): Promise<Person[]> {
  const { rows } = await sql<
    Person & { came: boolean }
  >`select w.id, w.worker_id, w.worker_name as name, w.work_type, w.post, w.corp_code, k.corp_name, w.team_id,
      exists (select from attendance_day d where d.project_code = w.project_code and d.worker_id = w.worker_id and d.work_day = ${date}::date and d.record_count > 0) as came
    from project_worker w join corporation k on k.corp_code = w.corp_code
    where w.project_code = ${projectCode} and w.exit_time is null and w.team_id is not null and w.post is null and w.work_type is not null
      and w.entry_time < ${date}::date + 1 order by w.team_id, w.id`.execute(tx)
  const { rows: recorded } =
    await sql`select from attendance_day where project_code = ${projectCode} and work_day = ${date}::date and record_count > 0 limit 1`.execute(
      tx,
    )
  const there = recorded.length > 0 ? rows.filter((one) => one.came) : rows
  const fits = (one: Person) => trades.some((part) => part !== '' && (one.workType ?? '').startsWith(part))
  const gangs = [...Map.groupBy(there, (one) => one.teamId).values()]
  const best = gangs.toSorted((a, b) => b.filter(fits).length - a.filter(fits).length || b.length - a.length)[0]
  return (best ?? []).slice(0, most)
}

interface When {
  date: string
  number: number
  work: string | undefined
  most: number
  now: number
}

async function put(tx: Tx, city: City, site: Site, plan: BriefingStory, { date, number, work, most, now }: When): Promise<boolean> {
  const template = briefingTemplates.find((one) => one.code === plan.template)
  if (!template) return false
  const people = plan.people ?? (await gangOf(tx, site.projectCode, template.trades, date, most))
  const first = people[0]
  if (!first) return false
  const id = idOf(city.seed, 'briefing', site.projectCode, plan.name, String(plan.age))
  const by = plan.by ?? site.author
  const begunAt = new Date(startOfDay(date) + 6 * 60 * minute + 40 * minute)
  const corpCode = plan.corpCode ?? first.corpCode
  const disclosed = { projectCode: site.projectCode, shownAt: begunAt, groups: [by.groupId] }
  const isGang = plan.type === 'safetyPTechnical'
  const row: Insertable<Tables['briefing']> = {
    id,
    type: plan.type,
    code: `${site.shortName}-${series}-${date.slice(0, 4)}-${String(number).padStart(3, '0')}`,
    ...disclosed,
    corpCode,
    authorGroup: by.groupId,
    authorGroupName: by.groupName,
    kind: plan.kind ?? null,
    name: plan.name,
    workType: isGang ? first.workType : null,
    part: plan.part,
    teamId: isGang ? first.teamId : null,
    bigProjectId: work ?? null,
    content: contentOf(template),
    date,
    discloser: by.name,
    witness: isGang ? site.witness : null,
    replacesId: null,
    remindedAt: null,
    state: plan.state,
    version: 1,
    createBy: by.id,
    createTime: begunAt,
    updateBy: by.id,
    updateTime: begunAt,
  }
  await tx.insertInto('briefing').values(row).execute()
  const unsigned = plan.unsigned ?? 0
  const paperFrom = plan.paper ? people.length - 2 : people.length
  await insertAll(
    tx,
    'briefingReceiver',
    people.map((one, i) => ({
      id: idOf(id, 'receiver', one.id),
      briefingId: id,
      ...disclosed,
      corpCode: one.corpCode,
      seq: i + 1,
      stayId: one.id,
      workerId: one.workerId,
      name: one.name,
      unit: one.corpName,
      role: (one.workType ? dictName('workerType', one.workType) : dictName('managerPost', one.post)) ?? '',
      absentReason: null,
      paperAt: i >= paperFrom ? new Date(begunAt.getTime() + 90 * minute) : null,
    })),
  )
  await sign(tx, city, { id, plan, by, unsigned, begunAt, people: people.slice(0, paperFrom), now })
  if (plan.doubt === 'away') await absent(tx, id, site.projectCode, date)
  return true
}

interface Signing {
  id: string
  plan: BriefingStory
  by: Actor
  unsigned: number
  begunAt: Date
  people: readonly Person[]
  now: number
}
async function sign(tx: Tx, city: City, { id, plan, by, unsigned, begunAt, people, now }: Signing): Promise<void> {
  const stored = await readBriefingRow({ db: tx }, { id, type: plan.type })
  const { projectCode, corpCode, shownAt, groups } = stored
  const disclosed = { projectCode, corpCode, shownAt, groups }
  const missing = new Set(people.slice(people.length - unsigned).map((one) => idOf(id, 'receiver', one.id)))
  const drawn =
    plan.state === briefingStates.void
      ? []
      : (await briefingSeats({ db: tx }, stored)).filter((one) => !missing.has(one.seat) && !one.known)
  const gap = plan.doubt === 'fast' ? 8_000 : 55_000
  const signatures = drawn.map((seat, i): Insertable<Tables['processSignature']> => {
    const name = seat.expects ?? by.name
    return {
      id: idOf(id, 'signature', seat.seat),
      kind: plan.type,
      objectId: id,
      ...disclosed,
      seat: seat.seat,
      role: seat.role,
      name,
      userId: seat.seat === discloserSeat ? by.id : null,
      image: pictureOf(city, name),
      hash: contentHash(seat.content),
      refused: false,
      device: plan.doubt === 'fast' ? '设备 演示机' : '设备 班前平板',
      byId: by.id,
      byName: by.name,
      at: new Date(begunAt.getTime() + 10 * minute + i * gap),
    }
  })
  await insertAll(tx, 'processSignature', signatures)
  const log = (action: string, from: string, to: string, when: number, opinion: string | null): Insertable<Tables['processLog']> => ({
    id: idOf(id, 'log', action),
    kind: plan.type,
    objectId: id,
    ...disclosed,
    action,
    fromState: from,
    toState: to,
    byId: by.id,
    byName: by.name,
    groupName: by.groupName,
    opinion,
    at: new Date(Math.min(when, now - minute)),
  })
  const start = begunAt.getTime()
  const { signing, done, archived, void: gone } = briefingStates
  await insertAll(tx, 'processLog', [
    log('begin', '0', signing, start, `${people.length} 人`),
    ...(plan.paper ? [log('scan', signing, signing, start + 90 * minute, '2 人纸质签字')] : []),
    ...(plan.state === gone ? [log('void', signing, gone, start + 30 * minute, '交底内容与现场配电方案不一致，重新编制')] : []),
    ...(plan.state === done || plan.state === archived ? [log('finish', signing, done, start + 100 * minute, null)] : []),
    ...(plan.state === archived ? [log('archive', done, archived, start + 3 * 24 * 60 * minute, null)] : []),
  ])
  const row = { id, ...disclosed }
  await insertAll(
    tx,
    'processTodo',
    todoRows(plan.type, row, todosOf(await readBriefingRow({ db: tx }, { id, type: plan.type })), begunAt, now),
  )
}

const kept = new Map<number, Buffer>()
function pictureOf(city: City, name: string): Buffer {
  const at = [...name].reduce((n, c) => n + (c.codePointAt(0) ?? 0), 0) % drawings
  const image = kept.get(at) ?? drawnName(name, stream(city.seed, 'drawn', String(at)))
  kept.set(at, image)
  return image
}

/** One who signed is somebody who did not come that day. */
async function absent(tx: Tx, id: string, projectCode: string, date: string): Promise<void> {
  const { rows } =
    await sql<Person>`select w.id, w.worker_id, w.worker_name as name, w.work_type, w.post, w.corp_code, '' as corp_name, w.team_id
    from project_worker w where w.project_code = ${projectCode} and w.exit_time is null and w.post is null and w.work_type is not null
      and w.id not in (select stay_id from briefing_receiver where briefing_id = ${id})
      and not exists (select from attendance_day d where d.project_code = w.project_code and d.worker_id = w.worker_id and d.work_day = ${date}::date
        and d.record_count > 0) order by w.id limit 1`.execute(tx)
  const other = rows[0]
  if (!other) return
  const { rows: last } = await sql<{
    id: string
  }>`select id from briefing_receiver where briefing_id = ${id} order by seq desc limit 1`.execute(tx)
  const receiver = last[0]?.id ?? ''
  await sql`update briefing_receiver set stay_id = ${other.id}, worker_id = ${other.workerId}, name = ${other.name} where id = ${receiver}`.execute(
    tx,
  )
  await sql`update process_signature set name = ${other.name} where object_id = ${id} and seat = ${receiver}`.execute(tx)
}
