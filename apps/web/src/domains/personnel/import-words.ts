import {
  type ImportCells,
  type ImportField,
  type ImportState,
  importColumns,
  importState,
  importTitle,
} from '@zhugong/contract/personnel/import'
import type { Tone } from '#kit/feedback.tsx'

/** How a state of an import looks. */
export const toneOfImport: Readonly<Record<ImportState, Tone>> = {
  '0': 'running',
  '1': 'running',
  '2': 'danger',
  '3': 'warning',
  '4': 'running',
  '5': 'fine',
  '6': 'warning',
  '7': 'danger',
}
/** Goes on by itself: worth asking again. */
export const isMoving = (state: ImportState): boolean =>
  state === importState.waiting || state === importState.checking || state === importState.running
/** Asked again so often while it moves. */
export const importPollMs = 5_000

const bare = (title: string) => title.normalize('NFKC').replace(/[\s*:()]/g, '')
const fieldOf = (title: string): ImportField | undefined =>
  importColumns.find((c) => [c.title, ...c.alias].some((one) => bare(one) === bare(title)))?.key

/**
 * Cells of a block as spreadsheets put it on the clipboard: a cell with a line break, a tab or a quote in it stands in quotes, its own
 * quotes doubled. A quote within a plain cell is a sign like any other.
 */
export function blockOf(text: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))([\t\n]|$)/y
  const plain = text.replace(/\r\n?/g, '\n').replace(/\n$/, '')
  const block: string[][] = [[]]
  for (;;) {
    const [, quoted, bare = '', end = ''] = cell.exec(plain) ?? []
    const value = quoted === undefined ? bare : quoted.replaceAll('""', '"').replace(/\s*\n\s*/g, ' ')
    block.at(-1)?.push(value.trim())
    if (end === '') return block
    if (end === '\n') block.push([])
  }
}

/** A pasted table whose first line names its columns. */
export function linesOf(text: string): { rows: ImportCells[]; titles: string[]; unknown: string[] } {
  const [head = [], ...lines] = blockOf(text)
  const fields = head.map(fieldOf)
  if (!fields.includes('name') || !fields.includes('idCardNumber')) return { rows: [], titles: [], unknown: [] }
  const rows = lines.flatMap((line): ImportCells[] => {
    const cells = Object.fromEntries(
      fields.flatMap((field, i) => {
        const value = line[i]
        return field && value ? [[field, value]] : []
      }),
    )
    return Object.keys(cells).length ? [cells] : []
  })
  const titles = [...new Set(fields.flatMap((field) => (field ? [importTitle(field)] : [])))]
  return { rows, titles, unknown: head.filter((title, i) => title !== '' && !fields[i]) }
}

/** Rows may still be changed. */
export const isMendable = (state: ImportState): boolean =>
  state === importState.faulty || state === importState.ready || state === importState.partly || state === importState.failed

/** People were registered, or tried to be. */
export const hasResult = (state: ImportState): boolean =>
  state === importState.done || state === importState.partly || state === importState.failed
