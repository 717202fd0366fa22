import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, filled, numericRange, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { registerFields } from './model.ts'
import { expertMoves, reason } from './moves.ts'

const path = '/api/v1/oa/process/expert'
const views = 'experts.view'

export const expertRow = z.object({
  id: z.string(),
  name: z.string(),
  photo: z.string().nullable(),
  gender: z.string(),
  genderName: z.string(),
  workUnit: z.string(),
  title: z.string(),
  titleName: z.string(),
  specialties: z.array(z.string()),
  specialtyNames: z.array(z.string()),
  /** Specialties asked for by a change that is not decided; null: none. */
  wishNames: z.array(z.string()).nullable(),
  phone: z.string(),
  validStart: z.string().nullable(),
  validEnd: z.string().nullable(),
  /** Accepted invitations of this year; null for others than the library. */
  yearCount: z.number().int().nullable(),
  /** Percent of this year's answered invitations that were accepted; null: none, or not the library. */
  acceptRate: z.number().int().nullable(),
  /** Of the last settled year. */
  score: z.number().nullable(),
  grade: z.string().nullable(),
  gradeName: z.string().nullable(),
  /** Another file of the library has the same identity number. */
  twin: z.boolean(),
  /** Applied publicly, rather than registered by a clerk. */
  applied: z.boolean(),
  submitTime: z.string().nullable(),
  state: z.string(),
  stateName: z.string(),
  libraryName: z.string(),
  version: z.number().int(),
})
export type ExpertRow = z.output<typeof expertRow>

const counts = z.object({
  listed: z.number().int(),
  waiting: z.number().int(),
  drafts: z.number().int(),
  removed: z.number().int(),
  /** Terms that end within 90 days. */
  ending: z.number().int(),
  /** Draws of this year that the caller sees. */
  draws: z.number().int(),
})

export const listExperts = endpoint({
  method: 'GET',
  path,
  summary: '专家库列表',
  needs: views,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    tab: z.enum(['listed', 'waiting', 'drafts', 'removed']).optional(),
    name: text(50).optional(),
    workUnit: text(50).optional(),
    gender: several.optional(),
    title: several.optional(),
    specialties: several.optional(),
    validEnd: dayRange.optional(),
    score: numericRange.optional(),
    grade: several.optional(),
    state: several.optional(),
    sort: sortBy('name', 'validEnd', 'yearCount', 'score', 'submitTime'),
  }),
  response: paged(expertRow).extend({ counts }),
})

export const expertList = listOf(listExperts, {
  feature: 'expert',
  columns: {
    photo: '照片',
    name: '姓名',
    gender: '性别',
    workUnit: '工作单位',
    title: '职称',
    specialties: '专业',
    phone: '手机',
    validEnd: '聘期止',
    yearCount: '本年参加',
    acceptRate: '应邀率',
    score: '上年考评',
    grade: '等级',
    submitTime: '提交时间',
    state: '状态',
  },
  onScreen: ['photo'],
})

const linked = z.object({ id: z.string(), title: z.string(), day: z.string(), stateName: z.string() })

export const expertDetail = expertRow.extend({
  idCardNumber: z.string(),
  birthday: z.string(),
  age: z.number().int(),
  email: z.string().nullable(),
  duty: z.string().nullable(),
  titleMajor: z.string(),
  degree: z.string(),
  degreeName: z.string(),
  graduateSchool: z.string().nullable(),
  workYears: z.number().int(),
  resume: z.string(),
  achievements: z.string().nullable(),
  certs: z.array(z.object({ name: z.string(), number: z.string(), validEnd: z.string().nullable() })),
  unitOpinion: z.string().nullable(),
  commitments: z.string().nullable(),
  wish: z.array(z.string()).nullable(),
  opinion: z.string().nullable(),
  /** What stands against admission, in words. */
  problems: z.array(z.string()),
  /** The caller's group keeps the library. */
  own: z.boolean(),
  draws: z.array(linked),
  activities: z.array(linked),
  scores: z.array(z.object({ id: z.string(), title: z.string(), day: z.string(), total: z.number() })),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
})
export type ExpertDetail = z.output<typeof expertDetail>

export const getExpert = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '专家档案',
  needs: views,
  params: z.object({ id: ref('expert') }),
  query: ofProject,
  response: expertDetail,
})

/** With an identity number that the library has, nothing is created and the id of that file is answered. */
export const createExpert = endpoint({
  method: 'POST',
  path,
  summary: '登记专家',
  needs: 'experts.edit',
  acts: 'aside',
  query: ofProject,
  body: z.object({ ...registerFields, submit: z.boolean().default(false) }),
  response: z.object({ id: z.string(), known: z.boolean() }),
})

export const changeExpert = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理专家档案',
  description: '按 action 办理：save、submit、pass、reject、suspend、resume、renew、remove、accept、refuse；version 为读取时的版本。',
  needs: codesOfMoves(expertMoves),
  acts: 'aside',
  actions: rightsOfMoves(expertMoves),
  params: z.object({ id: ref('expert') }),
  query: ofProject,
  body: moveBody(expertMoves, {}),
})

/** Identity number or phone in full; the reason is recorded. */
export const unmaskExpert = endpoint({
  method: 'POST',
  path: `${path}/:id/unmask`,
  summary: '查看专家证件与电话',
  needs: 'experts.unmask',
  acts: 'aside',
  params: z.object({ id: ref('expert') }),
  query: ofProject,
  body: z.object({ reason: reason('事由') }),
  response: z.object({ idCardNumber: z.string(), phone: z.string() }),
})

export const librarySettings = {
  name: filled(50, '专家库名称'),
  isOpen: z.boolean(),
  maxAge: z.coerce.number().int().min(50, '年龄上限 50 至 80').max(80, '年龄上限 50 至 80'),
  leastYears: z.coerce.number().int().min(0, '年限 0 至 40').max(40, '年限 0 至 40'),
  termYears: z.coerce.number().int().min(1, '聘期 1 至 5 年').max(5, '聘期 1 至 5 年'),
  /** Days between two draws of one person; 0: none. */
  coolDays: z.coerce.number().int().min(0, '轮换间隔 0 至 180 日').max(180, '轮换间隔 0 至 180 日'),
  /** Companies and sites do not see the names that they draw before the meeting day. */
  hideNames: z.boolean(),
}
const library = z.object({
  groupId: z.string(),
  name: z.string(),
  isOpen: z.boolean(),
  maxAge: z.number().int(),
  leastYears: z.number().int(),
  termYears: z.number().int(),
  coolDays: z.number().int(),
  hideNames: z.boolean(),
  /** The caller's group keeps it. */
  own: z.boolean(),
  version: z.number().int(),
})
export type Library = z.output<typeof library>

/** The library that serves the caller: the own one, else the nearest above. Null: none. */
export const getLibrary = endpoint({
  method: 'GET',
  path: `${path}/library`,
  summary: '专家库设置',
  needs: views,
  query: ofProject,
  response: z.object({ library: library.nullable() }),
})

/** The first saving opens the library of the caller's authority. */
export const saveLibrary = endpoint({
  method: 'PUT',
  path: `${path}/library`,
  summary: '保存专家库设置',
  needs: 'experts.review',
  acts: 'aside',
  groupTypes: [1],
  query: ofProject,
  body: z.object({ ...librarySettings, version: z.number().int() }),
})
