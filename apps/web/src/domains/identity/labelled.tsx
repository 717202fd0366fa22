import type { ReactNode } from 'react'

/** A field with its name above and what is wrong with it below. */
export function Labelled({ id, label, fault, children }: { id: string; label: string; fault?: string | undefined; children: ReactNode }) {
  return (
    <div className="id-labelled">
      <label htmlFor={id}>{label}</label>
      {children}
      {fault && (
        <div className="tone-danger" role="alert">
          {fault}
        </div>
      )}
    </div>
  )
}
