import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, filled, flag, numericRange, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { signatureRow } from '../kit/signatures.ts'
import { machineFields, machineMoves, stayFields } from './moves.ts'

const path = '/api/v1/oa/process/spdevice'
const view = 'supervision.view'

export const machineRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  deviceType: z.string(),
  deviceTypeName: z.string(),
  name: z.string(),
  model: z.string(),
  recordNo: z.string().nullable(),
  useRegNo: z.string().nullable(),
  ownerCorp: z.string(),
  installName: z.string().nullable(),
  maintainCorp: z.string(),
  position: z.string(),
  inspectDate: z.string().nullable(),
  nextInspectDate: z.string().nullable(),
  /** Full years since manufacture. */
  ageYears: z.number().int(),
  /** Null: no limit. */
  ageLimit: z.number().int().nullable(),
  /** Null: none are named. */
  operatorsOk: z.boolean().nullable(),
  /** online, silent or none. */
  iotState: z.string(),
  usable: z.boolean(),
  reasons: z.array(z.string()),
  state: z.string(),
  stateName: z.string(),
  /** The authority has not confirmed the present stage. */
  waiting: z.boolean(),
  version: z.number().int(),
})
export type MachineRow = z.output<typeof machineRow>

const stray = z.object({ projectCode: z.string(), projectName: z.string(), devices: z.number().int(), names: z.string() })

export const listMachines = endpoint({
  method: 'GET',
  path,
  summary: '监督设备列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    /** The stage, by its state. */
    tab: z.enum(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']).optional(),
    deviceType: several.optional(),
    name: text(50).optional(),
    model: text(50).optional(),
    recordNo: text(50).optional(),
    useRegNo: text(50).optional(),
    ownerCorp: text(50).optional(),
    installName: text(50).optional(),
    maintainCorp: text(50).optional(),
    inspectDate: dayRange.optional(),
    nextInspectDate: dayRange.optional(),
    ageYears: numericRange.optional(),
    operatorsOk: flag.optional(),
    iotState: several.optional(),
    state: several.optional(),
    /** The authority has to confirm the stage. */
    waiting: flag.optional(),
    /** Its test ends within 30 days or has ended. */
    testDue: flag.optional(),
    /** Accepted more than 30 days ago and not registered. */
    unregistered: flag.optional(),
    overAge: flag.optional(),
    /** Something is against the law, or telemetry contradicts the register. */
    illegal: flag.optional(),
    sort: sortBy('illegal', 'nextInspectDate', 'ageYears', 'name'),
  }),
  response: paged(machineRow).extend({
    counts: z.object({
      used: z.number().int(),
      testDue: z.number().int(),
      unregistered: z.number().int(),
      overAge: z.number().int(),
      /** Machines by state. */
      states: z.record(z.string(), z.number().int()),
    }),
    strays: z.array(stray),
  }),
})

export const machineList = listOf(listMachines, {
  feature: 'spdevice',
  columns: {
    projectName: '项目',
    deviceType: '设备类型',
    name: '名称',
    model: '型号',
    recordNo: '产权备案编号',
    useRegNo: '使用登记编号',
    ownerCorp: '产权单位',
    installName: '安装单位',
    maintainCorp: '维保单位',
    inspectDate: '检测日期',
    nextInspectDate: '下次检验',
    ageYears: '使用年限',
    operatorsOk: '司机持证',
    iotState: '监测',
    state: '使用状态',
    usable: '判定',
  },
})

const person = z.object({
  workerId: z.string(),
  name: z.string(),
  certNo: z.string().nullable(),
  validEnd: z.string().nullable(),
  /** ok, soon (within 30 days) or bad. */
  state: z.string(),
})
export type MachinePerson = z.output<typeof person>

const stage = z.object({
  key: z.string(),
  title: z.string(),
  /** yyyy-MM-dd. */
  date: z.string().nullable(),
  unit: z.string().nullable(),
  person: z.string(),
  at: z.string(),
  files: z.array(z.string()),
  note: z.string().nullable(),
})
export type MachineStage = z.output<typeof stage>

const formerStay = z.object({
  projectName: z.string(),
  position: z.string(),
  from: z.string(),
  until: z.string().nullable(),
  useRegNo: z.string().nullable(),
})

export const machineDetail = machineRow.extend({
  machineId: z.string(),
  manufactureNo: z.string(),
  manufacturer: z.string(),
  manufactureDate: z.string(),
  ratedMoment: z.number().nullable(),
  hoistClass: z.string().nullable(),
  retireDate: z.string().nullable(),
  appraisedUntil: z.string().nullable(),
  appraisalFiles: z.array(z.string()),
  useCorp: z.string(),
  useName: z.string(),
  installCorp: z.string().nullable(),
  installDate: z.string().nullable(),
  maxHeight: z.number().nullable(),
  /** Null: no installing company is named. */
  licensed: z.boolean().nullable(),
  inspectOrg: z.string().nullable(),
  inspectReport: z.array(z.string()),
  acceptDate: z.string().nullable(),
  useRegDate: z.string().nullable(),
  suspendReason: z.string().nullable(),
  dismantleName: z.string().nullable(),
  operators: z.array(person),
  installers: z.array(person),
  deviceId: z.string().nullable(),
  deviceName: z.string().nullable(),
  liveLink: z.string().nullable(),
  /** Epoch milliseconds of the last reading. */
  lastAt: z.number().nullable(),
  alarms: z.array(z.object({ label: z.string(), at: z.string(), active: z.boolean() })),
  notices: z.array(
    z.object({ id: z.string(), code: z.string(), deadline: z.string(), stateName: z.string(), open: z.boolean(), link: z.string() }),
  ),
  stages: z.array(stage),
  /** Sites where it stood before, as far as the caller may know: the history follows the record number. */
  former: z.array(formerStay),
  timeline: z.array(logLine),
  signatures: z.array(signatureRow),
  actions: z.array(allowedAction),
  blocked: z.array(z.object({ action: z.string(), label: z.string(), missing: z.array(z.string()) })),
})
export type MachineDetail = z.output<typeof machineDetail>

export const getMachine = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '监督设备详情',
  needs: view,
  params: z.object({ id: ref('spdevice') }),
  query: ofProject,
  response: machineDetail,
})

export const machineChoices = endpoint({
  method: 'GET',
  path: `${path}/choices`,
  summary: '起重机械可选的单位、持证人员和监测设备',
  needs: machineMoves.save.needs,
  answers: 'object',
  query: ofProject,
  response: z.object({
    corps: z.array(z.object({ code: z.string(), name: z.string(), licensed: z.boolean() })),
    operators: z.array(person),
    installers: z.array(person),
    devices: z.array(z.object({ id: z.string(), name: z.string() })),
  }),
})

/** One machine by its record number, whatever the site: what the next site takes over. */
export const findMachine = endpoint({
  method: 'GET',
  path: `${path}/byRecord`,
  summary: '按产权备案编号查找机械',
  needs: machineMoves.save.needs,
  answers: 'object',
  query: z.object({ ...ofProject.shape, recordNo: filled(50, '产权备案编号') }),
  response: z.object({
    /** Null: no such record. */
    machine: z
      .object({
        deviceType: z.string(),
        name: z.string(),
        model: z.string(),
        manufacturer: z.string(),
        manufactureDate: z.string(),
        ownerCorp: z.string(),
      })
      .nullable(),
    /** It stands on a site and has not been dismantled. */
    busy: z.boolean(),
  }),
})

/** A new machine, or with `recordNo` one that has been dismantled elsewhere. */
export const createMachine = endpoint({
  method: 'POST',
  path,
  summary: '新增监督设备',
  needs: machineMoves.save.needs,
  acts: 'own',
  query: ofProject,
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('new'), ...machineFields, ...stayFields }),
    z.object({ action: z.literal('move'), recordNo: filled(50, '产权备案编号'), ...stayFields }),
  ]),
  response: z.object({ id: z.string() }),
})

export const changeMachine = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理监督设备',
  description: '按 action 办理；version 为读取时的版本。是否可使用由日期、证书、资质和状态算出，不能填写。',
  needs: codesOfMoves(machineMoves),
  acts: 'own',
  actions: rightsOfMoves(machineMoves),
  params: z.object({ id: ref('spdevice') }),
  query: ofProject,
  body: moveBody(machineMoves, {}),
})
