/** Parses CSV: quoted cells may hold commas and line breaks; doubled quotes are one quote. */
export function csvRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  const source = text.replace(/^\uFEFF/, '')
  for (let i = 0; i < source.length; i++) {
    const c = source[i]
    if (quoted) {
      if (c !== '"') cell += c
      else if (source[i + 1] === '"') {
        cell += '"'
        i++
      } else quoted = false
    } else if (c === '"') quoted = true
    else if (c === ',' || c === '\t') {
      row.push(cell.trim())
      cell = ''
    } else if (c === '\n') {
      row.push(cell.trim())
      rows.push(row)
      row = []
      cell = ''
    } else if (c !== '\r') cell += c
  }
  row.push(cell.trim())
  rows.push(row)
  return rows.filter((one) => one.some((value) => value !== ''))
}

/** Rows as objects by the known titles of the first line; empty cells are left out. */
export function csvTable(text: string, titles: Readonly<Record<string, string>>): Record<string, string>[] {
  const [head = [], ...lines] = csvRows(text)
  const keys = head.map((title) => Object.keys(titles).find((key) => titles[key] === title.replace('*', '')))
  return lines.map((line) =>
    Object.fromEntries(
      keys.flatMap((key, i) => {
        const value = line[i]
        return key && value ? [[key, value]] : []
      }),
    ),
  )
}
