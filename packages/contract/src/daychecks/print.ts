import { z } from 'zod'
import { zipIds } from '../exports/endpoints.ts'
import { ref } from '../kit/fields.ts'

/** The printed record of a check (103, 104). */
export const dayCheckPrint = z.object({ id: ref('daycheck') })
/** The records of several checks, in one archive. */
export const dayChecksZip = z.object({ ids: zipIds(ref('daycheck')) })
