import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'

/** What a paper's QR code carries: its kind, record, printed content and a keyed hash of them, so that none can be guessed or changed. */
const token = z
  .string({ error: '请扫描文书上的二维码' })
  .max(160, '核验码不正确，请扫描文书上的二维码')
  .regex(/^[a-z]{2,12}\.[\w-]{1,80}\.[0-9a-f]{16}\.[0-9a-f]{32}$/, '核验码不正确，请扫描文书上的二维码')

/** For whoever holds a printed paper: only what its head says, and whether it is still so. */
export const checkPaper = endpoint({
  method: 'GET',
  path: '/api/v1/open/paper',
  summary: '核验文书',
  needs: 'public',
  perMinute: 20,
  query: z.object({ t: token }),
  response: z.object({
    title: z.string(),
    number: z.string(),
    issuer: z.string(),
    /** yyyy-MM-dd. */
    date: z.string().nullable(),
    projectName: z.string(),
    revoked: z.boolean(),
    /** The printed content is that of the record now. */
    same: z.boolean(),
    /** First characters of the SHA-256 of the printed content, as printed beside the code. */
    digest: z.string(),
  }),
})
