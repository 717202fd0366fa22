import { maskName } from '@zhugong/contract/kit/checks'
import { sql } from 'kysely'
import type { Context } from '#kit/context'

/** Maximum number of receivers per entry: holders of the permission to enter people at a site. */
const mostReported = 50
const needs = 'labour.entry'

/** Notifies the person's current sites and the person when a new site enters them by their papers, so that nobody is entered unnoticed. */
export async function tellOfEntry(
  ctx: Pick<Context, 'system' | 'clock' | 'newId' | 'afterCommit'>,
  person: { id: string; name: string },
  projectName: string,
): Promise<void> {
  const now = new Date(ctx.clock.now())
  ctx.afterCommit(async () => {
    const { rows } = await sql<{ userId: string; projectCode: string | null }>`
      select distinct on (m.user_id) m.user_id, s.project_code from project_worker s
        join tenant t on t.type = 3 and t.code = s.project_code and t.enable = '1' join member m on m.group_id = t.id and m.enable = '1'
        join member_role mr on mr.member_id = m.id join role r on r.id = mr.role_id and ${needs} = any (r.codes)
      where s.worker_id = ${person.id} and s.exit_time is null and s.confirmed_at is not null
        and (m.deadline is null or m.deadline >= ${now}::date) and (mr.deadline is null or mr.deadline >= ${now}::date)
      order by m.user_id limit ${mostReported}`.execute(ctx.system)
    const tell = (userId: string, projectCode: string | null, title: string, text: string, link: string) =>
      sql`insert into message (id, user_id, project_code, kind, title, text, link, create_time)
        values (${ctx.newId()}, ${userId}, ${projectCode}, 'labour', ${title}, ${text}, ${link}, ${now})`.execute(ctx.system)
    for (const { userId, projectCode } of rows)
      await tell(
        userId,
        projectCode,
        '在场人员在其他项目登记进场',
        `${maskName(person.name)}凭姓名和证件号码在“${projectName}”登记进场，请与本人核实`,
        `/personnelSystem/info/basic?id=${person.id}`,
      )
    const own = await sql<{ id: string }>`select id from app_user where worker_id = ${person.id} and enable = '1'`.execute(ctx.system)
    for (const { id } of own.rows)
      await tell(
        id,
        null,
        '您被登记进场',
        `“${projectName}”凭姓名和证件号码为您登记了进场。您过闸或在“我的材料”中确认后，该项目才能查看您的档案`,
        '/user/material',
      )
  })
}
