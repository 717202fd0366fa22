import { type MaterialEventKind, materialStates } from '@zhugong/contract/materials/moves'
import { deviationOf, samplesDue, usualRule } from '@zhugong/contract/materials/rules'
import type { City } from '@zhugong/simulator/city-types'
import { drawFile } from '@zhugong/simulator/pictures'
import { idOf, type Random, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { materialKind, materialSeats, todosOf } from '#domains/materials/public'
import { contentHash } from '#domains/process/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { type Actor, actorsOf } from './actors.ts'
import { drawnName } from './drawn-name.ts'
import { type Article, articles, type BatchPlan, batchPlans, stateOf, ticketArticles } from './materials-plan.ts'
import { deliveryShot, sealShot } from './media/site-shots.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

const hour = 3_600_000
const minute = 60_000
const laboratory = '江城市建设工程质量检测中心'
/** Deliveries that the keeper has not registered yet. */
const unmatched = 5
/** Days of tickets that are registered; the page shows a week. */
const ticketDays = 9
/** Tickets of one batch. */
const mostTickets = 40

interface Ticket {
  weighId: string
  at: Date
  billNo: string
  plateNo: string
  goods: string
  spec: string | null
  supplier: string
  gross: number
  tare: number
  actual: number
  bill: number | null
}
interface Site {
  projectCode: string
  corpCode: string
  keeper: Actor
  supervisor: Actor
  files: Files
  places: { id: string; name: string }[]
}
interface Files {
  cert: string
  report: string
  delivery: string
  seal: string
}
type Batch = Insertable<Tables['materialBatch']>
type Event = Insertable<Tables['materialEvent']>
interface Made {
  batch: Batch
  events: Event[]
  tickets: Insertable<Tables['materialWeigh']>[]
  site: Site
}

/** Sixty batches of three sites with their events, tickets and signatures; one failed its retest and left. */
export async function seedMaterials(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const sites = new Map<string, Site>()
  for (const key of ['hospital', 'dongwan', 'jiangtan']) {
    const site = await siteOf(tx, city, key, folder)
    if (site) sites.set(key, site)
  }
  const made: Made[] = []
  for (const [i, plan] of batchPlans.entries()) {
    const site = sites.get(plan.site)
    if (site) made.push(await tell(tx, city, site, plan, articles[plan.article], idOf(city.seed, 'material', String(i)), now))
  }
  const main = sites.get('hospital')
  if (main)
    for (const [i, group] of groupsOf(await ticketsOf(tx, main.projectCode, now)).entries())
      made.push(await weighed(tx, city, main, group, i, now))
  await insertAll(
    tx,
    'materialBatch',
    made.map((one) => one.batch),
  )
  await insertAll(
    tx,
    'materialEvent',
    made.flatMap((one) => one.events),
  )
  await insertAll(
    tx,
    'materialWeigh',
    made.flatMap((one) => one.tickets),
  )
  await insertAll(tx, 'processLog', made.flatMap(logRows))
  for (const one of made) await finish(tx, city, one, now)
  if (main) await insertAll(tx, 'materialPlan', plansOf(main.projectCode, now))
}

async function siteOf(tx: Tx, city: City, key: string, folder: string): Promise<Site | undefined> {
  const people = await actorsOf(tx)
  const manager = people.of(`${key}-pm`)
  const project = city.projects.find((one) => city.personas.some((p) => p.account === `${key}-pm` && p.projectCode === one.projectCode))
  if (!manager || !project) return undefined
  const { projectCode } = project
  const drawn: Drawn[] = []
  const keep = async (name: string, body: Buffer) => {
    const file = { id: idOf(city.seed, 'materialFile', projectCode, name), name: `${name}.png`, mime: 'image/png' as const }
    drawn.push(await keepFile(folder, projectCode, file, body))
    return file.id
  }
  const paper = (title: string) =>
    drawFile({ id: `${projectCode}${title}`, name: title, mime: 'image/png', kind: 'licence', title, lines: [project.shortName] })
  const files = {
    cert: await keep('产品合格证与出厂检验报告', paper('产品合格证')),
    report: await keep('复验报告', paper('复验报告')),
    delivery: await keep('到场照片', deliveryShot(projectCode)),
    seal: await keep('封样照片', sealShot(projectCode)),
  }
  await keepAll(tx, drawn)
  const { rows: places } = await sql<{
    id: string
    name: string
  }>`select id, full_name as name from site_place where project_code = ${projectCode}
    and kind = 'floor' and archived_at is null order by full_name, id limit 12`.execute(tx)
  return {
    projectCode,
    corpCode: project.contractorCorpCode,
    keeper: people.of(`${key}-officer`) ?? manager,
    supervisor: people.of(`${key}-jl`) ?? people.of('hospital-jl') ?? manager,
    files,
    places,
  }
}

/** Complete inward tickets of the last days, the newest first, without those that wait to be registered. */
async function ticketsOf(tx: Tx, projectCode: string, now: number): Promise<Ticket[]> {
  const { rows } =
    await sql<Ticket>`select r.device_id || '.' || (extract(epoch from r.ts) * 1000)::bigint || '.' || left(md5(r.id), 8) as weigh_id, r.ts as at,
      r.data ->> 'recordNo' as bill_no, r.data ->> 'plateNo' as plate_no, r.data ->> 'goodsName' as goods, r.data ->> 'goodsSpec' as spec,
      coalesce(r.data ->> 'supplier', '') as supplier, (r.data ->> 'grossWeight')::float8 as gross, (r.data ->> 'tareWeight')::float8 as tare,
      (r.data ->> 'grossWeight')::float8 - (r.data ->> 'tareWeight')::float8 - coalesce((r.data ->> 'deduction')::float8, 0) as actual,
      (r.data ->> 'plannedWeight')::float8 as bill
    from device_record r where r.record = 'weighRecord' and r.project_code = ${projectCode} and r.data ->> 'direction' = '1'
      and coalesce(r.data ->> 'status', '2') = '2' and (r.data ->> 'grossWeight')::float8 > 0 and (r.data ->> 'tareWeight')::float8 > 0
      and r.ts >= ${new Date(now - ticketDays * 24 * hour)} and r.ts < ${new Date(now)} order by r.ts desc, r.id`.execute(tx)
  return rows.slice(unmatched)
}

/** Tickets of the same goods and supplier over some days. */
function groupsOf(tickets: readonly Ticket[]): Ticket[][] {
  const groups = Map.groupBy(tickets, (one) => `${one.goods}/${one.spec ?? ''}/${one.supplier}`)
  return [...groups.values()].flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / mostTickets) }, (_one, i) => some.slice(i * mostTickets, (i + 1) * mostTickets)),
  )
}

/** What a delivery over the weighbridge became. */
async function weighed(tx: Tx, city: City, site: Site, tickets: readonly Ticket[], i: number, now: number): Promise<Made> {
  const [newest] = tickets
  const actual = round(tickets.reduce((sum, one) => sum + one.actual, 0))
  const known = ticketArticles.find(([words]) => words.test(newest?.goods ?? ''))?.[1] ?? articles.sand
  const article: Article = {
    ...known,
    supplier: newest?.supplier || known.supplier,
    spec: newest?.spec || known.spec,
    quantity: actual,
    unit: '1',
  }
  const age = Math.max(1, Math.round((now - (newest?.at.getTime() ?? now)) / (24 * hour)))
  const plan: BatchPlan = { site: 'hospital', article: 'sand', age, to: i % 4 === 0 ? 'sent' : 'passed', uses: 1 }
  const made = await tell(tx, city, site, plan, article, idOf(city.seed, 'weighedMaterial', String(i)), now)
  const { id: batchId = '', projectCode, corpCode, shownAt, groups } = made.batch
  const bills = tickets.filter((one) => one.bill !== null)
  made.batch.deviation = deviationOf(
    bills.reduce((sum, one) => sum + one.actual, 0),
    bills.reduce((sum, one) => sum + (one.bill ?? 0), 0),
  )
  made.batch.plateNo = newest?.plateNo ?? null
  const [first] = made.events
  if (first) first.weighId = newest?.weighId ?? null
  made.tickets = tickets.map(({ weighId, at, billNo, plateNo, gross, tare, actual: own, bill }) => ({
    weighId,
    batchId,
    projectCode,
    corpCode,
    shownAt,
    groups,
    direction: 'in',
    billNo,
    plateNo,
    weighedAt: at,
    gross,
    tare,
    net: round(gross - tare),
    actual: round(own),
    bill,
  }))
  return made
}

const round = (n: number) => Math.round(n * 1000) / 1000

interface Step {
  action: MaterialEventKind
  at: number
  by: Actor
  more: Partial<Event>
}

/** A batch with the events that bring it to where its plan says. */
async function tell(tx: Tx, city: City, site: Site, plan: BatchPlan, article: Article, id: string, now: number): Promise<Made> {
  const random = stream(city.seed, 'batch', id)
  const rule = usualRule(article.category)
  const due = samplesDue(rule, article.quantity, article.unit)
  const batchNo = `${article.category === '01' ? 'L' : 'P'}${formatDay(new Date(now)).slice(2, 4)}${id.slice(0, 6).toUpperCase()}`
  const arrived = Math.min(startOfDay(addDays(formatDay(now), -plan.age)) + random.int(460, 900) * minute, now - 2 * hour)
  const steps = stepsOf(site, plan, article, due, arrived, random, now)
  const used = steps.filter((one) => one.action === 'use').reduce((sum, one) => sum + Number(one.more.quantity), 0)
  const at = (action: MaterialEventKind) => steps.find((one) => one.action === action)
  const shownAt = new Date(arrived)
  const disclosed = { projectCode: site.projectCode, corpCode: site.corpCode, shownAt, groups: [site.keeper.groupId] }
  const exit = at('withdraw')
  const tickets = exit ? [await outwardTicket(tx, site, id, article, exit.at, disclosed)] : []
  if (exit && tickets[0]) exit.more.weighId = tickets[0].weighId
  const { category, name, spec, supplier, unit, quantity, brand = null } = article
  const batch: Batch = {
    id,
    ...disclosed,
    ...{ category, name, spec, supplier, unit, quantity, brand, batchNo },
    usedQuantity: round(used),
    arriveTime: shownAt,
    plateNo: `鄂B${id.slice(6, 11).toUpperCase()}`,
    usePart: site.places[random.int(0, Math.max(0, site.places.length - 1))]?.name ?? null,
    certFiles: [site.files.cert],
    photos: [site.files.delivery],
    needRetest: rule.needRetest,
    samplesDue: due,
    samplesTaken: steps.filter((one) => one.action === 'sample').length,
    tolerance: rule.tolerance,
    deviation: null,
    sentAt: at('send') ? new Date(at('send')?.at ?? 0) : null,
    labOrg: at('send') ? laboratory : null,
    reportNo: at('report')?.more.reportNo ?? null,
    retestPassed: at('report') ? at('report')?.more.result === '合格' : null,
    checkedBy: at('accept') ? site.supervisor.name : null,
    exitAt: exit ? new Date(exit.at) : null,
    receiverId: site.keeper.id,
    receiverName: site.keeper.name,
    state: stateOf[plan.to],
    version: steps.length - 1,
    createBy: site.keeper.id,
    createTime: shownAt,
    updateBy: steps.at(-1)?.by.id ?? null,
    updateTime: new Date(steps.at(-1)?.at ?? arrived),
  }
  const events = steps.map(
    ({ action, at: when, by, more }, i): Event => ({
      id: idOf(id, 'event', String(i)),
      batchId: id,
      ...disclosed,
      seq: i + 1,
      action,
      at: new Date(when),
      ...noMore,
      ...more,
      byId: by.id,
      byName: by.name,
      groupName: by.groupName,
    }),
  )
  return { batch, events, tickets, site }
}

const noMore = {
  quantity: null,
  part: null,
  placeId: null,
  planId: null,
  pinX: null,
  pinY: null,
  team: null,
  sampleNo: null,
  reportNo: null,
  weighId: null,
  result: null,
  note: null,
  files: [] as string[],
}

function stepsOf(site: Site, plan: BatchPlan, article: Article, due: number, arrived: number, random: Random, now: number): Step[] {
  const { keeper, supervisor, files } = site
  const steps: Step[] = []
  let at = arrived
  const add = (action: MaterialEventKind, by: Actor, hours: number, more: Partial<Event>) => {
    at = Math.min(at + hours * hour + random.int(1, 40) * minute, now - 5 * minute)
    steps.push({ action, at, by, more })
  }
  add('receive', keeper, 0, { quantity: article.quantity, files: [files.delivery] })
  if (plan.to === 'received') return steps
  const failsAtGate = plan.to === 'failed'
  const conceded = plan.to === 'conceded'
  const verdict = due > 0 ? '2' : failsAtGate ? '3' : conceded ? '4' : '1'
  add('accept', supervisor, 2, {
    quantity: article.quantity,
    result: materialStates[verdict],
    note: failsAtGate
      ? '批次间色差明显，与封样样板不符'
      : conceded
        ? '门框局部划伤，厂家现场修补后让步接收'
        : '外观、规格、数量与质量证明文件相符',
    files: [files.delivery],
  })
  if (due > 0 && plan.to !== 'toSample') {
    for (let n = 0; n < due; n++)
      add('sample', keeper, n === 0 ? 3 : 0, {
        sampleNo: `JZ${String(random.int(10_000_000, 99_999_999))}`,
        note: `随机抽取一组，见证封样（第 ${n + 1} 组）`,
        files: [files.seal],
      })
    if (plan.to !== 'sampled') {
      add('send', keeper, 18, { result: laboratory })
      if (plan.to !== 'sent') {
        const bad = plan.to === 'gone'
        add('report', keeper, plan.age > 8 ? 80 : 30, {
          reportNo: `JC-${formatDay(new Date(at)).slice(0, 4)}-${String(random.int(1000, 9999))}`,
          result: bad ? '不合格' : '合格',
          note: bad ? '抗拉强度 521 MPa，低于标准要求 540 MPa，复试仍不合格' : (article.values ?? '符合标准要求'),
          files: [files.report],
        })
      }
    }
  }
  if (plan.to === 'gone')
    add('withdraw', keeper, 70, {
      quantity: article.quantity,
      result: '已退场',
      note: '鄂B7H318，退往江北钢材公司',
      files: [files.delivery],
    })
  const uses = plan.uses ?? 0
  for (let n = 0; n < uses; n++) {
    const place = site.places[random.int(0, Math.max(0, site.places.length - 1))]
    add('use', keeper, 26 + n * 20, {
      quantity: round((article.quantity * random.float(0.18, 0.3)) / 1),
      part: place?.name ?? '主楼',
      placeId: place?.id ?? null,
      team: ['钢筋一班', '木工班', '砌筑班', '安装班'][random.int(0, 3)] ?? null,
    })
  }
  return steps
}

/** The weighing of what left, which the demonstration's weighbridge has not seen otherwise. */
async function outwardTicket(
  tx: Tx,
  site: Site,
  id: string,
  article: Article,
  at: number,
  disclosed: Pick<Batch, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>,
): Promise<Insertable<Tables['materialWeigh']>> {
  const [tare, actual] = [12.1, article.quantity]
  const ts = new Date(Math.floor(at / 1000) * 1000 - 20 * minute)
  const billNo = `${formatDay(ts).replaceAll('-', '')}-9001`
  const { rows } = await sql<{
    id: string
  }>`select id from device where project_code = ${site.projectCode} and family = 'weighbridge' order by id limit 1`.execute(tx)
  const deviceId = rows[0]?.id ?? ''
  const recordId = `weighRecord:${billNo}`
  const data = {
    recordNo: billNo,
    plateNo: '鄂B7H318',
    direction: '2',
    goodsName: article.name,
    goodsSpec: article.spec,
    supplier: article.supplier,
    grossWeight: round(tare + actual),
    tareWeight: tare,
    deduction: 0,
    operator: '司磅员',
    source: 'device',
    status: '2',
  }
  await sql`insert into device_record (device_id, project_code, ts, id, record, data, received_at)
    values (${deviceId}, ${site.projectCode}, ${ts}, ${recordId}, 'weighRecord', ${JSON.stringify(data)}, ${ts})`.execute(tx)
  const { rows: keys } = await sql<{
    key: string
  }>`select ${deviceId}::text || '.' || (extract(epoch from ${ts}::timestamptz) * 1000)::bigint || '.' || left(md5(${recordId}), 8) as key`.execute(
    tx,
  )
  return {
    weighId: keys[0]?.key ?? '',
    batchId: id,
    ...disclosed,
    direction: 'out',
    billNo,
    plateNo: '鄂B7H318',
    weighedAt: ts,
    gross: data.grossWeight,
    tare,
    net: actual,
    actual,
    bill: null,
  }
}

function logRows({ batch, events }: Made): Insertable<Tables['processLog']>[] {
  let state = '0'
  return events.map(({ id, action, at, byId, byName, groupName, note, result, projectCode, corpCode, shownAt, groups }) => {
    const from = action === 'receive' ? null : state
    if (action === 'accept') state = Object.entries(materialStates).find(([, name]) => name === result)?.[0] ?? state
    if (action === 'report') state = result === '合格' ? '1' : '3'
    return {
      id: idOf(id ?? '', 'log'),
      kind: materialKind.kind,
      objectId: batch.id,
      projectCode,
      corpCode,
      shownAt,
      groups,
      action,
      fromState: from,
      toState: state,
      byId,
      byName,
      groupName,
      opinion: [result, note].filter(Boolean).join('：') || null,
      at,
    }
  })
}

/** Its signatures and to-dos, from the rows as they are stored. */
async function finish(tx: Tx, city: City, { batch, events, site }: Made, now: number): Promise<void> {
  const stored = await tx.selectFrom('materialBatch').selectAll().where('id', '=', batch.id).executeTakeFirstOrThrow()
  const samples = events
    .filter((one) => one.action === 'sample')
    .map(({ sampleNo, at, note, byName }) => ({ sampleNo: sampleNo ?? '', at: at as Date, note: note ?? '', byName }))
  // A batch that was only just sampled waits for its witness.
  const witnessed = samples.length > 0 && stored.sentAt !== null
  const signedAt = (action: string) => (events.findLast((one) => one.action === action)?.at as Date | undefined) ?? stored.createTime
  const who: Readonly<Record<string, readonly [Actor, Date] | undefined>> = {
    keeper: [site.keeper, stored.createTime],
    supervisor: stored.checkedBy ? [site.supervisor, signedAt('accept')] : undefined,
    sampler: samples.length > 0 ? [site.keeper, signedAt('sample')] : undefined,
    witness: witnessed ? [site.supervisor, signedAt('sample')] : undefined,
  }
  const { id: objectId, projectCode, corpCode, shownAt, groups } = stored
  const signatures = (await materialSeats({ ...stored, samples })).flatMap(
    ({ seat, role, content }): Insertable<Tables['processSignature']>[] => {
      const signer = who[seat]
      if (!signer) return []
      const [by, at] = signer
      return [
        {
          id: idOf(objectId, 'signature', seat),
          kind: materialKind.kind,
          objectId,
          ...{ projectCode, corpCode, shownAt, groups },
          seat,
          role,
          name: by.name,
          userId: by.id,
          image: drawnName(by.name, stream(city.seed, 'drawn', by.name)),
          hash: contentHash(content),
          refused: false,
          byId: by.id,
          byName: by.name,
          at: new Date(at.getTime() + 10 * minute),
        },
      ]
    },
  )
  await insertAll(tx, 'processSignature', signatures)
  const todos = todosOf({ ...stored, samples, witnessed })
  await insertAll(
    tx,
    'processTodo',
    todoRows(materialKind.kind, { id: objectId, projectCode, corpCode, shownAt, groups }, todos, stored.updateTime, now),
  )
}

/** How much of some materials the works need. */
function plansOf(projectCode: string, now: number): Insertable<Tables['materialPlan']>[] {
  const planned: [keyof typeof articles, number][] = [
    ['rebar25', 420],
    ['rebar12', 260],
    ['wire8', 90],
    ['cement', 600],
    ['block', 42_000],
    ['membrane', 6_400],
    ['insulation', 9_800],
    ['cable', 4_200],
    ['pipe', 9_000],
    ['tile', 12_000],
  ]
  return planned.map(([key, amount]) => {
    const { category, name, spec, unit } = articles[key]
    return { projectCode, category, name, spec, unit, planned: amount, updateBy: '材料员', updateTime: new Date(now) }
  })
}
