import pg from 'pg'
import { ConfigError } from './config.ts'
import type { Log } from './log.ts'

interface Login {
  name: string
  superuser: boolean
  /** Owns the tables, and so could change what holds it. */
  owns: boolean
  /** May become zg_runtime. */
  admitted: boolean
}

const loginQuery = `
  select current_user as name, rolsuper or rolbypassrls as superuser, pg_has_role(current_user, 'zg_runtime', 'member') as admitted,
    exists (select 1 from pg_class where relname = 'project' and relnamespace = 'public'::regnamespace and pg_has_role(current_user, relowner, 'member')) as owns
  from pg_roles where rolname = current_user`

/**
 * Looks at the login the running product is going to use, and lets it become zg_runtime where the owner is another. In production a
 * superuser is refused, since nothing holds it; a login that owns the tables works, and is told what it could be.
 * @throws ConfigError naming the variable to change
 */
export async function admitRuntime(owner: pg.Pool, url: string, log: Log, strict: boolean): Promise<void> {
  const login = await lookAt(url)
  if (login.superuser && strict)
    throw new ConfigError(
      `DATABASE_URL 的账号 ${login.name} 是超级用户或可绕过行级安全，请改用普通账号（见 docs/operating.md“数据库账号”）`,
    )
  if (login.owns && strict)
    log.warn(
      `DATABASE_URL 的账号 ${login.name} 也是表的属主；建议用 DATABASE_OWNER_URL 给出属主，让运行账号与它分开（见 docs/operating.md）`,
    )
  if (!login.admitted) await owner.query(`grant zg_runtime to ${pg.escapeIdentifier(login.name)}`)
}

async function lookAt(url: string): Promise<Login> {
  const client = new pg.Client({ connectionString: url, application_name: 'zhugong-login', connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    const { rows } = await client.query<Login>(loginQuery)
    const [login] = rows
    if (!login) throw new ConfigError('DATABASE_URL 的账号在数据库里不存在')
    return login
  } finally {
    await client.end()
  }
}
