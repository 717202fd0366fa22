/** Lists changed values for the audit row, before and after: 名称 甲→乙，期限 长期→2027-01-01. Empty when nothing changed. */
export function changedWords(parts: Readonly<Record<string, readonly [before: unknown, after: unknown]>>): string {
  return Object.entries(parts)
    .flatMap(([label, [before, after]]) => {
      // A field that the change does not contain is unchanged.
      if (after === undefined) return []
      const [was, is] = [wordOf(before), wordOf(after)]
      return was === is ? [] : [`${label} ${was}→${is}`]
    })
    .join('，')
}
/** Longer texts are cut, in characters: the audit row shows that they changed, not their full content. */
const longestWord = 40
function wordOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '无'
  if (value === true) return '是'
  if (value === false) return '否'
  const text = Array.isArray(value) ? value.map(wordOf).join('、') || '无' : String(value)
  return text.length > longestWord ? `${text.slice(0, longestWord)}…` : text
}
