export interface PastedMark {
  name: string
  score: number | null
  passed: boolean | null
}

const [pass, most] = [60, 100]
const passedWords: Readonly<Record<string, boolean>> = { 合格: true, 通过: true, 不合格: false, 未通过: false, 不通过: false }

/** Rows copied from a spreadsheet: a name, and a mark or a result in any order. Other cells are left out. */
export function readMarks(text: string): PastedMark[] {
  return text.split(/\r?\n/).flatMap((line): PastedMark[] => {
    const cells = line
      .split(/[\t,，;；]|\s{2,}| (?=\S)/)
      .map((cell) => cell.trim())
      .filter(Boolean)
    const word = cells.find((cell) => cell in passedWords)
    const given = cells.map(Number).find((n, i) => i > 0 && Number.isFinite(n) && n >= 0 && n <= most)
    const name = cells.find((cell) => Number.isNaN(Number(cell)) && !(cell in passedWords))
    if (name === undefined || (word === undefined && given === undefined)) return []
    const score = given ?? null
    return [{ name, score, passed: word === undefined ? (score ?? 0) >= pass : (passedWords[word] ?? null) }]
  })
}
