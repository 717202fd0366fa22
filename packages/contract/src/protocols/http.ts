import { z } from 'zod'
import { pointsTo, text } from '../kit/fields.ts'
import { jsonHints } from './json-hints.ts'
import { protocol } from './protocol.ts'

const access = z.object({ protocol: z.literal('http'), appId: pointsTo('openApp', text(64)).optional() })

/** Devices whose data an application pushes over the open API. */
export const http = protocol(access)({
  name: 'HTTP',
  accessName: 'HTTP 推送',
  access,
  keyOf: (_access, deviceSn) => deviceSn,
  stored: ({ appId }) => ({ appId: appId || undefined }),
  adopted: () => ({}),
  usualPort: null,
  hasSecret: false,
  usualOf: [],
  triable: false,
  params: {},
  commands: {},
  hints: jsonHints,
})
