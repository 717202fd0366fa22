import { z } from 'zod'

export const onOff = z.enum(['0', '1'], { error: '状态应为 0 停用或 1 启用' })

/** A government or a company in a selection list. */
export const pick = z.object({ code: z.string(), name: z.string(), areaCode: z.string() })
