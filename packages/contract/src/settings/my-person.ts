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

/** The caller's own personal file. The account determines the person: no endpoint here takes the id of a person. */

const ownPassword = z.string({ error: '请填写登录密码' }).min(1, '请填写登录密码').max(128, '密码过长')

const claimed = z.object({
  idCardNumber: idNumber,
  cellPhone: phoneText('手机号码', 20).regex(/^1\d{10}$/, '手机号应为 1 开头的 11 位数字'),
  password: ownPassword,
})
/** How long a proof of identity is valid. */
export const linkProofMinutes = 10
/** A code sent to the phone is accepted only if the person has passed a gate of the current site within this time. */
export const linkPassHours = 24

/**
 * Requests a proof of identity: a code is sent to the phone number in the file. If the installation cannot send text messages, the person
 * must pass a gate of the current site instead.
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
 * Ties the account to the caller's personal file. The account's name (set by whoever created it), the ID number and the phone number must
 * match the file, and the caller must prove the identity. A file has one account: a later successful proof replaces the earlier account.
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

export const ownFile = z.object({
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
  /** The person's current stays. */
  stays: z.array(
    z.object({
      id: z.string(),
      /** Whether the site may see the file: the person has passed one of its gates or has agreed. */
      confirmed: z.boolean(),
      projectName: z.string(),
      corpName: z.string().nullable(),
      teamName: z.string().nullable(),
      entryTime: z.string(),
    }),
  ),
  /** Who accessed which data; for an authority only its name is given. */
  looks: z.array(z.object({ id: z.string(), at: z.string(), viewer: z.string(), groupName: z.string(), summary: z.string() })),
  counts: z.object({
    certificates: z.number().int(),
    ending: z.number().int(),
    records: z.number().int(),
    bad: z.number().int(),
    contracts: z.number().int(),
    /** Number of the person's own requests that are undecided. */
    requests: z.number().int(),
  }),
})
export const getMyPerson = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/person',
  summary: '本人实名档案',
  needs: 'self',
  response: z.object({ /** Null: the account is not tied to a file. */ person: ownFile.nullable() }),
})
/** Agrees to a stay that somebody entered by number and name; the file then becomes visible to the site. */
export const agreeToMyStay = endpoint({
  method: 'POST',
  path: '/api/v1/sys/my/person/stay/:id',
  summary: '本人确认进场',
  needs: 'self',
  acts: 'aside',
  params: z.object({ id: ref('projectWorker') }),
  body: z.object({ password: ownPassword }),
})
/** Returns the values that are otherwise masked to their owner, after the password. */
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
/** Withdraws a consent. Consent is given again where it was requested, with its document or signature. */
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
    /** Working days by year, newest first. */
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
/** Deletes an entry that the person made; stays recorded by the platform cannot be changed. */
export const removeMyRecord = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/my/record/:id',
  summary: '删除自填从业记录',
  needs: 'self',
  acts: 'aside',
  params: z.object({ id: ref('resume') }),
})
/** Without the author of the record. */
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
    /** Projects in which the person has no contract. */
    missing: z.array(z.string()),
  }),
})
