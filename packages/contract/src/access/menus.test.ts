import { expect, test } from 'vitest'
import { permissionModules } from './codes.ts'
import { codesToOpen, menuPages, menuTabs } from './menus.ts'

test('entries of one tab are told apart by their icons, tabs by theirs', () => {
  for (const tab of menuTabs) {
    const icons = tab.entries.map((entry) => entry.icon)
    const twice = icons.filter((icon, i) => icons.indexOf(icon) !== i)
    expect(twice, `choose an icon that no other entry of ${tab.title} has`).toEqual([])
  }
  expect(new Set(menuTabs.map((tab) => tab.icon)).size).toBe(menuTabs.length)
})

test('at most nine tabs, at most eight pages a directory', () => {
  for (const type of [0, 1, 2, 3]) {
    const seen = menuTabs.filter((tab) => entriesOf(tab).some((entry) => (entry.types ?? [0, 1, 2, 3]).includes(type)))
    expect(seen.length, `tabs of group type ${type}`).toBeLessThanOrEqual(9)
  }
  for (const tab of menuTabs) {
    for (const entry of tab.entries) if ('pages' in entry) expect(entry.pages.length, entry.title).toBeLessThanOrEqual(8)
  }
})

test('a page has one entry, and its codes and modules exist', () => {
  const entries = menuTabs.flatMap(entriesOf)
  expect(entries.length).toBe(menuPages.size)
  const modules = new Set(permissionModules.map(({ module }) => module))
  const codes = new Set(permissionModules.flatMap(({ permissions }) => permissions.map(({ code }) => code)))
  for (const page of entries) {
    for (const module of page.buttons ?? []) expect(modules, page.path).toContain(module)
    for (const code of [page.code, ...(codesToOpen(page) ?? [])]) expect(codes, page.path).toContain(code)
  }
})

const entriesOf = (tab: (typeof menuTabs)[number]) => tab.entries.flatMap((entry) => ('pages' in entry ? entry.pages : [entry]))
