import { getSettingsHead } from '@zhugong/contract/settings/parents'
import { useCall } from './call.ts'
import { usePageParam } from './page.tsx'

/** The company of a settings page: the one in its address, else the user's own; '' until that is loaded. */
export function useCompanyCode(): string {
  const requested = usePageParam('corpCode')
  // The user's own company is returned only by this endpoint.
  const own = useCall(
    getSettingsHead,
    { query: { kind: 'enterprise' } },
    { quiet: true, enabled: !requested, select: (data) => data.head?.code },
  )
  return requested || own.data || ''
}
