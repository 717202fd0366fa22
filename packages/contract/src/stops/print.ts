import { z } from 'zod'
import { zipIds } from '../exports/endpoints.ts'
import { ref } from '../kit/fields.ts'

/** What the print `stopPaper` takes: the form that three parties seal, or the 告知书 that the decision issued. */
export const stopPrint = z.object({ id: ref('stopapply'), paper: z.enum(['form', 'decision']) })
/** The same for several applications, in one archive. */
export const stopsZip = z.object({ ids: zipIds(ref('stopapply')), paper: z.enum(['form', 'decision']) })
