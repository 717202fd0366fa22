import { create } from 'zustand'

/** Toasts at the top. In a store, so that plain functions can show them and the login page needs no component library. */
export type NoticeTone = 'success' | 'error' | 'warning' | 'info'

export interface Toast {
  id: number
  tone: NoticeTone
  text: string
}
const shownMs = 3000
const most = 3

export const useToasts = create<{ toasts: readonly Toast[] }>(() => ({ toasts: [] }))
let count = 0

export function dropToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) }))
}

const say = (tone: NoticeTone) => (text: string) => {
  count += 1
  const id = count
  // A repeated text renews the message instead of adding a second one.
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.filter((one) => one.text !== text), { id, tone, text }].slice(-most) }))
  setTimeout(() => dropToast(id), tone === 'error' ? 2 * shownMs : shownMs)
}
export const notify = { success: say('success'), error: say('error'), warning: say('warning'), info: say('info') }
