import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, flag, numericRange, paged, pageQuery, phoneText, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { area } from '../settings/dict-field.ts'
import { enable, familyKeys, files, version, view } from './library-fields.ts'
import { changes, quality } from './quality.ts'

export const factoryRow = z.object({
  id: z.string(),
  name: z.string(),
  corpCode: z.string().nullable(),
  roles: z.array(z.string()),
  families: z.array(z.string()),
  familyNames: z.array(z.string()),
  contact: z.string().nullable(),
  contactPhone: z.string().nullable(),
  salesContact: z.string().nullable(),
  salesPhone: z.string().nullable(),
  serviceHours: z.string().nullable(),
  areaCodes: z.array(z.string()),
  areaNames: z.array(z.string()),
  serviceUntil: z.string().nullable(),
  dockState: z.string(),
  brands: z.number().int(),
  models: z.number().int(),
  devices: z.number().int(),
  online: z.number().int(),
  projects: z.number().int(),
  openTickets: z.number().int(),
  overdueRepairs: z.number().int(),
  repairHours: z.number().nullable(),
  repairScore: z.number().nullable(),
  enable: z.string(),
  remark: z.string().nullable(),
  createTime: z.string(),
  updateTime: z.string(),
  version: z.number().int(),
  quality: quality.optional(),
})

export type FactoryRow = z.infer<typeof factoryRow>

export const factoryFilters = z.object({
  /** Default: manufacturers only. */
  kind: z.enum(['maker', 'provider', 'all']).default('maker'),
  name: text(100).optional(),
  corpCode: pointsTo('corporation', text(30)).optional(),
  families: several.optional(),
  roles: several.optional(),
  dockState: several.optional(),
  enable: several.optional(),
  areaCode: several.optional(),
  devices: numericRange.optional(),
  serviceUntil: dayRange.optional(),
  updateTime: dayRange.optional(),
})

export const listFactories = endpoint({
  method: 'GET',
  path: '/api/v1/iot/factory',
  summary: '设备厂商列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...factoryFilters.shape,
    with: several.optional(),
    sort: sortBy('name', 'devices', 'projects', 'serviceUntil', 'repairHours', 'overdueRepairs', 'openTickets', 'updateTime', 'dockState'),
  }),
  response: paged(factoryRow).extend({
    counts: z.object({
      all: z.number().int(),
      passed: z.number().int(),
      lapsed: z.number().int(),
      expiring: z.number().int(),
      slow: z.number().int(),
      openTickets: z.number().int(),
    }),
  }),
})

/** Manufacturers as the operator maintains them. */
export const factoryList = listOf(listFactories, {
  columns: {
    name: '厂商',
    corpCode: '统一社会信用代码',
    brands: '品牌',
    models: '型号',
    devices: '设备',
    families: '设备类别',
    contact: '技术联系人',
    enable: '启用',
    updateTime: '更新时间',
  },
})

/** Manufacturers with their quality figures. */
export const makerList = listOf(listFactories, {
  columns: {
    name: '厂商',
    families: '设备类别',
    dockState: '对接测试',
    devices: '设备',
    areaCode: '覆盖区域',
    onlinePercent: '在线率',
    contact: '技术联系人',
    serviceHours: '服务时间',
    openTickets: '未结报修',
  },
})

/** Companies that rent out, install and service. */
export const providerList = listOf(listFactories, {
  columns: {
    name: '供应商',
    corpCode: '统一社会信用代码',
    roles: '角色',
    projects: '项目',
    devices: '设备',
    serviceUntil: '服务到期',
    repairHours: '平均修复',
    overdueRepairs: '超时报修',
    repairScore: '评价',
    contact: '联系人',
  },
})

export const dockCheck = z.object({ key: z.string(), label: z.string(), state: z.enum(['ok', 'bad', 'waiting']), text: z.string() })

const dockTest = z.object({
  id: z.string(),
  protocol: z.string(),
  deviceId: z.string().nullable(),
  deviceName: z.string().nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  state: z.string(),
  reason: z.string().nullable(),
  byName: z.string(),
  /** Results observed in the 24 hours after the start. */
  checks: z.array(dockCheck),
})

export const getFactory = endpoint({
  method: 'GET',
  path: '/api/v1/iot/factory/:id',
  summary: '设备厂商详情',
  needs: view,
  params: z.object({ id: ref('factory') }),
  response: factoryRow.extend({
    files: z.array(z.string()),
    dockTests: z.array(dockTest),
    byProject: z.array(z.object({ projectName: z.string(), devices: z.number().int(), online: z.number().int() })),
    repairs: z.array(
      z.object({
        id: z.string(),
        deviceName: z.string(),
        projectName: z.string(),
        at: z.string(),
        fault: z.string(),
        doneAt: z.string().nullable(),
        hours: z.number(),
        score: z.number().nullable(),
        comment: z.string().nullable(),
      }),
    ),
    changes,
  }),
})

const phone = phoneText('电话', 30).nullish()

const factoryBody = z.object({
  name: filled(100, '名称'),
  corpCode: z.string().trim().max(18, '统一社会信用代码应为 18 位').nullish(),
  roles: z
    .array(z.enum(['maker', 'sale', 'rent', 'install', 'maintain'], { error: '角色不正确' }))
    .min(1, '请至少选择一个角色')
    .default(['maker']),
  families: familyKeys.default([]),
  contact: text(50, '技术联系人').nullish(),
  contactPhone: phone,
  salesContact: text(50, '商务联系人').nullish(),
  salesPhone: phone,
  serviceHours: text(100, '服务时间').nullish(),
  areaCodes: z.array(area('覆盖区域')).max(200).default([]),
  serviceUntil: day.nullish(),
  files: files.default([]),
  remark: text(500, '备注').nullish(),
})

export const createFactory = endpoint({
  method: 'POST',
  path: '/api/v1/iot/factory',
  summary: '新增设备厂商',
  needs: 'device-admin.library',
  acts: 'aside',
  groupTypes: [0],
  body: factoryBody,
  response: z.object({ id: z.string() }),
})

export const updateFactory = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/factory/:id',
  summary: '修改设备厂商',
  needs: 'device-admin.library',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('factory') }),
  // Defaults would clear fields that the caller omits.
  body: factoryBody.partial().extend({
    roles: factoryBody.shape.roles.unwrap().optional(),
    families: familyKeys.optional(),
    areaCodes: factoryBody.shape.areaCodes.unwrap().optional(),
    files: files.optional(),
    version,
    enable: enable.optional(),
    /** A docking test: started on one of the manufacturer's devices, evaluated later. */
    dock: z
      .object({
        action: z.enum(['start', 'pass', 'lapse'], { error: '对接测试动作不正确' }),
        deviceId: ref('device').optional(),
        protocol: text(20).optional(),
        reason: text(200, '原因').optional(),
      })
      .optional(),
    /** Devices that this provider services from now on. */
    bindDevices: z.array(ref('device')).max(500).optional(),
  }),
  response: z.object({ id: z.string() }),
})

export const removeFactory = endpoint({
  method: 'DELETE',
  path: '/api/v1/iot/factory/:id',
  summary: '删除设备厂商',
  needs: 'device-admin.library',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('factory') }),
})

export const brandRow = z.object({
  id: z.string(),
  factoryId: z.string(),
  factoryName: z.string(),
  name: z.string(),
  alias: z.array(z.string()),
  logo: z.string().nullable(),
  families: z.array(z.string()),
  familyNames: z.array(z.string()),
  models: z.number().int(),
  devices: z.number().int(),
  enable: z.string(),
  mergedInto: z.string().nullable(),
  mergedIntoName: z.string().nullable(),
  remark: z.string().nullable(),
  updateTime: z.string(),
  version: z.number().int(),
  quality: quality.optional(),
})

export type BrandRow = z.infer<typeof brandRow>

const brandFilters = z.object({
  name: text(100).optional(),
  alias: text(100).optional(),
  factoryId: ref('factory').optional(),
  families: several.optional(),
  enable: several.optional(),
  merged: flag.optional(),
})

export const listBrands = endpoint({
  method: 'GET',
  path: '/api/v1/iot/brand',
  summary: '设备品牌列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...brandFilters.shape,
    with: several.optional(),
    sort: sortBy('name', 'factoryName', 'devices', 'updateTime', 'enable'),
  }),
  response: paged(brandRow).extend({
    /** Brands that appear to be the same; with `with=quality`. */
    duplicates: z.array(
      z.object({
        why: z.string(),
        brands: z.array(z.object({ id: z.string(), name: z.string(), factoryName: z.string(), devices: z.number().int() })),
      }),
    ),
    merges: z.array(
      z.object({ id: z.string(), intoId: z.string(), intoName: z.string(), names: z.string(), at: z.string(), devices: z.number().int() }),
    ),
  }),
})

/** Brands, with their quality in the field (`with=quality`). */
export const brandList = listOf(listBrands, {
  feature: 'equipmentBrand',
  columns: {
    name: '品牌',
    alias: '别名',
    factoryName: '厂商',
    families: '设备类别',
    models: '型号',
    devices: '设备',
    online: '在线率',
    valid: '数据有效率',
    fault: '百台月故障',
    false: '误报率',
    sites: '项目数',
    enable: '启用',
    updateTime: '更新时间',
  },
})

export const getBrand = endpoint({
  method: 'GET',
  path: '/api/v1/iot/brand/:id',
  summary: '设备品牌详情',
  needs: view,
  params: z.object({ id: ref('brand') }),
  response: brandRow.extend({
    months: z.array(z.object({ month: z.string(), onlinePercent: z.number().nullable(), validPercent: z.number().nullable() })),
    byProject: z.array(z.object({ projectName: z.string(), devices: z.number().int(), online: z.number().int() })),
    changes,
  }),
})

const brandBody = z.object({
  factoryId: ref('factory'),
  name: filled(50, '品牌名称'),
  alias: z.array(text(50, '别名').min(1)).max(20, '最多 20 个别名').default([]),
  logo: text(500).nullish(),
  families: familyKeys.default([]),
  remark: text(500, '备注').nullish(),
})

export const createBrand = endpoint({
  method: 'POST',
  path: '/api/v1/iot/brand',
  summary: '新增设备品牌',
  needs: 'device-admin.library',
  acts: 'aside',
  groupTypes: [0],
  body: brandBody,
  response: z.object({ id: z.string() }),
})

export const updateBrand = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/brand/:id',
  summary: '修改设备品牌',
  needs: 'device-admin.library',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('brand') }),
  body: brandBody.partial().extend({
    alias: brandBody.shape.alias.unwrap().optional(),
    families: familyKeys.optional(),
    version,
    enable: enable.optional(),
    /** Brands whose models and devices move to this one; can be undone for seven days. */
    mergeFrom: z.array(ref('brand')).min(1).max(20).optional(),
    undoMerge: text(64).optional(),
  }),
  response: z.object({ id: z.string(), mergeId: z.string().optional() }),
})

export const removeBrand = endpoint({
  method: 'DELETE',
  path: '/api/v1/iot/brand/:id',
  summary: '删除设备品牌',
  needs: 'device-admin.library',
  acts: 'aside',
  groupTypes: [0],
  params: z.object({ id: ref('brand') }),
})
