import { passwordProblem } from '@zhugong/contract/identity/password'
import { sql } from 'kysely'
import { type Config, ConfigError } from '#kit/config'
import { openDatabase } from '#kit/db'
import { newId } from '#kit/ids'
import { createLog } from '#kit/log'
import { runningPostgresUrl, startPostgres } from '#kit/postgres/launcher'
import './domains/access/tables.ts'
import './domains/identity/tables.ts'
import { hashPassword, randomPassword } from '#domains/access/public'
import { deliver } from './delivery.ts'

/** Code of the platform's group; there is exactly one. */
const platformCode = 'platform'

/**
 * `npm run admin -- ACCOUNT [PASSWORD]`: creates the first platform administrator, or sets a new password for an existing one. It also
 * removes the second factor, so that a user who lost phone and recovery codes can log in again. Without PASSWORD a random one is created
 * and printed once; it must be changed at the first login. Uses the database of DATABASE_URL, otherwise the embedded one of DATA_DIR, as
 * backups do.
 * @throws ConfigError when the arguments are invalid, or when the database has no tables yet, naming the command that creates them
 */
export async function createAdministrator(config: Config, args: readonly string[]): Promise<void> {
  const [account = '', given] = args
  if (!/^[a-zA-Z][\w.-]{3,31}$/.test(account)) throw new ConfigError('用法：npm run admin -- 账号 [密码]（账号为 4-32 位，以字母开头）')
  const problem = given === undefined ? undefined : passwordProblem(given, account)
  if (problem) throw new ConfigError(problem)
  const password = given ?? randomPassword()
  const running = config.databaseUrl ?? runningPostgresUrl(config.dataDir)
  const own = running ? undefined : await startPostgres({ dataDir: config.dataDir, log: createLog('admin', 'warn') })
  const url = running ?? own?.url ?? ''
  try {
    await requireTables(url, config.databaseUrl !== undefined)
    await writeAdministrator(url, config.databaseUrl === undefined, account, password, given === undefined)
  } finally {
    await own?.stop()
  }
  console.log(`平台管理员 ${account} 已就绪${given === undefined ? `，初始密码（只显示这一次）：${password}` : ''}`)
}

async function requireTables(url: string, external: boolean): Promise<void> {
  // Keep the login of the URL: before the first migration the role zg_runtime does not exist.
  const database = openDatabase(url, { max: 1, name: 'zhugong-admin', owner: true })
  try {
    const { rows } = await database.pool.query<{ there: boolean }>(`select to_regclass('public.role') is not null as there`)
    if (!rows[0]?.there)
      throw new ConfigError(
        external
          ? '数据库里还没有表：请先运行 node scripts/program.mjs migrate（见 docs/operating.md“启动”）'
          : '内置数据库里还没有数据：请先运行 npm start 建立演示城市；用于生产请设置 DATABASE_URL',
      )
  } finally {
    await database.close()
  }
}

async function writeAdministrator(url: string, embedded: boolean, account: string, password: string, mustChange: boolean): Promise<void> {
  const database = openDatabase(url, { max: 2, name: 'zhugong-admin', owner: embedded })
  const db = database.kysely
  try {
    await deliver(db)
    await db.transaction().execute(async (tx) => {
      const tenant =
        (await tx.selectFrom('tenant').select('id').where('type', '=', 0).where('code', '=', platformCode).executeTakeFirst()) ??
        (await tx
          .insertInto('tenant')
          .values({ id: newId(), type: 0, code: platformCode, name: '平台运营中心', sysName: '筑工' })
          .returning('id')
          .executeTakeFirstOrThrow())
      const role = await tx
        .selectFrom('role')
        .select('id')
        .where('groupId', 'is', null)
        .where('groupsType', '=', 0)
        .where('name', '=', '平台管理员')
        .executeTakeFirstOrThrow()
      const user = await tx
        .insertInto('appUser')
        .values({
          id: newId(),
          account: account.toLowerCase(),
          name: '平台管理员',
          passwordHash: await hashPassword(password),
          mustChange,
        })
        .onConflict((conflict) =>
          conflict.column('account').doUpdateSet((eb) => ({
            passwordHash: eb.ref('excluded.passwordHash'),
            mustChange,
            enable: '1',
            otpSecret: null,
            otpPending: null,
            otpStep: null,
            recoveryCodes: [],
          })),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      const member = await tx
        .insertInto('member')
        .values({ id: newId(), userId: user.id, groupId: tenant.id, isDefault: true })
        .onConflict((conflict) => conflict.columns(['userId', 'groupId']).doUpdateSet({ enable: '1' }))
        .returning('id')
        .executeTakeFirstOrThrow()
      // Clear the list of allowed addresses: the operator may log in from an address that it does not contain.
      await sql`update setting set value = value - 'adminAddresses' where key = 'safety'`.execute(tx)
      await tx
        .insertInto('memberRole')
        .values({ memberId: member.id, roleId: role.id })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
  } finally {
    await database.close()
  }
}
