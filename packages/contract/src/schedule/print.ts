import { z } from 'zod'
import { ref } from '../kit/fields.ts'

/** 进度计划与实际对照表. */
export const schedulePrint = z.object({ projectCode: ref('project') })
