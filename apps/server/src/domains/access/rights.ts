import { codesFor } from '@zhugong/contract/access/codes'
import { dayMs } from '@zhugong/contract/kit/time'
import { formatDay, startOfDay } from '#kit/clock'
import type { Bound, Rights } from '#kit/context'

/** A role that somebody has, with what his group leaves of it. */
export interface RoleFact {
  id: string
  name: string
  codes: readonly string[]
  /** Taken away from the role in this group. */
  taken: readonly string[]
  /** Neither the role nor this person's part in it is stopped. */
  enabled: boolean
  /** The last day, in Asia/Shanghai. */
  deadline: string | null
  /** Where it ends; null: as far as the group reaches. */
  projects: readonly string[] | null
}

export interface TemporaryFact {
  id: string
  name: string
  codes: readonly string[]
  /** Granted codes the giver no longer holds: without effect. */
  taken: readonly string[]
  projects: readonly string[] | null
  /** Epoch ms; `to` is the first moment without it. */
  from: number
  to: number
  /** When the giver's rights change next by time alone. */
  judgedUntil?: number
}

/** Shown or taken away by hand, of one project. */
export interface HandFact {
  /** Whose role it is about; null: the person himself. */
  roleId: string | null
  shows: boolean
  projectCode: string
  /** Null: every module. */
  modules: readonly string[] | null
  /** What is shown goes no further than these. */
  codes: readonly string[]
  /** The last day. */
  until: string | null
}

/** All that decides what somebody may do in one group. */
export interface RightsFacts {
  groupsType: number
  /** Account, group and membership are switched on. */
  enabled: boolean
  /** Last day of the membership. */
  deadline: string | null
  roles: readonly RoleFact[]
  temporary: readonly TemporaryFact[]
  hand?: readonly HandFact[]
  /** Functions that are stopped for everybody. */
  stopped: readonly string[]
  /** What the group has been granted and opens to this person. */
  open: 'every' | ReadonlySet<string>
}

/** What a source is worth at a moment. */
export type SourceState = 'holds' | 'over' | 'off' | 'early'

export interface Source {
  kind: 'role' | 'temporary'
  id: string
  name: string
  state: SourceState
  codes: readonly string[]
  taken: readonly string[]
  projects: readonly string[] | null
  /** The last whole day it holds; null for good. */
  until: string | null
}

/** The first moment after a day in Asia/Shanghai. */
const afterDay = (day: string): number => startOfDay(day) + dayMs
const isOver = (day: string | null, at: number): boolean => day !== null && at >= afterDay(day)

/** Why somebody may do nothing at all, whatever his roles: account, group or membership is switched off, or its time is over. */
export function isNothing(facts: RightsFacts, at: number): 'off' | 'over' | null {
  if (!facts.enabled) return 'off'
  return isOver(facts.deadline, at) ? 'over' : null
}

/** Every role and temporary role of somebody, with what it is worth at a moment. */
export function sourcesOf(facts: RightsFacts, at: number): Source[] {
  return [
    ...facts.roles.map((role): Source => {
      const state = !role.enabled ? 'off' : isOver(role.deadline, at) ? 'over' : 'holds'
      return { ...role, kind: 'role', state, until: earlier(role.deadline, facts.deadline) }
    }),
    ...facts.temporary.map((one): Source => {
      const state = at < one.from ? 'early' : at >= one.to ? 'over' : 'holds'
      // The day on which it ends is not a whole one.
      return { ...one, kind: 'temporary', state, until: earlier(formatDay(one.to - dayMs), facts.deadline) }
    }),
  ]
}

/** The codes of a kind of group that nobody of this group, or nobody at all, may use now. */
export function closedBy(facts: RightsFacts): (code: string) => 'type' | 'stopped' | 'app' | undefined {
  const possible = new Set(codesFor(facts.groupsType))
  const stopped = new Set(facts.stopped)
  return (code) => {
    if (!possible.has(code)) return 'type'
    if (stopped.has(code)) return 'stopped'
    return facts.open === 'every' || facts.open.has(code) ? undefined : 'app'
  }
}

/**
 * What somebody may do, where and how long: of each code the union of what his roles in force give, each only as far as that role reaches.
 * Codes that hold everywhere for good have no bound.
 */
export function judge(facts: RightsFacts, at: number): Rights {
  const closed = closedBy(facts)
  const sources = isNothing(facts, at) ? [] : sourcesOf(facts, at).filter((source) => source.state === 'holds')
  const given = new Map<string, number[]>()
  for (const [place, source] of sources.entries()) {
    const taken = new Set(source.taken)
    for (const code of source.codes) {
      if (taken.has(code) || closed(code)) continue
      const known = given.get(code)
      if (known) known.push(place)
      else given.set(code, [place])
    }
  }
  // Codes that the same sources give end at the same places: these are put together once, and are one set.
  const hands = (facts.hand ?? []).filter((one) => !isOver(one.until, at))
  const alike = new Map<string, Bound | undefined>()
  const bounds = new Map<string, Bound>()
  for (const [code, places] of given) {
    const concerning = [...hands.entries()].filter(([, one]) => concerns(one, code))
    const key = `${places.join()} ${concerning.map(([place]) => place).join()}`
    if (!alike.has(key)) {
      const found = places.flatMap((place) => sources[place] ?? [])
      const bound = boundOf(found)
      alike.set(
        key,
        concerning.length
          ? byHand(
              bound,
              found,
              concerning.map(([, one]) => one),
            )
          : bound,
      )
    }
    const bound = alike.get(key)
    if (bound) bounds.set(code, bound)
  }
  return { codes: new Set(given.keys()), bounds }
}

export const moduleOf = (code: string): string => code.slice(0, code.indexOf('.'))
export const concerns = (one: HandFact, code: string): boolean =>
  one.shows ? one.codes.includes(code) : one.modules === null || one.modules.includes(moduleOf(code))

/** How far and how long several sources give a code together; where they differ in both, the time is the shortest of them. */
function boundOf(sources: readonly Pick<Source, 'projects' | 'until'>[]): Bound | undefined {
  const whole = sources.filter((one) => one.projects === null)
  if (whole.length === 0) {
    const projects = new Set<string>()
    for (const one of sources) for (const project of one.projects ?? []) projects.add(project)
    return { projects, until: sources.map((one) => one.until).reduce(earlier) }
  }
  const until = whole.map((one) => one.until).reduce(later)
  return until === null ? undefined : { projects: null, until }
}

/**
 * What hands left of it: what was taken from a role counts where no other source reaches the project, what was shown comes back to that,
 * and what was taken from the person himself goes whatever gave it.
 */
function byHand(
  bound: Bound | undefined,
  sources: readonly Pick<Source, 'kind' | 'id' | 'projects'>[],
  hands: readonly HandFact[],
): Bound | undefined {
  const has = (roleId: string) => sources.some((one) => one.kind === 'role' && one.id === roleId)
  const shown = hands.filter((one) => one.shows && (one.roleId === null || has(one.roleId)))
  const gone = new Set(
    hands
      .filter((one) => !one.shows && one.roleId !== null)
      .map((one) => one.projectCode)
      .filter((project) =>
        sources
          .filter((one) => one.projects === null || one.projects.includes(project))
          .every((one) => hands.some((hand) => !hand.shows && hand.roleId === one.id && hand.projectCode === project)),
      ),
  )
  for (const one of shown) gone.delete(one.projectCode)
  for (const one of hands) if (!one.shows && one.roleId === null) gone.add(one.projectCode)
  const until = bound?.until ?? null
  if (!bound?.projects) return gone.size ? { projects: null, except: gone, until } : bound
  const projects = new Set([...bound.projects, ...shown.map((one) => one.projectCode)].filter((project) => !gone.has(project)))
  return { projects, until: shown.map((one) => one.until).reduce(earlier, until) }
}

/** The next moment after which the answer may be another one though nothing has been changed. */
export function changesAt(facts: RightsFacts, at: number): number {
  const moments = [
    ...[facts.deadline, ...facts.roles.map((role) => role.deadline)].flatMap((day) => (day === null ? [] : [afterDay(day)])),
    ...facts.temporary.flatMap((one) => [one.from, one.to, ...(one.judgedUntil === undefined ? [] : [one.judgedUntil])]),
    // What the group has been granted ends with a day.
    afterDay(formatDay(at)),
  ]
  return Math.min(...moments.filter((moment) => moment > at))
}

const earlier = (a: string | null, b: string | null) => (a === null ? b : b === null || a < b ? a : b)
const later = (a: string | null, b: string | null) => (a === null || b === null ? null : a > b ? a : b)
