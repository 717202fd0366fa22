import { concealed, type StepLink, stepChain, witnessedKinds, workOf } from '@zhugong/contract/steps/chain'
import type { StepState } from '@zhugong/contract/steps/moves'
import type { City } from '@zhugong/simulator/city-types'
import { idOf, type Random, stream } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { contentHash } from '#domains/process/public'
import { stepSeats, stepType, todosOf } from '#domains/steps/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import { type Actor, actorsOf } from './actors.ts'
import { drawnName } from './drawn-name.ts'
import { rectifyPhoto } from './media/rectify-scene.ts'
import { rebarShot } from './media/site-shots.ts'
import { putOrder } from './seed-order.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

const minute = 60_000
/** Links that each floor has reached, from the lowest; beyond them nothing is recorded. Two floors are blocked. */
const reached: readonly { links: number; last?: 'waiting' | 'failed' | 'mended'; early?: true }[] = [
  { links: 16 },
  { links: 14 },
  { links: 13 },
  { links: 11, early: true },
  { links: 10 },
  { links: 10 },
  { links: 9, last: 'failed' },
  { links: 8 },
  { links: 8, last: 'mended' },
  { links: 5, last: 'waiting' },
  { links: 6, last: 'failed' },
  { links: 2 },
]
/** 9 层 is told in detail: one spacing failed, was mended and passed. */
const ninth = '9层'
const gangs: Readonly<Record<string, string>> = {
  setout: '测量组',
  formwork: '木工一班',
  rebar: '钢筋一班',
  concrete: '混凝土班',
  masonry: '砌筑班',
  plaster: '抹灰班',
  waterproof: '防水班',
}
const problemOf: Readonly<Record<string, string>> = {
  formwork: '04',
  rebar: '05',
  concrete: '01',
  masonry: '07',
  plaster: '09',
  waterproof: '14',
}
const series = 'GX'

interface Site {
  projectCode: string
  shortName: string
  corpCode: string
  author: Actor
  checkers: string[]
  supervisor: Actor
  photos: Record<'rebar' | 'other', string>
}
type Step = Insertable<Tables['siteStep']>
type Point = Insertable<Tables['siteStepPoint']>

/** Ninety acceptances of the floors of a hospital: two floors blocked, one concealed reinforcement mended after a spacing failed. */
export async function seedSteps(tx: Tx, city: City, now: number, folder: string): Promise<void> {
  const site = await siteOf(tx, city, folder)
  if (!site) return
  const { rows: floors } = await sql<{
    id: string
    name: string
  }>`select f.id, f.name from site_place f join site_place b on b.id = f.parent_id
    where f.project_code = ${site.projectCode} and f.kind = 'floor' and f.name not like '地下%'
      and b.id = (select p.id from site_place p join unit_project u on u.id = p.unit_id where p.project_code = ${site.projectCode}
        order by u.floors_up desc, u.seq limit 1) order by f.seq limit ${reached.length}`.execute(tx)
  let number = 0
  for (const [at, floor] of floors.entries()) {
    const plan = reached[at]
    if (!plan) continue
    const links = stepChain.slice(0, plan.links)
    for (const [i, link] of links.entries()) {
      const isLast = i === links.length - 1
      const isNinth = floor.name === ninth && link.work === 'rebar' && link.kind === concealed
      const last = isNinth ? 'mended' : isLast ? plan.last : undefined
      number++
      const age = (reached.length - at) * 7 + (links.length - i) * 2
      await put(tx, city, site, floor, link, { last, early: Boolean(plan.early && isLast), age, number, now })
    }
  }
  await sql`insert into document_number (owner, doc_type, year, last) values (${site.projectCode}, ${series}, ${Number(formatDay(new Date(now)).slice(0, 4))}, ${number})
    on conflict (owner, doc_type, year) do update set last = greatest(document_number.last, excluded.last)`.execute(tx)
}

async function siteOf(tx: Tx, city: City, folder: string): Promise<Site | undefined> {
  const people = await actorsOf(tx)
  const author = people.of('hospital-pm')
  const project = city.projects.find((one) => city.personas.some((p) => p.account === 'hospital-pm' && p.projectCode === one.projectCode))
  if (!author || !project) return undefined
  const drawn: Drawn[] = []
  const keep = async (name: string, body: Buffer) => {
    const file = { id: idOf(city.seed, 'stepPhoto', name), name: `${name}.png`, mime: 'image/png' as const }
    drawn.push(await keepFile(folder, project.projectCode, file, body))
    return file.id
  }
  const photos = {
    rebar: await keep('钢筋隐蔽前', rebarShot(project.projectCode)),
    other: await keep('工序现场', rectifyPhoto('props', true)),
  }
  await keepAll(tx, drawn)
  return {
    projectCode: project.projectCode,
    shortName: project.shortName,
    corpCode: project.contractorCorpCode,
    author,
    checkers: [author.name, '冯建业'],
    supervisor: people.of('hospital-jl') ?? author,
    photos,
  }
}

interface StepStory {
  last: 'waiting' | 'failed' | 'mended' | undefined
  early: boolean
  age: number
  number: number
  now: number
}

async function put(tx: Tx, city: City, site: Site, floor: { id: string; name: string }, link: StepLink, told: StepStory): Promise<void> {
  const { last, early, age, number, now } = told
  const id = idOf(city.seed, 'step', floor.id, link.work, link.kind)
  const random = stream(city.seed, 'step', id)
  const at = Math.min(startOfDay(addDays(formatDay(new Date(now)), -age)) + random.int(510, 990) * minute, now - 3 * 60 * minute)
  const witnessed = witnessedKinds.includes(link.kind)
  const failing = last === 'failed' || last === 'mended'
  const state: StepState = last === 'failed' ? '3' : last === 'waiting' && witnessed ? '1' : age > 60 ? '4' : '2'
  const shownAt = new Date(at)
  const disclosed = { projectCode: site.projectCode, corpCode: site.corpCode, shownAt, groups: [site.author.groupId] }
  const mendedAt = at + 26 * 60 * minute
  const acceptedAt =
    state === '2' || state === '4' ? new Date(Math.min((last === 'mended' ? mendedAt : at) + 3 * 60 * minute, now - minute)) : null
  const year = formatDay(shownAt).slice(0, 4)
  const code = `${site.shortName}-${series}-${year}-${String(number).padStart(3, '0')}`
  const part = `${floor.name}${link.work === 'setout' ? '' : link.work === 'masonry' || link.work === 'plaster' ? '①～⑧轴内墙' : '①～⑧轴梁板'}`
  const row: Step = {
    id,
    code,
    ...disclosed,
    authorGroup: site.author.groupId,
    authorGroupName: site.author.groupName,
    work: link.work,
    kind: link.kind,
    placeId: floor.id,
    planId: null,
    pinX: null,
    pinY: null,
    part,
    gang: gangs[link.work] ?? null,
    begunAt: new Date(at - (early ? 90 : 20) * 60 * minute),
    checkTime: last === 'mended' ? new Date(Math.min(mendedAt, now - 2 * minute)) : shownAt,
    checkers: site.checkers,
    photos: [link.work === 'rebar' ? site.photos.rebar : site.photos.other],
    remark: link.kind === concealed ? '钢筋规格、间距、保护层、锚固与连接逐项核对，隐蔽前清理完成' : null,
    person: null,
    deadline: failing ? addDays(formatDay(shownAt), 3) : null,
    problems: failing ? [problemOf[link.work] ?? '99'] : [],
    round: last === 'mended' ? 2 : 1,
    result: last === 'failed' ? '2' : '1',
    early,
    acceptedAt,
    rectifyId: failing ? idOf(id, 'notice') : null,
    state,
    version: 2,
    createBy: site.author.id,
    createTime: shownAt,
    updateBy: site.author.id,
    updateTime: acceptedAt ?? shownAt,
  }
  const points = pointsOf(id, disclosed, link, 1, failing, site.author.name, shownAt, random)
  const again = last === 'mended' ? pointsOf(id, disclosed, link, 2, false, site.author.name, new Date(mendedAt), random) : []
  if (failing) await notice(tx, site, row, points, { closed: last === 'mended', at, mendedAt, number, now })
  await tx.insertInto('siteStep').values(row).execute()
  await insertAll(tx, 'siteStepPoint', [...points, ...again])
  const log = (
    action: string,
    from: string,
    to: string,
    by: Actor,
    when: number,
    opinion: string | null,
  ): Insertable<Tables['processLog']> => ({
    id: idOf(id, 'log', action),
    kind: stepType,
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
  const after = witnessed ? '1' : '2'
  await insertAll(tx, 'processLog', [
    log(
      'submit',
      '0',
      failing ? '3' : after,
      site.author,
      at,
      failing ? '1 个检查点不合格' : witnessed ? '检查点全部合格，报监理验收' : '检查点全部合格',
    ),
    ...(last === 'mended' ? [log('recheck', '3', after, site.author, mendedAt, '整改后复验，检查点全部合格')] : []),
    ...(witnessed && acceptedAt
      ? [log('accept', '1', '2', site.supervisor, acceptedAt.getTime(), '符合设计与规范要求，同意进入下一工序')]
      : []),
    ...(state === '4' ? [log('archive', '2', '4', site.author, (acceptedAt?.getTime() ?? at) + 60 * minute, null)] : []),
  ])
  await sign(tx, city, site, id, now)
}

function pointsOf(
  stepId: string,
  disclosed: Pick<Step, 'projectCode' | 'corpCode' | 'shownAt' | 'groups'>,
  link: StepLink,
  round: number,
  failing: boolean,
  byName: string,
  at: Date,
  random: Random,
): Point[] {
  const points = workOf(link.work)?.points ?? []
  const failed = failing ? (points.find((one) => one.key === 'mainSpacing') ?? points.find((one) => one.high !== undefined)) : undefined
  return points.map((point, i) => {
    const { low, high } = point
    const bad = point === failed
    const measured = low !== undefined && high !== undefined
    const most = measured ? Math.min(high, low + 20) : 0
    return {
      id: idOf(stepId, 'point', String(round), point.key),
      stepId,
      ...disclosed,
      round,
      seq: i + 1,
      key: point.key,
      name: point.name,
      limitText: point.limit,
      unit: point.unit ?? null,
      value: measured ? (bad ? high + 6 : Math.round(random.float(low + (most - low) * 0.3, low + (most - low) * 0.8) * 10) / 10) : null,
      passed: !bad,
      note: bad ? `${point.name}超差，抽查 10 处有 3 处` : null,
      byName,
      at,
    }
  })
}

/** The order of a failed step: received, or closed after it was mended. */
async function notice(
  tx: Tx,
  site: Site,
  row: Step,
  points: readonly Point[],
  { closed, at, mendedAt, number, now }: { closed: boolean; at: number; mendedAt: number; number: number; now: number },
): Promise<void> {
  const failed = points.find((one) => !one.passed)
  if (!row.rectifyId || !failed || !row.id) return
  const issued = new Date(at)
  await putOrder(
    tx,
    {
      id: row.rectifyId,
      code: `${site.shortName}-ZL-${formatDay(issued).slice(0, 4)}-${String(number).padStart(3, '0')}`,
      origin: 'site',
      projectCode: site.projectCode,
      corpCode: site.corpCode,
      source: { kind: stepType, id: row.id },
      sourceType: '12',
      issuer: site.author,
      answerer: site.author,
      at: issued,
      deadline: row.deadline ?? formatDay(issued),
      description: `${failed.name} ${failed.value ?? ''}${failed.unit ?? ''}（要求 ${failed.limitText}）`,
      requirement: `整改至 ${failed.limitText}，复验合格后方可进行下一工序`,
      part: row.part,
      placeId: row.placeId,
      photos: (row.photos as string[] | undefined) ?? [],
      ...(closed
        ? { answered: { at: new Date(Math.min(mendedAt, now - 2 * minute)), measure: '已按设计间距重新绑扎并逐处复量', closed } }
        : {}),
    },
    now,
  )
}

/** Signatures of the checkers, the gang and 监理, and who acts next, from the row as it is stored. */
async function sign(tx: Tx, city: City, site: Site, id: string, now: number): Promise<void> {
  const stored = await tx.selectFrom('siteStep').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const { projectCode, corpCode, shownAt, groups } = stored
  const accepted = stored.state === '2' || stored.state === '4'
  const rows = (await stepSeats({ db: tx }, stored)).flatMap(
    ({ seat, role, expects, content }): Insertable<Tables['processSignature']>[] => {
      if (seat === 'supervisor' ? !accepted : seat === 'gang' && !accepted) return []
      const name = expects ?? (seat === 'supervisor' ? site.supervisor.name : '刘铁柱')
      const by = seat === 'supervisor' ? site.supervisor : site.author
      const at = seat === 'supervisor' ? (stored.acceptedAt ?? stored.checkTime) : new Date(stored.checkTime.getTime() + 5 * minute)
      return [
        {
          id: idOf(id, 'signature', seat),
          kind: stepType,
          objectId: id,
          ...{ projectCode, corpCode, shownAt, groups },
          seat,
          role,
          name,
          userId: name === by.name ? by.id : null,
          image: drawnName(name, stream(city.seed, 'drawn', name)),
          hash: contentHash(content),
          refused: false,
          byId: by.id,
          byName: by.name,
          at,
        },
      ]
    },
  )
  await insertAll(tx, 'processSignature', rows)
  await insertAll(
    tx,
    'processTodo',
    todoRows(stepType, { id, projectCode, corpCode, shownAt, groups }, todosOf(stored), stored.updateTime, now),
  )
}
