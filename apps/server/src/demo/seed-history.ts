import type { City } from '@zhugong/simulator/city-types'
import type { Database } from '#kit/db'
import type { Secrets } from '#kit/secret'
import type { MachineSecrets } from './seed-machines.ts'

/** What happened before the first start: attendance, readings, records, alarms. */
export async function seedHistory(
  _database: Database,
  _city: City,
  _machines: MachineSecrets,
  _secrets: Secrets,
  _now: number,
): Promise<void> {}
