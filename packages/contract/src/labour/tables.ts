import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { month, numericRange, paged, pageQuery, pointsTo, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'

/**
 * The four tables of the monthly meeting: projects, governments, companies, people. Every ratio follows entities.md chapter 13 and states
 * what it was calculated from. A total is calculated from all people, never as the mean of ratios.
 */
const count = z.number().int()
/** `part` of `whole`, and the ratio a month before; null if there was nothing to count. */
export const ratioCell = z.object({ part: z.number(), whole: z.number(), before: z.number().nullable() })
export type RatioCell = z.infer<typeof ratioCell>

/** The ratios with their definition, in the order of the tables; `least` is the required minimum. */
export const ratios = {
  realName: { name: '实名制录入率', least: 0.95, how: '实名核验一致的在册人数 / 在册人数' },
  contract: { name: '合同签订率', least: 0.95, how: '有有效合同的在场工人 / 在场工人' },
  training: { name: '培训率', least: 0.95, how: '完成入场教育的在册人数 / 在册人数' },
  cert: { name: '证书合规率', least: 0.95, how: '特种工种在册人员中持有效证的人数 / 特种工种在册人数' },
  payCard: { name: '工资卡覆盖率', least: 0.9, how: '登记工资卡的在场工人 / 在场工人' },
  attend: { name: '出勤率', least: 0.7, how: '当月应到人日中实到的人日 / 应到人日，停工、休息日不计' },
  keyPost: { name: '关键岗位到岗率', least: 0.8, how: '关键岗位当月有效考勤天数 / 应到天数，停工不计' },
  gate: { name: '门禁在线率', least: 0.9, how: '在线门禁 / 已启用门禁，此刻' },
  manual: { name: '补录占比', least: null, how: '当月人工补录的通行 / 全部通行' },
  late: { name: '迟传占比', least: null, how: '当月迟传的通行 / 全部通行' },
  upload: { name: '上传成功率', least: 0.95, how: '已上报的在场人员 / 应上报的在场人员' },
} as const
export type RatioKey = keyof typeof ratios
export const ratioKeys = Object.keys(ratios) as RatioKey[]
/** Projects and companies with up to this many people are not ranked: one person would change the ratio too much. */
export const rankedFrom = 20

const cells = z.object(Object.fromEntries(ratioKeys.map((key) => [key, ratioCell])) as Record<RatioKey, typeof ratioCell>)
const measured = z.object({ onSite: count, workers: count, alarms: count, ...cells.shape })
const titles = Object.fromEntries(ratioKeys.map((key) => [key, ratios[key].name])) as Record<RatioKey, string>
const ratioRanges = Object.fromEntries(ratioKeys.map((key) => [key, numericRange.optional()])) as Record<
  RatioKey,
  z.ZodOptional<typeof numericRange>
>

const monthly = { month: month.optional(), projectCode: pointsTo('project', text(64)).optional() }
const needs = ['attendance.view', 'labour.stats'] as const
const common = { method: 'GET', needs } as const

export const projectStatsRow = measured.extend({
  projectCode: z.string(),
  name: z.string(),
  contractorName: z.string().nullable(),
  areaName: z.string().nullable(),
  prjStatus: z.string(),
  prjStatusName: z.string().nullable(),
  categoryName: z.string().nullable(),
  /** The ratio that is furthest below its minimum; null if none is. */
  worst: z.string().nullable(),
  /** Number of ratios below their minimum. */
  failing: count,
  /** Rank by the sum of shortfalls, best first; null for a project that is too small or new. */
  rank: count.nullable(),
})
export type ProjectStatsRow = z.infer<typeof projectStatsRow>
export const listProjectStats = endpoint({
  ...common,
  path: '/api/v1/attendance/stats/list/project',
  summary: '项目统计表',
  answers: 'list',
  query: pageQuery.extend({
    ...monthly,
    name: text(50).optional(),
    prjStatus: several.optional(),
    category: several.optional(),
    area: several.optional(),
    govCode: pointsTo('government', text(32)).optional(),
    onSite: numericRange.optional(),
    failing: numericRange.optional(),
    ...ratioRanges,
    sort: sortBy('name', 'onSite', 'rank', 'failing', 'alarms', ...ratioKeys),
  }),
  response: paged(projectStatsRow),
})
export const projectStatsList = listOf(listProjectStats, {
  feature: 'projectTable',
  columns: {
    name: '项目',
    contractorName: '总承包单位',
    area: '区县',
    prjStatus: '状态',
    onSite: '在册人数',
    ...titles,
    alarms: '未处理预警',
    failing: '未达标项',
    rank: '综合排名',
  },
})
const totals = z.object({
  month: z.string(),
  rows: count,
  onSite: count,
  /** Number of rows with a ratio below its minimum. */
  failing: count,
  stopped: count,
  sum: measured,
})
export const projectStatsTotals = endpoint({
  ...common,
  path: '/api/v1/attendance/stats/project',
  summary: '项目统计合计',
  query: z.object(monthly),
  response: totals,
})

export const governmentStatsRow = measured.extend({
  govCode: z.string(),
  name: z.string(),
  parentGovCode: z.string().nullable(),
  areaName: z.string().nullable(),
  projects: count,
  building: count,
  /** Mean age of unhandled alarms in hours. */
  alarmHours: z.number().nullable(),
  blackListed: count,
  /** Projects with a reading or gate record within the last day. */
  fresh: ratioCell,
  /** Governments with fewer than three projects are not ranked. */
  rank: count.nullable(),
})
export type GovernmentStatsRow = z.infer<typeof governmentStatsRow>
export const listGovernmentStats = endpoint({
  ...common,
  groupTypes: [0, 1],
  path: '/api/v1/attendance/stats/list/government',
  summary: '政府机构统计表',
  answers: 'list',
  query: pageQuery.extend({ month: month.optional(), sort: sortBy('name', 'projects', 'onSite', 'alarms', 'rank', ...ratioKeys) }),
  response: paged(governmentStatsRow),
})
export const governmentStatsList = listOf(listGovernmentStats, {
  feature: 'governmentTable',
  columns: {
    name: '机构',
    areaName: '区划',
    projects: '监管项目',
    building: '在建',
    onSite: '在册人数',
    realName: ratios.realName.name,
    keyPost: ratios.keyPost.name,
    contract: ratios.contract.name,
    training: ratios.training.name,
    cert: ratios.cert.name,
    attend: ratios.attend.name,
    alarms: '未处理预警',
    alarmHours: '平均时长（小时）',
    blackListed: '黑名单认定',
    fresh: '数据新鲜度',
    rank: '排名',
  },
})
export const governmentStatsTotals = endpoint({
  ...common,
  groupTypes: [0, 1],
  path: '/api/v1/attendance/stats/government',
  summary: '政府机构统计合计',
  query: z.object({ month: month.optional() }),
  response: totals,
})

export const enterpriseStatsRow = measured.extend({
  corpCode: z.string(),
  corpName: z.string(),
  corpKindNames: z.array(z.string()),
  areaName: z.string().nullable(),
  projects: z.array(
    z.object({ unitId: z.string(), projectCode: z.string(), name: z.string(), corpTypeName: z.string().nullable(), onSite: count }),
  ),
  teams: count,
  /** Days on which its project leaders were present, of the days on which they were expected. */
  leader: ratioCell,
  bad: count,
  /** Of the company and all its subcontractors. */
  badWithSubs: count,
  creditScore: z.number(),
  black: z.boolean(),
  noContract: count,
  failing: count,
})
export type EnterpriseStatsRow = z.infer<typeof enterpriseStatsRow>
export const listEnterpriseStats = endpoint({
  ...common,
  path: '/api/v1/attendance/stats/list/enterprise',
  summary: '企业统计表',
  answers: 'list',
  query: pageQuery.extend({
    ...monthly,
    corpName: text(50).optional(),
    corpCode: pointsTo('corporation', text(50)).optional(),
    corpKind: several.optional(),
    corpType: several.optional(),
    onSite: numericRange.optional(),
    ...ratioRanges,
    sort: sortBy('corpName', 'onSite', 'teams', 'bad', 'badWithSubs', 'creditScore', 'leader', ...ratioKeys),
  }),
  response: paged(enterpriseStatsRow),
})
export const enterpriseStatsList = listOf(listEnterpriseStats, {
  feature: 'enterpriseTable',
  columns: {
    corpName: '企业',
    corpKind: '业务类别',
    projects: '参与项目',
    onSite: '在册人数',
    teams: '班组数',
    contract: ratios.contract.name,
    payCard: ratios.payCard.name,
    training: ratios.training.name,
    cert: ratios.cert.name,
    realName: ratios.realName.name,
    attend: ratios.attend.name,
    leader: '负责人到岗率',
    bad: '不良行为',
    badWithSubs: '不良行为（含分包）',
    creditScore: '信用分',
  },
})
export const enterpriseStatsTotals = endpoint({
  ...common,
  path: '/api/v1/attendance/stats/enterprise',
  summary: '企业统计合计',
  query: z.object(monthly),
  response: totals.extend({ noContract: count, leaderShort: count, blackInPlace: count }),
})

export const dimensions = {
  workType: '工种',
  age: '年龄段',
  origin: '籍贯',
  gender: '性别',
  education: '文化程度',
  skill: '技能等级',
  corp: '用工单位',
  stay: '在场时长',
  contractKind: '合同类别',
} as const
export type Dimension = keyof typeof dimensions
const dimension = z.enum(Object.keys(dimensions) as [Dimension, ...Dimension[]], '统计维度不正确')
/** For users outside the project, groups with fewer people are merged: a smaller count could identify a person. */
export const leastGroup = 5
export const personnelStatsRow = z.object({
  key: z.string(),
  name: z.string(),
  count,
  share: z.number(),
  male: count,
  female: count,
  averageAge: z.number().nullable(),
  contract: ratioCell,
  training: ratioCell,
  cert: ratioCell,
  averageDays: z.number().nullable(),
  /** The value a month before. */
  before: count.nullable(),
  /** Over the age limit of the trade, or under age: links to the names. */
  care: z.boolean(),
  /** Counts by the second dimension, largest first. */
  cells: z.array(z.object({ key: z.string(), name: z.string(), count })),
})
export type PersonnelStatsRow = z.infer<typeof personnelStatsRow>
export const listPersonnelStats = endpoint({
  ...common,
  path: '/api/v1/attendance/stats/list/personnel',
  summary: '人员统计表',
  answers: 'list',
  query: pageQuery.extend({
    ...monthly,
    dimension: dimension.default('workType'),
    second: dimension.optional(),
    sort: sortBy('name', 'count'),
  }),
  response: paged(personnelStatsRow),
})
export const personnelStatsList = listOf(listPersonnelStats, {
  feature: 'personnelTable',
  columns: {
    name: '分组',
    count: '人数',
    share: '占比',
    male: '男',
    female: '女',
    averageAge: '平均年龄',
    contract: ratios.contract.name,
    training: ratios.training.name,
    cert: '持证率',
    averageDays: '平均出勤天数',
    before: '上月人数',
  },
})
export const personnelStatsTotals = endpoint({
  ...common,
  path: '/api/v1/attendance/stats/personnel',
  summary: '人员统计合计',
  query: z.object(monthly),
  response: z.object({
    month: z.string(),
    count,
    workers: count,
    managers: count,
    overAge: count,
    averageAge: z.number().nullable(),
    before: count.nullable(),
  }),
})
