import { z } from 'zod'
import { filled, nullable, pointsTo, ref } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { documentName } from './names.ts'

/** 1 valid, 2 archived. */
export type DataState = '1' | '2'
export const dataStates = { valid: '1', archived: '2' } as const
export const dataStateNames: Readonly<Record<DataState, string>> = { 1: '有效', 2: '已归档' }

/** Codes of dictionary docSecurityLevel: everybody who sees the project; the project and its companies; the owner and whom it is shared to. */
export const securityLevels = { open: '1', internal: '2', restricted: '3' } as const
export const securityCodes = ['1', '2', '3'] as const
export type Security = (typeof securityCodes)[number]

/** Codes of dictionary documentCategory. */
export const categories = { supervision: '1', quality: '2', safety: '3', goods: '4', travelling: '5', free: '6' } as const
/** The libraries into which whoever holds a document may archive it; what the regulator keeps arrives there by itself. */
export const archiveCodes = ['2', '3', '4'] as const

/** What a folder grants: each level includes those before it. */
export const grantLevels = { view: 1, upload: 2, edit: 3, manage: 4 } as const
export type GrantLevel = (typeof grantLevels)[keyof typeof grantLevels]
export const grantNames: Readonly<Record<GrantLevel, string>> = { 1: '查看', 2: '上传', 3: '编辑', 4: '管理' }

export const mostGrants = 50
export const keptDays = 30
/** Versions of one document. */
export const mostVersions = 10_000
const gigabyte = 1024 ** 3
/** Space of a group's documents with all their versions, by type of group. */
export const quotaBytes: Readonly<Record<number, number>> = { 0: 500 * gigabyte, 1: 500 * gigabyte, 2: 200 * gigabyte, 3: 50 * gigabyte }
/** Documents and bytes of one archive to download. */
export const mostZipped = 500
export const mostZippedBytes = gigabyte
/** Each is in memory for a moment. */
export const mostZippedFileBytes = 100 * 1024 ** 2

const whoMay = z.object({
  kind: z.enum(['user', 'role'], { error: '请选择人员或角色' }),
  id: pointsTo('user', filled(64, '共享对象')),
  level: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)], { error: '请选择权限' }),
})
export type GrantInput = z.output<typeof whoMay>

/** Who has what level in the folder is asked beside the code (`documents/rights.ts` of the server). */
const rights = (needs: string) => ({ needs, acts: 'own' }) as const
const valid: DataState[] = ['1']

export const documentMoves = {
  // First: the tests of isolation send the first action, and this one names a second document.
  move: { ...rights('documents.edit'), label: '移动', from: valid, to: null, turn: 'edit', asks: { to: nullable(ref('document')) } },
  rename: { ...rights('documents.edit'), label: '重命名', from: valid, to: null, turn: 'edit', asks: { name: documentName } },
  newVersion: {
    ...rights('documents.edit'),
    label: '新版本',
    from: valid,
    to: null,
    turn: 'edit',
    asks: { fileId: pointsTo('file', filled(200, '文件')) },
  },
  current: {
    ...rights('documents.edit'),
    label: '设为当前版本',
    from: valid,
    to: null,
    turn: 'edit',
    asks: { no: z.number().int().min(1).max(mostVersions, '没有这个版本') },
  },
  share: {
    ...rights('documents.share'),
    label: '共享',
    from: ['1', '2'],
    to: null,
    turn: 'manage',
    asks: { grants: z.array(whoMay).max(mostGrants, `最多共享给 ${mostGrants} 个对象`) },
  },
  security: {
    ...rights('documents.share'),
    label: '密级',
    from: ['1', '2'],
    to: null,
    turn: 'manage',
    asks: { security: z.enum(securityCodes, { error: '请选择密级' }) },
  },
  archive: {
    ...rights('documents.archive'),
    label: '归档',
    from: valid,
    to: '2',
    turn: 'manage',
    asks: { category: z.enum(archiveCodes, { error: '请选择资料库' }) },
  },
  restore: {
    needs: ['documents.delete', 'documents.restore'],
    acts: 'own',
    label: '还原',
    from: ['1', '2'],
    to: null,
    turn: 'bin',
    asks: { to: nullable(ref('document')), elsewhere: z.boolean().default(false) },
  },
} as const satisfies Record<string, Move<DataState>>
export type DocumentAction = keyof typeof documentMoves
