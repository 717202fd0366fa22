import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { several } from '../kit/fields.ts'
import { listStays } from './people.ts'

/** Maximum badges per document; a larger site prints per team. */
export const mostBadges = 400
/** Address for the QR code, sent by the browser; used if the installation has none configured. */
export const printOrigin = z
  .url({ protocol: /^https?$/, error: '网址不正确' })
  .max(200, '网址过长')
  .transform((v) => new URL(v).origin)

/** People selected by stay, or all that match a list's filters. */
export const badgePrint = (listStays.schemas.query as z.ZodObject).extend({
  ids: several.refine((ids) => ids.length <= mostBadges, `一次最多打印 ${mostBadges} 人`).optional(),
  /** Content of the QR code: an address for phones, or the text for gate readers. */
  code: z.enum(['page', 'gate']).default('page'),
  origin: printOrigin.optional(),
})

/** Hexadecimal digits of a badge's signature: 64 bits; checks are rate-limited. */
const signatureSigns = 16
/** The signed content of a badge. */
export const badgeSigned = (projectCode: string, stayId: string): string => `${projectCode}|${stayId}`
/**
 * Content of a badge's QR code for gates: version, project, stay, and a signature that detects forged badges. It contains no name or ID
 * number, so it reveals nothing outside the product.
 */
export const badgeText = (projectCode: string, stayId: string, signature: string): string =>
  `ZGB1|${projectCode}|${stayId}|${signature.slice(0, signatureSigns)}`
/** The same as a URL. Stay and signature are in the fragment, so that they do not appear in access logs. */
export const badgePage = '/badge'
export const badgeAddress = (origin: string, stayId: string, signature: string): string =>
  `${origin}${badgePage}#${stayId}.${signature.slice(0, signatureSigns)}`

export interface BadgeCode {
  stayId: string
  signature: string
}
/** Parses either form of a badge's code; undefined if it is neither. */
export function readBadge(text: string): BadgeCode | undefined {
  const [, stayId, signature] =
    /^ZGB1\|[^|]{1,64}\|([\w-]{1,64})\|([0-9a-f]{16})$/.exec(text.trim()) ?? /(?:^|#)([\w-]{1,64})\.([0-9a-f]{16})$/.exec(text.trim()) ?? []
  return stayId && signature ? { stayId, signature } : undefined
}

/** Public check of a badge. Foreign and forged codes get the same answer. */
export const checkBadge = endpoint({
  method: 'POST',
  path: '/api/v1/sys/badge/check',
  summary: '核验胸牌',
  needs: 'public',
  unaudited: 'a look-up by POST, so that the code stays out of access logs',
  perMinute: 30,
  body: z.object({ code: z.string({ error: '请扫描或填写胸牌上的码' }).trim().min(1, '请扫描或填写胸牌上的码').max(300, '码过长') }),
  response: z.object({
    valid: z.boolean(),
    /** Why the badge is invalid; null if it is valid. */
    reason: z.string().nullable(),
    /** Null if the code is not from this platform. */
    person: z
      .object({
        /** Masked. */
        name: z.string(),
        projectName: z.string(),
        corpName: z.string().nullable(),
        teamName: z.string().nullable(),
        workTypeName: z.string().nullable(),
        isTeamLeader: z.boolean(),
        entryDate: z.string(),
        /** Last day of the contract in force; null if it has no end. */
        untilDate: z.string().nullable(),
        exitDate: z.string().nullable(),
        /** Only for a session that may list the person. */
        photo: z.string().nullable(),
      })
      .nullable(),
  }),
})
