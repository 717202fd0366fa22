import type { Check } from './page-look.ts'

/**
 * What the product does not hold yet, page by page, with the reason; every other check of the page stays strict. One that is not
 * needed any more fails the test: take it out.
 */
export interface Exception {
  /** The page's name in the registry. */
  page: string
  check: Check
  /** What the finding's text must match, so that a new fault of the same kind is none of it. */
  text: RegExp
  why: string
}

export const exceptions: readonly Exception[] = []

/** Pages that may look alike, by their names in the registry. */
export const twins: readonly { pages: readonly string[]; why: string }[] = []
