import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { paged, pageQuery } from '../kit/fields.ts'

/** A printed proof of a person's career: issued to the person, and verifiable by whoever receives it. */

/** `CY`, the year, and twelve random characters, without letters that look like digits. */
const number = z
  .string({ error: '请填写证明编号' })
  .trim()
  .transform((v) => v.toUpperCase())
  .pipe(z.string().regex(/^CY\d{4}-[A-HJ-NP-Z2-9]{12}$/, '证明编号形如 CY2026-XXXXXXXXXXXX'))

const content = {
  /** Masked. */
  name: z.string(),
  stays: z.array(
    z.object({
      projectName: z.string(),
      workTypeName: z.string().nullable(),
      entryTime: z.string(),
      exitTime: z.string().nullable(),
      attendDays: z.number().int(),
    }),
  ),
  /** Passed trainings by kind. */
  trainings: z.array(z.object({ typeName: z.string(), times: z.number().int(), hours: z.number() })),
}
export const proofContent = z.object(content)
export type ProofContent = z.infer<typeof proofContent>

export const issueCareerProof = endpoint({
  method: 'POST',
  path: '/api/v1/sys/my/proof',
  summary: '开具从业证明',
  needs: 'self',
  acts: 'aside',
  perMinute: 5,
  response: z.object({ number: z.string() }),
})
export const listCareerProofs = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/proof',
  summary: '本人的从业证明',
  needs: 'self',
  answers: 'list',
  query: pageQuery,
  response: paged(z.object({ number: z.string(), issuedTime: z.string(), stays: z.number().int(), attendDays: z.number().int() })),
})
export const printCareerProof = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/proof/:number/file',
  summary: '下载从业证明',
  needs: 'self',
  answers: 'blob',
  perMinute: 20,
  params: z.object({ number }),
})
/** For the holder of the paper: returns only what is printed on it, with the name masked. */
export const checkCareerProof = endpoint({
  method: 'GET',
  path: '/api/v1/sys/proof',
  summary: '核验从业证明',
  needs: 'public',
  perMinute: 20,
  query: z.object({ number }),
  response: z.object({ number: z.string(), issuedTime: z.string(), digest: z.string(), ...content }),
})
