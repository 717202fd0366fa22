import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { day, dayRange, filled, numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { mayHoldNumber } from '../kit/private-query.ts'
import { batchResult } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'
import { certDueRow, certFilters, certStockRow } from './certificate-model.ts'
import { flowFilters, flowRow } from './flow-model.ts'
import {
  badBody,
  badRow,
  certBatchBody,
  certBody,
  certRow,
  clearFields,
  contractBody,
  contractRow,
  fileRow,
  healthAnswer,
  healthBody,
  identityBody,
  idNumber,
  registerBody,
  resumeBody,
  resumeRow,
  rosterRow,
  stayRow,
  updateBody,
  verifyBody,
  workerDetail,
  workerHead,
  workerName,
} from './model.ts'
import { trainFilters, trainRow } from './train-model.ts'

const id = z.object({ id: ref('worker') })

/** What all views are filtered by. The filters a view does not know are passed over. */
export const peopleQuery = pageQuery.extend({
  projectCode: pointsTo('project', text(64)).optional(),
  name: mayHoldNumber(text(50).optional()),
  gender: several.optional(),
  age: numericRange.optional(),
  /** Whole values only: they are matched by their keyed hash. */
  idCardNumber: mayHoldNumber(text(30).optional()),
  cellPhone: mayHoldNumber(text(20).optional()),
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
  /** Conditions of entry not met; the empty option = all met. */
  missing: several.optional(),
  /** Came through a gate today, or not. */
  firstIn: z.enum(['in', 'out', 'late']).optional(),
  lastPass: dayRange.optional(),
  /** Who came in with one workbook. */
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
  /** Name, or a whole ID number or telephone. */
  q: mayHoldNumber(text(50).optional()),
})
/** What each view sorts by; a roster stands in the order of its paper. */
export const peopleSorts = {
  project: sortBy('entryTime', 'exitTime', 'name', 'age', 'teamId', 'workType', 'formalStatus'),
  file: sortBy('createTime', 'name', 'age'),
  roster: sortBy(),
  cert: sortBy('createTime', 'validEnd', 'issueDate', 'name', 'auditStatus'),
  certAlarm: sortBy('validEnd', 'name'),
  flow: sortBy('flowDate', 'name'),
  train: sortBy('entryTrained', 'name', 'entryTime'),
} as const

/** People in several views: whoever asks for one of them takes its call below, or in `certificates.ts`. */
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
      /** What one row is: a stay, a person, a line of the paper roster, a certificate, one that runs out, an entry or exit, who was taught what. */
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
    /** Against the evening before; null over all projects. */
    change: z.number().int().nullable(),
    newToday: z.number().int(),
    left: z.number().int(),
    came: z.number().int(),
    /** Percent of people in place; null on a rest day and where work stands still. */
    rate: z.number().nullable(),
    certEnding: z.number().int(),
    certEnded: z.number().int(),
    certMissing: z.number().int(),
    noContract: z.number().int(),
    notFormal: z.number().int(),
    /** The last seven days, today last; empty over all projects. */
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
    name: text(50).optional(),
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
export const workerForm = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/form/info',
  summary: '工人表单信息',
  needs: 'personnel.view',
  query: z.object({ projectCode: pointsTo('project', text(64)).optional() }),
  response: z.object({
    projectCode: z.string().nullable(),
    projectName: z.string().nullable(),
    corps: z.array(z.object({ corpCode: z.string(), corpName: z.string(), corpType: z.string(), entryTime: z.string() })),
    teams: z.array(z.object({ id: z.string(), teamName: z.string(), corpCode: z.string(), workType: z.string() })),
    /** Registered today, newest first, with what each still lacks. */
    today: z.array(z.object({ id: z.string(), workerId: z.string(), name: z.string(), time: z.string(), missing: z.array(z.string()) })),
  }),
})
export const workerBaseInfo = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/base/info/:id',
  summary: '工人基本信息',
  needs: 'personnel.view',
  params: id,
  response: workerHead,
})
export const workerDetailInfo = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/detail/info/:id',
  summary: '工人详细信息',
  needs: 'personnel.view',
  params: id,
  query: z
    .object({
      projectWorkerId: ref('projectWorker').optional(),
      /** Fields wanted in clear, with the reason; needs personnel.unmask and is logged. */
      plain: several.refine((v) => v.every((f) => (clearFields as readonly string[]).includes(f)), '不能查看该字段的明文').optional(),
      reason: text(200, '查看事由').optional(),
    })
    .superRefine((q, context) => {
      if (q.plain?.length && (q.reason?.length ?? 0) < 2)
        context.addIssue({ code: 'custom', path: ['reason'], message: '请填写查看事由（至少 2 个字）' })
    }),
  response: workerDetail,
})
/** Who looked at what of this person, and why: every look for whoever has the person now, one's own group's for whoever had him. */
export const workerLooks = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/looks/:id',
  summary: '人员访问记录',
  needs: 'personnel.view',
  params: id,
  response: z.array(z.object({ id: z.string(), at: z.string(), userName: z.string(), groupName: z.string(), summary: z.string() })),
})
export const fillWorker = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/edit/fill/:id',
  summary: '工人编辑回填',
  needs: 'personnel.edit',
  params: id,
  response: workerDetail,
})
export const registerWorker = endpoint({
  method: 'POST',
  path: '/api/v1/oa/worker',
  summary: '新增工人',
  needs: 'personnel.create',
  acts: 'own',
  body: registerBody,
  response: z.object({ workerId: z.string(), projectWorkerId: z.string().nullable(), missing: z.array(z.string()) }),
})
export const updateWorker = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/worker/:id',
  summary: '修改工人',
  needs: 'personnel.edit',
  acts: 'own',
  params: id,
  body: updateBody,
  response: z.object({ version: z.number().int() }),
})
export const removeWorker = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/worker/:id',
  summary: '删除工人',
  needs: 'personnel.delete',
  acts: 'own',
  params: id,
})
export const removePerson = endpoint({
  method: 'DELETE',
  path: '/api/v2/person/:id',
  summary: '删除人员（新版）',
  needs: 'personnel.delete',
  acts: 'own',
  params: id,
})
/** What is known of a number before somebody is registered under it. */
export const syncWorker = endpoint({
  method: 'POST',
  path: '/api/v1/oa/worker/base/sync',
  summary: '同步工人基本信息',
  needs: 'personnel.create',
  unaudited: 'a look-up by POST, so that the number stays out of access logs',
  body: z.object({ idCardType: dict('idCardType', '证件类型').default('01'), idCardNumber: idNumber, name: workerName.optional() }),
  response: z.object({
    /** `none`; `own`: a file one sees; `other`: registered elsewhere, to be taken over with the exact name. */
    known: z.enum(['none', 'own', 'other']),
    workerId: z.string().nullable(),
    name: z.string().nullable(),
    realNameState: z.string().nullable(),
    /** Present at one of the projects one sees. */
    onSite: z.array(z.object({ projectCode: z.string(), projectName: z.string() })),
    gender: z.string().nullable(),
    birthday: z.string().nullable(),
    age: z.number().int().nullable(),
    birthPlaceName: z.string().nullable(),
    warnings: z.array(z.string()),
  }),
})
export const setFormal = endpoint({
  method: 'POST',
  path: '/api/v1/oa/worker/set/formal',
  summary: '设置工人正式状态',
  needs: 'personnel.formal',
  acts: 'own',
  body: z.object({
    /** Stays. */
    ids: z.array(ref('projectWorker')).min(1, '请选择人员').max(500, '一次最多 500 人'),
    /** 1 formal (also back from a pause), 2 paused. */
    status: z.enum(['1', '2'], { error: '请选择转正式或暂停作业' }),
    reason: text(200, '原因').default(''),
  }),
  response: batchResult.extend({
    missing: z.array(z.object({ id: z.string(), conditions: z.array(z.string()), fields: z.array(z.string()) })),
  }),
})
/** Trains people of a project; passing may open the site to them. */
export const trainWorkers = endpoint({
  method: 'POST',
  path: '/api/v1/oa/projectWorker/train',
  summary: '登记入场教育',
  needs: 'personnel.train',
  acts: 'own',
  body: z.object({
    ids: z.array(ref('projectWorker')).min(1, '请选择人员').max(500, '一次最多 500 人'),
    trainingType: dict('trainingType', '培训类型').default('003002'),
    trainDate: day,
    hours: z.coerce.number({ error: '请填写学时' }).min(0.5, '学时至少 0.5').max(200, '学时过大'),
    score: z.coerce.number().min(0, '成绩为 0-100').max(100, '成绩为 0-100').nullable().default(null),
    passed: z.boolean().default(true),
    trainer: text(50, '授课人').nullable().default(null),
  }),
  response: batchResult,
})
export const getWorkerBase = endpoint({
  method: 'GET',
  path: '/api/v1/oa/workerBase/:id',
  summary: '工人基础档案',
  needs: 'personnel.view',
  params: id,
  response: workerDetail.pick({
    workerId: true,
    name: true,
    idCardType: true,
    idCardTypeName: true,
    idCardNumber: true,
    gender: true,
    birthday: true,
    age: true,
    birthPlaceName: true,
    realNameState: true,
    version: true,
  }),
})
export const updateWorkerBase = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/workerBase/:id',
  summary: '修改工人基础档案',
  needs: 'personnel.edit',
  acts: 'own',
  params: id,
  body: identityBody,
  response: z.object({ version: z.number().int() }),
})
export const verifyWorker = endpoint({
  method: 'POST',
  path: '/api/v1/oa/worker/verify',
  summary: '实名核验',
  needs: 'personnel.edit',
  acts: 'own',
  body: verifyBody,
  response: z.object({ realNameState: z.string(), version: z.number().int() }),
})
export const workerProjects = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/bind/project/:id',
  summary: '工人绑定项目',
  needs: 'personnel.view',
  answers: 'list',
  params: id,
  response: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        projectCode: z.string(),
        projectName: z.string(),
        corpCode: z.string(),
        corpName: z.string().nullable(),
        teamId: z.string().nullable(),
        teamName: z.string().nullable(),
        workTypeName: z.string().nullable(),
        entryTime: z.string(),
        exitTime: z.string().nullable(),
        formalStatus: z.string(),
        stationed: z.string(),
        version: z.number().int(),
      }),
    ),
    total: z.number().int(),
  }),
})
/** 调班组: another unit, team or trade within the same project. */
export const moveWorker = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/worker/bind/project/:id',
  summary: '修改工人绑定项目',
  needs: ['labour.entry', 'personnel.grant'],
  acts: 'own',
  params: id,
  body: z.object({
    projectWorkerId: ref('projectWorker'),
    corpCode: ref('corporation'),
    teamId: ref('team').nullable(),
    workType: dict('workerType', '工种').nullable().default(null),
    version: z.number().int(),
  }),
})

// ---- certificates
export const workerCerts = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/certs/:id',
  summary: '工人证书',
  needs: 'personnel.view',
  answers: 'list',
  params: id,
  response: z.object({
    list: z.array(certRow),
    total: z.number().int(),
    /** What the trades of the present stays ask for. */
    demands: z.array(z.object({ workTypeName: z.string(), licence: z.string(), met: z.boolean(), remark: z.string() })),
  }),
})
export const saveCert = endpoint({
  method: 'POST',
  path: '/api/v1/oa/workerCert',
  summary: '新增工人证书',
  needs: 'personnel.cert',
  acts: 'own',
  body: certBody,
  response: z.object({ id: z.string() }),
})
export const saveCerts = endpoint({
  method: 'POST',
  path: '/api/v1/oa/workerCert/batch/upsert',
  summary: '批量保存工人证书',
  needs: 'personnel.cert',
  acts: 'own',
  body: certBatchBody,
  response: z.object({ ids: z.array(z.string()) }),
})
export const removeCert = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/workerCert/:id',
  summary: '删除工人证书',
  needs: 'personnel.cert',
  acts: 'own',
  params: z.object({ id: ref('certificate') }),
})
const auditFields = {
  result: z.enum(['1', '2'], { error: '请选择通过或驳回' }),
  opinion: text(200, '意见').default(''),
}
export const auditCert = endpoint({
  method: 'POST',
  path: '/api/v1/oa/workerCert/audit',
  summary: '审核工人证书',
  needs: 'personnel.certAudit',
  acts: 'review',
  body: z
    .object({ id: ref('certificate'), ...auditFields })
    .refine((b) => b.result === '1' || b.opinion.length >= 2, { path: ['opinion'], message: '驳回请填写意见' }),
})

// ---- contracts
export const workerContracts = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/contract/:id',
  summary: '工人合同',
  needs: 'personnel.view',
  answers: 'list',
  params: id,
  response: z.object({ list: z.array(contractRow), total: z.number().int() }),
})
export const saveContract = endpoint({
  method: 'POST',
  path: '/api/v1/oa/contract/upsert',
  summary: '保存工人合同',
  needs: 'personnel.contract',
  acts: 'own',
  body: contractBody,
  response: z.object({ id: z.string() }),
})

// ---- bad records
export const workerBadRecords = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/project/bad/:id',
  summary: '工人项目不良记录',
  needs: 'personnel.view',
  answers: 'list',
  params: id,
  response: z.object({ list: z.array(badRow), total: z.number().int() }),
})
const badQuery = pageQuery.extend({
  projectCode: pointsTo('project', text(64)).optional(),
  workerId: pointsTo('worker', text(64)).optional(),
  badRecordType: several.optional(),
  badRecordLevel: several.optional(),
  auditStatus: several.optional(),
  occurrenceDate: dayRange.optional(),
})
export const listBadRecords = endpoint({
  method: 'GET',
  path: '/api/v1/oa/workerBad',
  summary: '工人不良记录列表',
  needs: 'personnel.view',
  answers: 'list',
  query: badQuery,
  response: paged(badRow),
})
export const pickBadRecords = endpoint({
  method: 'GET',
  path: '/api/v1/oa/workerBad/part/list',
  summary: '不良记录精简列表',
  needs: 'personnel.view',
  answers: 'list',
  query: badQuery,
  response: paged(
    badRow.pick({ id: true, workerId: true, workerName: true, occurrenceDate: true, badRecordTypeName: true, badRecordLevelName: true }),
  ),
})
const badId = z.object({ id: ref('badRecord') })
export const getBadRecord = endpoint({
  method: 'GET',
  path: '/api/v1/oa/workerBad/:id',
  summary: '工人不良记录详情',
  needs: 'personnel.view',
  params: badId,
  response: badRow,
})
export const createBadRecord = endpoint({
  method: 'POST',
  path: '/api/v1/oa/workerBad',
  summary: '新增工人不良记录',
  needs: 'personnel.bad',
  acts: 'own',
  body: badBody,
  response: z.object({ id: z.string() }),
})
export const updateBadRecord = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/workerBad/:id',
  summary: '修改工人不良记录',
  needs: 'personnel.bad',
  acts: 'own',
  params: badId,
  body: badBody.extend({ version: z.number().int() }),
})
export const removeBadRecord = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/workerBad/:id',
  summary: '删除工人不良记录',
  needs: 'personnel.bad',
  acts: 'own',
  params: badId,
})
export const auditBadRecord = endpoint({
  method: 'POST',
  path: '/api/v1/oa/workerBad/audit',
  summary: '审核工人不良记录',
  needs: 'personnel.badAudit',
  acts: 'review',
  body: z
    .object({ id: ref('badRecord'), ...auditFields })
    .refine((b) => b.result === '1' || b.opinion.length >= 2, { path: ['opinion'], message: '驳回请填写意见' }),
})

// ---- career and health
export const workerHistory = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/project/history/:id',
  summary: '工人项目经历',
  needs: 'personnel.view',
  answers: 'list',
  params: id,
  response: z.object({
    list: z.array(resumeRow),
    total: z.number().int(),
    projects: z.number().int(),
    attendDays: z.number().int(),
    longestDays: z.number().int(),
    /** Whole months between the first entry and today without any stay. */
    idleMonths: z.number().int(),
  }),
})
/** The id is the record's: a fresh one makes a new entry. */
export const saveHistory = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/worker/project/history/:id',
  summary: '修改工人项目经历',
  needs: 'personnel.edit',
  acts: 'own',
  params: z.object({ id: pointsTo('resume', filled(32).regex(/^[0-9a-f]{32}$/, '编号应为 32 位十六进制')) }),
  body: resumeBody,
})
export const removeHistory = endpoint({
  method: 'DELETE',
  path: '/api/v1/oa/worker/project/history/:id',
  summary: '删除工人项目经历',
  needs: 'personnel.edit',
  acts: 'own',
  params: z.object({ id: ref('resume') }),
})
/** Every opening is logged. */
export const getHealth = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/health/:id',
  summary: '工人健康信息',
  needs: 'personnel.health',
  params: id,
  response: healthAnswer,
})
export const saveHealth = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/worker/health/:id',
  summary: '修改工人健康信息',
  needs: 'personnel.health',
  acts: 'own',
  params: id,
  body: healthBody,
  response: z.object({ version: z.number().int() }),
})
