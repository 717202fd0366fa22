import { getFamily } from '@zhugong/contract/telemetry/endpoints'
import { useCall } from './call.ts'

/** Families change with the product alone. */
const familyStaysMs = 3_600_000

/** What devices of a family measure, raise and are set by; pending while none is named. */
export const useFamily = (key: string | undefined) =>
  useCall(getFamily, { params: { key: key ?? '' } }, { enabled: Boolean(key), staleMs: familyStaysMs, quiet: true })
