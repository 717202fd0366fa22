import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { text } from '../kit/fields.ts'
import { familyView } from './model.ts'

/** Credentials for the live topics: read only, limited to the projects the caller sees. Renewed by a new connect. */
export const liveToken = endpoint({
  method: 'GET',
  path: '/api/v1/iot/live/token',
  summary: '获取实时推送凭证',
  needs: 'self',
  /** `url`: an address, or `:port` beside the page's own host. */
  response: z.object({ url: z.string(), clientId: z.string(), username: z.string(), password: z.string(), expiresIn: z.number() }),
})

/** A family's metrics, records and alarms by key or code, so that pages need not bundle the catalogue. */
export const getFamily = endpoint({
  method: 'GET',
  path: '/api/v1/iot/family/:key',
  summary: '设备族定义',
  needs: 'self',
  params: z.object({ key: text(40) }),
  response: familyView,
})
export const listFamilies = endpoint({
  method: 'GET',
  path: '/api/v1/iot/family',
  summary: '设备族列表',
  needs: 'self',
  answers: 'list',
  response: z.object({ list: z.array(z.object({ key: z.string(), code: z.number().int(), name: z.string() })), total: z.number().int() }),
})
