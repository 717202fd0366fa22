import { permissionModules } from '@zhugong/contract/access/codes'
import type { MenuNode } from '@zhugong/contract/access/menu'
import { menuPages } from '@zhugong/contract/access/menus'
import { families } from '@zhugong/contract/telemetry/families'
import { expect, test } from 'vitest'
import { findMenu } from '#kit/menu.ts'
import { decide } from './guard.ts'
import { allPages, findPage } from './routes.ts'

test('paths and names are unique', () => {
  const paths = allPages.flatMap((entry) => [entry.path, ...(entry.aliases ?? [])])
  expect(paths.filter((path, i) => paths.indexOf(path) !== i)).toEqual([])
  const names = allPages.map((entry) => entry.name)
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
})

test('parents and redirects exist', () => {
  const known = new Set(allPages.map((entry) => entry.path))
  for (const { path, parent, redirect } of allPages) {
    if (parent) expect(known, `${path} in ${parent}`).toContain(parent)
    if (redirect) expect(known, `${path} to ${redirect}`).toContain(redirect)
  }
})

test('every menu entry has a page, and so has every page it names as related', () => {
  const paths = new Set(allPages.map(({ path }) => path))
  const named = [...menuPages.values()].flatMap(({ path, related = [] }) => [path, ...related])
  expect(
    named.filter((path) => !paths.has(path)),
    'bind a component to it in the pages.ts of its domain',
  ).toEqual([])
})

test('every page is opened by codes that exist', () => {
  const codes = new Set(permissionModules.flatMap(({ permissions }) => permissions.map(({ code }) => code)))
  const unknown = allPages.flatMap(({ path, code = [] }) => [code].flat().flatMap((one) => (codes.has(one) ? [] : [`${path}: ${one}`])))
  expect(unknown, 'codes are declared in contract/access/codes.ts').toEqual([])
})

/** Address of the shell: opens the home page. */
const outsideTheMenu = ['/home']

test('every page of the frame marks an entry of the menu, and so has it at its side', () => {
  const tree = [...menuPages.values()].map(({ path, title, related = [] }): MenuNode => {
    return { id: path, name: path, title, menuType: 'MENU', path, operator: [], relevance: [...related], children: [] }
  })
  const lost = allPages.filter(
    ({ path, auth = 'shell', openByKey }) => auth === 'shell' && !openByKey && !findMenu(tree, path.replaceAll(/:\w+/g, '7')),
  )
  expect(
    lost.map(({ path }) => path),
    'name the page in `related` of a menu entry (contract/access/menus*.ts)',
  ).toEqual(outsideTheMenu)
})

test('public pages are never kept behind the frame', () => {
  for (const entry of allPages) if (entry.auth === 'public' || entry.auth === 'top') expect(entry.parent, entry.path).toBeUndefined()
})

test('[route-entry-fields] every page has a path, a name, a title and says whether it is kept', () => {
  for (const { path, name, title, keepAlive } of allPages) {
    expect(path).toMatch(/^\/[\w./:-]*$/)
    expect(name, path).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(title, path).toMatch(/^(AI )?[\p{Script=Han}（）]+$/u)
    expect([true, false], path).toContain(keepAlive)
  }
})

test('[shell-requires-login] [guard-shell-login] whoever is not logged in is sent to the login page from every page that is not public', () => {
  const session = { token: null, sessionToken: null, keepLive: undefined }
  const nobody = { search: '', session, groupsType: null, loginPath: null, now: 0 }
  const open = allPages.filter(({ path, auth = 'shell' }) => decide({ ...nobody, path, auth }).to !== 'login')
  expect(open.map(({ path }) => path)).toEqual([
    '/login',
    '/login/v1',
    '/hqwladmin',
    '/admin',
    '/invite',
    '/badge',
    '/join',
    '/mine',
    '/verify',
    '/expert/apply',
    '/policy',
    '/proof',
  ])
  expect(decide({ ...nobody, path: '/home', auth: findPage('/home')?.entry.auth ?? 'shell' })).toEqual({ to: 'login', href: '/login' })
})

test('[top-level-routes] these pages stand outside the frame and ask for a login', () => {
  for (const path of ['/main/v1', '/index', '/workbench', '/fireProtection/dashboard', '/huangshiScreen/main']) {
    const entry = findPage(path)?.entry
    expect([path, entry?.auth, entry?.parent]).toEqual([path, 'top', undefined])
  }
})

test('[shell-home-children] two home pages stand in the frame beside the modules', () =>
  expect(allPages.filter(({ parent }) => parent === '/home').map(({ path }) => path)).toEqual(['/main', '/mainHs']))

test('[device-type-codes] the pages of a family carry its code', () => {
  const codes = [300, 301, 302, 303, 304, 500, 600, 601, 602]
  const names = ['塔吊', '升降机', '卸料平台', '基坑', '高支模', '环境', '电表', '水表', '地磅']
  for (const [i, code] of codes.entries()) expect(families.find((family) => family.code === code)?.name, `${code}`).toContain(names[i])
  const carried: Readonly<Record<string, readonly number[]>> = {
    'tower-crane': [300],
    lifter: [301],
    'foundation-pit': [303],
    'high-formwork': [304],
    environment: [500],
    weighbridge: [602],
    meters: [600, 601],
    unloading: [302],
    vehicle: [710],
    'vehicle-access': [711],
  }
  const fits = ({ module, deviceType }: (typeof allPages)[number]) =>
    deviceType === undefined ? !carried[module] : carried[module]?.includes(deviceType)
  expect(allPages.filter((page) => !fits(page)).map(({ path }) => path)).toEqual([])
  for (const module of Object.keys(carried)) expect(allPages.filter((page) => page.module === module).length).toBeGreaterThan(1)
})

// Every address in the sources, however it is used.
const sources = import.meta.glob<string>(['../**/*.tsx', '../**/*.ts', '!../**/*.test.*'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

test('every link of the product leads to a page of it', () => {
  const link = /(?:\bto="|\bto=\{?[`']|hrefOf\([`']|\bgo\([`']|navigate\([`']|\bhref: [`'])(\/[\w./-]*)/g
  const lost: string[] = []
  for (const [file, text] of Object.entries(sources)) {
    for (const line of text.split('\n')) {
      if (/^\s*(\*|\/\/|\/\*\*)/.test(line)) continue
      for (const [, path = ''] of line.matchAll(link)) {
        // An address with an inserted id refers to the page with the pattern.
        if (!findPage(path) && !findPage(path.endsWith('/') ? `${path}x` : path)) lost.push(`${file}: ${path}`)
      }
    }
  }
  expect(lost).toEqual([])
})

const han = /\p{Script=Han}/u
/** Trade and protocol names keep their original spelling: capitals, addresses, codes. */
const ofTheTrade = /^(?:② )?(?:[A-Z][A-Z0-9. ]*|\S*[/:_{}*@.\d]\S*|Modbus(?: CRC16)?|Webhook|Excel|Ctrl.*)$/
test('[product-language] what pages say is Chinese', () => {
  for (const { path, title } of allPages) expect(title, path).toMatch(han)
  const spoken = 'title|label|placeholder|hint|help|remark|emptyHint|success|thing|consequence|verb|keep|saveText|aria-label|alt'
  const reported = new RegExp(`\\b(?:${spoken})(?:=|: )(?:"([^"\\n]+)"|'([^'\\n]+)')`, 'g')
  const foreign: string[] = []
  let seen = 0
  for (const [file, text] of Object.entries(sources))
    for (const [, double, single] of text.matchAll(reported)) {
      const words = double ?? single ?? ''
      if (han.test(words)) seen++
      else if (/[A-Za-z]{3}/.test(words) && !ofTheTrade.test(words)) foreign.push(`${file}: ${words}`)
    }
  expect(foreign).toEqual([])
  expect(seen).toBeGreaterThan(1_000)
})
