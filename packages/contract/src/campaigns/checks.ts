import { z } from 'zod'
import { type ActionRights, endpoint } from '../kit/endpoint.ts'
import { dayRange, flag, numericRange, ofProject, paged, pageQuery, ref, several } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { grades } from '../scoring/score.ts'
import { campaignPath } from './calls.ts'
import { planId } from './moves.ts'

const view = 'supervision.view'
const count = z.number().int()

/** One project of a campaign with its check. */
export const campaignCheck = z.object({
  taskId: z.string(),
  /** Null until the list is locked. */
  checkId: z.string().nullable(),
  projectCode: z.string(),
  projectName: z.string(),
  areaCode: z.string(),
  areaName: z.string(),
  groupName: z.string().nullable(),
  checkers: z.array(z.string()),
  checkDate: z.string().nullable(),
  score: z.number().nullable(),
  grade: z.enum(grades).nullable(),
  gradeName: z.string().nullable(),
  /** Among the projects that were checked by the same sheets; null for others, and for callers who are not told. */
  rank: count.nullable(),
  /** Sheets of the template that did not apply or were not checked: it is not ranked. */
  missingSheets: z.array(z.string()),
  problemCount: count,
  majorCount: count,
  /** The gravest of its notices (dictionary rectifyNoticeType). */
  noticeType: z.string().nullable(),
  noticeTypeName: z.string().nullable(),
  notices: count,
  openNotices: count,
  closeRate: z.number().nullable(),
  disciplines: z.array(z.object({ code: z.string(), name: z.string(), byName: z.string().nullable() })),
  state: z.string(),
  stateName: z.string(),
})
export type CampaignCheck = z.output<typeof campaignCheck>

export const listCampaignChecks = endpoint({
  method: 'GET',
  path: `${campaignPath}/checks`,
  summary: '督查项目与检查',
  needs: view,
  answers: 'list',
  query: pageQuery.extend({
    ...ofProject.shape,
    planId,
    areaCode: several.optional(),
    groupName: several.optional(),
    checkers: several.optional(),
    checkDate: dayRange.optional(),
    score: numericRange.optional(),
    grade: several.optional(),
    problemCount: numericRange.optional(),
    /** With a major hazard. */
    majorCount: flag.optional(),
    noticeType: several.optional(),
    closeRate: numericRange.optional(),
    state: several.optional(),
    /** Submitted. */
    done: flag.optional(),
    sort: sortBy('score', 'checkDate', 'problemCount', 'majorCount', 'closeRate'),
  }),
  response: paged(campaignCheck).extend({
    counts: z.object({ due: count, done: count, avgScore: z.number().nullable(), major: count }),
  }),
})
export const campaignCheckList = listOf(listCampaignChecks, {
  feature: 'provincesCheck',
  columns: {
    rank: '排名',
    projectName: '项目',
    areaCode: '区划',
    groupName: '检查组',
    checkers: '人员',
    checkDate: '检查时间',
    score: '得分',
    grade: '等级',
    problemCount: '问题数',
    majorCount: '重大隐患',
    noticeType: '处理',
    closeRate: '整改率',
    state: '状态',
  },
})

/** Projects by the ten categories of the standard. */
export const campaignMatrix = endpoint({
  method: 'GET',
  path: `${campaignPath}/:id/matrix`,
  summary: '问题矩阵',
  needs: view,
  answers: 'list',
  params: z.object({ id: ref('campaign') }),
  query: ofProject,
  response: z.object({
    categories: z.array(z.object({ code: z.string(), name: z.string(), mean: z.number().nullable() })),
    list: z.array(
      z.object({
        taskId: z.string(),
        checkId: z.string().nullable(),
        projectName: z.string(),
        score: z.number().nullable(),
        /** Score of each category in the order of `categories`; null: not checked. */
        scores: z.array(z.number().nullable()),
        problems: z.array(count),
      }),
    ),
    total: count,
  }),
})

/** Progress of a campaign by area and by group. */
export const campaignProgress = endpoint({
  method: 'GET',
  path: `${campaignPath}/:id/progress`,
  summary: '督查进度',
  needs: view,
  answers: 'list',
  params: z.object({ id: ref('campaign') }),
  query: ofProject,
  response: paged(z.object({ by: z.enum(['area', 'group']), name: z.string(), due: count, done: count })),
})

/** The checks that wait for the caller's groups, over all campaigns, with where they are. */
export const listMyChecks = endpoint({
  method: 'GET',
  path: `${campaignPath}/mine`,
  summary: '我的待检项目',
  needs: 'supervision.campaignCheck',
  answers: 'list',
  groupTypes: [1],
  query: ofProject,
  response: paged(
    z.object({
      campaignId: z.string(),
      campaignName: z.string(),
      taskId: z.string(),
      checkId: z.string(),
      projectCode: z.string(),
      projectName: z.string(),
      address: z.string(),
      /** WGS-84. */
      lng: z.number(),
      lat: z.number(),
      plannedDate: z.string(),
      state: z.string(),
      stateName: z.string(),
    }),
  ),
})
export type MyCheck = NonNullable<(typeof listMyChecks)['types']>['out']['list'][number]

/** What a check is within its campaign. Sites and companies learn neither rank nor mean. */
export const campaignStanding = endpoint({
  method: 'GET',
  path: `${campaignPath}/standing/:taskId`,
  summary: '督查结果',
  needs: view,
  params: z.object({ taskId: ref('campaignProject') }),
  query: ofProject,
  response: z.object({
    campaignId: z.string(),
    campaignName: z.string(),
    organiserName: z.string(),
    /** The caller's group holds the campaign. */
    own: z.boolean(),
    recheck: z.string(),
    recheckName: z.string(),
    task: campaignCheck,
    ranked: count.nullable(),
    avgScore: z.number().nullable(),
    /** Points by discipline, from the sheets of each; null: nothing of it was checked. */
    disciplines: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        sheetCodes: z.array(z.string()),
        score: z.number().nullable(),
        byName: z.string().nullable(),
      }),
    ),
    /** Further looks (整改复查) at this project in the campaign. */
    looks: z.array(z.object({ checkId: z.string(), plannedDate: z.string(), stateName: z.string() })),
    /** The published report. */
    summary: z.string().nullable(),
    canLook: z.boolean(),
    /** The notices were handed to the authority of the project; null: the organiser keeps them. */
    entrust: z.object({ toName: z.string(), at: z.string(), byName: z.string(), acceptedAt: z.string().nullable() }).nullable(),
    /** The authority to which they can be handed; null when there is none, or nothing to hand over. */
    canEntrust: z.string().nullable(),
    canAccept: z.boolean(),
  }),
})

export const entrustRights = {
  entrust: { needs: 'supervision.campaignEdit', acts: 'aside' },
  accept: { needs: 'supervision.rectifyRecheck', acts: 'aside' },
} as const satisfies Record<string, ActionRights>

/** 转办: the organiser hands the notices of a project to its authority, which accepts them and closes them. */
export const changeStanding = endpoint({
  method: 'PUT',
  path: `${campaignPath}/standing/:taskId`,
  summary: '转办与接收督查整改',
  description: '按 action 办理：entrust（督查单位转办）、accept（属地接收）。',
  needs: Object.values(entrustRights).map((one) => one.needs),
  acts: 'aside',
  actions: entrustRights,
  groupTypes: [1],
  params: z.object({ taskId: ref('campaignProject') }),
  query: ofProject,
  body: z.object({ action: z.enum(['entrust', 'accept']) }),
})
