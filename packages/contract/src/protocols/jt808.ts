import { z } from 'zod'
import { phoneText } from '../kit/fields.ts'
import { protocol } from './protocol.ts'

const access = z.object({
  protocol: z.literal('jt808'),
  phone: phoneText('终端手机号', 20).regex(/^\d{10,20}$/, '终端手机号应为 10～20 位数字'),
  /** As printed on the terminal; if omitted, the first terminal that registers while registration is open is bound. */
  terminalId: z
    .string()
    .trim()
    .regex(/^[\w.-]{1,30}$/, '终端 ID 最多 30 位字母、数字、点、下划线或短横线')
    .optional(),
})

/** Vehicle terminals, JT/T 808. */
export const jt808 = protocol(access)({
  name: 'JT/T 808',
  accessName: 'JT/T 808',
  access,
  keyOf: ({ phone }) => phone.replace(/^0+/, ''),
  stored: ({ phone, terminalId }) => ({ phone, terminalId: terminalId || undefined }),
  adopted: (deviceSn) => ({ phone: deviceSn }),
  usualPort: 8808,
  hasSecret: false,
  usualOf: [],
  triable: true,
  params: { simNo: ['phone'] },
  commands: {},
  hints: { check: '校验不符：核对终端的协议版本与转义', time: '位置的时间不是有效的 BCD 日期，没有保存：请给终端校时' },
})
