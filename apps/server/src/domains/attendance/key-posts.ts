import { keyPosts } from '@zhugong/contract/attendance/facts'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Db } from '#kit/db'
import { allOf, inProjects } from '#kit/list'
import { runningDay } from './day-list.ts'

export interface KeyPostToday {
  projectCode: string
  workerId: string
  post: string
  name: string
  firstIn: Date | null
  present: boolean
  /** Has to be here today: no rest day, no leave, no stop of work. */
  due: boolean
}

/** Who holds a key post and whether he came today; whoever is due and did not come is what 关键岗位未到 counts everywhere. */
export async function keyPostsToday(
  ctx: Pick<Context, 'clock'> & { db: Db },
  projects: readonly string[] | undefined,
): Promise<KeyPostToday[]> {
  const today = await runningDay(ctx, projects?.length === 1 ? projects[0] : undefined)
  const { rows } = await sql<KeyPostToday>`
    select pw.project_code, pw.worker_id, pw.post, pw.worker_name as name, d.first_in, coalesce(d.record_count > 0, false) as present,
      coalesce(d.expected, false) as due
    from project_worker pw
      left join attendance_day d on d.project_code = pw.project_code and d.worker_id = pw.worker_id and d.work_day = ${today}::date
    where pw.exit_time is null and pw.post = any (${Object.keys(keyPosts)}) and ${allOf(...inProjects('pw.projectCode', projects))}
    order by pw.project_code, pw.post, pw.worker_name, pw.id`.execute(ctx.db)
  return rows
}
