import { keyPosts } from '@zhugong/contract/attendance/facts'
import { sql } from 'kysely'
import type { Db } from '#kit/db'
import { allOf, inProjects } from '#kit/list'
import { isInside } from './day-list.ts'
import { attendanceRate, type Due, dueColumns, hasCome, sumDue } from './due.ts'

/** Figures of one project's current working day. */
export interface Presence extends Due {
  projectCode: string
  /** 在册: entered and not exited. */
  inPlace: number
  /** 今日出勤: everyone who came, expected or not. */
  attended: number
}

/** 在册, 今日出勤 and 实到 / 应到 by project, for every page that shows them. `day` is the current working day. */
export async function presenceByProject(db: Db, projects: readonly string[] | undefined, day: string): Promise<Map<string, Presence>> {
  const { rows } = await sql<Presence>`
    select project_code, sum(in_place)::int as in_place, sum(attended)::int as attended, sum(expected)::int as expected,
      sum(arrived)::int as arrived from (
      select pw.project_code, count(*) as in_place, 0 as attended, 0 as expected, 0 as arrived
      from project_worker pw where pw.exit_time is null and ${allOf(...inProjects('pw.projectCode', projects))} group by 1
      union all
      select d.project_code, 0, count(*) filter (where ${hasCome('d')}), ${dueColumns('d')}
      from attendance_day d where d.work_day = ${day}::date and ${allOf(...inProjects('d.projectCode', projects))} group by 1) both_of
    group by 1`.execute(db)
  return new Map(rows.map((row) => [row.projectCode, row]))
}

/** 出勤率 of several projects together; null if nobody is expected. */
export const presenceRate = (sites: Iterable<Due>): number | null => attendanceRate(sumDue(sites))

/** A key post of a site at one moment, by its gates. */
export interface PostPresence {
  /** Dictionary managerPost. */
  post: string
  /** Null: nobody holds it. */
  name: string | null
  state: 'in' | 'out' | 'never' | 'vacant'
  /** The last passage of the day. */
  at: Date | null
}

/** Every holder of a key post with whether he is on the site at `now`, and the vacant posts. `day` is the running work day. */
export async function keyPostPresence(db: Db, projectCode: string, day: string, now: number): Promise<PostPresence[]> {
  type Raw = { post: string; name: string; inside: boolean; lastIn: Date | null; lastOut: Date | null }
  const { rows } =
    await sql<Raw>`select pw.post, pw.worker_name as name, ${isInside('ap', 'pw', now)} as inside, d.first_in as last_in, d.last_out
    from project_worker pw left join attendance_presence ap on ap.project_code = pw.project_code and ap.worker_id = pw.worker_id
    left join attendance_day d on d.project_code = pw.project_code and d.worker_id = pw.worker_id and d.work_day = ${day}::date
    where pw.project_code = ${projectCode} and pw.exit_time is null and pw.post = any (${Object.keys(keyPosts)})
    order by pw.post, pw.worker_name`.execute(db)
  return Object.keys(keyPosts).flatMap((post): PostPresence[] => {
    const holders = rows.filter((row) => row.post === post)
    if (holders.length === 0) return [{ post, name: null, state: 'vacant', at: null }]
    return holders.map(({ name, inside, lastIn, lastOut }) => ({
      post,
      name,
      state: inside ? 'in' : (lastIn ?? lastOut) ? 'out' : 'never',
      at: inside ? lastIn : (lastOut ?? lastIn),
    }))
  })
}
