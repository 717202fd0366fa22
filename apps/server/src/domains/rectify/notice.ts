import type { Row } from '#kit/db'

/** A notice with what its rules ask about its children. */
export type Notice = Row<'rectify'> & {
  /** An extension that nobody has decided. */
  extendAsked: boolean
}
