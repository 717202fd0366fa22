import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, flag, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { fileLinks } from '../labour/model.ts'
import { badFields, badMoves } from './moves.ts'

export const badActionRow = z.object({
  id: z.string(),
  /** Null for a draft. */
  code: z.string().nullable(),
  targetType: z.string(),
  targetTypeName: z.string(),
  /** Masked outside the institution that decides and the party. */
  targetName: z.string(),
  corpName: z.string().nullable(),
  projectCode: z.string().nullable(),
  projectName: z.string().nullable(),
  type: z.string(),
  typeName: z.string(),
  level: z.string(),
  levelName: z.string(),
  degree: z.string(),
  degreeName: z.string(),
  occurrenceDate: z.string().nullable(),
  score: z.number(),
  publishStart: z.string().nullable(),
  publishEnd: z.string().nullable(),
  source: z.string(),
  sourceName: z.string(),
  /** Proposed by the system. */
  system: z.boolean(),
  state: z.string(),
  stateName: z.string(),
  /** Waits for the caller. */
  mine: z.boolean(),
  version: z.number().int(),
})
export type BadActionRow = z.output<typeof badActionRow>

const plea = z.object({
  id: z.string(),
  kind: z.enum(['appeal', 'repair']),
  reason: z.string(),
  files: fileLinks,
  byName: z.string(),
  groupName: z.string(),
  at: z.string(),
  /** Null: undecided. */
  granted: z.boolean().nullable(),
  opinion: z.string().nullable(),
  decidedName: z.string().nullable(),
  decidedAt: z.string().nullable(),
})
export type BadPlea = z.output<typeof plea>

const likeness = z.object({
  id: z.string(),
  code: z.string().nullable(),
  occurrenceDate: z.string().nullable(),
  typeName: z.string(),
  fact: z.string(),
  stateName: z.string(),
})
export type BadLikeness = z.output<typeof likeness>

const effect = z.object({
  /** What the points are counted in, for example 信用分. */
  label: z.string(),
  before: z.number().nullable(),
  after: z.number().nullable(),
  /** What else follows. */
  notes: z.array(z.string()),
})
export type BadEffect = z.output<typeof effect>

export const badActionDetail = badActionRow.extend({
  target: z.string(),
  fact: z.string(),
  basis: z.string(),
  files: fileLinks,
  rectifyId: z.string().nullable(),
  rectifyCode: z.string().nullable(),
  proposeName: z.string().nullable(),
  proposeGroupName: z.string(),
  proposeTime: z.string().nullable(),
  decideName: z.string().nullable(),
  decideGroupName: z.string().nullable(),
  decideTime: z.string().nullable(),
  decideOpinion: z.string().nullable(),
  /** Number of the 认定书. */
  docCode: z.string().nullable(),
  receiver: z.string().nullable(),
  receiveTime: z.string().nullable(),
  serveFiles: fileLinks,
  appealUntil: z.string().nullable(),
  /** Days of publication that are left; null when it is not published. */
  daysLeft: z.number().int().nullable(),
  pleas: z.array(plea),
  effect: effect.nullable(),
  /** Similar records that the caller may see. */
  likes: z.array(likeness),
  waiting: z.string(),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
  removable: z.boolean(),
})
export type BadActionDetail = z.output<typeof badActionDetail>

const path = '/api/v1/badaction'
const view = ['inspection.view', 'experts.view'] as const

const listQuery = pageQuery.extend({
  projectCode: ofProject.shape.projectCode.default('*'),
  code: text(50).optional(),
  targetType: several.optional(),
  targetName: text(50).optional(),
  type: several.optional(),
  level: several.optional(),
  degree: several.optional(),
  occurrenceDate: dayRange.optional(),
  score: numericRange.optional(),
  publishEnd: dayRange.optional(),
  source: several.optional(),
  state: several.optional(),
  /** Published today. */
  published: flag.optional(),
  /** Decided this year and in force. */
  deducted: flag.optional(),
  mine: flag.optional(),
  sort: sortBy('urgency', 'occurrenceDate', 'score', 'publishEnd'),
})

export const listBadActions = endpoint({
  method: 'GET',
  path,
  summary: '不良行为列表',
  needs: 'inspection.view',
  answers: 'list',
  query: listQuery,
  response: paged(badActionRow).extend({
    counts: z.object({
      waiting: z.number().int(),
      published: z.number().int(),
      appealed: z.number().int(),
      /** Records in force that were decided this year, and their points. */
      deducted: z.number().int(),
      points: z.number(),
    }),
  }),
})

export const badActionList = listOf(listBadActions, {
  feature: 'badaction',
  columns: {
    code: '编号',
    targetType: '对象',
    targetName: '企业/人员',
    projectName: '项目',
    type: '行为类别',
    level: '严重程度',
    degree: '认定级别',
    occurrenceDate: '发生日期',
    score: '扣分',
    publishEnd: '公示止',
    source: '来源',
    state: '状态',
  },
})

/** The same records, as the expert library sees them. */
export const listExpertMisconduct = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/expertMisconduct',
  summary: '专家不良行为列表',
  needs: 'experts.view',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    code: text(50).optional(),
    expert: text(50).optional(),
    misconductType: several.optional(),
    date: dayRange.optional(),
    level: several.optional(),
    deduction: numericRange.optional(),
    publishEnd: dayRange.optional(),
    state: several.optional(),
    sort: sortBy('urgency', 'date', 'deduction', 'publishEnd'),
  }),
  response: paged(
    z.object({
      id: z.string(),
      code: z.string().nullable(),
      expertId: z.string(),
      expert: z.string(),
      misconductType: z.string(),
      typeName: z.string(),
      activity: z.string().nullable(),
      date: z.string().nullable(),
      level: z.string(),
      levelName: z.string(),
      deduction: z.number(),
      publishEnd: z.string().nullable(),
      system: z.boolean(),
      state: z.string(),
      stateName: z.string(),
      expertState: z.string(),
      mine: z.boolean(),
      version: z.number().int(),
    }),
  ).extend({
    counts: z.object({
      waiting: z.number().int(),
      published: z.number().int(),
      appealed: z.number().int(),
      /** Experts removed from the library this year. */
      removed: z.number().int(),
    }),
  }),
})
export type ExpertMisconductRow = NonNullable<(typeof listExpertMisconduct)['types']>['out']['list'][number]

export const expertMisconductList = listOf(listExpertMisconduct, {
  feature: 'expertMisconduct',
  columns: {
    code: '编号',
    expert: '专家',
    misconductType: '不良行为',
    activity: '关联活动',
    date: '发生日期',
    level: '严重程度',
    deduction: '扣分',
    publishEnd: '公示止',
    state: '状态',
  },
})

export const getBadAction = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '不良行为详情',
  needs: view,
  params: z.object({ id: ref('badAction') }),
  response: badActionDetail,
})

/** Who can be named in a record of this project, found by name. */
export const badTargetChoices = endpoint({
  method: 'GET',
  path: `${path}/targets`,
  summary: '不良行为可选对象',
  needs: badMoves.submit.needs,
  answers: 'list',
  query: z.object({
    projectCode: ofProject.shape.projectCode.default('*'),
    targetType: badFields.targetType,
    name: text(50).optional(),
    /** The one that is chosen already. */
    target: text(64).optional(),
  }),
  response: paged(z.object({ target: z.string(), name: z.string(), note: z.string() })),
})

/** What a record would do, and which similar ones there are, before it is written. */
export const previewBadAction = endpoint({
  method: 'GET',
  path: `${path}/preview`,
  summary: '不良行为影响预览',
  needs: badMoves.submit.needs,
  answers: 'object',
  query: z.object({
    projectCode: ofProject.shape.projectCode.default('*'),
    targetType: badFields.targetType,
    target: text(64),
    type: text(4).default(''),
    occurrenceDate: day.optional(),
    score: badFields.score.optional(),
    rectifyId: pointsTo('rectify', z.string().max(64)).optional(),
    /** The record that is being written. */
    id: pointsTo('badAction', z.string().max(64)).optional(),
  }),
  response: z.object({ effect: effect.nullable(), likes: z.array(likeness), /** Who decides. */ decider: z.string().nullable() }),
})

/** Fields that a notice answers for a record about its responsible company. */
export const badActionOfNotice = endpoint({
  method: 'GET',
  path: `${path}/notice`,
  summary: '由整改单带出不良行为',
  needs: badMoves.submit.needs,
  answers: 'object',
  query: z.object({ rectifyId: ref('rectify') }),
  response: z.object({
    projectCode: z.string(),
    projectName: z.string(),
    corpCode: z.string(),
    corpName: z.string(),
    code: z.string().nullable(),
    deadline: z.string(),
    overdueDays: z.number().int(),
    fact: z.string(),
    /** The draft or record that exists already. */
    existing: z.string().nullable(),
  }),
})

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createBadAction = endpoint({
  method: 'POST',
  path,
  summary: '新增不良行为',
  needs: badMoves.submit.needs,
  acts: 'review',
  body: z.object({
    id: pointsTo('badAction', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')).optional(),
    action: z.enum(['save', 'submit']),
    /** `*` only for an expert. */
    projectCode: ofProject.shape.projectCode,
    ...badFields,
  }),
  response: z.object({ id: z.string(), code: z.string().nullable() }),
})

export const changeBadAction = endpoint({
  method: 'PUT',
  path,
  summary: '修改不良行为',
  description:
    '按 action 办理：save、submit、drop、withdraw、decide、reject、receive、serve、appeal、uphold、cancel、applyRepair、repair、refuseRepair；version 为读取时的版本。',
  needs: codesOfMoves(badMoves),
  acts: 'own',
  actions: rightsOfMoves(badMoves),
  body: moveBody(badMoves, { id: ref('badAction') }),
})

export const removeBadAction = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除不良行为',
  needs: badMoves.submit.needs,
  acts: 'review',
  params: z.object({ id: ref('badAction') }),
})

export const exportBadAction = endpoint({
  method: 'GET',
  path: `${path}/export/:id`,
  summary: '导出不良行为',
  needs: ['inspection.export', 'experts.export'],
  answers: 'blob',
  params: z.object({ id: ref('badAction') }),
})
