import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { flag, numericRange, paged, ref, several, text } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { plateSearch } from '../../kit/plate.ts'
import { epoch, periodQuery } from '../../telemetry/model.ts'
import { fixStep } from '../model.ts'

const accessView = 'vehicle-access.view'
export const passage = z.object({
  id: z.string(),
  deviceId: z.string(),
  gateName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  plateNo: z.string(),
  plateColor: z.string().nullable(),
  vehicleType: z.string().nullable(),
  direction: z.string(),
  time: epoch,
  receivedAt: epoch,
  washState: z.string().nullable(),
  washSeconds: z.number().nullable(),
  coverState: z.string().nullable(),
  /** According to the site's register, else to the gate's own list. */
  registered: z.boolean().nullable(),
  /** On the site's black list that day. */
  barred: z.boolean(),
  transportCorp: z.string().nullable(),
  permitNo: z.string().nullable(),
  permitUntil: z.string().nullable(),
  confidence: z.number().nullable(),
  photo: z.string().nullable(),
  platePhoto: z.string().nullable(),
  /** Minutes on site, until the exit or, while still inside, until now. */
  stayMinutes: z.number().nullable(),
  inside: z.boolean(),
  /** How its other half was found: by plate or by a person; null without one. */
  paired: z.enum(['plate', 'hand']).nullable(),
  /** A person looked and could not read the plate either. */
  unreadable: z.boolean(),
  alarms: z.array(z.string()),
  /** Corrected by a person; the camera's own values are kept beside it. */
  corrected: z.boolean(),
  version: z.number().int(),
})
/** Filters of passages, beside gate, project and period. */
export const passageFilters = {
  tab: z.enum(['all', 'inside', 'doubtful']).default('all'),
  plateNo: plateSearch.optional(),
  direction: several.optional(),
  vehicleType: several.optional(),
  washState: several.optional(),
  coverState: several.optional(),
  washSeconds: numericRange.optional(),
  registered: flag.optional(),
  transportCorp: text(80).optional(),
  permitNo: text(40).optional(),
  sort: sortBy('time'),
}
export const passagesBeside = {
  today: z.object({
    in: z.number().int(),
    out: z.number().int(),
    inside: z.number().int(),
    /** Share of recognised outgoing muck trucks, and the number not recognised. */
    washPercent: z.number().nullable(),
    coverPercent: z.number().nullable(),
    unknownPercent: z.number().nullable(),
    byHour: z.array(z.object({ hour: z.number().int(), in: z.number().int(), out: z.number().int() })),
  }),
}
export const listPassages = endpoint({
  method: 'GET',
  path: '/api/v1/iot/truckAccess/record',
  summary: '车辆出入记录',
  needs: accessView,
  answers: 'list',
  query: periodQuery.extend(passageFilters),
  response: paged(passage).extend(passagesBeside),
})
/** Single passages. */
export const passageList = listOf(listPassages, {
  feature: 'truckPassage',
  columns: {
    photo: '照片',
    projectName: '项目',
    plateNo: '车牌',
    plateColor: '车牌颜色',
    vehicleType: '车型',
    direction: '方向',
    gateName: '大门',
    time: '时间',
    washState: '冲洗',
    washSeconds: '冲洗时长（秒）',
    coverState: '密闭',
    registered: '登记车辆',
    transportCorp: '运输单位',
    permitNo: '准运证号',
    stayMinutes: '停留（分）',
    alarms: '告警',
    confidence: '置信度',
    corrected: '更正',
  },
  onScreen: ['photo'],
})
/** Washing and covering of outgoing trucks by gate: shares of the recognised ones, and the number not recognised. Worst first. */
export const listGateShares = endpoint({
  method: 'GET',
  path: '/api/v1/iot/truckAccess/gate',
  summary: '大门冲洗与密闭率',
  needs: accessView,
  answers: 'list',
  query: periodQuery.extend({
    gateName: text(40).optional(),
    projectName: text(100).optional(),
    washPercent: numericRange.optional(),
    sort: sortBy('washPercent', 'coverPercent', 'muckOut', 'unwashed', 'uncovered'),
  }),
  response: paged(
    z.object({
      deviceId: z.string(),
      gateName: z.string(),
      projectCode: z.string(),
      projectName: z.string(),
      entries: z.number().int(),
      exits: z.number().int(),
      /** Outgoing muck trucks: the denominator of all shares. */
      muckOut: z.number().int(),
      unwashed: z.number().int(),
      uncovered: z.number().int(),
      washPercent: z.number().nullable(),
      coverPercent: z.number().nullable(),
      unknownPercent: z.number().nullable(),
      lastTime: epoch.nullable(),
    }),
  ),
})
export const gateShareList = listOf(listGateShares, {
  feature: 'gateShare',
  columns: {
    projectName: '项目',
    gateName: '大门',
    entries: '进场',
    exits: '出场',
    muckOut: '渣土车出场',
    washPercent: '冲洗率（%）',
    unwashed: '未冲洗',
    coverPercent: '密闭率（%）',
    uncovered: '未密闭',
    unknownPercent: '未识别（%）',
    lastTime: '最近通行',
  },
})
export const getPassage = endpoint({
  method: 'GET',
  path: '/api/v1/iot/truckAccess/record/:id',
  summary: '车辆出入记录详情',
  needs: accessView,
  params: z.object({ id: ref('deviceRecord') }),
  response: passage.extend({
    pair: passage.nullable(),
    tickets: z.array(
      z.object({ id: z.string(), billNo: z.string(), time: epoch, actualWeight: z.number().nullable(), differenceSeconds: z.number() }),
    ),
    truckId: z.string().nullable(),
    month: z.array(z.object({ day: z.string(), passages: z.number().int(), violations: z.number().int() })),
    previousId: z.string().nullable(),
    nextId: z.string().nullable(),
    log: z.array(fixStep),
    /** The caller may correct it. */
    mayCorrect: z.boolean(),
  }),
})
