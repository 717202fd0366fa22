import type * as contract from '@zhugong/contract/access/endpoints'
import { parseInstant } from '@zhugong/contract/kit/fields'
import { formatInstant } from '#kit/clock'
import { anywhere, pageOf } from '#kit/list'
import type { HandlerOf } from '#kit/serve'

export const listAudit: HandlerOf<typeof contract.listAudit> = async ({ query }, ctx) => {
  let rows = ctx.db.selectFrom('auditLog')
  if (!ctx.scope.all) rows = rows.where('groupId', '=', ctx.group.id)
  if (query.account) rows = rows.where('account', 'ilike', anywhere(query.account))
  if (query.summary) rows = rows.where('summary', 'ilike', anywhere(query.summary))
  const from = query.startTime ? parseInstant(query.startTime) : undefined
  const to = query.endTime ? parseInstant(query.endTime) : undefined
  if (from) rows = rows.where('at', '>=', new Date(from))
  if (to) rows = rows.where('at', '<', new Date(to))
  const list = await rows.selectAll().orderBy('at', 'desc').orderBy('id').$call(pageOf(query)).execute()
  const { total } = await rows.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return {
    list: list.map((row) => ({
      id: row.id,
      at: formatInstant(row.at),
      account: row.account,
      userName: row.userName,
      groupName: row.groupName,
      action: row.action,
      summary: row.summary,
      objectId: row.objectId,
      projectCode: row.projectCode,
      result: row.result,
      ip: row.ip,
    })),
    total,
  }
}
