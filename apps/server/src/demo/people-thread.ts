import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { buildCity } from '@zhugong/simulator/city'
import { openDatabase } from '#kit/db'
import { missingHistory, seedAttendance } from './seed-attendance.ts'
import { seedAttendanceWork } from './seed-attendance-work.ts'
import { seedBriefings } from './seed-briefings.ts'
import { seedHelmets } from './seed-helmets.ts'
import { seedPictures } from './seed-pictures.ts'
import { seedRectifyPhotos } from './seed-rectify-photos.ts'
import { seedSignatures } from './seed-signatures.ts'

/** Input of the thread: it rebuilds the city from the seed, which is cheaper than transferring it. */
export interface PeopleWork {
  databaseUrl: string
  seed: number
  today: string
  /** Time of the first start, where history ends whenever it is written. */
  now: number
  attendance: boolean
  /** Folder of pictures; undefined: none are drawn. */
  filesFolder: string | undefined
}

// Lowers the priority of this thread only: pages come before history.
setPriority(10)
const work = workerData as PeopleWork
const database = openDatabase(work.databaseUrl, { max: 2, name: 'zhugong-seed', owner: true })
const city = buildCity({ seed: work.seed, today: work.today })
if (work.filesFolder) await seedRectifyPhotos(database, city, work.filesFolder)
await seedSignatures(database, city)
if (work.attendance) {
  const projectCodes = await missingHistory(database, city)
  await seedAttendance(database, city, work.now, projectCodes)
  if (projectCodes.includes(city.projects[0]?.projectCode ?? '')) await seedAttendanceWork(database, city, work.now)
  await seedBriefings(database, city, work.now, projectCodes)
  if (projectCodes.length)
    await database.pool.query(
      'analyze attendance_event, attendance_ledger, attendance_day, attendance_presence, project_worker, project_team, team',
    )
}
parentPort?.postMessage('attendance')
if (work.filesFolder) await seedHelmets(database, city, work.now, work.filesFolder)
if (work.filesFolder) await seedPictures(database, city, work.filesFolder)
await database.close()
