import type { Location } from 'react-router'
import type { PageMatch } from '#kit/pages.ts'

export interface Entered {
  location: Location
  /** Undefined if the path has no page. */
  match: PageMatch | undefined
  trail: string[]
}
