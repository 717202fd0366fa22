/** The weeks of a month from Monday to Sunday, as yyyy-MM-dd, filled up with days of the adjacent months. */
export function monthGrid(month: string): string[][] {
  const [year = 0, number = 1] = month.split('-').map(Number)
  const first = new Date(Date.UTC(year, number - 1, 1))
  const start = first.getTime() - ((first.getUTCDay() + 6) % 7) * 86_400_000
  const weeks: string[][] = []
  for (let at = start; weeks.length < 6; at += 7 * 86_400_000) {
    if (weeks.length > 0 && new Date(at).toISOString().slice(0, 7) > month) break
    weeks.push(Array.from({ length: 7 }, (_, i) => new Date(at + i * 86_400_000).toISOString().slice(0, 10)))
  }
  return weeks
}
