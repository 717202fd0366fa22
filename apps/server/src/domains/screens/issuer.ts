import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import type { Principal } from '#kit/context'
import { type Db, inScope, type Row } from '#kit/db'
import { reachOf, restrict } from '#kit/reach'
import { rightsLater } from '../access/public.ts'

const mayIssue = 'screens.wall'

type Link = Pick<Row<'screenToken'>, 'issuerId' | 'issuerGroupId' | 'groupId'>
/** The current rights of a display link's issuer, or the reason why the link is invalid. */
export type Issuer = { rights: Pick<Principal, 'codes' | 'bounds' | 'scope'> } | { fault: string }

/**
 * A display link has the rights of its issuer. The issuer must still be an active member of the issuing group, may issue links, and must
 * have access to the wall's group. Checked at every use, not cached.
 */
export async function issuerOf(db: Db, clock: Clock, { issuerId, issuerGroupId, groupId }: Link): Promise<Issuer> {
  if (!issuerId || !issuerGroupId) return { fault: '签发人已不存在' }
  const current = await rightsLater(
    { database: { kysely: db }, clock },
    { userId: issuerId, groupId: issuerGroupId, projectCode: '*' },
  ).catch((error: unknown) => {
    if (error instanceof AppError) return undefined
    throw error
  })
  if (!current) return { fault: '签发人已停用，或已不在签发机构' }
  if (!current.codes.has(mayIssue)) return { fault: '签发人已没有签发墙屏链接的权限' }
  if (issuerGroupId !== groupId && !(await answersFor(db, current, groupId))) return { fault: '签发人的机构已不管理这块墙屏所属的机构' }
  const reach = reachOf(current, [mayIssue])
  return { rights: { ...current, scope: reach ? restrict(current.scope, reach) : current.scope } }
}

const answersFor = (db: Db, { scope }: Pick<Principal, 'scope'>, groupId: string): Promise<boolean> =>
  inScope(db, scope, async (tx) => {
    const { rows } = await sql<{ below: boolean }>`select zg_is_platform() or zg_group_below(${groupId}) as below`.execute(tx)
    return rows[0]?.below ?? false
  })
