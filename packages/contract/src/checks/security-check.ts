import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ofProject, paged, pageQuery, pointsTo, ref } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { codesOfMoves, moveBody, rightsOfMoves } from '../kit/process.ts'
import { madePatrol, patrolCounts, patrolDetail, patrolFilters, patrolRow, patrolSorts } from './patrol.ts'
import { securityFields, securityMoves } from './patrol-moves.ts'

const path = '/api/v1/oa/process/securityCheck'
const view = 'inspection.view'

export const listSecurityChecks = endpoint({
  method: 'GET',
  path,
  summary: '安全检查列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    ...patrolFilters,
    sort: sortBy(...patrolSorts),
  }),
  response: paged(patrolRow).extend({
    counts: z.object(patrolCounts),
  }),
})

export const securityList = listOf(listSecurityChecks, {
  feature: 'securityCheck',
  columns: {
    code: '编号',
    projectName: '项目',
    inspectType: '检查类型',
    checkTime: '检查时间',
    part: '检查部位',
    placeNames: '位置',
    problem: '首条问题',
    problemCount: '闭合',
    dangerLevel: '隐患等级',
    corpNames: '受检单位',
    persons: '整改人',
    checkers: '检查人',
    deadline: '期限',
    overdueDays: '逾期天数',
    state: '状态',
  },
})

const id = z.object({ id: ref('siteCheck') })

export const getSecurityCheck = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '安全检查详情',
  needs: view,
  params: id,
  query: ofProject,
  response: patrolDetail,
})

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createSecurityCheck = endpoint({
  method: 'POST',
  path,
  summary: '新增安全检查',
  needs: securityMoves.submit.needs,
  acts: 'review',
  query: ofProject,
  body: z.object({
    id: pointsTo('siteCheck', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    action: z.enum(['save', 'submit']),
    ...securityFields,
  }),
  response: madePatrol,
})

export const changeSecurityCheck = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改安全检查',
  description: '按 action 办理：save、submit；version 为读取时的版本。',
  needs: codesOfMoves(securityMoves),
  acts: 'review',
  actions: rightsOfMoves(securityMoves),
  params: id,
  query: ofProject,
  body: moveBody(securityMoves, {}),
  response: madePatrol,
})

export const removeSecurityCheck = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除安全检查草稿',
  needs: securityMoves.save.needs,
  acts: 'review',
  params: id,
  query: ofProject,
})

/** What a checker on this site is likely to write, and which problems are open already. */
export const securityHints = endpoint({
  method: 'GET',
  path: `${path}/hints`,
  summary: '安全检查常用语与未闭合问题',
  needs: securityMoves.submit.needs,
  answers: 'object',
  query: ofProject,
  response: z.object({
    /** Problems written before, the most frequent first. */
    phrases: z.array(z.object({ description: z.string(), requirement: z.string(), itemCode: z.string().nullable() })),
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

export const seriesKinds = ['item', 'part'] as const
/** Days over which repeated problems are counted. */
export const frequentDays = 90

/** Problems of a site that come again and again, by check item or by part. */
export const frequentProblems = endpoint({
  method: 'GET',
  path: `${path}/frequent`,
  summary: '频发问题',
  needs: view,
  answers: 'list',
  query: ofProject.extend({ group: z.enum(seriesKinds) }),
  response: z.object({
    list: z.array(
      z.object({
        /** Code of the item, or the description where none was chosen; or the part. */
        key: z.string(),
        name: z.string(),
        count: z.number().int(),
        checkCount: z.number().int(),
        openCount: z.number().int(),
        /** The newest description, and where the problems are. */
        description: z.string(),
        parts: z.array(z.string()),
        /** Dictionaries hazardSource and riskLevel, as proposals for a measure. */
        hazardSource: z.string(),
        riskLevel: z.string(),
      }),
    ),
    total: z.number().int(),
  }),
})
