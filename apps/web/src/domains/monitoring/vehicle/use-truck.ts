import { listDevices } from '@zhugong/contract/equipment/endpoints'
import { useCall } from '#kit/call.ts'
import { usePageQuery } from '#kit/page.tsx'
import type { FamilyScope } from '../family-scope.tsx'

/** More trucks than any company has. */
const most = 1_000

/** The truck of a page: named in the URL by terminal or plate (tickets and passages link by plate), else the first online one. */
export function useTruck({ projectCode, deviceId }: Pick<FamilyScope, 'projectCode' | 'deviceId'>): string | undefined {
  const query = usePageQuery()
  const plateNo = query.get('plateNo') ?? ''
  const fleet = useCall(
    listDevices,
    { query: { projectCode, family: 'truckMonitor', status: '1', size: most } },
    { quiet: true, staleMs: 300_000 },
  )
  if (query.get('deviceId')) return deviceId
  const rows = fleet.data?.list ?? []
  const named = plateNo === '' ? undefined : rows.find((row) => row.name.includes(plateNo))
  if (plateNo !== '') return named?.id
  return (rows.find((row) => row.online) ?? rows[0])?.id
}
