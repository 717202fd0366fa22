import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, text } from '../kit/fields.ts'
import { area } from './dict-field.ts'

/**
 * Divisions that a deployment or a body adds to the delivered ones, and those that are no longer offered. Codes are those of the national
 * register's form: what stands below a division begins with its digits, which is what sight follows.
 */
const areaRow = z.object({
  code: z.string(),
  name: z.string(),
  off: z.boolean(),
  /** Added here, and by whom; null is delivered. */
  addedBy: z.string().nullable(),
  /** Whether the asker may stop it or offer it again. */
  mine: z.boolean(),
  /** Whether anything stands below it. */
  hasChildren: z.boolean(),
  projects: z.number().int(),
})
export type AreaRow = z.output<typeof areaRow>

/** Divisions below one, those that are stopped too; without one where the asker's own reach begins. */
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
    /** From where the asker's reach begins down to the parent. */
    path: z.array(z.object({ code: z.string(), name: z.string() })),
    /** Whether the asker may add below the parent. */
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
