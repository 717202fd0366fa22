import type { CivilDetail, CivilPoint } from '@zhugong/contract/civil/inspection'
import type { CivilItemInput } from '@zhugong/contract/civil/moves'
import { dayMs } from '@zhugong/contract/kit/time'
import { day } from '#kit/format.ts'
import './civil.css'

/** Who mends a failed item until when. */
export interface Blame {
  corpCode: string
  person: string | null
  deadline: string
}
export interface AtPoint {
  skipped: string | null
  note: string | null
  photos: string[]
  items: Record<string, CivilItemInput>
  blame: Blame
}
export interface WalkDraft {
  id: string
  remark: string
  at: Record<string, AtPoint>
  /** Place of the open point in the walk. */
  step: number
}

export const usualDays = 3
export const inDays = (days: number) => day(Date.now() + days * dayMs)
export const fresh = (last?: Blame): AtPoint => ({
  skipped: null,
  note: null,
  photos: [],
  items: {},
  blame: last ?? { corpCode: '', person: null, deadline: inDays(usualDays) },
})

/** A walk that was begun keeps the items it began with. */
export const itemsOf = (point: CivilPoint, draft: CivilDetail | undefined) =>
  draft?.points.find((one) => one.pointId === point.id)?.items ?? point.items
