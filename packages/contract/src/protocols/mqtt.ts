import { z } from 'zod'
import { ref } from '../kit/fields.ts'
import { jsonHints } from './json-hints.ts'
import { protocol } from './protocol.ts'

const access = z.object({ protocol: z.literal('mqtt'), gatewayId: ref('gateway') })

/** Devices behind a gateway that connects over MQTT. */
export const mqtt = protocol(access)({
  name: 'MQTT',
  accessName: 'MQTT 网关',
  access,
  keyOf: ({ gatewayId }, deviceSn) => `${gatewayId}/${deviceSn}`,
  stored: ({ gatewayId }) => ({ gatewayId }),
  adopted: (_deviceSn, gatewayId) => ({ gatewayId }),
  usualPort: 1883,
  gateway: 'connects',
  hasSecret: true,
  usualOf: [],
  sheetColumn: 'gateway',
  triable: true,
  params: {},
  commands: {},
  hints: jsonHints,
})
