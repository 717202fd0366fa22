import { codesOf, type Endpoint } from '@zhugong/contract/kit/endpoint'
import { isOpen, type Place, type Standing } from '@zhugong/contract/kit/standing'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { create } from 'zustand'
import { usePageQuery } from './page.tsx'
import { readJson, sessionKeys, writeJson } from './session.ts'

export interface Grants {
  /** Operators of the entered menu (session storage). */
  operator: readonly string[]
  /** Codes of the user in the active group (stored feature permissions). */
  features: readonly string[]
  /** Operators by menu id, picked by the address's `web` parameter. */
  byMenu: Readonly<Record<string, readonly string[]>>
  /** Where one's company does not run its projects; none before it is known. */
  standing: Standing | undefined
  /** The project chosen in the header. */
  projectCode: string | undefined
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>()
/** Asked for every button of every row: hundreds of codes are gone through once, not each time. */
const setOf = (codes: readonly string[]): ReadonlySet<string> => {
  let known = sets.get(codes)
  if (!known) {
    known = new Set(codes)
    sets.set(codes, known)
  }
  return known
}

/** A button shows when its code is in any of the three lists. No code: everyone. */
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

/** A call, or a code where no call stands for the button; only a call tells what of a project it touches. */
export type Asked = Pick<Endpoint, 'needs'> & Partial<Pick<Endpoint, 'acts' | 'method'>>
type What = Asked | string | readonly string[]
const isCall = (what: What): what is Asked => typeof what !== 'string' && 'needs' in what
const codesFor = (what: What): readonly string[] => (isCall(what) ? codesOf(what) : typeof what === 'string' ? [what] : what)

/** A call that does several things, each under a code of its own. */
export const withCode = (call: Pick<Endpoint, 'acts' | 'method'>, code: string): Asked => ({
  acts: call.acts,
  method: call.method,
  needs: code,
})

/** Whether the company's part in the project leaves the call open; reading is narrowed by the server alone. */
export function reaches(grants: Pick<Grants, 'standing' | 'projectCode'>, what: What, place: Place): boolean {
  if (!grants.standing || !isCall(what) || !what.acts || what.method === 'GET') return true
  return isOpen(grants.standing, what.acts, { ...place, projectCode: place.projectCode ?? grants.projectCode })
}

const isMany = (at: Place | readonly Place[] | undefined): at is readonly Place[] => Array.isArray(at)

const Here = createContext<Place>({})

/** What the buttons below are about: a project, and whose the thing is. */
export function At({ projectCode, corpCode, children }: Place & { children: ReactNode }) {
  const place = useMemo(() => ({ projectCode, corpCode }), [projectCode, corpCode])
  return <Here value={place}>{children}</Here>
}

/** Whether the user may: `useCan(createTeam)`, `useCan(updateTeam, team)` or `useCan('team.edit')`. */
export function useCan(what: What, place?: Place): boolean {
  return useCanAll()(what, place)
}

/** The same question many times over, e.g. for the rows of a table. */
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
  call?: Asked
  code?: string
  /** What it is about, all of it; else what stands around it. */
  at?: Place | readonly Place[] | undefined
  children: ReactNode
  fallback?: ReactNode
}) {
  const may = useCanAll()
  const what = call ?? code ?? { needs: 'self' }
  const allowed = isMany(at) ? at.every((one) => may(what, one)) : may(what, at)
  return allowed ? children : (fallback ?? null)
}

const runsAll: Standing = { supervised: [], limited: [], corps: [], runsAny: true }
/** Where one's company does not run its projects; nothing is held back before it is known. */
export const useStanding = (): Standing => useGrants((grants) => grants.standing) ?? runsAll
