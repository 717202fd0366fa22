import { catalogueWith, isPoint, isSub, pointsFor, subOf } from '@zhugong/contract/fire/catalogue'
import { judgeBuild } from '@zhugong/contract/fire/judge'
import { judgeAll } from '@zhugong/contract/fire/rule'
import { hourMs, minuteMs } from '@zhugong/contract/kit/time'
import type { City } from '@zhugong/simulator/city-types'
import { idOf } from '@zhugong/simulator/random'
import type { Insertable } from 'kysely'
import { deliveredFireItems } from '#domains/fire/public'
import { addDays, startOfDay } from '#kit/clock'
import type { Tables } from '#kit/db'
import type { Secrets } from '#kit/secret'
import type { Actor, actorsOf } from './actors.ts'
import { localPoints, type PlannedCase } from './fire-plan.ts'
import type { todoRows } from './todo-rows.ts'

export type New<T extends keyof Tables> = Insertable<Tables[T]> & Record<string, unknown>
export interface World {
  city: City
  now: number
  today: string
  secrets: Secrets
  people: Awaited<ReturnType<typeof actorsOf>>
  team: readonly Actor[]
  photos: ReadonlyMap<string, string>
  catalogueId: string
}
export interface Made {
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

const usualParts = ['1 层', '2 层'] as const
/** Additional places of the tower's failed B, of four. */
const extraDone = 2

type Base = Pick<Made, 'row' | 'build' | 'team'>
type Found = Pick<Made, 'rounds' | 'points' | 'subs' | 'proofs'>

/** Everything that was found on the site, judged by the same rule as in the product. */
export function roundsOf(world: World, planned: PlannedCase, { row, build, team }: Base, at: (ms: number) => Date): Found {
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

export const leaderAccount = 'bj-wu'
