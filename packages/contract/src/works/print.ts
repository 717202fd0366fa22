import { z } from 'zod'
import { zipIds } from '../exports/endpoints.ts'
import { ref } from '../kit/fields.ts'

/** What the print `bigprojectFile` takes: the file of one work, with the list of its papers. */
export const workPrint = z.object({ id: ref('bigproject') })
/** The same for several works, in one archive. */
export const worksZip = z.object({ ids: zipIds(ref('bigproject')) })
