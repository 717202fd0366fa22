import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { paged, pointsTo, text } from '../kit/fields.ts'
import { listOf } from '../kit/list.ts'
import { certDueRow, certFilters, certStockRow, dueItem } from './certificate-model.ts'
import { listWorkers, peopleQuery, peopleSorts } from './people.ts'

/** Certificates across people: all, those expiring, and people who may not work without one. */

export const listCerts = viewOf(listWorkers, {
  query: peopleQuery.extend({ ...certFilters, view: z.literal('cert'), sort: peopleSorts.cert }),
  response: paged(certStockRow),
})
export const listCertDues = viewOf(listWorkers, {
  query: peopleQuery.extend({ ...certFilters, view: z.literal('certAlarm'), sort: peopleSorts.certAlarm }),
  response: paged(certDueRow),
})

export const certList = listOf(listCerts, {
  feature: 'workerCert',
  columns: {
    name: '姓名',
    corpCode: '单位',
    teamId: '班组',
    projectName: '项目',
    workType: '工种或岗位',
    title: '证书名称',
    certType: '证书类型',
    specialType: '类别',
    level: '等级',
    certNo: '证书编号',
    grantOrg: '发证机关',
    issueDate: '发证日期',
    validEnd: '有效期至',
    certStatus: '证书状态',
    auditStatus: '审核',
    onSite: '在场',
    createTime: '录入时间',
  },
})
export const certDueList = listOf(listCertDues, {
  feature: 'certAlarm',
  columns: {
    urgency: '级别',
    name: '姓名',
    corpCode: '单位',
    teamId: '班组',
    projectName: '项目',
    workType: '工种或岗位',
    dueKind: '事项',
    title: '证书',
    certNo: '证书编号',
    validEnd: '有效期至',
    daysLeft: '剩余天数',
    lastPass: '最近通行',
    attendEnabled: '门禁',
    dueState: '处理',
    reminded: '提醒时间',
  },
})

const oneOrAll = z.object({ projectCode: pointsTo('project', text(64)).optional() })
/** Figures and chart of both pages; counts the same rows as the lists, without ignored ones. */
export const certFigures = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/cert/figures',
  summary: '证书概况',
  needs: 'personnel.view',
  query: oneOrAll,
  response: z.object({
    expired: z.number().int(),
    /** Of these, those who passed a gate yesterday or today. */
    expiredPassed: z.number().int(),
    /** People whose trade requires a licence and who have neither one nor one waiting for review. */
    missing: z.number().int(),
    /** People whose trade requires a licence and whose first one waits for review. */
    firstInReview: z.number().int(),
    within30: z.number().int(),
    within60: z.number().int(),
    within90: z.number().int(),
    ignored: z.number().int(),
    review: z.number().int(),
    /** Certificates that expire in each of the next thirteen weeks, including the current one. */
    weeks: z.array(z.object({ from: z.string(), to: z.string(), required: z.number().int(), other: z.number().int() })),
    /** Certificates of people on the books. */
    total: z.number().int(),
    waiting: z.number().int(),
    /** 证书合规率: people on the books whose trade requires a licence, and those of them who have one. */
    asked: z.number().int(),
    held: z.number().int(),
    /** Why the others have none; the states are those of the list of people. */
    lacking: z.object({ missing: z.number().int(), expired: z.number().int(), pending: z.number().int() }),
  }),
})
/** 配备核对: per trade or post that requires a certificate, who has it. */
export const certCoverage = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/cert/coverage',
  summary: '持证配备核对',
  needs: 'personnel.view',
  answers: 'list',
  query: oneOrAll,
  response: z.object({
    list: z.array(
      z.object({
        projectCode: z.string(),
        projectName: z.string(),
        /** Trade, or post if `isPost`. */
        code: z.string(),
        name: z.string(),
        isPost: z.boolean(),
        paper: z.string(),
        needed: z.number().int(),
        valid: z.number().int(),
        expiring: z.number().int(),
        pending: z.number().int(),
        expired: z.number().int(),
        missing: z.number().int(),
        /** People who lack it now; thirty at most. */
        lacking: z.array(z.object({ workerId: z.string(), name: z.string(), teamName: z.string().nullable() })),
      }),
    ),
    total: z.number().int(),
  }),
})
const items = z.array(dueItem).min(1, '请选择事项').max(200, '一次最多 200 项')
/**
 * Notifies those who maintain certificates for the project and for the person's company. Items that are no longer due are skipped and
 * counted.
 */
export const remindCerts = endpoint({
  method: 'POST',
  path: '/api/v1/oa/workerCert/remind',
  summary: '证书到期提醒',
  needs: 'personnel.cert',
  acts: 'own',
  body: z.object({ items }),
  response: z.object({ done: z.number().int(), gone: z.number().int(), told: z.number().int() }),
})
/** Ignores expiring certificates, with a reason; a renewed certificate is watched again. */
export const ignoreCerts = endpoint({
  method: 'POST',
  path: '/api/v1/oa/workerCert/ignore',
  summary: '忽略证书预警',
  needs: 'personnel.cert',
  acts: 'own',
  body: z.object({ items, reason: text(200, '忽略原因').min(2, '请填写忽略原因（至少 2 个字）') }),
  response: z.object({ done: z.number().int(), gone: z.number().int() }),
})
