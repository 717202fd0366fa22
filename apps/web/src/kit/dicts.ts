import { dictsByCode } from '@zhugong/contract/settings/endpoints'
import { useMemo } from 'react'
import { useCall } from './call.ts'
import type { Option, TreeOption } from './list-state.ts'

interface Item {
  code: string
  name: string
  parent?: string | undefined
  hidden?: boolean | undefined
}

/** Builds a tree: codes with a parent below it, the others at the top level. */
export function treeOf(items: readonly Item[]): TreeOption[] {
  const below = (code: string): TreeOption[] =>
    items.filter((i) => i.parent === code && !i.hidden).map((i) => ({ value: i.code, label: i.name }))
  return items
    .filter((i) => !i.parent && !i.hidden)
    .map((i) => {
      const children = below(i.code)
      return { value: i.code, label: i.name, children: children.length ? children : undefined }
    })
}

/** Dictionaries by code. They change only with a release, so they are fetched once. */
export function useDicts(...codes: string[]) {
  const wanted = codes.join(',')
  const { data } = useCall(dictsByCode, { body: { featCodes: wanted } }, { staleMs: Number.POSITIVE_INFINITY, offline: true })
  return useMemo(() => {
    const items = (code: string): readonly Item[] => data?.[code] ?? []
    return {
      items,
      options: (code: string): Option[] => items(code).flatMap((i) => (i.hidden ? [] : [{ value: i.code, label: i.name }])),
      tree: (code: string) => treeOf(items(code)),
      name: (code: string, value: string | null | undefined) => items(code).find((i) => i.code === value)?.name ?? value ?? '',
    }
  }, [data])
}
