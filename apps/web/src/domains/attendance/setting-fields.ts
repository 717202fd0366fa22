import { fieldsOf } from '#kit/form-of.ts'
import type { FormValues } from './setting-values.ts'

export const { Field, FieldList, useValue } = fieldsOf<FormValues>()
