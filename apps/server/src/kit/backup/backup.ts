import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { cp, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Secrets } from '../secret.ts'
import { BackupError, hasManifest, type Manifest, writeManifest } from './manifest.ts'

export interface BackupOptions {
  pool: pg.Pool
  secrets: Secrets
  /** The folder of stored files; undefined: there are none. */
  filesFolder: string | undefined
  /** Target folder: new or empty. */
  folder: string
  progress(text: string): void
}

/** Suffix of files that are still being written. */
const isUnfinished = /\.[0-9a-f]{8}$/

function weigh() {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) }
}

/** Tables with their columns that are not generated; partitioned tables as a whole, without their partitions. */
const tablesQuery = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migration'
  group by c.relname order by c.relname`
const partitionsQuery = `
  select p.relname as parent, c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where c.relispartition and c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by c.relname`

/**
 * Makes a consistent backup while the product keeps running, without external PostgreSQL programs. All tables are copied in one snapshot
 * (COPY text format, gzip), then the stored files. Memory use does not grow with the data.
 * @throws BackupError when the folder is not empty or the account cannot see all rows
 */
export async function backUp(options: BackupOptions): Promise<Manifest> {
  const { pool, secrets, folder, progress } = options
  if (hasManifest(folder) || (existsSync(folder) && (await readdir(folder)).length > 0))
    throw new BackupError(`${folder} 不是空的，请给一个新目录`)
  await mkdir(join(folder, 'tables'), { recursive: true, mode: 0o700 })
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await becomeAllSeeing(client)
    const [server, migrations, tables, partitions, sequences] = [
      await client.query<{ server_version: string }>('show server_version'),
      await client.query<Manifest['migrations'][number]>('select name, hash from migration order by name'),
      await client.query<{ name: string; columns: string[] }>(tablesQuery),
      await client.query<Manifest['partitions'][number]>(partitionsQuery),
      await client.query<{ name: string }>(
        `select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace order by 1`,
      ),
    ]
    const content: Manifest = {
      format: 1,
      takenAt: new Date().toISOString(),
      server: server.rows[0]?.server_version ?? '',
      migrations: migrations.rows,
      tables: [],
      partitions: partitions.rows.filter((p) => p.bound !== 'DEFAULT'),
      sequences: [],
      files: 0,
    }
    for (const [i, { name, columns }] of tables.rows.entries()) {
      const file = join('tables', `${name}.copy.gz`)
      const weighed = weigh()
      const list = columns.map((c) => pg.escapeIdentifier(c)).join(', ')
      const from = client.query(copyTo(`copy (select ${list} from ${pg.escapeIdentifier(name)}) to stdout`))
      await pipeline(from, createGzip(), weighed.stream, createWriteStream(join(folder, file), { mode: 0o600 }))
      content.tables.push({ name, columns, rows: from.rowCount, file, ...weighed.result() })
      progress(`表 ${i + 1}/${tables.rows.length}  ${name}  ${from.rowCount} 行`)
    }
    for (const { name } of sequences.rows) {
      const { rows } = await client.query<{ last: string; called: boolean }>(
        `select last_value::text as last, is_called as called from ${pg.escapeIdentifier(name)}`,
      )
      if (rows[0]) content.sequences.push({ name, lastValue: rows[0].last, isCalled: rows[0].called })
    }
    await client.query('commit')
    // Copy files after the rows, so that every file that a row refers to is included.
    content.files = await copyFiles(options.filesFolder, join(folder, 'files'))
    if (content.files) progress(`附件 ${content.files} 个`)
    await writeManifest(folder, content, secrets)
    return content
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    if ((error as { code?: string }).code === '42501') throw new BackupError('当前数据库账号看不到全部数据，请使用表的属主账号备份')
    throw error
  } finally {
    client.release()
  }
}

const hiddenQuery = `
  select relname as name from pg_class c where relnamespace = 'public'::regnamespace and relrowsecurity and not exists (
    select 1 from pg_policies p where p.schemaname = 'public' and p.tablename = c.relname and p.policyname = 'runtime' and 'zg_runtime' = any (p.roles))`

/**
 * Switches to the product's role, which sees all rows of all tables. A role that sees only some rows must not produce a backup that looks
 * complete.
 * @throws BackupError when a table hides rows from the role
 */
async function becomeAllSeeing(client: pg.PoolClient): Promise<void> {
  await client.query('set local role zg_runtime')
  const { rows } = await client.query<{ name: string }>(hiddenQuery)
  if (rows[0]) throw new BackupError(`当前数据库账号看不到表 ${rows[0].name} 的全部数据，不能备份`)
}

/**
 * Copies stored files that are not in the target yet. Files are named by their content and never change. Returns the number of files in the
 * target.
 */
export async function copyFiles(from: string | undefined, to: string): Promise<number> {
  if (!from || !existsSync(from)) return 0
  await cp(from, to, { recursive: true, force: false, errorOnExist: false, filter: (source) => !isUnfinished.test(source) })
  const found = await readdir(to, { recursive: true, withFileTypes: true })
  return found.filter((one) => one.isFile()).length
}
