import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { filled, ref } from '../kit/fields.ts'

/** Two files of one person. Files are the whole platform's, and so only its operators, who see every stay, make one of two. */

/** What may be taken from the file that is dissolved; a number goes with its papers, a telephone with its mask. */
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
  /** By field, as it may be shown. */
  values: z.record(z.string(), z.string().nullable()),
  stays: z.array(z.object({ projectName: z.string(), entryTime: z.string(), exitTime: z.string().nullable() })),
  certs: z.number().int(),
  contracts: z.number().int(),
  /** Has passed a gate: the ledger names this file, and it is the one that stays. */
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
/** Makes one of two, for ever. Refused where attendance stands on the file that would go: its ledger cannot be written anew. */
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
