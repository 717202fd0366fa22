import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, text } from '../kit/fields.ts'
import { area } from './dict-field.ts'

/**
 * Divisions that the deployment or a government adds to the delivered ones, and those that are no longer offered. Codes have the format of
 * the national register: the code of a division begins with the digits of its parent, and visibility is determined by these digits.
 */
const areaRow = z.object({
  code: z.string(),
  name: z.string(),
  off: z.boolean(),
  /** Who added the division; null: delivered. */
  addedBy: z.string().nullable(),
  /** Whether the caller may disable it or enable it again. */
  mine: z.boolean(),
  /** Whether anything stands below it. */
  hasChildren: z.boolean(),
  projects: z.number().int(),
})
export type AreaRow = z.output<typeof areaRow>

/** Divisions below one, including disabled ones; without a parent, those at the top of the caller's area. */
export const listOwnAreas = endpoint({
  method: 'GET',
  path: '/api/v1/tool/area/own',
  summary: '行政区划维护',
  needs: 'dict.edit',
  groupTypes: [0, 1],
  answers: 'tree',
  query: z.object({ parent: text(6, '上级区划').optional() }),
  response: z.object({
    parent: z.object({ code: z.string(), name: z.string() }).nullable(),
    /** From the top of the caller's area to the parent. */
    path: z.array(z.object({ code: z.string(), name: z.string() })),
    /** Whether the caller may add divisions below the parent. */
    mayAdd: z.boolean(),
    list: z.array(areaRow),
    history: z.array(z.object({ at: z.string(), by: z.string(), summary: z.string() })),
  }),
})
export const changeOwnArea = endpoint({
  method: 'PUT',
  path: '/api/v1/tool/area/own',
  summary: '增加或停用行政区划',
  needs: 'dict.edit',
  acts: 'aside',
  groupTypes: [0, 1],
  body: z.discriminatedUnion('action', [
    z.object({
      action: z.literal('add'),
      parent: area('上级区划'),
      code: z.string({ error: '请填写区划代码' }).regex(/^\d{6}$/, '区划代码应为六位数字'),
      name: filled(30, '区划名称'),
    }),
    z.object({ action: z.literal('stop'), code: area('区划'), reason: filled(200, '停用原因') }),
    z.object({ action: z.literal('offer'), code: area('区划') }),
  ]),
})
