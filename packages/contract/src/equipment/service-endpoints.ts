import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, flag, numericRange, paged, pageQuery, ref, serialText, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'

/** Maintenance of a device: due dates and repairs. */
const dueKind = z.enum(['service', 'sim', 'calibration', 'fallArrester', 'inspection', 'lifetime'], { error: '到期类型不正确' })
const files = z.array(text(500, '文件地址')).max(20, '最多 20 个文件')

export const dueRow = z.object({
  id: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  family: z.string(),
  familyName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  ownerCorp: z.string().nullable(),
  kind: z.string(),
  dueDate: z.string(),
  daysLeft: z.number().int(),
  owner: z.string().nullable(),
  providerId: z.string().nullable(),
  providerName: z.string().nullable(),
  noticeState: z.string(),
  noticedAt: z.string().nullable(),
  noticedTo: z.string().nullable(),
  handledAt: z.string().nullable(),
  handledBy: z.string().nullable(),
  files: z.array(z.string()),
  remark: z.string().nullable(),
  /** A document is required before it may be dismissed. */
  needsPaper: z.boolean(),
  version: z.number().int(),
})
export type DueRow = z.infer<typeof dueRow>
export const dueFilters = z.object({
  projectCode: ref('project').or(z.literal('*')).optional(),
  deviceId: ref('device').optional(),
  kind: several.optional(),
  deviceName: text(100).optional(),
  projectName: text(100).optional(),
  dueDate: dayRange.optional(),
  daysLeft: numericRange.optional(),
  noticeState: several.optional(),
  providerId: ref('factory').optional(),
  /** Includes completed ones. */
  all: flag.optional(),
})
export const listDues = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/due',
  summary: '设备到期列表',
  needs: 'device-admin.view',
  answers: 'list',
  query: pageQuery.extend({
    ...dueFilters.shape,
    sort: sortBy('daysLeft', 'dueDate', 'deviceName', 'projectName', 'kind', 'noticeState'),
  }),
  response: paged(dueRow).extend({
    counts: z.object({ overdue: z.number().int(), week: z.number().int(), month: z.number().int(), handled: z.number().int() }),
  }),
})
export const dueList = listOf(listDues, {
  feature: 'deviceDue',
  columns: {
    kind: '到期类型',
    deviceName: '设备',
    projectName: '项目',
    dueDate: '到期日',
    daysLeft: '剩余天数',
    owner: '责任人',
    noticeState: '通知',
    providerName: '供应商',
  },
})
export const createDue = endpoint({
  method: 'POST',
  path: '/api/v1/iot/device/:id/due',
  summary: '新增设备到期事项',
  needs: 'device-admin.edit',
  acts: 'machine',
  params: z.object({ id: ref('device') }),
  body: z.object({ kind: dueKind, dueDate: day, owner: text(50, '责任人').nullish(), remark: text(200, '备注').nullish() }),
  response: z.object({ id: z.string() }),
})
/** Renews a due date, notifies the owner of the device, or both. */
export const updateDue = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/device/:id/due/:dueId',
  summary: '处理设备到期事项',
  needs: 'device-admin.edit',
  acts: 'machine',
  params: z.object({ id: ref('device'), dueId: ref('due') }),
  body: z.object({
    version: z.coerce.number().int().optional(),
    renew: z.object({ dueDate: day, files: files.default([]) }).optional(),
    noticedTo: text(50, '通知对象').optional(),
    owner: text(50, '责任人').nullish(),
    remark: text(200, '备注').nullish(),
    /** Dismisses it without a new date. */
    dismiss: flag.optional(),
  }),
})
export const renewDues = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/device/due/batch',
  summary: '批量续期',
  needs: 'device-admin.edit',
  acts: 'machine',
  body: z.object({
    items: z
      .array(z.object({ deviceId: ref('device'), dueId: ref('due') }))
      .min(1, '请选择到期事项')
      .max(200, '一次最多 200 条'),
    dueDate: day,
    files: files.default([]),
  }),
})
export const getDueSetting = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/due/setting',
  summary: '到期提醒设置',
  needs: 'device-admin.view',
  response: z.object({ days: z.array(z.number().int()), receivers: z.array(z.string()) }),
})
export const saveDueSetting = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/device/due/setting',
  summary: '修改到期提醒设置',
  needs: 'device-admin.edit',
  acts: 'aside',
  body: z.object({
    days: z.array(z.coerce.number().int().min(0).max(365)).min(1, '请至少填写一个提前天数').max(6),
    receivers: z.array(text(50, '接收人').min(1)).max(20),
  }),
})

const repair = z.object({
  id: z.string(),
  deviceId: z.string(),
  deviceName: z.string(),
  providerName: z.string().nullable(),
  at: z.string(),
  byName: z.string(),
  fault: z.string(),
  doneAt: z.string().nullable(),
  doneBy: z.string().nullable(),
  measure: z.string().nullable(),
  hours: z.number(),
  score: z.number().nullable(),
  comment: z.string().nullable(),
})
export const listRepairs = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/:id/repair',
  summary: '设备报修记录',
  needs: 'device-admin.view',
  answers: 'list',
  params: z.object({ id: ref('device') }),
  query: pageQuery,
  response: paged(repair),
})
export const createRepair = endpoint({
  method: 'POST',
  path: '/api/v1/iot/device/:id/repair',
  summary: '设备报修',
  needs: ['device-admin.edit', 'device-admin.create'],
  acts: 'machine',
  params: z.object({ id: ref('device') }),
  body: z.object({ fault: filled(300, '故障现象') }),
  response: z.object({ id: z.string() }),
})
export const closeRepair = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/device/:id/repair/:repairId',
  summary: '完成报修并评价',
  needs: ['device-admin.edit', 'device-admin.create'],
  acts: 'machine',
  params: z.object({ id: ref('device'), repairId: ref('repair') }),
  body: z.object({
    measure: filled(300, '处理结果'),
    score: z.coerce.number().int().min(1, '评分应为 1～5').max(5, '评分应为 1～5').optional(),
    comment: text(200, '评价').optional(),
  }),
})

/** A workbook to fill in, with its drop-down lists. */
export const importTemplate = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/import/template',
  summary: '设备导入模板',
  needs: 'device-admin.import',
  answers: 'blob',
})
/** Imports a filled-in workbook: `mode=check` returns the errors per cell, `mode=save` registers the valid rows. */
export const importDevices = endpoint({
  method: 'POST',
  path: '/api/v1/iot/device/import',
  summary: '导入设备',
  needs: 'device-admin.import',
  acts: 'machine',
  multipart: true,
  perMinute: 30,
  response: z.object({
    saved: z.number().int(),
    rows: z.array(
      z.object({
        row: z.number().int(),
        ok: z.boolean(),
        values: z.record(z.string(), z.string()),
        errors: z.array(z.object({ column: z.string(), text: z.string() })),
      }),
    ),
  }),
})
export const exportDevices = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/export',
  summary: '导出设备表格',
  needs: 'device-admin.export',
  answers: 'blob',
  query: z.object({
    projectCode: ref('project').or(z.literal('*')).optional(),
    name: text(100).optional(),
    deviceSn: serialText().optional(),
    family: several.optional(),
    category: several.optional(),
    status: several.optional(),
    online: flag.optional(),
  }),
})
