import { z } from 'zod'
import { madePatrol, patrolCounts, patrolDetail, patrolFilters, patrolRow, patrolSorts } from '../checks/patrol.ts'
import { checkProblem } from '../checks/problems.ts'
import { checkSeatRights } from '../checks/seats.ts'
import { endpoint } from '../kit/endpoint.ts'
import { numericRange, ofProject, paged, pageQuery, pointsTo, ref, several } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { codesOfMoves, moveBody, rightsOfMoves } from '../kit/process.ts'
import { codesOfSeats, signatureCall } from '../kit/signatures.ts'
import { itemResults } from '../scoring/score.ts'
import { qualityFields, qualityMoves } from './inspection-moves.ts'

const path = '/api/v1/oa/process/qualityInspection'
const view = 'inspection.view'
/** Days over which defects and the share of right items are counted. */
export const qualityDays = 90

export const qualityRow = patrolRow.extend({
  /** Names of the sub-items (dictionary qualityCheckItem). */
  itemNames: z.array(z.string()),
  /** 通病 of its problems (dictionary qualityProblem). */
  qualityProblems: z.array(z.string()),
  qualityProblemNames: z.array(z.string()),
  /** Dictionary checkResult; null for a draft. */
  conclusion: z.string().nullable(),
  conclusionName: z.string().nullable(),
})
export type QualityRow = z.output<typeof qualityRow>

const item = z.object({
  itemCode: z.string(),
  name: z.string(),
  /** Of the division (分部) it is in. */
  groupName: z.string(),
  result: z.enum(itemResults),
  resultName: z.string(),
  measured: z.string().nullable(),
  standard: z.string().nullable(),
  note: z.string().nullable(),
})
export type QualityItem = z.output<typeof item>
const problem = checkProblem.extend({
  itemCode: z.string(),
  itemName: z.string(),
  qualityProblem: z.string(),
  qualityProblemName: z.string(),
  measured: z.string().nullable(),
  standard: z.string().nullable(),
  /** How often this defect was found at this part or place until now, this time included. */
  times: z.number().int(),
})
export type QualityProblem = z.output<typeof problem>

const qualityDetail = patrolDetail.extend({
  ...qualityRow.shape,
  items: z.array(item),
  problems: z.array(problem),
  /** Improvements that its problems were picked into. */
  improvements: z.array(z.object({ id: z.string(), code: z.string().nullable(), title: z.string(), stateName: z.string() })),
})
export type QualityDetail = z.output<typeof qualityDetail>

export const listQualityChecks = endpoint({
  method: 'GET',
  path,
  summary: '质量检查列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    ...patrolFilters,
    /** Sub-items or whole divisions (dictionary qualityCheckItem). */
    items: several.optional(),
    qualityProblem: several.optional(),
    conclusion: several.optional(),
    problemCount: numericRange.optional(),
    sort: sortBy(...patrolSorts),
  }),
  response: paged(qualityRow).extend({
    counts: z.object({
      ...patrolCounts,
      /** Share of the judged items of the last 90 days that were right the first time, in percent; null without any. */
      rightRate: z.number().nullable(),
      /** The most frequent defect of the last 90 days. */
      topProblem: z
        .object({ code: z.string(), name: z.string(), count: z.number().int(), checks: z.number().int(), from: z.string() })
        .nullable(),
    }),
  }),
})

export const qualityList = listOf(listQualityChecks, {
  feature: 'qualityInspection',
  columns: {
    code: '编号',
    projectName: '项目',
    checkTime: '检查时间',
    inspectType: '检查类型',
    itemNames: '分部分项',
    qualityProblemNames: '通病',
    part: '检查部位',
    placeNames: '位置',
    corpNames: '施工单位',
    persons: '整改人',
    checkers: '检查人',
    problemCount: '问题',
    deadline: '期限',
    overdueDays: '逾期天数',
    conclusion: '结论',
    state: '状态',
  },
})

const id = z.object({ id: ref('siteCheck') })

export const getQualityCheck = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '质量检查详情',
  needs: view,
  params: id,
  query: ofProject,
  response: qualityDetail,
})

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createQualityCheck = endpoint({
  method: 'POST',
  path,
  summary: '新增质量检查',
  needs: qualityMoves.submit.needs,
  acts: 'review',
  query: ofProject,
  body: z.object({
    id: pointsTo('siteCheck', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    action: z.enum(['save', 'submit']),
    ...qualityFields,
  }),
  response: madePatrol,
})

export const changeQualityCheck = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改质量检查',
  description: '按 action 办理：save、submit；version 为读取时的版本。',
  needs: codesOfMoves(qualityMoves),
  acts: 'review',
  actions: rightsOfMoves(qualityMoves),
  params: id,
  query: ofProject,
  body: moveBody(qualityMoves, {}),
  response: madePatrol,
})

export const removeQualityCheck = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除质量检查草稿',
  needs: qualityMoves.save.needs,
  acts: 'review',
  params: id,
  query: ofProject,
})

export const signQualityCheck = signatureCall({
  path,
  noun: '质量检查',
  needs: codesOfSeats(...Object.values(checkSeatRights)),
  params: id,
})

/** What a checker on this site looks at and writes most, and which problems are open already. */
export const qualityHints = endpoint({
  method: 'GET',
  path: `${path}/hints`,
  summary: '质量检查常用项与未闭合问题',
  needs: qualityMoves.submit.needs,
  answers: 'object',
  query: ofProject,
  response: z.object({
    /** Sub-items checked last, the newest first. */
    items: z.array(z.object({ code: z.string(), name: z.string() })),
    phrases: z.array(
      z.object({
        description: z.string(),
        requirement: z.string(),
        itemCode: z.string().nullable(),
        qualityProblem: z.string().nullable(),
      }),
    ),
    parts: z.array(z.string()),
    open: z.array(
      z.object({
        noticeId: z.string(),
        noticeCode: z.string().nullable(),
        part: z.string(),
        placeId: z.string().nullable(),
        description: z.string(),
        itemCode: z.string().nullable(),
        stateName: z.string(),
        deadline: z.string(),
      }),
    ),
  }),
})
