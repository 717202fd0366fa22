import type { ReactNode } from 'react'
import { create } from 'zustand'

/** Questions to the user as promises; the dialogs stand once at the root (overlay-hosts.tsx) and load when the first is asked. */

export interface DangerQuestion {
  /** Verb and thing with its number: 让 架子二班 19 人退场. Becomes the question. */
  thing: string
  /** What happens, and what stays possible. */
  consequence: ReactNode
  /** Text of the red button; the verb with its number. */
  verb?: string
  /** Text of the other button; what does not happen. */
  keep?: string
  /** To be typed, for what hits many. */
  typeName?: string
  typeLabel?: string
}

export interface Asked extends DangerQuestion {
  answer: (yes: boolean) => void
}
export const useAsked = create<{ asked: Asked | undefined }>(() => ({ asked: undefined }))

/** Asks before a destructive act; true when confirmed. */
export function confirmDanger(question: DangerQuestion): Promise<boolean> {
  useAsked.getState().asked?.answer(false)
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      useAsked.setState({ asked: undefined })
      resolve(yes)
    }
    useAsked.setState({ asked: { ...question, answer } })
  })
}

/** Closed by a change of page: nobody confirms what he no longer sees. */
export const dropQuestion = (): void => useAsked.getState().asked?.answer(false)

export interface Reason {
  title: string
  label: string
  answer: (text: string | undefined) => void
}
export const useReason = create<{ reason: Reason | undefined }>(() => ({ reason: undefined }))

/** Asks for a reason; undefined when given up. */
export function askReason(title: string, label = '事由'): Promise<string | undefined> {
  useReason.getState().reason?.answer(undefined)
  return new Promise((resolve) => {
    const answer = (text: string | undefined) => {
      useReason.setState({ reason: undefined })
      resolve(text)
    }
    useReason.setState({ reason: { title, label, answer } })
  })
}

export const dropReason = (): void => useReason.getState().reason?.answer(undefined)
