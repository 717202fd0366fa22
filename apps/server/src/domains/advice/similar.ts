/** Share of common pairs of characters from which two titles count as similar, and how many are proposed. */
const leastShare = 0.4
const mostProposed = 5

const pairsOf = (text: string): Set<string> => {
  const plain = [...text.replace(/[\s\p{P}]/gu, '')]
  return new Set(plain.slice(1).map((one, i) => `${plain[i]}${one}`))
}

/** The rows whose titles share the most pairs of characters with a title (Dice), the closest first. */
export function closest<Row extends { title: string }>(title: string, rows: readonly Row[]): Row[] {
  const wanted = pairsOf(title)
  if (wanted.size === 0) return []
  return rows
    .map((row) => {
      const pairs = pairsOf(row.title)
      const common = [...pairs].filter((one) => wanted.has(one)).length
      return { row, share: pairs.size ? (2 * common) / (pairs.size + wanted.size) : 0 }
    })
    .filter(({ share }) => share >= leastShare)
    .sort((a, b) => b.share - a.share)
    .slice(0, mostProposed)
    .map(({ row }) => row)
}
