import { runningStates } from '@zhugong/contract/rectify/moves'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import type { Context } from '#kit/context'
import { replaceTodos, writeLog } from '../process/public.ts'
import { rectifyKind } from './kind.ts'

/**
 * Hands the running notices of a record to another authority (转办): from now on it acts in the issuer's place, up to the recheck. Number and
 * name of the issuer stay as printed. Runs in the transaction of the record that decides it. Returns the number of notices.
 */
export async function entrustNotices(
  ctx: Context,
  source: { kind: string; id: string },
  to: { groupId: string; groupName: string },
): Promise<number> {
  const { rows } = await sql<{ id: string }>`select id from rectify where source_kind = ${source.kind} and source_id = ${source.id}
    and issuer_group = ${ctx.group.id} and state = any (${[...runningStates]}::text[])`.execute(ctx.db)
  for (const { id } of rows) {
    const groups = sql`array(select distinct x from unnest(groups || ${to.groupId}::text) as x)`
    const values = { issuerGroup: to.groupId, groups }
    await changeRow(ctx, 'rectify', { key: { id }, version: null, noun: rectifyKind.noun, by: null, values })
    const after = await rectifyKind.lock(ctx, id)
    await writeLog(ctx, rectifyKind.kind, after, { action: 'entrust', from: after.state, to: after.state, opinion: `转办${to.groupName}` })
    await replaceTodos(ctx, rectifyKind, after)
  }
  return rows.length
}
