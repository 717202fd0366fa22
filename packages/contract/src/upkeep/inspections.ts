import { z } from 'zod'
import { checkProblem, problemInputs } from '../checks/problems.ts'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, filled, flag, instant, nullable, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { codesOfSeats, drawnImage, type SeatRight, signatureCall, signatureRow } from '../kit/signatures.ts'
import { itemResults } from '../scoring/score.ts'
import { dict } from '../settings/dict-field.ts'
import { maintenanceRow } from './maintenance-row.ts'
import { telemetry } from './telemetry.ts'

const path = '/api/v1/special/inspection'
export const upkeepViews = ['inspection.view', 'device-admin.view'] as const
export const inspectCode = 'inspection.deviceInspect'

/** Conclusions of a check (dictionary deviceInspectResult). */
export const results = { fit: '1', repair: '2', stop: '3', scrap: '4' } as const

const mostPhotos = 9
const mostReports = 10
const mostCheckers = 10
const mostItems = 60
const photos = z.array(text(400, '照片')).max(mostPhotos, `照片最多 ${mostPhotos} 张`).default([])

export const inspectionRow = z.object({
  id: z.string(),
  code: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  machineId: z.string(),
  machineName: z.string(),
  deviceType: z.string(),
  deviceTypeName: z.string(),
  type: z.string(),
  typeName: z.string(),
  checkDate: z.string(),
  checkOrg: z.string(),
  checkers: z.array(z.string()),
  result: z.string(),
  resultName: z.string(),
  /** Names of the items that failed. */
  failItems: z.array(z.string()),
  problemCount: z.number().int(),
  nextDate: z.string().nullable(),
  deadline: z.string().nullable(),
  overdueDays: z.number().int(),
  /** The machine stands still because of this check. */
  stopped: z.boolean(),
  state: z.string(),
  stateName: z.string(),
})
export type InspectionRow = z.output<typeof inspectionRow>

const checkedItem = z.object({
  code: z.string(),
  group: z.string(),
  name: z.string(),
  result: z.string(),
  note: z.string().nullable(),
  photos: z.array(z.string()),
  /** What the check of the same kind before this one said; null: not looked at. */
  before: z.string().nullable(),
})

export const inspectionDetail = inspectionRow.extend({
  position: z.string(),
  model: z.string(),
  recordNo: z.string().nullable(),
  /** State of the machine now (dictionary deviceLifecycle). */
  machineState: z.string(),
  machineStateName: z.string(),
  scrapped: z.boolean(),
  items: z.array(checkedItem),
  previous: z.object({ id: z.string(), checkDate: z.string(), resultName: z.string() }).nullable(),
  remark: z.string().nullable(),
  photos: z.array(z.string()),
  /** What contradicts each photograph; null: nothing. */
  photoNotes: z.array(z.string().nullable()),
  reports: z.array(z.string()),
  problems: z.array(checkProblem),
  notices: z.array(
    z.object({
      id: z.string(),
      code: z.string().nullable(),
      corpName: z.string(),
      state: z.string(),
      stateName: z.string(),
      deadline: z.string(),
    }),
  ),
  suspendedAt: z.string().nullable(),
  releasedAt: z.string().nullable(),
  /** Full days for which the machine stood, until now or until it was released. */
  stoppedDays: z.number().int().nullable(),
  /** What telemetry says of the machine since the check; null: nothing watches it. */
  telemetry: telemetry.nullable(),
  /** Repairs written from the replies to its notices. */
  repairs: z.array(maintenanceRow),
  signatures: z.array(signatureRow),
})
export type InspectionDetail = z.output<typeof inspectionDetail>

export const listMachineChecks = endpoint({
  method: 'GET',
  path,
  summary: '设备检查列表',
  needs: upkeepViews,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    tab: z.enum(['open', 'own']).optional(),
    machineId: pointsTo('spdevice', text(64)).optional(),
    machineName: text(50).optional(),
    deviceType: several.optional(),
    type: several.optional(),
    checkDate: dayRange.optional(),
    checkOrg: text(50).optional(),
    checkers: text(50).optional(),
    result: several.optional(),
    failItems: text(50).optional(),
    nextDate: dayRange.optional(),
    state: several.optional(),
    today: flag.optional(),
    /** The machine stands still because of it. */
    stopped: flag.optional(),
    sort: sortBy('checkDate', 'nextDate', 'deadline'),
  }),
  response: paged(inspectionRow).extend({
    counts: z.object({ today: z.number().int(), open: z.number().int(), stopped: z.number().int() }),
  }),
})

export const machineCheckList = listOf(listMachineChecks, {
  feature: 'deviceInspect',
  columns: {
    code: '编号',
    projectName: '项目',
    machineName: '设备',
    deviceType: '设备类型',
    type: '检查类型',
    checkDate: '检查日期',
    checkOrg: '检查单位',
    checkers: '检查人',
    result: '结论',
    failItems: '不合格项',
    nextDate: '下次检查',
    deadline: '整改期限',
    state: '状态',
  },
})

const cell = z.object({
  type: z.string(),
  /** yyyy-MM-dd of the last check of this kind. */
  last: z.string().nullable(),
  lastId: z.string().nullable(),
  result: z.string().nullable(),
  due: z.string().nullable(),
  late: z.boolean(),
})
export const boardRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  name: z.string(),
  model: z.string(),
  deviceType: z.string(),
  deviceTypeName: z.string(),
  position: z.string(),
  useCorp: z.string(),
  maintainCorp: z.string(),
  state: z.string(),
  stateName: z.string(),
  scrapped: z.boolean(),
  /** It has worked today by telemetry. */
  working: z.boolean(),
  cells: z.array(cell),
  late: z.boolean(),
  maintained: z.string().nullable(),
  maintainDue: z.string().nullable(),
  maintainLate: z.boolean(),
  maintainLateDays: z.number().int(),
})
export type BoardRow = z.output<typeof boardRow>

/** Machines in use or suspended: the last check of every kind and the next. */
export const machineBoard = endpoint({
  method: 'GET',
  path: `${path}/board`,
  summary: '设备检查看板',
  needs: upkeepViews,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    /** A check is late. */
    late: flag.optional(),
    /** Maintenance is late. */
    maintainLate: flag.optional(),
  }),
  response: paged(boardRow).extend({
    counts: z.object({
      used: z.number().int(),
      late: z.number().int(),
      /** In use, checked today before the shift or by a daily check. */
      checkedToday: z.number().int(),
      maintainLate: z.number().int(),
    }),
  }),
})

const id = z.object({ id: ref('siteCheck') })

export const getMachineCheck = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '设备检查详情',
  needs: upkeepViews,
  params: id,
  query: ofProject,
  response: inspectionDetail,
})

/** What is given for every item; the ones that are left out were not looked at. */
const itemInput = z.object({
  code: filled(20, '检查项'),
  result: z.enum([itemResults.right, itemResults.wrong, itemResults.notApplicable], { error: '请选择检查结果' }),
  note: nullable(text(200, '说明')),
  photos,
})

/** Submits a check. The device names the id, so that a repeated request creates nothing more. */
export const createMachineCheck = endpoint({
  method: 'POST',
  path,
  summary: '新增设备检查',
  description: '提交即生效；停用整改、报废在同一事务中停用设备。没有修改：更正请再登记一次检查。',
  needs: inspectCode,
  acts: 'review',
  query: ofProject,
  body: z.object({
    id: pointsTo('siteCheck', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    machineId: ref('spdevice'),
    type: dict('deviceInspectType', '检查类型'),
    /** Null: now. */
    checkDate: nullable(instant),
    /** Null: the caller's institution. */
    checkOrg: nullable(text(100, '检查单位')),
    checkers: z.array(filled(50, '检查人')).max(mostCheckers, `检查人最多 ${mostCheckers} 名`).default([]),
    items: z.array(itemInput).min(1, '请逐项填写检查结果').max(mostItems, `检查项最多 ${mostItems} 个`),
    result: dict('deviceInspectResult', '结论'),
    /** One or more for every item that failed, by `itemCode`. */
    problems: problemInputs,
    nextDate: nullable(day),
    remark: nullable(text(500, '检查情况')),
    photos: photos.refine((all) => all.length > 0, '请附检查照片'),
    reports: z.array(text(400, '报告')).max(mostReports, `报告最多 ${mostReports} 份`).default([]),
    /** Of the caller, where he signs while he submits. */
    signature: nullable(drawnImage),
  }),
  response: z.object({ id: z.string(), code: z.string().nullable(), state: z.string(), suspended: z.boolean() }),
})

export const exportMachineChecks = endpoint({
  method: 'GET',
  path: `${path}/export`,
  summary: '导出设备检查',
  needs: 'inspection.export',
  answers: 'blob',
  query: listMachineChecks.schemas.query as z.ZodType<
    NonNullable<(typeof listMachineChecks)['types']>['parsed']['query'],
    NonNullable<(typeof listMachineChecks)['types']>['in']['query']
  >,
})

/** Seats of a check: whoever checked, and whoever uses the machine. */
export const inspectSeatRights = {
  checker: { needs: inspectCode, acts: 'review', turn: 'checker' },
  user: { needs: ['inspection.rectifySign', 'inspection.deviceMaintain'], acts: 'own', turn: 'user' },
} as const satisfies Record<string, SeatRight>

export const signMachineCheck = signatureCall({
  path,
  noun: '设备检查',
  needs: codesOfSeats(...Object.values(inspectSeatRights)),
  params: id,
})
