import { z } from 'zod'
import { filled, flag, ref, text } from '../kit/fields.ts'
import { conditionInput, conditionView, insideLimit, isInsideLimit, operators } from './conditions.ts'

/** The parts of a trigger, and the actions when it fires. */
export const levelNumber = z.number({ error: '请选择等级' }).int().min(1, '等级为 1 到 4').max(4, '等级为 1 到 4') as z.ZodType<
  1 | 2 | 3 | 4
>

const seconds = (label: string, most = 7 * 86_400) =>
  z
    .number({ error: `${label}应为数值` })
    .min(0, `${label}不能为负`)
    .max(most, `${label}过长`)

export const triggerLevel = z
  .object({
    level: levelNumber,
    condition: conditionInput,
    forSeconds: seconds('持续时间').optional(),
    clear: conditionInput.optional(),
    clearValue: z.number({ error: '解除值应为数值' }).optional(),
    clearForSeconds: seconds('解除保持时间').optional(),
  })
  // A level's own clear value takes precedence over that of its condition.
  .refine(({ condition: c, clearValue }) => !('op' in c && 'value' in c && c.op) || isInsideLimit(c.op, c.value, clearValue), insideLimit)

export const triggerLevels = z
  .array(triggerLevel, { error: '请添加等级' })
  .min(1, '至少一个等级')
  .max(4, '最多四个等级')
  .refine((levels) => new Set(levels.map((l) => l.level)).size === levels.length, '同一等级只能出现一次')

const period = z
  .tuple([z.number().min(0).max(86_400), z.number().min(0).max(86_400)], { error: '时段应为 [起, 止]，以当日秒数表示' })
  .refine(([from, to]) => from < to, '时段的起应早于止，跨零点请分成两段')

export const schedule = z.union([z.literal('workHours'), z.array(period).min(1, '至少一个时段').max(10, '最多 10 个时段')], {
  error: '时段不正确',
})

/** Scopes of a rule, from wide to narrow. */
export const scopeKinds = { global: '全局', projects: '项目', gateways: '网关', devices: '设备', points: '测点' } as const

const scopeShape = z.discriminatedUnion(
  'kind',
  [
    z.strictObject({ kind: z.literal('global') }),
    z.strictObject({ kind: z.literal('projects'), projectCodes: z.array(ref('project')).min(1, '请选择项目').max(2000) }),
    z.strictObject({ kind: z.literal('gateways'), gatewayIds: z.array(ref('gateway')).min(1, '请选择网关').max(500) }),
    z.strictObject({ kind: z.literal('devices'), deviceIds: z.array(ref('device')).min(1, '请选择设备').max(2000) }),
    z.strictObject({
      kind: z.literal('points'),
      points: z
        .array(z.object({ deviceId: ref('device'), point: filled(64, '测点') }))
        .min(1, '请选择测点')
        .max(2000),
    }),
  ],
  { error: '范围应为全局、项目、网关、设备或测点' },
)

/** Accepts the complete form, or only the content: `global`, `{projectCodes}`, `{deviceIds}`. */
export const scope = z.preprocess((given) => {
  if (given === 'global' || given === 'all') return { kind: 'global' }
  if (typeof given !== 'object' || given === null || 'kind' in given) return given
  const kinds = { projectCodes: 'projects', gatewayIds: 'gateways', deviceIds: 'devices', points: 'points' } as const
  const key = Object.keys(kinds).find((k) => k in given) as keyof typeof kinds | undefined
  const { type, ...rest } = given as { type?: unknown }
  return { ...rest, kind: type ?? (key ? kinds[key] : undefined) }
}, scopeShape)

export type TriggerScope = z.output<typeof scopeShape>

/** A value, or a comparison with one. */
const comparison = z.partialRecord(z.enum(operators), z.number(), { error: `比较符应为 ${operators.join(' ')} 之一，后跟数值` })

const wanted = z.union([z.string().max(64), z.number(), z.boolean(), comparison])

/** The rule is evaluated only while these conditions hold: by metric, a value or a comparison. */
export const onlyWhen = z.record(z.string().max(64), wanted)
export type OnlyWhen = z.output<typeof onlyWhen>

/** Fields that a trigger, a template item and a rehearsal share. */
export const triggerRules = z.object({
  levels: triggerLevels,
  schedule: schedule.nullish(),
  on: text(40, '记录种类').nullish(),
  onlyWhen: onlyWhen.nullish(),
  maxGapSeconds: z.number().positive('最长间隔应大于 0').max(86_400, '最长间隔最多一天').nullish(),
  minConfidence: z.number().min(0, '置信度在 0 到 1 之间').max(1, '置信度在 0 到 1 之间').nullish(),
  confirmSamples: z.number().int().min(1).max(100, '最多连续 100 次').nullish(),
  daySeconds: z.number().positive().max(86_400).nullish(),
  noDataSeconds: z
    .number()
    .positive()
    .max(30 * 86_400)
    .nullish(),
})

export const alarmKey = z
  .string({ error: '请选择告警' })
  .trim()
  .regex(/^[A-Za-z]\w{0,39}$/, '告警标识应为字母开头的 40 个字符以内')

export const templateItem = triggerRules.extend({ name: filled(100, '规则名称'), alarmKey, enabled: flag.default(true) })

export const triggerBody = triggerRules.partial({ levels: true }).extend({
  name: filled(100, '规则名称'),
  family: filled(40, '设备类型'),
  alarmKey: alarmKey.optional(),
  scope: scope.optional(),
  projectCode: ref('project').optional(),
  execIds: z.array(ref('exec')).max(50, '最多 50 个动作').default([]),
  enabled: flag.default(true),
  locked: flag.optional(),
  /** Disables the alarm in this scope, whatever wider rules say. */
  off: flag.optional(),
  reason: text(200, '原因').optional(),
  /** A set of triggers (template) instead of one. */
  template: flag.optional(),
  standard: text(200, '依据标准').optional(),
  remark: text(500, '说明').optional(),
  triggers: z.array(templateItem).max(200, '最多 200 条规则').optional(),
})

/** The same with every field optional: a field left out is unchanged, not reset to its default. */
export const triggerChange = triggerBody
  .extend({ execIds: triggerBody.shape.execIds.unwrap(), enabled: flag })
  .partial()
  .extend({ version: z.coerce.number().int().optional() })

const levelView = z.object({
  level: z.number().int(),
  condition: conditionView,
  forSeconds: z.number().optional(),
  clear: conditionView.optional(),
  clearValue: z.number().optional(),
  clearForSeconds: z.number().optional(),
  text: z.string(),
})

const optionsView = z.object({
  on: z.string().nullable(),
  onlyWhen: onlyWhen.nullable(),
  maxGapSeconds: z.number().nullable(),
  minConfidence: z.number().nullable(),
  confirmSamples: z.number().nullable(),
  daySeconds: z.number().nullable(),
  noDataSeconds: z.number().nullable(),
})

export const triggerRow = optionsView.extend({
  template: z.literal(false),
  id: z.string(),
  version: z.number().int(),
  name: z.string(),
  family: z.string(),
  familyName: z.string(),
  alarmKey: z.string(),
  alarmLabel: z.string(),
  /** The condition in one sentence. */
  summary: z.string(),
  levels: z.array(levelView),
  schedule: z.union([z.literal('workHours'), z.array(z.tuple([z.number(), z.number()]))]).nullable(),
  scope: scopeShape,
  projectCode: z.string().nullable(),
  projectName: z.string().nullable(),
  coveredDevices: z.number().int(),
  execIds: z.array(z.string()),
  execNames: z.array(z.string()),
  enabled: z.boolean(),
  locked: z.boolean(),
  off: z.boolean(),
  templateId: z.string().nullable(),
  templateVersion: z.number().int().nullable(),
  /** Number of enabled narrower rules for the same alarm. */
  overriddenBy: z.number().int(),
  lastEvaluated: z.string().nullable(),
  lastReason: z.string().nullable(),
  openNow: z.number().int(),
  fired30d: z.number().int(),
  /** Number of devices on which the rule cannot be evaluated because a required value is missing. */
  unjudged: z.number().int(),
  /** Percentage of the last 30 days' alarms that were not marked as false. */
  precision: z.number().nullable(),
  updateTime: z.string(),
})

export type TriggerRow = z.infer<typeof triggerRow>

/** An enabled rule that cannot be evaluated: on which devices, and which value is missing, or that it would take too much work. */
export const unjudgedRule = z.object({
  ruleId: z.string(),
  ruleName: z.string(),
  family: z.string(),
  familyName: z.string(),
  alarmKey: z.string(),
  alarmLabel: z.string(),
  level: z.number().int(),
  /** Devices in the rule's scope that have ever sent data, those on which it cannot be evaluated, and those that never sent the metric. */
  covered: z.number().int(),
  unable: z.number().int(),
  never: z.number().int(),
  noSource: z.boolean(),
  devices: z.array(
    z.object({
      deviceId: z.string(),
      deviceName: z.string(),
      projectCode: z.string(),
      projectName: z.string(),
      missing: z.array(
        z.object({
          kind: z.enum(['metric', 'quality', 'param', 'neighbour', 'cost']),
          key: z.string(),
          text: z.string(),
          /** Epoch milliseconds: when the value last arrived, or since when it has been missing. */
          since: z.number().nullable(),
        }),
      ),
    }),
  ),
})

export type UnjudgedRule = z.infer<typeof unjudgedRule>

export const templateRow = z.object({
  template: z.literal(true),
  id: z.string(),
  version: z.number().int(),
  name: z.string(),
  family: z.string(),
  familyName: z.string(),
  standard: z.string().nullable(),
  remark: z.string().nullable(),
  triggers: z.array(
    optionsView.extend({
      name: z.string(),
      alarmKey: z.string(),
      alarmLabel: z.string(),
      enabled: z.boolean(),
      levels: z.array(levelView),
      schedule: triggerRow.shape.schedule,
      summary: z.string(),
    }),
  ),
  sites: z.number().int(),
  /** Number of sites whose copies differ from the template, and of sites with an older version. */
  drifted: z.number().int(),
  outdated: z.number().int(),
  updateTime: z.string(),
})

export const siteDrift = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  appliedAt: z.string(),
  version: z.number().int(),
  drift: z.number().int(),
  differences: z.array(
    z.object({
      alarmKey: z.string(),
      alarmLabel: z.string(),
      template: z.string(),
      site: z.string(),
      strictness: z.enum(['same', 'stricter', 'looser', 'different', 'missing']),
    }),
  ),
})
