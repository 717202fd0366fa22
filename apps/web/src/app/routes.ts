import { accessPages } from '#domains/access/pages.ts'
import { alarmPages } from '#domains/alarms/pages.ts'
import { appPages } from '#domains/apps/pages.ts'
import { attendancePages } from '#domains/attendance/pages.ts'
import { dockingPages } from '#domains/docking/pages.ts'
import { equipmentPages } from '#domains/equipment/pages.ts'
import { homePages } from '#domains/home/pages.ts'
import { identityPages } from '#domains/identity/pages.ts'
import { labourPages } from '#domains/labour/pages.ts'
import { labourAlarmPages } from '#domains/labour-alarms/pages.ts'
import { monitoringPages } from '#domains/monitoring/pages.ts'
import { onboardingPages } from '#domains/onboarding/pages.ts'
import { organisationPages } from '#domains/organisation/pages.ts'
import { personnelPages } from '#domains/personnel/pages.ts'
import { preventionPages } from '#domains/prevention/pages.ts'
import { reportPages } from '#domains/reports/pages.ts'
import { rulePages } from '#domains/rules/pages.ts'
import { screenPages } from '#domains/screens/pages.ts'
import { settingsPages } from '#domains/settings/pages.ts'
import { workflowPages } from '#domains/workflow/pages.ts'
import { type PageEntry, pageFinder, pages } from '#kit/pages.ts'

/** Addresses without a page of their own: the guard sends them on. */
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
  ...labourAlarmPages,
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

/** The page that shows an entry: itself, or the one whose `<ChildView />` it fills. */
export function hostOf(entry: PageEntry): PageEntry {
  return (entry.parent && entry.parent !== '/home' && byPath.get(entry.parent)) || entry
}
