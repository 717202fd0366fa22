import pg from 'pg'
import { ConfigError } from './config.ts'
import type { Log } from './log.ts'

interface Unheld {
  name: string
  superuser: boolean
}
interface Login {
  name: string
  /** Owns the tables, and could therefore disable row-level security. */
  owns: boolean
  /** Is a member of the role zg_runtime. */
  admitted: boolean
}

/** For a cluster that may not contain our roles yet. */
const freeQuery = 'select current_user as name, rolsuper or rolbypassrls as superuser from pg_roles where rolname = current_user'
const loginQuery = `
  select current_user as name, pg_has_role(current_user, 'zg_runtime', 'member') as admitted,
    exists (select 1 from pg_class where relname = 'project' and relnamespace = 'public'::regnamespace and pg_has_role(current_user, relowner, 'member')) as owns
  from pg_roles where rolname = current_user`

/**
 * Refuses to start in production with a superuser, or with a login that bypasses row-level security.
 * @throws ConfigError naming the variable to change
 */
export async function refuseSuperuser(url: string): Promise<void> {
  const login = await lookAt<Unheld>(url, freeQuery)
  if (login.superuser)
    throw new ConfigError(
      `DATABASE_URL 的账号 ${login.name} 是超级用户或可绕过行级安全，请改用普通账号（见 docs/operating.md“数据库账号”）`,
    )
}

/**
 * Grants zg_runtime to the login of the running product when another login owns the tables. A login that owns the tables is accepted; the
 * log, if given, gets a warning.
 */
export async function admitRuntime(owner: pg.Pool, url: string, log?: Log): Promise<void> {
  const login = await lookAt<Login>(url, loginQuery)
  if (login.owns)
    log?.warn(`the login ${login.name} of DATABASE_URL owns the tables as well; give the owner as DATABASE_OWNER_URL (docs/operating.md)`)
  if (!login.admitted) await owner.query(`grant zg_runtime to ${pg.escapeIdentifier(login.name)}`)
}

async function lookAt<T extends pg.QueryResultRow>(url: string, query: string): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'zhugong-login', connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const { rows } = await client.query<T>(query)
    const [login] = rows
    if (!login) throw new ConfigError('DATABASE_URL 的账号在数据库里不存在')
    return login
  } finally {
    await client.end()
  }
}
