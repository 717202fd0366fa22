import { z } from 'zod'
import { ref } from '../kit/fields.ts'

/** 质量抽查记录. */
export const spotPrint = z.object({ id: ref('spotCheck') })
