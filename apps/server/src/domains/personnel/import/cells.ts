import { normalDay } from '@zhugong/contract/kit/normal'
import { type ImportCells, type ImportField, type ImportIssue, importTitle } from '@zhugong/contract/personnel/import'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'

export const dayOf = normalDay

/** Normalises a name for comparison: full width, spaces and brackets. */
export const bare = (name: string): string => name.normalize('NFKC').replace(/[\s()]/g, '')
const codesByName = new Map<string, Map<string, string>>()
function codesOf(dictionary: string): Map<string, string> {
  const had = codesByName.get(dictionary)
  if (had) return had
  const made = new Map((dictionaryOf(dictionary)?.items ?? []).map((item) => [bare(item.name), item.code]))
  codesByName.set(dictionary, made)
  return made
}
/** Common alternative names for the dictionary entries. */
const otherwise: Readonly<Record<string, string>> = {
  身份证: '居民身份证',
  二代身份证: '居民身份证',
  男性: '男',
  女性: '女',
  团员: '共青团员',
  党员: '中共党员',
}
/** The code of the dictionary entry with this name. */
export const codeOf = (dictionary: string, name: string): string | undefined => {
  const codes = codesOf(dictionary)
  const written = bare(name)
  return codes.get(written) ?? codes.get(otherwise[written] ?? '') ?? (dictionary === 'nation' ? codes.get(`${written}族`) : undefined)
}

/** The best suggestion for an unknown name: the shortest that contains the input or is contained in it. */
export function nearest(written: string, names: Iterable<string>): string | undefined {
  const wanted = bare(written)
  if (wanted.length < 2) return undefined
  return [...names]
    .filter((name) => bare(name).includes(wanted) || wanted.includes(bare(name)))
    .sort((a, b) => a.length - b.length || a.localeCompare(b, 'zh'))[0]
}
export const namesOf = (dictionary: string): string[] => (dictionaryOf(dictionary)?.items ?? []).map((item) => item.name)

/** Collects the issues of one row, only the first one per cell. */
export class Issues {
  readonly list: ImportIssue[] = []
  add(field: ImportField, kind: ImportIssue['kind'], text: string, more: Pick<ImportIssue, 'value' | 'suggest'> = {}): void {
    if (this.isFaulty(field)) return
    this.list.push({ field, kind, level: 'error', text, ...more })
  }
  warn(field: ImportField, kind: ImportIssue['kind'], text: string): void {
    this.list.push({ field, kind, level: 'warning', text })
  }
  isFaulty(field: ImportField): boolean {
    return this.list.some((issue) => issue.level === 'error' && issue.field === field)
  }
  /** The cell's value as a dictionary code. Null and an issue if the dictionary has no such entry. */
  named(cells: ImportCells, field: ImportField, dictionary: string): string | null {
    const written = cells[field]
    if (!written) return null
    const code = codeOf(dictionary, written)
    if (code) return code
    this.unknown(field, written, nearest(written, namesOf(dictionary)))
    return null
  }
  unknown(field: ImportField, written: string, suggest: string | undefined): void {
    this.add(field, 'unknown', `${importTitle(field)}不存在`, { value: written, suggest: suggest || undefined })
  }
  day(cells: ImportCells, field: ImportField): string | null {
    const written = cells[field]
    if (!written) return null
    const day = dayOf(written)
    if (!day) this.add(field, 'format', `${importTitle(field)}不是有效的日期，应为 yyyy-MM-dd`)
    return day ?? null
  }
}
