import { inflateRawSync } from 'node:zlib'
import { archive } from '../../apps/server/src/kit/archive-for-test.ts'

/** A workbook as edited in a spreadsheet program: read titles, add rows, save. */
export interface Workbook {
  /** Text of a sheet by its number, in rows. */
  rows(sheet: number): string[][]
  /** The workbook with these rows below the titles of a sheet (default: the first); all cells are text, as the template requires. */
  withLines(lines: readonly (readonly string[])[], sheet?: number): Buffer
}

export function openWorkbook(file: Buffer): Workbook {
  const parts = unpack(file)
  const text = (name: string) => parts.get(name)?.toString('utf8') ?? ''
  const strings = [...text('xl/sharedStrings.xml').matchAll(/<si>(.*?)<\/si>/gs)].map(([, si]) =>
    plain([...(si ?? '').matchAll(/<t[^>]*>(.*?)<\/t>/gs)].map(([, t]) => t).join('')),
  )
  const sheetName = (sheet: number) => `xl/worksheets/sheet${sheet}.xml`
  return {
    rows: (sheet) =>
      [...text(sheetName(sheet)).matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row]) => {
        const cells: string[] = []
        for (const [, column = '', inside = ''] of (row ?? '').matchAll(/<c r="([A-Z]+)\d+"[^>]*?(?:\/>|>(.*?)<\/c>)/gs))
          cells[place(column)] = strings[Number(/<v>(\d+)<\/v>/.exec(inside)?.[1])] ?? plain(/<t[^>]*>(.*?)<\/t>/s.exec(inside)?.[1] ?? '')
        return Array.from(cells, (cell) => cell ?? '')
      }),
    withLines: (lines, at = 1) => {
      const written = lines.map(
        (cells, i) =>
          `<row r="${i + 2}">${cells.map((cell, c) => (cell === '' ? '' : `<c r="${letters(c)}${i + 2}" t="inlineStr"><is><t>${marked(cell)}</t></is></c>`)).join('')}</row>`,
      )
      const sheet = text(sheetName(at))
        .replace('</sheetData>', `${written.join('')}</sheetData>`)
        .replace(/<dimension [^>]*\/>/, '')
      return archive([...parts].map(([name, data]) => ({ name, data: name === sheetName(at) ? sheet : data })))
    },
  }
}

const marked = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const plain = (xml: string) => xml.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
const letters = (index: number): string => String.fromCharCode(65 + index)
const place = (column: string): number => [...column].reduce((n, c) => n * 26 + c.charCodeAt(0) - 64, 0) - 1

/** Files of a ZIP archive, from its central directory. */
function unpack(file: Buffer): Map<string, Buffer> {
  const end = file.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const parts = new Map<string, Buffer>()
  let at = file.readUInt32LE(end + 16)
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed, nameLength] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 20), file.readUInt16LE(at + 28)]
    const name = file.subarray(at + 46, at + 46 + nameLength).toString('utf8')
    const local = file.readUInt32LE(at + 42)
    const begin = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const data = file.subarray(begin, begin + packed)
    parts.set(name, method === 0 ? data : inflateRawSync(data))
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32)
  }
  return parts
}
