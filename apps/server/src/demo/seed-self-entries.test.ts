import { listSelfEntries, openSelfEntry, selfEntryDoor } from '@zhugong/contract/personnel/self-entry'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createSecrets } from '#kit/secret'
import { settleCity } from '../../test/city.ts'
import { openWorld, type World } from '../../test/world.ts'
import { seedSelfEntries } from './seed-self-entries.ts'

let world: World
beforeAll(async () => {
  world = await openWorld(inject('postgresUrl'))
})
afterAll(() => world.close())

test('the hospital’s code opens, and its desk has registrations of every kind to decide', async () => {
  const settled = await settleCity(world)
  await seedSelfEntries(world.database.kysely, settled.city, createSecrets(world.config.secretKey), Date.now())
  const clerk = await settled.as('hospital-labour')
  const door = await clerk.call(selfEntryDoor, { query: {} })
  expect(door).toMatchObject({ isOpen: true, waiting: 9 })
  expect((await world.anonymous.call(openSelfEntry, { body: { key: door.key ?? '' } })).teams.length).toBeGreaterThan(3)
  const { list } = await clerk.call(listSelfEntries, { query: { size: 50 } })
  expect(list).toHaveLength(11)
  const hints = list.flatMap((one) => one.hints.map((hint) => hint.text.replaceAll(/[\d*\p{Script=Han}]{2,4}相同|\d+/gu, '…')))
  expect(hints.join()).toContain('已在本项目在场')
  expect(hints.join()).toContain('同一证件号另有')
  expect(hints.join()).toContain('手机未验证')
  expect(hints.join()).toContain('超过')
  expect(list.filter((one) => one.state === 'returned').every((one) => one.reason)).toBe(true)
})
