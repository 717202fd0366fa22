/** A cell as spreadsheets write it; one that would be taken for a formula is kept a text. */
export function csvCell(value: string): string {
  const text = /^[=+\-@\t]/.test(value) ? `'${value}` : value
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text
}

/** Rows as a file that the browser keeps, readable by spreadsheets. */
export function saveText(fileName: string, rows: readonly (readonly string[])[]): void {
  const text = `\uFEFF${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}`
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }))
  link.download = fileName
  link.click()
  URL.revokeObjectURL(link.href)
}
