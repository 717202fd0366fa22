import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import type { FamilyView } from '@zhugong/contract/telemetry/model'

type Field = FamilyView['metrics'][number]

export const fieldTypes: Readonly<Record<string, string>> = {
  number: '数值',
  integer: '整数',
  boolean: '是否',
  enum: '代码',
  string: '文本',
  datetime: '时间',
}

/** Allowed values of a field: its range, or its codes with their meaning. */
export function rangeOf(field: Pick<Field, 'min' | 'max' | 'values'>): string {
  if (field.values)
    return Object.entries(field.values)
      .map(([code, label]) => `${code} ${label}`)
      .join('，')
  if (field.min === undefined && field.max === undefined) return '--'
  return `${field.min ?? ''}～${field.max ?? ''}`
}

/** Finds a field of the catalogue by key: a metric, a parameter, a record field, or a field added by a decoder. */
export function fieldOf(family: FamilyView | undefined, key: string): Field | undefined {
  if (!family) return undefined
  const all = [...family.metrics, ...family.params, ...family.otherFields, ...family.records.flatMap((record) => record.fields)]
  return all.find((field) => field.key === key)
}

const localTime = (value: unknown): string => {
  const at = typeof value === 'number' ? value : Date.parse(String(value))
  if (Number.isNaN(at)) return String(value)
  return new Date(at + shanghaiOffsetMs).toISOString().slice(0, 19).replace('T', ' ')
}

/** Formats a value by its catalogue field, with unit; `--` if missing. Times are in Asia/Shanghai. */
export function valueWords(value: unknown, field: Field | undefined): [text: string, unit: string] {
  if (value === null || value === undefined || value === '') return ['--', '']
  if (field?.values) return [field.values[String(value)] ?? String(value), '']
  if (field?.type === 'datetime') return [localTime(value), '']
  if (typeof value === 'boolean') return [value ? '是' : '否', '']
  if (typeof value === 'number')
    return [field?.precision === undefined ? String(Number(value.toFixed(3))) : value.toFixed(field.precision), field?.unit ?? '']
  return [typeof value === 'object' ? JSON.stringify(value) : String(value), field?.unit ?? '']
}
