import type { Serve } from '#kit/serve'
import { qualityCheckRoutes } from './check-calls.ts'
import { improvementRoutes } from './improvement-calls.ts'

export { registerQualityExports } from './export.ts'
export { registerImprovementNotices } from './improvement-calls.ts'
export { improvementKind, improvementType } from './improvement-kind.ts'
export { improvementLadder } from './late.ts'
export { qualityPatrol } from './patrol.ts'
export { type Finding, type ImprovementSource, registerImprovementSource } from './sources.ts'

export function qualityRoutes(serve: Serve): void {
  qualityCheckRoutes(serve)
  improvementRoutes(serve)
}
