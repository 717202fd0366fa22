import type { PlaceKind } from '@zhugong/contract/places/kinds'
import type { Generated } from 'kysely'
import type { Trail } from '#kit/columns'

interface UnitProjectTable extends Trail {
  id: string
  projectCode: string
  seq: number
  name: string
  type: string | null
  part: string | null
  structureType: string | null
  foundationType: string | null
  basicType: string | null
  area: number | null
  height: number | null
  floorsUp: number | null
  floorsDown: number | null
  phase: string | null
  progressPercent: Generated<number>
}
interface SitePlaceTable extends Trail {
  id: string
  projectCode: string
  parentId: string | null
  kind: PlaceKind
  unitId: string | null
  seq: number
  name: string
  code: string | null
  path: string[]
  fullName: string
  archivedAt: Date | null
}
interface SitePlanTable {
  id: string
  projectCode: string
  placeId: string
  fileId: string
  ratio: number
  byName: string
  at: Date
  replacedAt: Date | null
}

declare module '#kit/db' {
  interface Tables {
    unitProject: UnitProjectTable
    sitePlace: SitePlaceTable
    sitePlan: SitePlanTable
  }
}
