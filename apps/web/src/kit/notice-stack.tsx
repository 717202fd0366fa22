import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

const shownNotices = 2
/** Notices above a table: shows the first two, and the others on demand. */
export function NoticeStack({ children }: { children: ReactNode }) {
  const stack = useRef<HTMLDivElement>(null)
  const [count, setCount] = useState(0)
  const [open, setOpen] = useState(false)
  useLayoutEffect(() => {
    const { current } = stack
    if (!current) return
    const look = () => setCount(current.querySelectorAll(':scope > .zg-notice').length)
    look()
    const observer = new MutationObserver(look)
    observer.observe(current, { childList: true })
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={stack} className="zg-notices" data-open={open}>
      {children}
      {count > shownNotices && (
        <button type="button" className="zg-bare zg-link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? '收起提示' : `另有 ${count - shownNotices} 条提示`}
        </button>
      )}
    </div>
  )
}
