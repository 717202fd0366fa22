import { codesOf, type Endpoint } from '@zhugong/contract/kit/endpoint'
import { isOpen, type Place, type ProjectRights } from '@zhugong/contract/kit/project-rights'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { create } from 'zustand'
import { usePageQuery } from './page.tsx'
import { readJson, sessionKeys, writeJson } from './session.ts'

export interface Grants {
  /** Button codes of the current menu entry (session storage). */
  operator: readonly string[]
  /** Permission codes of the user in the active group. */
  features: readonly string[]
  /** Button codes by menu id; the address parameter `web` selects the entry. */
  byMenu: Readonly<Record<string, readonly string[]>>
  /** Projects that the user's company does not run, and what it may do there; undefined until loaded. */
  standing: ProjectRights | undefined
  /** The project chosen in the header. */
  projectCode: string | undefined
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>()
/** Cached sets of codes: `holds` runs for every button of every row, and the lists have hundreds of codes. */
const setOf = (codes: readonly string[]): ReadonlySet<string> => {
  let known = sets.get(codes)
  if (!known) {
    known = new Set(codes)
    sets.set(codes, known)
  }
  return known
}

/** Whether any of the codes is in one of the three lists. Without codes everyone may. */
export function holds(grants: Grants, codes: readonly string[], web?: string | null): boolean {
  if (codes.length === 0) return true
  const lists = [grants.operator, grants.features, ...(web ? [grants.byMenu[web] ?? []] : [])]
  return codes.some((code) => lists.some((list) => setOf(list).has(code)))
}

export const useGrants = create<Grants>(() => ({
  operator: typeof sessionStorage === 'undefined' ? [] : (readJson<string[]>(sessionStorage, sessionKeys.operator) ?? []),
  features: [],
  byMenu: {},
  standing: undefined,
  projectCode: undefined,
}))

export function setOperator(operator: readonly string[]): void {
  writeJson(sessionStorage, sessionKeys.operator, operator)
  useGrants.setState({ operator })
}

/** A call, or a permission code for buttons without a call. Only a call says what it changes in a project (`acts`). */
export type CallRights = Pick<Endpoint, 'needs'> & Partial<Pick<Endpoint, 'acts' | 'method'>>
type What = CallRights | string | readonly string[]
const isCall = (what: What): what is CallRights => typeof what !== 'string' && 'needs' in what
const codesFor = (what: What): readonly string[] => (isCall(what) ? codesOf(what) : typeof what === 'string' ? [what] : what)

/** For a call that does several things, each with its own permission code. */
export const withCode = (call: Pick<Endpoint, 'acts' | 'method'>, code: string): CallRights => ({
  acts: call.acts,
  method: call.method,
  needs: code,
})

/** Whether the company's part in the project allows the call. Reads are restricted by the server alone. */
export function reaches(grants: Pick<Grants, 'standing' | 'projectCode'>, what: What, place: Place): boolean {
  if (!grants.standing || !isCall(what) || !what.acts || what.method === 'GET') return true
  return isOpen(grants.standing, what.acts, { ...place, projectCode: place.projectCode ?? grants.projectCode })
}

const isMany = (at: Place | readonly Place[] | undefined): at is readonly Place[] => Array.isArray(at)

const Here = createContext<Place>({})

/** Sets the project and company that the buttons inside are about. */
export function At({ projectCode, corpCode, children }: Place & { children: ReactNode }) {
  const place = useMemo(() => ({ projectCode, corpCode }), [projectCode, corpCode])
  return <Here value={place}>{children}</Here>
}

/** Whether the user may do this: `useCan(createTeam)`, `useCan(updateTeam, team)` or `useCan('team.edit')`. */
export function useCan(what: What, place?: Place): boolean {
  return useCanAll()(what, place)
}

/** Returns the check of `useCan` as a function, e.g. for the rows of a table. */
export function useCanAll(): (what: What, place?: Place) => boolean {
  const grants = useGrants()
  const here = useContext(Here)
  const web = usePageQuery().get('web')
  return (what, place = here) => holds(grants, codesFor(what), web) && reaches(grants, what, place)
}

/** Outside React. @public */
export const canNow = (what: What): boolean => holds(useGrants.getState(), codesFor(what))

export function Can({
  call,
  code,
  at,
  children,
  fallback,
}: {
  call?: CallRights
  code?: string
  /** The places that the action affects; all of them must allow it. Default: the place of the surrounding `At`. */
  at?: Place | readonly Place[] | undefined
  children: ReactNode
  fallback?: ReactNode
}) {
  const may = useCanAll()
  const what = call ?? code ?? { needs: 'self' }
  const allowed = isMany(at) ? at.every((one) => may(what, one)) : may(what, at)
  return allowed ? children : (fallback ?? null)
}

const runsAll: ProjectRights = { supervised: [], limited: [], corps: [], runsAny: true }
/** What the user's company may do in projects it does not run; everything is allowed until this is loaded. */
export const useProjectRights = (): ProjectRights => useGrants((grants) => grants.standing) ?? runsAll
