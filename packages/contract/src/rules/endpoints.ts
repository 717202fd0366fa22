import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { dayRange, flag, numericRange, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { sortBy } from '../kit/list.ts'
import { conditionView } from './conditions.ts'
import { execBody, execRow } from './exec-model.ts'
import { levelBody, levelRow } from './level-model.ts'
import { onlyWhen, siteDrift, templateRow, triggerBody, triggerChange, triggerRow, unjudgedRule } from './model.ts'
import { rehearsalEvent, rehearsalSample, rehearsalTrigger } from './rehearsal-model.ts'

const triggerId = z.object({ id: ref('trigger') })
const execId = z.object({ id: ref('exec') })
const made = z.object({ id: z.string(), ids: z.array(z.string()) })

/** The catalogue of alarms a trigger can use, each with its defaults. */
export const ruleBase = endpoint({
  method: 'GET',
  path: '/api/v1/iot/rule/base',
  summary: '规则库列表',
  needs: ['rules.view', 'alarm.view'],
  answers: 'list',
  query: pageQuery.extend({
    family: several.optional(),
    alarmKey: several.optional(),
    level: several.optional(),
    label: text(50).optional(),
  }),
  response: paged(
    z.object({
      id: z.string(),
      family: z.string(),
      familyName: z.string(),
      alarmKey: z.string(),
      label: z.string(),
      level: z.number().int(),
      kind: z.string(),
      metric: z.string().nullable(),
      metricLabel: z.string().nullable(),
      unit: z.string(),
      operators: z.array(z.string()),
      /** Parameters of the family that can be used as limits. */
      params: z.array(z.object({ key: z.string(), label: z.string(), unit: z.string() })),
      condition: conditionView,
      forSeconds: z.number(),
      clearForSeconds: z.number(),
      schedule: triggerRow.shape.schedule,
      on: z.string().nullable(),
      onlyWhen: onlyWhen.nullable(),
      text: z.string(),
      defaultThreshold: z.string(),
      source: z.string(),
      confidence: z.string(),
      expressible: z.boolean(),
      /** The platform's rule for this alarm. */
      triggerId: z.string().nullable(),
      enabled: z.boolean(),
      locked: z.boolean(),
      currentText: z.string().nullable(),
      projectsOverriding: z.number().int(),
      fired30d: z.number().int(),
      precision: z.number().nullable(),
    }),
  ),
})

const triggerQuery = pageQuery.extend({
  projectCode: ref('project').or(z.literal('*')).optional(),
  family: several.optional(),
  alarmKey: several.optional(),
  level: several.optional(),
  scope: several.optional(),
  enabled: flag.optional(),
  locked: flag.optional(),
  name: text(100).optional(),
  execId: ref('exec').optional(),
  templateId: ref('trigger').optional(),
  coveredDevices: numericRange.optional(),
  fired30d: numericRange.optional(),
  precision: numericRange.optional(),
  updateTime: dayRange.optional(),
  sort: sortBy('name', 'family', 'alarmKey', 'enabled', 'version', 'updateTime', 'fired30d', 'precision', 'coveredDevices'),
})
const triggerCounts = {
  counts: z.object({
    enabled: z.number().int(),
    /** Enabled, but no device can trigger it. */
    neverEvaluated: z.number().int(),
    silent30d: z.number().int(),
    imprecise: z.number().int(),
  }),
}
/** Rules, or with `template` the templates; callers that need one of the two use the calls below. */
export const listTriggers = endpoint({
  method: 'GET',
  path: '/api/v1/iot/rule/trigger/',
  summary: '触发规则列表',
  needs: ['rules.view', 'alarm.view'],
  answers: 'list',
  query: triggerQuery.extend({ template: flag.optional() }),
  response: paged(z.union([triggerRow, templateRow])).extend(triggerCounts),
})
export const findTriggers = viewOf(listTriggers, { query: triggerQuery, response: paged(triggerRow).extend(triggerCounts) })
export const findTemplates = viewOf(listTriggers, {
  query: triggerQuery.pick({ projectCode: true, family: true, name: true, page: true, size: true }).extend({ template: z.literal(true) }),
  response: paged(templateRow).extend(triggerCounts),
})

const versions = z.array(
  z.object({ version: z.number().int(), time: z.string(), byName: z.string().nullable(), content: z.looseObject({}) }),
)
export const getTrigger = endpoint({
  method: 'GET',
  path: '/api/v1/iot/rule/trigger/:id',
  summary: '触发规则详情',
  needs: ['rules.view', 'alarm.view'],
  params: triggerId,
  response: z.union([
    triggerRow.extend({
      versions,
      /** Rules of narrower scope for the same alarm. */
      overrides: z.array(z.object({ id: z.string(), name: z.string(), projectCode: z.string().nullable(), scopeKind: z.string() })),
      openAlarms: z.array(z.object({ id: z.string(), deviceName: z.string(), level: z.number().int(), startTime: z.string() })),
    }),
    templateRow.extend({ applied: z.array(siteDrift) }),
  ]),
})

export const createTrigger = endpoint({
  method: 'POST',
  path: '/api/v1/iot/rule/trigger/',
  summary: '新增触发规则',
  largeBody: 'thousands of devices a rule holds for',
  needs: ['rules.edit', 'rules.template', 'alarm.setting'],
  body: triggerBody,
  response: made,
})
export const updateTrigger = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/rule/trigger/:id',
  summary: '修改触发规则',
  largeBody: 'thousands of devices a rule holds for',
  needs: ['rules.edit', 'rules.enable', 'rules.lock', 'rules.template', 'alarm.setting', 'alarm.lock'],
  params: triggerId,
  body: triggerChange,
  response: z.object({ id: z.string(), version: z.number().int() }),
})
export const deleteTrigger = endpoint({
  method: 'DELETE',
  path: '/api/v1/iot/rule/trigger/:id',
  summary: '删除触发规则',
  needs: ['rules.delete', 'rules.template'],
  params: triggerId,
})
/** Copies a rule, disabled; or, with projects, applies a template to them. */
export const duplicateTrigger = endpoint({
  method: 'POST',
  path: '/api/v1/iot/rule/trigger/dup/:id',
  summary: '复制触发规则',
  largeBody: 'thousands of devices a rule holds for',
  needs: ['rules.edit', 'rules.apply'],
  params: triggerId,
  body: z.object({
    projectCode: ref('project').optional(),
    projectCodes: z.array(ref('project')).min(1, '请选择项目').max(500, '一次最多 500 个项目').optional(),
    templateId: ref('trigger').optional(),
    /** What happens to a project's own rule for the same alarm. */
    conflict: z.enum(['keep', 'replace']).default('keep'),
    preview: flag.default(false),
  }),
  response: made.extend({
    applied: z
      .array(
        z.object({
          projectCode: z.string(),
          created: z.number().int(),
          updated: z.number().int(),
          kept: z.number().int(),
          conflicts: z.array(z.string()),
        }),
      )
      .optional(),
  }),
})

/** Enabled rules that cannot be evaluated at present, because a value, a parameter or a neighbouring device is missing. */
export const unjudgedRules = endpoint({
  method: 'GET',
  path: '/api/v1/iot/rule/unjudged',
  summary: '不能判定的规则',
  needs: ['rules.view', 'alarm.view'],
  answers: 'list',
  query: pageQuery.extend({
    projectCode: ref('project').or(z.literal('*')).optional(),
    family: several.optional(),
    ruleId: ref('trigger').optional(),
    deviceId: ref('device').optional(),
  }),
  response: paged(unjudgedRule).extend({ counts: z.object({ devices: z.number().int() }) }),
})

/** Evaluates a trigger over given or stored readings. Changes nothing. */
export const rehearseTrigger = endpoint({
  method: 'POST',
  path: '/api/v1/iot/rule/trigger/rehearse',
  summary: '规则试算',
  largeBody: 'readings by the thousand',
  needs: ['rules.rehearse', 'rules.edit'],
  unaudited: 'changes nothing',
  perMinute: 60,
  body: z.object({
    trigger: rehearsalTrigger,
    params: z.record(z.string().max(64), z.unknown()).optional(),
    samples: z.union([
      z.array(rehearsalSample).max(100_000, '最多 100000 个样本'),
      z.object({
        deviceIds: z.array(ref('device')).min(1, '请选择设备').max(50, '最多 50 台设备'),
        from: rehearsalSample.shape.time,
        to: rehearsalSample.shape.time,
      }),
    ]),
    restarts: z.array(rehearsalSample.shape.time).max(1000).optional(),
    until: rehearsalSample.shape.time.optional(),
  }),
  response: z.object({
    events: z.array(rehearsalEvent),
    evaluated: z.number().int(),
    opens: z.number().int(),
    nights: z.number().int(),
    devices: z
      .array(
        z.object({
          deviceId: z.string(),
          deviceName: z.string(),
          opens: z.number().int(),
          nights: z.number().int(),
          /** Good values of the rule's first metric by interval: epoch ms, mean, minimum, maximum. Empty intervals are left out. */
          series: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])),
        }),
      )
      .optional(),
  }),
})

export const listExecs = endpoint({
  method: 'GET',
  path: '/api/v1/iot/rule/exec/',
  summary: '执行动作列表',
  needs: 'rules.view',
  answers: 'list',
  query: pageQuery.extend({
    projectCode: ref('project').or(z.literal('*')).optional(),
    kind: several.optional(),
    name: text(100).optional(),
    enabled: flag.optional(),
  }),
  response: paged(execRow).extend({ counts: z.object({ enabled: z.number().int(), unused: z.number().int() }) }),
})
export const getExec = endpoint({
  method: 'GET',
  path: '/api/v1/iot/rule/exec/:id',
  summary: '执行动作详情',
  needs: 'rules.view',
  params: execId,
  response: execRow.extend({ triggers: z.array(z.object({ id: z.string(), name: z.string() })) }),
})
export const createExec = endpoint({
  method: 'POST',
  path: '/api/v1/iot/rule/exec/',
  summary: '新增执行动作',
  needs: ['rules.edit', 'rules.linkage'],
  body: execBody,
  response: z.object({ id: z.string() }),
})
export const updateExec = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/rule/exec/:id',
  summary: '修改执行动作',
  needs: ['rules.edit', 'rules.linkage'],
  params: execId,
  body: execBody,
  response: z.object({ id: z.string(), version: z.number().int() }),
})
export const deleteExec = endpoint({
  method: 'DELETE',
  path: '/api/v1/iot/rule/exec/:id',
  summary: '删除执行动作',
  needs: 'rules.delete',
  params: execId,
})
export const duplicateExec = endpoint({
  method: 'POST',
  path: '/api/v1/iot/rule/exec/dup/:id',
  summary: '复制执行动作',
  needs: 'rules.edit',
  params: execId,
  body: z.object({ projectCode: ref('project').optional() }),
  response: z.object({ id: z.string() }),
})

export const listLevels = endpoint({
  method: 'GET',
  path: '/api/v1/iot/rule/level/',
  summary: '风险等级列表',
  needs: ['rules.view', 'alarm.view'],
  answers: 'list',
  response: paged(levelRow),
})
export const updateLevels = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/rule/level/',
  summary: '修改风险等级',
  needs: 'rules.level',
  acts: 'aside',
  // The four by themselves, or as the answer names them.
  body: z.preprocess(
    (given) => {
      if (Array.isArray(given)) return { list: given }
      const { levels, ...rest } = (given ?? {}) as { levels?: unknown }
      return levels === undefined ? given : { ...rest, list: levels }
    },
    z.object({
      list: z.array(levelBody).length(4, '须同时提交四个等级'),
      /** Resets to the delivered levels. */
      reset: flag.optional(),
    }),
  ),
  response: paged(levelRow),
})
