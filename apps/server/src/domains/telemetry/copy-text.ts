/** Escapes a text for PostgreSQL's COPY text format: backslash, tab, line feed and carriage return. */
export function copyText(text: string | null): string {
  if (text === null) return '\\N'
  if (!/[\\\t\n\r]/.test(text)) return text
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
}

/** JSON that PostgreSQL can store: the null character (U+0000) is removed, because `text` and `jsonb` reject it. */
export const storableJson = (value: unknown): string => JSON.stringify(value).replaceAll('\\u0000', '')

export function copyArray(values: readonly (number | null)[] | null): string {
  if (values === null) return '\\N'
  let out = '{'
  for (let i = 0; i < values.length; i++) {
    if (i) out += ','
    out += values[i] === null || values[i] === undefined ? 'NULL' : values[i]
  }
  return `${out}}`
}
