import { AppError } from '@zhugong/contract/kit/errors'
import type { Clock } from '#kit/clock'
import type { Group, GroupType, Principal } from '#kit/context'
import type { Database } from '#kit/db'
import { withinAll } from '#kit/reach'
import { findStanding, standAt } from './standing.ts'

/**
 * Who asked for work that is done in the background, with the rights he has now, as far as all the codes it `needs` reach. Throws AppError `forbidden` when he is no longer in the
 * group, or the project is no longer in its scope.
 */
export async function principalLater(
  { database, clock }: { database: Pick<Database, 'kysely'>; clock: Clock },
  { userId, groupId, projectCode }: { userId: string; groupId: string; projectCode: string },
  needs: readonly string[],
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
  const here = standAt(await findStanding(database.kysely, { group, userId, memberId: row.memberId }, clock.now()), projectCode)
  if (!here) throw new AppError('forbidden', '项目已不在您的管辖范围内')
  const user = { id: userId, account: row.account, name: row.userName, mustChangePassword: false }
  return withinAll({ ...here, sessionHash: '', group, projectCode, user }, needs)
}
