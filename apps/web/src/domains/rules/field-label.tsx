import type { ReactNode } from 'react'
import './rules.css'

/** Label around a control, with the error below. */
export function FieldLabel({
  label,
  hint,
  error,
  required,
  wide,
  children,
}: {
  label: string
  hint?: string
  error?: string | undefined
  required?: boolean
  wide?: boolean
  children: ReactNode
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is passed as children.
    <label className={`rule-part ${wide ? 'rule-wide' : ''} ${error ? 'rule-wrong' : ''}`} data-wrong={error ? true : undefined}>
      <span>
        {label}
        {required && <b> *</b>}
        {hint && <em>{hint}</em>}
      </span>
      {children}
      {error && <small role="alert">{error}</small>}
    </label>
  )
}
