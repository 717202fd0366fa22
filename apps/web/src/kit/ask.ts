import type { ReactNode } from 'react'
import { create } from 'zustand'

/** Questions to the user as promises. The dialogs are mounted once at the root (overlay-hosts.tsx) and loaded with the first question. */

export interface DangerQuestion {
  /** Action and object with its count, e.g. 让 架子二班 19 人退场. Becomes the question. */
  thing: string
  /** What will happen, and what remains possible. */
  consequence: ReactNode
  /** Text of the confirming red button: the action with its count. */
  verb?: string
  /** Text of the cancel button: what will not happen. */
  keep?: string
  /** Text the user must type to confirm an action that affects many records. */
  typeName?: string
  typeLabel?: string
}

export interface PendingQuestion extends DangerQuestion {
  answer: (yes: boolean) => void
}
export const usePendingQuestion = create<{ pendingQuestion: PendingQuestion | undefined }>(() => ({ pendingQuestion: undefined }))

/** Asks for confirmation of a destructive action; true if confirmed. */
export function confirmDanger(question: DangerQuestion): Promise<boolean> {
  usePendingQuestion.getState().pendingQuestion?.answer(false)
  return new Promise((resolve) => {
    const answer = (yes: boolean) => {
      usePendingQuestion.setState({ pendingQuestion: undefined })
      resolve(yes)
    }
    usePendingQuestion.setState({ pendingQuestion: { ...question, answer } })
  })
}

/** Cancels the open question when the page changes: nobody may confirm what is no longer visible. */
export const dropQuestion = (): void => usePendingQuestion.getState().pendingQuestion?.answer(false)

export interface Reason {
  title: string
  label: string
  answer: (text: string | undefined) => void
}
export const useReason = create<{ reason: Reason | undefined }>(() => ({ reason: undefined }))

/** Asks the user for a reason; undefined when the user cancels. */
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
