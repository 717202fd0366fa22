import type { SpotState } from '@zhugong/contract/spotchecks/moves'
import { judge, readingsPerArea, type SpotReadings } from '@zhugong/contract/spotchecks/readings'
import type { City } from '@zhugong/simulator/city-types'
import { drawFile } from '@zhugong/simulator/pictures'
import { idOf, type Random, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { spotType, todosOf } from '#domains/spotchecks/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { type Actor, actorsOf } from './actors.ts'
import { sealShot } from './media/site-shots.ts'
import { putOrder } from './seed-order.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

const minute = 60_000
const series = 'CC'
const laboratories = ['江城市建设工程质量检测中心', '省建筑科学研究院检测所']

type Site = 'hospital' | 'dongwan' | 'jiangtan'
interface Plan {
  site: Site
  by: 'bj-zhao' | 'bj-wu' | 'yunze-lu'
  /** Days ago. */
  age: number
  state: SpotState
  what: 'rebound' | 'thickness' | 'scan' | 'rebar' | 'cable' | 'membrane' | 'insulation' | 'block' | 'test'
  /** Days until the report is due; negative: overdue by the clock of the demonstration. */
  due?: number
  bad?: true
  /** The report was changed once. */
  changed?: true
}
const fine = (site: Site, by: Plan['by'], what: Plan['what'], ...ages: number[]): Plan[] =>
  ages.map((age) => ({ site, by, age, what, state: '2' }))

/** Twenty-five checks: rebound tests, a cable batch failing and retested, two reports late, one draft. */
const plans: readonly Plan[] = [
  ...fine('hospital', 'bj-zhao', 'rebound', 62, 41),
  ...fine('hospital', 'yunze-lu', 'rebound', 30, 12),
  ...fine('hospital', 'bj-zhao', 'thickness', 40),
  ...fine('hospital', 'bj-zhao', 'scan', 39),
  ...fine('hospital', 'bj-zhao', 'rebar', 50, 25),
  ...fine('hospital', 'yunze-lu', 'block', 20),
  ...fine('dongwan', 'bj-zhao', 'rebound', 44, 15),
  ...fine('dongwan', 'bj-zhao', 'thickness', 16),
  ...fine('jiangtan', 'yunze-lu', 'scan', 22),
  ...fine('jiangtan', 'bj-zhao', 'insulation', 9),
  { site: 'hospital', by: 'bj-zhao', age: 24, what: 'cable', state: '5', bad: true },
  { site: 'hospital', by: 'bj-zhao', age: 18, what: 'rebar', state: '2', changed: true },
  { site: 'hospital', by: 'bj-zhao', age: 6, what: 'rebound', state: '3', bad: true },
  { site: 'hospital', by: 'yunze-lu', age: 10, what: 'membrane', state: '4', bad: true },
  { site: 'dongwan', by: 'bj-zhao', age: 11, what: 'scan', state: '3', bad: true },
  { site: 'hospital', by: 'bj-zhao', age: 14, what: 'insulation', state: '1', due: 7 },
  { site: 'dongwan', by: 'bj-zhao', age: 13, what: 'membrane', state: '1', due: 9 },
  { site: 'hospital', by: 'bj-zhao', age: 3, what: 'test', state: '1', due: 28 },
  { site: 'hospital', by: 'yunze-lu', age: 2, what: 'cable', state: '1', due: 7 },
  { site: 'jiangtan', by: 'bj-zhao', age: 1, what: 'rebar', state: '1', due: 7 },
  { site: 'hospital', by: 'bj-zhao', age: 0, what: 'rebound', state: '0' },
]

const methods: Readonly<
  Record<Plan['what'], { kind: string; method: string; design: string; good: string; bad: string; article?: string }>
> = {
  rebound: { kind: '1', method: '回弹法 JGJ/T 23', design: '', good: '', bad: '' },
  thickness: { kind: '1', method: '非破损法测厚 GB 50204 附录 F', design: '', good: '', bad: '' },
  scan: { kind: '1', method: '电磁感应法 JGJ/T 152', design: '', good: '', bad: '' },
  rebar: {
    kind: '2',
    method: '见证取样送检',
    design: '抗拉强度 ≥540 MPa',
    good: '抗拉强度 608 MPa',
    bad: '抗拉强度 522 MPa',
    article: '01',
  },
  cable: { kind: '6', method: '见证取样送检', design: '导体直流电阻 ≤0.524 Ω/km', good: '0.520 Ω/km', bad: '0.571 Ω/km', article: '11' },
  membrane: { kind: '5', method: '见证取样送检', design: '低温柔性 -25℃ 无裂纹', good: '-25℃ 无裂纹', bad: '-18℃ 出现裂纹', article: '07' },
  insulation: {
    kind: '4',
    method: '见证取样送检',
    design: '导热系数 ≤0.040 W/(m·K)',
    good: '0.038 W/(m·K)',
    bad: '0.047 W/(m·K)',
    article: '08',
  },
  block: { kind: '2', method: '见证取样送检', design: '抗压强度 ≥3.5 MPa', good: '3.9 MPa', bad: '2.8 MPa', article: '06' },
  test: { kind: '3', method: '标准养护 28 d 抗压', design: 'C35', good: '41.3 MPa', bad: '31.0 MPa' },
}

interface Place {
  id: string
  name: string
  unitId: string | null
}
interface Given {
  projectCode: string
  shortName: string
  corpCode: string
  site: Actor
  places: Place[]
  photo: string
  report: string
}

export async function seedSpotChecks(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const people = await actorsOf(tx)
  const sites = new Map<Site, Given>()
  for (const key of ['hospital', 'dongwan', 'jiangtan'] as const) {
    const actor = people.of(`${key}-pm`)
    const project = city.projects.find((one) => city.personas.some((p) => p.account === `${key}-pm` && p.projectCode === one.projectCode))
    if (!actor || !project) continue
    sites.set(key, await siteOf(tx, city, project, actor, folder))
  }
  const numbers = new Map<string, number>()
  for (const [i, plan] of plans.entries()) {
    const given = sites.get(plan.site)
    const checker = people.of(plan.by)
    if (!given || !checker) continue
    const number = plan.state === '0' ? 0 : (numbers.get(given.projectCode) ?? 0) + 1
    if (number) numbers.set(given.projectCode, number)
    await put(tx, city, given, checker, plan, i, number, now)
  }
  const year = Number(formatDay(new Date(now)).slice(0, 4))
  for (const [owner, last] of numbers)
    await sql`insert into document_number (owner, doc_type, year, last) values (${owner}, ${series}, ${year}, ${last})
      on conflict (owner, doc_type, year) do update set last = greatest(document_number.last, excluded.last)`.execute(tx)
}

async function siteOf(tx: Tx, city: City, project: City['projects'][number], site: Actor, folder: string): Promise<Given> {
  const { projectCode, shortName, contractorCorpCode: corpCode } = project
  const drawn: Drawn[] = []
  const keep = async (name: string, body: Buffer) => {
    const file = { id: idOf(city.seed, 'spotFile', projectCode, name), name: `${name}.png`, mime: 'image/png' as const }
    drawn.push(await keepFile(folder, projectCode, file, body))
    return file.id
  }
  const photo = await keep('抽样封条', sealShot(`${projectCode}spot`))
  const title = '检测报告'
  const report = await keep(
    title,
    drawFile({ id: `${projectCode}spot`, name: title, mime: 'image/png', kind: 'licence', title, lines: [shortName] }),
  )
  await keepAll(tx, drawn)
  const { rows: places } =
    await sql<Place>`select f.id, f.full_name as name, b.unit_id from site_place f join site_place b on b.id = f.parent_id
    where f.project_code = ${projectCode} and f.kind = 'floor' and f.archived_at is null and f.name not like '地下%'
    order by (select count(*) from site_place o where o.parent_id = b.id) desc, b.seq, f.seq limit 9`.execute(tx)
  return { projectCode, shortName, corpCode, site, places, photo, report }
}

/** Readings of the test; `bad`: as of work that fails. */
function readingsOf(what: Plan['what'], bad: boolean, random: Random): SpotReadings {
  if (what === 'rebound') {
    const [low, high] = bad ? [29, 34] : [39, 45]
    return {
      test: 'rebound',
      grade: 35,
      areas: Array.from({ length: 6 }, (_one, i) => ({
        name: `测区 ${i + 1}`,
        readings: Array.from({ length: readingsPerArea }, () => random.int(low, high)),
        carbonation: random.int(2, 5) / 2,
      })),
    }
  }
  if (what === 'thickness')
    return {
      test: 'thickness',
      design: 120,
      points: Array.from({ length: 10 }, (_one, i) => ({ name: `测点 ${i + 1}`, value: 120 + random.int(-4, 8) })),
    }
  if (what === 'scan')
    return {
      test: 'scan',
      member: 'slab',
      spacing: 150,
      cover: 15,
      points: Array.from({ length: 10 }, (_one, i) => ({
        name: `测点 ${i + 1}`,
        spacing: 150 + random.int(-8, 8) + (bad && i < 4 ? 22 : 0),
        cover: 15 + random.int(-3, 6),
      })),
    }
  return what === 'test'
    ? { test: 'other', note: '标准养护试块一组三块，随机抽取' }
    : { test: 'material', note: '自现场堆放批次随机抽取，双人封样' }
}

async function batchFor(tx: Tx, { projectCode }: Given, category: string | undefined, skip: number) {
  if (!category) return undefined
  const { rows } = await sql<{
    id: string
    words: string
    corpCode: string
  }>`select id, concat_ws(' ', name, spec, batch_no) as words, corp_code
    from material_batch where project_code = ${projectCode} and category = ${category} and exit_at is null and state in ('1', '2')
    order by used_quantity, arrive_time, id`.execute(tx)
  return rows[skip % Math.max(1, rows.length)]
}

async function put(
  tx: Tx,
  city: City,
  given: Given,
  checker: Actor,
  plan: Plan,
  index: number,
  number: number,
  now: number,
): Promise<void> {
  const id = idOf(city.seed, 'spot', String(index))
  const random = stream(city.seed, 'spot', id)
  const words = methods[plan.what]
  const isBad = plan.bad ?? false
  const readings = readingsOf(plan.what, isBad, random)
  const verdict = judge(readings)
  const batch = await batchFor(tx, given, words.article, index)
  const place = verdict
    ? given.places[plan.what === 'rebound' && isBad ? 5 : random.int(0, Math.max(0, given.places.length - 1))]
    : undefined
  const at = Math.min(startOfDay(addDays(formatDay(new Date(now)), -plan.age)) + random.int(540, 960) * minute, now - 60 * minute)
  const checkDate = formatDay(new Date(at))
  const isDraft = plan.state === '0'
  const sampled = verdict === undefined
  const reported = sampled && plan.state !== '0' && plan.state !== '1'
  const shownAt = isDraft ? null : new Date(at)
  const disclosed = { projectCode: given.projectCode, corpCode: given.corpCode, shownAt, groups: [checker.groupId] }
  const code = isDraft ? null : `${given.shortName}-${series}-${checkDate.slice(0, 4)}-${String(number).padStart(3, '0')}`
  const labOrg = sampled ? (laboratories[index % laboratories.length] ?? '') : null
  const reportedAt = Math.min(at + 5 * 1440 * minute, now - 50 * minute)
  const firstNo = reported ? `ZJ-${checkDate.slice(0, 4)}-${String(random.int(10_000, 99_999))}` : null
  const closedAt = Math.min(reportedAt + 9 * 1440 * minute, now - 20 * minute)
  const again = plan.state === '5'
  const lastNo = plan.changed || again ? `${firstNo}${again ? '-复' : '-改'}` : firstNo
  const actual = verdict ? verdict.actual : reported ? (again ? words.good : isBad ? words.bad : words.good) : null
  const notice = plan.state === '4' || again ? idOf(id, 'notice') : null
  const row: Insertable<Tables['spotCheck']> = {
    id,
    code,
    ...disclosed,
    checkerGroup: checker.groupId,
    checkerGroupName: checker.groupName,
    checkerId: checker.id,
    checkers: [checker.name, '陈立'],
    kind: words.kind,
    test: readings.test,
    part: batch?.words ?? (place ? `${place.name} 墙柱梁板` : plan.what === 'test' ? '9 层梁板标养试块' : '现场抽样'),
    unitId: place?.unitId ?? null,
    placeId: place?.id ?? null,
    batchId: batch?.id ?? null,
    checkDate,
    method: words.method,
    designValue: verdict?.design ?? words.design,
    actualValue: isDraft ? null : actual,
    readings: JSON.stringify(readings),
    sampleNo: sampled && !isDraft ? `CY${checkDate.replaceAll('-', '')}${String(index).padStart(3, '0')}` : null,
    labOrg,
    labDue: sampled && !isDraft ? addDays(checkDate, plan.due ?? 7) : null,
    reportNo: lastNo,
    photos: [given.photo],
    result: plan.state === '0' || plan.state === '1' ? null : isBad ? '2' : '1',
    handle: notice ? '该批次停止使用，查明原因后更换，重新见证取样复检合格后方可使用' : null,
    rectifyId: notice,
    closedAt: again ? new Date(closedAt) : null,
    state: plan.state,
    version: 2,
    createBy: checker.id,
    createTime: new Date(at),
    updateBy: checker.id,
    updateTime: new Date(reported ? reportedAt : at),
  }
  if (notice)
    await putOrder(
      tx,
      {
        id: notice,
        code: `${given.shortName}-CC-ZG-${String(index).padStart(3, '0')}`,
        origin: checker.groupName.includes('公司') || checker.groupName.includes('集团') ? 'site' : 'gov',
        projectCode: given.projectCode,
        corpCode: given.corpCode,
        source: { kind: spotType, id },
        sourceType: plan.by === 'yunze-lu' ? '11' : '01',
        issuer: checker,
        answerer: given.site,
        at: new Date(reportedAt + 30 * minute),
        deadline: addDays(formatDay(new Date(reportedAt)), 7),
        description: `${words.method}：标准 ${words.design}，实测 ${words.bad}，不合格`,
        requirement: row.handle ?? '',
        part: row.part.slice(0, 100),
        photos: [given.photo],
        ...(again
          ? { answered: { at: new Date(closedAt - 600 * minute), measure: '该批电缆已更换，退回供应商，新到货见证取样复检', closed: true } }
          : {}),
      },
      now,
    )
  await tx.insertInto('spotCheck').values(row).execute()
  const report = (
    seq: number,
    stage: 'first' | 'changed' | 'again',
    reportNo: string,
    passed: boolean,
    when: number,
  ): Insertable<Tables['spotCheckReport']> => ({
    id: idOf(id, 'report', String(seq)),
    checkId: id,
    ...disclosed,
    seq,
    stage,
    reportNo,
    labOrg: labOrg ?? '',
    reportDate: formatDay(new Date(when)),
    actualValue: passed ? words.good : words.bad,
    passed,
    reason: stage === 'changed' ? '首次报告试样直径录入有误，检测机构更正' : null,
    files: [given.report],
    byId: checker.id,
    byName: checker.name,
    at: new Date(when),
  })
  if (firstNo && lastNo)
    await insertAll(tx, 'spotCheckReport', [
      report(1, 'first', firstNo, !isBad && !plan.changed, reportedAt),
      ...(plan.changed ? [report(2, 'changed', lastNo, true, Math.min(reportedAt + 2000 * minute, now - 30 * minute))] : []),
      ...(again ? [report(2, 'again', lastNo, true, closedAt)] : []),
    ])
  await tellOf(tx, {
    id,
    disclosed,
    checker,
    plan,
    sampled,
    reported,
    isBad,
    again,
    notice,
    at,
    reportedAt,
    closedAt,
    now,
    opinion: actual,
  })
  if (isBad && !again && batch && reported) await block(tx, batch.id, row, checker, reportedAt)
  const stored = await tx.selectFrom('spotCheck').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await insertAll(tx, 'processTodo', todoRows(spotType, { id, ...disclosed }, todosOf(stored), stored.updateTime, now))
}

interface SpotStory {
  id: string
  disclosed: Pick<Insertable<Tables['spotCheck']>, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>
  checker: Actor
  plan: Plan
  sampled: boolean
  reported: boolean
  isBad: boolean
  again: boolean
  notice: string | null
  at: number
  reportedAt: number
  closedAt: number
  now: number
  opinion: string | null
}
async function tellOf(tx: Tx, told: SpotStory): Promise<void> {
  const { id, disclosed, checker, plan, sampled, reported, isBad, again, notice, at, reportedAt, closedAt, opinion } = told
  const outcome = isBad ? '3' : '2'
  const log = (action: string, from: string | null, to: string, when: number, words: string | null): Insertable<Tables['processLog']> => ({
    id: idOf(id, 'log', action),
    kind: spotType,
    objectId: id,
    ...disclosed,
    action,
    fromState: from,
    toState: to,
    byId: checker.id,
    byName: checker.name,
    groupName: checker.groupName,
    opinion: words,
    at: new Date(when),
  })
  if (plan.state === '0') return insertAll(tx, 'processLog', [log('create', null, '0', at, null)])
  await insertAll(tx, 'processLog', [
    sampled ? log('submitSample', '0', '1', at, '双人封样，送检测机构') : log('submitOnSite', '0', outcome, at, opinion),
    ...(reported ? [log('report', '1', plan.changed ? '3' : outcome, reportedAt, isBad || plan.changed ? '不合格' : opinion)] : []),
    ...(plan.changed ? [log('amend', '3', '2', reportedAt + 2000 * minute, '检测机构更正报告，合格')] : []),
    ...(notice ? [log('issue', '3', '4', reportedAt + 30 * minute, '下发整改，停止使用')] : []),
    ...(again ? [log('close', '4', '5', closedAt, `复检合格：${opinion ?? ''}`)] : []),
  ])
}

/** The batch of a failed check may not be used. */
async function block(tx: Tx, batchId: string, row: Insertable<Tables['spotCheck']>, checker: Actor, at: number): Promise<void> {
  const reason = `质量抽查 ${row.code ?? ''} ${row.actualValue ?? ''}`
  await sql`update material_batch set blocked_by = ${row.id}, blocked_reason = ${reason}, version = version + 1 where id = ${batchId}`.execute(
    tx,
  )
  await sql`insert into material_event (id, batch_id, project_code, corp_code, shown_at, groups, seq, action, at, report_no, result, note, by_id, by_name, group_name)
    select ${idOf(batchId, 'block')}, b.id, b.project_code, b.corp_code, b.shown_at, b.groups,
      (select max(e.seq) + 1 from material_event e where e.batch_id = b.id), 'block', ${new Date(at)}::timestamptz, ${row.reportNo ?? null}, '不合格', ${reason},
      ${checker.id}, ${checker.name}, ${checker.groupName} from material_batch b where b.id = ${batchId}`.execute(tx)
}
