import { z } from 'zod'
import {
  checkAgainstIdCard,
  checkBankCard,
  checkBankLinkNumber,
  checkIdNumber,
  checkMobile,
  checkName,
  normalizeName,
} from '../kit/checks.ts'
import { checked, day, normalised, nullable, ref, text } from '../kit/fields.ts'
import { normalBankCard, normalIdNumber, normalName, normalPhone } from '../kit/normal.ts'
import { shanghaiOffsetMs } from '../kit/time.ts'
import { fileRef } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'

/**
 * People. A person (worker) exists once in the platform, whatever sites they work on; what belongs to one site is the stay (projectWorker).
 * Registration requires few fields, so that sixty people can be registered in a morning; becoming formal requires all.
 */

export const workerParams = z.object({ id: ref('worker') })

const picture = nullable(z.preprocess((v) => (Array.isArray(v) ? v[0] : v), fileRef))

const mobile = (label: string) => checked(normalised(20, label, normalPhone), (v) => checkMobile(v))

export const today = () => new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)

export const workerName = z
  .string({ error: '请填写姓名' })
  .max(100, '姓名最多 50 个字')
  .superRefine((v, context) => {
    const problem = v.trim() === '' ? '请填写姓名' : checkName(v)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
  .transform(normalizeName)

export const idNumber = normalised(30, '证件号码', normalIdNumber).min(1, '请填写证件号码')

export const identityFields = {
  name: workerName,
  idCardType: dict('idCardType', '证件类型').default('01'),
  idCardNumber: idNumber,
  /** Derived from the number of a resident identity card; required for other documents. */
  gender: nullable(dict('gender', '性别')),
  birthday: nullable(day),
}

export const paperFields = {
  nation: nullable(dict('nation', '民族')),
  address: nullable(text(200, '住址')),
  grantOrg: nullable(text(50, '发证机关')),
  startDate: nullable(day),
  expiryDate: nullable(day),
  headImage: picture,
  positiveIdCardImage: picture,
  negativeIdCardImage: picture,
  facePhoto: picture,
}

export const personFields = {
  cellPhone: nullable(mobile('手机号码')),
  politics: nullable(dict('politics', '政治面貌')),
  cultureLevel: nullable(dict('education', '文化程度')),
  degree: nullable(dict('degree', '学位')),
  maritalStatus: nullable(dict('marriage', '婚姻状况')),
  isJoined: nullable(z.boolean()),
  joinedTime: nullable(day),
  specialty: nullable(text(200, '特长')),
  workTypeCode: nullable(dict('workerType', '当前工种')),
  workCorpName: nullable(text(200, '当前聘用企业')),
  workDate: nullable(day),
  skillLevel: nullable(dict('certLevel', '技能等级')),
  urgentLinkMan: nullable(normalised(50, '紧急联系人', normalName)),
  urgentLinkManPhone: nullable(mobile('紧急联系电话')),
  hasBadMedicalHistory: nullable(z.boolean()),
}

export const signedByHand = '手写签名'
export const consentWays = ['纸质', signedByHand, '手机确认'] as const

export const consent = z.object({
  kind: z.enum(['personal', 'face']),
  state: z.enum(['同意', '不同意', '已撤回']),
  version: text(20).default('1.0'),
  way: z.enum(consentWays).default('纸质'),
  time: text(30).optional(),
  /** The signed consent. */
  file: picture,
})

export type ConsentInput = z.output<typeof consent>

export type Issue = (field: string, message: string) => void

export const issuesOf =
  (context: z.RefinementCtx): Issue =>
  (field, message) =>
    context.addIssue({ code: 'custom', path: [field], message })

interface Identity {
  idCardType?: string | undefined
  idCardNumber?: string | undefined
  gender?: unknown
  birthday?: unknown
}

/** Validates the number, and the fields entered beside it. */
export function identityRules(p: Identity, issue: Issue) {
  if (!p.idCardNumber) return
  const type = p.idCardType ?? '01'
  const problem = checkIdNumber(type, p.idCardNumber, { today: today() })
  if (problem) return issue('idCardNumber', problem)
  if (type === '01') {
    const gender = typeof p.gender === 'string' ? p.gender : null
    const birthday = typeof p.birthday === 'string' ? p.birthday : null
    const wrongGender = checkAgainstIdCard(p.idCardNumber, { gender })
    if (wrongGender) issue('gender', wrongGender)
    const wrongBirthday = checkAgainstIdCard(p.idCardNumber, { birthday })
    if (wrongBirthday) issue('birthday', wrongBirthday)
    return
  }
  if (!p.gender) issue('gender', '非居民身份证请选择性别')
  if (!p.birthday) issue('birthday', '非居民身份证请填写出生日期')
  else if (String(p.birthday) > today()) issue('birthday', '出生日期不能晚于今天')
}

interface Person {
  startDate?: unknown
  expiryDate?: unknown
  cellPhone?: unknown
  urgentLinkManPhone?: unknown
  isJoined?: unknown
  joinedTime?: unknown
  workDate?: unknown
  facePhoto?: unknown
  consents?: readonly { kind: string; state: string }[] | undefined
}

export function personRules(p: Person, issue: Issue) {
  if (typeof p.startDate === 'string' && p.startDate > today()) issue('startDate', '证件有效期起不能晚于今天')
  if (typeof p.startDate === 'string' && typeof p.expiryDate === 'string' && p.expiryDate <= p.startDate)
    issue('expiryDate', '证件有效期止应晚于有效期起')
  if (p.urgentLinkManPhone && p.urgentLinkManPhone === p.cellPhone) issue('urgentLinkManPhone', '与本人手机相同，填联系人自己的号码')
  if (p.isJoined === true && !p.joinedTime) issue('joinedTime', '已加入工会，请填写加入时间')
  if (typeof p.workDate === 'string' && p.workDate >= today()) issue('workDate', '开始从业日期应早于今天')
  if (p.facePhoto && p.consents && !p.consents.some((c) => c.kind === 'face' && c.state === '同意'))
    issue('facePhoto', '本人未同意人脸采集，不能保存现场照片')
}

export const accountFields = {
  payRollBankCode: nullable(dict('bankCode', '工资卡银行')),
  payRollBankName: nullable(text(50, '开户行')),
  payRollBankCardNumber: nullable(checked(normalised(30, '工资卡号', normalBankCard), checkBankCard)),
  bankLinkNumber: nullable(checked(text(12, '联行号'), checkBankLinkNumber)),
}
