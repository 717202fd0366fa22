import { getFamily } from '@zhugong/contract/telemetry/endpoints'
import { useCall } from './call.ts'

/** Device families change only with a release. */
const familyStaysMs = 3_600_000

/** Metrics, alarms and settings of a device family; pending while `key` is undefined. */
export const useFamily = (key: string | undefined) =>
  useCall(getFamily, { params: { key: key ?? '' } }, { enabled: Boolean(key), staleMs: familyStaysMs, quiet: true })
