import { z } from 'zod'
import { zipIds } from '../exports/endpoints.ts'
import { ref } from '../kit/fields.ts'

/** What the print `manualsheetPaper` takes. */
export const sheetPrint = z.object({ id: ref('manualsheet') })
/** Several sheets in one archive. */
export const sheetsZip = z.object({ ids: zipIds(ref('manualsheet')) })
