import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Db } from '#kit/db'
import { pathOf } from './pictures.ts'
import type { FileSource } from './tables.ts'

/** Rows of one statement: whoever uploads meanwhile does not wait. */
const atOnce = 500

/** Of pictures that came by themselves those that came before a moment; `only` names some of them. What people filed stays, whatever is named. */
export async function forgetFiles(
  db: Db,
  folder: string,
  source: FileSource,
  { before, only }: { before?: Date; only?: readonly string[] },
): Promise<number> {
  let forgotten = 0
  for (;;) {
    const { rows } = await sql<{ sha256: string }>`
      delete from stored_file where id in (select id from stored_file where source = ${source}
        ${before ? sql`and create_time < ${before}` : sql``} ${only ? sql`and id = any (${only})` : sql``} limit ${atOnce})
      returning sha256`.execute(db)
    for (const sha256 of new Set(rows.map((row) => row.sha256))) await dropContent(db, folder, sha256)
    forgotten += rows.length
    if (rows.length < atOnce) return forgotten
  }
}

const isListed = async (db: Db, sha256: string): Promise<boolean> =>
  (await db.selectFrom('storedFile').select('id').where('sha256', '=', sha256).limit(1).executeTakeFirst()) !== undefined

/** Several rows may stand on one content. It is laid aside before it goes: a row that came meanwhile has it back. */
async function dropContent(db: Db, folder: string, sha256: string): Promise<void> {
  const path = pathOf(folder, sha256)
  if (!existsSync(path) || (await isListed(db, sha256))) return
  const aside = `${path}.gone`
  await rename(path, aside)
  if (await isListed(db, sha256)) await rename(aside, path)
  else await rm(aside, { force: true })
}

/** A picture that somebody has just uploaded as one of a camera's goes with the days of those; nothing that was there before does. */
export async function asVideo({ db, clock }: Pick<Context, 'db' | 'clock'>, id: string): Promise<void> {
  await sql`update stored_file set source = 'video' where id = ${id} and source is null and create_time > ${new Date(clock.now() - freshMs)}`.execute(
    db,
  )
}
const freshMs = 10 * 60_000
