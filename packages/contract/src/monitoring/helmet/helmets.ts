import { z } from 'zod'
import { endpoint, viewOf } from '../../kit/endpoint.ts'
import { filled, paged, ref, several, text } from '../../kit/fields.ts'
import { listOf } from '../../kit/list.ts'
import { deviceInfo, epoch, periodQuery } from '../../telemetry/model.ts'
import { byId, devicesQuery, track } from '../model.ts'

export const helmetView = 'helmet.view'
/** 700: helmets with satellite positioning; 701: tags located by base stations. */
export const category = z.enum(['700', '701']).default('700')

export const wearer = {
  workerId: z.string().nullable(),
  workerName: z.string().nullable(),
  teamName: z.string().nullable(),
  /** The wearer has left the project: the helmet is worn by somebody else. */
  workerExited: z.boolean(),
  groupId: z.string().nullable(),
  groupName: z.string().nullable(),
}
export const helmetRow = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  deviceSn: z.string(),
  category: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  ...wearer,
  online: z.boolean(),
  status: z.string(),
  batteryPercent: z.number().nullable(),
  wearing: z.boolean().nullable(),
  /** Not worn outside working hours: not in use. */
  racked: z.boolean(),
  motion: z.string().nullable(),
  /** 正常 or 异常; the value itself only with helmet.health. */
  heartState: z.string().nullable(),
  heartRate: z.number().nullable(),
  signal: z.number().nullable(),
  positioned: z.boolean().nullable(),
  lastTime: epoch.nullable(),
  openLevel: z.number().int().nullable(),
})

/** Hours in which helmets must be worn, full hours, Asia/Shanghai. */
export const helmetHours = { from: 6, to: 18 } as const

/** Alarms about the device and not its wearer: lists show them only on demand. */
export const alarmsOfTheBox = ['offline', 'batteryLow'] as const

export const listHelmets = endpoint({
  method: 'GET',
  path: '/api/v1/iot/helmet/device',
  summary: '安全帽设备列表',
  needs: helmetView,
  answers: 'list',
  query: devicesQuery.extend({ category, groupId: ref('helmetGroup').optional(), status: several.optional() }),
  response: paged(helmetRow).extend({
    online: z.number().int(),
    notWorn: z.number().int(),
    lowBattery: z.number().int(),
    /** Active alarms of wearers. */
    openAlarms: z.number().int(),
  }),
})
export const helmetList = listOf(listHelmets, {
  feature: 'helmetNow',
  columns: {
    deviceName: '安全帽',
    workerName: '佩戴人',
    teamName: '班组',
    groupName: '分组',
    status: '状态',
    wearing: '佩戴',
    batteryPercent: '电量（%）',
    heartState: '心率',
    signal: '信号',
    positioned: '定位',
    lastTime: '最后上报',
    deviceSn: '设备编号',
  },
  onScreen: ['workerName', 'heartState'],
})
export const helmetMotions: Readonly<Record<string, string>> = { '0': '静止', '1': '活动' }
export const helmetStates: Readonly<Record<string, string>> = { '0': '离线', '1': '在线', '2': '未佩戴', '3': '报警', '4': '充电' }
export const getHelmet = endpoint({
  method: 'GET',
  path: '/api/v1/iot/helmet/:id',
  summary: '安全帽详情',
  needs: helmetView,
  params: byId,
  response: deviceInfo.extend({ ...wearer, params: z.record(z.string(), z.unknown()) }),
})
export const stay = z.object({
  deviceId: z.string(),
  deviceName: z.string(),
  workerName: z.string().nullable(),
  stationId: z.string(),
  areaName: z.string(),
  floorName: z.string(),
  enterTime: epoch,
  leaveTime: epoch.nullable(),
  durationSeconds: z.number(),
  /** Went silent with an empty battery: treated as lost, not as having left. */
  lost: z.boolean(),
})
/** Tracks of at most five helmets within 24 hours; for category 701 stays in areas, because paths between stations are unknown. */
export const helmetTrack = endpoint({
  method: 'GET',
  path: '/api/v1/iot/helmet/track',
  summary: '安全帽轨迹',
  needs: 'helmet.track',
  answers: 'list',
  query: periodQuery.pick({ deviceId: true, startTime: true, endTime: true }).extend({ category, reason: text(200).optional() }),
  response: z.object({ list: z.array(z.union([track, stay])), total: z.number().int() }),
})
const trackQuery = periodQuery.pick({ deviceId: true, startTime: true, endTime: true }).extend({ reason: text(200).optional() })
export const findHelmetTrack = viewOf(helmetTrack, {
  query: trackQuery.extend({ category: z.literal('700').default('700') }),
  response: z.object({ list: z.array(track), total: z.number().int() }),
})
/** Consecutive stays in areas. */
export const findHelmetStays = viewOf(helmetTrack, {
  query: trackQuery.extend({ category: z.literal('701') }),
  response: z.object({ list: z.array(stay), total: z.number().int() }),
})
export const helmetPositions = endpoint({
  method: 'GET',
  path: '/api/v1/iot/helmet/position/realtime',
  summary: '安全帽实时位置',
  needs: helmetView,
  answers: 'list',
  query: periodQuery.pick({ projectCode: true }).extend({ category, groupId: ref('helmetGroup').optional() }),
  response: z.object({
    list: z.array(
      z.object({
        deviceId: z.string(),
        deviceName: z.string(),
        projectCode: z.string(),
        workerName: z.string().nullable(),
        teamName: z.string().nullable(),
        groupId: z.string().nullable(),
        lng: z.number().nullable(),
        lat: z.number().nullable(),
        stationId: z.string().nullable(),
        areaName: z.string().nullable(),
        floorName: z.string().nullable(),
        x: z.number().nullable(),
        y: z.number().nullable(),
        positioned: z.boolean(),
        online: z.boolean(),
        time: epoch.nullable(),
        openLevel: z.number().int().nullable(),
      }),
    ),
    total: z.number().int(),
    online: z.number().int(),
    unpositioned: z.number().int(),
    /** Helmets with an active alarm. */
    alarming: z.number().int(),
    /**
     * Number of helmets by place on the plan: danger zone, building, elsewhere inside the fence, or outside. Visible to everybody, because it names
     * nobody. Excludes helmets located by base stations, which are counted by area.
     */
    places: z.array(
      z.object({
        projectCode: z.string(),
        name: z.string(),
        kind: z.enum(['zone', 'building', 'yard', 'outside']),
        count: z.number().int(),
        alarming: z.number().int(),
      }),
    ),
    /** Areas of base stations: people inside and capacity. A silent station makes its area unknown, not empty. */
    areas: z.array(
      z.object({
        projectCode: z.string(),
        areaName: z.string(),
        floorName: z.string(),
        count: z.number().int().nullable(),
        limit: z.number().int().nullable(),
        longestSeconds: z.number(),
        known: z.boolean(),
        alarming: z.number().int(),
      }),
    ),
  }),
})

const groupView = z.object({
  id: z.string(),
  projectCode: z.string(),
  name: z.string(),
  remark: z.string().nullable(),
  deviceIds: z.array(z.string()),
  count: z.number().int(),
  online: z.number().int(),
  version: z.number().int(),
})
export const listHelmetGroups = endpoint({
  method: 'GET',
  path: '/api/v1/iot/helmet/group',
  summary: '安全帽分组列表',
  needs: helmetView,
  answers: 'list',
  query: periodQuery.pick({ projectCode: true }),
  response: z.object({ list: z.array(groupView), total: z.number().int() }),
})
const groupBody = {
  name: filled(30, '分组名称'),
  remark: text(200, '备注').optional(),
  /** All helmets of the group after the change; omitted = unchanged. A helmet is in at most one group. */
  deviceIds: z.array(ref('device')).max(500, '一组最多 500 顶安全帽').optional(),
}
export const createHelmetGroup = endpoint({
  method: 'POST',
  path: '/api/v1/iot/helmet/group',
  summary: '新增安全帽分组',
  needs: 'helmet.group',
  body: z.object({ projectCode: ref('project').optional(), ...groupBody }),
  response: groupView,
})
export const updateHelmetGroup = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/helmet/group/:id',
  summary: '修改安全帽分组',
  needs: 'helmet.group',
  params: z.object({ id: ref('helmetGroup') }),
  body: z.object({ ...groupBody, name: groupBody.name.optional(), version: z.coerce.number().int().optional() }),
  response: groupView,
})
export const deleteHelmetGroup = endpoint({
  method: 'DELETE',
  path: '/api/v1/iot/helmet/group/:id',
  summary: '删除安全帽分组',
  needs: 'helmet.group',
  params: z.object({ id: ref('helmetGroup') }),
})
