import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { protocol } from './protocol.ts'

const access = z.object({
  protocol: z.literal('poll'),
  gatewayId: ref('gateway'),
  /** Modbus unit id (1 to 247), or the meter's address. */
  address: z.string().regex(/^\d{1,14}$/, '地址应为从站号或表号（数字）'),
})

/** Meters and sensors that the platform polls through a gateway: Modbus, DL/T 645, CJ/T 188. */
export const poll = protocol(access)({
  name: '轮询',
  accessName: '平台轮询',
  access,
  keyOf: ({ gatewayId, address }) => `${gatewayId}/${address}`,
  stored: ({ gatewayId, address }) => ({ gatewayId, address }),
  adopted: (_deviceSn, gatewayId) => ({ gatewayId }),
  usualPort: null,
  portWords: '由平台轮询',
  gateway: 'polled',
  hasSecret: false,
  usualOf: [],
  triable: true,
  params: {},
  commands: {},
  hints: {},
})
