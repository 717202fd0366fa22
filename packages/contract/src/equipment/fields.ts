import { z } from 'zod'
import { ref } from '../kit/fields.ts'

export const byId = (subject: 'device' | 'gateway' | 'openApp') => z.object({ id: ref(subject) })

export const onOff = z.enum(['0', '1'], { error: '状态应为 0 停用或 1 启用' })
