/**
 * Parameters of a machine that its way in says already: entered once, as part of the access. By protocol, key of the parameter in the
 * family's catalogue (devices.json) to where the access has it.
 */
const sources: Readonly<Record<string, Readonly<Record<string, readonly [string, string?]>>>> = {
  hj212: { unitTsp: ['units', 'tsp'] },
  jt808: { simNo: ['phone'] },
}

/** Keys of the parameters that a form does not ask for once more. */
export const keysSaidByAccess = (protocol: string | undefined): readonly string[] => Object.keys(sources[protocol ?? ''] ?? {})

/** The values of those parameters, as far as the access has them. */
export function paramsSaidByAccess(access: { protocol?: string | undefined }): Record<string, string> {
  const found = Object.entries(sources[access.protocol ?? ''] ?? {}).map(([key, [first, second]]): [string, unknown] => {
    const outer: unknown = Object.entries(access).find(([name]) => name === first)?.[1]
    return [key, second === undefined || typeof outer !== 'object' || outer === null ? outer : new Map(Object.entries(outer)).get(second)]
  })
  return Object.fromEntries(found.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''))
}
