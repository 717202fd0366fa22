import { getSettingsHead } from '@zhugong/contract/settings/parents'
import { useCall } from './call.ts'
import { usePageParam } from './page.tsx'

/** The company a page of settings is about: the one its address names, else the caller's own; '' until that is known. */
export function useCompanyCode(): string {
  const asked = usePageParam('corpCode')
  // One's own is known by the head of these settings alone.
  const own = useCall(
    getSettingsHead,
    { query: { kind: 'enterprise' } },
    { quiet: true, enabled: !asked, select: (data) => data.head?.code },
  )
  return asked || own.data || ''
}
