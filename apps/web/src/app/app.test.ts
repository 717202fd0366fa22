import type { MenuNode } from '@zhugong/contract/access/menu'
import { describe, expect, test, vi } from 'vitest'
import { findMenu, firstPath, operatorsOf, searchMenus } from '#kit/menu.ts'
import type { PageEntry } from '#kit/pages.ts'
import { findMenus } from './find-menus.ts'
import { type Decision, decide, firstLoadPollMs, loginHref, type Situation, statusOf, until } from './guard.ts'
import { closeOthers, closeRight, closing, keptPages, type OpenPage, visited } from './tabs.ts'

const dir = (id: string, title: string, children: MenuNode[]): MenuNode => ({
  id,
  name: id,
  title,
  menuType: 'DIR',
  operator: [],
  relevance: [],
  children,
})
const menu = (id: string, title: string, path: string, more: Partial<MenuNode> = {}): MenuNode => ({
  id,
  name: id,
  title,
  menuType: 'MENU',
  path,
  operator: [],
  relevance: [],
  children: [],
  ...more,
})
const tree = [
  dir('empty', '空', []),
  dir('people', '人员', [
    dir('p1', '人员管理', [
      menu('m1', '人员列表', '/personnelSystem/list', {
        operator: ['worker.edit'],
        code: 'worker.view',
        relevance: ['/personnelSystem/add', '/worker/:id'],
      }),
    ]),
  ]),
  dir('device', '设备', [menu('m2', '塔机', '/tower/monitor', { operator: ['tower.look'] })]),
]

describe('menu', () => {
  test('the first page skips directories without one', () => expect(firstPath(tree)).toBe('/personnelSystem/list'))
  test.each([
    ['/personnelSystem/list', 'm1', true],
    ['/personnelSystem/add', 'm1', false],
    ['/worker/7', 'm1', false],
    ['/worker/', undefined, undefined],
    ['/worker/7/more', undefined, undefined],
    ['/tower/monitor/7', 'm2', false],
    ['/nowhere', undefined, undefined],
  ])('%s belongs to %s', (path, id, exact) => {
    const hit = findMenu(tree, path)
    expect(hit?.node.id).toBe(id)
    expect(hit?.exact).toBe(exact)
  })
  test('trail', () => expect(findMenu(tree, '/personnelSystem/list')?.trail).toEqual(['人员', '人员管理']))
  test('[menus-data-driven] the codes of the tree’s buttons, all and by menu', () => {
    expect(operatorsOf(tree).all.sort()).toEqual(['tower.look', 'worker.edit', 'worker.view'])
    expect(operatorsOf(tree).byMenu.m2).toEqual(['tower.look'])
  })
  test.each([
    ['rylb', ['/personnelSystem/list']],
    ['工资', ['/personnelSystem/list']],
    ['x', []],
    ['', []],
  ])('a page is found by %s, its initials or another word for it', (word, paths) =>
    expect(findMenus(tree, word).map(({ path }) => path)).toEqual(paths),
  )
  test('search', () =>
    expect(searchMenus(tree, '人员')).toEqual([{ path: '/personnelSystem/list', title: '人员列表', trail: '人员 / 人员管理' }]))
})

const entry = (path: string, keepAlive: boolean): PageEntry => ({
  path,
  name: path,
  title: path,
  keepAlive,
  module: 't',
  load: () => Promise.reject(new Error('no')),
})
const visit = (path: string, keepAlive = true, search = '') => ({
  key: path,
  entry: entry(path, keepAlive),
  child: undefined,
  path,
  search,
  params: {},
})
const opened = (...paths: [string, boolean][]): OpenPage[] =>
  paths.reduce<OpenPage[]>((open, [path, alive], i) => visited(open, visit(path, alive), i + 1), [])

describe('tabs', () => {
  test('a page visited again keeps its place and takes the new query', () => {
    const open = visited(opened(['/a', true], ['/b', true]), visit('/a', true, '?page=2'), 9)
    expect(open.map((page) => page.key)).toEqual(['/a', '/b'])
    expect(open[0]).toMatchObject({ search: '?page=2', used: 9 })
  })
  test('[keepalive-detail-edit-fresh] details and edits are not kept behind', () => {
    const open = opened(['/list', true], ['/detail', false], ['/other', true])
    expect(keptPages(open, '/other').map((page) => page.key)).toEqual(['/list', '/other'])
    expect(keptPages(open, '/detail').map((page) => page.key)).toEqual(['/list', '/detail', '/other'])
  })
  test('a form with something unsaved stays, wherever one goes meanwhile', () => {
    const open = opened(['/list', true], ['/edit', false], ['/other', true])
    expect(keptPages(open, '/other', (key) => key === '/edit').map((page) => page.key)).toEqual(['/list', '/edit', '/other'])
    const many = opened(['/edit', false], ...Array.from({ length: 14 }, (_, i): [string, boolean] => [`/${i}`, true]))
    expect(keptPages(many, '/13', (key) => key === '/edit')).toHaveLength(13)
  })
  test('the least recently used gives way', () => {
    const open = opened(...Array.from({ length: 14 }, (_, i): [string, boolean] => [`/${i}`, true]))
    expect(keptPages(open, '/13')).toHaveLength(12)
    expect(keptPages(open, '/13').some((page) => page.key === '/0' || page.key === '/1')).toBe(false)
  })
  test('closing leads to the page used before', () => {
    const open = visited(opened(['/a', true], ['/b', true], ['/c', true]), visit('/a'), 9)
    expect(closing(open, '/a').next?.key).toBe('/c')
    expect(closing(opened(['/a', true]), '/a').next).toBeUndefined()
  })
  test('close others and right', () => {
    const open = opened(['/main', true], ['/a', true], ['/b', true])
    expect(closeOthers(open, '/b', '/main').map((page) => page.key)).toEqual(['/main', '/b'])
    expect(closeRight(open, '/a').map((page) => page.key)).toEqual(['/main', '/a'])
  })
})

const live = { token: 't', sessionToken: 't', keepLive: { live: false, timeStamp: 0, duration: 100 } }
const dead = { token: null, sessionToken: null, keepLive: undefined }
const base = { search: '', groupsType: '3', loginPath: null, now: 50 }

describe('guard', () => {
  test.each<[Situation, Decision]>([
    [{ ...base, path: '/login', auth: 'public' as const, session: dead }, { to: 'public' }],
    [{ ...base, path: '/main', auth: 'shell' as const, session: live }, { to: 'load' }],
    [
      { ...base, path: '/main', auth: 'shell' as const, session: live, now: 100 },
      { to: 'login', href: '/login?back=%2Fmain' },
    ],
    [
      { ...base, path: '/', auth: 'top' as const, session: dead },
      { to: 'login', href: '/login' },
    ],
    [
      { ...base, path: '/a', search: '?id=1', auth: 'shell' as const, session: dead, groupsType: '0' },
      { to: 'login', href: '/admin?back=%2Fa%3Fid%3D1' },
    ],
    [
      { ...base, path: '/a', auth: 'shell' as const, session: dead, loginPath: '/login/v1' },
      { to: 'login', href: '/login/v1?back=%2Fa' },
    ],
    [{ ...base, path: '/x', auth: undefined, session: live }, { to: 'unknown' }],
  ])('[session-dead-to-login] [session-loss-group-type] %o', (situation, decision) => expect(decide(situation)).toEqual(decision))

  test('[guard-back-flag] a way back is marked as one', () =>
    expect((['POP', 'PUSH', 'REPLACE'] as const).map(statusOf)).toEqual(['back', 'forward', 'forward']))

  test('the bare address needs no way back', () => expect(loginHref('/login', '/home', '')).toBe('/login'))

  test('[guard-wait-first-load] all but public pages wait for the first load; waiting looks every 100 ms', async () => {
    vi.useFakeTimers()
    let looks = 0
    const done = until(() => ++looks === 4, firstLoadPollMs)
    await vi.advanceTimersByTimeAsync(299)
    expect(looks).toBe(3)
    await vi.advanceTimersByTimeAsync(1)
    await done
    expect(looks).toBe(4)
    vi.useRealTimers()
  })
})
