import { expect, test } from 'vitest'
import { menuPages } from '../access/menus.ts'
import { familyKeys } from './families.ts'
import { livePageFor, livePages } from './live-pages.ts'

test('each live page is one of the menu, opened by the code it says', () => {
  for (const { path, code } of Object.values(livePages)) expect([path, menuPages.get(path)?.code]).toEqual([path, code])
})

test('a family has one, save those that pass and are not watched', () => {
  const without = familyKeys.filter((family) => !livePages[family])
  expect(without).toEqual(['baseStationHelmet', 'truckAccess', 'faceGate'])
  expect(Object.keys(livePages).filter((family) => !familyKeys.includes(family))).toEqual([])
})

test('who may not open it is not led there', () => {
  expect(livePageFor('lifter', new Set(['lifter.view']))).toBe('/equipment/lifter')
  expect(livePageFor('lifter', new Set(['tower-crane.view']))).toBeUndefined()
  expect(livePageFor('faceGate', new Set(['lifter.view']))).toBeUndefined()
})
