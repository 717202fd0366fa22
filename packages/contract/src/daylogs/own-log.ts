import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ofProject, paged, pageQuery, pointsTo, ref, several } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { codesOfMoves, moveBody, rightsOfMoves } from '../kit/process.ts'
import { ownFields } from './fields.ts'
import { ownMoves } from './moves.ts'
import { dayQuery, filters, logDetail, logRow, made, prefill } from './shapes.ts'

const path = '/api/v1/oa/process/log'
const view = 'safety-management.view'
/** A site writes its own kind of log. */
const institutions = [1, 2]

export const listOwnLogs = endpoint({
  method: 'GET',
  path,
  summary: '本单位安全日志列表',
  needs: view,
  groupTypes: institutions,
  answers: 'list',
  query: pageQuery.extend({
    ...filters,
    /** Sites that it is about. */
    project: pointsTo('project', several).optional(),
    sort: sortBy('day', 'recorder'),
  }),
  response: paged(logRow),
})
export const ownLogList = listOf(listOwnLogs, {
  feature: 'log',
  columns: {
    day: '日期',
    recorder: '记录人',
    projects: '涉及项目',
    parts: '检查部位与内容',
    problemCount: '问题',
    commentCount: '批阅',
    submittedAt: '提交时间',
    state: '状态',
  },
})

const id = z.object({ id: ref('ownLog') })

export const getOwnLog = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '本单位安全日志详情',
  needs: view,
  groupTypes: institutions,
  params: id,
  query: ofProject,
  response: logDetail,
})

/** Where the writer was that day, and what the chosen sites have recorded. */
export const prefillOwnLog = endpoint({
  method: 'GET',
  path: `${path}/prefill`,
  summary: '本单位日志的系统带入',
  needs: ownMoves.submit.needs,
  groupTypes: institutions,
  answers: 'object',
  query: dayQuery.extend({ projects: pointsTo('project', several).optional() }),
  response: prefill,
})

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createOwnLog = endpoint({
  method: 'POST',
  path,
  summary: '新建本单位安全日志',
  needs: ownMoves.submit.needs,
  acts: 'aside',
  groupTypes: institutions,
  query: ofProject,
  body: z.object({
    id: pointsTo('ownLog', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    action: z.enum(['save', 'submit']),
    ...ownFields,
  }),
  response: made,
})

export const changeOwnLog = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理本单位安全日志',
  description: '按 action 办理：save、submit、edit、comment、answer、archive；version 为读取时的版本。',
  needs: codesOfMoves(ownMoves),
  acts: 'aside',
  actions: rightsOfMoves(ownMoves),
  groupTypes: institutions,
  params: id,
  query: ofProject,
  body: moveBody(ownMoves, {}),
  response: made,
})

export const removeOwnLog = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除本单位安全日志草稿',
  needs: ownMoves.save.needs,
  acts: 'aside',
  groupTypes: institutions,
  params: id,
  query: ofProject,
})
