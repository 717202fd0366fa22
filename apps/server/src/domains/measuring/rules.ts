import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/measuring/rules'
import { defaultBurst, mostRules, mostTemplates, type RuleFields } from '@zhugong/contract/measuring/rules'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { type Context, found } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf, Serve } from '#kit/serve'
import { countRules, readRules, readTemplates, ruleConditions } from './rule-rows.ts'
import { standardItem } from './standard.ts'

export function ruleRoutes(serve: Serve): void {
  serve(contract.listMeasureRules, listRules)
  serve(contract.createMeasureRule, createRule)
  serve(contract.changeMeasureRule, changeRule)
  serve(contract.removeMeasureRule, removeRule)
}

type Template = Row<'measureTemplate'>
type Rule = Row<'measureRule'>
const noun = '评判规则'
const templateNoun = '模板'

const listRules: HandlerOf<typeof contract.listMeasureRules> = async ({ query }, ctx) => {
  const where = ruleConditions(query)
  return {
    list: await readRules(ctx, where, { sort: query.sort, ...pageSlice(query) }),
    total: await countRules(ctx, where),
    templates: await readTemplates(ctx),
  }
}

/** A template of the caller's own group; its rules are changed one after another. */
async function ownTemplate(ctx: Context, id: string): Promise<Template> {
  const { rows } = await sql<Template>`select * from measure_template where id = ${id} and group_id = ${ctx.group.id} for update`.execute(
    ctx.db,
  )
  return found(rows[0], templateNoun)
}

const createRule: HandlerOf<typeof contract.createMeasureRule> = async ({ query, body }, ctx) => {
  await seesProject(ctx, query.projectCode)
  switch (body.action) {
    case 'createTemplate': {
      const { action: _action, ...fields } = body
      return { id: await insertTemplate(ctx, fields), created: 0 }
    }
    case 'copyTemplate':
      return copyTemplate(ctx, body)
    case 'create': {
      const { action: _action, templateId, ...fields } = body
      const template = await ownTemplate(ctx, templateId)
      await requireRoom(ctx, template.id, 1)
      requireSound(fields)
      const id = await insertRule(ctx, template, fields)
      await countUp(ctx, template)
      ctx.note(`新增评判规则：${fields.standardName}`, id)
      return { id, created: 1 }
    }
    case 'import':
      return importRules(ctx, body)
  }
}

async function insertTemplate(ctx: Context, fields: Pick<Template, 'name' | 'stage' | 'targetRate'>): Promise<string> {
  if (standardItem(fields.stage)?.stage !== undefined) throw new AppError('invalidInput', '请选择工序', { field: 'stage' })
  const known = await sql<{ n: number }>`select count(*)::int as n from measure_template where group_id = ${ctx.group.id}`.execute(ctx.db)
  if ((known.rows[0]?.n ?? 0) >= mostTemplates) throw new AppError('refused', `模板最多 ${mostTemplates} 个`)
  const id = ctx.newId()
  await ctx.db
    .insertInto('measureTemplate')
    .values({ id, groupId: ctx.group.id, ...fields, createBy: ctx.user.id, createTime: new Date(ctx.clock.now()) })
    .execute()
    .catch((error: unknown) => {
      throw nameTaken(error)
    })
  ctx.note(`新增实测实量模板：${fields.name}`, id)
  return id
}
const nameTaken = (error: unknown) =>
  isUniqueViolation(error, 'measure_template_name') ? new AppError('invalidInput', '已有同名模板', { field: 'name' }) : error

/** Takes over a template that the caller sees, also another group's. */
async function copyTemplate(ctx: Context, { templateId, name }: { templateId: string; name: string }) {
  const { rows } = await sql<Template>`select * from measure_template where id = ${templateId}`.execute(ctx.db)
  const { stage, targetRate } = found(rows[0], templateNoun)
  const rules =
    await sql<Rule>`select * from measure_rule where template_id = ${templateId} and superseded_at is null order by item_code, id`.execute(
      ctx.db,
    )
  const id = await insertTemplate(ctx, { name, stage, targetRate })
  for (const rule of rules.rows) await insertRule(ctx, { id, groupId: ctx.group.id }, rule)
  return { id, created: rules.rows.length }
}

async function importRules(ctx: Context, { templateId, itemCodes }: { templateId: string; itemCodes: readonly string[] }) {
  const template = await ownTemplate(ctx, templateId)
  const { rows } = await sql<{
    itemCode: string
  }>`select item_code from measure_rule where template_id = ${template.id} and superseded_at is null`.execute(ctx.db)
  const known = new Set(rows.map((one) => one.itemCode))
  const items = [...new Set(itemCodes)].flatMap((code) => {
    const item = standardItem(code)
    if (!item?.stage) throw new AppError('invalidInput', `${item?.name ?? code}是分组，请选择其下测项`, { field: 'itemCodes' })
    return known.has(code) ? [] : [item]
  })
  await requireRoom(ctx, template.id, items.length)
  for (const item of items)
    await insertRule(ctx, template, {
      itemCode: item.code,
      standardName: item.name.slice(0, 50),
      baseValue: null,
      ...pick(item, 'judgeStart', 'judgeEnd', 'isAbsolute', 'isRange', 'norm'),
      // A signed deviation is measured from a size of the drawing.
      isCustomBase: !item.isAbsolute,
      areaCount: 2,
      pointCount: 5,
      method: null,
      forbidManual: false,
      burstFactor: defaultBurst,
    })
  if (items.length > 0) await countUp(ctx, template)
  ctx.note(`从标准库导入测项 ${items.length} 项：${template.name}`, template.id)
  return { id: template.id, created: items.length }
}

async function requireRoom(ctx: Context, templateId: string, more: number): Promise<void> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from measure_rule where template_id = ${templateId} and superseded_at is null`.execute(ctx.db)
  if ((rows[0]?.n ?? 0) + more > mostRules) throw new AppError('refused', `一个模板最多 ${mostRules} 条规则`)
}

/** @throws AppError `invalidInput` at the field */
function requireSound(rule: RuleFields): void {
  const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })
  if (standardItem(rule.itemCode)?.stage === undefined) throw refuse('itemCode', '请选择具体测项')
  if (rule.judgeEnd < rule.judgeStart) throw refuse('judgeEnd', '允许偏差上限不能小于下限')
  if (rule.isAbsolute && rule.judgeEnd < 0) throw refuse('judgeEnd', '取绝对值时上限不能为负')
  if (rule.isRange && rule.pointCount < 2) throw refuse('pointCount', '极差至少需要 2 个测点')
  if (rule.isCustomBase && rule.baseValue !== null) throw refuse('baseValue', '自定义基准由测量人填写，规则不写基准值')
  if (rule.isCustomBase && rule.isRange) throw refuse('isCustomBase', '极差与基准无关，不能自定义基准')
}

type RuleColumns = Omit<
  Rule,
  | 'id'
  | 'templateId'
  | 'groupId'
  | 'originId'
  | 'revision'
  | 'supersededAt'
  | 'version'
  | 'createBy'
  | 'createTime'
  | 'updateBy'
  | 'updateTime'
>
/** How an item is measured and judged: what a task takes over of its rule, and a revision of the rule before. */
export const judgingColumns = [
  'itemCode',
  'standardName',
  'baseValue',
  'judgeStart',
  'judgeEnd',
  'isAbsolute',
  'isRange',
  'isCustomBase',
  'areaCount',
  'pointCount',
  'method',
  'forbidManual',
  'burstFactor',
] as const
const ruleColumns = (rule: RuleColumns): RuleColumns => pick(rule, 'norm', ...judgingColumns)

async function insertRule(
  ctx: Context,
  { id: templateId, groupId }: Pick<Template, 'id' | 'groupId'>,
  rule: RuleColumns,
  after?: Pick<Rule, 'originId' | 'revision'>,
): Promise<string> {
  const id = ctx.newId()
  await ctx.db
    .insertInto('measureRule')
    .values({
      id,
      templateId,
      groupId,
      ...ruleColumns(rule),
      originId: after?.originId ?? id,
      revision: (after?.revision ?? 0) + 1,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
    .catch((error: unknown) => {
      throw ruleTaken(error)
    })
  return id
}
const ruleTaken = (error: unknown) =>
  isUniqueViolation(error, 'measure_rule_current')
    ? new AppError('invalidInput', '该测项已有同名评判标准', { field: 'standardName' })
    : error

/** The template's own version does not change: its name and target are as they were. */
async function countUp(ctx: Context, { id }: Pick<Template, 'id'>): Promise<void> {
  await sql`update measure_template set revision = revision + 1 where id = ${id}`.execute(ctx.db)
}

async function usesOf(ctx: Context, originId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`select zg_measure_rule_uses(${originId}) as n`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

const changeRule: HandlerOf<typeof contract.changeMeasureRule> = async ({ body }, ctx) => {
  if (body.action === 'edit') return editRule(ctx, body)
  const template = await ownTemplate(ctx, body.id)
  if (body.action === 'removeTemplate') return removeTemplate(ctx, template, body.version)
  const { action: _action, id, version, ...values } = body
  if (standardItem(values.stage)?.stage !== undefined) throw new AppError('invalidInput', '请选择工序', { field: 'stage' })
  await changeRow(ctx, 'measureTemplate', { key: { id }, version, values, noun: templateNoun, by: ctx.user.id }).catch((error: unknown) => {
    throw nameTaken(error)
  })
  ctx.note(`修改实测实量模板：${values.name}`, id)
  return { id }
}

async function removeTemplate(ctx: Context, template: Template, version: number) {
  if (template.version !== version) throw new AppError('conflict', '模板已被他人修改，请刷新后再改', { version: template.version })
  const { rows } = await sql<{ n: number }>`select zg_measure_template_uses(${template.id}) as n`.execute(ctx.db)
  if (rows[0]?.n) throw new AppError('refused', `模板已用于 ${rows[0].n} 个任务，不能删除`)
  await sql`delete from measure_template where id = ${template.id}`.execute(ctx.db)
  ctx.note(`删除实测实量模板：${template.name}`, template.id)
  return { id: template.id }
}

async function ownRule(ctx: Context, id: string): Promise<Rule> {
  const { rows } = await sql<Rule>`select * from measure_rule
    where id = ${id} and group_id = ${ctx.group.id} and superseded_at is null`.execute(ctx.db)
  return found(rows[0], noun)
}

async function editRule(ctx: Context, { id, version, ...fields }: RuleFields & { id: string; version: number }) {
  const rule = await ownRule(ctx, id)
  const template = await ownTemplate(ctx, rule.templateId)
  requireSound(fields)
  const columns = ruleColumns(fields)
  const used = (await usesOf(ctx, rule.originId)) > 0
  const values = used ? { supersededAt: new Date(ctx.clock.now()) } : columns
  await changeRow(ctx, 'measureRule', { key: { id }, version, values, noun, by: ctx.user.id }).catch((error: unknown) => {
    throw ruleTaken(error)
  })
  const next = used ? await insertRule(ctx, template, columns, rule) : id
  await countUp(ctx, template)
  ctx.note(`修改评判规则：${fields.standardName}`, next)
  return { id: next }
}

/** Names shown when a used rule is to be removed. */
const mostNamed = 5

const removeRule: HandlerOf<typeof contract.removeMeasureRule> = async ({ params: { id } }, ctx) => {
  const rule = await ownRule(ctx, id)
  const template = await ownTemplate(ctx, rule.templateId)
  const uses = await usesOf(ctx, rule.originId)
  if (uses > 0) {
    const { rows } = await sql<{
      taskNo: string
    }>`select distinct t.task_no from measure_task t join measure_task_item i on i.task_id = t.id
      where i.origin_id = ${rule.originId} order by 1 limit ${mostNamed}`.execute(ctx.db)
    const names = rows.map((one) => one.taskNo).join('、')
    throw new AppError('refused', `规则已用于 ${uses} 个任务${names ? `（${names}${uses > rows.length ? ' 等' : ''}）` : ''}，不能删除`)
  }
  await sql`delete from measure_rule where id = ${id}`.execute(ctx.db)
  await countUp(ctx, template)
  ctx.note(`删除评判规则：${rule.standardName}`, id)
  return undefined
}
