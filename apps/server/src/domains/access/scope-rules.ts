import type { Group } from '#kit/context'
import { type Scope, seesNothing } from '#kit/db'

/** Part types of the companies that run the project: 建设 008, 总包 009. */
const runningParts = ['008', '009']
/** 监理 sees the whole project too, but may only review. Any other part sees only its own people and its subcontractors'. */
const supervisingPart = '007'

/** The significant prefix of an area code: 42 for a province, 4202 a city, 420202 a district. */
export function areaPrefix(areaCode: string): string {
  return areaCode.replace(/(00){1,2}$/, '')
}

/** A company's part in a project: 007 supervisor, 008 owner, 009 general contractor, and others. */
export interface Part {
  projectCode: string
  corpType: string
  superviseOrg: string | null
}

export const unique = (codes: readonly (string | null)[]) => [...new Set(codes.filter((code) => code !== null))]

/**
 * Scope of a company: whole projects where it is owner, general contractor or supervisor; elsewhere only its own people and its
 * subcontractors'.
 */
export function corporationScope(
  group: Pick<Group, 'id' | 'type' | 'code'>,
  userId: string,
  parts: readonly Part[],
  below: readonly string[],
): Scope {
  const where = (types: readonly string[]) => new Set(parts.filter((p) => types.includes(p.corpType)).map((p) => p.projectCode))
  const run = where(runningParts)
  const supervised = where([supervisingPart])
  const projects = unique(parts.map((p) => p.projectCode))
  return {
    ...seesNothing(group, userId),
    projects,
    limited: projects.filter((code) => !run.has(code) && !supervised.has(code)),
    supervised: [...supervised].filter((code) => !run.has(code)),
    corps: unique([group.code, ...below]),
    governments: unique(parts.map((p) => p.superviseOrg)),
  }
}

export interface GovernmentArea {
  areaCode: string | null | undefined
  added: readonly string[]
  removed: readonly string[]
}

/** Whether a project is in an authority's scope: in its area or added by hand, and not removed by hand. Removal takes precedence. */
export function isInArea(project: { projectCode: string; areaCode: string }, area: GovernmentArea): boolean {
  if (area.removed.includes(project.projectCode)) return false
  return area.added.includes(project.projectCode) || project.areaCode.startsWith(areaPrefix(area.areaCode || 'none'))
}

/** Narrows a scope to one project; undefined if the project is not in it. `*` returns it unchanged. */
export function narrow(scope: Scope, projectCode: string): Scope | undefined {
  if (projectCode === '*') return scope
  if (!scope.all && !scope.projects.includes(projectCode)) return undefined
  const here = (code: string) => code === projectCode
  return { ...scope, all: false, projects: [projectCode], limited: scope.limited.filter(here), supervised: scope.supervised.filter(here) }
}
