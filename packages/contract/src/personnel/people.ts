import { z } from 'zod'
import { due } from '../attendance/stats.ts'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { day, dayRange, normalised, numericRange, paged, pageQuery, pointsTo, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { normalIdNumber, normalPhone, normalSearch } from '../kit/normal.ts'
import { mayHoldNumber } from '../kit/private-query.ts'
import { certDueRow, certFilters, certStockRow } from './certificate-model.ts'
import { flowFilters, flowRow } from './flow-model.ts'
import { fileRow, rosterRow, stayRow } from './people-rows.ts'
import { trainFilters, trainRow } from './train-model.ts'

/** Filters of all views; a view ignores filters that do not apply to it. */
export const peopleQuery = pageQuery.extend({
  projectCode: pointsTo('project', text(64)).optional(),
  name: mayHoldNumber(normalised(50, '姓名', normalSearch).optional()),
  gender: several.optional(),
  age: numericRange.optional(),
  /** Complete values only: they are matched by their keyed hash. */
  idCardNumber: mayHoldNumber(normalised(30, '证件号码', normalIdNumber).optional()),
  cellPhone: mayHoldNumber(normalised(20, '手机号', normalPhone).optional()),
  corpCode: pointsTo('corporation', text(64)).optional(),
  teamId: pointsTo('team', text(64)).optional(),
  workRole: text(4).optional(),
  workType: several.optional(),
  post: several.optional(),
  entryTime: dayRange.optional(),
  exitTime: dayRange.optional(),
  formalStatus: several.optional(),
  stationed: text(2).optional(),
  attendEnabled: text(5).optional(),
  hasContract: text(5).optional(),
  certState: several.optional(),
  /** Entry conditions that are not met; the option "empty" = all met. */
  missing: several.optional(),
  /** Passed a gate today, did not, or late. */
  firstIn: z.enum(['in', 'out', 'late']).optional(),
  lastPass: dayRange.optional(),
  /** People registered by one import. */
  importId: pointsTo('workerImport', text(64)).optional(),
  // files
  birthPlaceCode: several.optional(),
  workTypeCode: several.optional(),
  workCorpName: text(50).optional(),
  realNameState: several.optional(),
  badCount: numericRange.optional(),
  createTime: dayRange.optional(),
  onSite: z.enum(['1', '0']).optional(),
  // roster
  asOf: day.optional(),
  range: z.enum(['present', 'month']).optional(),
  /** Name, or a complete ID or phone number. */
  q: mayHoldNumber(normalised(50, '搜索', normalSearch).optional()),
})

/** Sort names of each view; a roster always has the order of its paper form. */
export const peopleSorts = {
  project: sortBy('entryTime', 'exitTime', 'name', 'age', 'teamId', 'workType', 'formalStatus'),
  file: sortBy('createTime', 'name', 'age'),
  roster: sortBy(),
  cert: sortBy('createTime', 'validEnd', 'issueDate', 'name', 'auditStatus'),
  certAlarm: sortBy('validEnd', 'name'),
  flow: sortBy('flowDate', 'name'),
  train: sortBy('entryTrained', 'name', 'entryTime'),
} as const

/** People in several views. Clients use one of the view calls below, or in `certificates.ts`. */
export const listWorkers = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker',
  summary: '工人列表',
  needs: 'personnel.view',
  answers: 'list',
  query: peopleQuery
    .extend({
      ...certFilters,
      ...flowFilters,
      ...trainFilters,
      /** Kind of row: stay, person, roster line, certificate, expiring certificate, entry or exit, training. */
      view: z.enum(['project', 'file', 'roster', 'cert', 'certAlarm', 'flow', 'train']).default('project'),
      sort: text(60).optional(),
    })
    .superRefine(({ view, sort }, context) => {
      const { error } = peopleSorts[view].safeParse(sort)
      if (error) context.addIssue({ code: 'custom', path: ['sort'], message: error.issues[0]?.message ?? '不能这样排序' })
    }),
  response: paged(z.union([stayRow, fileRow, rosterRow, certStockRow, certDueRow, flowRow, trainRow])),
})

export const listStays = viewOf(listWorkers, {
  query: peopleQuery.extend({ view: z.literal('project').default('project'), sort: peopleSorts.project }),
  response: paged(stayRow),
})

export const listFiles = viewOf(listWorkers, {
  query: peopleQuery.extend({ view: z.literal('file'), sort: peopleSorts.file }),
  response: paged(fileRow),
})

export const listRoster = viewOf(listWorkers, {
  query: peopleQuery.extend({ view: z.literal('roster') }),
  response: paged(rosterRow),
})

const clearNumbers = { idCardClear: '证件号码（明文）', cellPhoneClear: '手机（明文）' } as const

export const stayList = listOf(listStays, {
  feature: 'projectWorker',
  sensitive: ['idCardClear', 'cellPhoneClear'],
  columns: {
    name: '姓名',
    genderAge: '性别 / 年龄',
    gender: '性别',
    age: '年龄',
    idCardNumber: '证件号码',
    cellPhone: '手机',
    ...clearNumbers,
    projectName: '项目',
    corpCode: '单位',
    teamId: '班组',
    workRole: '人员类型',
    workType: '工种',
    entryTime: '进场日期',
    exitTime: '退场时间',
    formalStatus: '状态',
    stationed: '在场状态',
    attendEnabled: '门禁',
    lastPass: '最近通行',
    hasContract: '合同',
    certState: '特种证',
    firstIn: '今日入场',
    missing: '进场条件',
  },
})

export const fileList = listOf(listFiles, {
  feature: 'workerFile',
  sensitive: ['idCardClear', 'cellPhoneClear'],
  columns: {
    name: '姓名',
    genderAge: '性别 / 年龄',
    gender: '性别',
    age: '年龄',
    idCardNumber: '证件号码',
    cellPhone: '手机',
    ...clearNumbers,
    birthPlaceCode: '籍贯',
    workTypeCode: '当前工种',
    onSite: '当前项目',
    workCorpName: '聘用企业',
    realNameState: '实名核验',
    missing: '档案完整度',
    badCount: '不良',
    createTime: '建档时间',
  },
})

export const rosterList = listOf(listRoster, {
  feature: 'workerRoster',
  sensitive: ['idCardClear', 'cellPhoneClear'],
  columns: {
    corpName: '单位',
    teamName: '班组',
    name: '姓名',
    gender: '性别',
    age: '年龄',
    idCardNumber: '证件号码',
    cellPhone: '手机',
    ...clearNumbers,
    address: '住址',
    workName: '工种或岗位',
    skillLevelName: '技能等级',
    entryDate: '进场日期',
    exitDate: '退场日期',
    contractCode: '合同编号',
    payCard: '工资卡',
    urgentLinkMan: '紧急联系人',
    sign: '签名',
  },
})

export const stayFigures = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/figures',
  summary: '人员概况',
  needs: 'personnel.view',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.object({
    onSite: z.number().int(),
    workers: z.number().int(),
    managers: z.number().int(),
    /** Change from the evening before; null for all projects. */
    change: z.number().int().nullable(),
    newToday: z.number().int(),
    left: z.number().int(),
    came: z.number().int(),
    /** 实到 of 应到, from the day's rows. */
    today: z.object(due),
    certEnding: z.number().int(),
    certEnded: z.number().int(),
    certMissing: z.number().int(),
    noContract: z.number().int(),
    notFormal: z.number().int(),
    /** The last seven days, ending today; empty for all projects. */
    onSiteByDay: z.array(z.number().int()),
    cameByDay: z.array(z.number().int()),
    trades: z.array(z.object({ code: z.string(), name: z.string(), count: z.number().int() })),
  }),
})

export const fileFigures = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/file/figures',
  summary: '人员档案概况',
  needs: 'personnel.view',
  response: z.object({
    total: z.number().int(),
    verified: z.number().int(),
    incomplete: z.number().int(),
    twins: z.number().int(),
  }),
})

export const pickWorkers = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/part/list',
  summary: '工人精简列表',
  needs: ['personnel.view', 'labour.view', 'attendance.view'],
  answers: 'list',
  query: pageQuery.extend({
    projectCode: pointsTo('project', text(64)).optional(),
    teamId: pointsTo('team', text(64)).optional(),
    name: normalised(50, '姓名', normalSearch).optional(),
  }),
  response: paged(
    z.object({
      workerId: z.string(),
      projectWorkerId: z.string(),
      name: z.string(),
      idCardNumber: z.string(),
      projectCode: z.string(),
      teamId: z.string().nullable(),
      teamName: z.string().nullable(),
      workTypeName: z.string().nullable(),
    }),
  ),
})
