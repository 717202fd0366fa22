import { z } from 'zod'
import { ref } from '../kit/fields.ts'

/** 工序（隐蔽工程）验收记录. */
export const stepPrint = z.object({ id: ref('siteStep') })
