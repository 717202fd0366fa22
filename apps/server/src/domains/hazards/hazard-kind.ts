import { type HazardAction, type HazardState, hazardMoves, hazardStates } from '@zhugong/contract/hazards/moves'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'

export type Hazard = Row<'hazardSource'>

/** Of history and to-dos. */
export const hazardType = 'dangerous'
const noun = '危险源'

export const isOfSite = (type: number): boolean => type === groupTypes.project || type === groupTypes.corporation

/** 危险源: written and patrolled by the site. */
export const hazardKind = {
  kind: hazardType,
  noun,
  table: 'hazardSource',
  moves: hazardMoves,
  stateName: (state) => hazardStates[state as HazardState] ?? state,
  lock: (ctx, id) => readHazardRow(ctx, id, true),
  turns: {
    author: (ctx, row) => ctx.group.id === row.authorGroup,
    // Among companies the part in the project decides: `site` in the moves. An authority only looks on.
    site: (ctx) => isOfSite(ctx.group.type),
  },
  hinder: () => undefined,
  todos: (row) => hazardTodos(row),
} as const satisfies Kind<Hazard, typeof hazardMoves>

/** One hazard; `lock`: for a change. @throws AppError `notFound` */
export async function readHazardRow(ctx: Pick<Context, 'db'>, id: string, lock = false): Promise<Hazard> {
  const { rows } = await sql<Hazard>`select h.* from hazard_source h where h.id = ${id} ${lock ? sql`for update` : sql``}`.execute(ctx.db)
  return found(rows[0], noun)
}

export const hazardPage = (id: string): string => `/safety/dangerous/details?id=${id}`

export function hazardTodos(row: Pick<Hazard, 'id' | 'state' | 'name' | 'part' | 'authorGroup' | 'nextCheck'>): Todo[] {
  const link = hazardPage(row.id)
  const codes = [hazardMoves.patrol.needs]
  if (row.state === '1') return [{ turn: 'author', forGroup: row.authorGroup, codes, title: `落实措施：${row.name}`, link, due: null }]
  if (row.state !== '2') return []
  return [{ turn: 'responsible', codes, title: `巡查 ${row.part} ${row.name}`, link, due: row.nextCheck }]
}

export const hazardLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(hazardMoves).map(([action, { label }]) => [action as HazardAction, label])),
  create: '起草',
}
