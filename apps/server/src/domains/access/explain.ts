import { permissionModules } from '@zhugong/contract/access/codes'
import type { Explained } from '@zhugong/contract/access/users'
import type { Context } from '#kit/context'
import { found } from '#kit/context'
import { factsOf } from './find-rights.ts'
import { functionStates, riskOf } from './function-tree.ts'
import { closedBy, isNothing, judge, sourcesOf } from './rights.ts'

/** Of each function somebody could have in a group: whether he may use it and why, or why not. The sources are those the judgement stands on. */
export async function explain(ctx: Context, memberId: string): Promise<{ nothing: 'off' | 'over' | null; codes: Explained[] }> {
  const now = ctx.clock.now()
  const facts = found(await factsOf(ctx.system, memberId, now), '组成员')
  const rights = judge(facts, now)
  const closed = closedBy(facts)
  const sources = sourcesOf(facts, now)
  const states = await functionStates(ctx.db)
  const names = await projectNames(
    ctx,
    sources.flatMap((one) => one.projects ?? []),
  )
  const codes = permissionModules.flatMap((m) =>
    m.permissions
      .filter((p) => p.types.includes(facts.groupsType))
      .map((p): Explained => {
        const why = closed(p.code)
        return {
          code: p.code,
          name: states.get(p.code)?.title ?? p.name,
          module: m.module,
          moduleName: m.name,
          risk: states.get(p.code)?.risk ?? riskOf(p),
          held: rights.codes.has(p.code),
          closed: why === 'type' ? null : (why ?? null),
          sources: sources
            .filter((one) => one.codes.includes(p.code))
            .map((one) => ({
              kind: one.kind,
              id: one.id,
              name: one.name,
              state: one.state === 'holds' && one.taken.includes(p.code) ? ('taken' as const) : one.state,
              projects: one.projects?.map((code) => ({ code, name: names.get(code) ?? code })) ?? null,
              until: one.until,
            })),
        }
      }),
  )
  return { nothing: isNothing(facts, now), codes }
}

async function projectNames(ctx: Context, codes: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (codes.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('project')
    .select(['projectCode', 'name'])
    .where('projectCode', 'in', [...codes])
    .execute()
  return new Map(rows.map((row) => [row.projectCode, row.name]))
}
