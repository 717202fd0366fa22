import { z } from 'zod'
import { endpoint, type OutputFor } from '../kit/endpoint.ts'
import { filled, ref, text } from '../kit/fields.ts'
import { count, object, ofPlatform, ours } from './fields.ts'

const mappedField = z.object({
  upper: filled(60, '上级字段').regex(/^[A-Za-z]\w*$/, '上级字段只能用字母、数字和下划线'),
  label: filled(30, '名称'),
  /** Ours; empty where the value is fixed. */
  source: text(40, '本平台字段').default(''),
  fixed: text(100, '固定值').default(''),
  required: z.boolean().default(false),
  dict: text(40, '字典').default(''),
  personal: z.boolean().default(false),
  /** Ours to theirs, before the dictionary's own. */
  codes: z.record(z.string().max(20), z.string().trim().max(20, '上级码最多 20 个字')).default({}),
})
export type MappedField = z.infer<typeof mappedField>

const objectParam = z.object({ objectType: object })
export const getMapping = endpoint({
  method: 'GET',
  path: '/api/v1/docking/mapping/:objectType',
  summary: '字段映射',
  needs: 'docking.view',
  groupTypes: [0, 1],
  params: objectParam,
  query: ofPlatform,
  response: z.object({
    /** 0: as delivered. */
    version: count,
    updateTime: z.string().nullable(),
    updateBy: z.string().nullable(),
    editable: z.boolean(),
    fields: z.array(
      mappedField.extend({
        /** Codes of our dictionary and what becomes of each; theirs is null where there is none. */
        translation: z.array(z.object({ code: z.string(), name: z.string(), upper: z.string().nullable() })),
      }),
    ),
    /** What may stand as a source: our names with a Chinese one, and what follows from each. */
    sources: z.array(z.object({ source: z.string(), label: z.string(), dict: z.string(), personal: z.boolean() })),
    /** Sources of the fields the standard demands: their rows stay, and stay required. */
    demanded: z.array(z.string()),
    unmapped: z.array(z.object({ field: z.string(), code: z.string(), name: z.string() })),
  }),
})
export const changeMapping = endpoint({
  ...ours,
  method: 'PUT',
  path: '/api/v1/docking/mapping/:objectType',
  summary: '修改字段映射',
  largeBody: 'all fields of an object with their codes',
  params: objectParam,
  body: z.object({
    platformId: ref('dockingPlatform'),
    version: count,
    fields: z.array(mappedField).min(1, '请至少保留一个字段').max(100),
  }),
  response: z.object({
    version: count,
    /** Failed for want of a mapping, and on their way again. */
    again: count,
  }),
})
/** What a mapping would make of what waits, before it is saved. */
export const weighMapping = endpoint({
  ...ours,
  method: 'POST',
  path: '/api/v1/docking/mapping/:objectType/weigh',
  summary: '试算映射影响',
  unaudited: 'computes and changes nothing',
  largeBody: 'all fields of an object with their codes',
  params: objectParam,
  body: z.object({ platformId: ref('dockingPlatform'), fields: z.array(mappedField).min(1).max(100) }),
  response: z.object({
    /** Rows that will go by the new mapping: waiting, and failed. */
    waiting: count,
    failed: count,
    /** Put together already: they go as they are. */
    packed: count,
    /** Failed for want of a mapping; they go again when it is saved. */
    again: count,
    /** How many of them were looked at, the newest. */
    checked: count,
    /** Of those: sendable so far and not any more, by cause. */
    stopped: z.array(z.object({ text: z.string(), count })),
    /** Not sendable so far, and then sendable. */
    freed: count,
  }),
})
/** What would be sent of a real row; masked, nothing is sent. */
export const tryMapping = endpoint({
  ...ours,
  method: 'POST',
  path: '/api/v1/docking/mapping/:objectType/try',
  summary: '试转换',
  unaudited: 'computes and changes nothing',
  largeBody: 'all fields of an object with their codes',
  params: objectParam,
  body: z.object({ platformId: ref('dockingPlatform'), fields: z.array(mappedField).min(1).max(100) }),
  response: z.object({
    bizName: z.string().nullable(),
    rows: z.array(z.object({ upper: z.string(), label: z.string(), ours: z.string(), theirs: z.string(), problem: z.string().nullable() })),
  }),
})
export type Mapping = OutputFor<typeof getMapping>
