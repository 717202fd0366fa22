import type { TreeOption } from './list-state.ts'

/** Props that a form passes to a control. */
export interface Control<T> {
  value?: T | null
  onChange?: (value: T | undefined) => void
  disabled?: boolean
  id?: string
  placeholder?: string
  /** Accessible name for a control without a visible label. */
  'aria-label'?: string | undefined
}

export interface DateProps extends Control<string> {
  min?: string
  max?: string
}

export interface TreeChoiceProps extends Control<string> {
  tree: readonly TreeOption[]
}
