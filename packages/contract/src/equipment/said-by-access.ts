import { protocolOf } from '../protocols/catalogue.ts'

/** Keys of the machine parameters that the access settings already contain, so that the form need not show them. */
export const keysSaidByAccess = (protocol: string | undefined): readonly string[] => Object.keys(protocolOf(protocol)?.params ?? {})

/** The values of those parameters, as far as the connection settings contain them. */
export function paramsSaidByAccess(access: { protocol?: string | undefined }): Record<string, string> {
  const found = Object.entries(protocolOf(access.protocol)?.params ?? {}).map(([key, [first, second]]): [string, unknown] => {
    const outer: unknown = Object.entries(access).find(([name]) => name === first)?.[1]
    return [key, second === undefined || typeof outer !== 'object' || outer === null ? outer : new Map(Object.entries(outer)).get(second)]
  })
  return Object.fromEntries(found.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''))
}
