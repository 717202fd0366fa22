import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, flag, nullable, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, logLine, type Move } from '../kit/process.ts'
import { driverTypes } from './rules.ts'

const path = '/api/v1/driver'
const view = 'safety-management.view'
const mostDevices = 20

/** Dictionary auditStatus: 待审核, 已通过, 已驳回. */
export type DriverState = '0' | '1' | '2'
export const passedDriver: DriverState = '1'
export const rejectedDriver: DriverState = '2'
export const driverStates: Readonly<Record<DriverState, string>> = { 0: '待审核', 1: '已通过', 2: '已驳回' }

/** What is written; name, identity and licence come from the person's file. */
const driverFields = {
  workerId: pointsTo('worker', z.string({ error: '请选择人员' }).trim().min(1, '请选择人员').max(64, '编号过长')),
  driverType: z.enum(Object.keys(driverTypes) as [string, ...string[]], { error: '请选择人员类型' }),
  certId: pointsTo('certificate', z.string({ error: '请选择证书' }).trim().min(1, '请选择证书').max(64, '编号过长')),
  deviceIds: z.array(ref('device')).min(1, '请选择可操作设备').max(mostDevices, `可操作设备最多 ${mostDevices} 台`),
}
const edits = { needs: 'safety-management.driverEdit', acts: 'site', turn: 'site' } as const
const audits = { needs: 'safety-management.driverAudit', acts: 'review', turn: 'auditor' } as const
const opinion = { auditRemark: nullable(text(200, '审核意见')) }
export const driverMoves = {
  change: { ...edits, label: '修改', from: ['0', '1', '2'], to: '0', asks: driverFields },
  pass: { ...audits, label: '通过', from: ['0'], to: '1', asks: opinion },
  reject: { ...audits, label: '驳回', from: ['0'], to: '2', asks: opinion },
  send: { ...edits, label: '重新下发', from: ['1'], to: null, asks: {} },
} as const satisfies Record<string, Move<DriverState>>

/** `waiting`: to be sent; `sent`; `failed`; `none`: never sent, because there is no consent to use the face. */
export const sendStates = { none: '未下发', waiting: '等待上线', sent: '已下发', failed: '失败', leaving: '撤回中' } as const
const machine = z.object({
  deviceId: z.string(),
  name: z.string(),
  family: z.string(),
  send: z.enum(['none', 'waiting', 'sent', 'failed', 'leaving']),
  sendText: z.string(),
})

export const driverRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  corpCode: z.string(),
  corpName: z.string(),
  workerId: z.string(),
  name: z.string(),
  /** Masked. */
  idCardNumber: z.string(),
  phone: z.string().nullable(),
  photo: z.string().nullable(),
  driverType: z.string(),
  driverTypeName: z.string(),
  certNo: z.string(),
  certType: z.string(),
  certTypeName: z.string(),
  certValidEnd: z.string(),
  /** Days until the licence ends; negative when it has ended. */
  daysLeft: z.number().int(),
  devices: z.array(machine),
  lastRecognised: z.string().nullable(),
  auditStatus: z.string(),
  auditStatusName: z.string(),
  auditRemark: z.string().nullable(),
  version: z.number().int(),
})
export type DriverRow = z.output<typeof driverRow>

export const listDrivers = endpoint({
  method: 'GET',
  path,
  summary: '司机列表',
  needs: [view, 'supervision.view'],
  answers: 'list',
  query: pageQuery.extend({
    projectCode: pointsTo('project', text(64)).optional(),
    name: text(50).optional(),
    certNo: text(50).optional(),
    driverType: several.optional(),
    certType: several.optional(),
    certValidEnd: dayRange.optional(),
    auditStatus: several.optional(),
    /** Passed, with a licence that ends within 30 days. */
    ending: flag.optional(),
    deviceId: pointsTo('device', text(64)).optional(),
    sort: sortBy('auditStatus', 'certValidEnd', 'name'),
  }),
  response: paged(driverRow).extend({
    counts: z.object({
      passed: z.number().int(),
      waiting: z.number().int(),
      ending: z.number().int(),
      /** Machines that work without a valid driver. */
      bare: z.number().int(),
    }),
  }),
})

export const driverList = listOf(listDrivers, {
  feature: 'driver',
  onScreen: ['photo'],
  columns: {
    photo: '照片',
    name: '姓名',
    projectName: '项目',
    idCardNumber: '证件号',
    driverType: '人员类型',
    certNo: '操作证号',
    certType: '作业类别',
    certValidEnd: '证书有效期',
    devices: '可操作设备',
    lastRecognised: '最近识别',
    auditStatus: '审核状态',
  },
})

/** Machines with their drivers and what is missing. */
export const driverDevices = endpoint({
  method: 'GET',
  path: `${path}/devices`,
  summary: '设备的司机',
  needs: [view, 'supervision.view'],
  answers: 'list',
  query: pageQuery.extend({
    projectCode: pointsTo('project', text(64)).optional(),
    name: text(50).optional(),
    bare: flag.optional(),
    sort: sortBy('name', 'projectName'),
  }),
  response: paged(
    z.object({
      deviceId: z.string(),
      name: z.string(),
      family: z.string(),
      projectCode: z.string(),
      projectName: z.string(),
      drivers: z.array(
        z.object({ id: z.string(), name: z.string(), driverTypeName: z.string(), certValidEnd: z.string(), valid: z.boolean() }),
      ),
      /** Null: somebody may drive it. */
      gap: z.string().nullable(),
    }),
  ),
})
export const driverDeviceList = listOf(driverDevices, {
  columns: { name: '设备', projectName: '项目', drivers: '司机', gap: '缺口' },
})

/** Workers with their licences, and machines of a site, for the form. */
export const driverSetup = endpoint({
  method: 'GET',
  path: `${path}/setup`,
  summary: '司机登记可选人员与设备',
  needs: 'safety-management.driverEdit',
  answers: 'object',
  query: z.object({ projectCode: pointsTo('project', text(64)) }),
  response: z.object({
    workers: z.array(
      z.object({
        workerId: z.string(),
        name: z.string(),
        idCardNumber: z.string(),
        teamName: z.string().nullable(),
        faceConsent: z.boolean(),
        certs: z.array(
          z.object({
            id: z.string(),
            certNo: z.string(),
            certType: z.string(),
            certTypeName: z.string(),
            validEnd: z.string(),
            ended: z.boolean(),
          }),
        ),
      }),
    ),
    devices: z.array(z.object({ id: z.string(), name: z.string(), family: z.string() })),
  }),
})

const id = z.object({ id: ref('machineDriver') })
const driverDetail = driverRow.extend({
  certFiles: z.array(z.string()),
  checks: z.array(z.object({ key: z.string(), label: z.string(), ok: z.boolean(), text: z.string() })),
  /** Lifting cycles and runs of the last 14 days, by day and machine. */
  days: z.array(z.object({ day: z.string(), deviceId: z.string(), deviceName: z.string(), cycles: z.number().int() })),
  /** Alarms of the machines while this person drove: facts of the machine. */
  alarms: z.array(z.object({ id: z.string(), at: z.string(), deviceName: z.string(), label: z.string(), level: z.number().int() })),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
})
export type DriverDetail = z.output<typeof driverDetail>

export const getDriver = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '司机详情',
  needs: view,
  params: id,
  response: driverDetail,
})

const made = z.object({ id: z.string(), version: z.number().int() })

export const createDriver = endpoint({
  method: 'POST',
  path,
  summary: '新增司机',
  needs: driverMoves.change.needs,
  // The site registers; authorities read.
  groupTypes: [2, 3],
  body: z.object({ projectCode: ref('project'), ...driverFields }),
  response: made,
})

export const changeDriver = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改司机',
  needs: driverMoves.change.needs,
  groupTypes: [2, 3],
  params: id,
  body: z.object({ version: z.number().int(), ...driverFields }),
  response: made,
})

export const auditDriver = endpoint({
  method: 'PUT',
  path: `${path}/audit/:id`,
  summary: '审核司机',
  description: 'auditStatus：1 通过，2 驳回；驳回须填 auditRemark。',
  needs: driverMoves.pass.needs,
  acts: 'review',
  groupTypes: [2, 3],
  params: id,
  body: z.object({ auditStatus: z.enum(['1', '2'], { error: '请选择审核结论' }), version: z.number().int().optional(), ...opinion }),
  response: made,
})

export const sendDriver = endpoint({
  method: 'PUT',
  path: `${path}/send/:id`,
  summary: '重新下发司机',
  needs: driverMoves.send.needs,
  groupTypes: [2, 3],
  params: id,
  response: made,
})

export const removeDriver = endpoint({
  method: 'DELETE',
  path,
  summary: '删除司机',
  needs: driverMoves.change.needs,
  groupTypes: [2, 3],
  query: id,
})
