import { type MaterialRule, usualRule } from '@zhugong/contract/materials/rules'
import { sql } from 'kysely'
import type { Context } from '#kit/context'

type Stored = MaterialRule & { category: string }

/** What the site has set, by category. */
export async function ownRules(ctx: Pick<Context, 'db'>, projectCode: string): Promise<Map<string, MaterialRule>> {
  const { rows } = await sql<Stored>`select category, need_retest, per_quantity, unit, tolerance from material_rule
    where project_code = ${projectCode}`.execute(ctx.db)
  return new Map(rows.map(({ category, ...rule }) => [category, rule]))
}

export const ruleFor = async (ctx: Pick<Context, 'db'>, projectCode: string, category: string): Promise<MaterialRule> =>
  (await ownRules(ctx, projectCode)).get(category) ?? usualRule(category)
