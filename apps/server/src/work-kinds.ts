import { registerNoticeKind } from '#domains/alarms/notice-flow'
import { registerSuppressKind } from '#domains/alarms/suppress-flow'
import { registerApplyKind } from '#domains/apps/apply'
import { registerFixKind } from '#domains/attendance/public'
import { registerAccessKind } from '#domains/equipment/device-review'
import { registerChangeKind } from '#domains/organisation/project-changes'
import { registerStateKind } from '#domains/organisation/state-flow'
import { registerPersonKinds } from '#domains/settings/requests/kinds'

/** Registers every kind of approval, in api and jobs. */
export function registerWorkKinds(): void {
  registerFixKind()
  registerApplyKind()
  registerChangeKind()
  registerAccessKind()
  registerSuppressKind()
  registerNoticeKind()
  registerStateKind()
  registerPersonKinds()
}
