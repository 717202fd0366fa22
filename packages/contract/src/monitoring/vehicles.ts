import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { flag, instant, numericRange, paged, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { plateSearch } from '../kit/plate.ts'
import { epoch, periodQuery } from '../telemetry/model.ts'
import { byId, fixStep, place, track } from './model.ts'

const vehicleTrack = 'vehicle.track'
const trip = z.object({
  startTime: epoch,
  endTime: epoch,
  startPlace: z.string(),
  endPlace: z.string(),
  distanceKm: z.number(),
  maxSpeed: z.number(),
  stops: z.number().int(),
  fullMinutes: z.number(),
  uncoveredMinutes: z.number(),
  tipped: z.number().int(),
})
/** Track of a truck over at most seven days, thinned here to 5,000 points, never at stops, tipping or alarms. */
export const truckTrack = endpoint({
  method: 'GET',
  path: '/api/v1/iot/truckMonitor/track',
  summary: '车辆轨迹',
  needs: vehicleTrack,
  answers: 'list',
  query: periodQuery
    .pick({ deviceId: true, startTime: true, endTime: true })
    .extend({ points: z.coerce.number().int().min(50).max(5000).default(5000) }),
  response: z.object({
    list: z.array(
      track.extend({
        trips: z.array(trip),
        /** `dump`: the dump site it lies in; null is neither allowed nor forbidden by name. */
        tips: z.array(place.extend({ time: epoch, onSite: z.boolean(), dump: z.string().nullable() })),
        alarms: z.array(
          place.partial().extend({ id: z.string(), time: epoch, alarmKey: z.string(), label: z.string(), level: z.number().int() }),
        ),
      }),
    ),
    total: z.number().int(),
  }),
})

/** What a document about a lorry's way may reach over. */
export const evidenceHours = 24
export const truckEvidence = z.object({ deviceId: ref('device'), startTime: instant, endTime: instant })

const channel = z.object({
  channel: z.string(),
  name: z.string(),
  online: z.boolean(),
  url: z.string().nullable(),
  kind: z.string().nullable(),
  /** Why there is no picture, in words a person can act on. */
  reason: z.string().nullable(),
})
export const truckVideo = endpoint({
  method: 'GET',
  path: '/api/v1/iot/truckMonitor/video/realtime/:id',
  summary: '车辆实时视频',
  needs: 'vehicle.video',
  params: byId,
  response: z.object({
    deviceId: z.string(),
    plateNo: z.string(),
    online: z.boolean(),
    lastTime: epoch.nullable(),
    closeAfterSeconds: z.number(),
    channels: z.array(channel),
  }),
})
export const truckClips = endpoint({
  method: 'GET',
  path: '/api/v1/iot/truckMonitor/video/history/:id',
  summary: '车辆历史视频',
  needs: 'vehicle.video',
  answers: 'list',
  params: byId,
  query: periodQuery.pick({ page: true, size: true, startTime: true, endTime: true }).extend({ channel: text(8).optional() }),
  response: paged(
    z.object({
      id: z.string(),
      channel: z.string(),
      startTime: epoch,
      endTime: epoch,
      sizeBytes: z.number(),
      alarm: z.string().nullable(),
      storage: z.string(),
      url: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ).extend({ online: z.boolean() }),
})

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
  /** By the site's own register, else by what the gate has been told. */
  registered: z.boolean().nullable(),
  /** On the site's black list on that day. */
  barred: z.boolean(),
  transportCorp: z.string().nullable(),
  permitNo: z.string().nullable(),
  permitUntil: z.string().nullable(),
  confidence: z.number().nullable(),
  photo: z.string().nullable(),
  platePhoto: z.string().nullable(),
  /** Minutes on site: to the way out, or to now for who is still inside. */
  stayMinutes: z.number().nullable(),
  inside: z.boolean(),
  /** Its other half, by its plate or by what people say; null where it has none. */
  paired: z.enum(['plate', 'hand']).nullable(),
  /** Nobody can read its plate, as somebody found who looked. */
  unreadable: z.boolean(),
  alarms: z.array(z.string()),
  /** Put right by a person since: the camera's own values stay beside it. */
  corrected: z.boolean(),
  version: z.number().int(),
})
/** What passages are looked for by, beside gate, project and period. */
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
    /** Of muck trucks going out, of those recognised; and how many were not. */
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
/** Passages one by one. */
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
/** How clean lorries leave, gate by gate: shares of those recognised, the unrecognised beside them. The worst first. */
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
      /** Muck trucks that left: the whole of all shares. */
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
    /** The caller may put it right. */
    mayCorrect: z.boolean(),
  }),
})
