import { z } from 'zod'
import { ExpressionError, hasNestedWindow, hasWindow, parseExpression } from './expression.ts'
import { crossesItself, openRing, type Point } from './polygon.ts'

/**
 * Conditions of triggers. A condition is an object; `and`, `or`, `not` and `countInWindow` contain others in `of`. Triggers, templates, the
 * delivered defaults and rehearsals all use this format.
 */
export const operators = ['>=', '>', '<=', '<', '==', '!=', 'abs>=', 'abs>', 'abs<=', 'abs<', 'abs==', 'abs!='] as const
export type RuleOperator = (typeof operators)[number]
export const deepestCondition = 4
/** Maximum number of conditions in one tree, including groups: more is unreadable, and each is evaluated for every reading. */
export const mostConditions = 50
/** Maximum number of corners of all areas and routes in one tree: every position is compared with each of their edges. */
export const mostCorners = 2_000
const mostPolygonCorners = 1_000
const mostRoutePoints = 2_000

const metric = z.string({ error: '请选择指标' }).trim().min(1, '请选择指标').max(64, '指标名过长')
const name = z.string().trim().min(1, '不能为空').max(64, '最多 64 个字符')
const number = z.number({ error: '应为数值' }).refine(Number.isFinite, '应为数值')
const positive = number.positive('应大于 0')
const longest = 400 * 86_400
const seconds = positive.max(longest, '最长 400 天')
const count = z.number({ error: '应为整数' }).int('应为整数').min(1, '至少 1').max(10_000, '最多 10000')
/** Accepts `abs >=` as well as `abs>=`. */
const op = z.preprocess(
  (v) => (typeof v === 'string' ? v.replaceAll(/\s/g, '') : v),
  z.enum(operators, { error: '比较符应为 >=、>、<=、<、==、!= 或带 abs 的同类' }),
)
const scalar = z.union([z.string().max(64), z.number(), z.boolean()], { error: '应为文字、数值或是否' })
const point = z.tuple([number.min(-180).max(180), number.min(-90).max(90)], { error: '坐标应为 [经度, 纬度]' })
const polygon = z
  .array(point)
  // The later checks compare every edge with every other, so limit the number of corners first.
  .max(mostPolygonCorners, { error: `最多 ${mostPolygonCorners} 个顶点`, abort: true })
  .refine((p) => openRing(p).length >= 3, '多边形至少 3 个顶点')
  .refine((p) => !crossesItself(p as Point[]), '多边形的边不能相交')

/**
 * Error for a clear value beyond the limit: the alarm would clear while its condition holds, so it would open and clear at every reading.
 */
export const insideLimit = { message: '解除值应不比阈值更严：大于阈值告警的不高于阈值，小于阈值告警的不低于阈值', path: ['clearValue'] }

const leaves = {
  threshold: z
    .object({
      type: z.literal('threshold'),
      metric,
      op,
      value: number.optional(),
      param: name.optional(),
      factor: number.optional(),
      default: number.optional(),
      byParam: z.record(name, z.record(name, number)).optional(),
      clearValue: number.optional(),
      window: z.enum(['avg', 'max', 'min', 'sum'], { error: '窗口算法应为 avg、max、min 或 sum' }).optional(),
      windowSeconds: seconds.optional(),
      minCoverage: number.min(0, '应在 0 到 1 之间').max(1, '应在 0 到 1 之间').optional(),
      fallbackMetric: metric.optional(),
    })
    .refine((c) => c.value !== undefined || c.param !== undefined || c.byParam !== undefined, { message: '请填写阈值', path: ['value'] })
    .refine((c) => c.window === undefined || c.windowSeconds !== undefined, { message: '请填写窗口秒数', path: ['windowSeconds'] })
    .refine((c) => isInsideLimit(c.op, c.value, c.clearValue), insideLimit),
  range: z
    .object({
      type: z.literal('range'),
      metric,
      low: number.optional(),
      high: number.optional(),
      inside: z.boolean().optional(),
      clearMargin: number.min(0, '不能为负').optional(),
    })
    .refine((c) => c.low !== undefined || c.high !== undefined, { message: '请填写下限或上限', path: ['low'] })
    .refine((c) => c.low === undefined || c.high === undefined || c.low < c.high, { message: '下限应小于上限', path: ['high'] }),
  state: z
    .object({
      type: z.literal('state'),
      metric,
      equals: scalar.optional(),
      notEquals: scalar.optional(),
      bit: z.number().int().min(0).max(63, '位号最大 63').optional(),
    })
    .refine((c) => c.equals !== undefined || c.notEquals !== undefined || c.bit !== undefined, {
      message: '请填写状态值',
      path: ['equals'],
    }),
  rate: z
    .object({
      type: z.literal('rate'),
      metric,
      op,
      value: number.optional(),
      param: name.optional(),
      factor: number.optional(),
      default: number.optional(),
      perSeconds: seconds,
      clearValue: number.optional(),
    })
    .refine((c) => c.value !== undefined || c.param !== undefined, { message: '请填写阈值', path: ['value'] })
    .refine((c) => isInsideLimit(c.op, c.value, c.clearValue), insideLimit),
  constant: z.object({ type: z.literal('constant'), metric, seconds }),
  ratioToAverage: z.object({
    type: z.literal('ratioToAverage'),
    metrics: z.array(metric).min(1, '请选择指标').max(20, '最多 20 个指标'),
    samples: count.max(1000, '最多 1000 个样本'),
    factor: positive,
    minAbs: number.min(0, '不能为负').optional(),
  }),
  deviationFromHistory: z.object({
    type: z.literal('deviationFromHistory'),
    metric,
    by: name,
    samples: count.max(100, '最多 100 个样本'),
    absolute: positive,
  }),
  counterDecrease: z.object({ type: z.literal('counterDecrease'), metric }),
  noData: z.object({ type: z.literal('noData'), seconds }),
  noRecord: z.object({ type: z.literal('noRecord'), record: name, result: z.string().max(64).optional(), withinSeconds: seconds }),
  dueDate: z.object({ type: z.literal('dueDate'), param: name, daysBefore: z.number().int('应为整数').min(0, '不能为负').max(3650) }),
  inList: z.object({ type: z.literal('inList'), metric, list: name }),
  notInRegistry: z.object({ type: z.literal('notInRegistry'), metric }),
  workerState: z.object({ type: z.literal('workerState'), state: name }),
  always: z.object({ type: z.literal('always') }),
  geofence: z
    .object({
      type: z.literal('geofence'),
      mode: z.enum(['enter', 'exit', 'inside', 'outside', 'outsideRoute'], { error: '围栏方式不正确' }),
      polygon: polygon.optional(),
      route: z.array(point).min(2, '路线至少 2 个点').max(mostRoutePoints, `最多 ${mostRoutePoints} 个点`).optional(),
      fenceId: name.optional(),
      fence: name.optional(),
      confirmSamples: count.max(20, '最多 20 个样本').optional(),
      bufferMeters: number.min(0, '不能为负').max(100_000).optional(),
    })
    .refine((c) => c.polygon ?? c.route ?? c.fenceId ?? c.fence, { message: '请选择围栏', path: ['fence'] }),
  dwell: z
    .object({ type: z.literal('dwell'), fence: name.optional(), state: name.optional(), seconds, resetRestSeconds: seconds.optional() })
    .refine((c) => c.fence ?? c.state, { message: '请选择围栏或状态', path: ['fence'] }),
  countInArea: z
    .object({ type: z.literal('countInArea'), op, value: number.optional(), param: name.optional(), factor: number.optional() })
    .refine((c) => c.value !== undefined || c.param !== undefined, { message: '请填写人数', path: ['value'] }),
  craneClearance: z
    .object({
      type: z.literal('craneClearance'),
      op,
      value: number,
      predictSeconds: number.min(0, '不能为负').max(60, '最多预测 60 秒'),
      clearValue: number.optional(),
    })
    .refine((c) => isInsideLimit(c.op, c.value, c.clearValue), insideLimit),
  craneZone: z.object({ type: z.literal('craneZone'), zone: name, marginMeters: number.min(0, '不能为负').max(200, '最多 200 米') }),
  expression: z.object({
    type: z.literal('expression'),
    expr: z.string({ error: '请填写表达式' }).superRefine((v, context) => {
      try {
        parseExpression(v)
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error
        context.addIssue({ code: 'custom', message: error.message })
      }
    }),
  }),
} as const

const counting = z
  .object({
    type: z.literal('countInWindow'),
    metric: metric.optional(),
    op: op.optional(),
    value: number.optional(),
    record: name.optional(),
    by: name.optional(),
    count,
    windowSeconds: seconds,
    consecutiveDays: z.boolean().optional(),
  })
  .loose()

type Leaf = { [K in keyof typeof leaves]: z.output<(typeof leaves)[K]> }[keyof typeof leaves]
export type RuleCondition =
  | Leaf
  | (Pick<
      z.output<typeof counting>,
      'type' | 'metric' | 'op' | 'value' | 'record' | 'by' | 'count' | 'windowSeconds' | 'consecutiveDays'
    > & {
      of?: RuleCondition | undefined
    })
  | { type: 'and' | 'or'; of: RuleCondition[] }
  | { type: 'not'; of: RuleCondition[] }

export type ConditionOf<T extends RuleCondition['type']> = Extract<RuleCondition, { type: T }>

/** Whether the clear value is on the harmless side of the limit. */
export function isInsideLimit(operator: RuleOperator, value: number | undefined, clear: number | undefined): boolean {
  if (value === undefined || clear === undefined) return true
  const sign = operator.replace('abs', '')
  if (sign.startsWith('>')) return clear <= value
  if (sign.startsWith('<')) return clear >= value
  return true
}

export interface ConditionProblem {
  path: (string | number)[]
  message: string
}

interface Reading {
  problems: ConditionProblem[]
  /** The remaining budget of the size limits. Parts that exceed it are not checked. */
  conditions: number
  corners: number
}

type Read = { condition?: RuleCondition; problems: ConditionProblem[] }

function read(raw: unknown, reading: Reading): Read {
  const condition = readCondition(raw, [], 1, reading)
  const { problems } = reading
  return problems.length || !condition ? { problems } : { condition, problems }
}

/** Validates a condition and everything in it. Returns the condition in its normal form, or the errors by place. */
export function checkCondition(raw: unknown): Read {
  const found = read(raw, { problems: [], conditions: mostConditions, corners: mostCorners })
  const nested = found.condition && nestedWindow(found.condition)
  if (nested) return { problems: [nested] }
  const isTooMuch = found.condition && ratioReadings(allOf(found.condition)) > mostRatioReadings
  return isTooMuch ? { problems: [{ path: [], message: tooManyRatioReadings }] } : found
}

/**
 * Reads a condition that was accepted earlier. It is returned even if it exceeds newer limits; `excess` names them, and the evaluator skips
 * such a condition.
 */
export function readStoredCondition(raw: unknown): Read & { excess?: string } {
  const found = read(raw, { problems: [], conditions: Number.POSITIVE_INFINITY, corners: Number.POSITIVE_INFINITY })
  const excess = found.condition && excessOf(found.condition)
  return excess === undefined ? found : { ...found, excess }
}

const tooManyConditions = `一条规则最多 ${mostConditions} 个条件`
/**
 * Maximum number of readings that the ratios of one tree look back over for each reading, over all metrics: about a tenth of a millisecond.
 */
const mostRatioReadings = 3_000
const tooManyRatioReadings = `一条规则与均值比较的指标数乘以样本数，合计最多 ${mostRatioReadings}`
const tooManyCorners = `一条规则的围栏和路线合计最多 ${mostCorners} 个顶点`

function excessOf(condition: RuleCondition): string | undefined {
  const all = allOf(condition)
  if (all.length > mostConditions) return tooManyConditions
  const corners = all.reduce((sum, c) => sum + (c.type === 'geofence' ? (c.polygon?.length ?? 0) + (c.route?.length ?? 0) : 0), 0)
  if (corners > mostCorners) return tooManyCorners
  return ratioReadings(all) > mostRatioReadings ? tooManyRatioReadings : nestedWindow(condition)?.message
}
const ratioReadings = (all: readonly RuleCondition[]): number =>
  all.reduce((sum, c) => sum + (c.type === 'ratioToAverage' ? c.metrics.length * c.samples : 0), 0)
const allOf = (c: RuleCondition): RuleCondition[] => [c, ...innerOf(c).flatMap(allOf)]

const windowsDoNotNest = '窗口条件不能嵌套：统计窗口内只能使用当时的数值'

/** Whether a condition iterates over past readings. A rate looks up only one. */
function isWindow(c: RuleCondition): boolean {
  switch (c.type) {
    case 'threshold':
      return c.windowSeconds !== undefined
    case 'geofence':
      return (c.confirmSamples ?? 1) > 1
    case 'expression':
      return hasWindow(parseExpression(c.expr))
    case 'constant':
    case 'ratioToAverage':
    case 'deviationFromHistory':
    case 'countInWindow':
    case 'dwell':
      return true
    default:
      return false
  }
}

/** The cost of a window inside a window is the product of both: forty samples per second would stop the evaluation. */
function nestedWindow(c: RuleCondition, path: (string | number)[] = [], within = false): ConditionProblem | undefined {
  const isNested = c.type === 'expression' ? hasNestedWindow(parseExpression(c.expr)) : false
  if (isNested || (within && isWindow(c))) return { path, message: windowsDoNotNest }
  if (c.type === 'countInWindow') return c.of && nestedWindow(c.of, [...path, 'of'], true)
  for (const [i, one] of innerOf(c).entries()) {
    const found = nestedWindow(one, [...path, 'of', i], within)
    if (found) return found
  }
  return undefined
}

function readCondition(raw: unknown, path: (string | number)[], depth: number, reading: Reading): RuleCondition | undefined {
  const refuse = (message: string, at: (string | number)[] = []) => {
    reading.problems.push({ path: [...path, ...at], message })
    return undefined
  }
  if (reading.conditions === 0) return reading.problems.length ? undefined : refuse(tooManyConditions)
  reading.conditions--
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return refuse('条件应为一个对象')
  const { type, of } = raw as { type?: unknown; of?: unknown }
  if (of !== undefined && depth > deepestCondition) return refuse(`条件最多嵌套 ${deepestCondition} 层`)
  if (type === 'and' || type === 'or' || type === 'not') {
    const list = Array.isArray(of) ? of : type === 'not' && of !== undefined ? [of] : []
    if (list.length === 0) return refuse('请至少添加一个条件', ['of'])
    if (list.length > 20) return refuse('一组最多 20 个条件', ['of'])
    if (type === 'not' && list.length !== 1) return refuse('“非”只能包含一个条件', ['of'])
    const inner = list.map((one, i) => {
      if ((one as { type?: unknown } | null)?.type === 'noData') return refuse('“无数据”只能单独使用', ['of', i])
      return readCondition(one, [...path, 'of', i], depth + 1, reading)
    })
    return { type, of: inner.filter((one) => one !== undefined) } as RuleCondition
  }
  if (type === 'countInWindow') {
    const parsed = counting.safeParse(raw)
    if (!parsed.success) {
      for (const issue of parsed.error.issues) refuse(issue.message, issue.path as (string | number)[])
      return undefined
    }
    const { metric: m, op: o, value, record, by, count: n, windowSeconds, consecutiveDays } = parsed.data
    const ways = [m !== undefined, of !== undefined, record !== undefined].filter(Boolean).length
    if (ways !== 1) return refuse('请在指标、条件、记录中选择一种计数对象')
    if (m !== undefined && (o === undefined || value === undefined)) return refuse('请填写比较符和阈值', ['value'])
    const inner = of === undefined ? undefined : readCondition(Array.isArray(of) ? of[0] : of, [...path, 'of'], depth + 1, reading)
    if (of !== undefined && !inner) return undefined
    return plain({
      type,
      metric: m,
      op: o,
      value,
      record,
      by,
      count: n,
      windowSeconds,
      consecutiveDays,
      of: inner,
    }) as unknown as RuleCondition
  }
  const schema = typeof type === 'string' && Object.hasOwn(leaves, type) ? leaves[type as keyof typeof leaves] : undefined
  if (!schema) return refuse(type === undefined ? '请选择条件类型' : `不支持的条件类型“${String(type).slice(0, 40)}”`, ['type'])
  const { polygon: area, route } = raw as { polygon?: unknown; route?: unknown }
  for (const line of [area, route]) if (Array.isArray(line)) reading.corners -= line.length
  if (reading.corners < 0) return refuse(tooManyCorners)
  const parsed = schema.safeParse(raw)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) refuse(issue.message, issue.path as (string | number)[])
  return undefined
}

const plain = (value: Record<string, unknown>) => Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined))

/** A condition in requests. */
export const conditionInput = z.looseObject({ type: z.string({ error: '请选择条件类型' }) }).transform((raw, context): RuleCondition => {
  const { condition, problems } = checkCondition(raw)
  for (const { path, message } of problems) context.addIssue({ code: 'custom', message, path })
  return condition ?? z.NEVER
})
/** A condition in responses. */
export const conditionView = z.looseObject({ type: z.string() })

/** The conditions directly inside one. */
export function innerOf(c: RuleCondition): readonly RuleCondition[] {
  if (c.type === 'and' || c.type === 'or' || c.type === 'not') return c.of
  return c.type === 'countInWindow' && c.of ? [c.of] : []
}
