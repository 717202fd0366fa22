import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, dayRange, nullable, numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { createTeamBody, stayOfTeam, teamDetail, teamRow, updateTeamBody } from './model.ts'

const pickItem = z.object({ code: z.string(), name: z.string() })

export const listTeams = endpoint({
  method: 'GET',
  path: '/api/v1/oa/team',
  summary: '班组列表',
  needs: 'labour.view',
  answers: 'list',
  query: pageQuery.extend({
    projectCode: pointsTo('project', text(64)).optional(),
    teamName: text(50).optional(),
    teamLeaderName: text(50).optional(),
    workType: several.optional(),
    corpCode: pointsTo('corporation', text(50)).optional(),
    headcount: numericRange.optional(),
    projectCount: numericRange.optional(),
    badCount: numericRange.optional(),
    exitTime: dayRange.optional(),
    state: z.enum(['present', 'idle', 'care']).optional(),
    q: text(50).optional(),
    sort: sortBy('teamName', 'headcount', 'projectCount', 'entryTime', 'exitTime'),
  }),
  response: paged(teamRow),
})

export const teamList = listOf(listTeams, {
  feature: 'team',
  columns: {
    teamName: '班组',
    teamLeaderName: '班组长',
    workType: '工种',
    corpCode: '所属企业',
    projectName: '当前项目',
    headcount: '在册人数',
    attendRate: '近 30 日出勤率',
    steadiness: '三月稳定率',
    projectCount: '合作项目',
    badCount: '不良',
    entryTime: '进场',
    exitTime: '最近退场',
  },
})

export const teamFigures = endpoint({
  method: 'GET',
  path: '/api/v1/oa/team/figures',
  summary: '班组概况',
  needs: 'labour.view',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.object({ total: z.number().int(), present: z.number().int(), idle: z.number().int(), care: z.number().int() }),
})

export const pickTeams = endpoint({
  method: 'GET',
  path: '/api/v1/oa/team/part/list',
  summary: '班组精简列表',
  needs: ['labour.view', 'personnel.view'],
  answers: 'list',
  query: pageQuery.extend({
    projectCode: pointsTo('project', text(64)).optional(),
    corpCode: pointsTo('corporation', text(50)).optional(),
    name: text(50).optional(),
  }),
  response: paged(
    z.object({
      id: z.string(),
      teamSysNo: z.number().int(),
      teamName: z.string(),
      corpCode: z.string(),
      workType: z.string(),
      projectCode: z.string(),
    }),
  ),
})

export const getTeam = endpoint({
  method: 'GET',
  path: '/api/v1/oa/team/:id',
  summary: '班组详情',
  needs: 'labour.view',
  params: z.object({ id: ref('team') }),
  response: teamDetail,
})

/** Options of the team form: companies that may have a team on the project. */
export const teamForm = endpoint({
  method: 'GET',
  path: '/api/v1/oa/team/form/info',
  summary: '班组表单信息',
  needs: 'labour.view',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.object({
    projectCode: z.string().nullable(),
    corps: z.array(pickItem.extend({ entryTime: z.string() })),
    projects: z.array(pickItem),
    people: z.array(z.object({ workerId: z.string(), name: z.string(), teamId: z.string().nullable() })),
  }),
})

export const createTeam = endpoint({
  method: 'POST',
  path: '/api/v1/oa/team',
  summary: '新增班组',
  needs: 'labour.team',
  acts: 'own',
  body: createTeamBody,
  response: z.object({ id: z.string(), teamSysNo: z.number().int() }),
})

export const updateTeam = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/team/:id',
  summary: '修改班组',
  needs: 'labour.team',
  acts: 'own',
  params: z.object({ id: ref('team') }),
  body: updateTeamBody,
})

export const removeTeam = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/team/:id',
  summary: '删除班组',
  needs: 'labour.team',
  acts: 'own',
  params: z.object({ id: ref('team') }),
})

export const listTeamStays = endpoint({
  method: 'GET',
  path: '/api/v1/oa/projectTeam',
  summary: '项目班组列表',
  needs: 'labour.view',
  answers: 'list',
  query: pageQuery.extend({
    projectCode: pointsTo('project', text(64)).optional(),
    teamId: pointsTo('team', text(64)).optional(),
    stationed: text(2).optional(),
  }),
  response: paged(stayOfTeam),
})

/** An existing team enters another project of its company: creates a stay, not a team. */
export const addTeamStay = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectTeam',
  summary: '新增项目班组',
  needs: 'labour.team',
  acts: 'own',
  body: z.object({ projectCode: ref('project'), teamId: ref('team'), entryTime: day }),
  response: z.object({ id: z.string() }),
})

/** Sets times; with `exitTime` the team exits. Refused, naming the people, while members are on the site. */
export const setTeamTime = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectTeam/timeSet',
  summary: '设置项目班组进退场时间',
  needs: ['labour.team', 'labour.teamExit'],
  acts: 'own',
  body: z.object({ id: ref('projectTeam'), entryTime: day.optional(), exitTime: nullable(day) }),
})
