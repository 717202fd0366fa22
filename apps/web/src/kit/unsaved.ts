import { useEffect, useId, useRef } from 'react'
import { confirmDanger } from './ask.ts'
import { usePage } from './page.tsx'

/** Pages with changes not sent yet: key of the page to the form's name. */
const unsaved = new Map<string, { page: string; title: string }>()

/** Says that a form of the page has changes; while it has, the page is kept though it is left. */
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
      // A page that is hidden loses its effects as one that is closed does; it has learnt before that it is not in front any more.
      if (inFront.current) unsaved.delete(id)
    }
  }, [dirty, id, page, title])
}

export const isUnsaved = (page: string): boolean => [...unsaved.values()].some((one) => one.page === page)

export const unsavedTitles = (pages?: readonly string[]): string[] =>
  [...unsaved.values()].filter((one) => pages === undefined || pages.includes(one.page)).map((one) => one.title)

/** What the forms of a page held has been saved: nobody is asked about it. */
export function forgetUnsaved(page: string): void {
  for (const [id, one] of unsaved) if (one.page === page) unsaved.delete(id)
}

/** Discards all unsaved marks, without asking. */
export const forgetAllUnsaved = (): void => unsaved.clear()

/** Asks before changes are lost, of these pages or of all; true when nothing is or the user agrees. */
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
