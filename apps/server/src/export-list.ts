import { registerAlarmExports } from '#domains/alarms/listing'
import { registerNoticeExport } from '#domains/alarms/notice-rows'
import { registerAppExports } from '#domains/apps/exports'
import { registerAttendanceExports } from '#domains/attendance/export-lists'
import { registerDockingExports } from '#domains/docking/public'
import { registerEquipmentExports } from '#domains/equipment/export'
import {
  registerBlackExports,
  registerEnterpriseExport,
  registerStatsExports,
  registerTeamExport,
  registerUnitExport,
} from '#domains/labour/public'
import { registerLabourAlarmExport } from '#domains/labour-alarms/routes'
import { registerSprayPlanExport } from '#domains/linkage/public'
import { registerAiExports } from '#domains/monitoring/ai-exports'
import { registerMonitoringExports } from '#domains/monitoring/exports'
import { registerHelmetExports } from '#domains/monitoring/helmet-page'
import { registerLiftExports } from '#domains/monitoring/lift-exports'
import { registerPileRegisterExports } from '#domains/monitoring/pile-register/exports'
import { registerPileExports } from '#domains/monitoring/piles'
import { registerPitExports } from '#domains/monitoring/pit-exports'
import { registerPourExports } from '#domains/monitoring/pour-exports'
import { registerYardExports } from '#domains/monitoring/yard-exports'
import { registerExecLogExport } from '#domains/notify/public'
import { registerOnboardingExport } from '#domains/onboarding/routes'
import { registerCorporationExport } from '#domains/organisation/corporations'
import { registerFenceExport } from '#domains/organisation/fence-overview'
import { registerFolderProjectExport } from '#domains/organisation/folder-export'
import { registerGroupExport } from '#domains/organisation/groups'
import { registerOrgMemberExport } from '#domains/organisation/org-member-export'
import { registerPartExports } from '#domains/organisation/part-lists'
import { registerProjectExport } from '#domains/organisation/project-export'
import { registerPersonnelExports } from '#domains/personnel/exports'
import { registerPreventionExports } from '#domains/prevention/routes'
import { registerReportExports } from '#domains/reports/routes'
import { registerRuleExports } from '#domains/rules/public'
import { registerCraneExports } from '#domains/telemetry/crane-exports'
import { registerStationExports } from '#domains/telemetry/station-exports'
import { registerApprovalExports } from '#domains/workflow/exports'
import { registerAccessExports } from './access-exports.ts'

/** Every list that can be exported; api and jobs both know them. */
/** `publicUrl`: address in printed QR codes; undefined if not configured. */
export function registerExports(publicUrl?: string): void {
  registerCorporationExport()
  registerProjectExport()
  registerOnboardingExport()
  registerFolderProjectExport()
  registerGroupExport()
  registerFenceExport()
  registerPartExports()
  registerAppExports()
  registerOrgMemberExport()
  registerTeamExport()
  registerUnitExport()
  registerBlackExports()
  registerStatsExports()
  registerEnterpriseExport()
  registerPersonnelExports(publicUrl)
  registerEquipmentExports()
  registerAttendanceExports()
  registerLabourAlarmExport()
  registerPreventionExports()
  registerMonitoringExports()
  registerSprayPlanExport()
  registerPitExports()
  registerPourExports()
  registerAiExports()
  registerYardExports()
  registerHelmetExports()
  registerLiftExports()
  registerPileExports()
  registerPileRegisterExports()
  registerCraneExports()
  registerStationExports()
  registerAlarmExports()
  registerNoticeExport()
  registerRuleExports()
  registerExecLogExport()
  registerApprovalExports()
  registerReportExports()
  registerDockingExports()
  registerAccessExports()
}
