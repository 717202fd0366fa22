import type * as contract from '@zhugong/contract/access/admins'
import { sql } from 'kysely'
import { allOf, condition, contains } from '#kit/list'
import type { HandlerOf } from '#kit/serve'
import { isBelow } from './groups-below.ts'

const groupsShown = 100
export const groupsBelow: HandlerOf<typeof contract.groupsBelow> = async ({ query }, ctx) => {
  const where = allOf(condition(isBelow(ctx)), ...contains('t.name', query.name))
  const { rows } = await sql<{ id: string; name: string; groupsType: number }>`
    select t.id, t.name, t.type as groups_type from tenant t where ${where} order by t.type, t.name limit ${groupsShown}`.execute(
    ctx.system,
  )
  return { list: rows, total: rows.length }
}
