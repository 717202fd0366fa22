import type { TreeOption } from './list-state.ts'

/** What a form hands to a control. */
export interface Control<T> {
  value?: T | null
  onChange?: (value: T | undefined) => void
  disabled?: boolean
  id?: string
  placeholder?: string
  /** Its name where no label stands beside it. */
  'aria-label'?: string | undefined
}

export interface DateProps extends Control<string> {
  min?: string
  max?: string
}

export interface TreeChoiceProps extends Control<string> {
  tree: readonly TreeOption[]
}
