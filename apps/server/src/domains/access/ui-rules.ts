import type { Arrangement, RuleConditions } from '@zhugong/contract/apps/menu-endpoints'
import { sql } from 'kysely'
import type { Db } from '#kit/db'

/** The facts of a group that menu rules test. */
export interface GroupFacts {
  id: string
  type: number
  code: string
  name: string
  areaCode: string | null
  govType: string | null
  level: string | null
  corpKinds: string[] | null
  projectCategory: string | null
}

export interface UiRuleRow {
  id: string
  name: string
  conditions: RuleConditions
  schemeId: string | null
  homePath: string
}

/** The menu arrangement of a group. */
export interface Look {
  rule: UiRuleRow | undefined
  items: Arrangement
  homePath: string
}

const among = (wanted: readonly string[], value: string | null): boolean =>
  wanted.length === 0 || (value !== null && wanted.includes(value))

/** Whether a group meets all conditions; empty conditions are ignored. */
export function fits(conditions: RuleConditions, group: GroupFacts): boolean {
  const areas = conditions.areaCodes.map((code) => code.replace(/(00){1,2}$/, ''))
  return (
    (conditions.groupTypes.length === 0 || conditions.groupTypes.includes(group.type)) &&
    among(conditions.govTypes, group.govType) &&
    among(conditions.levels, group.level) &&
    among(conditions.projectCategories, group.projectCategory) &&
    (areas.length === 0 || areas.some((front) => group.areaCode?.startsWith(front))) &&
    (conditions.corpKinds.length === 0 || conditions.corpKinds.some((kind) => group.corpKinds?.includes(kind)))
  )
}

const groupFacts = sql`
  select t.id, t.type, t.code, t.name, t.area_code, g.type as gov_type, g.level, c.corp_kind as corp_kinds, p.category as project_category
  from tenant t left join government g on t.type = 1 and g.gov_code = t.code left join corporation c on t.type = 2 and c.corp_code = t.code
    left join project p on t.type = 3 and p.project_code = t.code`

/** Every group with the facts that rules test. Ignores the caller's scope: for the platform only. */
export async function findGroupFacts(db: Db, groupId?: string): Promise<GroupFacts[]> {
  const { rows } =
    await sql<GroupFacts>`${groupFacts} ${groupId ? sql`where t.id = ${groupId}` : sql`where t.enable = '1' order by t.type, t.name`}`.execute(
      db,
    )
  return rows
}

/** The enabled rules in order; the default rule comes last. */
export async function findRules(db: Db): Promise<UiRuleRow[]> {
  const { rows } = await sql<UiRuleRow>`
    select id, name, conditions, scheme_id, home_path from ui_rule where enable = '1' order by is_default, sort, id`.execute(db)
  return rows
}

/** The menu arrangement of a group: the first matching rule applies. Without one, menus stay unchanged. */
export async function findLook(db: Db, groupId: string): Promise<Look> {
  const [[group], rules] = await Promise.all([findGroupFacts(db, groupId), findRules(db)])
  const rule = group && rules.find((one) => fits(one.conditions, group))
  if (!rule) return { rule: undefined, items: {}, homePath: '/main' }
  if (!rule.schemeId) return { rule, items: {}, homePath: rule.homePath }
  const scheme = await db.selectFrom('uiScheme').select('published').where('id', '=', rule.schemeId).executeTakeFirst()
  return { rule, items: scheme?.published ?? {}, homePath: rule.homePath }
}
