import type { CauseGroup } from '@zhugong/contract/quality/improvement-moves'
import type { ItemResult } from '@zhugong/contract/scoring/score'
import type { Generated } from 'kysely'
import type { Disclosed } from '#kit/columns'

interface QualityCheckItemTable extends Disclosed {
  checkId: string
  seq: number
  itemCode: string
  result: ItemResult
  measured: string | null
  standard: string | null
  note: string | null
}
interface QualityImprovementTable extends Disclosed {
  id: string
  code: string | null
  corpCode: string
  authorGroup: string
  authorGroupName: string
  title: string
  qualityProblem: string
  sourceKind: string
  causes: CauseGroup[]
  causeTexts: string[]
  whys: Generated<string[]>
  prevention: string
  lineParts: string[]
  lineWords: string[]
  linePersons: string[]
  /** yyyy-MM-dd. */
  deadline: string
  recheckAfter: string
  targetRate: number | null
  rectifyId: string | null
  closeTime: Date | null
  verdict: 'effective' | 'ineffective' | null
  verdictOpinion: string | null
  verdictBy: string | null
  verdictAt: Date | null
  follows: string | null
  state: Generated<string>
  version: Generated<number>
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Generated<Date>
}
interface QualityFindingTable extends Disclosed {
  improvementId: string
  seq: number
  corpCode: string
  sourceKind: string
  sourceId: string
  code: string | null
  part: string
  text: string
  measured: string | null
  foundAt: Date
  photos: Generated<string[]>
}

declare module '#kit/db' {
  interface Tables {
    qualityCheckItem: QualityCheckItemTable
    qualityImprovement: QualityImprovementTable
    qualityFinding: QualityFindingTable
  }
}
