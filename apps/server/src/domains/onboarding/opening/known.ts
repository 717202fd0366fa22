import { normalizeCreditCode } from '@zhugong/contract/kit/checks'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Known } from './check.ts'
import type { OpeningLine } from './sheet-thread.ts'

/**
 * Loads the existing objects that the rows refer to. Companies and projects are searched in the whole library: like in the forms, a caller
 * who enters a name or code learns whether it is taken.
 */
export async function knownOf(ctx: Pick<Context, 'db' | 'system'>, lines: readonly OpeningLine[]): Promise<Known> {
  const codes = lines.flatMap(({ cells }) =>
    [cells.creditCode, cells.contractor, cells.owner].flatMap((one) => (one ? [normalizeCreditCode(one)] : [])),
  )
  const names = lines.flatMap(({ cells }) => [cells.name, cells.parent, cells.supervisor].flatMap((one) => one ?? []))
  const bodies = await ctx.db
    .selectFrom('government')
    .select(['govCode', 'name', 'areaCode'])
    .where('enable', '=', '1')
    .where('name', 'in', [...names, ''])
    .execute()
  const { rows: companies } = await sql<{ corpCode: string; corpName: string; enable: string; opened: boolean }>`
    select c.corp_code, c.corp_name, c.enable, exists (select 1 from tenant t where t.type = 2 and t.code = c.corp_code) as opened
    from corporation c where c.corp_code = any (${codes})`.execute(ctx.system)
  const projects = await ctx.system
    .selectFrom('project')
    .select(['areaCode', 'name'])
    .where('name', 'in', [...names, ''])
    .execute()
  return {
    bodies: new Map(bodies.map((one) => [one.name, { code: one.govCode, areaCode: one.areaCode }])),
    companies: new Map(companies.map((one) => [one.corpCode, { name: one.corpName, opened: one.opened, enabled: one.enable === '1' }])),
    projects: new Set(projects.map((one) => `${one.areaCode} ${one.name}`)),
  }
}
