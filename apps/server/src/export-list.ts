import { registerAlarmExports } from '#domains/alarms/listing'
import { registerAttendanceExports } from '#domains/attendance/export-lists'
import { registerEquipmentExports } from '#domains/equipment/export'
import {
  registerBlackExports,
  registerEnterpriseExport,
  registerStatsExports,
  registerTeamExport,
  registerUnitExport,
} from '#domains/labour/public'
import { registerLabourAlarmExport } from '#domains/labour-alarms/routes'
import { registerMonitoringExports } from '#domains/monitoring/exports'
import { registerExecLogExport } from '#domains/notify/public'
import { registerCorporationExport } from '#domains/organisation/corporations'
import { registerFolderProjectExport } from '#domains/organisation/folder-export'
import { registerGroupExport } from '#domains/organisation/groups'
import { registerOrgMemberExport } from '#domains/organisation/org-member-export'
import { registerProjectExport } from '#domains/organisation/project-export'
import { registerPersonnelExports } from '#domains/personnel/exports'
import { registerPreventionExports } from '#domains/prevention/routes'
import { registerRuleExports } from '#domains/rules/public'
import { registerMachineExports } from '#domains/telemetry/machine-exports'

/** Every list that can be exported; api and jobs both know them. */
export function registerExports(): void {
  registerCorporationExport()
  registerProjectExport()
  registerFolderProjectExport()
  registerGroupExport()
  registerOrgMemberExport()
  registerTeamExport()
  registerUnitExport()
  registerBlackExports()
  registerStatsExports()
  registerEnterpriseExport()
  registerPersonnelExports()
  registerEquipmentExports()
  registerAttendanceExports()
  registerLabourAlarmExport()
  registerPreventionExports()
  registerMonitoringExports()
  registerMachineExports()
  registerAlarmExports()
  registerRuleExports()
  registerExecLogExport()
}
