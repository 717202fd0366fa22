import { civilMoves } from '@zhugong/contract/civil/moves'
import { type Patrol, patrolKind } from '../checks/public.ts'

/** 文明施工检查: a walk past the fixed photo points of a site. */
export const civilPatrol: Patrol<typeof civilMoves> = {
  kind: 'civiConsInspection',
  noun: '文明施工检查',
  moves: civilMoves,
  category: '05',
  series: 'WM',
  page: (id) => `/civiConsInspection/details?id=${id}`,
}
export const civilKind = patrolKind(civilPatrol)
