import { permissionModules } from '@zhugong/contract/access/codes'
import { type Explained, source } from '@zhugong/contract/access/users'
import { formatDay } from '#kit/clock'
import { type Context, found, type Group } from '#kit/context'
import { rowOf } from '#kit/row-of'
import { factsOf } from './find-rights.ts'
import { functionStates, riskOf } from './function-tree.ts'
import { closedBy, concerns, isNothing, judge, moduleOf, sourcesOf } from './rights.ts'
import { findScope } from './scope.ts'
import { findHidden, type Hidden, settle } from './sight.ts'

/** Explains for each permission of a member whether it is in effect, and why or why not. Uses the same facts as the permission check. */
export async function explain(ctx: Context, memberId: string): Promise<{ nothing: 'off' | 'over' | null; codes: Explained[] }> {
  const now = ctx.clock.now()
  const facts = found(await factsOf(ctx.system, memberId, now), '组成员')
  const { group, userId } = await placeOf(ctx, memberId)
  const scope = await findScope(ctx.system, group, userId)
  const hidden = await findHidden(ctx.system, group, scope, now)
  const rights = settle(judge(facts, now), scope, hidden)
  const today = formatDay(now)
  const hand = (facts.hand ?? []).filter((one) => one.until === null || one.until >= today)
  const closed = closedBy(facts)
  const sources = sourcesOf(facts, now)
  const states = await functionStates(ctx.db)
  const names = await projectNames(ctx, [
    ...sources.flatMap((one) => one.projects ?? []),
    ...hand.map((one) => one.projectCode),
    ...hidden.keys(),
  ])
  const project = (code: string) => ({ code, name: names.get(code) ?? code })
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
            .map((one) =>
              rowOf(source, one, {
                state: one.state === 'holds' && one.taken.includes(p.code) ? ('taken' as const) : one.state,
                projects: one.projects?.map(project) ?? null,
              }),
            ),
          hands: [
            ...hand
              .filter((one) => concerns(one, p.code))
              .map(({ roleId, shows, projectCode, until }) => ({
                kind: roleId === null ? ('member' as const) : ('role' as const),
                shows,
                project: project(projectCode),
                until,
              })),
            ...keptFromPart(hidden, p.code).map((code) => ({ kind: 'party' as const, shows: false, project: project(code), until: null })),
          ],
        }
      }),
  )
  return { nothing: isNothing(facts, now), codes }
}

const keptFromPart = (hidden: Hidden, code: string): string[] =>
  [...hidden].flatMap(([project, modules]) => (modules === null || modules.has(moduleOf(code)) ? [project] : []))

async function placeOf(ctx: Context, memberId: string): Promise<{ group: Group; userId: string }> {
  const row = await ctx.system
    .selectFrom('member as m')
    .innerJoin('tenant as t', 't.id', 'm.groupId')
    .select(['m.userId', 't.id', 't.type', 't.code', 't.name', 't.areaCode'])
    .where('m.id', '=', memberId)
    .executeTakeFirst()
  const { userId, ...group } = found(row, '组成员')
  return { group: group as Group, userId }
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
