import { useEffect, useState } from 'react'

const mostSteps = 50

/** State with undo and redo; Ctrl+Z and Ctrl+Y while the page is active. */
export function useSteps<T>(first: T, active: boolean) {
  const [{ list, at }, setSteps] = useState<{ list: readonly T[]; at: number }>({ list: [first], at: 0 })
  const take = (next: T) =>
    setSteps((current) => {
      const kept = [...current.list.slice(0, current.at + 1), next].slice(-mostSteps - 1)
      return { list: kept, at: kept.length - 1 }
    })
  const go = (by: number) => setSteps((current) => ({ ...current, at: Math.max(0, Math.min(current.list.length - 1, current.at + by)) }))
  useEffect(() => {
    if (!active) return
    const onKey = (event: KeyboardEvent) => {
      // Inputs have their own undo.
      const typing = event.target instanceof Element && event.target.closest('input, textarea')
      if (!(event.ctrlKey || event.metaKey) || typing) return
      const key = event.key.toLowerCase()
      const by = key === 'y' || (key === 'z' && event.shiftKey) ? 1 : key === 'z' ? -1 : 0
      if (by === 0) return
      event.preventDefault()
      setSteps((current) => ({ ...current, at: Math.max(0, Math.min(current.list.length - 1, current.at + by)) }))
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [active])
  return { now: list[at] ?? first, take, undo: () => go(-1), redo: () => go(1), canUndo: at > 0, canRedo: at < list.length - 1 }
}
