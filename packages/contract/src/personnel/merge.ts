import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, ref } from '../kit/fields.ts'

/** Merges two records of one person. Records belong to the whole platform, so only its operators, who see every stay, may merge them. */

/**
 * Fields that can be taken from the record that is removed. A number is taken together with its document, a phone together with its mask.
 */
export const mergeFields = {
  name: '姓名',
  idCard: '证件号码',
  cellPhone: '手机',
  address: '住址',
  nation: '民族',
  headImage: '证件头像',
  facePhoto: '现场照片与人脸同意',
  cultureLevel: '文化程度',
  workTypeCode: '工种',
  urgent: '紧急联系人',
} as const
export type MergeField = keyof typeof mergeFields

const twin = z.object({
  workerId: z.string(),
  version: z.number().int(),
  createTime: z.string(),
  realName: z.string(),
  /** Displayable values by field. */
  values: z.record(z.string(), z.string().nullable()),
  stays: z.array(z.object({ projectName: z.string(), entryTime: z.string(), exitTime: z.string().nullable() })),
  certs: z.number().int(),
  contracts: z.number().int(),
  /** Has gate records: the attendance ledger names this record, so it is the one that is kept. */
  passes: z.boolean(),
})
export type Twin = z.infer<typeof twin>
export const listTwins = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/twins',
  summary: '疑似重复档案',
  needs: 'personnel.delete',
  answers: 'list',
  groupTypes: [0],
  response: z.object({
    list: z.array(z.object({ why: z.string(), files: z.array(twin) })),
    total: z.number().int(),
  }),
})
/** Merges two records permanently. Refused if the record to be removed has attendance entries, since the ledger cannot be rewritten. */
export const mergeWorkers = endpoint({
  method: 'POST',
  path: '/api/v1/oa/worker/merge',
  summary: '合并人员档案',
  needs: 'personnel.delete',
  acts: 'aside',
  groupTypes: [0],
  body: z
    .object({
      keepId: ref('worker'),
      keepVersion: z.number().int(),
      dropId: ref('worker'),
      dropVersion: z.number().int(),
      take: z.array(z.enum(Object.keys(mergeFields) as [MergeField, ...MergeField[]])).default([]),
      reason: filled(200, '合并依据').min(5, '合并依据至少 5 个字'),
    })
    .refine((b) => b.keepId !== b.dropId, { path: ['dropId'], message: '请选择两份不同的档案' }),
  response: z.object({ stays: z.number().int(), certs: z.number().int(), contracts: z.number().int() }),
})
