import { mostOwnItems, mostPhrases, takableMarks } from '@zhugong/contract/scoring/library'
import { type ItemField, itemColumns } from '@zhugong/contract/scoring/library-import'
import { unreadable } from '#kit/cell-text'
import type { ItemLine } from './item-sheet.ts'
import type { OwnItem } from './items.ts'
import { standardItem } from './standard.ts'

/** An own item of the library as it is now. */
export interface KnownItem extends OwnItem {
  itemCode: string
  takenFrom: string
  enable: boolean
}

export interface CheckedItem extends ItemLine {
  errors: { column: ItemField; text: string }[]
  warnings: { column: ItemField; text: string }[]
  /** Only if there is no error: the item, the one it replaces, and whether that one is the same already. */
  item: (OwnItem & { takenFrom: string }) | undefined
  before: KnownItem | undefined
  unchanged: boolean
}

const longest: Partial<Record<ItemField, number>> = { name: 60, clause: 200, rule: 500 }
const [fewestMarks, mostMarks, longestPhrase] = [1, 20, 100]
/** How phrases are separated in a cell. */
const phraseEnd = /[；;\n\r]+/

/**
 * Validates a sheet of check items cell by cell against the library; returns errors and what each line does. Pure, without the database.
 * Marks are counted over the library as it would be after the whole file.
 */
export function checkItems(lines: readonly ItemLine[], known: readonly KnownItem[]): CheckedItem[] {
  const checked = lines.map((line) => checkLine(line, known))
  markRepeated(checked)
  markExcess(checked, known)
  return checked.map((one) => (one.errors.length > 0 ? { ...one, item: undefined } : one))
}

function checkLine(line: ItemLine, known: readonly KnownItem[]): CheckedItem {
  const { cells } = line
  const errors: CheckedItem['errors'] = []
  const warnings: CheckedItem['warnings'] = []
  const wrong = (column: ItemField, text: string) => {
    errors.push({ column, text })
    return undefined
  }
  const coded = cells.itemCode ? known.find((one) => one.itemCode === cells.itemCode) : undefined
  if (cells.itemCode && !coded)
    wrong('itemCode', standardItem(cells.itemCode) ? '标准项不能导入修改' : '没有这个自有检查项，新增时编码留空')
  for (const { key, title, required } of itemColumns) {
    // The code says already which item gives the marks.
    if (required && !cells[key] && !(key === 'takenFrom' && coded)) wrong(key, `请填写${title}`)
    const problem = unreadable(cells[key] ?? '')
    if (problem) wrong(key, problem)
    const most = longest[key]
    if (most && (cells[key]?.length ?? 0) > most) wrong(key, `${title}最多 ${most} 个字`)
  }
  const from = cells.takenFrom ? standardCode(cells.takenFrom) : coded?.takenFrom
  if (cells.takenFrom && !from) wrong('takenFrom', '没有这个标准项，请填模板第二页的编码')
  if (coded && from && from !== coded.takenFrom) wrong('takenFrom', `${coded.itemCode} 从 ${coded.takenFrom} 划出，不能更换`)
  const maxScore = cells.maxScore ? marksIn(cells.maxScore) : undefined
  if (cells.maxScore && maxScore === undefined) wrong('maxScore', `满分应为 ${fewestMarks} 到 ${mostMarks} 的整数`)
  const phrases = [...new Set((cells.phrases ?? '').split(phraseEnd).map((one) => one.trim()))].filter(Boolean)
  if (phrases.length > mostPhrases) wrong('phrases', `常用问题最多 ${mostPhrases} 条`)
  if (phrases.some((one) => one.length > longestPhrase)) wrong('phrases', `每条常用问题最多 ${longestPhrase} 个字`)
  const named = known.find((one) => one.takenFrom === from && one.name === cells.name && one !== coded)
  const item =
    from && cells.name && maxScore !== undefined
      ? { takenFrom: from, name: cells.name, maxScore, clause: cells.clause ?? null, rule: cells.rule ?? null, phrases }
      : undefined
  // The same item without its code: nothing to do if nothing differs, otherwise the code says what is meant.
  const before = coded ?? (item && named && isSame(named, item) ? named : undefined)
  if (named && before !== named) wrong('name', `已有同名检查项 ${named.itemCode}，修改它请填写编码`)
  const unchanged = before !== undefined && item !== undefined && isSame(before, item)
  if (unchanged) warnings.push({ column: 'name', text: '与现有内容相同，不再写入' })
  if (before && !before.enable) warnings.push({ column: 'itemCode', text: '已停用，导入后仍为停用' })
  return { ...line, errors, warnings, item, before, unchanged }
}

/** The code of an item of the standard, from `060004` or `060004 临边防护`. */
function standardCode(text: string): string | undefined {
  const code = /^\d+/.exec(text)?.[0] ?? ''
  // Excel drops leading zeros of numbers.
  return [code, code.padStart(6, '0')].find((one) => standardItem(one))
}

function marksIn(text: string): number | undefined {
  const marks = /^\d+(\.0+)?$/.test(text) ? Number(text) : Number.NaN
  return marks >= fewestMarks && marks <= mostMarks ? marks : undefined
}

const isSame = (a: OwnItem, b: OwnItem): boolean =>
  a.name === b.name &&
  a.maxScore === b.maxScore &&
  (a.clause ?? '') === (b.clause ?? '') &&
  (a.rule ?? '') === (b.rule ?? '') &&
  a.phrases.join('\n') === b.phrases.join('\n')

/** Two lines of the file must not mean the same item. */
function markRepeated(checked: readonly CheckedItem[]): void {
  const [rowByCode, rowByName] = [new Map<string, number>(), new Map<string, number>()]
  for (const { row, item, before, errors } of checked) {
    const code = before?.itemCode
    const earlier = code === undefined ? undefined : rowByCode.get(code)
    if (earlier !== undefined) errors.push({ column: 'itemCode', text: `与第 ${earlier} 行是同一个检查项` })
    else if (code !== undefined) rowByCode.set(code, row)
    if (!item) continue
    const name = `${item.takenFrom} ${item.name}`
    const same = rowByName.get(name)
    if (same !== undefined) errors.push({ column: 'name', text: `与第 ${same} 行的检查项同名` })
    else rowByName.set(name, row)
  }
}

/** An item of the standard gives at most its share; a library holds at most `mostOwnItems`. */
function markExcess(checked: readonly CheckedItem[], known: readonly KnownItem[]): void {
  const replaced = new Set(checked.flatMap(({ before, item }) => (before && item ? [before.itemCode] : [])))
  const taken = new Map<string, number>()
  for (const { takenFrom, itemCode, maxScore, enable } of known)
    if (enable && !replaced.has(itemCode)) taken.set(takenFrom, (taken.get(takenFrom) ?? 0) + maxScore)
  let count = known.length
  for (const { item, before, errors } of checked) {
    if (!item) continue
    if (!before && ++count > mostOwnItems) errors.push({ column: 'name', text: `自有检查项最多 ${mostOwnItems} 项` })
    if (before && !before.enable) continue
    const sum = (taken.get(item.takenFrom) ?? 0) + item.maxScore
    const from = standardItem(item.takenFrom)
    const most = takableMarks(from?.maxScore ?? 0)
    if (sum > most) errors.push({ column: 'maxScore', text: `“${from?.name}”满分 ${from?.maxScore}，自有项合计至多划出 ${most} 分` })
    else taken.set(item.takenFrom, sum)
  }
}
