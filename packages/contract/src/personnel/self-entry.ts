import { z } from 'zod'
import { ageOn, birthdayOfIdCard, checkIdCard, checkMobile } from '../kit/checks.ts'
import { endpoint } from '../kit/endpoint.ts'
import { checked, day, filled, normalised, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { normalName, normalPhone } from '../kit/normal.ts'
import { fileRef } from '../labour/model.ts'
import { dict } from '../settings/dict-field.ts'
import { printOrigin } from './badges.ts'
import { idNumber, today, workerName } from './identity-model.ts'
import { ageLimits } from './rules.ts'

/**
 * Self-registration: a worker scans the site's QR code and submits personal data. A submission is not a registration yet. The site's labour
 * officer accepts it, by the same functions as the registration form, or returns it with a reason.
 */

export const selfEntryStates = { waiting: '待审核', accepted: '已通过', returned: '已退回' } as const
export type SelfEntryState = keyof typeof selfEntryStates

/** Lifetime of an SMS code, in minutes. */
export const codeMinutes = 10
/** Days after which submissions are deleted. */
export const selfEntryDays = 30
/** Maximum base64 characters of a photo; it must fit into a small request body. */
export const mostPhotoSigns = 56_000
/** Limits per site and day (`waiting`: of submissions not decided yet). */
export const selfEntryLimits = { waiting: 500, handedIn: 300, codes: 600, codesOfPhone: 5 } as const

/** Project and signature, as in the fragment of the poster's address. */
const key = z
  .string({ error: '请扫描工地的登记二维码' })
  .trim()
  .regex(/^[\w:.@*-]{1,64}\.[0-9a-f]{24}$/, '登记二维码无效或已更换，请向工地劳务员要新的')
export const joinPage = '/join'

const mobile = (label: string) => checked(normalised(20, label, normalPhone).min(1, `请填写${label}`), (v) => checkMobile(v))
export const smsCode = z
  .string({ error: '请填写短信验证码' })
  .trim()
  .regex(/^\d{6}$/, '验证码为 6 位数字')

export const openSelfEntry = endpoint({
  method: 'POST',
  path: '/api/v1/sys/selfEntry/open',
  summary: '打开自助登记',
  needs: 'public',
  unaudited: 'a look-up by POST, so that the key stays out of access logs',
  perMinute: 60,
  body: z.object({ key }),
  response: z.object({
    projectName: z.string(),
    teams: z.array(z.object({ id: z.string(), teamName: z.string(), corpName: z.string(), workType: z.string() })),
    workTypes: z.array(z.object({ code: z.string(), name: z.string() })),
    /** False: this installation sends no SMS, so the officer checks the phone number. */
    sms: z.boolean(),
  }),
})

export const selfEntryCode = endpoint({
  method: 'POST',
  path: '/api/v1/sys/selfEntry/code',
  summary: '自助登记验证码',
  needs: 'public',
  unaudited: 'a code sent to a telephone changes nothing of anybody',
  perMinute: 20,
  body: z.object({ key, cellPhone: mobile('手机号码') }),
  response: z.object({ minutes: z.number().int() }),
})

const selfEntryBody = z
  .object({
    key,
    name: workerName,
    idCardNumber: checked(idNumber, (v) => checkIdCard(v)),
    cellPhone: mobile('手机号码'),
    code: smsCode.optional(),
    teamId: ref('team'),
    workType: dict('workerType', '工种'),
    urgentLinkMan: normalised(50, '紧急联系人', normalName).min(1, '请填写紧急联系人'),
    urgentLinkManPhone: mobile('紧急联系电话'),
    /** JPEG in base64, without the `data:` prefix. */
    photo: z
      .string()
      .max(mostPhotoSigns, '照片过大，请重拍')
      .regex(/^[A-Za-z0-9+/]+={0,2}$/, '照片不正确，请重拍')
      .nullable()
      .default(null),
    consentPersonal: z.literal(true, { error: '须同意个人信息处理后才能登记' }),
    consentFace: z.boolean({ error: '请选择是否同意人脸采集' }),
  })
  .superRefine((b, context) => {
    const issue = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message })
    if (b.urgentLinkManPhone === b.cellPhone) issue('urgentLinkManPhone', '与本人手机相同，填联系人自己的号码')
    if (b.photo && !b.consentFace) issue('photo', '未同意人脸采集，不能提交照片')
    const birthday = birthdayOfIdCard(b.idCardNumber)
    if (birthday && ageOn(birthday, today()) < ageLimits.least) issue('idCardNumber', `未满 ${ageLimits.least} 周岁，不能登记`)
  })

/** Same response whether or not the person is known. */
export const handInSelfEntry = endpoint({
  method: 'POST',
  path: '/api/v1/sys/selfEntry',
  summary: '提交自助登记',
  needs: 'public',
  unaudited: 'nobody of the platform: what comes of it is written when it is decided',
  perMinute: 20,
  body: selfEntryBody,
  response: z.object({ receipt: z.string() }),
})

/** Receipt number: ten random characters, without easily confused ones. */
const receipt = z
  .string({ error: '请填写登记回执号' })
  .trim()
  .transform((v) => v.toUpperCase().replace(/[\s-]/g, ''))
  .pipe(z.string().regex(/^[A-HJ-NP-Z2-9]{10}$/, '回执号为 10 位字母和数字'))

export const lookSelfEntry = endpoint({
  method: 'POST',
  path: '/api/v1/sys/selfEntry/look',
  summary: '查看自助登记结果',
  needs: 'public',
  unaudited: 'a look-up by POST, so that the receipt stays out of access logs',
  perMinute: 20,
  body: z.object({ receipt }),
  response: z.object({
    state: z.enum(['waiting', 'accepted', 'returned']),
    stateName: z.string(),
    projectName: z.string(),
    teamName: z.string().nullable(),
    createTime: z.string(),
    decidedTime: z.string().nullable(),
    /** Why it was returned. */
    reason: z.string().nullable(),
  }),
})

const inProject = z.object({ projectCode: pointsTo('project', text(64)).optional() })

export const selfEntryDoor = endpoint({
  method: 'GET',
  path: '/api/v1/oa/selfEntry/door',
  summary: '自助登记二维码',
  needs: 'personnel.create',
  query: inProject,
  response: z.object({
    isOpen: z.boolean(),
    /** Fragment of the address; null while self-registration is closed. */
    key: z.string().nullable(),
    waiting: z.number().int(),
    updateName: z.string().nullable(),
    updateTime: z.string().nullable(),
    version: z.number().int(),
  }),
})

export const setSelfEntryDoor = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/selfEntry/door',
  summary: '设置自助登记二维码',
  needs: 'personnel.create',
  acts: 'site',
  body: z.object({
    projectCode: ref('project'),
    /** `renew` creates a new code: posters with the old one stop working. */
    action: z.enum(['open', 'close', 'renew']),
    version: z.number().int(),
  }),
})

export const selfEntryPoster = endpoint({
  method: 'GET',
  path: '/api/v1/oa/selfEntry/poster',
  summary: '自助登记海报',
  needs: 'personnel.create',
  answers: 'blob',
  perMinute: 20,
  query: inProject.extend({ origin: printOrigin.optional() }),
})

export const selfEntryRow = z.object({
  id: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  name: z.string(),
  age: z.number().int().nullable(),
  idCardMask: z.string(),
  cellPhoneMask: z.string(),
  phoneProved: z.boolean(),
  teamId: z.string(),
  teamName: z.string().nullable(),
  corpCode: z.string(),
  corpName: z.string().nullable(),
  workType: z.string(),
  workTypeName: z.string().nullable(),
  consentFace: z.boolean(),
  hasPhoto: z.boolean(),
  state: z.enum(['waiting', 'accepted', 'returned']),
  stateName: z.string(),
  /** What to check before deciding; `stops`: the registration would be refused for it. */
  hints: z.array(z.object({ text: z.string(), stops: z.boolean() })),
  reason: z.string().nullable(),
  decidedName: z.string().nullable(),
  decidedTime: z.string().nullable(),
  workerId: z.string().nullable(),
  projectWorkerId: z.string().nullable(),
  createTime: z.string(),
  version: z.number().int(),
})
export type SelfEntryRow = z.infer<typeof selfEntryRow>

export const listSelfEntries = endpoint({
  method: 'GET',
  path: '/api/v1/oa/selfEntry',
  summary: '自助登记列表',
  needs: 'personnel.create',
  answers: 'list',
  query: pageQuery.extend({
    ...inProject.shape,
    name: text(50, '姓名').optional(),
    state: several.optional(),
    teamId: pointsTo('team', text(64)).optional(),
    sort: sortBy('createTime', 'name'),
  }),
  response: paged(selfEntryRow),
})
export const selfEntryList = listOf(listSelfEntries, {
  columns: {
    name: '姓名',
    projectName: '项目',
    age: '年龄',
    idCardMask: '证件号码',
    cellPhoneMask: '手机',
    teamId: '单位与班组',
    workType: '工种',
    consentFace: '人脸',
    hints: '核对',
    state: '状态',
    createTime: '提交时间',
  },
})

const params = z.object({ id: ref('selfEntry') })
export const getSelfEntry = endpoint({
  method: 'GET',
  path: '/api/v1/oa/selfEntry/:id',
  summary: '自助登记详情',
  needs: 'personnel.create',
  params,
  response: selfEntryRow.extend({
    urgentLinkMan: z.string().nullable(),
    urgentPhoneMask: z.string().nullable(),
    /** JPEG in base64. */
    photo: z.string().nullable(),
  }),
})

export const decideSelfEntry = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/selfEntry/:id',
  summary: '审核自助登记',
  needs: 'personnel.create',
  acts: 'own',
  params,
  body: z.discriminatedUnion('action', [
    z.object({
      action: z.literal('accept'),
      teamId: ref('team'),
      workType: dict('workerType', '工种'),
      entryTime: day,
      /** The submitted photo, as stored by the accepting user. */
      photo: fileRef.nullable().default(null),
      version: z.number().int(),
    }),
    z.object({ action: z.literal('return'), reason: filled(200, '退回原因').min(2, '退回原因至少 2 个字'), version: z.number().int() }),
  ]),
  response: z.object({ workerId: z.string().nullable(), projectWorkerId: z.string().nullable() }),
})
