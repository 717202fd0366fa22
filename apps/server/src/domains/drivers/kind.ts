import { type DriverState, driverMoves, driverStates } from '@zhugong/contract/drivers/calls'
import { driverTypes } from '@zhugong/contract/drivers/rules'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'

export type Driver = Row<'machineDriver'>

/** Of history and to-dos. */
export const driverKindName = 'machineDriver'
const noun = '司机'
const isOfSite = (type: number) => type === groupTypes.project || type === groupTypes.corporation

/** 司机: registered by the site, audited by 监理 or by the company. */
export const driverKind = {
  kind: driverKindName,
  noun,
  table: 'machineDriver',
  moves: driverMoves,
  stateName: (state) => driverStates[state as DriverState] ?? state,
  lock: (ctx, id) => readDriverRow(ctx, id, true),
  turns: {
    // Among companies the part in the project decides. An authority only looks on.
    site: (ctx) => isOfSite(ctx.group.type),
    auditor: (ctx) => isOfSite(ctx.group.type),
  },
  hinder: (ctx, row, action) =>
    (action === 'pass' || action === 'reject') && row.createBy === ctx.user.id ? '不能审核自己登记的司机' : undefined,
  todos: (row) => driverTodos(row),
} as const satisfies Kind<Driver, typeof driverMoves>

/** One driver; `lock`: for a change. @throws AppError `notFound` */
export async function readDriverRow(ctx: Pick<Context, 'db'>, id: string, lock = false): Promise<Driver> {
  const { rows } = await sql<Driver>`select d.* from machine_driver d where d.id = ${id} ${lock ? sql`for update` : sql``}`.execute(ctx.db)
  return found(rows[0], noun)
}

export const driverPage = (id: string): string => `/safety/driver/details?id=${id}`

export function driverTodos(row: Pick<Driver, 'id' | 'state' | 'name' | 'driverType'>): Todo[] {
  if (row.state !== '0') return []
  const title = `审核${driverTypes[row.driverType]?.name ?? '司机'} ${row.name}`
  return ['supervisor', 'responsible'].map((turn) => ({
    turn,
    codes: [driverMoves.pass.needs],
    title,
    link: driverPage(row.id),
    due: null,
  }))
}

export const driverLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(driverMoves).map(([action, { label }]) => [action, label])),
  create: '登记',
  ended: '证书到期，自动撤回',
}
