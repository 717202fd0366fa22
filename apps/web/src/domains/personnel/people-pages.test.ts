import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { attendancePages } from '#domains/attendance/pages.ts'
import { labourPages } from '#domains/labour/pages.ts'
import { organisationPages } from '#domains/organisation/pages.ts'
import { personnelPages } from './pages.ts'

const all = [...personnelPages, ...labourPages, ...attendancePages, ...organisationPages]
const at = (path: string) => all.find((page) => page.path === path)

test('[person-info-redirect] the person’s file opens on its first tab', () =>
  expect(at('/personnelSystem/info')?.redirect).toBe('/personnelSystem/info/basic'))

test('[person-info-tabs] the person’s file has six tabs', () => {
  const tabs = all.filter((page) => page.parent === '/personnelSystem/info').map((page) => page.path.split('/').at(-1))
  expect(tabs).toEqual(['basic', 'resume', 'bad', 'contract', 'certificate', 'virusProtect'])
})

test('[team-info-redirect] the team’s page opens on its basic tab', () =>
  expect(at('/teamSystem/info')?.redirect).toBe('/teamSystem/info/basic'))

test('[company-info-redirect] the company’s page opens on its first tab of two', () => {
  expect(at('/companySystem/info')?.redirect).toBe('/companySystem/info/basic')
  const tabs = all.filter((page) => page.parent === '/companySystem/info').map((page) => page.path)
  expect(tabs).toEqual(['/companySystem/info/basic', '/companySystem/info/extra'])
})

const kept = [
  '/personList',
  '/personImport',
  '/PersonRoster',
  '/personnelSystem',
  '/teamSystem',
  '/unitListStock',
  '/companySystem',
  '/checkingList',
  '/attendance',
  '/SingleAttendance',
]
test.each(kept)('[keepalive-list-cached] %s keeps its state', (path) => expect(at(path)?.keepAlive).toBe(true))

const fresh = [
  '/personListEdit',
  '/personImportEdit',
  '/personListDetails',
  '/teamEdit',
  '/unitListEdit',
  '/companyCreateForm',
  '/CheckingDetail',
  '/workerCheck/checkTime',
]
test.each(fresh)('[keepalive-detail-edit-fresh] %s is built anew', (path) => expect(at(path)?.keepAlive).toBe(false))

test('[page-size-default] no list of people, teams, companies or days starts with a size of its own', () => {
  const domains = join(import.meta.dirname, '..')
  for (const domain of ['personnel', 'labour', 'attendance', 'organisation'])
    for (const file of readdirSync(join(domains, domain)).filter((name) => name.endsWith('.tsx')))
      expect([file, readFileSync(join(domains, domain, file), 'utf8').includes('defaultSize')]).toEqual([file, false])
})
