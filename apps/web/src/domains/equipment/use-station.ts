import { getGateway } from '@zhugong/contract/equipment/gateway-endpoints'
import { useCall } from '#kit/call.ts'
import { usePageQuery } from '#kit/page.tsx'

/** The station of the page (`?id=`), shared by the frame and its three tabs. */
export function useStation() {
  const id = usePageQuery().get('id') ?? ''
  const read = useCall(getGateway, { params: { id } }, { enabled: id !== '', quiet: true, everyMs: 30_000 })
  return { id, ...read }
}
