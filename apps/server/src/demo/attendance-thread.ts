import { workerData } from 'node:worker_threads'
import { buildCity } from '@zhugong/simulator/city'
import { openDatabase } from '#kit/db'
import { seedAttendance } from './seed-attendance.ts'

/** What the thread is given: the city is built again from its seed, which costs less than handing it over. */
export interface AttendanceWork {
  databaseUrl: string
  seed: number
  today: string
  now: number
  projectCodes: string[]
}

const work = workerData as AttendanceWork
const database = openDatabase(work.databaseUrl, { max: 2, name: 'zhugong-seed' })
await seedAttendance(database, buildCity({ seed: work.seed, today: work.today }), work.now, work.projectCodes)
await database.close()
