import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ofProject, paged, pageQuery, ref } from '../kit/fields.ts'
import { codesOfMoves, moveBody, rightsOfMoves } from '../kit/process.ts'
import { madeNotice, newNotice, noticeCounts, noticeFilters, rectifyDetail, rectifyRow, rectifyViews } from './calls.ts'
import { rectifyMoves } from './moves.ts'

/*
 * The notices of authorities (projectRectify) and of sites (abarbeitung) as process types: the same rows and handlers as
 * /api/v2/oa/se/rectify, each limited to its origin.
 */
const query = pageQuery.extend({ ...ofProject.shape, ...noticeFilters })
const response = paged(rectifyRow).extend({ counts: noticeCounts })
const params = z.object({ id: ref('rectify') })
const change = {
  needs: codesOfMoves(rectifyMoves),
  acts: 'own',
  actions: rightsOfMoves(rectifyMoves),
  params,
  query: ofProject,
  body: moveBody(rectifyMoves, {}),
} as const
const create = {
  needs: rectifyMoves.issue.needs,
  acts: 'review',
  query: ofProject,
  body: z.object(newNotice),
  response: madeNotice,
} as const
const list = { needs: rectifyViews, answers: 'list', query, response } as const
const one = { needs: rectifyViews, params, query: ofProject, response: rectifyDetail } as const

export const listProjectRectify = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/projectRectify',
  summary: '监管整改列表',
  ...list,
})
export const getProjectRectify = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/projectRectify/:id',
  summary: '监管整改详情',
  ...one,
})
export const createProjectRectify = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/projectRectify',
  summary: '下发监管整改',
  ...create,
})
export const changeProjectRectify = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/projectRectify/:id',
  summary: '办理监管整改',
  ...change,
})

export const listAbarbeitung = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/abarbeitung',
  summary: '项目安全整改列表',
  ...list,
})
export const getAbarbeitung = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/abarbeitung/:id',
  summary: '项目安全整改详情',
  ...one,
})
export const createAbarbeitung = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/abarbeitung',
  summary: '新增项目安全整改',
  ...create,
})
export const changeAbarbeitung = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/process/abarbeitung/:id',
  summary: '办理项目安全整改',
  ...change,
})
