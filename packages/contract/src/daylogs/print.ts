import { z } from 'zod'
import { month, ref } from '../kit/fields.ts'

/** One day, by the kind of log. */
export const daySheets = {
  safetyPLogSheet: z.object({ id: ref('safetyLog') }),
  constructionSheet: z.object({ id: ref('constructionLog') }),
  logSheet: z.object({ id: ref('ownLog') }),
}
/** A month of a site as a book. */
export const monthBook = z.object({ projectCode: ref('project'), month })
