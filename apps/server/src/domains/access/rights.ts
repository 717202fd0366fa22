import { codesFor } from '@zhugong/contract/access/codes'
import { dayMs } from '@zhugong/contract/kit/time'
import { formatDay, startOfDay } from '#kit/clock'
import type { Bound, Rights } from '#kit/context'

/** A role of a member, with the restrictions its group has. */
export interface RoleFact {
  id: string
  name: string
  codes: readonly string[]
  /** Codes removed from the role in this group. */
  taken: readonly string[]
  /** Neither the role nor its grant to this member is stopped. */
  enabled: boolean
  /** Last valid day, in Asia/Shanghai. */
  deadline: string | null
  /** Projects it is limited to; null: all projects of the group. */
  projects: readonly string[] | null
}

export interface TemporaryFact {
  id: string
  name: string
  codes: readonly string[]
  /** Granted codes the giver no longer holds; they have no effect. */
  taken: readonly string[]
  projects: readonly string[] | null
  /** Epoch ms; `to` is exclusive. */
  from: number
  to: number
  /** Epoch ms at which the giver's rights next change through time alone. */
  judgedUntil?: number
}

/** A project shown or hidden by hand. */
export interface HandFact {
  /** The role concerned; null: the member. */
  roleId: string | null
  shows: boolean
  projectCode: string
  /** Null: every module. */
  modules: readonly string[] | null
  /** A shown project gives at most these codes. */
  codes: readonly string[]
  /** The last day. */
  until: string | null
}

/** All facts that decide a user's rights in one group. */
export interface RightsFacts {
  groupsType: number
  /** Account, group and membership are all enabled. */
  enabled: boolean
  /** Last day of the membership. */
  deadline: string | null
  roles: readonly RoleFact[]
  temporary: readonly TemporaryFact[]
  hand?: readonly HandFact[]
  /** Functions stopped for everybody. */
  stopped: readonly string[]
  /** Codes that the group's apps open to this user. */
  open: 'every' | ReadonlySet<string>
}

/** State of a role or temporary role at a moment. */
export type SourceState = 'holds' | 'over' | 'off' | 'early'

export interface Source {
  kind: 'role' | 'temporary'
  id: string
  name: string
  state: SourceState
  codes: readonly string[]
  taken: readonly string[]
  projects: readonly string[] | null
  /** Last whole day it is valid; null: no end. */
  until: string | null
}

/** The first moment after a day in Asia/Shanghai, in epoch ms. */
const afterDay = (day: string): number => startOfDay(day) + dayMs
const isOver = (day: string | null, at: number): boolean => day !== null && at >= afterDay(day)

/** Why a user has no rights at all: account, group or membership is disabled (`off`) or expired (`over`); null otherwise. */
export function isNothing(facts: RightsFacts, at: number): 'off' | 'over' | null {
  if (!facts.enabled) return 'off'
  return isOver(facts.deadline, at) ? 'over' : null
}

/** All roles and temporary roles of a user with their state at a moment. */
export function sourcesOf(facts: RightsFacts, at: number): Source[] {
  return [
    ...facts.roles.map((role): Source => {
      const state = !role.enabled ? 'off' : isOver(role.deadline, at) ? 'over' : 'holds'
      return { ...role, kind: 'role', state, until: earlier(role.deadline, facts.deadline) }
    }),
    ...facts.temporary.map((one): Source => {
      const state = at < one.from ? 'early' : at >= one.to ? 'over' : 'holds'
      // The last day is incomplete, so `until` is the day before.
      return { ...one, kind: 'temporary', state, until: earlier(formatDay(one.to - dayMs), facts.deadline) }
    }),
  ]
}

/** Why a permission code is closed for this group, or for all groups; undefined if it is open. */
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
 * A user's rights at a moment: for each code the union of what the active roles grant, each limited to that role's projects and end.
 * Codes that apply everywhere without end have no bound.
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
  // Codes granted by the same sources have the same bound, so it is computed once and the set is shared.
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

/** Combined bound of several sources of a code. If they differ in both projects and end, the shortest end applies. */
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
 * Applies manual changes to a bound. A project hidden from a role is removed unless another source covers it. A shown project is added
 * to the bound. A project hidden from the member is removed, whatever source granted it.
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

/** The next moment (epoch ms) at which the result may change although no data change. */
export function changesAt(facts: RightsFacts, at: number): number {
  const moments = [
    ...[facts.deadline, ...facts.roles.map((role) => role.deadline)].flatMap((day) => (day === null ? [] : [afterDay(day)])),
    ...facts.temporary.flatMap((one) => [one.from, one.to, ...(one.judgedUntil === undefined ? [] : [one.judgedUntil])]),
    // App grants end with a day.
    afterDay(formatDay(at)),
  ]
  return Math.min(...moments.filter((moment) => moment > at))
}

const earlier = (a: string | null, b: string | null) => (a === null ? b : b === null || a < b ? a : b)
const later = (a: string | null, b: string | null) => (a === null || b === null ? null : a > b ? a : b)
