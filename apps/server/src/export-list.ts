import { registerAdviceExport } from '#domains/advice/public'
import { registerAlarmExports } from '#domains/alarms/listing'
import { registerNoticeExport } from '#domains/alarms/notice-rows'
import { registerAnnouncementExports } from '#domains/announcements/public'
import { registerAppExports } from '#domains/apps/exports'
import { registerAttendanceExports } from '#domains/attendance/export-lists'
import { registerBriefingExports, registerBriefingPrint } from '#domains/briefings/public'
import { registerCampaignExports } from '#domains/campaigns/public'
import { registerCheckExports } from '#domains/checks/public'
import { registerCivilExports } from '#domains/civil/public'
import { registerDayCheckExport, registerDayCheckPrint } from '#domains/daychecks/public'
import { registerDayLogExports, registerDayLogPrints } from '#domains/daylogs/public'
import { registerDockingExports } from '#domains/docking/public'
import { registerDocumentExports } from '#domains/documents/public'
import { registerDriverExport } from '#domains/drivers/public'
import { registerDustExports } from '#domains/dustchecks/public'
import { registerEquipmentExports } from '#domains/equipment/export'
import { registerExamineExports } from '#domains/examine/public'
import { registerExpertExports } from '#domains/experts/public'
import { registerFireExports, registerFirePrints } from '#domains/fire/public'
import { registerHazardExports, registerHazardPrints } from '#domains/hazards/public'
import { registerHouseCert, registerHouseExports } from '#domains/houses/public'
import {
  registerBlackExports,
  registerEnterpriseExport,
  registerStatsExports,
  registerTeamExport,
  registerUnitExport,
} from '#domains/labour/public'
import { registerLabourAlarmExport } from '#domains/labour-alarms/routes'
import { registerSprayPlanExport } from '#domains/linkage/public'
import { registerMachineExport, registerMachinePapers } from '#domains/machines/public'
import { registerMaterialExports, registerMaterialPrints } from '#domains/materials/public'
import { registerMeasureExport } from '#domains/measures/public'
import { registerMeasureSummary, registerMeasuringExports } from '#domains/measuring/public'
import { registerBadPaper, registerMisconductExports } from '#domains/misconduct/public'
import { registerMonitoringExports } from '#domains/monitoring/export-list'
import { registerExecLogExport } from '#domains/notify/public'
import { registerOnboardingExport } from '#domains/onboarding/routes'
import { registerAlterExports } from '#domains/organisation/alter-export'
import { registerCorporationExport } from '#domains/organisation/corporations'
import { registerFenceExport } from '#domains/organisation/fence-overview'
import { registerFolderProjectExport } from '#domains/organisation/folder-export'
import { registerGroupExport } from '#domains/organisation/groups'
import { registerOrgMemberExport } from '#domains/organisation/org-member-export'
import { registerPartExports } from '#domains/organisation/part-lists'
import { registerProjectExport } from '#domains/organisation/project-export'
import { registerPaperExports, registerPaperPrints } from '#domains/papers/public'
import { registerPersonnelExports } from '#domains/personnel/exports'
import { registerPlanExport, registerPlanPrint } from '#domains/plans/public'
import { registerPolicyExport } from '#domains/policies/public'
import { registerPreventionExports } from '#domains/prevention/routes'
import { registerQualityExports } from '#domains/quality/public'
import { registerRectifyExport, registerRectifyPrints } from '#domains/rectify/public'
import { registerReportExports } from '#domains/reports/routes'
import { registerResidenceExports } from '#domains/residence/public'
import { registerRuleExports } from '#domains/rules/public'
import { registerScheduleExports, registerSchedulePrint } from '#domains/schedule/public'
import { registerInspectionPrint, registerScoringExports } from '#domains/scoring/public'
import { registerSheetExport, registerSheetPaper } from '#domains/sheets/public'
import { registerSpotCheckExport, registerSpotCheckPrint } from '#domains/spotchecks/public'
import { registerStepExport, registerStepPrint } from '#domains/steps/public'
import { registerStopExport, registerStopPaper } from '#domains/stops/public'
import { registerThemeExports } from '#domains/themes/public'
import { registerUpkeepExports, registerUpkeepPrints } from '#domains/upkeep/public'
import { registerApprovalExports } from '#domains/workflow/exports'
import { registerWorkExport, registerWorkFile } from '#domains/works/public'
import { registerAccessExports } from './access-exports.ts'

/** Registers the export of every list, in api and jobs. `publicUrl`: address in printed QR codes; undefined if not configured. */
export function registerExports(publicUrl?: string): void {
  registerCorporationExport()
  registerAlterExports()
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
  registerAlarmExports()
  registerNoticeExport()
  registerRectifyExport()
  registerCheckExports()
  registerDustExports()
  registerDayCheckExport()
  registerDayCheckPrint(publicUrl)
  registerPlanExport()
  registerPlanPrint(publicUrl)
  registerMeasureExport()
  registerQualityExports()
  registerCivilExports()
  registerPolicyExport()
  registerAnnouncementExports()
  registerMeasuringExports()
  registerMeasureSummary()
  registerHouseExports()
  registerHouseCert(publicUrl)
  registerMaterialExports()
  registerMaterialPrints(publicUrl)
  registerScheduleExports()
  registerSchedulePrint()
  registerStepExport()
  registerBriefingExports()
  registerBriefingPrint(publicUrl)
  registerStepPrint(publicUrl)
  registerDayLogExports()
  registerDayLogPrints()
  registerExamineExports()
  registerThemeExports()
  registerDocumentExports()
  registerPaperExports()
  registerPaperPrints()
  registerHazardExports()
  registerFireExports()
  registerFirePrints(publicUrl)
  registerDriverExport()
  registerResidenceExports()
  registerHazardPrints(publicUrl)
  registerSpotCheckExport()
  registerSpotCheckPrint(publicUrl)
  registerStopExport()
  registerStopPaper(publicUrl)
  registerSheetExport()
  registerSheetPaper(publicUrl)
  registerMachineExport()
  registerMachinePapers(publicUrl)
  registerUpkeepExports()
  registerUpkeepPrints()
  registerWorkExport()
  registerWorkFile(publicUrl)
  registerScoringExports()
  registerInspectionPrint()
  registerRectifyPrints(publicUrl)
  registerAdviceExport()
  registerExpertExports()
  registerMisconductExports()
  registerBadPaper()
  registerCampaignExports()
  registerRuleExports()
  registerExecLogExport()
  registerApprovalExports()
  registerReportExports()
  registerDockingExports()
  registerAccessExports()
}
