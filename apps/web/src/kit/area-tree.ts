import { useEffect, useState } from 'react'
import { type AreaNode, areaOptions, type TreeOption } from './list-state.ts'

let areas: Promise<TreeOption[]> | undefined
/** The area table is 86 KB and rarely needed: it comes when the first cascader opens. */
export function useAreaTree(wanted: boolean): readonly TreeOption[] {
  const [tree, setTree] = useState<readonly TreeOption[]>([])
  useEffect(() => {
    if (!wanted) return
    areas ??= import('@zhugong/contract/data/areas.json').then((file) => areaOptions(file.default.tree as unknown as AreaNode[]))
    let here = true
    void areas.then((loaded) => here && setTree(loaded))
    return () => {
      here = false
    }
  }, [wanted])
  return tree
}
