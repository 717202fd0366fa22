import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, paged, pageQuery, ref, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'
import { byId, onOff } from './fields.ts'

/**
 * Applications that send readings over the open API (`/api/v1/open/device/*`), each for one project. Requests are signed with the
 * application's secret, which is shown once when it is created or renewed.
 */
const openApp = z.object({
  /** Value of the header `X-App-Id`. */
  id: z.string(),
  name: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  /** Keys of families for which it may register devices and send data; empty for all. */
  families: z.array(z.string()),
  familyNames: z.array(z.string()),
  remark: z.string().nullable(),
  status: z.string(),
  /** Number of devices connected through it. */
  devices: z.number().int(),
  /** Last reading of one of these devices. */
  lastData: z.string().nullable(),
  createTime: z.string(),
  createBy: z.string().nullable(),
  version: z.number().int(),
})
export type OpenApp = z.output<typeof openApp>

const body = z.object({
  name: filled(50, '应用名称'),
  families: z.array(text(40)).max(40, '设备类型最多 40 种').default([]),
  remark: text(500, '备注').nullish(),
})

/** The only response that contains the secret. */
const newSecret = z.object({ id: z.string(), secret: z.string() })

export const listOpenApps = endpoint({
  method: 'GET',
  path: '/api/v1/iot/openApp',
  summary: '开放应用列表',
  needs: ['device-admin.gateway', 'device-admin.view'],
  answers: 'list',
  query: pageQuery.extend({
    /** Part of the name or of the id. */
    name: text(64).optional(),
    projectCode: ref('project').or(z.literal('*')).optional(),
    projectName: text(100).optional(),
    status: several.optional(),
    sort: sortBy('name', 'projectName', 'lastData', 'status', 'createTime'),
  }),
  response: paged(openApp),
})

export const openAppList = listOf(listOpenApps, {
  columns: {
    name: '应用',
    id: '应用编号',
    projectName: '项目',
    families: '设备类型',
    devices: '设备',
    lastData: '最后数据',
    status: '启用',
    createBy: '新增人',
    createTime: '新增时间',
    remark: '备注',
  },
})

export const createOpenApp = endpoint({
  method: 'POST',
  path: '/api/v1/iot/openApp',
  summary: '新增开放应用',
  needs: 'device-admin.gateway',
  body: body.extend({ projectCode: ref('project') }),
  response: newSecret,
})

export const updateOpenApp = endpoint({
  method: 'PUT',
  path: '/api/v1/iot/openApp/:id',
  summary: '修改开放应用',
  needs: 'device-admin.gateway',
  params: byId('openApp'),
  body: body.extend({ version: z.coerce.number().int() }),
})

/** Replaces the secret; the previous one stops working at once. */
export const renewOpenAppSecret = endpoint({
  method: 'POST',
  path: '/api/v1/iot/openApp/:id/secret',
  summary: '更换开放应用密钥',
  needs: 'device-admin.secret',
  params: byId('openApp'),
  response: newSecret,
})

export const switchOpenApp = endpoint({
  method: 'POST',
  path: '/api/v1/iot/openApp/switch/status',
  summary: '切换开放应用启停状态',
  needs: 'device-admin.gateway',
  body: z.object({ id: ref('openApp'), status: onOff }),
})
