import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { migrate, readMigrations } from '../migrate.ts'
import type { Secrets } from '../secret.ts'
import { inTransaction } from '../transaction.ts'
import { copyFiles } from './backup.ts'
import { BackupError, type Manifest, readManifest, verifyTables } from './manifest.ts'

export interface RestoreOptions {
  pool: pg.Pool
  secrets: Secrets
  migrationsFolder: string
  filesFolder: string
  /** Folder of the backup. */
  folder: string
  progress(text: string): void
}

const name = (text: string) => pg.escapeIdentifier(text)

/**
 * Restores a backup into an empty database. Creates the tables of the backup's version, then writes all rows in one transaction, so that a
 * failed restore leaves nothing behind. Later migrations are applied at the next start.
 * @throws BackupError before anything is written when the backup is damaged, of another key or of a newer version, or the database is not
 * empty
 */
export async function restore(options: RestoreOptions): Promise<Manifest> {
  const { pool, secrets, folder, progress } = options
  const content = await readManifest(folder, secrets)
  checkVersion(content, options.migrationsFolder)
  progress('核对备份文件')
  await verifyTables(folder, content)
  await checkEmpty(pool)
  // Copy files first, so that no row refers to a missing file.
  await copyFiles(join(folder, 'files'), options.filesFolder)
  try {
    await migrate(pool, options.migrationsFolder, new Set(content.migrations.map((m) => m.name)))
    await inTransaction(pool, (client) => fill(client, content, options))
  } catch (error) {
    // Empty the database again, so that the restore can be retried.
    await pool.query('drop schema public cascade; create schema public')
    throw error
  }
  await pool.query('analyze')
  return content
}

function checkVersion(content: Manifest, migrationsFolder: string): void {
  const known = new Map(readMigrations(migrationsFolder).map((m) => [m.name, m.hash]))
  const strange = content.migrations.find((m) => known.get(m.name) !== m.hash)
  if (strange) throw new BackupError(`备份的数据库结构（${strange.name}）不是本版本所知的，请用备份时或更新的版本恢复`)
}

async function checkEmpty(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') limit 1`,
  )
  if (rows[0]) throw new BackupError(`数据库不是空的（已有表 ${rows[0].name}）。恢复只写入空库，请新建数据库后再试`)
}

async function fill(client: pg.PoolClient, content: Manifest, { folder, progress }: RestoreOptions): Promise<void> {
  const tables = content.tables.map((t) => name(t.name)).join(', ')
  // Remove rows inserted by migrations; the backup contains them as they were.
  await client.query(`truncate ${tables}`)
  // Rows are written table by table: drop foreign keys and check them when all rows are there. Disable triggers, which notify other
  // processes of new rows.
  const { rows: links } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'f' and connamespace = 'public'::regnamespace and conparentid = 0`,
  )
  const { rows: result } = await client.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not tgisinternal and c.relnamespace = 'public'::regnamespace`,
  )
  // COPY FROM is not possible under row-level security: switch off its enforcement for the owner within this transaction.
  const { rows: forced } = await client.query<{ table: string }>(
    `select oid::regclass::text as table from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity`,
  )
  for (const one of forced) await client.query(`alter table ${one.table} no force row level security`)
  for (const link of links) await client.query(`alter table ${link.table} drop constraint ${name(link.name)}`)
  for (const one of result) await client.query(`alter table ${one.table} disable trigger ${name(one.name)}`)
  for (const { parent, name: part, bound } of content.partitions)
    await client.query(`create table if not exists ${name(part)} partition of ${name(parent)} ${bound}`)
  for (const [i, table] of content.tables.entries()) {
    const into = client.query(copyFrom(`copy ${name(table.name)} (${table.columns.map(name).join(', ')}) from stdin`))
    await pipeline(createReadStream(join(folder, table.file)), createGunzip(), into)
    if (into.rowCount !== table.rows)
      throw new BackupError(`表 ${table.name} 恢复了 ${into.rowCount} 行，备份时为 ${table.rows} 行，已全部撤销`)
    progress(`表 ${i + 1}/${content.tables.length}  ${table.name}  ${table.rows} 行`)
  }
  progress('核对关联')
  for (const link of links) await client.query(`alter table ${link.table} add constraint ${name(link.name)} ${link.definition}`)
  for (const one of result) await client.query(`alter table ${one.table} enable trigger ${name(one.name)}`)
  for (const one of forced) await client.query(`alter table ${one.table} force row level security`)
  for (const { name: sequence, lastValue, isCalled } of content.sequences)
    await client.query('select setval($1::regclass, $2::bigint, $3)', [name(sequence), lastValue, isCalled])
}
