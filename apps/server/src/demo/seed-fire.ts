import { catalogueWith, isPoint, isSub, pointsFor, subOf } from '@zhugong/contract/fire/catalogue'
import { workDayAfter, workDaysBetween } from '@zhugong/contract/fire/deadline'
import { judgeBuild } from '@zhugong/contract/fire/judge'

import { deliveredPlaces, placesOf } from '@zhugong/contract/fire/place-rules'
import { judgeAll } from '@zhugong/contract/fire/rule'
import { weekends } from '@zhugong/contract/kit/rest-days'
import { dayMs, hourMs, minuteMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { deliveredFireItems, fireTodos, fireType } from '#domains/fire/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import type { Secrets } from '#kit/secret'
import { type Actor, actorsOf } from './actors.ts'
import { localPoints, type PlannedCase, plannedCases } from './fire-plan.ts'
import { rectifyPhoto } from './media/rectify-scene.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

type New<T extends keyof Tables> = Insertable<Tables[T]> & Record<string, unknown>
type Project = City['projects'][number]

interface World {
  city: City
  now: number
  today: string
  secrets: Secrets
  people: Awaited<ReturnType<typeof actorsOf>>
  team: readonly Actor[]
  photos: ReadonlyMap<string, string>
  catalogueId: string
}
const termDays = 15
const inspectors = ['bj-zhao', 'bj-qian', 'bj-sun', 'bj-zheng']
const [officerAccount, leaderAccount, cityAccount] = ['bj-zhao', 'bj-wu', 'city-fang']
/** The district whose authority has assessors; the others are visited by nobody here. */
const district = '420202'

/** The local catalogue and forty-six cases of fire acceptance, written table by table. */
export async function seedFire(tx: Tx, city: City, secrets: Secrets, now: number, folder: string): Promise<void> {
  const people = await actorsOf(tx)
  const owner = people.of(cityAccount)
  const team = inspectors.flatMap((one) => people.of(one) ?? [])
  if (!owner || team.length < inspectors.length) return
  const catalogueId = idOf(city.seed, 'fireCatalogue', owner.groupId)
  await insertAll(tx, 'fireCatalogue', [
    { id: catalogueId, groupId: owner.groupId, version: 1, createBy: owner.name, createTime: new Date(now - 90 * dayMs) },
  ])
  const item = { catalogueId, needsValue: false, applicable: [], fullCheck: false, enable: true }
  await insertAll(
    tx,
    'fireCatalogueItem',
    localPoints.map((one) => ({ ...item, ...one })),
  )
  const photos = await drawPhotos(tx, city, folder)
  const world: World = { city, now, today: formatDay(new Date(now)), secrets, people, team, photos, catalogueId }
  const made = plannedCases.flatMap((one, i) => caseOf(world, one, i))
  const put = <T extends keyof Tables>(table: T, of: (one: Made) => readonly Insertable<Tables[T]>[]) =>
    insertAll(tx, table, made.flatMap(of))
  await put('fireCase', (one) => [one.row])
  await put('fireBuild', (one) => [one.build])
  await put('fireAssessor', (one) => one.team)
  await put('firePause', (one) => one.pauses)
  await put('fireRound', (one) => one.rounds)
  await put('firePoint', (one) => one.points)
  await put('fireSub', (one) => one.subs)
  await put('fireProof', (one) => one.proofs)
  await put('processLog', (one) => one.log)
  await put('processTodo', (one) => one.todos)
  await numbers(tx, made, new Date(now))
}

interface Made {
  row: New<'fireCase'> & { id: string }
  build: New<'fireBuild'>
  team: New<'fireAssessor'>[]
  pauses: New<'firePause'>[]
  rounds: New<'fireRound'>[]
  points: New<'firePoint'>[]
  subs: New<'fireSub'>[]
  proofs: New<'fireProof'>[]
  log: New<'processLog'>[]
  todos: ReturnType<typeof todoRows>
}

async function drawPhotos(tx: Tx, city: City, folder: string): Promise<Map<string, string>> {
  const photos = new Map<string, string>()
  const drawn: Drawn[] = []
  const picture = rectifyPhoto('props', true)
  for (const { projectCode } of city.projects) {
    const file = { id: idOf(city.seed, 'firePhoto', projectCode), name: '现场照片.png', mime: 'image/png' as const }
    drawn.push(await keepFile(folder, projectCode, file, picture))
    photos.set(projectCode, file.id)
  }
  await keepAll(tx, drawn)
  return photos
}

/** Sites in turn; cases with a team lie in the district whose officers assess. */
function siteOf({ city }: World, planned: PlannedCase, i: number): Project | undefined {
  const near = city.projects.filter((one) => one.areaCode === district)
  // The 建设单位 of the demonstration see cases of their own in every stage.
  const all = planned.team || planned.state === '2' ? near : city.projects
  return all[i % all.length]
}

/** The day from which a term counts that ends on `due`. */
function termBefore(due: string): string {
  let from = addDays(due, -termDays)
  while (workDaysBetween(weekends, from, due) < termDays) from = addDays(from, -1)
  return from
}
/** The working day so many working days away; before today for negative ones. */
function dueIn(today: string, left: number): string {
  if (left >= 0) return workDayAfter(weekends, today, left)
  let day = addDays(today, -1)
  while (workDaysBetween(weekends, day, today) < -left || workDaysBetween(weekends, addDays(day, -1), day) === 0) day = addDays(day, -1)
  return day
}

function caseOf(world: World, planned: PlannedCase, i: number): Made[] {
  const { city, now, today, people } = world
  const project = siteOf(world, planned, i)
  const applicant = project && people.groups.get(`2/${project.buildCorpCode}`)
  const authority = project && people.groups.get(`1/${city.governments.find((one) => one.areaCode === project.areaCode)?.govCode}`)
  if (!project || !applicant || !authority) return []
  const cities = city.governments.filter(
    (one) => one.areaCode !== project.areaCode && project.areaCode.startsWith(one.areaCode.replace(/00$/, '')),
  )
  const above = cities.flatMap((one) => people.groups.get(`1/${one.govCode}`)?.groupId ?? [])
  const id = idOf(city.seed, 'fireCase', String(i))
  const known = planned.state === '0' ? [applicant.groupId] : [applicant.groupId, authority.groupId, ...above]
  const own = { caseId: id, projectCode: project.projectCode, corpCode: project.buildCorpCode, shownAt: null, groups: known }
  const applied = startOfDay(addDays(today, -planned.age)) + (9 * 60 + (i % 7) * 17) * minuteMs
  // Nothing of the future has happened, whatever the hour.
  const at = (ms: number) => new Date(Math.min(ms, now - minuteMs))
  const submitTime = planned.state === '0' ? null : at(applied)
  const isAccepted = !['0', '1', '2', '8'].includes(planned.state)
  const acceptTime = isAccepted ? at(applied + 5 * hourMs) : null
  const dueDate = planned.left === undefined ? endedDue(planned, today) : dueIn(today, planned.left)
  const [name, use, area, height, floors] = planned.building
  const found = placesOf(deliveredPlaces, { use, area, height, floorsUp: floors })
  const team = (planned.team ?? []).flatMap((n) => world.team[n] ?? [])
  const round = planned.round2 ? 2 : 1
  const finish =
    planned.state === '8'
      ? addDays(today, -planned.age + 4)
      : planned.state === '9'
        ? addDays(today, -planned.age + 1)
        : planned.ended === undefined || planned.state === '5'
          ? null
          : addDays(today, -(planned.round2 ? 6 : planned.ended))
  const build: New<'fireBuild'> = {
    ...own,
    id: idOf(id, 'build'),
    seq: 0,
    unitId: null,
    name,
    use,
    structureType: null,
    fireRating: floors > 10 ? '1' : '2',
    danger: '9',
    useProperty: found.special ? '1' : '9',
    floorsUp: floors,
    floorsDown: floors > 4 ? 2 : 0,
    height,
    length: null,
    footprint: Math.round(area / floors),
    areaUp: Math.round(area * 0.82),
    areaDown: area - Math.round(area * 0.82),
    places: found.places,
    projects: planned.projects ? [...planned.projects] : found.projects,
  }
  const tel = world.secrets.seal(`1390715${String(1_000 + i)}`)
  if (!tel) return []
  const paused = planned.paused ? addDays(today, -3) : null
  const row: Made['row'] = {
    id,
    code: isAccepted ? `消验〔${today.slice(0, 4)}〕${String(i + 1).padStart(4, '0')}号` : null,
    projectCode: project.projectCode,
    corpCode: project.buildCorpCode,
    shownAt: null,
    groups: known,
    applicantGroup: applicant.groupId,
    applyCorp: project.buildCorpName,
    authorityGroup: planned.state === '0' ? null : authority.groupId,
    authorityName: planned.state === '0' ? null : authority.groupName,
    kind: planned.kind,
    applyType: planned.round2 || planned.state === '5' ? '2' : '1',
    contact: '项目前期部',
    tel,
    isPart: planned.tower ?? false,
    designReviewNo: planned.kind === '1' ? `消审〔2024〕第 ${100 + i} 号` : null,
    designReviewDate: planned.kind === '1' ? '2024-05-16' : null,
    licenseNo: project.builderLicenses[0]?.builderLicenseNum ?? '4202022024010101',
    firePlaces: found.places,
    special: found.special,
    materials: [world.photos.get(project.projectCode) ?? ''].filter(Boolean),
    // The tower began with the catalogue of the city; what began before it keeps the delivered one.
    catalogueId: planned.tower ? world.catalogueId : null,
    noAcceptReason: planned.state === '2' ? '3' : null,
    noAcceptNote: planned.state === '2' ? '缺少消防竣工图纸（给排水专业），请补齐后重新申报' : null,
    submitTime,
    acceptTime,
    dueFrom: dueDate && termBefore(dueDate),
    dueDate,
    pausedAt: paused,
    inRandom: planned.kind === '3' ? true : planned.state === '9' ? false : null,
    drawId: null,
    assessDate:
      team.length > 0
        ? planned.state === '3'
          ? workDayAfter(weekends, today, 1 + (i % 4))
          : addDays(today, -(planned.ended ?? 0) - (planned.minutes === undefined ? 1 : 0))
        : null,
    assessorIds: team.map((one) => one.id),
    assessors: team.map((one) => one.name),
    round,
    finishDate: finish,
    state: planned.state,
    version: 3,
    createBy: applicant.groupId,
    createTime: at(applied - hourMs),
    updateBy: null,
  }
  const base = {
    row,
    build,
    team: team.map((one, seq) => ({ ...own, seq, userId: one.id, expertId: null, name: one.name, unit: one.groupName })),
  }
  const pauses = paused ? [{ ...own, fromDay: paused, toDay: null, reason: '补充消防水泵检测报告' }] : []
  const found_ = roundsOf(world, planned, base, at)
  return [{ ...base, pauses, ...found_, log: logOf(world, planned, row, at, applied), todos: todosOf(planned, row, project.name, now) }]
}

/** Deadlines of cases that have ended lie before or after their opinion. */
const endedDue = (planned: PlannedCase, today: string): string | null =>
  planned.ended === undefined || planned.state === '5' ? null : workDayAfter(weekends, addDays(today, -planned.ended), 2)

const usualParts = ['1 层', '2 层'] as const
/** Additional places of the tower's failed B, of four. */
const extraDone = 2

type Base = Pick<Made, 'row' | 'build' | 'team'>
type Found = Pick<Made, 'rounds' | 'points' | 'subs' | 'proofs'>

/** Everything that was found on the site, judged by the same rule as in the product. */
function roundsOf(world: World, planned: PlannedCase, { row, build, team }: Base, at: (ms: number) => Date): Found {
  const none: Found = { rounds: [], points: [], subs: [], proofs: [] }
  if (!['4', '5', '6', '7'].includes(planned.state) || team.length === 0) return none
  const groups = planned.state === '4' ? row.groups.filter((one) => one !== row.applicantGroup) : row.groups
  const own = { caseId: row.id, projectCode: row.projectCode, corpCode: row.corpCode, shownAt: null, groups }
  const catalogue = catalogueWith(
    deliveredFireItems,
    row.catalogueId ? localPoints.map((one) => ({ ...one, needsValue: false, applicable: [], fullCheck: false, enable: true })) : [],
  )
  const visited =
    planned.minutes === undefined
      ? startOfDay(addDays(world.today, -(planned.ended ?? 0) - 1)) + 10 * hourMs
      : world.now - planned.minutes * minuteMs - 3 * hourMs
  const all = pointsFor(catalogue, build.projects, build.places)
  const subs = [...new Set(all.map((one) => subOf(one.code)))]
  const bad = planned.bad ?? []
  // Of a running assessment the last sub-items are still open: of the tower one, of the others a third.
  const open =
    planned.minutes === undefined || planned.submitted ? [] : planned.tower ? subs.slice(-1) : subs.slice(-Math.ceil(subs.length / 3))
  const first = entries(
    world,
    own,
    { row, build, team },
    1,
    all.filter((one) => !open.includes(subOf(one.code))),
    bad,
    visited,
    at,
    planned.tower ?? false,
  )
  const notes = subNotes(own, build.id, 1, catalogue, subs)
  const judged = judgeBuild(catalogue, build, first, notes, null)
  const total = judgeAll([{ code: build.id, judged: judged.judged }])
  const ended = planned.ended === undefined ? null : at(startOfDay(addDays(world.today, -planned.ended)) + 15 * hourMs)
  const rounds = [roundRow(own, row, 1, null, total, judged, visited, at, ended, planned.submitted ?? false, world)]
  if (!planned.round2 && planned.state !== '5') return { rounds, points: first, subs: notes, proofs: [] }
  const failed = judged.projects.flatMap((one) => one.subs.filter((sub) => sub.judged.verdict === 'fail').map((sub) => sub.code))
  const proofs = first
    .filter((one) => one.result === '2' && failed.includes(subOf(one.itemCode)))
    .map((one) => ({
      ...own,
      pointId: one.id,
      note: '已按要求整改并自检合格',
      files: one.photos,
      at: at(startOfDay(addDays(world.today, -9)) + 11 * hourMs),
    }))
  if (!planned.round2) return { rounds, points: first, subs: notes, proofs }
  const again = startOfDay(addDays(world.today, -7)) + 10 * hourMs
  const second = entries(
    world,
    own,
    { row, build, team },
    2,
    all.filter((one) => failed.includes(subOf(one.code))),
    [],
    again,
    at,
    false,
  )
  const notes2 = subNotes(own, build.id, 2, catalogue, failed)
  const judged2 = judgeBuild(catalogue, build, second, notes2, failed)
  const total2 = judgeAll([{ code: build.id, judged: judged2.judged }])
  const only = failed.map((code) => `${build.id} ${code}`)
  rounds.push(roundRow(own, row, 2, only, total2, judged2, again, at, at(startOfDay(addDays(world.today, -6)) + 15 * hourMs), false, world))
  return { rounds, points: [...first, ...second], subs: [...notes, ...notes2], proofs }
}

type Own = { caseId: string; projectCode: string; corpCode: string; shownAt: null; groups: string[] }

/** Two places of every point; a point that is not right stands at its own place besides. */
function entries(
  world: World,
  own: Own,
  { row, build, team }: Base,
  round: number,
  points: ReturnType<typeof pointsFor>,
  bad: NonNullable<PlannedCase['bad']>,
  from: number,
  at: (ms: number) => Date,
  tower: boolean,
): (New<'firePoint'> & {
  id: string
  photos: string[]
  result: '1' | '2' | '3'
  itemCode: string
  checkPart: string
  productFail: boolean
})[] {
  let n = 0
  return points.flatMap((point) => {
    const wrong = bad.filter(([code]) => code === point.code)
    // A failed B that is not open any more has its four additional places.
    const extra = point.level === 'B' && wrong.length > 0 ? (tower ? extraDone : 4) : 0
    const parts = [
      ...wrong.map(([, part]) => part),
      ...usualParts.filter((part) => extra === 0 && !wrong.some(([, own_]) => own_ === part)),
      ...Array.from({ length: extra }, (_, i) => `加抽 ${i + 4} 层`),
    ]
    return parts.map((part) => {
      const fault = wrong.find(([, where]) => where === part)
      const by = team[n % team.length]
      const designed = point.needsValue ? '1.40' : null
      n++
      return {
        ...own,
        id: idOf(row.id, 'point', String(round), point.code, part),
        round,
        buildId: build.id,
        itemCode: point.code,
        level: point.level ?? 'C',
        checkPart: part,
        result: fault ? ('2' as const) : ('1' as const),
        productFail: false,
        designValue: designed,
        actualValue: designed && (fault ? '1.22' : '1.42'),
        tolerance: 5,
        description: fault ? fault[2] : null,
        photos: fault ? [world.photos.get(row.projectCode) ?? ''].filter(Boolean) : [],
        changeReason: null,
        byId: by?.userId ?? '',
        byName: by?.name ?? '',
        at: at(from + n * 20_000),
      }
    })
  })
}

/** Sub-items that are looked at in full say how many places there are. */
const subNotes = (
  own: Own,
  buildId: string,
  round: number,
  catalogue: readonly { code: string; fullCheck: boolean }[],
  subs: readonly string[],
) =>
  catalogue
    .filter((one) => isSub(one.code) && one.fullCheck && subs.includes(one.code) && !isPoint(one.code))
    .map((one) => ({ ...own, buildId, round, subCode: one.code, total: usualParts.length, absentReason: null }))

function roundRow(
  own: Own,
  row: Made['row'],
  round: number,
  onlySubs: string[] | null,
  total: ReturnType<typeof judgeAll>,
  judged: ReturnType<typeof judgeBuild>,
  started: number,
  at: (ms: number) => Date,
  issuedAt: Date | null,
  submitted: boolean,
  world: World,
): New<'fireRound'> {
  const failed = total.verdict === 'fail'
  return {
    ...own,
    round,
    onlySubs,
    verdict: total.verdict,
    line: total.line,
    causes: total.causes,
    subsDone: judged.subsDone,
    subsTotal: judged.subsTotal,
    startedAt: at(started),
    placeReason: null,
    outsideM: 0,
    submittedAt: issuedAt ?? (submitted ? at(started + 5 * hourMs) : null),
    opinion:
      issuedAt && (failed ? '经现场评定，综合结论为不合格，请整改完成后申请复评。' : '经现场评定，各单体、各项目均合格，综合结论为合格。'),
    remark: null,
    docNo:
      issuedAt && `${row.authorityName ?? ''}消验字〔${world.today.slice(0, 4)}〕第${row.code?.slice(-5, -1)}${round > 1 ? '-2' : ''}号`,
    issuedAt,
    issuedBy: issuedAt && (world.people.of(leaderAccount)?.name ?? null),
  }
}

function logOf(
  { people, city, today, now }: World,
  planned: PlannedCase,
  row: Made['row'],
  at: (ms: number) => Date,
  applied: number,
): Made['log'] {
  const officer = people.of(officerAccount)
  const leader = people.of(leaderAccount)
  const applicant = {
    id: row.applicantGroup,
    name: city.personas.find((one) => one.corpCode === row.corpCode)?.name ?? '前期部',
    groupName: row.applyCorp,
  }
  if (!officer || !leader || planned.state === '0') return []
  const authority = (who: Actor) => ({ id: who.id, name: who.name, groupName: row.authorityName ?? who.groupName })
  const line = (
    action: string,
    to: string,
    ms: number,
    by: { id: string; name: string; groupName: string },
    opinion: string | null = null,
  ): Made['log'][number] => ({
    id: idOf(row.id, 'log', action),
    kind: fireType,
    objectId: row.id,
    projectCode: row.projectCode,
    corpCode: row.corpCode,
    shownAt: null,
    groups: row.groups,
    action,
    fromState: null,
    toState: to,
    byId: by.id,
    byName: by.name,
    groupName: by.groupName,
    opinion,
    at: at(ms),
  })
  const ended = planned.ended === undefined ? undefined : startOfDay(addDays(today, -planned.ended)) + 15 * hourMs
  return [
    line('submit', '1', applied, applicant),
    ...(planned.state === '2' ? [line('refuse', '2', applied + 4 * hourMs, authority(officer), row.noAcceptNote)] : []),
    ...(planned.state === '8' ? [line('terminate', '8', applied + 4 * dayMs, applicant, '建设内容调整，撤回申请')] : []),
    ...(row.code ? [line('accept', '3', applied + 5 * hourMs, authority(officer), row.code)] : []),
    ...(row.inRandom === null || row.inRandom === undefined
      ? []
      : [line('draw', row.inRandom ? '3' : '9', applied + dayMs, authority(officer), row.inRandom ? '抽中' : '未抽中，按资料办结')]),
    ...(row.assessors?.length
      ? [line('assign', '3', applied + dayMs + hourMs, authority(leader), `指定：${row.assessors.join('、')}`)]
      : []),
    ...(planned.minutes === undefined ? [] : [line('start', '4', now - planned.minutes * minuteMs - 3 * hourMs, authority(officer))]),
    ...(ended === undefined
      ? []
      : [line('issue', planned.round2 || planned.state === '5' ? '7' : planned.state, ended, authority(leader))]),
  ]
}

const todosOf = (planned: PlannedCase, row: Made['row'], projectName: string, now: number): Made['todos'] =>
  todoRows(
    fireType,
    { id: row.id, projectCode: row.projectCode, corpCode: row.corpCode, shownAt: null, groups: row.groups },
    fireTodos({
      id: row.id,
      state: planned.state,
      projectName,
      applicantGroup: row.applicantGroup,
      authorityGroup: row.authorityGroup ?? null,
      dueDate: row.dueDate ?? null,
      pausedAt: row.pausedAt ?? null,
      assessors: row.assessors ?? [],
      kind: row.kind,
      inRandom: row.inRandom ?? null,
      submittedAt: planned.submitted ? new Date(now) : null,
    }),
    row.submitTime instanceof Date ? row.submitTime : new Date(now),
    now,
  )

/** The counters go on after the numbers that are used. */
async function numbers(tx: Tx, made: readonly Made[], now: Date): Promise<void> {
  const year = Number(formatDay(now).slice(0, 4))
  const groups = [...new Set(made.flatMap((one) => one.row.authorityGroup ?? []))]
  for (const owner of groups)
    for (const docType of [fireType, 'fireOpinion'])
      await sql`insert into document_number (owner, doc_type, year, last) values (${owner}, ${docType}, ${year}, ${plannedCases.length})
        on conflict (owner, doc_type, year) do nothing`.execute(tx)
}
