import { useEffect, useState } from 'react'

const lookMs = 5 * 60_000

/** Path of the entry script in the page's HTML; it changes with every build. */
export const entryOf = (html: string): string | undefined => /src="(\/assets\/index-[^"]+\.js)"/.exec(html)?.[1]

/** 系统已更新，点击刷新: shown when the server has a newer build. */
export function UpdateHint() {
  const [newer, setNewer] = useState(false)
  useEffect(() => {
    const own = entryOf(document.documentElement.outerHTML)
    if (!own) return
    const look = () => {
      if (document.visibilityState === 'hidden') return
      fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } })
        .then((answer) => (answer.ok ? answer.text() : ''))
        .then((html) => {
          const now = entryOf(html)
          if (now && now !== own) setNewer(true)
        })
        .catch(() => undefined)
    }
    const timer = setInterval(look, lookMs)
    window.addEventListener('vite:preloadError', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('vite:preloadError', look)
    }
  }, [])
  if (!newer) return null
  return (
    <button type="button" className="zg-bare app-update" onClick={() => location.reload()}>
      系统已更新，点击刷新
    </button>
  )
}
