import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Calls no page makes, by why they are there all the same. A call that gets its page leaves the list; a new call is made by a page. */
const reasons: Readonly<Record<string, string>> = {
  'signed calls of applications and devices':
    'openTime openEnvRealtime openEnvLine pushGate openData openDevice openEvent openFile openHeartbeat openParams openRecord openRegister',
  'addresses that stand in links of answers': 'downloadExport getImage',
  'older addresses of calls that pages make under another': `listProjects createProject listProjectsV1 createProjectV1 updateProjectV1 getProjectV1
    fillProjectV1 projectFormInfo findProjects listCorporations listCorporationsV1 createCorporationV1 updateCorporationV1 getCorporationV1
    corporationFormInfo listWorkers listBadRecords pickBadRecords getBadRecord removePerson saveCerts listTeamStays removeTeamStay setContract
    listGroups listGrants listDefaults getMenu updateScheme listPublished listLabourAlarms listLaborBlack listCompanyBlack listTickets listAiEvents
    createAppBefore updateAppBefore removeAppBefore listAppsBefore listEnterpriseStats listPersonnelStats removeDevice exportDevices exportDaily statsTotals listSprayPlanRuns listSelfEntries listGateShares listIntensity helmetTrack`,
  'lists and trees to choose from, for clients that draw their own forms': `pickTeams pickUsers listOperators findUnits corpTree userTree
    dictsByParent dictTreeByCode nativeAreaTree ownDeviceTypes ownDeviceModels listGroupUsers getGroupUser relatedProjects tieRole getAdmin
    listTempRoles getTempRole currentRoles permissionTree readPresentation listOrgs refreshOrg orgAncestors listOrgMembersOf orgPeopleTree
    listFolders getFolder addToFolder removeFromFolder listFolderProjects`,
  'records and figures for clients that read them, shown on pages by calls of several kinds at once': `envRecords sprayRecords findUnsprayed
    towerRecords pitRecords formworkDevice formworkRecords liftRecords liftCycles liftDailyAlarms unloadingRecords helmetAlarmLine helmetAlarmPie
    listRejected towerDailyAlarms envDailyAlarms todoMessages deviceCenter deviceCenterColumns`,
  'proofs for whoever checks the ledger from outside': 'rehearseDays ledgerProof',
  'templates of screens, managed by calls alone': `listTemplates getTemplate createTemplate updateTemplate copyTemplate removeTemplate
    removeTemplates templateTree`,
}

test('every call of the contract is made by a page, or stands here with its reason', () => {
  const contracts = globSync('packages/contract/src/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  const calls = contracts.flatMap((path) => [...read(path).matchAll(/export const (\w+) = endpoint\(/g)].map(([, name = '']) => name))
  expect(calls.length).toBeGreaterThan(700)
  const pages = globSync('apps/web/src/**/*.{ts,tsx}', { cwd: root }).filter((path) => !/\.test\.tsx?$/.test(path))
  const named = new Set(pages.flatMap((path) => read(path).match(/\w+/g) ?? []))
  const excused = Object.values(reasons).flatMap((names) => names.trim().split(/\s+/))
  expect(calls.filter((name) => !named.has(name)).sort()).toEqual(excused.sort())
})
