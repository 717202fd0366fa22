import { z } from 'zod'
import { madePatrol, patrolCounts, patrolDetail, patrolFilters, patrolRow, patrolSorts } from '../checks/patrol.ts'
import { endpoint } from '../kit/endpoint.ts'
import { numericRange, ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { codesOfMoves, moveBody, rightsOfMoves } from '../kit/process.ts'
import { codesOfSeats, signatureCall } from '../kit/signatures.ts'
import { inspectionDetail, sheetProposal } from '../scoring/inspections.ts'
import { grades } from '../scoring/score.ts'
import { examineFields, examineMoves, examineRights } from './moves.ts'
import { roundCodes } from './rhythm.ts'

const path = '/api/v1/oa/process/examine'
const view = 'safety-management.view'

export const examineRow = patrolRow.extend({
  round: z.enum(roundCodes),
  roundName: z.string(),
  /** Frozen when submitted. */
  score: z.number().nullable(),
  grade: z.enum(grades).nullable(),
  gradeName: z.string().nullable(),
  sheetCount: z.number().int(),
  /** Problems that are not closed. */
  openCount: z.number().int(),
  archived: z.boolean(),
})
export type ExamineRow = z.output<typeof examineRow>

const { categories, sheets, reason } = inspectionDetail.shape
export const examineDetail = patrolDetail.extend({
  ...examineRow.shape,
  reason,
  categories,
  sheets,
  /** 受检单位. */
  corps: z.array(z.object({ code: z.string(), name: z.string() })),
  /** The last check of the same form before this one. */
  previous: z
    .object({
      id: z.string(),
      checkTime: z.string(),
      score: z.number(),
      gradeName: z.string(),
      problemCount: z.number().int(),
      sameSheets: z.boolean(),
    })
    .nullable(),
  /** By id of the problem: found last time at the same part, and photographs of the newest answer. */
  repeated: z.array(z.string()),
  after: z.array(z.object({ problemId: z.string(), photos: z.array(z.string()) })),
})
export type ExamineDetail = z.output<typeof examineDetail>

const due = z.object({
  round: z.enum(roundCodes),
  name: z.string(),
  due: z.number().int(),
  done: z.number().int(),
  missed: z.number().int(),
})
export type RoundLine = z.output<typeof due>

export const listExamines = endpoint({
  method: 'GET',
  path,
  summary: '项目安全检查列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    ...patrolFilters,
    round: several.optional(),
    checkers: text(50).optional(),
    score: numericRange.optional(),
    grade: several.optional(),
    problemCount: numericRange.optional(),
    sort: sortBy(...patrolSorts, 'score'),
  }),
  response: paged(examineRow).extend({
    counts: z.object({
      ...patrolCounts,
      /** Of the checks submitted in the last eight weeks; null without any. */
      meanScore: z.number().nullable(),
      problems: z.number().int(),
    }),
    /** What this week asks of one site; null for several sites and while work is stopped. */
    rhythm: z.array(due).nullable(),
  }),
})

export const examineList = listOf(listExamines, {
  feature: 'examine',
  columns: {
    code: '编号',
    projectName: '项目',
    round: '检查形式',
    inspectType: '检查类型',
    checkTime: '检查时间',
    checkers: '检查人',
    part: '检查部位',
    sheetCount: '检查表',
    score: '得分',
    grade: '等级',
    problemCount: '问题',
    openCount: '未闭合',
    deadline: '期限',
    state: '状态',
  },
})

const id = z.object({ id: ref('siteCheck') })

/** Scores of one site over time, in all and by sheet. */
export const examineTrend = endpoint({
  method: 'GET',
  path: `${path}/trend`,
  summary: '项目安全检查得分走势',
  needs: view,
  answers: 'object',
  query: ofProject,
  response: z.object({
    checks: z.array(z.object({ id: z.string(), day: z.string(), roundName: z.string(), score: z.number() })),
    /** One line a sheet, with a score for each of `checks`; null where it was not checked. */
    sheets: z.array(z.object({ code: z.string(), name: z.string(), scores: z.array(z.number().nullable()) })),
  }),
})

/** Sheets that fit what stands on the site, and the last check of the caller's group. */
export const examineProposal = endpoint({
  method: 'GET',
  path: `${path}/proposal`,
  summary: '项目安全检查建议检查表',
  needs: examineRights.needs,
  answers: 'object',
  query: ofProject,
  response: sheetProposal,
})

export const getExamine = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '项目安全检查详情',
  needs: view,
  params: id,
  query: ofProject,
  response: examineDetail,
})

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createExamine = endpoint({
  method: 'POST',
  path,
  summary: '新建项目安全检查',
  needs: examineRights.needs,
  acts: examineRights.acts,
  // The site scores itself; others score it by /safetyInspection.
  groupTypes: [2, 3],
  query: ofProject,
  body: z.object({
    id: pointsTo('siteCheck', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    action: z.enum(['save', 'submit']),
    ...examineFields,
  }),
  response: madePatrol,
})

export const changeExamine = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改项目安全检查',
  description: '按 action 办理：save、submit、supplement、archive；version 为读取时的版本。',
  needs: codesOfMoves(examineMoves),
  acts: examineRights.acts,
  actions: rightsOfMoves(examineMoves),
  params: id,
  query: ofProject,
  body: moveBody(examineMoves, {}),
  response: madePatrol,
})

export const removeExamine = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除项目安全检查草稿',
  needs: examineRights.needs,
  acts: examineRights.acts,
  params: id,
  query: ofProject,
})

export const signExamine = signatureCall({ path, noun: '项目安全检查', needs: codesOfSeats(examineRights), params: id })
