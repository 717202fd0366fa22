import { z } from 'zod'
import { ref } from '../kit/fields.ts'

/** 安全技术交底记录 with its sign sheet. */
export const briefingPrint = z.object({ id: ref('briefing') })
