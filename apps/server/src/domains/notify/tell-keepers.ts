import { sql } from 'kysely'
import type { Context } from '#kit/context'

export interface ToKeepers {
  projectCode: string
  /** Null: nobody at a company. */
  corpCode: string | null
  /** A further group, for example the authority that issued a notice. */
  groupId?: string
  /** The project's own accounts have been told already. */
  exceptSite?: true
  /** Receivers are the holders of this permission code at the project, at the company and in the group. */
  code: string
  title: string
  text: string
  link: string
  /** Kind by which messages are sorted; defaults to dues. */
  kind?: string
}

/**
 * Notifies everyone responsible for a subject at a project, after the commit, except the caller. Returns the number of accounts. Reads
 * accounts and roles without row-level security, because the caller may not see the receivers.
 */
export async function tellKeepers(
  ctx: Pick<Context, 'system' | 'newId' | 'clock' | 'user' | 'afterCommit'>,
  what: ToKeepers,
): Promise<number> {
  const now = new Date(ctx.clock.now())
  const { rows } = await sql<{ id: string }>`
    select distinct u.id from tenant t
      join member m on m.group_id = t.id and m.enable = '1' and (m.deadline is null or m.deadline >= (${now}::timestamptz at time zone 'Asia/Shanghai')::date)
      join app_user u on u.id = m.user_id and u.enable = '1'
      join member_role mr on mr.member_id = m.id and (mr.deadline is null or mr.deadline >= (${now}::timestamptz at time zone 'Asia/Shanghai')::date)
      join role r on r.id = mr.role_id and r.groups_type = t.type and ${what.code} = any (r.codes)
    where t.enable = '1' and u.id <> ${ctx.user.id}
      and not exists (select 1 from sight_rule s where s.member_id = m.id and s.project_code = ${what.projectCode} and not s.shows
        and (s.modules is null or split_part(${what.code}, '.', 1) = any (s.modules))
        and (s.until is null or s.until >= (${now}::timestamptz at time zone 'Asia/Shanghai')::date))
      and ((t.type = 3 and t.code = ${what.projectCode} and not ${what.exceptSite ?? false}::boolean) or (t.type = 2 and t.code = ${what.corpCode}) or t.id = ${what.groupId ?? null})
    limit 100`.execute(ctx.system)
  ctx.afterCommit(async () => {
    for (const { id } of rows)
      await sql`insert into message (id, user_id, project_code, kind, title, text, link, create_time)
        values (${ctx.newId()}, ${id}, ${what.projectCode}, ${what.kind ?? 'due'}, ${what.title}, ${what.text}, ${what.link}, ${now})`.execute(
        ctx.system,
      )
  })
  return rows.length
}
