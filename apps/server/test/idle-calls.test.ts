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
  'older addresses of calls that pages make under another': `createProject listProjectsV1 createProjectV1 updateProjectV1 getProjectV1
    fillProjectV1 projectFormInfo findProjects listCorporationsV1 createCorporationV1 updateCorporationV1 getCorporationV1
    corporationFormInfo listBadRecords pickBadRecords getBadRecord removePerson saveCerts listTeamStays removeTeamStay setContract
    listGrants listDefaults getMenu updateScheme listPublished listTickets listAiEvents
    createAppBefore updateAppBefore removeAppBefore listAppsBefore removeDevice exportDevices exportDaily statsTotals helmetTrack`,
  'lists and trees to choose from, for clients that draw their own forms': `pickTeams pickUsers findUnits corpTree userTree
    dictsByParent dictTreeByCode nativeAreaTree ownDeviceTypes ownDeviceModels getGroupUser relatedProjects tieRole getAdmin
    getTempRole currentRoles permissionTree readPresentation listOrgs refreshOrg orgAncestors listOrgMembersOf orgPeopleTree
    listFolders getFolder addToFolder removeFromFolder `,
  'records and figures for clients that read them, shown on pages by calls of several kinds at once': `envRecords sprayRecords     towerRecords pitRecords formworkDevice formworkRecords liftRecords liftCycles liftDailyAlarms unloadingRecords helmetAlarmLine helmetAlarmPie
    towerDailyAlarms envDailyAlarms todoMessages deviceCenter deviceCenterColumns`,
  'proofs for whoever checks the ledger from outside': 'rehearseDays ledgerProof',
}

const namesOf = (reason: string): string[] => (reasons[reason] ?? '').trim().split(/\s+/)

test('a reason holds: signed calls stand under the doors of devices and applications, and every call named is answered by the server', () => {
  const contract = globSync('packages/contract/src/**/*.ts', { cwd: root }).map(read).join('\n')
  const pathOf = (name: string) => new RegExp(`export const ${name} = endpoint\\(\\{[^}]*?path: '([^']+)'`).exec(contract)?.[1] ?? ''
  const doors = /^\/api\/v1\/(open|iot\/gate|attendance\/push)\//
  expect(namesOf('signed calls of applications and devices').filter((name) => !doors.test(pathOf(name)))).toEqual([])
  const sources = globSync('apps/server/src/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  // Signed calls are registered by path, from the list `openCalls`.
  const doorList = /export const openCalls[^[]*\[\]? = \[([^\]]*)\]/.exec(contract)?.[1] ?? ''
  const served = new Set([...sources.map(read), doorList].flatMap((text) => text.match(/\w+/g) ?? []))
  expect(Object.keys(reasons).flatMap((reason) => namesOf(reason).filter((name) => !served.has(name)))).toEqual([])
})

test('every call of the contract is made by a page, or stands here with its reason', () => {
  const contracts = globSync('packages/contract/src/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  const calls = contracts.flatMap((path) => [...read(path).matchAll(/export const (\w+) = endpoint\(/g)].map(([, name = '']) => name))
  expect(calls.length).toBeGreaterThan(700)
  const pages = globSync('apps/web/src/**/*.{ts,tsx}', { cwd: root }).filter((path) => !/\.test\.tsx?$/.test(path))
  const named = new Set(pages.flatMap((path) => read(path).match(/\w+/g) ?? []))
  // Pages request a list by its `listOf` value.
  const contract = contracts.map(read).join('\n')
  for (const [, list = '', name = ''] of contract.matchAll(/export const (\w+) = listOf\(\s*(\w+)/g)) if (named.has(list)) named.add(name)
  const excused = Object.values(reasons).flatMap((names) => names.trim().split(/\s+/))
  expect(calls.filter((name) => !named.has(name)).sort()).toEqual(excused.sort())
})
