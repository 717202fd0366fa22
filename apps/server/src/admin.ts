import { passwordProblem } from '@zhugong/contract/identity/password'
import { type Config, ConfigError } from '#kit/config'
import { openDatabase } from '#kit/db'
import { newId } from '#kit/ids'
import './domains/access/tables.ts'
import './domains/identity/tables.ts'
import { hashPassword, randomPassword } from '#domains/access/public'
import { deliverRoles } from '#domains/access/roles'

/** The platform's own group: there is one. */
const platformCode = 'platform'

/**
 * `npm run admin -- ACCOUNT [PASSWORD]`: the first platform administrator, or a new password for an existing one.
 * Without a password a random one is made and printed once; it must be changed at the first login.
 */
export async function createAdministrator(config: Config, args: readonly string[]): Promise<void> {
  const [account = '', given] = args
  if (!/^[a-zA-Z][\w.-]{3,31}$/.test(account)) throw new ConfigError('用法：npm run admin -- 账号 [密码]（账号为 4-32 位，以字母开头）')
  const problem = given === undefined ? undefined : passwordProblem(given, account)
  if (problem) throw new ConfigError(problem)
  const password = given ?? randomPassword()
  const database = openDatabase(config.databaseUrl ?? '', { max: 2, name: 'zhugong-admin' })
  const db = database.kysely
  try {
    await deliverRoles(db)
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
          mustChange: given === undefined,
        })
        .onConflict((conflict) =>
          conflict
            .column('account')
            .doUpdateSet((eb) => ({ passwordHash: eb.ref('excluded.passwordHash'), mustChange: given === undefined, enable: '1' })),
        )
        .returning('id')
        .executeTakeFirstOrThrow()
      const member = await tx
        .insertInto('member')
        .values({ id: newId(), userId: user.id, groupId: tenant.id, isDefault: true })
        .onConflict((conflict) => conflict.columns(['userId', 'groupId']).doUpdateSet({ enable: '1' }))
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx
        .insertInto('memberRole')
        .values({ memberId: member.id, roleId: role.id })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
    console.log(`平台管理员 ${account} 已就绪${given === undefined ? `，初始密码（只显示这一次）：${password}` : ''}`)
  } finally {
    await database.close()
  }
}
