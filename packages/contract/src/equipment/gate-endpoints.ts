import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { flag, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { sortBy } from '../kit/list.ts'

export const listGates = endpoint({
  method: 'GET',
  path: '/api/v1/iot/gate/list',
  summary: '门禁设备列表',
  needs: ['device-admin.view', 'attendance.view'],
  answers: 'list',
  query: pageQuery.extend({
    projectCode: ref('project').or(z.literal('*')).optional(),
    deviceId: ref('device').optional(),
    name: text(100).optional(),
    online: flag.optional(),
    sort: sortBy('name', 'projectName', 'online', 'lastTime'),
  }),
  response: paged(
    z.object({
      id: z.string(),
      name: z.string(),
      deviceSn: z.string(),
      projectCode: z.string(),
      projectName: z.string(),
      direction: z.string().nullable(),
      role: z.string().nullable(),
      online: z.boolean(),
      lastTime: z.number().nullable(),
      /** Number of people who should be on the gate, are on it, are pending, were refused. */
      expected: z.number().int(),
      onGate: z.number().int(),
      waiting: z.number().int(),
      refused: z.number().int(),
      lastSync: z.string().nullable(),
      passesToday: z.number().int(),
    }),
  ),
})
/** Calculates who belongs on a gate, and marks whom to write to it or remove from it. */
export const syncGate = endpoint({
  method: 'POST',
  path: '/api/v1/iot/gate/sync',
  summary: '同步门禁人员',
  needs: 'device-admin.gate',
  body: z.object({ deviceId: ref('device') }),
  response: z.object({ added: z.number().int(), removed: z.number().int(), skipped: z.number().int(), onGate: z.number().int() }),
})
export const gateSnaps = endpoint({
  method: 'GET',
  path: '/api/v1/iot/gate/snap',
  summary: '门禁抓拍',
  needs: ['device-admin.gate', 'attendance.photo'],
  answers: 'list',
  query: pageQuery.extend({ deviceId: ref('device') }),
  response: paged(
    z.object({
      id: z.string(),
      time: z.number(),
      name: z.string(),
      personType: z.string(),
      direction: z.string(),
      mode: z.string(),
      score: z.number().nullable(),
      pass: z.boolean(),
      photo: z.string().nullable(),
    }),
  ),
})
export const gateFaces = endpoint({
  method: 'GET',
  path: '/api/v1/iot/gate/face',
  summary: '获取门禁人脸',
  needs: 'device-admin.gate',
  answers: 'list',
  query: pageQuery.extend({
    deviceId: ref('device'),
    state: several.optional(),
    name: text(50).optional(),
    sort: sortBy('at', 'state', 'name'),
  }),
  response: paged(
    z.object({
      workerId: z.string(),
      name: z.string(),
      corpName: z.string(),
      teamName: z.string().nullable(),
      state: z.string(),
      reason: z.string().nullable(),
      at: z.string(),
    }),
  ),
})
export const clearGateFaces = endpoint({
  method: 'DELETE',
  path: '/api/v1/iot/gate/face',
  summary: '清空门禁人脸',
  needs: 'device-admin.gate',
  query: z.object({ deviceId: ref('device') }),
  response: z.object({ removed: z.number().int() }),
})
