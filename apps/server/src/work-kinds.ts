import { registerApplyKind } from '#domains/apps/apply'
import { registerFixKind } from '#domains/attendance/public'
import { registerChangeKind } from '#domains/organisation/project-changes'

/** Everything that is decided over; api and jobs both know it. */
export function registerWorkKinds(): void {
  registerFixKind()
  registerApplyKind()
  registerChangeKind()
}
