import { z } from 'zod'
import { checkMobile } from '../kit/checks.ts'
import { endpoint } from '../kit/endpoint.ts'
import { checked, normalised, text } from '../kit/fields.ts'
import { normalPhone } from '../kit/normal.ts'
import { contractRow } from './paper-model.ts'
import { smsCode } from './self-entry.ts'

/** Workers see their own attendance and contracts without an account, by an SMS code to the phone number on record. */

/** Lifetime of the token. */
export const ownLookMinutes = 30

const cellPhone = checked(normalised(20, '手机号码', normalPhone).min(1, '请填写手机号码'), (v) => checkMobile(v))
const token = text(100, '凭据')

/** Same response for known and unknown numbers. */
export const ownLookCode = endpoint({
  method: 'POST',
  path: '/api/v1/sys/ownLook/code',
  summary: '本人查询验证码',
  needs: 'public',
  unaudited: 'a code sent to a telephone changes nothing of anybody',
  perMinute: 10,
  body: z.object({ cellPhone }),
  response: z.object({ minutes: z.number().int() }),
})

export const openOwnLook = endpoint({
  method: 'POST',
  path: '/api/v1/sys/ownLook/open',
  summary: '凭验证码查看本人记录',
  needs: 'public',
  unaudited: 'a look at one’s own file, which stands among the looks at it',
  perMinute: 20,
  body: z.object({
    cellPhone,
    code: smsCode,
    /** Last 6 characters of the ID number, if several people share the phone number. */
    last6: z
      .string()
      .trim()
      .transform((v) => v.toUpperCase())
      .pipe(z.string().regex(/^\d{5}[\dX]$/, '请填写证件号码后 6 位'))
      .optional(),
  }),
  response: z.object({
    /** Null if `last6` is required. */
    token: z.string().nullable(),
    needsLast6: z.boolean(),
    minutes: z.number().int(),
  }),
})

export const readOwnLook = endpoint({
  method: 'POST',
  path: '/api/v1/sys/ownLook',
  summary: '本人的考勤与合同',
  needs: 'public',
  unaudited: 'a look by POST, so that the token stays out of access logs',
  perMinute: 60,
  body: z.object({ token, month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, '月份格式为 yyyy-MM') }),
  response: z.object({
    name: z.string(),
    stays: z.array(
      z.object({
        id: z.string(),
        projectName: z.string(),
        corpName: z.string().nullable(),
        teamName: z.string().nullable(),
        entryDate: z.string(),
        exitDate: z.string().nullable(),
        days: z.array(
          z.object({
            workDay: z.string(),
            mark: z.string(),
            firstIn: z.string().nullable(),
            lastOut: z.string().nullable(),
            hours: z.number(),
            attended: z.boolean(),
          }),
        ),
        attendDays: z.number(),
        hours: z.number(),
        /** Whether the month is closed (the basis of wages). */
        closed: z.boolean(),
        contracts: z.array(
          contractRow.pick({
            id: true,
            contractCode: true,
            corpName: true,
            contractPeriodType: true,
            startDate: true,
            endDate: true,
            paymentTypeName: true,
            unitName: true,
            unitPrice: true,
            salary: true,
            payDay: true,
            signDate: true,
            state: true,
            files: true,
          }),
        ),
      }),
    ),
  }),
})

export const closeOwnLook = endpoint({
  method: 'POST',
  path: '/api/v1/sys/ownLook/close',
  summary: '结束本人查询',
  needs: 'public',
  unaudited: 'the end of a look',
  perMinute: 60,
  body: z.object({ token }),
})
