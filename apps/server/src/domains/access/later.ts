import { AppError } from '@zhugong/contract/kit/errors'
import type { Clock } from '#kit/clock'
import type { Group, GroupType, Principal } from '#kit/context'
import type { Database } from '#kit/db'
import { codesOfMember } from './roles.ts'
import { findScope } from './scope.ts'
import { narrow } from './scope-rules.ts'

/**
 * Who asked for work that is done in the background, with the rights he has now. Throws AppError `forbidden` when he is no longer in the
 * group, or the project is no longer in its scope.
 */
export async function principalLater(
  { database, clock }: { database: Database; clock: Clock },
  { userId, groupId, projectCode }: { userId: string; groupId: string; projectCode: string },
): Promise<Principal & { group: Group }> {
  const row = await database.kysely
    .selectFrom('member as m')
    .innerJoin('tenant as t', 't.id', 'm.groupId')
    .innerJoin('appUser as u', 'u.id', 'm.userId')
    .select(['m.id as memberId', 't.id', 't.type', 't.code', 't.name', 't.areaCode', 'u.account', 'u.name as userName'])
    .where('m.userId', '=', userId)
    .where('m.groupId', '=', groupId)
    .where('m.enable', '=', '1')
    .where('u.enable', '=', '1')
    .where('t.enable', '=', '1')
    .executeTakeFirst()
  if (!row) throw new AppError('forbidden', '您已不属于该机构')
  const group: Group = { id: row.id, type: row.type as GroupType, code: row.code, name: row.name, areaCode: row.areaCode }
  const scope = narrow(await findScope(database.kysely, group, userId), projectCode)
  if (!scope) throw new AppError('forbidden', '项目已不在您的管辖范围内')
  const codes = new Set(await codesOfMember(database.kysely, row.memberId, group.type, clock.now()))
  const user = { id: userId, account: row.account, name: row.userName, mustChangePassword: false }
  return { sessionHash: '', scope, codes, group, projectCode, user }
}
