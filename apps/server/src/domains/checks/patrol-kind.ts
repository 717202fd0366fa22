import { type PatrolAction, securityMoves } from '@zhugong/contract/checks/patrol-moves'
import type { Move } from '@zhugong/contract/kit/process'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Seat } from '../process/public.ts'
import { patrolSeats } from './seats.ts'

export type Check = Row<'siteCheck'>
type PatrolMoves = Readonly<Record<PatrolAction, Move>>

/** What kinds of patrol differ in. */
export interface Patrol<M extends PatrolMoves = PatrolMoves> {
  /** Value of `site_check.kind`, `rectify.source_kind` and the process type. */
  kind: string
  noun: string
  moves: M
  /** 整改类别 of its notices (dictionary rectifyCategory). */
  category: string
  /** Letters of the series of numbers that a site's patrols of this kind share. */
  series: string
  /** The page on which everybody sees a patrol. */
  page(id: string): string
}

export type PatrolKind<M extends PatrolMoves = PatrolMoves> = Kind<Check, M> & {
  seats(ctx: Pick<Context, 'db'>, row: Check): Promise<readonly Seat[]>
}

/** A patrol of the site, its company or 监理. What follows from it is handled in its notices, so it has no to-do of its own. */
export const patrolKind = <M extends PatrolMoves>({ kind, noun, moves }: Patrol<M>): PatrolKind<M> => ({
  kind,
  noun,
  table: 'siteCheck',
  moves,
  stateName: (state) => dictName('rectifyState', state) ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<Check>`select * from site_check where id = ${id} and kind = ${kind} for update`.execute(ctx.db)
    return found(rows[0], noun)
  },
  turns: {
    checker: (ctx, row) => ctx.group.id === row.checkerGroup,
    site: (ctx, row) => ctx.group.type === groupTypes.project && ctx.group.id !== row.checkerGroup,
  },
  hinder: () => undefined,
  seats: patrolSeats,
  todos: () => [],
})

/** 安全检查. */
export const securityPatrol: Patrol<typeof securityMoves> = {
  kind: 'securityCheck',
  noun: '安全检查',
  moves: securityMoves,
  category: '01',
  series: 'XJ',
  page: (id) => `/securityCheck/securityCheckdetail?id=${id}`,
}
export const securityKind = patrolKind(securityPatrol)
