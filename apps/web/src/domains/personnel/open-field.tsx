import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { CallError } from '#kit/failure.ts'

/** A field of a page that anybody opens: its name above, what is wrong with it below. */
export function OpenField({ label, id, fault, children }: { label: string; id?: string; fault?: string | undefined; children: ReactNode }) {
  return (
    <div className="field">
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

export type Faults = Readonly<Record<string, string>>

/** What the contract says is wrong, the first of each field. */
export function faultsOf(schema: z.ZodType | undefined, body: unknown): Faults {
  const read = schema?.safeParse(body)
  if (!read || read.success) return {}
  return Object.fromEntries(read.error.issues.map((issue) => [String(issue.path[0] ?? ''), issue.message] as const).reverse())
}

/** Sends something and keeps what was refused: at its field where it has one, else under `''`. */
export function useSending() {
  const [faults, setFaults] = useState<Faults>({})
  const [busy, setBusy] = useState(false)
  const send = async <T,>(act: () => Promise<T>): Promise<T | undefined> => {
    setBusy(true)
    setFaults({})
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof CallError)) setFaults({ '': '网络异常，请重试' })
      else setFaults(Object.keys(error.fields).length > 0 ? error.fields : { '': error.message })
      return undefined
    } finally {
      setBusy(false)
    }
  }
  return { faults, setFaults, busy, send }
}

/** Seconds before the next code may be asked for. */
export const betweenCodesSeconds = 60
