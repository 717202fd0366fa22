import { getMyPerson } from '@zhugong/contract/settings/my-person'
import { useCall } from '#kit/call.ts'

/** The file linked to the account; without one the personal pages send no other requests. */
export function useOwnFile() {
  const { data, error, refetch } = useCall(getMyPerson, {}, { quiet: true, staleMs: 15_000 })
  return { person: data?.person, known: data !== undefined, error, refetch }
}
