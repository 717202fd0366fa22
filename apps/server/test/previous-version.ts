import { readdirSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { exportQueue } from '#domains/exports/run-export'
import { openDatabase } from '#kit/db'
import { migrate } from '#kit/migrate'
import { hashToken } from '#kit/serve'
import { migrationsFolder, type World } from './world.ts'

/** The migrations of the previous version, by their date. */
const previous = new Set(readdirSync(migrationsFolder).filter((name) => name.startsWith('20261121-')))

/** Token of a session that was created in the previous version. */
export const oldToken = 'a session of the version before'
/** Id of an export that was requested but not started when the previous version was stopped. */
export const waitingExport = 'waiting-export'

/** Codes that a group type had in the previous version and no longer has. */
const retiredCodes = [
  { type: 1, code: 'device-admin.edit' },
  { type: 2, code: 'labour.corp' },
  { type: 3, code: 'corporation.edit' },
] as const

/** Migrates an empty database to the previous version and fills it with the rows of a furnished world. */
export async function fillPrevious(ownerUrl: string, adminUrl: string, world: World): Promise<void> {
  const owner = openDatabase(ownerUrl, { max: 2, owner: true })
  try {
    await migrate(owner.pool, migrationsFolder, previous)
    await copyWorld(world.database.pool, adminUrl)
    await addOwn(owner.pool)
    await addQueue(ownerUrl)
  } finally {
    await owner.close()
  }
}

/**
 * Copies the world's rows into all tables of the previous version, for the columns that both have. The superuser disables triggers and
 * foreign keys, so the order does not matter.
 */
async function copyWorld(source: pg.Pool, adminUrl: string): Promise<void> {
  const target = new pg.Client({ connectionString: adminUrl })
  await target.connect()
  const reading = await source.connect()
  try {
    await target.query('set session_replication_role = replica')
    const known = await columnsOf(reading)
    const tables = [...(await columnsOf(target))].filter(([table]) => table !== 'migration')
    await target.query(`truncate ${tables.map(([table]) => pg.escapeIdentifier(table)).join(', ')}`)
    for (const [table, columns] of tables) {
      const both = columns.filter((column) => known.get(table)?.includes(column)).map(pg.escapeIdentifier)
      if (both.length === 0) continue
      const name = pg.escapeIdentifier(table)
      const from = reading.query(copyTo(`copy (select ${both} from ${name}) to stdout`))
      await pipeline(from, target.query(copyFrom(`copy ${name} (${both}) from stdin`)))
    }
  } finally {
    reading.release()
    await target.end()
  }
}

async function columnsOf(client: pg.ClientBase): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(`
    select relname as name, array_agg(attname::text order by attnum) as columns from pg_class c join pg_attribute a on a.attrelid = c.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname order by relname`)
  return new Map(rows.map((row) => [row.name, row.columns]))
}

/**
 * Inserts data that only the previous version wrote: terminals that may register again, audit rows without a chain, roles with retired
 * codes.
 */
async function addOwn(pool: pg.Pool): Promise<void> {
  await pool.query(
    `insert into jt808_terminal (device_id, phone, code_hash, registered_at, may_register_again)
     select id, access ->> 'phone', case n % 3 when 0 then null else '\\x01'::bytea end, case n % 3 when 0 then null else now() end, n % 3 = 2
     from (select id, access, row_number() over (order by id) as n from device where protocol = 'jt808') d where n % 4 > 0`,
  )
  await pool.query(
    `insert into audit_log (id, at, user_id, account, user_name, group_id, group_name, action, summary, ip)
     select 'old-' || m.id, now() - interval '1 day', u.id, u.account, u.name, m.group_id, '旧', '登录', '旧版本的一行', '127.0.0.1'
     from member m join app_user u on u.id = m.user_id`,
  )
  await pool.query(`insert into login_failure (account, failures, last_at) values ('nobody', 3, now())`)
  for (const { type, code } of retiredCodes) {
    await pool.query(
      `insert into role (id, group_id, groups_type, name, codes)
       select 'old-' || $1, min(t.id), $1::int, '自建角色', array['home.view', $2] from tenant t where t.type = $1::int`,
      [type, code],
    )
  }
  await pool.query(
    `insert into session (token_hash, user_id, group_id, live, entry, ip, expires_at, hard_expires_at)
     select $1, u.id, m.group_id, true, 'web', '127.0.0.1', now() + interval '1 hour', now() + interval '1 day'
     from app_user u join member m on m.user_id = u.id where u.account = 'admin'`,
    [hashToken(oldToken)],
  )
  await pool.query(
    `insert into export_task (id, user_id, group_id, feature, title, file_name, status, request)
     select $1, u.id, m.group_id, 'project', '项目列表', '项目列表.xlsx', 2, $2 from app_user u join member m on m.user_id = u.id where u.account = 'admin'`,
    [waitingExport, JSON.stringify({ query: {}, sensitive: false })],
  )
}

/** Creates the queue's tables as in the previous version, owned by the single login it used. */
async function addQueue(ownerUrl: string): Promise<void> {
  const boss = new PgBoss({ connectionString: ownerUrl, supervise: false, schedule: false })
  await boss.start()
  await boss.createQueue(exportQueue, { retryLimit: 2 })
  await boss.createQueue('clean-up')
  await boss.schedule('clean-up', '17 * * * *')
  await boss.send(exportQueue, { taskId: waitingExport })
  await boss.stop({ graceful: false })
}
