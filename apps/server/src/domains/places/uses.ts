import type { Context } from '#kit/context'

/** Answers which of the given places records of one kind name, as far as the caller sees them. */
type PlacesInUse = (ctx: Pick<Context, 'db'>, ids: readonly string[]) => Promise<readonly string[]>

const uses: PlacesInUse[] = []

/** Registered by the domain of the records, which lies above this one. */
export function registerPlaceUse(inUse: PlacesInUse): void {
  if (!uses.includes(inUse)) uses.push(inUse)
}

/** The given places that records name; these are archived instead of removed. */
export async function usedPlaces(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (const inUse of uses) for (const id of await inUse(ctx, ids)) found.add(id)
  return found
}
