import { type FileField, fileFields, formalStayFields } from '@zhugong/contract/personnel/rules'

/** After a registration: everything still required for becoming formal, conditions and fields together. */
export function registeredWords({ missing, fields }: { missing: readonly string[]; fields: readonly string[] }): string {
  if (missing.length + fields.length === 0) return '已登记，转正式的条件已齐'
  const parts = [missing.length ? `进场条件 ${missing.join('、')}` : '', fields.length ? `档案 ${fields.join('、')}` : '']
  return `已登记，转正式还差${parts.filter(Boolean).join('；')}`
}

const fieldByName = new Map(Object.entries(fileFields).map(([field, name]) => [name, field as FileField]))
/** The form field in which a field of the file is edited; undefined when it is filled elsewhere. */
export function editFieldOf(name: string): string | undefined {
  if (name === '有效期内的证件') return 'expiryDate'
  const field = fieldByName.get(name as (typeof fileFields)[FileField])
  return field === 'consent' ? 'consents' : field
}
export const isStayField = (name: string): boolean => (Object.values(formalStayFields) as string[]).includes(name)
