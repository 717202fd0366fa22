import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled } from '../kit/fields.ts'
import { smsCode } from '../personnel/self-entry.ts'
import { careerFields, mobile, paperFields, personFields } from './model.ts'

/** Public application to an expert library. Nobody here has an account: everything hangs on a ticket that a code by SMS opens. */

/** Lifetime of a code, in minutes, and of a ticket, in hours. */
export const applyCodeMinutes = 10
export const ticketHours = 2
/** Per day: codes of a phone, submissions of an address, codes of an address. Per ticket: uploads. */
export const applyLimits = { codes: 5, submits: 10, codesOfAddress: 30, uploads: 20 } as const
/** Header with the ticket of an upload: it is checked before the file is read. */
export const ticketHeader = 'x-expert-ticket'

const ticket = z.string({ error: '请先验证手机' }).regex(/^[0-9a-f]{64}$/, '请先验证手机')
const library = z.string({ error: '请选择专家库' }).regex(/^[\w-]{1,64}$/, '请选择专家库')

export const personPart = z.object(personFields)
export const careerPart = z.object(careerFields)
export const papersPart = z.object(paperFields)

const draft = z.object({ library: z.string().nullable(), person: z.unknown(), career: z.unknown(), papers: z.unknown() })
const application = z.object({
  state: z.string(),
  stateName: z.string(),
  opinion: z.string().nullable(),
  libraryName: z.string(),
  submitTime: z.string().nullable(),
  validEnd: z.string().nullable(),
})
const option = z.object({ value: z.string(), label: z.string() })

/** The body carries the data of its step; the other parts are left out. */
export const applyExpert = endpoint({
  method: 'POST',
  path: '/api/v1/open/expert/apply',
  summary: '专家入库申请',
  description: '按 step 办理：code 发送短信验证码，verify 换取两小时内有效的凭据，save 保存一步，submit 提交，query 查询，withdraw 撤回。',
  needs: 'public',
  unaudited: 'nobody of the platform: the history of the file says what was submitted, and when',
  perMinute: 60,
  body: z.discriminatedUnion('step', [
    z.object({
      step: z.literal('code'),
      phone: mobile,
      captchaKey: filled(64, '图形验证码'),
      captcha: filled(10, '图形验证码'),
    }),
    z.object({ step: z.literal('verify'), phone: mobile, code: smsCode }),
    z.object({
      step: z.literal('save'),
      ticket,
      library,
      person: personPart.optional(),
      career: careerPart.optional(),
      papers: papersPart.optional(),
    }),
    z.object({ step: z.literal('submit'), ticket }),
    z.object({ step: z.literal('query'), ticket }),
    z.object({ step: z.literal('withdraw'), ticket }),
  ]),
  response: z.object({
    ticket: z.string().optional(),
    /** What is stored under the phone, to go on with. */
    draft: draft.optional(),
    application: application.nullable().optional(),
    options: z
      .object({
        libraries: z.array(option.extend({ maxAge: z.number().int(), leastYears: z.number().int() })),
        titles: z.array(option),
        degrees: z.array(option),
        specialties: z.array(option),
      })
      .optional(),
  }),
})

/** One file of an application, sent with the ticket in the header `x-expert-ticket`. Never served publicly. */
export const uploadExpertFile = endpoint({
  method: 'POST',
  path: '/api/v1/open/expert/upload',
  summary: '专家申请附件',
  needs: 'public',
  unaudited: "nobody of the platform; the file is the applicant's until it is submitted",
  multipart: true,
  perMinute: 20,
  response: z.object({ id: z.string(), name: z.string() }),
})
