import { createStore } from 'zustand/vanilla'
import type { ReadPerson } from './reader-text.ts'

/** Somebody taken down at the gate, on his way to the server. */
export interface Draft extends ReadPerson {
  key: string
  consentPersonal: boolean
  consentFace: boolean
  idPhoto?: File | undefined
  facePhoto?: File | undefined
  place: { projectCode: string; corpCode: string; teamId: string; workType: string }
  state: 'waiting' | 'sending' | 'done' | 'refused'
  message: string
}
/** `later`: nothing was decided, the net is away. */
export type Outcome = { state: 'done'; message: string } | { state: 'refused'; message: string } | { state: 'later' }

/**
 * Drafts in memory alone: they outlive a lost network and a change of page, and are gone with the browser's tab, as people's data never
 * stands in the browser's storage. One is sent after the other; what the server refuses waits to be mended.
 */
export function draftStore(send: (draft: Draft) => Promise<Outcome>) {
  const store = createStore<{ drafts: readonly Draft[] }>(() => ({ drafts: [] }))
  const change = (key: string, to: Partial<Draft>) =>
    store.setState(({ drafts }) => ({ drafts: drafts.map((d) => (d.key === key ? { ...d, ...to } : d)) }))
  let running = false
  const flush = async (): Promise<void> => {
    if (running) return
    running = true
    try {
      for (;;) {
        const next = store.getState().drafts.find((d) => d.state === 'waiting')
        if (!next) return
        change(next.key, { state: 'sending' })
        const outcome = await send(next)
        if (outcome.state === 'later') return change(next.key, { state: 'waiting', message: '等网络恢复后提交' })
        change(next.key, outcome)
      }
    } finally {
      running = false
    }
  }
  return {
    store,
    flush,
    add: (draft: Omit<Draft, 'state' | 'message'>) => {
      store.setState(({ drafts }) => ({
        drafts: [{ ...draft, state: 'waiting', message: '' }, ...drafts.filter((d) => d.key !== draft.key)],
      }))
      return flush()
    },
    remove: (key: string) => store.setState(({ drafts }) => ({ drafts: drafts.filter((d) => d.key !== key) })),
    /** Whether anything would be lost with the tab. */
    holds: () => store.getState().drafts.some((d) => d.state !== 'done'),
  }
}
