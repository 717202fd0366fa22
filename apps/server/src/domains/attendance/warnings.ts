import { keyPosts } from '@zhugong/contract/attendance/facts'
import type { AttendanceSetting } from '@zhugong/contract/attendance/setting-model'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { evaluate } from './engine/day.ts'
import { type KeyPostOutlook, keyPostOutlook, thresholdOf } from './engine/key-post.ts'
import { addDays, dateOf } from './engine/time.ts'
import { calendarOf, versionOn } from './engine/work-day.ts'
import { findFacts, findVersions } from './facts-store.ts'

/** The setting's fields that control warnings. */
export type Thresholds = Pick<
  AttendanceSetting,
  | 'absentAlarmDays'
  | 'ageMaleMax'
  | 'ageFemaleMax'
  | 'ageMin'
  | 'alarmsOff'
  | 'keyPostRate'
  | 'tellRoles'
  | 'tellChannels'
  | 'quietFrom'
  | 'quietTo'
>

/** The setting in force today; thresholds and receivers of warnings are read from it. */
export async function thresholdsOf(db: Db, projectCode: string, now: number): Promise<Thresholds> {
  const versions = await findVersions(db, projectCode)
  return versionOn(versions, calendarOf(versions, []).workDayOf(now)).setting
}

export interface KeyPostWarning {
  workerId: string
  month: string
  threshold: number
  outlook: KeyPostOutlook
}

/**
 * A57: holders of key posts who missed the threshold last month, or cannot reach it this month. A month in which the site's attendance
 * began is not judged, because earlier days are unknown.
 */
export async function keyPostWarnings(db: Db, projectCode: string, now: number): Promise<KeyPostWarning[]> {
  const { rows } = await sql<{ workerId: string; post: string }>`
    select distinct worker_id, post from project_worker
    where project_code = ${projectCode} and exit_time is null and post = any (${Object.keys(keyPosts)})`.execute(db)
  const chain = await db.selectFrom('attendanceChain').select('daysFrom').where('projectCode', '=', projectCode).executeTakeFirst()
  const running = dateOf(now).slice(0, 7)
  const last = addDays(`${running}-01`, -1).slice(0, 7)
  const months = [last, running].filter((month) => chain?.daysFrom && chain.daysFrom <= `${month}-01`)
  if (rows.length === 0 || months.length === 0) return []
  const { facts } = await findFacts(
    db,
    projectCode,
    { from: `${last}-01`, to: dateOf(now) },
    now,
    rows.map((r) => r.workerId),
  )
  return rows.flatMap(({ workerId, post }) => {
    const own = facts.get(workerId)
    if (!own) return []
    const evaluation = evaluate(own)
    return months.flatMap((month) => {
      const outlook = keyPostOutlook(own, evaluation, month, post)
      if (!outlook || !(month === last ? outlook.settled && outlook.below : outlook.unreachable)) return []
      return { workerId, month, outlook, threshold: thresholdOf(post, versionOn(own.versions, `${month}-28`).setting.keyPostRate) ?? 0 }
    })
  })
}
