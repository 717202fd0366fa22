import { dustMoves } from '@zhugong/contract/dustchecks/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { found } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind } from '../process/public.ts'

/** Value of `site_check.kind`, `rectify.source_kind` and the process type. */
export const dust = 'dust'
export type DustCheck = Row<'siteCheck'> & Omit<Row<'dustCheck'>, keyof Row<'siteCheck'>>

/** 扬尘检查: of the site, its company, 监理 or an authority. What follows from it is handled in its notices. */
export const dustKind: Kind<DustCheck, typeof dustMoves> = {
  kind: dust,
  noun: '扬尘检查',
  table: 'siteCheck',
  moves: dustMoves,
  stateName: (state) => dictName('rectifyState', state) ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<DustCheck>`select d.*, c.* from site_check c join dust_check d on d.check_id = c.id
      where c.id = ${id} and c.kind = ${dust} for update of c`.execute(ctx.db)
    return found(rows[0], '扬尘检查')
  },
  turns: { checker: (ctx, row) => ctx.group.id === row.checkerGroup },
  hinder: () => undefined,
  todos: () => [],
}

export const pageOfDust = (id: string): string => `/dustInspectionDetails?id=${id}`
