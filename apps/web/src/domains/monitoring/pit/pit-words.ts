/** Placement of labels in a drawing without overlaps. */

/** Width of a 12 px text: an ideograph is as wide as the font size, a letter a bit more than half. */
export const widthOf = (text: string): number => [...text].reduce((sum, sign) => sum + (sign.charCodeAt(0) > 0x2e7f ? 12 : 7), 0)

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

const gap = 6

/** Rows for labels above places on a line: each takes the lowest free row, and is shifted only at the edges. `words` is the centre of the label. */
export function rowsOf(marks: readonly { at: number; width: number }[], room: number): { row: number; words: number }[] {
  const rows: [from: number, to: number][][] = []
  const found = new Map<number, { row: number; words: number }>()
  const order = marks.map((mark, i) => ({ ...mark, i })).sort((a, b) => a.at - b.at)
  for (const { at, width, i } of order) {
    const words = Math.min(room - width / 2 - 2, Math.max(width / 2 + 2, at))
    const [from, to] = [words - width / 2 - gap, words + width / 2 + gap]
    const isFree = (row: number) => !(rows[row] ?? []).some((one) => from < one[1] && to > one[0])
    let row = 0
    while (!isFree(row)) row++
    rows[row] = [...(rows[row] ?? []), [from, to]]
    found.set(i, { row, words })
  }
  return marks.map((mark, i) => found.get(i) ?? { row: 0, words: mark.at })
}

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.left + b.width && b.left < a.left + a.width && a.top < b.top + b.height && b.top < a.top + a.height

/** Lowest position downwards at which a box overlaps none of the placed ones; adds it to them. */
export function belowWhatStands(taken: Box[], box: Box): number {
  let top = box.top
  for (let hit = find(top); hit; hit = find(top)) top = hit.top + hit.height + 1
  taken.push({ ...box, top })
  return top
  function find(at: number): Box | undefined {
    return taken.find((one) => overlaps(one, { ...box, top: at }))
  }
}
