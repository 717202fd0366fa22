import { expect, test } from 'vitest'
import { menuTabs } from './menus.ts'

test('entries of one tab are told apart by their icons, tabs by theirs', () => {
  for (const tab of menuTabs) {
    const icons = tab.entries.map((entry) => entry.icon)
    expect(new Set(icons).size, `${tab.title}: ${icons.join(' ')}`).toBe(icons.length)
  }
  expect(new Set(menuTabs.map((tab) => tab.icon)).size).toBe(menuTabs.length)
})

test('at most nine tabs, at most eight pages a directory', () => {
  expect(menuTabs.length).toBeLessThanOrEqual(9)
  for (const tab of menuTabs) {
    for (const entry of tab.entries) if ('pages' in entry) expect(entry.pages.length, entry.title).toBeLessThanOrEqual(8)
  }
})
