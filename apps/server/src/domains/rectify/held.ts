import { sql } from 'kysely'
import type { Context } from '#kit/context'

export interface NoticeWork {
  id: string
  action: string
  code: string | null
  byId: string
  projectCode: string
  projectName: string
  time: Date
}

const onSite = ['issue', 'serve', 'recheckPass', 'recheckFail']
const mostWork = 500

/** What accounts of the caller's group did on sites with its notices in this time: issued, served, rechecked. `byId`: one account only. */
export async function noticeWork(
  ctx: Pick<Context, 'db' | 'group'>,
  byId: string | undefined,
  from: Date,
  to: Date,
): Promise<NoticeWork[]> {
  const { rows } = await sql<NoticeWork>`select r.id, l.action, r.code, l.by_id, r.project_code, p.name as project_name, l.at as time
    from process_log l join rectify r on r.id = l.object_id join project p on p.project_code = r.project_code
    where l.kind = 'rectify' and l.action = any (${onSite}) and r.issuer_group = ${ctx.group.id} and l.at >= ${from} and l.at < ${to}
      and (${byId ?? null}::text is null or l.by_id = ${byId ?? null}) order by l.at, l.id limit ${mostWork}`.execute(ctx.db)
  return rows
}
