import type { ScoredCategory } from '@zhugong/contract/scoring/score'
import { dictionaryOf } from '@zhugong/contract/settings/dictionaries'

/** JGJ 59-2011 as the dictionary safetyCheckItem has it: categories, their sheets, and the items of each. */
export interface StandardItem {
  code: string
  name: string
  sheet: string
  guarantee: boolean
  maxScore: number
}
export interface StandardSheet {
  code: string
  name: string
  category: string
}

interface Entry {
  code: string
  name: string
  parent?: string
  weight?: number
  guarantee?: boolean
  maxScore?: number
}
const entries = (dictionaryOf('safetyCheckItem')?.items ?? []) as unknown as readonly Entry[]

export const standardCategories: readonly ScoredCategory[] = entries.flatMap(({ code, name, weight }) =>
  weight === undefined ? [] : [{ code, name, weight }],
)
export const standardItems: readonly StandardItem[] = entries.flatMap(({ code, name, parent, guarantee, maxScore }) =>
  parent === undefined || maxScore === undefined ? [] : [{ code, name, sheet: parent, guarantee: guarantee ?? false, maxScore }],
)
/** A category without sheets of its own is one sheet. */
export const standardSheets: readonly StandardSheet[] = entries
  .filter(({ code }) => standardItems.some((item) => item.sheet === code))
  .map(({ code, name, parent }) => ({ code, name, category: parent ?? code }))

/** The sheets of GB 50300 (dictionary qualityCheckItem), one for each 分部; their items are judged without marks. */
const qualityPrefix = 'Q'
const qualityEntries = (dictionaryOf('qualityCheckItem')?.items ?? []) as unknown as readonly Entry[]
export const qualitySheets: readonly StandardSheet[] = qualityEntries
  .filter(({ code, parent }) => parent === undefined && qualityEntries.some((one) => one.parent === code))
  .map(({ code, name }) => ({ code: `${qualityPrefix}${code}`, name, category: qualityPrefix }))
export const qualityItems: readonly StandardItem[] = qualityEntries.flatMap(({ code, name, parent }) =>
  parent === undefined
    ? []
    : [{ code: `${qualityPrefix}${code}`, name, sheet: `${qualityPrefix}${parent}`, guarantee: false, maxScore: 0 }],
)

const sheetsByCode = new Map([...standardSheets, ...qualitySheets].map((one) => [one.code, one]))
const itemsByCode = new Map(standardItems.map((one) => [one.code, one]))
const categoriesByCode = new Map(standardCategories.map((one) => [one.code, one]))

export const sheetOf = (code: string): StandardSheet | undefined => sheetsByCode.get(code)
export const standardItem = (code: string): StandardItem | undefined => itemsByCode.get(code)
export const categoryName = (code: string): string => categoriesByCode.get(code)?.name ?? code
export const sheetName = (code: string): string => sheetsByCode.get(code)?.name ?? code
/** The name of a sheet with the machine or place it is about. */
export const sheetTitle = ({ sheetCode, label }: { sheetCode: string; label: string }): string =>
  label ? `${sheetName(sheetCode)}（${label}）` : sheetName(sheetCode)
