import { z } from 'zod'
import { drawFile } from '../draw/file.ts'
import { endpoint } from '../kit/endpoint.ts'
import { dayRange, flag, numericRange, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { allowedAction, codesOfMoves, logLine, moveBody, rightsOfMoves } from '../kit/process.ts'
import { campaignFields, campaignMoves, recheckers } from './moves.ts'

export const campaignPath = '/api/v1/oa/process/provinces'
const view = 'supervision.view'
const edits = campaignMoves.save.needs
const count = z.number().int()

/** Figures of the caller's view: a district counts only the projects that it may know. */
const figures = {
  /** Projects to be checked, and of these submitted. */
  due: count,
  done: count,
  /** Mean of the submitted scores; two decimals. */
  avgScore: z.number().nullable(),
  problems: count,
  major: count,
  notices: count,
  openNotices: count,
  /** Closed notices of all, in percent; null without notices. */
  closeRate: z.number().nullable(),
}

export const campaignRow = z.object({
  id: z.string(),
  code: z.string().nullable(),
  name: z.string(),
  level: z.string(),
  levelName: z.string(),
  organiserName: z.string(),
  /** The caller's group holds it. */
  own: z.boolean(),
  startDate: z.string(),
  endDate: z.string(),
  /** Until its last day; negative afterwards; null when it is finished or cancelled. */
  daysLeft: count.nullable(),
  surprise: z.boolean(),
  drawMode: z.enum(['1', '2']),
  drawModeName: z.string(),
  groupCount: count,
  ...figures,
  /** The caller's own group in it, and what that group has to do; null when he is in none. */
  mine: z.object({ groupName: z.string(), leader: z.string().nullable(), isLeader: z.boolean(), due: count, done: count }).nullable(),
  /** There is a report that the caller may read. */
  published: z.boolean(),
  state: z.string(),
  stateName: z.string(),
  version: count,
})
export type CampaignRow = z.output<typeof campaignRow>

export const listCampaigns = endpoint({
  method: 'GET',
  path: campaignPath,
  summary: '省市督查列表',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    /** `mine`: the caller is in a group, or it has reached his institution, company or project. `own`: held by the caller's group. */
    tab: z.enum(['mine', 'own']).optional(),
    name: text(50).optional(),
    level: several.optional(),
    /** Its period touches these days. */
    startDate: dayRange.optional(),
    year: z
      .string()
      .regex(/^\d{4}$/, '年度应为四位数字')
      .optional(),
    drawMode: several.optional(),
    avgScore: numericRange.optional(),
    majorCount: numericRange.optional(),
    closeRate: numericRange.optional(),
    state: several.optional(),
    /** Issued, and neither finished nor cancelled. */
    running: flag.optional(),
    sort: sortBy('startDate', 'avgScore', 'majorCount', 'closeRate'),
  }),
  response: paged(campaignRow).extend({
    counts: z.object({ running: count, projects: count, problems: count, closeRate: z.number().nullable() }),
  }),
})

export const campaignList = listOf(listCampaigns, {
  feature: 'provinces',
  columns: {
    name: '督查名称',
    level: '层级',
    startDate: '起止',
    drawMode: '抽取方式',
    groupCount: '检查组',
    projectDone: '已检/应检',
    avgScore: '平均得分',
    majorCount: '重大隐患',
    closeRate: '整改率',
    state: '状态',
  },
})

const member = z.object({
  userId: z.string().nullable(),
  expertId: z.string().nullable(),
  name: z.string(),
  unit: z.string(),
  leader: z.boolean(),
  disciplines: z.array(z.string()),
})
export type CampaignMember = z.output<typeof member>
const quota = z.object({
  areaCode: z.string().nullable(),
  riskLevel: z.string().nullable(),
  category: z.string().nullable(),
  seats: count,
  label: z.string(),
})

/** A project of a campaign. */
export const campaignTask = z.object({
  taskId: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  areaCode: z.string(),
  areaName: z.string(),
  category: z.string(),
  source: z.enum(['named', 'drawn', 'replacement']),
  sourceName: z.string(),
  /** Number of the run and position in the order drawn. */
  run: count.nullable(),
  rank: count.nullable(),
  reason: z.string().nullable(),
  /** The project that it replaces. */
  replaces: z.string().nullable(),
  groupSeq: count.nullable(),
  groupName: z.string().nullable(),
  /** Groups that must not check it, each with the reason. */
  conflicts: z.array(z.object({ groupSeq: count, why: z.string() })),
  checkId: z.string().nullable(),
  /** Why it is no longer in. */
  dropped: z.string().nullable(),
})
export type CampaignTask = z.output<typeof campaignTask>

const run = z.object({
  id: z.string(),
  run: count,
  reason: z.string().nullable(),
  candidates: count,
  leftOut: z.array(z.object({ reason: z.string(), count })),
  listHash: z.string(),
  commitment: z.string(),
  frozenTime: z.string(),
  frozenBy: z.string(),
  drawnTime: z.string().nullable(),
  witnesses: z.array(z.string()),
})
export type CampaignRun = z.output<typeof run>

export const campaignDetail = campaignRow.omit({ mine: true }).extend({
  deadlineDays: count,
  recheck: z.enum(Object.keys(recheckers) as [keyof typeof recheckers]),
  recheckName: z.string(),
  summary: z.string().nullable(),
  finishTime: z.string().nullable(),
  /** Empty for companies and sites, which read the report only. */
  groups: z.array(z.object({ seq: count, name: z.string(), areaCode: z.string().nullable(), members: z.array(member) })),
  quotas: z.array(quota),
  sheets: z.array(z.object({ discipline: z.string(), disciplineName: z.string(), sheetCode: z.string(), sheetName: z.string() })),
  /** The organiser's; empty for others. */
  runs: z.array(run),
  /** Projects that the caller may know, also those that are no longer in. */
  tasks: z.array(campaignTask),
  /** What stands in the way of the report. */
  open: z.array(z.object({ label: z.string(), link: z.string() })),
  timeline: z.array(logLine),
  actions: z.array(allowedAction),
  removable: z.boolean(),
})
export type CampaignDetail = z.output<typeof campaignDetail>

export const getCampaign = endpoint({
  method: 'GET',
  path: `${campaignPath}/:id`,
  summary: '省市督查详情',
  needs: view,
  params: z.object({ id: ref('campaign') }),
  query: ofProject,
  response: campaignDetail,
})

export const createCampaign = endpoint({
  method: 'POST',
  path: campaignPath,
  summary: '新增省市督查',
  needs: edits,
  acts: 'aside',
  groupTypes: [1],
  query: ofProject,
  body: z.object({ action: z.enum(['save', 'issue']), ...campaignFields }),
  response: z.object({ id: z.string() }),
})

export const changeCampaign = endpoint({
  method: 'PUT',
  path: `${campaignPath}/:id`,
  summary: '办理省市督查',
  description: `按 action 办理：${Object.keys(campaignMoves).join('、')}；version 为读取时的版本。`,
  needs: codesOfMoves(campaignMoves),
  acts: 'aside',
  actions: rightsOfMoves(campaignMoves),
  params: z.object({ id: ref('campaign') }),
  query: ofProject,
  body: moveBody(campaignMoves, {}),
})

export const removeCampaign = endpoint({
  method: 'DELETE',
  path: `${campaignPath}/:id`,
  summary: '删除省市督查草稿',
  needs: edits,
  acts: 'aside',
  params: z.object({ id: ref('campaign') }),
  query: ofProject,
})

/** Removes a project that was named by hand, before the lock. What was drawn stays. */
export const removeTask = endpoint({
  method: 'DELETE',
  path: `${campaignPath}/task/:taskId`,
  summary: '移出指定项目',
  needs: edits,
  acts: 'aside',
  params: z.object({ taskId: ref('campaignProject') }),
  query: ofProject,
})

const conflict = z.object({ projectCode: z.string(), projectName: z.string(), why: z.string() })
/** Who can be put into a group, with what speaks against it. */
export const campaignPeople = endpoint({
  method: 'GET',
  path: `${campaignPath}/people`,
  summary: '可编组的人员与专家',
  needs: edits,
  answers: 'list',
  groupTypes: [1],
  query: ofProject.extend({ kind: z.enum(['user', 'expert']), name: text(30).optional() }),
  response: paged(
    z.object({
      id: z.string(),
      name: z.string(),
      unit: z.string(),
      /** Projects that he must not check; at most a few are named. */
      conflicts: count,
      examples: z.array(conflict),
    }),
  ),
})
export type CampaignPerson = NonNullable<(typeof campaignPeople)['types']>['out']['list'][number]

const candidate = z.object({
  projectCode: z.string(),
  projectName: z.string(),
  areaCode: z.string(),
  areaName: z.string(),
  category: z.string(),
  categoryName: z.string(),
  phase: z.string().nullable(),
  phaseName: z.string().nullable(),
  riskLevel: z.string().nullable(),
  buildingArea: z.number().nullable(),
  /** Day of the last submitted check of a campaign; null without one. */
  lastCheck: z.string().nullable(),
  openRectify: count,
})
export type Candidate = z.output<typeof candidate>

/** The projects that can come into a campaign now; of the others how many and why. */
export const listPool = endpoint({
  method: 'GET',
  path: `${campaignPath}/:id/pool`,
  summary: '候选项目',
  needs: edits,
  answers: 'list',
  groupTypes: [1],
  params: z.object({ id: ref('campaign') }),
  query: pageQuery.extend({
    ...ofProject.shape,
    projectName: text(50).optional(),
    areaCode: several.optional(),
    riskLevel: several.optional(),
    category: several.optional(),
    phase: several.optional(),
    lastCheck: dayRange.optional(),
    buildingArea: numericRange.optional(),
    openRectify: flag.optional(),
    sort: sortBy('projectName', 'lastCheck', 'buildingArea', 'openRectify'),
  }),
  response: paged(candidate).extend({
    counts: z.object({
      pool: count,
      leftOut: z.array(z.object({ reason: z.string(), count })),
      quotas: z.array(z.object({ label: z.string(), seats: count, candidates: count })),
    }),
  }),
})
export const poolList = listOf(listPool, {
  columns: {
    projectName: '项目',
    areaCode: '区划',
    riskLevel: '风险等级',
    category: '项目分类',
    phase: '形象进度',
    lastCheck: '上次督查',
    buildingArea: '建筑面积',
    openRectify: '未闭合整改',
  },
})

/** The published file of a run, recomputed from its list, seed and digits. */
export const verifyCampaignDraw = endpoint({
  method: 'GET',
  path: `${campaignPath}/:id/file`,
  summary: '复验抽取',
  needs: edits,
  params: z.object({ id: ref('campaign') }),
  query: ofProject.extend({ run: z.coerce.number().int().min(1) }),
  response: z.object({
    file: drawFile,
    /** List hash, commitment and result agree, and what stands in the campaign is what was drawn. */
    agrees: z.boolean(),
    chain: z.object({ entries: count, sound: z.boolean() }),
  }),
})
