import { accessPages } from '#domains/access/pages.ts'
import { advicePages } from '#domains/advice/pages.ts'
import { alarmPages } from '#domains/alarms/pages.ts'
import { announcementPages } from '#domains/announcements/pages.ts'
import { appPages } from '#domains/apps/pages.ts'
import { attendancePages } from '#domains/attendance/pages.ts'
import { briefingPages } from '#domains/briefings/pages.ts'
import { campaignPages } from '#domains/campaigns/pages.ts'
import { checkPages } from '#domains/checks/pages.ts'
import { civilPages } from '#domains/civil/pages.ts'
import { dayCheckPages } from '#domains/daychecks/pages.ts'
import { dayLogPages } from '#domains/daylogs/pages.ts'
import { dockingPages } from '#domains/docking/pages.ts'
import { documentPages } from '#domains/documents/pages.ts'
import { driverPages } from '#domains/drivers/pages.ts'
import { dustPages } from '#domains/dustchecks/pages.ts'
import { equipmentPages } from '#domains/equipment/pages.ts'
import { examinePages } from '#domains/examine/pages.ts'
import { expertPages } from '#domains/experts/pages.ts'
import { firePages } from '#domains/fire/pages.ts'
import { hazardPages } from '#domains/hazards/pages.ts'
import { homePages } from '#domains/home/pages.ts'
import { housePages } from '#domains/houses/pages.ts'
import { identityPages } from '#domains/identity/pages.ts'
import { labourPages } from '#domains/labour/pages.ts'
import { labourAlarmPages } from '#domains/labour-alarms/pages.ts'
import { machinePages } from '#domains/machines/pages.ts'
import { materialPages } from '#domains/materials/pages.ts'
import { measurePages } from '#domains/measures/pages.ts'
import { measuringPages } from '#domains/measuring/pages.ts'
import { misconductPages } from '#domains/misconduct/pages.ts'
import { monitoringPages } from '#domains/monitoring/pages.ts'
import { onboardingPages } from '#domains/onboarding/pages.ts'
import { organisationPages } from '#domains/organisation/pages.ts'
import { paperPages } from '#domains/papers/pages.ts'
import { personnelPages } from '#domains/personnel/pages.ts'
import { placePages } from '#domains/places/pages.ts'
import { planPages } from '#domains/plans/pages.ts'
import { policyPages } from '#domains/policies/pages.ts'
import { preventionPages } from '#domains/prevention/pages.ts'
import { qualityPages } from '#domains/quality/pages.ts'
import { rectifyPages } from '#domains/rectify/pages.ts'
import { reportPages } from '#domains/reports/pages.ts'
import { residencePages } from '#domains/residence/pages.ts'
import { rulePages } from '#domains/rules/pages.ts'
import { schedulePages } from '#domains/schedule/pages.ts'
import { scoringPages } from '#domains/scoring/pages.ts'
import { screenPages } from '#domains/screens/pages.ts'
import { settingsPages } from '#domains/settings/pages.ts'
import { sheetPages } from '#domains/sheets/pages.ts'
import { spotCheckPages } from '#domains/spotchecks/pages.ts'
import { stepPages } from '#domains/steps/pages.ts'
import { stopPages } from '#domains/stops/pages.ts'
import { themePages } from '#domains/themes/pages.ts'
import { trackPages } from '#domains/tracks/pages.ts'
import { upkeepPages } from '#domains/upkeep/pages.ts'
import { workflowPages } from '#domains/workflow/pages.ts'
import { workPages } from '#domains/works/pages.ts'
import { type PageEntry, pageFinder, pages } from '#kit/pages.ts'

/** Addresses without a page of their own: the guard redirects them. */
const entrances = pages([
  { path: '/', name: 'root', title: '入口', keepAlive: false, module: 'shell', auth: 'top', load: () => import('./empty-page.tsx') },
])

/** Every page of the product, domain by domain. */
export const allPages: readonly PageEntry[] = [
  ...entrances,
  ...identityPages,
  ...homePages,
  ...monitoringPages,
  ...alarmPages,
  ...rulePages,
  ...equipmentPages,
  ...personnelPages,
  ...attendancePages,
  ...labourPages,
  ...rectifyPages,
  ...campaignPages,
  ...checkPages,
  ...civilPages,
  ...placePages,
  ...briefingPages,
  ...measurePages,
  ...measuringPages,
  ...housePages,
  ...materialPages,
  ...schedulePages,
  ...stepPages,
  ...spotCheckPages,
  ...dayLogPages,
  ...examinePages,
  ...hazardPages,
  ...firePages,
  ...driverPages,
  ...residencePages,
  ...themePages,
  ...stopPages,
  ...sheetPages,
  ...workPages,
  ...dayCheckPages,
  ...documentPages,
  ...paperPages,
  ...dustPages,
  ...planPages,
  ...machinePages,
  ...upkeepPages,
  ...scoringPages,
  ...qualityPages,
  ...advicePages,
  ...expertPages,
  ...misconductPages,
  ...trackPages,
  ...labourAlarmPages,
  ...policyPages,
  ...announcementPages,
  ...preventionPages,
  ...onboardingPages,
  ...organisationPages,
  ...settingsPages,
  ...screenPages,
  ...workflowPages,
  ...accessPages,
  ...appPages,
  ...reportPages,
  ...dockingPages,
]

export const findPage = pageFinder(allPages)

const byPath = new Map(allPages.map((entry) => [entry.path, entry]))

/** The page that contains an entry: itself, or the page whose `<ChildView />` shows it. */
export function hostOf(entry: PageEntry): PageEntry {
  return (entry.parent && entry.parent !== '/home' && byPath.get(entry.parent)) || entry
}
