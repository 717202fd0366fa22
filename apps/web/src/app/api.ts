import { endpoint } from '@zhugong/contract/kit/endpoint'
import { z } from 'zod'

/** Calls of the frame into lists of many domains; only what the frame shows is named. */
const found = z.object({ list: z.array(z.looseObject({ id: z.string(), name: z.string().nullable().optional() })), total: z.number() })
const byName = z.object({ page: z.number(), size: z.number(), name: z.string() })

export const searchWorkers = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/part/list',
  summary: '搜索人员',
  needs: 'personnel.view',
  query: byName,
  response: found,
})
export const searchDevices = endpoint({
  method: 'GET',
  path: '/api/v1/iot/device/list',
  summary: '搜索设备',
  needs: 'device-admin.view',
  query: byName,
  response: found,
})
