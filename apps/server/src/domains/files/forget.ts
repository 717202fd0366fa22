import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Db } from '#kit/db'
import { pathOf } from './pictures.ts'
import type { FileSource } from './tables.ts'

/** Rows deleted per statement, so that concurrent uploads do not wait. */
const atOnce = 500

/** Deletes automatic pictures from before a moment; `only` restricts the ids. Files uploaded by users are never deleted. */
export async function forgetFiles(
  db: Db,
  folder: string,
  source: FileSource,
  { before, only }: { before?: Date; only?: readonly string[] },
): Promise<number> {
  let forgotten = 0
  for (;;) {
    const { rows } = await sql<{ sha256: string; smallSha256: string | null }>`
      delete from stored_file where id in (select id from stored_file where source = ${source}
        ${before ? sql`and create_time < ${before}` : sql``} ${only ? sql`and id = any (${only})` : sql``} limit ${atOnce})
      returning sha256, small_sha256`.execute(db)
    for (const sha256 of new Set(rows.flatMap((row) => (row.smallSha256 ? [row.sha256, row.smallSha256] : [row.sha256]))))
      await dropContent(db, folder, sha256)
    forgotten += rows.length
    if (rows.length < atOnce) return forgotten
  }
}

const isListed = async (db: Db, sha256: string): Promise<boolean> =>
  (await db
    .selectFrom('storedFile')
    .select('id')
    .where((eb) => eb.or([eb('sha256', '=', sha256), eb('smallSha256', '=', sha256)]))
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Several rows may share one content. The file is renamed before deletion, so that a row created meanwhile can get it back. */
async function dropContent(db: Db, folder: string, sha256: string): Promise<void> {
  const path = pathOf(folder, sha256)
  if (!existsSync(path) || (await isListed(db, sha256))) return
  const aside = `${path}.gone`
  await rename(path, aside)
  if (await isListed(db, sha256)) await rename(aside, path)
  else await rm(aside, { force: true })
}

/** Marks a just uploaded picture as one from a camera, so that it is deleted with those. Older files are not changed. */
export async function asVideo({ db, clock }: Pick<Context, 'db' | 'clock'>, id: string): Promise<void> {
  await sql`update stored_file set source = 'video' where id = ${id} and source is null and create_time > ${new Date(clock.now() - freshMs)}`.execute(
    db,
  )
}
const freshMs = 10 * 60_000
