import { z } from 'zod'
import { madePatrol, patrolCounts, patrolDetail, patrolFilters, patrolRow, patrolSorts } from '../checks/patrol.ts'
import { checkProblem } from '../checks/problems.ts'
import { endpoint } from '../kit/endpoint.ts'
import { ofProject, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { codesOfSeats, signatureCall } from '../kit/signatures.ts'
import { itemResults } from '../scoring/score.ts'
import { orderCodes, registerCodes, themeCodes } from './catalogue.ts'
import { campaignFields, campaignMoves, pointFields, themeCheckFields, themeMoves, themeRights } from './moves.ts'

const path = '/api/v1/oa/process/checksP'
const view = 'safety-management.view'

export const themeRow = patrolRow.extend({
  campaignId: z.string(),
  title: z.string(),
  theme: z.enum(themeCodes),
  themeName: z.string(),
  objectCount: z.number().int(),
  /** Problems that are not closed. */
  openCount: z.number().int(),
  /** Dictionary checkResult; null for a draft. */
  result: z.string().nullable(),
  resultName: z.string().nullable(),
})
export type ThemeRow = z.output<typeof themeRow>

const item = z.object({
  itemCode: z.string(),
  name: z.string(),
  requirement: z.string().nullable(),
  result: z.enum(itemResults),
  resultName: z.string(),
  note: z.string().nullable(),
  reason: z.string().nullable(),
  photos: z.array(z.string()),
})
export const themeDetail = patrolDetail.extend({
  ...themeRow.shape,
  objects: z.array(
    z.object({ key: z.string(), name: z.string(), registerName: z.string(), notApplicable: z.string().nullable(), items: z.array(item) }),
  ),
})
export type ThemeDetail = z.output<typeof themeDetail>

export const listThemeChecks = endpoint({
  method: 'GET',
  path,
  summary: '项目专项检查列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    ...patrolFilters,
    campaign: pointsTo('themeCampaign', text(64)).optional(),
    title: text(50).optional(),
    theme: several.optional(),
    checkers: text(50).optional(),
    result: several.optional(),
    sort: sortBy(...patrolSorts),
  }),
  response: paged(themeRow).extend({ counts: z.object(patrolCounts) }),
})

export const themeList = listOf(listThemeChecks, {
  feature: 'checksP',
  columns: {
    code: '编号',
    projectName: '项目',
    title: '专项名称',
    theme: '主题',
    inspectType: '检查类型',
    checkTime: '检查时间',
    checkers: '检查人',
    objectCount: '检查对象',
    result: '结论',
    problemCount: '问题',
    openCount: '未闭合',
    deadline: '期限',
    state: '状态',
  },
})

export const campaignRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  title: z.string(),
  theme: z.enum(themeCodes),
  themeName: z.string(),
  orderedBy: z.enum(orderCodes),
  orderedByName: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  /** Days past the end of a running campaign; 0 otherwise. */
  overdueDays: z.number().int(),
  persons: z.array(z.string()),
  leaderGroupName: z.string(),
  objectCount: z.number().int(),
  checkedCount: z.number().int(),
  problemCount: z.number().int(),
  openCount: z.number().int(),
  reported: z.boolean(),
  state: z.string(),
  stateName: z.string(),
  version: z.number().int(),
})
export type CampaignCard = z.output<typeof campaignRow>

/** The campaigns of the sites: those that run first, then the newest. */
export const listThemeCampaigns = endpoint({
  method: 'GET',
  path: `${path}/campaigns`,
  summary: '专项检查活动',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, tab: z.enum(['running', 'late', 'done', 'draft']).optional() }),
  response: paged(campaignRow).extend({
    counts: z.object({ running: z.number().int(), late: z.number().int(), done: z.number().int(), draft: z.number().int() }),
  }),
})

const point = z.object({ code: z.string(), ...pointFields })
const object = z.object({
  key: z.string(),
  name: z.string(),
  register: z.string(),
  registerName: z.string(),
  /** It joined the register after the campaign began. */
  added: z.boolean(),
  state: z.enum(['unchecked', 'fine', 'problem', 'mended', 'skipped']),
  stateName: z.string(),
  checkId: z.string().nullable(),
  checkTime: z.string().nullable(),
  problemCount: z.number().int(),
  openCount: z.number().int(),
})
export type CampaignObject = z.output<typeof object>

export const campaignDetail = campaignRow.extend({
  basis: z.string().nullable(),
  notice: z.object({ id: z.string(), code: z.string().nullable() }).nullable(),
  registers: z.array(z.enum(registerCodes)),
  points: z.array(point),
  objects: z.array(object),
  problems: z.array(checkProblem.extend({ checkId: z.string() })),
  checks: z.array(
    z.object({
      id: z.string(),
      code: z.string().nullable(),
      checkTime: z.string(),
      checkers: z.array(z.string()),
      objectCount: z.number().int(),
      problemCount: z.number().int(),
      state: z.string(),
      stateName: z.string(),
    }),
  ),
  report: z.string().nullable(),
  reportedAt: z.string().nullable(),
  closedAt: z.string().nullable(),
  /** Why it cannot be closed yet. */
  hindrance: z.string().nullable(),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
})
export type CampaignDetail = z.output<typeof campaignDetail>

/** What a new campaign can be made of: the registers with their entries, people, and notices that may have ordered it. */
export const themeSetup = endpoint({
  method: 'GET',
  path: `${path}/setup`,
  summary: '专项检查可选对象与人员',
  needs: themeRights.needs,
  answers: 'object',
  query: ofProject,
  response: z.object({
    registers: z.array(z.object({ code: z.enum(registerCodes), name: z.string(), objects: z.array(z.string()) })),
    people: z.array(z.string()),
    notices: z.array(z.object({ id: z.string(), code: z.string().nullable(), summary: z.string() })),
  }),
})

const newId = z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确')
const ofCampaign = z.object({ id: ref('themeCampaign') })
const ofCheck = z.object({ id: ref('siteCheck') })
const made = z.object({ id: z.string(), version: z.number().int(), state: z.string() })

export const getThemeCampaign = endpoint({
  method: 'GET',
  path: `${path}/:id`,
  summary: '项目专项检查详情',
  needs: view,
  params: ofCampaign,
  query: ofProject,
  response: campaignDetail,
})

/** Saves a campaign as a draft, or starts it at once. */
export const createThemeCampaign = endpoint({
  method: 'POST',
  path,
  summary: '新建专项检查',
  needs: themeRights.needs,
  acts: themeRights.acts,
  groupTypes: [2, 3],
  query: ofProject,
  body: z.object({ id: pointsTo('themeCampaign', newId), action: z.enum(['save', 'start']), ...campaignFields }),
  response: made,
})

export const changeThemeCampaign = endpoint({
  method: 'PUT',
  path: `${path}/:id`,
  summary: '修改专项检查',
  description: '按 action 办理：save、start、report、close、archive；version 为读取时的版本。',
  needs: codesOfMoves(campaignMoves),
  acts: themeRights.acts,
  actions: rightsOfMoves(campaignMoves),
  params: ofCampaign,
  query: ofProject,
  body: moveBody(campaignMoves, {}),
  response: made,
})

export const removeThemeCampaign = endpoint({
  method: 'DELETE',
  path: `${path}/:id`,
  summary: '删除专项检查草稿',
  needs: themeRights.needs,
  acts: themeRights.acts,
  params: ofCampaign,
  query: ofProject,
})

export const getThemeCheck = endpoint({
  method: 'GET',
  path: `${path}/checks/:id`,
  summary: '专项检查登记详情',
  needs: view,
  params: ofCheck,
  query: ofProject,
  response: themeDetail,
})

/** Creates a draft, or submits at once. The device names the id, so that a repeated request creates nothing more. */
export const createThemeCheck = endpoint({
  method: 'POST',
  path: `${path}/checks`,
  summary: '登记专项检查',
  needs: themeRights.needs,
  acts: themeRights.acts,
  groupTypes: [2, 3],
  query: ofProject,
  body: z.object({ id: pointsTo('siteCheck', newId), action: z.enum(['save', 'submit']), ...themeCheckFields }),
  response: madePatrol,
})

export const changeThemeCheck = endpoint({
  method: 'PUT',
  path: `${path}/checks/:id`,
  summary: '修改专项检查登记',
  description: '按 action 办理：save、submit；version 为读取时的版本。',
  needs: codesOfMoves(themeMoves),
  acts: themeRights.acts,
  actions: rightsOfMoves(themeMoves),
  params: ofCheck,
  query: ofProject,
  body: moveBody(themeMoves, {}),
  response: madePatrol,
})

export const removeThemeCheck = endpoint({
  method: 'DELETE',
  path: `${path}/checks/:id`,
  summary: '删除专项检查登记草稿',
  needs: themeRights.needs,
  acts: themeRights.acts,
  params: ofCheck,
  query: ofProject,
})

export const signThemeCheck = signatureCall({
  path: `${path}/checks`,
  noun: '专项检查登记',
  needs: codesOfSeats(themeRights),
  params: ofCheck,
})

/** The printed report of a campaign. */
export const campaignPrint = z.object({ id: ref('themeCampaign') })
