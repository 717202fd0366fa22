import type { City } from '@zhugong/simulator/city-types'
import type { Database } from '#kit/db'
import { seedAttendance } from './seed-attendance.ts'
import { seedMachineHistory } from './seed-machine-history.ts'

/** What happened before the first start: attendance, readings, records, alarms. Both sides use other tables and connections. */
export async function seedHistory(database: Database, city: City, now: number): Promise<void> {
  await Promise.all([seedAttendance(database, city, now), seedMachineHistory(database, city, now)])
}
