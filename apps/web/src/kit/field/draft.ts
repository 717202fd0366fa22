import { useCallback, useEffect, useRef } from 'react'
import { create } from 'zustand'
import { useMe } from '../me.ts'
import { fieldBase } from './store.ts'

const settleMs = 300

interface Draft {
  /** Undefined: nothing is kept. */
  value: unknown
  /** Mounted users of the draft. */
  users: number
}
/** Drafts in use, by account and key: two parts of a page that use the same one see each other's changes. */
const useDrafts = create<Readonly<Record<string, Draft>>>(() => ({}))
/** Writes that have not begun. They outlive the page that asked for them. */
const timers = new Map<string, ReturnType<typeof setTimeout>>()

const show = (own: string, more: Partial<Draft>) =>
  useDrafts.setState((all) => ({ [own]: { ...(all[own] ?? { value: undefined, users: 0 }), ...more } }))

/** Reads what is kept, for the first user of a draft; another tab may have changed it since it was last in use. */
async function enter(own: string): Promise<void> {
  const users = useDrafts.getState()[own]?.users
  if (users !== undefined) {
    show(own, { users: users + 1 })
    return
  }
  const kept = await fieldBase()
    .then((base) => base.get('drafts', own))
    .catch(() => undefined)
  // A second user may have come meanwhile.
  const now = useDrafts.getState()[own]
  show(own, now ? { users: now.users + 1 } : { value: kept?.value, users: 1 })
}

function leave(own: string): void {
  const users = (useDrafts.getState()[own]?.users ?? 0) - 1
  if (users > 0 || timers.has(own)) {
    show(own, { users: Math.max(0, users) })
    return
  }
  const { [own]: _gone, ...others } = useDrafts.getState()
  useDrafts.setState(others, true)
}

function keep(own: string, account: string, value: unknown): void {
  show(own, { value })
  clearTimeout(timers.get(own))
  const timer = setTimeout(() => {
    fieldBase()
      .then((base) => base.put('drafts', { account, value, at: Date.now() }, own))
      .catch(() => undefined)
      .finally(() => {
        // A later change has a timer of its own.
        if (timers.get(own) !== timer) return
        timers.delete(own)
        if (useDrafts.getState()[own]?.users === 0) leave(own)
      })
  }, settleMs)
  timers.set(own, timer)
}

function drop(own: string): void {
  clearTimeout(timers.get(own))
  timers.delete(own)
  show(own, { value: undefined })
  fieldBase()
    .then((base) => base.delete('drafts', own))
    .catch(() => undefined)
}

/**
 * State of a form that survives a closed browser: kept on the device for this account under `key` shortly after each change. The third
 * value removes it, after sending. `undefined` until what was kept has been read.
 */
export function useDeviceDraft<T>(key: string, initial: T): [value: T | undefined, change: (next: T) => void, clear: () => void] {
  const account = useMe((me) => me.info?.id ?? '')
  const own = `${account} ${key}`
  const draft = useDrafts((all) => all[own])
  const first = useRef(initial)
  useEffect(() => {
    const entered = enter(own)
    return () => void entered.then(() => leave(own))
  }, [own])
  const change = useCallback((next: T) => keep(own, account, next), [account, own])
  const clear = useCallback(() => drop(own), [own])
  return [draft && ((draft.value as T | undefined) ?? first.current), change, clear]
}
