/** COPY's text format. A backslash in JSON is doubled, and so are the ones that stand for tab and line end. */
export function copyText(text: string | null): string {
  if (text === null) return '\\N'
  if (!/[\\\t\n\r]/.test(text)) return text
  return text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
}

/** A text that PostgreSQL can hold: it knows no zero character, in JSON neither. */
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
