import { isPermissionCode, permissionName } from '@zhugong/contract/access/codes'
import { AppError } from '@zhugong/contract/kit/errors'
import type { Context, Principal, Rights } from '#kit/context'

type Giver = Pick<Context, 'codes'> & { principal: Pick<Principal, 'bounds'> }

/** The reach and duration of a grant. */
export interface Grant {
  /** Null: all projects of the group. */
  projects: readonly string[] | null
  /** Last valid day; null means no end. Undefined if nobody receives the grant yet. */
  until?: string | null
}

const everywhere: Grant = { projects: null }

/** Throws if the caller does not hold the codes in all the projects and for the whole time of the grant. */
export function requireHeld(ctx: Giver, codes: readonly string[], grant: Grant = everywhere): void {
  for (const code of codes) {
    if (!isPermissionCode(code)) throw new AppError('invalidInput', `没有这个权限：${code}`, { field: 'codes' })
    const named = `“${permissionName(code)}”（${code}）`
    const bound = ctx.principal.bounds.get(code)
    if (!ctx.codes.has(code) && !(grant.projects && bound)) throw new AppError('forbidden', `您没有${named}，不能授予他人`, { code })
    if (!covers(bound?.projects ?? null, grant.projects))
      throw new AppError('forbidden', `您只在部分项目有${named}，不能授予到更大的范围`, { code, field: 'projects' })
    const until = bound?.until ?? null
    if (grant.until !== undefined && until !== null && (grant.until === null || grant.until > until))
      throw new AppError('forbidden', `您的${named}到 ${until} 为止，授予他人的期限不能更长`, { code, field: 'deadline' })
  }
}

/**
 * Throws if the other user has rights the caller lacks, or has them in more projects. With `until`, the caller must also hold them that
 * long.
 */
export function requireAbove(ctx: Giver, other: Rights, until?: string | null): void {
  for (const code of other.codes) requireHeld(ctx, [code], { projects: projectsOf(other, code), ...(until === undefined ? {} : { until }) })
}

const projectsOf = ({ bounds }: Rights, code: string): readonly string[] | null => {
  const ends = bounds.get(code)?.projects
  return ends ? [...ends] : null
}

const covers = (mine: ReadonlySet<string> | null, theirs: readonly string[] | null): boolean =>
  mine === null || (theirs?.every((code) => mine.has(code)) ?? false)
