import { z } from 'zod'
import { credentials, loginAnswer } from '../identity/endpoints.ts'
import { passwordProblem } from '../identity/password.ts'
import { checkMobile } from '../kit/checks.ts'
import { endpoint } from '../kit/endpoint.ts'
import { filled, nullable, paged, pageQuery, phoneText, pointsTo, ref, several, text } from '../kit/fields.ts'

/** States of a link with which one person becomes administrator of a group, once. */
export const linkStates = { open: '待使用', used: '已使用', expired: '已过期', revoked: '已撤销' } as const
export type LinkState = keyof typeof linkStates
/** Longest validity in days: an unused link is a security risk. */
export const longestLinkDays = 30
export const usualLinkDays = 7
/** Maximum number of open links per group, because each gives access. */
export const mostOpenLinks = 5

const mobile = phoneText('手机号', 20).refine(
  (v) => v === '' || checkMobile(v, { mainlandOnly: true }) === undefined,
  '手机号应为 1 开头的 11 位数字',
)
const linkDays = z.number().int().min(1, '有效期至少 1 天').max(longestLinkDays, `有效期最长 ${longestLinkDays} 天`)

export const adminLink = z.object({
  id: z.string(),
  groupId: z.string(),
  groupName: z.string(),
  groupsType: z.number().int(),
  name: z.string(),
  phone: z.string().nullable(),
  state: z.enum(Object.keys(linkStates) as [LinkState, ...LinkState[]]),
  expiresTime: z.string(),
  createTime: z.string(),
  createBy: z.string(),
  usedTime: z.string().nullable(),
  usedBy: z.string().nullable(),
  version: z.number().int(),
})
export type AdminLink = z.output<typeof adminLink>

export const listLinks = endpoint({
  method: 'GET',
  path: '/api/v1/sys/adminLink',
  summary: '管理员邀请链接列表',
  needs: 'adminGrant.edit',
  answers: 'list',
  query: pageQuery.extend({
    groupName: text(50).optional(),
    state: several.optional(),
    openingId: pointsTo('opening', text(64)).optional(),
  }),
  response: paged(adminLink),
})

/** The secret part of a link. It is in the fragment (after `#`) of the URL, which browsers send to no server and which no log contains. */
const token = z.string().max(128)
export const createLink = endpoint({
  method: 'POST',
  path: '/api/v1/sys/adminLink',
  summary: '邀请机构管理员',
  needs: 'adminGrant.edit',
  acts: 'aside',
  body: z.object({
    groupId: ref('group'),
    name: filled(50, '姓名').min(2, '姓名为 2-50 字'),
    phone: nullable(mobile),
    days: linkDays.default(usualLinkDays),
  }),
  response: z.object({ id: z.string(), token, expiresTime: z.string() }),
})
export const changeLink = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/adminLink/:id',
  summary: '撤销或重发邀请链接',
  needs: 'adminGrant.edit',
  acts: 'aside',
  params: z.object({ id: ref('adminLink') }),
  body: z.object({ action: z.enum(['revoke', 'renew']), days: linkDays.default(usualLinkDays), version: z.number().int() }),
  response: z.object({ token: token.nullable(), expiresTime: z.string().nullable() }),
})

/** Attempts per address and minute: a person opens one link, and guessing a secret at this rate is hopeless. */
const linkTries = 20
export const openLink = endpoint({
  method: 'POST',
  path: '/api/v1/sys/adminLink/open',
  summary: '打开邀请链接',
  needs: 'public',
  perMinute: linkTries,
  body: z.object({ token }),
  response: z.object({
    groupName: z.string(),
    groupsType: z.number().int(),
    name: z.string(),
    phone: z.string().nullable(),
    by: z.string(),
    expiresTime: z.string(),
  }),
})
const account = z
  .string({ error: '请填写账号' })
  .trim()
  .regex(/^[A-Za-z][\w-]{3,31}$/, '账号为 4-32 位字母、数字、下划线或短横线，以字母开头')
export const acceptLink = endpoint({
  method: 'POST',
  path: '/api/v1/sys/adminLink/accept',
  summary: '用邀请链接成为管理员',
  needs: 'public',
  perMinute: linkTries,
  body: z.discriminatedUnion('mode', [
    z.object({
      mode: z.literal('new'),
      token,
      account,
      name: filled(50, '姓名').min(2, '姓名为 2-50 字'),
      phone: mobile.refine((v) => v !== '', '请填写手机号'),
      password: z.string({ error: '请填写密码' }).superRefine((v, context) => {
        const problem = passwordProblem(v)
        if (problem) context.addIssue({ code: 'custom', message: problem })
      }),
    }),
    credentials
      .pick({ account: true, password: true, captcha: true, captchaKey: true, otp: true })
      .extend({ mode: z.literal('existing'), token }),
  ]),
  response: loginAnswer,
})
