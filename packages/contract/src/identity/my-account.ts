import { z } from 'zod'
import { joinRequest } from '../access/joins.ts'
import { endpoint } from '../kit/endpoint.ts'
import { text } from '../kit/fields.ts'
import { passwordProblem } from './password.ts'

/** Settings of the caller's own account: profile, password and second factor, notices. Open to every account, whatever its roles. */

const ownPassword = z.string({ error: '请填写登录密码' }).min(1, '请填写登录密码').max(128, '密码过长')
const sixDigits = z.string({ error: '请填写动态口令' }).regex(/^\d{6}$/, '动态口令为 6 位数字')

/** Days after which the user is reminded to change the password; the account is not locked. */
export const passwordReminderDays = 90
/** Number of recovery codes, which replace a lost second factor; each works once. */
export const recoveryCodeCount = 10
/** Format of a recovery code: two groups of five, without letters that look like digits. */
export const recoveryCodePattern = /^[A-HJ-NP-Z2-9]{5}-?[A-HJ-NP-Z2-9]{5}$/i

/** Kinds of notices that are also sent outside the product (`message.kind`). */
export const noticeKinds = { alarm: '设备告警', due: '到期提醒', warning: '接入警告', person: '人员预警' } as const
export type NoticeKind = keyof typeof noticeKinds
const channels = z.array(z.enum(['2', '4'])).max(2)
/** For each kind of notice, the muted channels. In-app messages are never muted, nor are alarms of level 1 on any channel. */
export const mutedChannels = z.object({ alarm: channels, due: channels, warning: channels, person: channels }).partial()
export type MutedChannels = z.infer<typeof mutedChannels>

export const getMyAccount = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/account',
  summary: '本人账号',
  needs: 'self',
  response: z.object({
    account: z.string(),
    name: z.string(),
    phoneMask: z.string().nullable(),
    emailMask: z.string().nullable(),
    createTime: z.string(),
    passwordTime: z.string(),
    passwordAgeDays: z.number().int(),
    secondFactor: z.object({ on: z.boolean(), recoveryLeft: z.number().int() }),
    /** Name in the personal file tied to the account, masked: other users of the account may see it too. */
    personName: z.string().nullable(),
    groups: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        groupsType: z.number().int(),
        current: z.boolean(),
        isDefault: z.boolean(),
        enabled: z.boolean(),
        deadline: z.string().nullable(),
        roles: z.array(z.object({ name: z.string(), deadline: z.string().nullable() })),
      }),
    ),
    /** Invitations by groups to work for them. */
    joins: z.array(joinRequest),
    muted: mutedChannels,
    /** Which channels this installation can send over. */
    ready: z.object({ sms: z.boolean(), mail: z.boolean() }),
  }),
})

export const muteMyNotices = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/my/notice',
  summary: '设置本人通知',
  needs: 'self',
  acts: 'aside',
  body: z.object({ muted: mutedChannels }),
})

/** Creates a new second factor; it takes effect when confirmed by one of its codes. */
export const beginSecondFactor = endpoint({
  method: 'POST',
  path: '/api/v1/sys/my/otp',
  summary: '绑定动态口令',
  needs: 'self',
  factorSetup: true,
  acts: 'aside',
  perMinute: 10,
  body: z.object({ password: ownPassword }),
  response: z.object({ /** Base32 (RFC 4648), for typing in. */ secret: z.string(), /** otpauth:// for the picture. */ uri: z.string() }),
})
const codesOnce = z.object({ /** Returned only once. */ recoveryCodes: z.array(z.string()) })
export const confirmSecondFactor = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/my/otp',
  summary: '启用动态口令',
  needs: 'self',
  factorSetup: true,
  acts: 'aside',
  perMinute: 10,
  body: z.object({ code: sixDigits }),
  response: codesOnce,
})
export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/v1/sys/my/otp/recovery',
  summary: '重新生成恢复码',
  needs: 'self',
  acts: 'aside',
  perMinute: 10,
  body: z.object({ password: ownPassword, code: sixDigits }),
  response: codesOnce,
})
/** Needs the password and a code of the second factor, or a recovery code. */
export const removeSecondFactor = endpoint({
  method: 'POST',
  path: '/api/v1/sys/my/otp/remove',
  summary: '停用动态口令',
  needs: 'self',
  acts: 'aside',
  perMinute: 10,
  body: z.object({ password: ownPassword, code: text(20, '动态口令').min(1, '请填写动态口令或恢复码') }),
})

/** Ends all other sessions of the caller at once. */
export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/my/session',
  summary: '退出本人的全部其他登录',
  needs: 'self',
  acts: 'aside',
  response: z.object({ ended: z.number().int() }),
})

/**
 * Sends a code for resetting a forgotten password to the phone or mailbox of the account. The response is the same whether or not the
 * account exists and a message could be sent.
 */
export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/v1/sys/password/forgot',
  summary: '找回密码',
  needs: 'public',
  perMinute: 10,
  body: z.object({
    account: text(64, '账号').min(1, '请填写账号'),
    captcha: z.string({ error: '请填写验证码' }).min(1, '请填写验证码').max(16),
    captchaKey: z.string({ error: '请填写验证码' }).max(64),
  }),
  response: z.object({ /** Minutes for which the code is valid. */ minutes: z.number().int() }),
})
export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/v1/sys/password/reset',
  summary: '用验证码重设密码',
  needs: 'public',
  perMinute: 10,
  body: z.object({
    account: text(64, '账号').min(1, '请填写账号'),
    code: z.string({ error: '请填写收到的验证码' }).regex(/^\d{8}$/, '验证码为 8 位数字'),
    newPassword: z.string({ error: '请填写新密码' }).superRefine((v, context) => {
      const problem = passwordProblem(v)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    }),
  }),
})
