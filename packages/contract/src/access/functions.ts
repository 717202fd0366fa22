import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, flag, numericRange, paged, pageQuery, several, text } from '../kit/fields.ts'
import { listOf, sortBy } from '../kit/list.ts'

const holderGroup = z.object({ groupName: z.string(), users: z.number().int() })
const functionRow = z.object({
  code: z.string(),
  title: z.string(),
  module: z.string(),
  moduleName: z.string(),
  remark: z.string(),
  risk: z.string(),
  groupTypes: z.array(z.number().int()),
  menus: z.array(z.object({ path: z.string(), title: z.string() })),
  /** Method and path of the calls that require it. */
  endpoints: z.array(z.string()),
  roles: z.number().int(),
  users: z.number().int(),
  enable: z.string(),
  reason: z.string(),
  updateBy: z.string().nullable(),
  version: z.number().int(),
})
export type FunctionRow = z.output<typeof functionRow>
export const listFunctions = endpoint({
  method: 'GET',
  path: '/api/v1/sys/menu/functions',
  summary: '获取菜单功能',
  needs: 'function.view',
  answers: 'list',
  groupTypes: [0],
  query: pageQuery.extend({
    code: text(60).optional(),
    title: text(50).optional(),
    module: several.optional(),
    risk: text(2).optional(),
    enable: text(2).optional(),
    roles: numericRange.optional(),
    users: numericRange.optional(),
    /** `unattached`: on no menu; `unheld`: in no role; `personal`: personal data; `unasked`: required by no call. */
    view: z.enum(['unattached', 'unheld', 'personal', 'unasked']).optional(),
    sort: sortBy('code', 'roles', 'users'),
  }),
  response: paged(functionRow).extend({
    figures: z.object({
      total: z.number().int(),
      unattached: z.number().int(),
      unheld: z.number().int(),
      personal: z.number().int(),
      unasked: z.number().int(),
    }),
    modules: z.array(z.object({ module: z.string(), name: z.string(), functions: z.number().int() })),
  }),
})
export const functionList = listOf(listFunctions, {
  columns: {
    code: '权限码',
    title: '名称',
    module: '模块',
    risk: '敏感级别',
    menus: '挂接菜单',
    endpoints: '接口数',
    roles: '角色数',
    users: '持有人数',
    enable: '状态',
  },
})
/** Who has the function: roles, and people by group. */
export const functionHolders = endpoint({
  method: 'GET',
  path: '/api/v1/sys/menu/functions/:code/holders',
  summary: '权限码持有情况',
  needs: 'function.view',
  groupTypes: [0],
  params: z.object({ code: text(60) }),
  response: z.object({
    roles: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        groupName: z.string().nullable(),
        groupsType: z.number().int(),
        users: z.number().int(),
      }),
    ),
    groups: z.array(holderGroup),
  }),
})
export const editFunction = endpoint({
  method: 'POST',
  path: '/api/v1/sys/menu/functions',
  summary: '设置菜单功能',
  needs: 'function.edit',
  groupTypes: [0],
  acts: 'aside',
  body: z.object({
    code: filled(60, '权限码'),
    title: filled(30, '名称'),
    remark: text(200, '说明').default(''),
    risk: z.enum(['1', '2', '3'], { error: '请选择敏感级别' }),
    enable: z.enum(['0', '1']),
    /** Required when the function is disabled. */
    reason: text(200, '原因').default(''),
    /** The caller has confirmed that everybody loses the function. */
    confirmed: flag.optional(),
    version: z.number().int(),
  }),
})
