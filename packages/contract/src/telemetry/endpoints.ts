import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'

/** Credentials for the live topics: read only, limited to the projects the caller sees. Renewed by a new connect. */
export const liveToken = endpoint({
  method: 'GET',
  path: '/api/v1/iot/live/token',
  summary: '获取实时推送凭证',
  needs: 'self',
  response: z.object({ url: z.string(), clientId: z.string(), username: z.string(), password: z.string(), expiresIn: z.number() }),
})
