import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, nullable, text } from '../kit/fields.ts'

/**
 * Entries that a group adds to the delivered dictionaries, and their order, for its own people and the groups below it. Delivered codes and
 * names cannot be changed. A used entry must remain known by name, so entries are never deleted.
 */

/** Dictionaries that groups may extend, because no computation depends on their codes. */
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
/** Maximum number of entries that one group adds to one dictionary. */
export const mostOwn = 50

/** An entry added by the group; without a code it is new. */
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
  /** The group that added the entry; null: delivered with the product. */
  fromName: z.string().nullable(),
  own: z.boolean(),
  off: z.boolean(),
  /** The group above that has disabled the entry; groups below cannot enable it. */
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
    /** Whether groups may add entries. */
    open: z.boolean(),
    items: z.array(arranged),
    /** Whether the group has its own order. */
    ordered: z.boolean(),
    /** The group's changes of the dictionary, newest first. */
    history: z.array(z.object({ at: z.string(), by: z.string(), summary: z.string() })),
    updateBy: z.string().nullable(),
    updateTime: z.string().nullable(),
    version: z.number().int(),
  }),
})
/** Saves the whole arrangement: the order of all entries, the disabled ones, and the group's own. */
export const saveOwnDictionary = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/dict/own',
  summary: '保存字典维护',
  needs: 'dict.edit',
  acts: 'aside',
  groupTypes: [0, 1, 2],
  body: z.object({
    featCode: text(60, '字典编码'),
    /** Codes in the order of display; the others follow in the delivered order. Empty: the delivered order. */
    order: z.array(text(20)).max(2000, '条目过多'),
    off: z.array(text(20)).max(2000, '条目过多'),
    own: z.array(ownEntry).max(mostOwn, `自有条目最多 ${mostOwn} 条`),
    version: z.number().int(),
  }),
})
/**
 * Resets to the delivered entries and the arrangement from above. The group's own entries are disabled, not deleted, because records may
 * use them.
 */
export const resetOwnDictionary = endpoint({
  method: 'POST',
  path: '/api/v1/sys/dict/own/reset',
  summary: '恢复默认字典',
  needs: 'dict.edit',
  acts: 'aside',
  groupTypes: [0, 1, 2],
  body: z.object({ featCode: text(60, '字典编码'), version: z.number().int() }),
})
