import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, phoneText, ref, text } from '../kit/fields.ts'
import { shanghaiOffsetMs } from '../kit/time.ts'
import { across, fileRefs, whileIncomplete } from '../labour/model.ts'
import { badRow } from '../personnel/bad-record-model.ts'
import { resumeBody, resumeRow } from '../personnel/career-model.ts'
import { consent, idNumber, issuesOf } from '../personnel/identity-model.ts'
import { certFields, certRow, certRules, contractRow } from '../personnel/paper-model.ts'
import { storedConsent } from '../personnel/worker-model.ts'

/** A person's own file, read and answered by himself. His account says which: no call here takes the id of a person. */

const ownPassword = z.string({ error: '请填写登录密码' }).min(1, '请填写登录密码').max(128, '密码过长')

const claimed = z.object({
  idCardNumber: idNumber,
  cellPhone: phoneText('手机号码', 20).regex(/^1\d{10}$/, '手机号应为 1 开头的 11 位数字'),
  password: ownPassword,
})
/** How long a proof that one is the person is good for. */
export const linkProofMinutes = 10
/** A code to the phone counts while the person has passed a gate of his site within so long. */
export const linkPassHours = 24

/**
 * Asks for a proof: a code goes to the phone in the file or, where the installation sends no messages, the person goes through a gate of the site
 * that has him now.
 */
export const proveMyPerson = endpoint({
  method: 'POST',
  path: '/api/v1/sys/my/person/link/proof',
  summary: '验证本人',
  needs: 'self',
  acts: 'aside',
  perMinute: 5,
  body: claimed,
  response: z.object({ way: z.enum(['phone', 'gate']), minutes: z.number().int() }),
})
/**
 * Ties the account to the person's file. The name of an account is given by whoever made it and must be the file's; number and phone must be the
 * file's as well, and the person proves himself. One file, one account: whoever proves himself later takes it over.
 */
export const linkMyPerson = endpoint({
  method: 'POST',
  path: '/api/v1/sys/my/person/link',
  summary: '关联本人实名档案',
  needs: 'self',
  acts: 'aside',
  perMinute: 5,
  body: claimed.extend({ code: text(6, '验证码').optional() }),
})
export const unlinkMyPerson = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/my/person/link',
  summary: '解除本人实名档案关联',
  needs: 'self',
  acts: 'aside',
})

const ownFile = z.object({
  name: z.string(),
  genderName: z.string().nullable(),
  age: z.number().int(),
  nationName: z.string().nullable(),
  idCardTypeName: z.string().nullable(),
  idCardMask: z.string(),
  startDate: z.string().nullable(),
  expiryDate: z.string().nullable(),
  grantOrg: z.string().nullable(),
  cellPhoneMask: z.string().nullable(),
  hasAddress: z.boolean(),
  urgentLinkMan: z.string().nullable(),
  urgentLinkManPhoneMask: z.string().nullable(),
  photo: z.string().nullable(),
  hasFacePhoto: z.boolean(),
  realNameState: z.string(),
  workTypeName: z.string().nullable(),
  consents: z.array(storedConsent),
  /** Where he is now. */
  stays: z.array(
    z.object({
      id: z.string(),
      /** Whether the site may see the file: he has passed one of its gates or agreed. */
      confirmed: z.boolean(),
      projectName: z.string(),
      corpName: z.string().nullable(),
      teamName: z.string().nullable(),
      entryTime: z.string(),
    }),
  ),
  /** Who looked at what; of an authority the body alone is named. */
  looks: z.array(z.object({ id: z.string(), at: z.string(), viewer: z.string(), groupName: z.string(), summary: z.string() })),
  counts: z.object({
    certificates: z.number().int(),
    ending: z.number().int(),
    records: z.number().int(),
    bad: z.number().int(),
    contracts: z.number().int(),
    /** Of his own that wait for an answer. */
    requests: z.number().int(),
  }),
})
export const getMyPerson = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/person',
  summary: '本人实名档案',
  needs: 'self',
  response: z.object({ /** Null: the account is tied to none. */ person: ownFile.nullable() }),
})
/** Somebody has entered him by number and name: that he is there opens his file to the site. */
export const agreeToMyStay = endpoint({
  method: 'POST',
  path: '/api/v1/sys/my/person/stay/:id',
  summary: '本人确认进场',
  needs: 'self',
  acts: 'aside',
  params: z.object({ id: ref('projectWorker') }),
  body: z.object({ password: ownPassword }),
})
/** What is masked otherwise, to its owner, after his password. */
export const openMyPerson = endpoint({
  method: 'POST',
  path: '/api/v1/sys/my/person/open',
  summary: '查看本人完整信息',
  needs: 'self',
  acts: 'aside',
  perMinute: 20,
  body: z.object({ password: ownPassword }),
  response: z.object({
    idCardNumber: z.string().nullable(),
    cellPhone: z.string().nullable(),
    address: z.string().nullable(),
    urgentLinkManPhone: z.string().nullable(),
    positiveIdCardImage: z.string().nullable(),
    negativeIdCardImage: z.string().nullable(),
    facePhoto: z.string().nullable(),
  }),
})
/** Takes back what was agreed to; agreeing again is done where it is asked for, with its paper or signature. */
export const withdrawMyConsent = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/my/person/consent',
  summary: '撤回本人授权',
  needs: 'self',
  acts: 'aside',
  body: z.object({ kind: consent.shape.kind.extract(['face']), password: ownPassword }),
})

export const listMyCertificates = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/certificate',
  summary: '本人证书',
  needs: 'self',
  answers: 'list',
  response: z.object({
    list: z.array(certRow),
    total: z.number().int(),
    demands: z.array(z.object({ workTypeName: z.string(), licence: z.string(), met: z.boolean(), remark: z.string() })),
  }),
})
export const addMyCertificate = endpoint({
  method: 'POST',
  path: '/api/v1/sys/my/certificate',
  summary: '上传本人证书',
  needs: 'self',
  acts: 'aside',
  body: z.object({ ...certFields, files: fileRefs('附件').min(1, '请上传证书照片') }).superRefine(
    across((c, context) => certRules(c, issuesOf(context))),
    whileIncomplete,
  ),
  response: z.object({ id: z.string() }),
})
export const withdrawMyCertificate = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/my/certificate/:id',
  summary: '撤回本人证书',
  needs: 'self',
  acts: 'aside',
  params: z.object({ id: ref('certificate') }),
})

export const listMyRecords = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/record',
  summary: '本人从业记录',
  needs: 'self',
  answers: 'list',
  response: z.object({
    list: z.array(resumeRow),
    total: z.number().int(),
    attendDays: z.number().int(),
    /** Days at work by year, the newest first. */
    years: z.array(z.object({ year: z.string(), days: z.number().int() })),
  }),
})
export const addMyRecord = endpoint({
  method: 'POST',
  path: '/api/v1/sys/my/record',
  summary: '自填从业记录',
  needs: 'self',
  acts: 'aside',
  body: z
    .object({
      projectName: filled(200, '项目'),
      corpName: filled(200, '企业'),
      teamName: resumeBody.shape.teamName,
      workType: resumeBody.shape.workType,
      entryTime: resumeBody.shape.entryTime,
      exitTime: resumeBody.shape.exitTime,
    })
    .superRefine((h, context) => {
      const issue = issuesOf(context)
      if (typeof h.exitTime === 'string' && h.exitTime < h.entryTime) issue('exitTime', '离开日期不能早于开始日期')
      if (h.entryTime > new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)) issue('entryTime', '开始日期不能晚于今天')
    }),
  response: z.object({ id: z.string() }),
})
/** One that the person told himself; stays that the platform recorded are not his to change. */
export const removeMyRecord = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/my/record/:id',
  summary: '删除自填从业记录',
  needs: 'self',
  acts: 'aside',
  params: z.object({ id: ref('resume') }),
})
/** Without who wrote it down. */
export const listMyBadRecords = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/poorRecord',
  summary: '本人不良记录',
  needs: 'self',
  answers: 'list',
  response: z.object({ list: z.array(badRow.omit({ workerId: true, workerName: true, own: true })), total: z.number().int() }),
})
export const listMyContracts = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/contract',
  summary: '本人合同',
  needs: 'self',
  answers: 'list',
  response: z.object({
    list: z.array(contractRow),
    total: z.number().int(),
    /** Projects one is in without a contract. */
    missing: z.array(z.string()),
  }),
})
