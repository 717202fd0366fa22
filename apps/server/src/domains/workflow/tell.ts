import { sql } from 'kysely'
import type { Item, WorkContext } from './model.ts'
import type { Person } from './people.ts'

export const itemLink = (id: string) => `/workbench/approvalDetail?id=${id}`

/** Notifies people after the commit; the actor is not notified. */
export function tellPeople(
  ctx: Pick<WorkContext, 'system' | 'newId' | 'clock' | 'user' | 'afterCommit'>,
  people: readonly Pick<Person, 'id'>[],
  item: Pick<Item, 'id' | 'projectCode' | 'title'>,
  text: string,
): void {
  const ids = [...new Set(people.map((p) => p.id))].filter((id) => id !== ctx.user.id)
  const now = new Date(ctx.clock.now())
  ctx.afterCommit(async () => {
    for (const id of ids)
      await sql`insert into message (id, user_id, project_code, kind, title, text, link, create_time)
        values (${ctx.newId()}, ${id}, ${item.projectCode}, 'approval', ${text}, ${item.title}, ${itemLink(item.id)}, ${now})`.execute(
        ctx.system,
      )
  })
}
