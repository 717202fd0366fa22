import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getFire, listFire } from '@zhugong/contract/fire/calls'
import { fireDashboard } from '@zhugong/contract/fire/dashboard'
import { expect, inject, test } from 'vitest'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../test/city.ts'
import { type Caller, testSecretKey, type World } from '../../test/world.ts'
import { seedFire } from './seed-fire.ts'

const query = { projectCode: '*' }
const search = { ...query, page: 1, size: 100 }
// A Sunday, a first of a month shortly after midnight, and a working day.
const days = ['2026-11-22T13:00:00+08:00', '2026-12-01T00:10:00+08:00', '2026-11-18T10:00:00+08:00']

test.each(days)('on %s forty-six cases stand in all states, three near the limit and one late', async (day) => {
  const now = Date.parse(day)
  const world: World = await openCity(inject('postgresUrl'), { clock: { now: () => now } })
  try {
    const settled: CityWorld = await settleCity(world)
    const folder = await mkdtemp(join(tmpdir(), 'fire-'))
    await world.database.kysely.transaction().execute((tx) => seedFire(tx, settled.city, createSecrets(testSecretKey), now, folder))
    const city = await settled.as('city-fang')
    const { list, total } = await city.call(listFire, { query: search })
    // Two more are drafts of their applicants.
    expect(total).toBe(44)
    expect(new Set(list.map((one) => one.state))).toEqual(new Set(['1', '2', '3', '4', '5', '6', '7', '8', '9']))
    const wall = await city.call(fireDashboard, { query })
    expect([wall.near, wall.late, wall.teams.length, wall.notDrawn]).toEqual([3, 1, 2, 6])
    expect(list.filter((one) => one.kind !== '1')).toHaveLength(8)
    expect(list.filter((one) => one.inRandom)).toHaveLength(2)
    const tower = list.find((one) => one.subsTotal === 31)
    expect([tower?.subsDone, tower?.state]).toEqual([29, '4'])
    await checkVerdicts(await settled.as('bj-wu'), list)
  } finally {
    await world.close()
  }
})

/** What a state says follows from the findings. */
async function checkVerdicts(who: Caller, list: readonly { id: string; state: string }[]): Promise<void> {
  const wanted: Record<string, string> = { 5: 'fail', 6: 'pass', 7: 'fail' }
  for (const one of list.filter(({ state }) => state in wanted)) {
    const file = await who.call(getFire, { params: { id: one.id }, query })
    expect([one.id, file.rounds.at(-1)?.verdict, file.buildRows.length]).toEqual([one.id, wanted[one.state], 1])
    if (file.rounds.length > 1) expect(file.rounds[0]?.verdict).toBe('fail')
  }
}
