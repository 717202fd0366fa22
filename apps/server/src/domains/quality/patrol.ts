import { qualityMoves } from '@zhugong/contract/quality/inspection-moves'
import { type Patrol, patrolKind } from '../checks/public.ts'

/** 质量检查: a patrol keyed by sub-item, part and 通病, so that repetition shows. */
export const qualityPatrol: Patrol<typeof qualityMoves> = {
  kind: 'qualityInspection',
  noun: '质量检查',
  moves: qualityMoves,
  category: '02',
  series: 'ZJ',
  page: (id) => `/qualityInspectiondetail?id=${id}`,
}
export const qualityKind = patrolKind(qualityPatrol)
