import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { Samples } from './first-record.ts'

/** `page-samples/<domain>.ts` has a record for each page of one record, or the reason it needs none. */
interface OfDomain {
  samples: Samples
  needNoSample?: Readonly<Record<string, string>>
}
const folder = join(import.meta.dirname, 'page-samples')
const domains: OfDomain[] = await Promise.all(globSync('*.ts', { cwd: folder }).map((file) => import(join(folder, file))))

export const samples: Samples = Object.assign({}, ...domains.map((one) => one.samples))
/** Pages whose name suggests one record but that show none. */
export const needNoSample: Readonly<Record<string, string>> = Object.assign({}, ...domains.map((one) => one.needNoSample))

/** Whether a page needs a record to be opened. */
export const showsOneRecord = (path: string): boolean => path.includes(':') || /detail|edit|\/info\b/i.test(path)
