import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileFields, formalStayFields } from '@zhugong/contract/personnel/rules'
import { expect, test } from 'vitest'

/** Every form that creates or changes a stay has the fields required for becoming formal. */
const source = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
const fieldsIn = (...files: string[]) => new Set(files.flatMap((f) => [...source(f).matchAll(/name="([\w.]+)"/g)].map((m) => m[1])))

test.each(Object.keys(formalStayFields))('%s is in the form, in 再次进场, in 调往 and in 用工信息', (field) => {
  expect(fieldsIn('worker-stay.tsx')).toContain(`stay.${field}`)
  for (const file of ['return-drawer.tsx', 'grant-drawer.tsx', 'terms-drawer.tsx']) expect(fieldsIn(file)).toContain(field)
})

test.each(Object.keys(fileFields).filter((field) => field !== 'consent'))('%s is in the form and in its edit', (field) => {
  expect(fieldsIn('worker-identity.tsx', 'worker-papers.tsx', 'person-fields.tsx', 'worker-edit.tsx')).toContain(field)
})
