import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allFixtures } from './fixtures/all.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const signed = allFixtures.flatMap((one) => one.signed ?? [])
/** Calls no page makes. */
const withoutPage = [...signed, ...allFixtures.flatMap((one) => one.withoutPage ?? []).flatMap(({ names }) => names)]

test('a reason holds: signed calls stand under the doors of devices and applications, and every call named is answered by the server', () => {
  const contract = globSync('packages/contract/src/**/*.ts', { cwd: root }).map(read).join('\n')
  const pathOf = (name: string) => new RegExp(`export const ${name} = endpoint\\(\\{[^}]*?path: '([^']+)'`).exec(contract)?.[1] ?? ''
  const doors = /^\/api\/v1\/(open|iot\/gate|attendance\/push)\//
  expect(signed.filter((name) => !doors.test(pathOf(name)))).toEqual([])
  const sources = globSync('apps/server/src/**/*.ts', { cwd: root }).filter((path) => !/\.(test|fixtures)\.ts$/.test(path))
  // Signed calls are registered by path, from the list `openCalls`.
  const doorList = /export const openCalls[^[]*\[\]? = \[([^\]]*)\]/.exec(contract)?.[1] ?? ''
  const served = new Set([...sources.map(read), doorList].flatMap((text) => text.match(/\w+/g) ?? []))
  expect(withoutPage.filter((name) => !served.has(name))).toEqual([])
})

test('every call of the contract is made by a page, or its fixtures give the reason', () => {
  const contracts = globSync('packages/contract/src/**/*.ts', { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  const calls = contracts.flatMap((path) => [...read(path).matchAll(/export const (\w+) = endpoint\(/g)].map(([, name = '']) => name))
  expect(calls.length).toBeGreaterThan(700)
  const pages = globSync('apps/web/src/**/*.{ts,tsx}', { cwd: root }).filter((path) => !/\.test\.tsx?$/.test(path))
  const named = new Set(pages.flatMap((path) => read(path).match(/\w+/g) ?? []))
  // Pages request a list by its `listOf` value.
  const contract = contracts.map(read).join('\n')
  for (const [, list = '', name = ''] of contract.matchAll(/export const (\w+) = listOf\(\s*(\w+)/g)) if (named.has(list)) named.add(name)
  const idle = calls.filter((name) => !named.has(name))
  const missing = idle.filter((name) => !withoutPage.includes(name))
  expect(missing, 'call it from a page, or give the reason in `withoutPage` of a *.fixtures.ts of its domain').toEqual([])
  expect(
    withoutPage.filter((name) => !idle.includes(name)),
    'made by a page now: remove it from `withoutPage`',
  ).toEqual([])
})
