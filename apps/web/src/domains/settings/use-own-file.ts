import { getMyPerson } from '@zhugong/contract/settings/my-person'
import { useCall } from '#kit/call.ts'

/** Whether the account is tied to a file: until then the pages of a person ask for nothing else. */
export function useOwnFile() {
  const { data, error, refetch } = useCall(getMyPerson, {}, { quiet: true, staleMs: 15_000 })
  return { person: data?.person, known: data !== undefined, error, refetch }
}
