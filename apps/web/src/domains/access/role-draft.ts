import { permissionName } from '@zhugong/contract/access/codes'
import { useState } from 'react'
import type { Difference } from '#kit/settings-shell.tsx'
import { differenceOf } from './role-words.ts'

export interface RoleDraft {
  name: string
  remark: string
  codes: readonly string[]
}

/** Role being edited; the saved role until the first change. */
export function useRoleDraft(saved: RoleDraft | undefined) {
  const start: RoleDraft = { name: saved?.name ?? '', remark: saved?.remark ?? '', codes: saved?.codes ?? [] }
  const [value, setValue] = useState(start)
  return {
    value,
    change: (part: Partial<RoleDraft>) => setValue((now) => ({ ...now, ...part })),
    undo: () => setValue(start),
  }
}

/** Changes that saving would make, one line each. */
export function codeDifferences(before: RoleDraft, after: RoleDraft): Difference[] {
  const { added, removed } = differenceOf(before.codes, after.codes)
  const line = (label: string, was: string, is: string): Difference[] =>
    was === is ? [] : [{ label, before: was || '无', after: is || '无' }]
  return [
    ...line('名称', before.name, after.name),
    ...line('说明', before.remark, after.remark),
    ...(added.length ? [{ label: `新增 ${added.length} 项权限`, before: '无', after: named(added) }] : []),
    ...(removed.length ? [{ label: `去掉 ${removed.length} 项权限`, before: named(removed), after: '无' }] : []),
  ]
}

const namesShown = 12
const named = (codes: readonly string[]): string =>
  codes.slice(0, namesShown).map(permissionName).join('、') + (codes.length > namesShown ? ' 等' : '')
