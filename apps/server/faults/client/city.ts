import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Subject } from '@zhugong/contract/kit/fields'
import { buildCity } from '@zhugong/simulator/city'
import { readConfig } from '#kit/config'
import { openDatabase } from '#kit/db'
import { createLog } from '#kit/log'
import type { Stand } from '../../bench/stand.ts'
import { deliver } from '../../src/delivery.ts'
import { demoSeed, prepareDemo } from '../../src/demo/demo.ts'
import { maySee, ownedRows, viewers } from '../../test/tenants.ts'
import type { Ids } from './inputs.ts'

/** Days of readings, alarms, records and audit log before the first day of the demonstration. */
const moreDays = 4
/** Ids tried per kind of record; of machines, one per device family. */
const fewIds = 2

export interface SettledCity {
  passwordOf(account: string): string
  idsOf(account: string): Promise<Ids>
}

/** Writes the demonstration city to a stand, with some days of data of its machines and gates. */
export async function settle(stand: Stand): Promise<SettledCity> {
  const config = readConfig('serve', {
    DATABASE_URL: stand.postgres.url,
    DATABASE_OWNER_URL: stand.postgres.url,
    SECRET_KEY: stand.secretKey,
    DATA_DIR: stand.dataDir,
  })
  const database = openDatabase(stand.postgres.url, { max: 4, owner: true })
  await deliver(database.kysely)
  const demo = await prepareDemo(config, database, stand.postgres.url, createLog('client', 'warn'), true)
  await database.close()
  for (let day = 1; day <= moreDays; day++) await repeatDay(stand, day)
  await stand.pool.query('analyze')
  await sleep(1_000)
  const { accounts } = JSON.parse(readFileSync(demo.file, 'utf8')) as { accounts: { account: string; password: string }[] }
  const { rows } = await stand.pool.query<{ value: { today: string } }>(`select value from setting where key = 'demo'`)
  const city = buildCity({ seed: demoSeed, today: rows[0]?.value.today ?? '' })
  return {
    passwordOf: (account) => accounts.find((a) => a.account === account)?.password ?? '',
    idsOf: async (account) => {
      const viewer = viewers(city).find((v) => v.account === account)
      if (!viewer) throw new Error(`nobody called ${account}`)
      const seen = (await ownedRows(stand.pool)).filter((row) => maySee(viewer, row))
      const familyOf = new Map(city.devices.map((d) => [d.id, d.family as string]))
      const ids = new Map<Subject, string[]>()
      const families = new Set<string>()
      // The project with the most machines comes first: requests for it cost the most.
      const size = Map.groupBy(city.devices, (d) => d.projectCode)
      const weight = (code: string | undefined) => size.get(code ?? '')?.length ?? 0
      seen.sort((a, b) => weight(b.projectCode) - weight(a.projectCode))
      for (const { subject, id } of seen) {
        const list = ids.get(subject) ?? []
        const family = familyOf.get(id)
        const isNew = subject === 'device' && family !== undefined && !families.has(family)
        if (list.length >= fewIds && !isNew) continue
        if (family) families.add(family)
        ids.set(subject, [...list, id])
      }
      return ids
    },
  }
}

/** Copies the last day of the demonstration to each of the `days` days before. */
async function repeatDay(stand: Stand, days: number): Promise<void> {
  await stand.pool.query(`
    insert into telemetry (device_id, ts, seq, received_at, schema_ver, v, w, extra, quality, flag)
    select device_id, ts - ${days} * interval '1 day', seq, received_at - ${days} * interval '1 day', schema_ver, v, w, extra, quality, flag
    from telemetry where ts > now() - interval '1 day' on conflict do nothing`)
  await stand.pool.query(`
    insert into telemetry_5m (device_id, ts, n, v) select device_id, ts - ${days} * interval '1 day', n, v
    from telemetry_5m where ts > now() - interval '1 day' on conflict do nothing`)
}
