import { deliveredScreens } from '@zhugong/contract/screens/delivered'
import { sql } from 'kysely'
import type { Db } from '#kit/db'

/** Updates the default screens to the product's version. A changed one gets a new version, which walls load automatically. */
export async function deliverScreens(db: Db): Promise<void> {
  for (const { id, level, name, description, body } of deliveredScreens) {
    const text = JSON.stringify(body)
    await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ version: number }>`
        insert into screen_template (id, group_id, level, name, description, body, state, published_version, delivered, create_by)
        values (${id}, null, ${level}, ${name}, ${description}, ${text}::jsonb, '1', 1, true, '随产品交付')
        on conflict (id) do update set name = excluded.name, description = excluded.description, body = excluded.body,
          published_version = screen_template.published_version + 1, version = screen_template.version + 1, update_time = now()
        where (screen_template.body, screen_template.name, screen_template.description) is distinct from (excluded.body, excluded.name, excluded.description)
        returning published_version as version`.execute(tx)
      for (const { version } of rows)
        await sql`insert into screen_version (template_id, version, body, note, publish_time, publish_by)
          values (${id}, ${version}, ${text}::jsonb, '随产品交付', now(), '平台')`.execute(tx)
    })
  }
}
