import { useEffect, useId } from 'react'
import { confirmDanger } from './ask.ts'

/** Pages with changes not sent yet: key of the page to the form's name. */
const unsaved = new Map<string, { page: string; title: string }>()

export function useUnsaved(dirty: boolean, page: string, title: string): void {
  const id = useId()
  useEffect(() => {
    if (!dirty) return
    unsaved.set(id, { page, title })
    return () => {
      unsaved.delete(id)
    }
  }, [dirty, id, page, title])
}

export const unsavedTitles = (page?: string): string[] =>
  [...unsaved.values()].filter((one) => page === undefined || one.page === page).map((one) => one.title)

/** Asks before changes are lost; true when nothing is or the user agrees. */
export async function mayLeave(page?: string): Promise<boolean> {
  const titles = unsavedTitles(page)
  if (titles.length === 0) return true
  return confirmDanger({
    thing: `放弃“${titles.join('、')}”中未保存的内容`,
    consequence: '离开后填写的内容不再保留。',
    verb: '放弃并离开',
    keep: '继续填写',
  })
}

if (typeof window !== 'undefined') {
  window.addEventListener('beforeunload', (event) => {
    if (unsaved.size > 0) event.preventDefault()
  })
}
