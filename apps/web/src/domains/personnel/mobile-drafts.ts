import { createStore } from 'zustand/vanilla'
import type { ReadPerson } from './reader-text.ts'

/** A person registered at the gate, not yet sent to the server. */
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
/** `later`: the server was not reached. */
export type Outcome = { state: 'done'; message: string } | { state: 'refused'; message: string } | { state: 'later' }

/**
 * Drafts in memory only: they survive a lost connection and a change of page, but not closing the tab, because personal data must not be
 * kept in browser storage. Drafts are sent one at a time; a refused one waits for correction.
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
    /** Whether closing the tab would lose drafts. */
    holds: () => store.getState().drafts.some((d) => d.state !== 'done'),
  }
}
