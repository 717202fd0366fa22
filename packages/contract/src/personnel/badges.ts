import type { z } from 'zod'
import { several } from '../kit/fields.ts'
import { listStays } from './people.ts'

/** Badges in one document; a site larger than this prints team by team. */
export const mostBadges = 400
/** People chosen by their stays, or all that a list's filters show. */
export const badgePrint = (listStays.schemas.query as z.ZodObject).extend({
  ids: several.refine((ids) => ids.length <= mostBadges, `一次最多打印 ${mostBadges} 人`).optional(),
})
/**
 * What stands in the code of a badge: a version, the project, the stay, and a signature by which a badge that somebody made himself is told.
 * No name and no number: whoever reads it learns nothing without the product.
 */
export const badgeText = (projectCode: string, stayId: string, signature: string): string =>
  `ZGB1|${projectCode}|${stayId}|${signature.slice(0, 16)}`
