import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import {
  clockTime,
  day,
  dayRange,
  filled,
  flag,
  nullable,
  numericRange,
  ofProject,
  paged,
  pageQuery,
  pointsTo,
  ref,
  several,
  text,
} from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { drawnImage, signatureRow } from '../kit/signatures.ts'
import { maintainers, parts } from '../rectify/repair.ts'
import { dict } from '../settings/dict-field.ts'
import { inspectCode, upkeepViews } from './inspections.ts'
import { maintenanceRow } from './maintenance-row.ts'

const path = '/api/v1/special/maintenance'
const mostPhotos = 9

const maintenanceDetail = maintenanceRow.extend({
  position: z.string(),
  model: z.string(),
  recordNo: z.string().nullable(),
  machineState: z.string(),
  machineStateName: z.string(),
  photos: z.array(z.string()),
  photoNotes: z.array(z.string().nullable()),
  createdBy: z.string(),
  createdAt: z.string(),
  /** Hours that the machine ran between the job before and this one, by telemetry; null: nothing watches it, or it is the first job. */
  hoursSinceLast: z.number().nullable(),
  /** Cycles of the machine during the job. */
  cyclesDuring: z.number().int(),
  /** The last jobs of the machine, the newest first. */
  line: z.array(
    z.object({
      id: z.string(),
      code: z.string(),
      maintainDate: z.string(),
      typeName: z.string(),
      content: z.string(),
      parts: z.number().int(),
    }),
  ),
  /** The check that it follows. */
  inspection: z.object({ id: z.string(), code: z.string() }).nullable(),
  signatures: z.array(signatureRow),
  /** The caller may add a correction. */
  mayCorrect: z.boolean(),
})
export type MaintenanceDetail = z.output<typeof maintenanceDetail>

export const listMaintenance = endpoint({
  method: 'GET',
  path,
  summary: '设备维保列表',
  needs: upkeepViews,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    machineId: pointsTo('spdevice', text(64)).optional(),
    machineName: text(50).optional(),
    type: several.optional(),
    maintainDate: dayRange.optional(),
    maintainCorp: text(50).optional(),
    maintainers: text(50).optional(),
    /** With replaced parts. */
    parts: flag.optional(),
    result: several.optional(),
    nextDate: dayRange.optional(),
    overdueDays: numericRange.optional(),
    /** Of the current month. */
    month: flag.optional(),
    /** Something speaks against the record. */
    doubtful: flag.optional(),
    sort: sortBy('maintainDate', 'nextDate', 'overdueDays'),
  }),
  response: paged(maintenanceRow).extend({
    counts: z.object({ month: z.number().int(), parts: z.number().int(), doubtful: z.number().int() }),
  }),
})

export const maintenanceList = listOf(listMaintenance, {
  feature: 'deviceMaintenance',
  columns: {
    code: '编号',
    projectName: '项目',
    machineName: '设备',
    type: '维保类型',
    maintainDate: '维保日期',
    maintainCorp: '维保单位',
    maintainers: '维保人员',
    content: '维保内容',
    parts: '更换部件',
    result: '结果',
    nextDate: '下次维保',
    overdueDays: '逾期天数',
    acceptor: '验收人',
    doubts: '存疑',
  },
})

const id = z.object({ id: ref('deviceMaintain') })

export const getMaintenance = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '设备维保详情',
  needs: upkeepViews,
  params: id,
  query: ofProject,
  response: maintenanceDetail,
})

/** Registers a job with the signature of whoever accepts it. A mistake is corrected by a further entry. */
export const createMaintenance = endpoint({
  method: 'POST',
  path,
  summary: '新增设备维保',
  description: '登记即生效，没有修改；更正请再登记一条并用 corrects 指向原记录。',
  needs: 'inspection.deviceMaintain',
  acts: 'own',
  query: ofProject,
  body: z.object({
    id: pointsTo('deviceMaintain', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    machineId: ref('spdevice'),
    type: dict('deviceMaintainType', '维保类型'),
    maintainDate: day,
    startTime: nullable(clockTime),
    endTime: nullable(clockTime),
    maintainCorp: filled(100, '维保单位'),
    maintainers: maintainers.min(1, '请填写维保人员'),
    content: text(1000, '维保内容').min(5, '维保内容至少 5 个字'),
    parts,
    result: dict('deviceInspectResult', '结果'),
    /** Null: a month later. */
    nextDate: nullable(day),
    photos: z.array(text(400, '照片')).min(1, '请附维保照片').max(mostPhotos, `照片最多 ${mostPhotos} 张`),
    /** Who accepts the job; the drawing is his. */
    acceptor: filled(50, '验收人'),
    signature: drawnImage,
    corrects: nullable(ref('deviceMaintain')),
  }),
  response: z.object({ id: z.string(), code: z.string() }),
})

export const exportMaintenance = endpoint({
  method: 'GET',
  path: `${path}/export`,
  summary: '导出设备维保',
  needs: 'inspection.export',
  answers: 'blob',
  query: listMaintenance.schemas.query as z.ZodType<
    NonNullable<(typeof listMaintenance)['types']>['parsed']['query'],
    NonNullable<(typeof listMaintenance)['types']>['in']['query']
  >,
})

/** People of a site who hold a certificate of special work, with the day on which it ends. */
export const maintenancePeople = endpoint({
  method: 'GET',
  path: `${path}/people`,
  summary: '持特种作业证的现场人员',
  needs: [inspectCode, 'inspection.deviceMaintain', 'inspection.rectifyReply'],
  answers: 'object',
  query: ofProject,
  response: z.object({
    people: z.array(
      z.object({
        workerId: z.string(),
        name: z.string(),
        certName: z.string(),
        certNo: z.string(),
        certEnd: z.string().nullable(),
        valid: z.boolean(),
      }),
    ),
  }),
})
