import type { Row } from '#kit/db'

/** A case with what its current round says; of a round that the caller may not know of nothing. */
export type FireCase = Row<'fireCase'> & {
  projectName: string
  submittedAt: Date | null
  subsDone: number | null
  subsTotal: number | null
  verdict: string | null
  /** Changes with every entry of the round. */
  digest: string | null
  unsigned: number
}
