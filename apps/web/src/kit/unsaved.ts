import { useEffect, useId, useRef } from 'react'
import { confirmDanger } from './ask.ts'
import { usePage } from './page.tsx'

/** Pages with unsaved changes: form id to page key and form title. */
const unsaved = new Map<string, { page: string; title: string }>()

/** Registers unsaved changes of a form of the page; while registered, the page is kept after the user leaves it. */
export function useUnsaved(dirty: boolean, page: string, title: string): void {
  const id = useId()
  const { active } = usePage()
  const inFront = useRef(active)
  useEffect(() => {
    inFront.current = active
  }, [active])
  useEffect(() => {
    if (!dirty) return
    unsaved.set(id, { page, title })
    return () => {
      // Hiding a page runs the same cleanup as closing it, but a hidden page has already been set to not in front.
      if (inFront.current) unsaved.delete(id)
    }
  }, [dirty, id, page, title])
}

export const isUnsaved = (page: string): boolean => [...unsaved.values()].some((one) => one.page === page)

export const unsavedTitles = (pages?: readonly string[]): string[] =>
  [...unsaved.values()].filter((one) => pages === undefined || pages.includes(one.page)).map((one) => one.title)

/** After saving: removes the page's marks, so that the user is not asked about them. */
export function forgetUnsaved(page: string): void {
  for (const [id, one] of unsaved) if (one.page === page) unsaved.delete(id)
}

/** Discards all marks of unsaved changes, without asking. */
export const forgetAllUnsaved = (): void => unsaved.clear()

/** Asks before changes of these pages, or of all, are lost. True if there are none or the user agrees. */
export async function mayLeave(pages?: readonly string[]): Promise<boolean> {
  const titles = unsavedTitles(pages)
  if (titles.length === 0) return true
  const agreed = await confirmDanger({
    thing: `放弃“${titles.join('、')}”中未保存的内容`,
    consequence: '离开后填写的内容不再保留。',
    verb: '放弃并离开',
    keep: '继续填写',
  })
  if (agreed) for (const [id, { page }] of unsaved) if (pages === undefined || pages.includes(page)) unsaved.delete(id)
  return agreed
}

if (typeof window !== 'undefined') {
  window.addEventListener('beforeunload', (event) => {
    if (unsaved.size > 0) event.preventDefault()
  })
}
