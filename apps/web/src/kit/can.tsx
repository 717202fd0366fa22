import { codesOf, type Endpoint } from '@zhugong/contract/kit/endpoint'
import type { ReactNode } from 'react'
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
}

/** A button shows when its code is in any of the three lists. No code: everyone. */
export function holds(grants: Grants, codes: readonly string[], web?: string | null): boolean {
  if (codes.length === 0) return true
  const ofMenu = web ? (grants.byMenu[web] ?? []) : []
  return codes.some((code) => grants.operator.includes(code) || grants.features.includes(code) || ofMenu.includes(code))
}

export const useGrants = create<Grants>(() => ({
  operator: typeof sessionStorage === 'undefined' ? [] : (readJson<string[]>(sessionStorage, sessionKeys.operator) ?? []),
  features: [],
  byMenu: {},
}))

export function setOperator(operator: readonly string[]): void {
  writeJson(sessionStorage, sessionKeys.operator, operator)
  useGrants.setState({ operator })
}

type What = Pick<Endpoint, 'needs'> | string | readonly string[]
const codesFor = (what: What): readonly string[] => (typeof what === 'string' ? [what] : 'needs' in what ? codesOf(what) : what)

/** Whether the user may: `useCan(createTeam)` or `useCan('team.edit')`. */
export function useCan(what: What): boolean {
  const grants = useGrants()
  const web = usePageQuery().get('web')
  return holds(grants, codesFor(what), web)
}

/** The same question many times over, e.g. for the rows of a table. */
export function useCanAll(): (what: What) => boolean {
  const grants = useGrants()
  const web = usePageQuery().get('web')
  return (what) => holds(grants, codesFor(what), web)
}

/** Outside React. @public */
export const canNow = (what: What): boolean => holds(useGrants.getState(), codesFor(what))

export function Can({
  call,
  code,
  children,
  fallback,
}: {
  call?: Pick<Endpoint, 'needs'>
  code?: string
  children: ReactNode
  fallback?: ReactNode
}) {
  const allowed = useCan(call ?? code ?? { needs: 'self' })
  return allowed ? children : (fallback ?? null)
}
