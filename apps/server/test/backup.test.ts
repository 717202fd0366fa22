import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { backUp } from '#kit/backup/backup'
import { BackupError, readManifest, writeManifest } from '#kit/backup/manifest'
import { restore } from '#kit/backup/restore'
import { type Database, openDatabase } from '#kit/db'
import { createSecrets } from '#kit/secret'
import { openCity, settleCity } from './city.ts'
import { cloneDatabase, migrationsFolder, type World } from './world.ts'

let world: World
let base: string
const secrets = () => createSecrets(world.config.secretKey)
const awkward = '制表\t换行\n回车\r反斜\\杠 \\N "引号" \'单引号\' 😀'
const picture = Buffer.from('a picture')
const pictureName = createHash('sha256').update(picture).digest('hex')

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  await settleCity(world)
  const { pool } = world.database
  await pool.query(`update project set address = $1 where id = (select id from project order by id limit 1)`, [awkward])
  // A past day, a future one, and one without a partition.
  await pool.query(`select telemetry_make_day('2026-01-05')`)
  await pool.query(
    `insert into telemetry (device_id, ts, received_at, schema_ver, v, w, extra) select d.id, t.ts::timestamptz, now(), 1, '{1.5,null,-0.25}', '{123456.789}', $1
     from (select id from device limit 5) d, unnest(array['2026-01-05 03:00+00', '2026-03-03 03:00+00', now()::text]) as t(ts)`,
    [JSON.stringify({ text: awkward })],
  )
  base = mkdtempSync(join(tmpdir(), 'zg-backup-'))
  const folder = join(world.config.dataDir, 'files', pictureName.slice(0, 2))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, pictureName), picture)
  writeFileSync(join(folder, `${pictureName}.0a1b2c3d`), 'half a pic')
})
afterAll(async () => {
  rmSync(base, { recursive: true, force: true })
  await world.close()
})

const quiet = () => undefined
const filesFolder = () => join(world.config.dataDir, 'files')
const into = (folder: string, more: Partial<Parameters<typeof backUp>[0]> = {}) =>
  backUp({ pool: world.database.pool, secrets: secrets(), filesFolder: filesFolder(), folder, progress: quiet, ...more })

async function withEmpty<T>(fn: (database: Database, bring: typeof restoreFrom, url: string) => Promise<T>): Promise<T> {
  const empty = await cloneDatabase(inject('postgresUrl'), 'template1')
  const database = openDatabase(empty.url, { max: 2, owner: true })
  const restoreFrom_ = (folder: string, key = secrets()) => restoreFrom(folder, key, database)
  try {
    return await fn(database, restoreFrom_, empty.url)
  } finally {
    await database.close()
    await empty.drop()
  }
}
const restoreFrom = (folder: string, key = secrets(), database?: Database) =>
  restore({
    pool: (database ?? world.database).pool,
    secrets: key,
    migrationsFolder,
    filesFolder: join(base, 'files-back'),
    folder,
    progress: quiet,
  })

/** Content of every table, and the structure from the catalogue. */
async function everything(pool: pg.Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> 'migration'`,
  )
  const out: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await pool.query<{ n: number; hash: string }>(
      `select count(*)::int as n, coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as hash from ${pg.escapeIdentifier(name)} t`,
    )
    out[name] = `${rows[0]?.n} ${rows[0]?.hash}`
  }
  const structure = async (kind: string, sql: string) => {
    const { rows } = await pool.query<{ line: string }>(sql)
    out[kind] = rows
      .map((r) => r.line)
      .sort()
      .join('\n')
  }
  await structure(
    '#constraints',
    `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated::text as line from pg_constraint where connamespace = 'public'::regnamespace`,
  )
  await structure('#indexes', `select indexdef as line from pg_indexes where schemaname = 'public'`)
  await structure('#policies', `select tablename || policyname || coalesce(qual, '') || coalesce(with_check, '') as line from pg_policies`)
  await structure('#triggers', `select tgrelid::regclass || tgname || tgenabled::text as line from pg_trigger where not tgisinternal`)
  await structure(
    '#sequences',
    `select sequencename || coalesce(last_value::text, '-') as line from pg_sequences where schemaname = 'public'`,
  )
  await structure('#migrations', `select name || hash as line from migration`)
  return out
}

const emptyOf = async (pool: pg.Pool) =>
  (await pool.query(`select 1 from pg_class where relnamespace = 'public'::regnamespace`)).rowCount === 0

test('what comes back is what was there: rows, structure, sequences, files and what is encrypted', async () => {
  const folder = join(base, 'whole')
  const before = await everything(world.database.pool)
  const taken = await into(folder)
  expect(taken.files).toBe(1)
  expect(taken.tables.find((t) => t.name === 'telemetry')?.rows).toBe(15)
  await withEmpty(async (database, bring) => {
    await bring(folder)
    expect(await everything(database.pool)).toEqual(before)
    const { rows } = await database.pool.query<{ id_card_number: Buffer; id_card_mask: string }>(
      'select id_card_number, id_card_mask from worker limit 1',
    )
    const card = secrets().open(rows[0]?.id_card_number) ?? ''
    expect(card.slice(-2)).toBe(rows[0]?.id_card_mask.slice(-2))
    // The triggers that notify other processes work again.
    await database.pool.query(`update device set name = name where id = (select id from device limit 1)`)
  })
  expect(readFileSync(join(base, 'files-back', pictureName.slice(0, 2), pictureName))).toEqual(picture)
  expect(existsSync(join(base, 'files-back', pictureName.slice(0, 2), `${pictureName}.0a1b2c3d`))).toBe(false)
})

test('a backup shows one moment, however much is written meanwhile', async () => {
  const { pool } = world.database
  const { rows } = await pool.query<{ id: string }>('select id from device limit 1')
  const device = rows[0]?.id ?? ''
  let going = true
  let pairs = 0
  const writing = (async () => {
    while (going) {
      // Two tables far apart in dump order, written in one transaction.
      await pool.query(
        `with a as (insert into device_event (device_id, ts, id, kind, data) values ($1, now(), $2, 'pair', '{}'))
         insert into telemetry (device_id, ts, seq, received_at, schema_ver, v) values ($1, now(), $3, now(), 99, '{}')`,
        [device, `pair:${pairs}`, 1_000 + pairs],
      )
      pairs++
    }
  })()
  const folder = join(base, 'busy')
  await into(folder)
  going = false
  await writing
  await withEmpty(async (database, bring) => {
    await bring(folder)
    const counted = await database.pool.query<{ events: number; readings: number }>(
      `select (select count(*)::int from device_event where kind = 'pair') as events, (select count(*)::int from telemetry where schema_ver = 99) as readings`,
    )
    expect(counted.rows[0]?.events).toBe(counted.rows[0]?.readings)
    expect(counted.rows[0]?.events).toBeLessThan(pairs)
  })
})

test('a damaged backup, one of another key, and a database that is in use are refused before anything is written', async () => {
  const folder = join(base, 'damaged')
  await into(folder)
  await withEmpty(async (database, bring) => {
    const wrong = createSecrets('another key of at least thirty-two characters')
    await expect(bring(folder, wrong)).rejects.toThrow('SECRET_KEY')
    const file = join(folder, 'tables', 'worker.copy.gz')
    const bytes = readFileSync(file)
    const middle = Math.floor(bytes.length / 2)
    bytes[middle] = (bytes[middle] ?? 0) ^ 1
    writeFileSync(file, bytes)
    await expect(bring(folder)).rejects.toThrow(/表 worker 的文件 .* 与备份时不同/)
    rmSync(file)
    await expect(bring(folder)).rejects.toThrow('缺少 tables/worker.copy.gz')
    rmSync(join(folder, 'manifest.json'))
    await expect(bring(folder)).rejects.toThrow('没有完整的备份')
    expect(await emptyOf(database.pool)).toBe(true)
  })
  await into(join(base, 'good'))
  await expect(restoreFrom(join(base, 'good'))).rejects.toThrow('数据库不是空的')
  await expect(into(join(base, 'good'))).rejects.toThrow('不是空的')
})

test('a backup of a newer version is refused', async () => {
  const folder = join(base, 'newer')
  await into(folder)
  const content = await readManifest(folder, secrets())
  await writeManifest(folder, { ...content, migrations: [...content.migrations, { name: '29991231-01-future.sql', hash: 'x' }] }, secrets())
  await withEmpty((_database, bring) => expect(bring(folder)).rejects.toThrow('29991231-01-future.sql'))
})

test('a restore that breaks off leaves the database as empty as it was', async () => {
  const folder = join(base, 'broken')
  await into(folder)
  const content = await readManifest(folder, secrets())
  const wrong = { ...content, tables: content.tables.map((t) => (t.name === 'worker' ? { ...t, rows: t.rows + 1 } : t)) }
  await writeManifest(folder, wrong, secrets())
  await withEmpty(async (database, bring) => {
    await expect(bring(folder)).rejects.toThrow(BackupError)
    expect(await emptyOf(database.pool)).toBe(true)
    await writeManifest(folder, content, secrets())
    await bring(folder)
    expect((await everything(database.pool)).worker).toEqual((await everything(world.database.pool)).worker)
  })
})

test('an account that sees only a part of the rows is refused: a part must not be taken for the whole', async () => {
  const { pool } = world.database
  await pool.query('drop policy runtime on device_event')
  await expect(into(join(base, 'narrow'))).rejects.toThrow('看不到表 device_event 的全部数据')
  await pool.query('create policy runtime on device_event to zg_runtime using (true) with check (true)')
})
