import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, filled, month, nullable, ofProject, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { across, fileLinks, fileRefs, whileIncomplete } from '../labour/model.ts'
import { issuesOf, today } from '../personnel/identity-model.ts'

/** Requests of a person about the own file. The account determines the file; the ids below are rows of that file only. */

/** Kinds of the workflow engine (dictionary processType), as pages call them. */
export const personRequests = {
  recordDispute: '记录异议',
  wageComplaint: '欠薪投诉',
  badAppeal: '不良行为申诉',
  idRenewal: '证件更新',
  dataErasure: '删除个人资料',
} as const
export type PersonRequestKind = keyof typeof personRequests
const kinds = Object.keys(personRequests) as [PersonRequestKind, ...PersonRequestKind[]]

/** Possible subjects of an objection. */
export const disputeSubjects = { stay: '从业经历', attendance: '考勤', training: '教育培训', bad: '不良记录' } as const
export type DisputeSubject = keyof typeof disputeSubjects

const ownPassword = z.string({ error: '请填写登录密码' }).min(1, '请填写登录密码').max(128, '密码过长')
const proofs = fileRefs('证明材料', 9).default([])
const started = z.object({ id: z.string(), /** Number of the request. */ code: z.string() })

export const disputeRecord = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/recordDispute',
  summary: '对本人记录提出异议',
  needs: 'self',
  acts: 'aside',
  perMinute: 20,
  query: ofProject,
  body: z
    .object({
      subject: z.enum(Object.keys(disputeSubjects) as [DisputeSubject, ...DisputeSubject[]], { error: '请选择对哪类记录有异议' }),
      stayId: ref('projectWorker').optional(),
      workDay: day.optional(),
      trainingId: ref('trainingTask').optional(),
      badId: ref('badRecord').optional(),
      reason: filled(1000, '异议内容').min(10, '请写明哪里不对、应当是什么，至少 10 个字'),
      files: proofs,
    })
    .superRefine(
      across((d, context) => {
        const issue = issuesOf(context)
        if ((d.subject === 'stay' || d.subject === 'attendance') && !d.stayId) issue('stayId', '请选择所在项目')
        if (d.subject === 'attendance' && !d.workDay) issue('workDay', '请选择考勤日')
        if (d.workDay && d.workDay > today()) issue('workDay', '考勤日不能晚于今天')
        if (d.subject === 'training' && !d.trainingId) issue('trainingId', '请选择培训记录')
        if (d.subject === 'bad' && !d.badId) issue('badId', '请选择不良记录')
      }),
      whileIncomplete,
    ),
  response: started,
})

export const complainOfWages = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/wageComplaint',
  summary: '投诉欠薪',
  needs: 'self',
  acts: 'aside',
  perMinute: 20,
  query: ofProject,
  body: z
    .object({
      stayId: ref('projectWorker'),
      fromMonth: month,
      toMonth: month,
      /** In cents; null when the person does not know it. */
      amount: nullable(z.coerce.number({ error: '金额应为数字' }).int().min(1, '金额应大于 0').max(100_000_000, '金额过大')),
      reason: filled(1000, '情况说明').min(10, '请写明欠付情况，至少 10 个字'),
      files: proofs,
    })
    .superRefine(
      across((w, context) => {
        const issue = issuesOf(context)
        if (w.toMonth < w.fromMonth) issue('toMonth', '截止月份不能早于起始月份')
        if (w.toMonth > today().slice(0, 7)) issue('toMonth', '截止月份不能晚于本月')
      }),
      whileIncomplete,
    ),
  response: started,
})

export const appealBadRecord = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/badAppeal',
  summary: '申诉不良记录',
  needs: 'self',
  acts: 'aside',
  perMinute: 20,
  query: ofProject,
  body: z.object({
    badId: ref('badRecord'),
    reason: filled(1000, '申诉理由').min(10, '申诉理由至少 10 个字'),
    files: proofs,
  }),
  response: started,
})

/** Expiry date of an ID card without expiry, as the standard writes it. */
export const forever = '2099-12-31'
export const renewIdCard = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/idRenewal',
  summary: '申请更新本人证件',
  needs: 'self',
  acts: 'aside',
  perMinute: 20,
  query: ofProject,
  body: z
    .object({
      startDate: day.refine((v) => v <= today(), '有效期起不能晚于今天'),
      expiryDate: day.refine((v) => v > today(), '新证件的有效期止应晚于今天'),
      grantOrg: filled(50, '发证机关'),
      front: fileRefs('证件正面', 1).min(1, '请上传证件正面'),
      back: fileRefs('证件反面', 1).min(1, '请上传证件反面'),
    })
    .superRefine(
      across((d, context) => {
        if (d.expiryDate <= d.startDate) issuesOf(context)('expiryDate', '有效期止应晚于有效期起')
      }),
      whileIncomplete,
    ),
  response: started,
})
/** For the person who decides: the values in the file beside the requested ones. Pictures only while the person is on the site's books. */
export const getIdRenewal = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/idRenewal/:id',
  summary: '证件更新核对',
  needs: 'personnel.edit',
  params: z.object({ id: ref('personRequest') }),
  query: ofProject,
  response: z.object({
    id: z.string(),
    name: z.string(),
    idCardMask: z.string(),
    projectName: z.string(),
    corpName: z.string().nullable(),
    state: z.string(),
    stateName: z.string().nullable(),
    createTime: z.string(),
    itemId: z.string().nullable(),
    before: z.object({ startDate: z.string().nullable(), expiryDate: z.string().nullable(), grantOrg: z.string().nullable() }),
    after: z.object({ startDate: z.string(), expiryDate: z.string(), grantOrg: z.string() }),
    /** Null: the person has left the site. */
    pictures: z.object({ front: z.string(), back: z.string() }).nullable(),
  }),
})

export const eraseMyData = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/dataErasure',
  summary: '申请删除个人资料',
  needs: 'self',
  acts: 'aside',
  perMinute: 5,
  query: ofProject,
  body: z.object({
    reason: text(500, '说明').default(''),
    understood: z.literal(true, { error: '请确认已了解哪些资料依法保留' }),
    password: ownPassword,
  }),
  response: started,
})
/** Previews what would be erased and what must be kept, before the request is made. */
export const previewErasure = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/erasure',
  summary: '删除个人资料的范围',
  needs: 'self',
  response: z.object({
    /** Why an erasure cannot be requested now. */
    hindered: z.string().nullable(),
    goes: z.array(z.string()),
    stays: z.array(z.object({ what: z.string(), until: z.string(), law: z.string() })),
  }),
})

export const personRequestRow = z.object({
  id: z.string(),
  kind: z.enum(kinds),
  kindName: z.string(),
  code: z.string().nullable(),
  projectName: z.string().nullable(),
  about: z.string(),
  reason: z.string(),
  files: fileLinks,
  /** The bad record that the objection is about, if any. */
  badId: z.string().nullable(),
  stayId: z.string().nullable(),
  state: z.string(),
  stateName: z.string().nullable(),
  /** The step at which the request waits. */
  node: z.string().nullable(),
  deadline: z.string().nullable(),
  createTime: z.string(),
  decidedName: z.string().nullable(),
  decideTime: z.string().nullable(),
  opinion: z.string().nullable(),
  mayWithdraw: z.boolean(),
})
export type PersonRequestRow = z.infer<typeof personRequestRow>

export const listMyRequests = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/request',
  summary: '本人的申请',
  needs: 'self',
  answers: 'list',
  query: pageQuery.extend({ kind: several.optional(), state: several.optional() }),
  response: paged(personRequestRow),
})
export const withdrawMyRequest = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/my/request/:id',
  summary: '撤回本人的申请',
  needs: 'self',
  acts: 'aside',
  params: z.object({ id: ref('personRequest') }),
})

/** The days of a month as computed from gate records and corrections. */
export const listMyDays = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/attendance',
  summary: '本人考勤',
  needs: 'self',
  answers: 'list',
  query: z.object({ month }),
  response: z.object({
    list: z.array(
      z.object({
        stayId: z.string(),
        workDay: z.string(),
        projectName: z.string(),
        firstIn: z.string().nullable(),
        lastOut: z.string().nullable(),
        workHours: z.number(),
        attended: z.boolean(),
      }),
    ),
    total: z.number().int(),
  }),
})
export const listMyTrainings = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/training',
  summary: '本人教育培训',
  needs: 'self',
  answers: 'list',
  query: pageQuery,
  response: paged(
    z.object({
      id: z.string(),
      trainDate: z.string(),
      typeName: z.string().nullable(),
      name: z.string().nullable(),
      projectName: z.string(),
      hours: z.number(),
      score: z.number().nullable(),
      passed: z.boolean().nullable(),
    }),
  ),
})
