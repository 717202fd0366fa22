import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { buildCity } from '@zhugong/simulator/city'
import { openDatabase } from '#kit/db'
import { missingHistory, seedAttendance } from './seed-attendance.ts'
import { seedAttendanceWork } from './seed-attendance-work.ts'
import { seedHelmets } from './seed-helmets.ts'
import { seedPictures } from './seed-pictures.ts'

/** What the thread is given: the city is built again from its seed, which costs less than handing it over. */
export interface PeopleWork {
  databaseUrl: string
  seed: number
  today: string
  /** The moment of the first start: history ends there, whenever it is written. */
  now: number
  attendance: boolean
  /** Where pictures go; none are drawn without. */
  filesFolder: string | undefined
}

// Of this thread alone: whoever opens the first page comes before the past.
setPriority(10)
const work = workerData as PeopleWork
const database = openDatabase(work.databaseUrl, { max: 2, name: 'zhugong-seed', owner: true })
const city = buildCity({ seed: work.seed, today: work.today })
if (work.attendance) {
  const projectCodes = await missingHistory(database, city)
  await seedAttendance(database, city, work.now, projectCodes)
  if (projectCodes.includes(city.projects[0]?.projectCode ?? '')) await seedAttendanceWork(database, city, work.now)
  if (projectCodes.length)
    await database.pool.query(
      'analyze attendance_event, attendance_ledger, attendance_day, attendance_presence, project_worker, project_team, team',
    )
}
parentPort?.postMessage('attendance')
if (work.filesFolder) await seedHelmets(database, city, work.now, work.filesFolder)
if (work.filesFolder) await seedPictures(database, city, work.filesFolder)
await database.close()
