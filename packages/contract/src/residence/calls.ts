import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, filled, flag, nullable, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { dict } from '../settings/dict-field.ts'
import { mostPersons, usages } from './rules.ts'

const path = '/api/v1/oa/process/residence'
const view = 'safety-management.view'
const edit = 'safety-management.residenceEdit'
const mostRooms = 200
const mostArea = 500
const mostPhotos = 9
const mostFloors = 30

/** What a room has, as a checklist. */
export const facilities = {
  extinguisher: '灭火器',
  smokeAlarm: '烟感报警',
  emergencyLight: '应急照明',
  exitSign: '疏散指示',
  lowVoltage: '低压照明',
  powerLimit: '限流装置',
} as const
const facilityFields = Object.fromEntries(Object.keys(facilities).map((key) => [key, flag.default(false)])) as unknown as Record<
  keyof typeof facilities,
  z.ZodDefault<typeof flag>
>

const roomFields = {
  type: dict('residenceType', '类型'),
  buildingName: filled(50, '楼栋'),
  floor: z.number({ error: '请填写楼层' }).int('楼层为整数').min(1, '楼层从 1 起').max(mostFloors, `楼层最高 ${mostFloors}`),
  roomNo: filled(20, '房间号'),
  area: z.number({ error: '请填写面积' }).positive('面积须大于 0').max(mostArea, '面积过大'),
  beds: z.number({ error: '请填写床位数' }).int('床位为整数').min(0, '床位不能为负').max(mostPersons, `每间最多 ${mostPersons} 人`),
  usage: nullable(z.enum(Object.keys(usages) as [string, ...string[]], { error: '请选择男女' })),
  manager: filled(50, '管理员'),
  fireNext: nullable(day),
  ...facilityFields,
}
const mostPerFloor = 60
/** The form for one room, or for several of one kind: floors from the first one up, rooms on each. */
export const roomForm = z.object({
  ...roomFields,
  floors: z.number({ error: '请填写层数' }).int('层数为整数').min(1, '至少一层').max(mostFloors, `层数最多 ${mostFloors}`),
  perFloor: z.number({ error: '请填写每层间数' }).int('间数为整数').min(1, '至少一间').max(mostPerFloor, `每层最多 ${mostPerFloor} 间`),
})

const facilityShown = Object.fromEntries(Object.keys(facilities).map((key) => [key, z.boolean()])) as unknown as Record<
  keyof typeof facilities,
  z.ZodBoolean
>

export const roomRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  type: z.string(),
  typeName: z.string(),
  buildingName: z.string(),
  floor: z.number().int(),
  roomNo: z.string(),
  area: z.number(),
  beds: z.number().int(),
  occupied: z.number().int(),
  usage: z.string().nullable(),
  /** Square metres; null for an empty room. */
  perPerson: z.number().nullable(),
  manager: z.string(),
  lastCheck: z.string().nullable(),
  /** What is wrong with the room, in words. */
  warnings: z.array(z.string()),
  /** People in it who have left the project. */
  leftOver: z.number().int(),
  version: z.number().int(),
})
export type RoomRow = z.output<typeof roomRow>

export const listRooms = endpoint({
  method: 'GET',
  path,
  summary: '生活区房间列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    type: several.optional(),
    buildingName: text(50).optional(),
    roomNo: text(20).optional(),
    occupied: numericRange.optional(),
    /** Dormitories with a free bed. */
    free: flag.optional(),
    /** Less than 2.5 m² for each person. */
    crowded: flag.optional(),
    leftOver: flag.optional(),
    sort: sortBy('roomNo', 'area', 'beds', 'lastCheck'),
  }),
  response: paged(roomRow).extend({
    buildings: z.array(z.string()),
    counts: z.object({
      beds: z.number().int(),
      living: z.number().int(),
      free: z.number().int(),
      /** Left the project and not the room. */
      leftOver: z.number().int(),
      /** On the project, and registered in no room. */
      unhoused: z.number().int(),
    }),
  }),
})
export const roomList = listOf(listRooms, {
  feature: 'residence',
  columns: {
    roomNo: '房间号',
    projectName: '项目',
    buildingName: '楼栋',
    type: '类型',
    area: '面积（㎡）',
    beds: '床位',
    occupied: '在住',
    perPerson: '人均（㎡）',
    usage: '男女',
    manager: '管理员',
    lastCheck: '最近检查',
    warnings: '提示',
  },
})

/** Who lives where. Names are for whoever manages the rooms. */
export const listResidents = endpoint({
  method: 'GET',
  path: `${path}/people`,
  summary: '生活区在住人员',
  needs: edit,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    name: text(50).optional(),
    teamName: text(50).optional(),
    buildingName: text(50).optional(),
    leftOver: flag.optional(),
    sort: sortBy('fromDay', 'name'),
  }),
  response: paged(
    z.object({
      id: z.string(),
      roomId: z.string(),
      projectCode: z.string(),
      projectName: z.string(),
      name: z.string(),
      teamName: z.string().nullable(),
      room: z.string(),
      bed: z.number().int(),
      fromDay: z.string(),
      leftOver: z.boolean(),
    }),
  ),
})
export const residentList = listOf(listResidents, {
  feature: 'roomStay',
  columns: { name: '姓名', projectName: '项目', teamName: '班组', room: '房间', bed: '床号', fromDay: '入住日期', leftOver: '状态' },
})

/** Who may move in: people of the site who live in no room. */
export const listUnhoused = endpoint({
  method: 'GET',
  path: `${path}/unhoused`,
  summary: '生活区待安排人员',
  needs: edit,
  answers: 'object',
  query: ofProject.extend({ name: text(50).optional() }),
  response: z.object({
    people: z.array(z.object({ workerId: z.string(), name: z.string(), teamName: z.string().nullable(), gender: z.string() })),
  }),
})

const id = z.object({ id: ref('livingRoom') })
const roomDetail = roomRow.extend({
  ...facilityShown,
  fireNext: z.string().nullable(),
  /** The caller manages rooms, and so sees who lives here. */
  managed: z.boolean(),
  people: z.array(
    z.object({
      stayId: z.string(),
      name: z.string(),
      teamName: z.string().nullable(),
      bed: z.number().int(),
      fromDay: z.string(),
      leftOver: z.boolean(),
    }),
  ),
  history: z.array(
    z.object({
      stayId: z.string(),
      name: z.string(),
      bed: z.number().int(),
      fromDay: z.string(),
      toDay: z.string(),
      reason: z.string().nullable(),
    }),
  ),
  checks: z.array(
    z.object({
      id: z.string(),
      at: z.string(),
      byName: z.string(),
      fire: z.boolean(),
      power: z.boolean(),
      hygiene: z.boolean(),
      note: z.string().nullable(),
      photos: z.array(z.string()),
    }),
  ),
})
export type RoomDetail = z.output<typeof roomDetail>

export const getRoom = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '生活区房间详情',
  needs: view,
  params: id,
  query: ofProject,
  response: roomDetail,
})

/** One room or a batch; nothing is created when one of them clashes. */
export const createRooms = endpoint({
  method: 'POST',
  path,
  summary: '新建生活区房间',
  needs: edit,
  groupTypes: [2, 3],
  query: ofProject,
  body: z.object({ rooms: z.array(z.object(roomFields)).min(1, '至少一间').max(mostRooms, `一次最多 ${mostRooms} 间`) }),
  response: z.object({ ids: z.array(z.string()) }),
})

const bed = z.number({ error: '请选择床号' }).int().min(1, '床号从 1 起').max(mostPersons, '床号过大')
const stayId = pointsTo('roomStay', z.string({ error: '请选择人员' }).min(1, '请选择人员').max(64, '编号过长'))
const version = z.number().int()
export const changeRoom = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理生活区房间',
  description: '按 action 办理：save 修改、moveIn 入住、move 调床、moveOut 退宿、check 检查登记；version 为读取时的版本。',
  needs: edit,
  groupTypes: [2, 3],
  params: id,
  query: ofProject,
  body: z.discriminatedUnion('action', [
    z.object({ action: z.literal('save'), version, ...roomFields }),
    z.object({
      action: z.literal('moveIn'),
      version,
      workerId: pointsTo('worker', z.string({ error: '请选择人员' }).min(1, '请选择人员').max(64, '编号过长')),
      bed,
    }),
    z.object({ action: z.literal('move'), version, stayId, toRoomId: ref('livingRoom'), bed }),
    z.object({ action: z.literal('moveOut'), version, stayId, reason: nullable(text(100, '原因')) }),
    z.object({
      action: z.literal('check'),
      version,
      fire: flag,
      power: flag,
      hygiene: flag,
      note: nullable(text(500, '检查情况')),
      photos: z.array(text(400, '照片')).max(mostPhotos, `照片最多 ${mostPhotos} 张`).default([]),
    }),
  ]),
  response: z.object({ id: z.string(), version }),
})

/** Moves out everybody who has left the project. */
export const moveOutLeft = endpoint({
  method: 'PUT',
  path: `${path}/leave`,
  summary: '已退场人员批量退宿',
  needs: edit,
  groupTypes: [2, 3],
  query: ofProject,
  response: z.object({ count: z.number().int() }),
})

export const removeRoom = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除生活区房间',
  needs: edit,
  groupTypes: [2, 3],
  params: id,
  query: ofProject,
})

export const doorCard = z.object({ id: ref('livingRoom') })
