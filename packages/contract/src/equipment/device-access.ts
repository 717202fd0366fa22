import { z } from 'zod'
import { accessSchemas } from '../protocols/catalogue.ts'

export const access = z.discriminatedUnion('protocol', accessSchemas, { error: '请选择接入方式' })

export type AccessInput = z.input<typeof access>
