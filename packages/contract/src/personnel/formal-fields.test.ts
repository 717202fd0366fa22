import { expect, test } from 'vitest'
import type { z } from 'zod'
import { enterWorker, setTerms } from '../labour/stays.ts'
import { grantWorkers } from './flow.ts'
import { type ImportField, importColumns } from './import.ts'
import { registerBody, updateBody } from './registration-model.ts'
import { type FileField, type FormalStayField, fileFields, formalStayFields } from './rules.ts'

/** A field required for becoming formal must be available in every form and import; otherwise nobody could fill it in. */
const columns: ReadonlySet<string> = new Set(importColumns.map((c) => c.key))
/** A workbook contains no pictures: they are added in the form. */
const picturesOnly: readonly FileField[] = ['headImage']
const columnOf: Partial<Record<FileField, ImportField>> = { workTypeCode: 'workType' }
const fieldOf: Partial<Record<FileField, string>> = { consent: 'consents' }
const shapeOf = (schema: unknown) => Object.keys((schema as z.ZodObject).shape)

test.each(Object.keys(fileFields) as FileField[])('%s of the file is in the form, in its edit and in the sheet', (field) => {
  const name = fieldOf[field] ?? field
  expect(shapeOf(registerBody)).toContain(name)
  expect(shapeOf(updateBody)).toContain(name)
  if (!picturesOnly.includes(field)) expect(columns).toContain(columnOf[field] ?? field)
})

test.each(Object.keys(formalStayFields) as FormalStayField[])(
  '%s of the stay is in every door to a stay, and can be set later',
  (field) => {
    const stay = (registerBody.shape.stay as z.ZodOptional<z.ZodObject>).unwrap()
    for (const shape of [
      shapeOf(stay),
      shapeOf(enterWorker.schemas.body),
      shapeOf(grantWorkers.schemas.body),
      shapeOf(setTerms.schemas.body),
    ])
      expect(shape).toContain(field)
    expect(columns).toContain(field)
  },
)
