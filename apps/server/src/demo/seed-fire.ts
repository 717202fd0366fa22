import { workDayAfter, workDaysBetween } from '@zhugong/contract/fire/deadline'

import { deliveredPlaces, placesOf } from '@zhugong/contract/fire/place-rules'
import { weekends } from '@zhugong/contract/kit/rest-days'
import { dayMs, hourMs, minuteMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import { type Insertable, sql } from 'kysely'
import { fireTodos, fireType } from '#domains/fire/public'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import type { Tables, Tx } from '#kit/db'
import type { Secrets } from '#kit/secret'
import { type Actor, actorsOf } from './actors.ts'
import { leaderAccount, type Made, roundsOf, type World } from './fire-found.ts'
import { localPoints, type PlannedCase, plannedCases } from './fire-plan.ts'
import { rectifyPhoto } from './media/rectify-scene.ts'
import { type Drawn, keepFile } from './seed-pictures.ts'
import { keepAll } from './seed-proofs.ts'
import { insertAll } from './seed-trade.ts'
import { todoRows } from './todo-rows.ts'

type Project = City['projects'][number]

const termDays = 15
const inspectors = ['bj-zhao', 'bj-qian', 'bj-sun', 'bj-zheng']
const [officerAccount, cityAccount] = ['bj-zhao', 'city-fang']
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
  const build: Made['build'] = {
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
