import { z } from 'zod'
import { endpoint, type OutputFor } from '../kit/endpoint.ts'
import { filled, ref, text } from '../kit/fields.ts'
import { count, object, ofPlatform, ours } from './fields.ts'

const mappedField = z.object({
  upper: filled(60, '上级字段').regex(/^[A-Za-z]\w*$/, '上级字段只能用字母、数字和下划线'),
  label: filled(30, '名称'),
  /** Name of this product's field; empty for a fixed value. */
  source: text(40, '本平台字段').default(''),
  fixed: text(100, '固定值').default(''),
  required: z.boolean().default(false),
  dict: text(40, '字典').default(''),
  personal: z.boolean().default(false),
  /** Maps this product's codes to codes of the platform above; takes precedence over the dictionary's mapping. */
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
    /** 0: the delivered mapping. */
    version: count,
    updateTime: z.string().nullable(),
    updateBy: z.string().nullable(),
    editable: z.boolean(),
    fields: z.array(
      mappedField.extend({
        /** The dictionary's codes with their codes at the platform above; `upper` is null where no mapping exists. */
        translation: z.array(z.object({ code: z.string(), name: z.string(), upper: z.string().nullable() })),
      }),
    ),
    /** Possible sources: fields of this product that have a Chinese name, with the properties that follow from each. */
    sources: z.array(z.object({ source: z.string(), label: z.string(), dict: z.string(), personal: z.boolean() })),
    /** Sources of the fields that the standard requires: their rows can neither be removed nor made optional. */
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
    /** Number of records that had failed for lack of a mapping and are sent again. */
    again: count,
  }),
})
/** Previews the effect of a mapping on the waiting records before it is saved. */
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
    /** Records that will use the new mapping: waiting and failed ones. */
    waiting: count,
    failed: count,
    /** Records already encoded: they are sent unchanged. */
    packed: count,
    /** Records that failed for lack of a mapping; they are sent again when it is saved. */
    again: count,
    /** Number of records that were checked, the newest ones. */
    checked: count,
    /** Of the checked records: those that could be sent before and cannot with the new mapping, by cause. */
    stopped: z.array(z.object({ text: z.string(), count })),
    /** Of the checked records: those that could not be sent before and can now. */
    freed: count,
  }),
})
/** Shows what would be sent for a real record, masked. Nothing is sent. */
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
