import { z } from 'zod'
import { checkProblem } from '../checks/problems.ts'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, flag, numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { signatureRow } from '../kit/signatures.ts'
import { inspectionMoves, taskFields } from './moves.ts'
import { grades, itemResults } from './score.ts'

const path = '/api/v1/oa/process/safetyInspection'

export const inspectionRow = z.object({
  id: z.string(),
  /** Drawn when it is submitted. */
  code: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  inspectType: z.string(),
  inspectTypeName: z.string(),
  checkTime: z.string(),
  checkerGroupName: z.string(),
  checkers: z.array(z.string()),
  sheetCount: z.number().int(),
  /** Sheets without an unchecked item. */
  doneCount: z.number().int(),
  /** Frozen when submitted; null before. */
  score: z.number().nullable(),
  grade: z.enum(grades).nullable(),
  gradeName: z.string().nullable(),
  /** The category (dictionary safetyCheckItem) with the lowest score. */
  weakest: z.string().nullable(),
  weakestName: z.string().nullable(),
  problemCount: z.number().int(),
  openCount: z.number().int(),
  /** The gravest of its problems (dictionary hiddenDangerLevel); null without problems. */
  dangerLevel: z.string().nullable(),
  dangerLevelName: z.string().nullable(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type InspectionRow = z.output<typeof inspectionRow>

const sheetItem = z.object({
  itemCode: z.string(),
  name: z.string(),
  maxScore: z.number(),
  guarantee: z.boolean(),
  /** Added by the checking group, not part of the standard. */
  own: z.boolean(),
  clause: z.string().nullable(),
  rule: z.string().nullable(),
  /** Usual findings of the checking group; only while it is being scored. */
  phrases: z.array(z.string()),
  result: z.enum(itemResults),
  deduction: z.number(),
  note: z.string().nullable(),
  photos: z.array(z.string()),
  reason: z.string().nullable(),
})
export type SheetItem = z.output<typeof sheetItem>
const sheet = z.object({
  id: z.string(),
  sheetCode: z.string(),
  name: z.string(),
  label: z.string(),
  category: z.string(),
  seq: z.number().int(),
  assignee: z.string().nullable(),
  /** Why the whole sheet does not apply. */
  notApplicable: z.string().nullable(),
  done: z.boolean(),
  version: z.number().int(),
  savedBy: z.string().nullable(),
  savedAt: z.string().nullable(),
  /** Null while nothing of it is checked. */
  score: z.number().nullable(),
  got: z.number().nullable(),
  full: z.number().nullable(),
  /** Why it is 0. */
  zero: z.string().nullable(),
  items: z.array(sheetItem),
})
export type InspectionSheet = z.output<typeof sheet>
const category = z.object({
  code: z.string(),
  name: z.string(),
  weight: z.number(),
  score: z.number().nullable(),
  points: z.number().nullable(),
  /** In the last inspection of this site before. */
  previous: z.number().nullable(),
})
const sign = z.object({
  side: z.enum(['site', 'supervisor']),
  name: z.string(),
  groupName: z.string(),
  opinion: z.string(),
  at: z.string(),
})

export const inspectionDetail = inspectionRow.extend({
  part: z.string(),
  remark: z.string().nullable(),
  /** Why it has this grade; for one being scored, as it stands. */
  reason: z.string(),
  categories: z.array(category),
  sheets: z.array(sheet),
  problems: z.array(checkProblem),
  signs: z.array(sign),
  /** The last submitted inspection of this site before this one. */
  previous: z
    .object({ id: z.string(), checkTime: z.string(), score: z.number(), gradeName: z.string(), sameSheets: z.boolean() })
    .nullable(),
  timeline: z.array(logLine),
  signatures: z.array(signatureRow),
  actions: z.array(allowedAction),
})
export type InspectionDetail = z.output<typeof inspectionDetail>

export const listInspections = endpoint({
  method: 'GET',
  path,
  summary: '安全巡检列表',
  needs: 'inspection.view',
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    tab: z.enum(['scoring', 'open']).optional(),
    code: text(50).optional(),
    inspectType: several.optional(),
    checkTime: dayRange.optional(),
    checkers: text(50).optional(),
    score: numericRange.optional(),
    grade: several.optional(),
    weakest: several.optional(),
    problemCount: numericRange.optional(),
    /** With a major hazard. */
    dangerLevel: flag.optional(),
    state: several.optional(),
    sort: sortBy('checkTime', 'score', 'problemCount'),
  }),
  response: paged(inspectionRow).extend({
    counts: z.object({
      /** With notices that are not closed. */
      open: z.number().int(),
      scoring: z.number().int(),
      /** The last submitted inspection of this month. */
      monthScore: z.number().nullable(),
      monthGrade: z.string().nullable(),
      /** Days since the last submitted inspection; null without one. */
      daysSince: z.number().int().nullable(),
    }),
  }),
})

export const inspectionList = listOf(listInspections, {
  feature: 'safetyInspection',
  columns: {
    code: '编号',
    projectName: '项目',
    inspectType: '检查类型',
    checkTime: '检查时间',
    checkerGroupName: '检查单位',
    checkers: '检查人',
    sheetCount: '检查表',
    score: '得分',
    grade: '等级',
    weakest: '失分最多',
    problemCount: '问题',
    dangerLevel: '重大隐患',
    state: '状态',
  },
})

/** Scores of one site over time, and its categories in the last inspection beside the one before. */
export const inspectionTrend = endpoint({
  method: 'GET',
  path: `${path}/trend`,
  summary: '安全巡检得分走势',
  needs: 'inspection.view',
  answers: 'object',
  query: ofProject,
  response: z.object({
    /** The oldest first. A month without an inspection has one entry without score. */
    checks: z.array(
      z.object({ id: z.string().nullable(), day: z.string(), score: z.number().nullable(), gradeName: z.string().nullable() }),
    ),
    categories: z.array(z.object({ code: z.string(), name: z.string(), latest: z.number().nullable(), before: z.number().nullable() })),
    latestDay: z.string().nullable(),
    beforeDay: z.string().nullable(),
  }),
})

/** Sites by the score of their last inspection. Compared are only the categories that all of them were scored in. */
export const inspectionRanking = endpoint({
  method: 'GET',
  path: `${path}/ranking`,
  summary: '安全巡检项目排名',
  needs: 'inspection.view',
  answers: 'object',
  query: ofProject,
  response: z.object({
    /** Names of the categories that all ranked sites were scored in. */
    common: z.array(z.string()),
    sites: z.array(
      z.object({
        projectCode: z.string(),
        projectName: z.string(),
        id: z.string(),
        checkTime: z.string(),
        score: z.number(),
        gradeName: z.string(),
        /** Score in the common categories; null when there are none. */
        comparable: z.number().nullable(),
        openCount: z.number().int(),
        daysSince: z.number().int(),
      }),
    ),
  }),
})

/** What a scored check can be made of. */
export const sheetProposal = z.object({
  sheets: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      categoryName: z.string(),
      weight: z.number(),
      proposed: z.boolean(),
      /** Why it is proposed or not. */
      why: z.string().nullable(),
    }),
  ),
  last: z
    .object({
      checkTime: z.string(),
      part: z.string(),
      checkers: z.array(z.string()),
      sheets: z.array(z.object({ sheetCode: z.string(), label: z.string(), assignee: z.string().nullable() })),
    })
    .nullable(),
  /** People of the caller's group. */
  people: z.array(z.string()),
})

/** Sheets for a new inspection: those that cannot apply are named with the reason; the team and the sheets of the last one. */
export const inspectionProposal = endpoint({
  method: 'GET',
  path: `${path}/proposal`,
  summary: '安全巡检建议检查表',
  needs: 'inspection.check',
  answers: 'object',
  query: ofProject,
  response: sheetProposal,
})

export const getInspection = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '安全巡检详情',
  needs: 'inspection.view',
  params: z.object({ id: ref('siteCheck') }),
  query: ofProject,
  response: inspectionDetail,
})

/** Begins an inspection. The device names the id, so that a repeated request creates nothing more. */
export const createInspection = endpoint({
  method: 'POST',
  path,
  summary: '新建安全巡检',
  needs: inspectionMoves.save.needs,
  acts: 'review',
  // Others score the site; the site scores itself elsewhere.
  groupTypes: [1, 2],
  query: ofProject,
  body: z.object({
    id: pointsTo('siteCheck', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')).optional(),
    ...taskFields,
  }),
  response: z.object({ id: z.string() }),
})

export const changeInspection = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改安全巡检',
  description: '按 action 办理：save、saveSheet、submit、sign、signSupervisor；version 为读取时的版本，saveSheet 为该检查表的版本。',
  needs: codesOfMoves(inspectionMoves),
  acts: 'review',
  actions: rightsOfMoves(inspectionMoves),
  params: z.object({ id: ref('siteCheck') }),
  query: ofProject,
  body: moveBody(inspectionMoves, {}),
})

export const removeInspection = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除未提交的安全巡检',
  needs: inspectionMoves.save.needs,
  acts: 'review',
  groupTypes: [1, 2],
  params: z.object({ id: ref('siteCheck') }),
  query: ofProject,
})

/** The printed summary of one inspection. */
export const inspectionPrint = z.object({ id: ref('siteCheck') })
