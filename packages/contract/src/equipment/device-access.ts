import { z } from 'zod'
import { phoneText, pointsTo, ref, text } from '../kit/fields.ts'
import { maxLength } from './gateway-endpoints.ts'

const unit = z.enum(['ug', 'mg'], { error: '单位应为 ug 或 mg' })

export const access = z.discriminatedUnion(
  'protocol',
  [
    z.object({ protocol: z.literal('mqtt'), gatewayId: ref('gateway') }),
    z.object({
      protocol: z.literal('hj212'),
      mn: z.string().regex(/^\w{5,40}$/, 'MN 应为 5～40 位字母、数字或下划线'),
      password: z
        .string()
        .min(6, '密码至少 6 位')
        .max(9, '密码最多 9 位（HJ 212-2017 的 PW 字段）')
        .regex(/^[\x21-\x3a\x3c-\x7e]+$/, '密码不能含空格、分号或中文')
        .optional(),
      units: z.record(z.string(), unit).optional(),
      crcMode: z.enum(['standard', 'modbus']).default('standard'),
      maxLength: maxLength.optional(),
    }),
    z.object({
      protocol: z.literal('jt808'),
      phone: phoneText('终端手机号', 20).regex(/^\d{10,20}$/, '终端手机号应为 10～20 位数字'),
      /** As printed on the terminal; left out, the first one that registers in an open window is bound. */
      terminalId: z
        .string()
        .trim()
        .regex(/^[\w.-]{1,30}$/, '终端 ID 最多 30 位字母、数字、点、下划线或短横线')
        .optional(),
    }),
    z.object({ protocol: z.literal('http'), appId: pointsTo('openApp', text(64)).optional() }),
    z.object({
      protocol: z.literal('poll'),
      gatewayId: ref('gateway'),
      /** Unit of Modbus (1 to 247), or the meter's address. */
      address: z.string().regex(/^\d{1,14}$/, '地址应为从站号或表号（数字）'),
    }),
  ],
  { error: '请选择接入方式' },
)

export type AccessInput = z.input<typeof access>
