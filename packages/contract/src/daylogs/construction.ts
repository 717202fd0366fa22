import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { nullable, ofProject, paged, pageQuery, pointsTo, ref, several } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { codesOfMoves, moveBody, rightsOfMoves } from '../kit/process.ts'
import { constructionFields } from './fields.ts'
import { constructionMoves } from './moves.ts'
import { dayQuery, filters, logDetail, logRow, made, prefill } from './shapes.ts'

const path = '/api/v1/oa/process/construction'
const view = 'safety-management.view'

const counts = z.object({
  /** Days of the month so far on which the site worked. */
  due: z.number().int(),
  written: z.number().int(),
  /** Days on which weather, a stop or something else kept people from working. */
  affected: z.number().int(),
  /** 窝工人次. */
  idle: z.number().int(),
})

export const listConstructionLogs = endpoint({
  method: 'GET',
  path,
  summary: '施工日志列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...filters,
    unit: several.optional(),
    impact: several.optional(),
    sort: sortBy('day', 'workerCount', 'recorder'),
  }),
  response: paged(logRow).extend({ counts }),
})
export const constructionList = listOf(listConstructionLogs, {
  feature: 'construction',
  columns: {
    day: '日期',
    projectName: '项目',
    unitName: '单体',
    weather: '天气',
    parts: '施工部位与内容',
    workerCount: '现场人数',
    ran: '机械运行',
    progress: '当日完成',
    delayDays: '滞后天数',
    impact: '施工影响',
    idleCount: '窝工人次',
    recorder: '记录人',
    submittedAt: '提交时间',
    state: '状态',
  },
})

const id = z.object({ id: ref('constructionLog') })

export const getConstructionLog = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '施工日志详情',
  needs: view,
  params: id,
  query: ofProject,
  response: logDetail,
})

/** What the day has recorded, and the tasks of the unit that are in work. */
export const prefillConstructionLog = endpoint({
  method: 'GET',
  path: `${path}/prefill`,
  summary: '施工日志的系统带入',
  needs: constructionMoves.submit.needs,
  answers: 'object',
  query: dayQuery.extend({ unitId: nullable(ref('unitProject')) }),
  response: prefill,
})

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createConstructionLog = endpoint({
  method: 'POST',
  path,
  summary: '新建施工日志',
  needs: constructionMoves.submit.needs,
  query: ofProject,
  body: z.object({
    id: pointsTo('constructionLog', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')),
    action: z.enum(['save', 'submit']),
    ...constructionFields,
  }),
  response: made,
})

export const changeConstructionLog = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '办理施工日志',
  description: '按 action 办理：save、submit、edit、block、return、comment、answer、archive；version 为读取时的版本，block 不检查版本。',
  needs: codesOfMoves(constructionMoves),
  acts: 'review',
  actions: rightsOfMoves(constructionMoves),
  params: id,
  query: ofProject,
  body: moveBody(constructionMoves, {}),
  response: made,
})

export const removeConstructionLog = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除施工日志草稿',
  needs: constructionMoves.save.needs,
  params: id,
  query: ofProject,
})
