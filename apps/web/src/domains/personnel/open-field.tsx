import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { CallError } from '#kit/failure.ts'

/** Form field of a public page: label above, error below. */
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

/** First validation error of each field. */
export function faultsOf(schema: z.ZodType | undefined, body: unknown): Faults {
  const read = schema?.safeParse(body)
  if (!read || read.success) return {}
  return Object.fromEntries(read.error.issues.map((issue) => [String(issue.path[0] ?? ''), issue.message] as const).reverse())
}

/** Sends a request and keeps its errors by field, others under `''`. */
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

/** Seconds until another code can be requested. */
export const betweenCodesSeconds = 60
