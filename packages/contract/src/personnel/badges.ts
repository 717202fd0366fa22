import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { several } from '../kit/fields.ts'
import { listStays } from './people.ts'

/** Badges in one document; a site larger than this prints team by team. */
export const mostBadges = 400
/** Where the product is open to a telephone: asked of the browser that prints, for installations that have not said it themselves. */
export const printOrigin = z
  .url({ protocol: /^https?$/, error: '网址不正确' })
  .max(200, '网址过长')
  .transform((v) => new URL(v).origin)

/** People chosen by their stays, or all that a list's filters show. */
export const badgePrint = (listStays.schemas.query as z.ZodObject).extend({
  ids: several.refine((ids) => ids.length <= mostBadges, `一次最多打印 ${mostBadges} 人`).optional(),
  /** What the code holds: an address that any telephone opens, or the text that readers at gates are set up for. */
  code: z.enum(['page', 'gate']).default('page'),
  origin: printOrigin.optional(),
})

/** Hexadecimal signs of a badge's signature: 64 bits, asked for a few times a minute. */
const signatureSigns = 16
/** What a badge's signature stands for. */
export const badgeSigned = (projectCode: string, stayId: string): string => `${projectCode}|${stayId}`
/**
 * What stands in the code of a badge for gates: a version, the project, the stay, and a signature by which a badge that somebody made
 * himself is told. No name and no number: whoever reads it learns nothing without the product.
 */
export const badgeText = (projectCode: string, stayId: string, signature: string): string =>
  `ZGB1|${projectCode}|${stayId}|${signature.slice(0, signatureSigns)}`
/** The same as an address. Stay and signature stand behind the `#`, so that no server's log holds them. */
export const badgePage = '/badge'
export const badgeAddress = (origin: string, stayId: string, signature: string): string =>
  `${origin}${badgePage}#${stayId}.${signature.slice(0, signatureSigns)}`

export interface BadgeCode {
  stayId: string
  signature: string
}
/** Stay and signature of what was read off a badge, whichever of the two it holds; undefined where it is neither. */
export function readBadge(text: string): BadgeCode | undefined {
  const [, stayId, signature] =
    /^ZGB1\|[^|]{1,64}\|([\w-]{1,64})\|([0-9a-f]{16})$/.exec(text.trim()) ?? /(?:^|#)([\w-]{1,64})\.([0-9a-f]{16})$/.exec(text.trim()) ?? []
  return stayId && signature ? { stayId, signature } : undefined
}

/** For whoever holds a badge before him. What is not of this platform, and what never was, are told alike. */
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
    /** Why not; null while it is valid. */
    reason: z.string().nullable(),
    /** Null where the code is none of ours. */
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
        /** The last day of the contract in force; null where it has none. */
        untilDate: z.string().nullable(),
        exitDate: z.string().nullable(),
        /** For somebody logged in who has the person in sight. */
        photo: z.string().nullable(),
      })
      .nullable(),
  }),
})
