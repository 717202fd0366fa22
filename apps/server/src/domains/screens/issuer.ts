import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import type { Principal } from '#kit/context'
import { type Db, inScope, type Row } from '#kit/db'
import { reachOf, restrict } from '#kit/reach'
import { standingLater } from '../access/public.ts'

const mayIssue = 'screens.wall'

type Link = Pick<Row<'screenToken'>, 'issuerId' | 'issuerGroupId' | 'groupId'>
/** What whoever issued a display link may do today, or why the link is worth nothing any more. */
export type Issuer = { rights: Pick<Principal, 'codes' | 'bounds' | 'scope'> } | { fault: string }

/**
 * A display link is worth what its issuer could look at himself: he is still at work for the group he issued it in, may issue links, and
 * answers for the group whose wall it is. Asked at every use, never kept.
 */
export async function issuerOf(db: Db, clock: Clock, { issuerId, issuerGroupId, groupId }: Link): Promise<Issuer> {
  if (!issuerId || !issuerGroupId) return { fault: '签发人已不存在' }
  const standing = await standingLater(
    { database: { kysely: db }, clock },
    { userId: issuerId, groupId: issuerGroupId, projectCode: '*' },
  ).catch((error: unknown) => {
    if (error instanceof AppError) return undefined
    throw error
  })
  if (!standing) return { fault: '签发人已停用，或已不在签发机构' }
  if (!standing.codes.has(mayIssue)) return { fault: '签发人已没有签发墙屏链接的权限' }
  if (issuerGroupId !== groupId && !(await answersFor(db, standing, groupId))) return { fault: '签发人的机构已不管理这块墙屏所属的机构' }
  const reach = reachOf(standing, [mayIssue])
  return { rights: { ...standing, scope: reach ? restrict(standing.scope, reach) : standing.scope } }
}

const answersFor = (db: Db, { scope }: Pick<Principal, 'scope'>, groupId: string): Promise<boolean> =>
  inScope(db, scope, async (tx) => {
    const { rows } = await sql<{ below: boolean }>`select zg_is_platform() or zg_group_below(${groupId}) as below`.execute(tx)
    return rows[0]?.below ?? false
  })
