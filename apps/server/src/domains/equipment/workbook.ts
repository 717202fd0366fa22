import { Readable } from 'node:stream'
import { formatDay } from '#kit/clock'
import { FileAnswer } from '#kit/context'
import { writeXlsxStream } from '#kit/sheet-write'

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Text is written as a text cell, so that no program interprets it as a formula. */
const plain = (value: unknown): string | number =>
  value === null || value === undefined ? '' : typeof value === 'number' ? value : String(value)

/** A small table as a file, in the response; long ones use the export centre. */
export function workbook(
  title: string,
  headers: readonly string[],
  rows: Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]>,
  now: number,
): FileAnswer {
  async function* cells() {
    for await (const row of rows) yield row.map(plain)
  }
  const sheet = { name: title.replace(/[\\/?*[\]:]/g, ' ').slice(0, 31), columns: headers.map((header) => ({ header, width: 16 })) }
  return new FileAnswer(
    `${title}_${formatDay(now)}.xlsx`,
    xlsx,
    Readable.fromWeb(writeXlsxStream(cells() as never, sheet as never) as never),
  )
}
