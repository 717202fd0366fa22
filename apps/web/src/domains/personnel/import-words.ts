import {
  type ImportCells,
  type ImportField,
  type ImportState,
  importColumns,
  importState,
  importTitle,
} from '@zhugong/contract/personnel/import'
import type { Tone } from '#kit/feedback.tsx'

/** Tone of each state of an import. */
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
/** The state changes without user action, so it is polled. */
export const isMoving = (state: ImportState): boolean =>
  state === importState.waiting || state === importState.checking || state === importState.running
/** Poll interval while the state changes. */
export const importPollMs = 5_000

const bare = (title: string) => title.normalize('NFKC').replace(/[\s*:()]/g, '')
const fieldOf = (title: string): ImportField | undefined =>
  importColumns.find((c) => [c.title, ...c.alias].some((one) => bare(one) === bare(title)))?.key

/**
 * Parses a block copied from a spreadsheet: a cell with a line break, tab or quote is quoted, its quotes doubled. A quote inside an
 * unquoted cell is an ordinary character.
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

/** Parses a pasted table whose first line has the column titles. */
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

/** Rows can still be edited. */
export const isMendable = (state: ImportState): boolean =>
  state === importState.faulty || state === importState.ready || state === importState.partly || state === importState.failed

/** The import ran, at least in part. */
export const hasResult = (state: ImportState): boolean =>
  state === importState.done || state === importState.partly || state === importState.failed
