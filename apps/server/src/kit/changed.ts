/** Before and after of what a change changed, for the audit row: 名称 甲→乙，期限 长期→2027-01-01. Nothing where nothing did. */
export function changedWords(parts: Readonly<Record<string, readonly [before: unknown, after: unknown]>>): string {
  return Object.entries(parts)
    .flatMap(([label, [before, after]]) => {
      // What a change does not name stays.
      if (after === undefined) return []
      const [was, is] = [wordOf(before), wordOf(after)]
      return was === is ? [] : [`${label} ${was}→${is}`]
    })
    .join('，')
}
/** Longer texts are cut: the row says that they changed, not what all of it was. */
const longestWord = 40
function wordOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '无'
  if (value === true) return '是'
  if (value === false) return '否'
  const text = Array.isArray(value) ? value.map(wordOf).join('、') || '无' : String(value)
  return text.length > longestWord ? `${text.slice(0, longestWord)}…` : text
}
