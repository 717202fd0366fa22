import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, flag, numericRange, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { enable, files, version, view } from './library-fields.ts'
import { changes } from './quality.ts'

const metricUse = z.object({
  key: text(60, '指标'),
  precision: z.coerce.number().int().min(0, '小数位应为 0～6').max(6, '小数位应为 0～6').nullish(),
  min: z.coerce.number().nullish(),
  max: z.coerce.number().nullish(),
  alias: text(60, '设备侧名称').nullish(),
})

const register = z.object({
  metric: text(60, '指标'),
  address: z.coerce.number().int().min(0, '寄存器地址应为 0～65535').max(65_535, '寄存器地址应为 0～65535').nullish(),
  type: z.enum(['u16', 'i16', 'u32abcd', 'u32cdab', 'f32', 'dlt645', 'cjt188'], { error: '寄存器类型不正确' }),
  scale: z.coerce.number().default(1),
  unit: text(20, '单位').nullish(),
  /** Data identifier of DL/T 645 or CJ/T 188, hex. */
  code: z
    .string()
    .trim()
    .regex(/^[0-9A-Fa-f]{0,8}$/, '数据标识应为十六进制')
    .nullish(),
})

export type Register = z.output<typeof register>

const alarmCode = z.object({ code: text(40, '设备报警码').min(1, '请填写设备报警码'), alarmKey: text(60, '告警') })

export const modelRow = z.object({
  id: z.string(),
  rootId: z.string(),
  factoryId: z.string(),
  factoryName: z.string(),
  brandId: z.string(),
  brandName: z.string(),
  family: z.string(),
  familyName: z.string(),
  category: z.string(),
  name: z.string(),
  modelVersion: z.number().int(),
  protocols: z.array(z.string()),
  metricCount: z.number().int(),
  hasRegisterMap: z.boolean(),
  devices: z.number().int(),
  enable: z.string(),
  createTime: z.string(),
  updateTime: z.string(),
  version: z.number().int(),
})

export type ModelRow = z.infer<typeof modelRow>

export const modelFilters = z.object({
  name: text(100).optional(),
  factoryId: ref('factory').optional(),
  brandId: ref('brand').optional(),
  /** Key or code of a family. */
  family: several.optional(),
  category: several.optional(),
  protocols: several.optional(),
  hasRegisterMap: flag.optional(),
  devices: numericRange.optional(),
  enable: several.optional(),
  /** Includes older versions. */
  allVersions: flag.optional(),
})

export const listModels = endpoint({
  method: 'GET',
  path: '/api/v1/iot/model',
  summary: '设备型号列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...modelFilters.shape,
    sort: sortBy('name', 'brandName', 'factoryName', 'family', 'devices', 'updateTime'),
  }),
  response: paged(modelRow),
})

export const modelList = listOf(listModels, {
  columns: {
    name: '型号',
    brandName: '品牌',
    factoryName: '厂商',
    family: '类别',
    protocols: '协议',
    metricCount: '指标数',
    hasRegisterMap: '寄存器',
    devices: '设备',
    modelVersion: '版本',
    enable: '启用',
  },
})

const modelContent = {
  metrics: z.array(metricUse).max(100).default([]),
  registers: z.array(register).max(200).default([]),
  alarmCodes: z.array(alarmCode).max(200).default([]),
  params: z.record(z.string(), z.unknown()).default({}),
}

export const getModel = endpoint({
  method: 'GET',
  path: '/api/v1/iot/model/:id',
  summary: '设备型号详情',
  needs: view,
  params: z.object({ id: ref('model') }),
  response: modelRow.extend({
    metrics: z.array(
      z.object({
        key: z.string(),
        label: z.string(),
        unit: z.string(),
        precision: z.number().nullable(),
        min: z.number().nullable(),
        max: z.number().nullable(),
        alias: z.string().nullable(),
      }),
    ),
    registers: z.array(register),
    alarmCodes: z.array(z.object({ code: z.string(), alarmKey: z.string(), label: z.string() })),
    params: z.record(z.string(), z.unknown()),
    photo: z.string().nullable(),
    docs: z.array(z.string()),
    remark: z.string().nullable(),
    versions: z.array(
      z.object({
        id: z.string(),
        modelVersion: z.number().int(),
        createTime: z.string(),
        byName: z.string().nullable(),
        devices: z.number().int(),
        /** Differences from the previous version. */
        diff: z.array(z.string()),
      }),
    ),
    dock: z.object({ state: z.string(), factoryId: z.string() }),
    changes,
  }),
})

const modelBody = z.object({
  brandId: ref('brand'),
  family: text(40, '设备类别').min(1, '请选择设备类别'),
  name: filled(100, '型号名称'),
  protocols: z.array(text(20)).max(10).default([]),
  ...modelContent,
  photo: text(500).nullish(),
  docs: files.default([]),
  remark: text(500, '备注').nullish(),
})

export const createModel = endpoint({
  method: 'POST',
  path: '/api/v1/iot/model',
  summary: '新增设备型号',
  needs: 'device-admin.library',
  acts: 'aside',
  groupTypes: [0],
  body: modelBody.extend({
    /** Creates the next version of this model instead of a new one. */
    versionOf: ref('model').optional(),
  }),
  response: z.object({ id: z.string(), modelVersion: z.number().int() }),
})

export const updateModel = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/model/:id',
  summary: '修改设备型号',
  needs: 'device-admin.library',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('model') }),
  body: modelBody.partial().extend({
    metrics: z.array(metricUse).max(100).optional(),
    registers: z.array(register).max(200).optional(),
    alarmCodes: z.array(alarmCode).max(200).optional(),
    params: z.record(z.string(), z.unknown()).optional(),
    protocols: z.array(text(20)).max(10).optional(),
    docs: files.optional(),
    version,
    enable: enable.optional(),
    /** Devices of other versions that should use this one; with `preview` nothing is changed. */
    applyTo: z.enum(['preview', 'all']).optional(),
  }),
  response: z.object({
    id: z.string(),
    applied: z
      .object({
        devices: z.number().int(),
        changes: z.array(z.object({ deviceName: z.string(), projectName: z.string(), from: z.string(), params: z.array(z.string()) })),
      })
      .optional(),
  }),
})

export const removeModel = endpoint({
  method: 'DELETE',
  path: '/api/v1/iot/model/:id',
  summary: '删除设备型号',
  needs: 'device-admin.library',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('model') }),
})

/** A model's list of points as a table, for the installing engineer. */
export const exportModelPoints = endpoint({
  method: 'GET',
  path: '/api/v1/iot/model/:id/points',
  summary: '导出型号点表',
  needs: view,
  answers: 'blob',
  params: z.object({ id: ref('model') }),
})
