import { z } from 'zod'
import { ref } from '../kit/fields.ts'

/** `accept`: 材料进场验收单; `sample`: 见证取样单. */
export const materialPrint = z.object({ id: ref('materialBatch'), paper: z.enum(['accept', 'sample']) })
