import type { ArrangedEntry } from '@zhugong/contract/settings/own-dictionaries'
import type { Difference } from '#kit/settings-shell.tsx'

/** Row of an unsaved dictionary; a row without a code is new. */
export interface DraftRow extends Omit<ArrangedEntry, 'code'> {
  key: string
  code: string | null
}

export const draftOf = (items: readonly ArrangedEntry[]): DraftRow[] => items.map((item) => ({ ...item, key: item.code }))

/** Moves a row one place up or down. */
export function moved(rows: readonly DraftRow[], key: string, by: 1 | -1): DraftRow[] {
  const from = rows.findIndex((row) => row.key === key)
  const other = rows[from + by]
  const row = rows[from]
  if (!row || !other) return [...rows]
  return rows.map((one, i) => (i === from ? other : i === from + by ? row : one))
}

const codesOf = (rows: readonly { code: string | null }[]): string[] => rows.flatMap(({ code }) => (code === null ? [] : [code]))
export const isReordered = (items: readonly ArrangedEntry[], rows: readonly DraftRow[]): boolean =>
  codesOf(items).join() !== codesOf(rows).join()

/** Request body. `ordered`: the group already has its own order. */
export const wishOf = (items: readonly ArrangedEntry[], rows: readonly DraftRow[], ordered: boolean) => ({
  order: ordered || isReordered(items, rows) ? codesOf(rows) : [],
  // Entries disabled by a group above are not part of this group's setting.
  off: rows.flatMap(({ code, own, off, offBy }) => (code !== null && !own && off && offBy === null ? [code] : [])),
  own: rows.flatMap(({ code, name, parent, own, off }) => (own ? [{ code, name: name.trim(), parent, off }] : [])),
})

/** Changes that saving would make, in words. */
export function draftDifferences(items: readonly ArrangedEntry[], rows: readonly DraftRow[]): Difference[] {
  const before = new Map(items.map((item) => [item.code, item]))
  const changes = rows.flatMap(({ code, name, off }): Difference[] => {
    const was = code === null ? undefined : before.get(code)
    if (!was) return [{ label: '新增条目', before: '无', after: name || '（未填名称）' }]
    return [
      ...(was.name === name ? [] : [{ label: '条目名称', before: was.name, after: name }]),
      ...(was.off === off ? [] : [{ label: was.name, before: was.off ? '停用' : '可选', after: off ? '停用' : '可选' }]),
    ]
  })
  return isReordered(items, rows) ? [...changes, { label: '顺序', before: '原顺序', after: '新顺序' }] : changes
}
