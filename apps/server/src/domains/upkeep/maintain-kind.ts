import { sql } from 'kysely'
import { found } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Seat } from '../process/public.ts'

export const deviceMaintain = 'deviceMaintenance'
export type Maintenance = Row<'deviceMaintain'>

/** The seat of whoever accepts a job; filled when the job is registered. */
const seats = async (_ctx: unknown, row: Maintenance): Promise<readonly Seat[]> => {
  const { code, stayId, type, maintainDate, maintainCorp, maintainers, content, parts, result } = row
  return [
    {
      seat: 'acceptor',
      role: '验收人',
      from: [],
      expects: row.acceptor,
      known: { name: row.acceptor, at: row.createTime },
      content: { code, stayId, type, maintainDate, maintainCorp, maintainers, content, parts, result },
    },
  ]
}

/** 设备维保: work done. It has no steps and is never changed. */
export const maintainKind: Kind<Maintenance, Record<never, never>> & { seats: typeof seats } = {
  kind: deviceMaintain,
  noun: '设备维保',
  table: 'deviceMaintain',
  moves: {},
  stateName: () => '已登记',
  lock: async (ctx, id) => {
    const { rows } = await sql<Maintenance>`select * from device_maintain where id = ${id} for update`.execute(ctx.db)
    return found(rows[0], '设备维保')
  },
  turns: {},
  hinder: () => undefined,
  seats,
  todos: () => [],
}
