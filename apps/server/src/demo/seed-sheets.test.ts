import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getSheet, listSheets } from '@zhugong/contract/sheets/calls'
import { sheetMoves } from '@zhugong/contract/sheets/moves'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import type { World } from '../../test/world.ts'
import { seedSheets } from './seed-sheets.ts'

const now = Date.parse('2026-11-20T10:00:00+08:00')
let world: World
let settled: CityWorld
let folder = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  settled = await settleCity(world)
  folder = mkdtempSync(join(tmpdir(), 'zg-sheets-'))
  await world.database.kysely.transaction().execute((tx) => seedSheets(tx, settled.city, now, folder))
})
afterAll(async () => {
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

test('six documents in all states, a refused signature, a void number, a sheet that was signed on paper', async () => {
  const city = await settled.as('city-fang')
  const officer = await settled.as('bj-zhao')
  const { list, counts } = await city.call(listSheets, { query: { projectCode: '*', size: 100 } })
  const own = await officer.call(listSheets, { query: { projectCode: '*', size: 100, state: '0' } })
  expect(own.total).toBe(1)
  expect(new Set([...list, ...own.list].map((one) => one.docType)).size).toBe(6)
  expect(new Set([...list, ...own.list].map((one) => one.state))).toEqual(new Set(['0', '1', '2', '3', '4']))
  expect(list.some((one) => one.contractor === 'refused')).toBe(true)
  expect(list.some((one) => one.onPaper)).toBe(true)
  expect(counts.late).toBeGreaterThan(0)
})

test('signatures are valid, and histories follow the declared moves', async () => {
  const officer = await settled.as('bj-zhao')
  const { list } = await officer.call(listSheets, { query: { projectCode: '*', size: 100 } })
  for (const { id } of list) {
    const { signatures } = await officer.call(getSheet, { params: { id }, query: { projectCode: '*' } })
    expect(signatures.filter((one) => one.state === 'void')).toEqual([])
  }
  const { rows } = await sql<{ action: string; fromState: string; toState: string; at: Date }>`select action, from_state, to_state, at
    from process_log where kind = 'manualsheet' and action not in ('create', 'signed')`.execute(world.database.kysely)
  for (const { action, fromState, toState, at } of rows) {
    const move = sheetMoves[action as keyof typeof sheetMoves]
    expect(at.getTime()).toBeLessThanOrEqual(now)
    expect(move.from as readonly string[]).toContain(fromState)
    expect([move.to].flat()).toContain(toState)
  }
})
