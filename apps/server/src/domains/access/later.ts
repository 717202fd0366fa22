import { AppError } from '@zhugong/contract/kit/errors'
import type { Clock } from '#kit/clock'
import type { Group, GroupType, Principal } from '#kit/context'
import type { Database } from '#kit/db'
import { withinAll } from '#kit/reach'
import { findMemberRights, rightsAt } from './member-rights.ts'

interface Deps {
  database: Pick<Database, 'kysely'>
  clock: Clock
}
interface Who {
  userId: string
  groupId: string
  projectCode: string
}
type Later = Principal & { group: Group }

/**
 * The principal for background work, with the current rights of the user who requested it, limited to projects where all codes in
 * `needs` apply.
 * Throws AppError `forbidden` if the user is no longer in the group, or the project is no longer in its scope.
 */
export const principalLater = async (deps: Deps, who: Who, needs: readonly string[]): Promise<Later> =>
  withinAll(await rightsLater(deps, who), needs)

/** A user's current rights without that limit. Throws AppError `forbidden` as `principalLater` does. */
export async function rightsLater({ database, clock }: Deps, { userId, groupId, projectCode }: Who): Promise<Later> {
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
  const here = rightsAt(await findMemberRights(database.kysely, { group, userId, memberId: row.memberId }, clock.now()), projectCode)
  if (!here) throw new AppError('forbidden', '项目已不在您的管辖范围内')
  const user = { id: userId, account: row.account, name: row.userName, mustChangePassword: false }
  return { ...here, sessionHash: '', group, projectCode, user }
}
