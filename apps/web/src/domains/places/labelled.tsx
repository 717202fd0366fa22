import { type ReactNode, useId } from 'react'

/** A control with its label above and its message below. */
export function Labelled({
  label,
  problem,
  children,
}: {
  label: string
  problem?: string | undefined
  children: (id: string) => ReactNode
}) {
  const id = useId()
  return (
    <div className="place-field" data-wrong={problem ? '' : undefined}>
      <label className="zg-label" htmlFor={id}>
        {label}
      </label>
      {children(id)}
      {problem && (
        <small className="tone-danger" role="alert">
          {problem}
        </small>
      )}
    </div>
  )
}
