import type { DustEvidence } from '@zhugong/contract/dustchecks/items'
import type { Generated } from 'kysely'
import type { Disclosed, Json, JsonOrNull } from '#kit/columns'

export interface KeptDustItem {
  code: string
  result: string
  note: string | null
  photos: string[]
}

interface DustCheckTable extends Disclosed {
  checkId: string
  responseLevel: string | null
  weather: string | null
  pm10: number | null
  items: Json<KeptDustItem[]>
  failCodes: Generated<string[]>
  passRate: number | null
  result: string | null
  evidence: JsonOrNull<DustEvidence>
  contradicted: Generated<boolean>
}

declare module '#kit/db' {
  interface Tables {
    dustCheck: DustCheckTable
  }
}
