import type { ReactNode } from 'react'

/** Field with its label above and its error message below. */
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
