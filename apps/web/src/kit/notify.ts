import { create } from 'zustand'

/** Short messages at the top. A store, so that plain functions can speak and the login page needs no component library for it. */
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
  // The same text again renews the message instead of stacking a second one.
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts.filter((one) => one.text !== text), { id, tone, text }].slice(-most) }))
  setTimeout(() => dropToast(id), tone === 'error' ? 2 * shownMs : shownMs)
}
export const notify = { success: say('success'), error: say('error'), warning: say('warning'), info: say('info') }
