import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { City } from '@zhugong/simulator/city-types'
import type { Database } from '#kit/db'
import type { AttendanceWork } from './attendance-thread.ts'
import { seedAttendance } from './seed-attendance.ts'
import { seedMachineHistory } from './seed-machine-history.ts'

/**
 * What happened before the first start: attendance, readings, records, alarms. Both sides use other tables and connections. The site
 * where the story plays has most of the passages; a thread of its own works them out, since a newcomer waits for this.
 */
export async function seedHistory(database: Database, databaseUrl: string, city: City, now: number, today: string): Promise<void> {
  const [story, ...others] = city.projects.map((p) => p.projectCode)
  const aside = inThread({ databaseUrl, seed: city.seed, today, now, projectCodes: story ? [story] : [] })
  await Promise.all([aside, seedAttendance(database, city, now, others).then(() => seedMachineHistory(database, city, now))])
  await database.pool.query('analyze attendance_event, attendance_ledger, attendance_day, attendance_presence')
}

async function inThread(work: AttendanceWork): Promise<void> {
  const thread = new Worker(new URL('./attendance-thread.ts', import.meta.url), { workerData: work })
  const [code] = (await once(thread, 'exit')) as [number]
  if (code !== 0) throw new Error(`the attendance thread ended with ${code}`)
}
