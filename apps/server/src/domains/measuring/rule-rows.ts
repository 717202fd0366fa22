import { isWider } from '@zhugong/contract/measuring/judge'
import { type listMeasureRules, type MeasureRule, type MeasureTemplate, measureRule } from '@zhugong/contract/measuring/rules'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, type Condition, condition, contains, equals, filtersOf, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { standardItem, standardItems } from './standard.ts'

export type RuleQuery = Partial<NonNullable<(typeof listMeasureRules)['types']>['parsed']['query']>
type Viewer = Pick<Context, 'db'>

/** Codes whose norm a rule exceeds depend on the dictionary: compared as values. */
const norms = () =>
  sql`(select * from jsonb_to_recordset(${JSON.stringify(
    standardItems().map(({ code, judgeStart, judgeEnd }) => ({ code, low: judgeStart, high: judgeEnd })),
  )}::jsonb) as n(code text, low numeric, high numeric))`
const wider = () => sql`exists (select from ${norms()} n where n.code = r.item_code and (r.judge_start < n.low or r.judge_end > n.high))`

export const ruleConditions = (query: RuleQuery): Condition =>
  allOf(
    condition(sql`r.superseded_at is null`),
    filtersOf(query, {
      projectCode: 'elsewhere',
      templateId: [equals, 'r.templateId'],
      itemCode: [anyOf, 'r.itemCode'],
      standardName: [contains, 'r.standardName'],
      method: [contains, 'r.method'],
      norm: [contains, 'r.norm'],
      forbidManual: [equals, 'r.forbidManual'],
      wider: (value) => condition(value ? wider() : sql`not ${wider()}`),
    }),
  )

type RawRule = Row<'measureRule'> & { templateName: string; taskCount: number }

export async function readRules(
  ctx: Viewer,
  where: Condition,
  { sort, limit, offset }: { sort?: RuleQuery['sort']; limit?: number; offset?: number },
): Promise<MeasureRule[]> {
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const order = orderBy(
    sort,
    { itemCode: sql`row(t.create_time, t.name, r.item_code)`, judgeEnd: 'r.judgeEnd!', taskCount: sql`zg_measure_rule_uses(r.origin_id)` },
    'itemCode',
    'r.id',
  )
  const { rows } = await sql<RawRule>`select r.*, t.name as template_name, zg_measure_rule_uses(r.origin_id) as task_count
    from measure_rule r join measure_template t on t.id = r.template_id where ${where} order by ${order} ${page}`.execute(ctx.db)
  return rows.map((row) => {
    const item = standardItem(row.itemCode)
    const norm = item ? { judgeStart: item.judgeStart, judgeEnd: item.judgeEnd } : null
    return rowOf(measureRule, row, {
      itemName: item?.name ?? row.itemCode,
      unit: item?.unit ?? '',
      normStart: norm?.judgeStart ?? null,
      normEnd: norm?.judgeEnd ?? null,
      wider: isWider(row, norm),
    })
  })
}

export async function countRules(ctx: Viewer, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from measure_rule r where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

type RawTemplate = Row<'measureTemplate'> & { ownerName: string; ruleCount: number; taskCount: number }

/** Every template that the caller sees, its own first. */
export async function readTemplates(ctx: Viewer & Pick<Context, 'group'>): Promise<MeasureTemplate[]> {
  const { rows } = await sql<RawTemplate>`select t.*, coalesce(o.name, '') as owner_name,
      (select count(*)::int from measure_rule r where r.template_id = t.id and r.superseded_at is null) as rule_count,
      zg_measure_template_uses(t.id) as task_count
    from measure_template t left join lateral zg_measure_owner(t.group_id) as o(name) on true
    order by t.group_id <> ${ctx.group.id}, t.stage, t.create_time, t.id`.execute(ctx.db)
  return rows.map(({ id, name, stage, targetRate, revision, ruleCount, taskCount, ownerName, groupId, version }) => ({
    id,
    name,
    stage,
    stageName: dictName('measureItem', stage) ?? stage,
    targetRate,
    revision,
    ruleCount,
    taskCount,
    ownerName,
    own: groupId === ctx.group.id,
    version,
  }))
}
