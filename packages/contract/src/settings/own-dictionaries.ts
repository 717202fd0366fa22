import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, nullable, text } from '../kit/fields.ts'

/**
 * What a group adds to the delivered dictionaries and how it arranges them: for its own people and those of the groups below it. Delivered
 * codes and names are fixed; an entry that was used stays known by its name, so none is ever deleted.
 */

/** Dictionaries that nothing is reckoned from: entries of one's own mean what they say and no more. */
export const openDictionaries = [
  'exitReason',
  'trainingType',
  'structureType',
  'functionNum',
  'projectMode',
  'fundSource',
  'insuranceType',
  'practiceMajor',
  'medicalContraindication',
] as const
export const isOpenDictionary = (code: string): boolean => openDictionaries.some((one) => one === code)
/** Entries that one group adds to one dictionary. */
export const mostOwn = 50

/** An entry of one's own; without a code it is new. */
const ownEntry = z.object({
  code: nullable(text(20, '编码')),
  name: filled(30, '名称'),
  parent: nullable(text(20, '上级')),
  off: z.boolean().default(false),
})
export type OwnEntry = z.output<typeof ownEntry>

const arranged = z.object({
  code: z.string(),
  name: z.string(),
  parent: z.string().nullable(),
  /** Whose entry it is; null is delivered with the product. */
  fromName: z.string().nullable(),
  own: z.boolean(),
  off: z.boolean(),
  /** Who above has switched it off; it cannot be switched on below. */
  offBy: z.string().nullable(),
})
export type ArrangedEntry = z.output<typeof arranged>

export const getOwnDictionary = endpoint({
  method: 'GET',
  path: '/api/v1/sys/dict/own',
  summary: '字典维护',
  needs: 'dict.edit',
  groupTypes: [0, 1, 2],
  query: z.object({ featCode: text(60, '字典编码') }),
  response: z.object({
    code: z.string(),
    title: z.string(),
    /** Whether entries of one's own may be added. */
    open: z.boolean(),
    items: z.array(arranged),
    /** Whether the group has an order of its own. */
    ordered: z.boolean(),
    /** What the group has changed of it, newest first. */
    history: z.array(z.object({ at: z.string(), by: z.string(), summary: z.string() })),
    updateBy: z.string().nullable(),
    updateTime: z.string().nullable(),
    version: z.number().int(),
  }),
})
/** The whole arrangement at once: the order of all entries, those that are switched off, and the group's own. */
export const saveOwnDictionary = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/dict/own',
  summary: '保存字典维护',
  needs: 'dict.edit',
  acts: 'aside',
  groupTypes: [0, 1, 2],
  body: z.object({
    featCode: text(60, '字典编码'),
    /** Codes as they shall be shown; what is left out follows in the delivered order. Empty is the delivered order. */
    order: z.array(text(20)).max(2000, '条目过多'),
    off: z.array(text(20)).max(2000, '条目过多'),
    own: z.array(ownEntry).max(mostOwn, `自有条目最多 ${mostOwn} 条`),
    version: z.number().int(),
  }),
})
/** Back to what is delivered and arranged above; entries of one's own are switched off, since records may name them. */
export const resetOwnDictionary = endpoint({
  method: 'POST',
  path: '/api/v1/sys/dict/own/reset',
  summary: '恢复默认字典',
  needs: 'dict.edit',
  acts: 'aside',
  groupTypes: [0, 1, 2],
  body: z.object({ featCode: text(60, '字典编码'), version: z.number().int() }),
})
