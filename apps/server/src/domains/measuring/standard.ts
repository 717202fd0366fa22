import { dictEntry, dictionaryOf } from '@zhugong/contract/settings/dictionaries'

/** What dictionary measureItem says of an item. */
export interface StandardItem {
  code: string
  name: string
  /** The group of the item; undefined: it is a group itself. */
  stage: string | undefined
  unit: string
  judgeStart: number
  judgeEnd: number
  isAbsolute: boolean
  isRange: boolean
  /** The norm that the values come from. */
  norm: string | null
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export function standardItem(code: string): StandardItem | undefined {
  const entry = dictEntry('measureItem', code)
  if (!entry) return undefined
  const { min, max, unit, absolute, range, parent } = entry as Record<string, unknown>
  const stage = text(parent)
  const basis = stage ? (dictEntry('measureItem', stage) as Record<string, unknown> | undefined)?.basis : undefined
  return {
    code,
    name: entry.name,
    stage,
    unit: text(unit) ?? '',
    judgeStart: typeof min === 'number' ? min : 0,
    judgeEnd: typeof max === 'number' ? max : 0,
    isAbsolute: absolute === true,
    isRange: range === true,
    norm: text(basis) ?? null,
  }
}

export const standardItems = (): StandardItem[] =>
  (dictionaryOf('measureItem')?.items ?? []).flatMap(({ code }) => {
    const item = standardItem(code)
    return item?.stage ? [item] : []
  })
