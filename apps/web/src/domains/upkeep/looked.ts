import type { Problem } from '../checks/public.tsx'

export interface Looked {
  result: string
  note: string | null
  photos: string[]
  /** Of an item that failed. */
  problem: Problem | null
}
