import type { AlarmRow } from '@zhugong/contract/alarms/endpoints'
import { findAlarms } from '@zhugong/contract/alarms/lists'
import type { InputFor } from '@zhugong/contract/kit/endpoint'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { type AlarmTab, alarmTabs, tabIn } from './tabs.ts'

/** Alarms arrive in bursts; one refetch serves the whole burst. */
const soonMs = 1_000

/** Initial tab: the one requested in the URL; otherwise 待处理, or 全部 for a family with nothing to handle. */
export function useOpeningTab(
  { family, scope }: { family?: string; scope?: InputFor<typeof findAlarms>['query'] },
  projectCode: string,
  requested: string | null,
  ready: boolean,
): { tab: AlarmTab; isSettled: boolean } {
  const isOpen = family === undefined || requested !== null
  const waiting = useCall(
    findAlarms,
    { query: { projectCode, family, ...scope, ...alarmTabs.todo.scope, size: 1 } },
    { quiet: true, enabled: ready && !isOpen },
  )
  const [opening, setOpening] = useState<AlarmTab>()
  const found = waiting.data ? (waiting.data.total > 0 ? 'todo' : 'all') : waiting.isError ? 'todo' : undefined
  useEffect(() => {
    // Keep the first result: handling the last alarm must not switch the tab.
    if (found !== undefined) setOpening((before) => before ?? found)
  }, [found])
  return isOpen
    ? { tab: tabIn(requested), isSettled: true }
    : { tab: opening ?? found ?? 'todo', isSettled: (opening ?? found) !== undefined }
}

/** Row shortcuts: J and K move the focus, A acknowledges. The table handles Enter. Ignored while typing in a field. */
export function useRowKeys(
  box: RefObject<HTMLElement | null>,
  on: boolean,
  rows: readonly AlarmRow[],
  open: (id: string) => void,
  ack: (row: AlarmRow) => void,
): void {
  const latest = useRef({ rows, open, ack })
  latest.current = { rows, open, ack }
  useEffect(() => {
    if (!on) return
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target as HTMLElement
      if (target.closest('input,textarea,select,[contenteditable=true],[role=dialog],[role=menu]')) return
      const lines = [...(box.current?.querySelectorAll<HTMLElement>('tr[data-row-key],div.ant-table-row[data-row-key]') ?? [])]
      const at = lines.indexOf(document.activeElement?.closest('[data-row-key]') as HTMLElement)
      const key = event.key.toLowerCase()
      if (key === 'j' || key === 'k') {
        event.preventDefault()
        lines[Math.min(lines.length - 1, Math.max(0, at < 0 ? 0 : at + (key === 'j' ? 1 : -1)))]?.focus()
      } else if (key === 'a' && at >= 0) {
        const row = latest.current.rows.find((one) => one.id === lines[at]?.dataset.rowKey)
        if (row) latest.current.ack(row)
      }
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [on, box])
}

/** Returns a throttled function that calls `run` once, `soonMs` after the first of many calls. */
export function useSoon(run: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      run()
    }, soonMs)
  }
}

export function useEvery(ms: number, on: boolean, run: () => void): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    if (!on) return
    const timer = setInterval(() => latest.current(), ms)
    return () => clearInterval(timer)
  }, [ms, on])
}
