import type { OutputFor, ParsedFor } from '@zhugong/contract/kit/endpoint'
import type { createCheckItem, listCivilItems } from '@zhugong/contract/scoring/library'
import type { Context } from '#kit/context'

/** The library of civilised construction. Registered by its own domain, which lies above this one and uses its sheets. */
interface CivilLibrary {
  list(ctx: Context, query: ParsedFor<typeof listCivilItems>['query']): Promise<OutputFor<typeof listCivilItems>>
  create(
    ctx: Context,
    body: Extract<ParsedFor<typeof createCheckItem>['body'], { library: 'civil' }>,
  ): Promise<{ id: string; itemCode: string }>
}

let civil: CivilLibrary | undefined

export function registerCivilLibrary(library: CivilLibrary): void {
  civil = library
}

export function civilLibrary(): CivilLibrary {
  if (!civil) throw new Error('the civil library is not registered')
  return civil
}
