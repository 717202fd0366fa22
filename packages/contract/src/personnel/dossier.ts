import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ref, several } from '../kit/fields.ts'
import { badRow } from './bad-record-model.ts'
import { resumeRow } from './career-model.ts'
import { certRow, contractRow } from './paper-model.ts'
import { hold, storedConsent } from './worker-model.ts'

/** 一人一档: the sections of the document, in order. */
export const dossierParts = {
  identity: '身份与联系',
  career: '从业经历',
  contracts: '合同目录',
  certs: '证书目录',
  trainings: '教育培训',
  attendance: '考勤汇总',
  records: '奖惩记录',
  consents: '告知与同意',
} as const
export type DossierPart = keyof typeof dossierParts

export const dossierQuery = z.object({
  /** Omitted: all sections. */
  parts: several.refine((all) => all.every((part) => Object.hasOwn(dossierParts, part)), '没有这一部分').optional(),
})

export const dossier = z.object({
  workerId: z.string(),
  hold,
  /** Number of the document: person and time of creation. */
  sheetNo: z.string(),
  madeAt: z.string(),
  name: z.string(),
  photo: z.string().nullable(),
  gender: z.string().nullable(),
  age: z.number().int(),
  birthday: z.string().nullable(),
  nation: z.string().nullable(),
  nativePlace: z.string().nullable(),
  idCardType: z.string().nullable(),
  idCardNumber: z.string(),
  idCardValid: z.string().nullable(),
  address: z.string().nullable(),
  cellPhone: z.string().nullable(),
  urgent: z.string().nullable(),
  education: z.string().nullable(),
  workType: z.string().nullable(),
  realName: z.string(),
  stay: z.string().nullable(),
  career: z.array(resumeRow),
  contracts: z.array(contractRow.omit({ files: true })),
  certs: z.array(certRow.omit({ files: true, own: true })),
  trainings: z.array(
    z.object({
      id: z.string(),
      year: z.string(),
      typeName: z.string().nullable(),
      name: z.string().nullable(),
      trainDate: z.string(),
      hours: z.number(),
      score: z.number().nullable(),
      passed: z.boolean(),
      trainer: z.string().nullable(),
      projectName: z.string().nullable(),
    }),
  ),
  attendance: z.array(
    z.object({ month: z.string(), projectName: z.string(), days: z.number().int(), hours: z.number(), corrected: z.number().int() }),
  ),
  records: z.array(badRow.omit({ files: true, own: true })),
  consents: z.array(storedConsent),
  /** Number of attachments, by section. */
  attachments: z.array(z.object({ name: z.string(), count: z.number().int() })),
})
export type Dossier = z.infer<typeof dossier>

export const workerDossier = endpoint({
  method: 'GET',
  path: '/api/v1/oa/worker/dossier/:id',
  summary: '一人一档',
  needs: 'personnel.view',
  params: z.object({ id: ref('worker') }),
  response: dossier,
})
/** Parameters of the printed document. */
export const dossierPrint = dossierQuery.extend({ id: ref('worker') })
