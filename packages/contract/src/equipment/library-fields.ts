import { z } from 'zod'
import { text } from '../kit/fields.ts'

export const version = z.coerce.number().int().optional()

export const enable = z.enum(['0', '1'], { error: '状态应为 0 停用或 1 启用' })

export const files = z.array(text(500, '文件地址')).max(20, '最多 20 个文件')

export const familyKeys = z.array(text(40, '设备类别')).max(40)

export const view = ['device-admin.view', 'device-admin.library'] as const
