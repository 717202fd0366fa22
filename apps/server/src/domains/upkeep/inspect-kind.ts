import { dictName } from '@zhugong/contract/settings/dictionaries'
import { inspectSeatRights as rights } from '@zhugong/contract/upkeep/inspections'
import { sql } from 'kysely'
import { found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import { checkContent } from '../checks/public.ts'
import type { Kind, Seat } from '../process/public.ts'

/** Value of `site_check.kind`, `rectify.source_kind` and the process type. */
export const deviceInspect = 'deviceInspect'

/** A check with what a machine adds. */
export type Inspection = Row<'siteCheck'> & Omit<Row<'deviceInspect'>, keyof Row<'siteCheck'>>

const submitted = ['1', '2', '3', '4', '5', '6', '7']

/** The seats of a check: each checker by name, and whoever uses the machine. */
const seats = async (ctx: Parameters<typeof checkContent>[0], row: Inspection): Promise<readonly Seat[]> => {
  const { stayId, type, items, result } = row
  const content = { ...(await checkContent(ctx, row)), stayId, type, items, result }
  return [
    ...row.checkers.map((name, i) => ({
      seat: `checker${i + 1}`,
      role: '检查人',
      own: rights.checker,
      tablet: rights.checker,
      from: submitted,
      expects: name,
      known: { name, at: row.checkTime },
      content,
    })),
    { seat: 'user', role: '使用单位', own: rights.user, tablet: rights.checker, from: submitted, content },
  ]
}

/** 设备检查: submitted at once, never changed; what follows is handled in its notices. */
export const inspectKind: Kind<Inspection, Record<never, never>> & { seats: typeof seats } = {
  kind: deviceInspect,
  noun: '设备检查',
  table: 'siteCheck',
  moves: {},
  stateName: (state) => dictName('rectifyState', state) ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<Inspection>`select d.*, c.* from site_check c join device_inspect d on d.check_id = c.id
      where c.id = ${id} and c.kind = ${deviceInspect} for update of c`.execute(ctx.db)
    return found(rows[0], '设备检查')
  },
  turns: {
    checker: (ctx, row) => ctx.group.id === row.checkerGroup,
    user: (ctx, row) =>
      ctx.group.id !== row.checkerGroup &&
      (ctx.group.type === groupTypes.project ||
        (ctx.group.type === groupTypes.corporation && !ctx.principal.scope.supervised.includes(row.projectCode))),
  },
  hinder: () => undefined,
  seats,
  todos: () => [],
}

export const pageOfInspection = (id: string): string => `/deviceInspect/details?id=${id}`
/** Where a defect of a machine is answered and judged. */
export const pageOfDefect = (noticeId: string): string => `/deviceRect/details?id=${noticeId}`
