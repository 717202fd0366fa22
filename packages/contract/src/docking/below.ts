import { z } from 'zod'
import { endpoint, type ParsedFor } from '../kit/endpoint.ts'
import { dayRange, filled, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { platformFields } from './connections.ts'
import { count } from './fields.ts'

const below = { groupTypes: [0, 1], needs: 'docking.receive' } as const
export const dockingKey = z.object({
  id: z.string(),
  name: z.string(),
  areaCode: z.string(),
  areaName: z.string(),
  keyHint: z.string(),
  received: count,
  duplicate: count,
  rejected: count,
  lastTime: z.string().nullable(),
  createTime: z.string(),
  createBy: z.string(),
  revokedTime: z.string().nullable(),
  version: count,
})
export type DockingKey = z.infer<typeof dockingKey>
export const listKeys = endpoint({
  ...below,
  method: 'GET',
  path: '/api/v1/docking/key',
  summary: '下级接入列表',
  query: z.object({}),
  response: z.object({ list: z.array(dockingKey) }),
})
/** The key is returned only once, in this response. */
export const issueKey = endpoint({
  ...below,
  acts: 'aside',
  method: 'POST',
  path: '/api/v1/docking/key',
  summary: '签发下级接入密钥',
  body: z.object({ name: filled(60, '下级平台'), areaCode: platformFields.areaCode }),
  response: z.object({ id: z.string(), key: z.string() }),
})
export const revokeKey = endpoint({
  ...below,
  acts: 'aside',
  method: 'PUT',
  path: '/api/v1/docking/key/:id/revoke',
  summary: '吊销下级接入密钥',
  params: z.object({ id: ref('dockingKey') }),
  body: z.object({ version: count }),
  response: z.object({}),
})
export const listRejected = endpoint({
  ...below,
  method: 'GET',
  path: '/api/v1/docking/rejected',
  summary: '下级数据拒收清单',
  query: pageQuery.extend({
    keyId: ref('dockingKey').optional(),
    platformName: text(60).optional(),
    objectType: several.optional(),
    errorText: text(60).optional(),
    at: dayRange.optional(),
    sort: sortBy('at'),
  }),
  response: paged(
    z.object({
      id: z.string(),
      platformName: z.string(),
      objectType: z.string(),
      objectName: z.string(),
      businessId: z.string(),
      errorCode: z.string(),
      errorText: z.string(),
      at: z.string(),
    }),
  ),
})
export const rejectedList = listOf(listRejected, {
  feature: 'dockingRejected',
  columns: { platformName: '下级平台', objectType: '对象', businessId: '数据', errorText: '拒收原因', errorCode: '返回码', at: '时间' },
})
export type RejectedQuery = ParsedFor<typeof listRejected>['query']
