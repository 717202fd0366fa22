export { changeCheck, insertCheck, removeCheck, showCheck, widenCheck } from './base.ts'
export { heldBy, openCheckSince } from './held.ts'
export { siteNumber } from './number.ts'
export { answerOf as patrolAnswer, changePatrol, createPatrol, registerPatrolSource, removePatrol } from './patrol-calls.ts'
export { readPatrol } from './patrol-detail.ts'
export { type Check, type Patrol, type PatrolKind, patrolKind, securityKind } from './patrol-kind.ts'
export { registerPatrolPrint } from './patrol-print.ts'
export {
  conditions as patrolConditions,
  countChecks,
  countsOf as countPatrols,
  type PatrolQuery,
  type Reader as PatrolReader,
  readChecks,
  someProblem,
} from './patrol-rows.ts'
export { addToPatrol, inspectTypeOf, type PatrolFields } from './patrol-writes.ts'
export { issueProblems, problemsOf, showProblems, writeProblems } from './problems.ts'
export { checkContent, checkerSeats, siteSeat } from './seats.ts'
export { checkRoutes } from './security-calls.ts'
export { registerCheckExports } from './security-export.ts'
export { nameOfSeries } from './security-hints.ts'
export { problemsOfSeries, problemsSince, type SeriesKind } from './series.ts'
