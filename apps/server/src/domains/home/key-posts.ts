import type { MainPage } from '@zhugong/contract/home/endpoints'
import { dictionaryOf, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { hasCome, isDue } from '../attendance/public.ts'

/** Posts whose holder must be on site (dictionary managerPost, `key`). */
const keyPosts = (dictionaryOf('managerPost')?.items ?? []).filter((item) => item.key === true).map((item) => item.code)

/** Holders of key posts on the current day: whether each is expected (A30) and came. */
const holders = (projects: readonly string[] | undefined, day: string) => sql`
  select pw.project_code, pw.post, pw.worker_name as name, d.first_in, coalesce(${isDue('d')}, false) as expected, coalesce(${hasCome('d')}, false) as present
  from project_worker pw left join attendance_day d on d.project_code = pw.project_code and d.worker_id = pw.worker_id and d.work_day = ${day}::date
  where pw.exit_time is null and pw.post = any (${keyPosts}) and ${allOf(...inProjects('pw.projectCode', projects))}`

/** 关键岗位未到 by project, for figures and panels: expected today and not present. Nobody is expected on rest days or suspended sites. */
export async function absentPostsByProject(ctx: Pick<Context, 'db'>, projects: readonly string[] | undefined, day: string) {
  const { rows } = await sql<{ projectCode: string; n: number }>`
    select project_code, count(*)::int as n from (${holders(projects, day)}) h where h.expected and not h.present group by 1`.execute(
    ctx.db,
  )
  return new Map(rows.map((row) => [row.projectCode, row.n]))
}

export async function keyPostsOf(ctx: Pick<Context, 'db'>, projectCode: string, day: string): Promise<MainPage['keyPosts']> {
  const { rows } = await sql<{ post: string; name: string; firstIn: Date | null; expected: boolean; present: boolean }>`
    select * from (${holders([projectCode], day)}) h order by post, name`.execute(ctx.db)
  return rows.map(({ post, name, firstIn, expected, present }) => ({
    post,
    name,
    expected,
    present,
    postName: dictName('managerPost', post) ?? post,
    since: firstIn ? formatInstant(firstIn).slice(11, 16) : null,
  }))
}
