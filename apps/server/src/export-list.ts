import { registerAlarmExports } from '#domains/alarms/listing'
import { registerAttendanceExports } from '#domains/attendance/export-lists'
import { registerEquipmentExports } from '#domains/equipment/export'
import { registerTeamExport, registerUnitExport } from '#domains/labour/public'
import { registerLabourAlarmExport } from '#domains/labour-alarms/routes'
import { registerMonitoringExports } from '#domains/monitoring/exports'
import { registerCorporationExport } from '#domains/organisation/corporations'
import { registerOrgMemberExport } from '#domains/organisation/org-member-export'
import { registerProjectExport } from '#domains/organisation/project-export'
import { registerPersonnelExports } from '#domains/personnel/exports'
import { registerPreventionExports } from '#domains/prevention/routes'

/** Every list that can be exported; api and jobs both know them. */
export function registerExports(): void {
  registerCorporationExport()
  registerProjectExport()
  registerOrgMemberExport()
  registerTeamExport()
  registerUnitExport()
  registerPersonnelExports()
  registerEquipmentExports()
  registerAttendanceExports()
  registerLabourAlarmExport()
  registerPreventionExports()
  registerMonitoringExports()
  registerAlarmExports()
}
