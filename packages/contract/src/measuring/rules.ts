import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, flag, nullable, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { dict } from '../settings/dict-field.ts'

/**
 * Templates of measuring rules (实测实量标准). A group owns its templates: a company those of all its sites, a site its own. A changed rule
 * is a new revision; tasks keep what they began with.
 */

const path = '/api/v1/measure/rule'
const view = 'inspection.view'
export const measureSetup = 'inspection.measureSetup'

export const mostTemplates = 50
export const mostRules = 100
export const mostAreas = 50
export const mostPoints = 50
export const defaultBurst = 1.5
export const defaultTarget = 90
/** n(10,2). */
const mostValue = 99_999_999

export const measureRule = z.object({
  id: z.string(),
  templateId: z.string(),
  templateName: z.string(),
  /** Dictionary measureItem. */
  itemCode: z.string(),
  itemName: z.string(),
  standardName: z.string(),
  baseValue: z.number().nullable(),
  judgeStart: z.number(),
  judgeEnd: z.number(),
  /** Of the item in the dictionary. */
  unit: z.string(),
  isAbsolute: z.boolean(),
  isRange: z.boolean(),
  isCustomBase: z.boolean(),
  areaCount: z.number().int(),
  pointCount: z.number().int(),
  method: z.string().nullable(),
  norm: z.string().nullable(),
  forbidManual: z.boolean(),
  burstFactor: z.number(),
  /** What the norm tolerates; null where the dictionary names nothing. */
  normStart: z.number().nullable(),
  normEnd: z.number().nullable(),
  /** It allows more than the norm. */
  wider: z.boolean(),
  revision: z.number().int(),
  /** Tasks that began with this revision or an earlier one. */
  taskCount: z.number().int(),
  version: z.number().int(),
})
export type MeasureRule = z.output<typeof measureRule>

const measureTemplate = z.object({
  id: z.string(),
  name: z.string(),
  /** The group of items in dictionary measureItem: 主体, 砌筑, 抹灰, 装饰. */
  stage: z.string(),
  stageName: z.string(),
  targetRate: z.number(),
  /** Counts the changes of its rules. */
  revision: z.number().int(),
  ruleCount: z.number().int(),
  taskCount: z.number().int(),
  ownerName: z.string(),
  /** The caller's group may change it. */
  own: z.boolean(),
  version: z.number().int(),
})
export type MeasureTemplate = z.output<typeof measureTemplate>

export const listMeasureRules = endpoint({
  method: 'GET',
  path,
  summary: '实测实量规则列表',
  description: '本组的模板与规则，项目还看到参建总承包、建设、监理单位的模板；templates 为全部可见模板。',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    templateId: pointsTo('measureTemplate', text(64)).optional(),
    itemCode: several.optional(),
    standardName: text(50).optional(),
    method: text(50).optional(),
    norm: text(50).optional(),
    forbidManual: flag.optional(),
    wider: flag.optional(),
    sort: sortBy('itemCode', 'judgeEnd', 'taskCount'),
  }),
  response: paged(measureRule).extend({ templates: z.array(measureTemplate) }),
})

export const measureRuleList = listOf(listMeasureRules, {
  feature: 'measureRule',
  columns: {
    templateName: '模板',
    itemCode: '测项',
    standardName: '评判标准',
    judgeEnd: '允许偏差',
    isAbsolute: '取绝对值',
    isRange: '极差',
    isCustomBase: '自定义基准',
    pointCount: '测区 × 测点',
    method: '检查方法',
    norm: '引用规范',
    forbidManual: '仅仪器',
    burstFactor: '爆点倍数',
    revision: '版本',
    taskCount: '使用任务',
  },
})

const amount = (label: string) =>
  z
    .number({ error: `${label}应为数字` })
    .min(-mostValue, `${label}过小`)
    .max(mostValue, `${label}过大`)
    .multipleOf(0.01, `${label}最多两位小数`)
const count = (label: string, most: number) =>
  z
    .number({ error: `${label}应为数字` })
    .int(`${label}为整数`)
    .min(1, `${label} 1-${most}`)
    .max(most, `${label} 1-${most}`)

const ruleFields = {
  itemCode: dict('measureItem', '测项'),
  standardName: filled(50, '评判标准名称'),
  baseValue: nullable(amount('基准值')),
  judgeStart: amount('允许偏差下限'),
  judgeEnd: amount('允许偏差上限'),
  isAbsolute: z.boolean(),
  isRange: z.boolean(),
  isCustomBase: z.boolean(),
  areaCount: count('测区数量', mostAreas),
  pointCount: count('每区测点数', mostPoints),
  method: nullable(text(200, '检查方法')),
  norm: nullable(text(200, '引用规范')),
  forbidManual: z.boolean().default(false),
  burstFactor: z.number({ error: '爆点倍数应为数字' }).min(1, '爆点倍数 1-9.9').max(9.9, '爆点倍数 1-9.9').default(defaultBurst),
}
export type RuleFields = z.output<z.ZodObject<typeof ruleFields>>

const templateFields = {
  name: filled(50, '模板名称'),
  stage: dict('measureItem', '工序'),
  targetRate: z.number({ error: '目标合格率应为数字' }).min(1, '目标合格率 1-100').max(100, '目标合格率 1-100').default(defaultTarget),
}

/** A template, a copy of one, a rule, or rules of the standard library (dictionary measureItem). */
export const createMeasureRule = endpoint({
  method: 'POST',
  path,
  summary: '新增实测实量规则',
  description: 'createTemplate 新建模板；copyTemplate 复制模板及其规则；create 新增规则；import 从标准库（字典 measureItem）导入测项。',
  needs: measureSetup,
  acts: 'aside',
  groupTypes: [2, 3],
  query: ofProject,
  body: z.discriminatedUnion('action', [
    z.strictObject({ action: z.literal('createTemplate'), ...templateFields }),
    z.object({ action: z.literal('copyTemplate'), templateId: ref('measureTemplate'), name: templateFields.name }),
    z.object({ action: z.literal('create'), templateId: ref('measureTemplate'), ...ruleFields }),
    z.object({
      action: z.literal('import'),
      templateId: ref('measureTemplate'),
      itemCodes: z.array(dict('measureItem', '测项')).min(1, '请选择测项').max(mostRules, `一次最多 ${mostRules} 项`),
    }),
  ]),
  response: z.object({ id: z.string(), created: z.number().int() }),
})

/** A changed rule that tasks use becomes a new revision. */
export const changeMeasureRule = endpoint({
  method: 'PUT',
  path,
  summary: '修改实测实量规则',
  description: 'edit 修改规则（已用于任务的生成新版本）；editTemplate 修改模板；removeTemplate 删除未使用的模板。',
  needs: measureSetup,
  acts: 'aside',
  groupTypes: [2, 3],
  query: ofProject,
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('edit'), id: ref('measureRule'), version: z.number().int(), ...ruleFields }),
    z.object({ action: z.literal('editTemplate'), id: ref('measureTemplate'), version: z.number().int(), ...templateFields }),
    z.object({ action: z.literal('removeTemplate'), id: ref('measureTemplate'), version: z.number().int() }),
  ]),
  response: z.object({ id: z.string() }),
})

export const removeMeasureRule = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除实测实量规则',
  needs: measureSetup,
  acts: 'aside',
  groupTypes: [2, 3],
  params: z.object({ id: ref('measureRule') }),
})
