import { lotWork, type PaperColumn, paperColumns } from '@zhugong/contract/papers/catalogue'
import { type PaperState, paperMoves, paperStates } from '@zhugong/contract/papers/moves'
import { sql } from 'kysely'
import { found } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'

export type Paper = Row<'libraryPaper'>

/** Of history and to-dos. */
export const paperType = 'libraryPaper'
const noun = '质量资料'

/** A paper of the quality library: uploaded by the site, accepted by 监理. Safety papers and links have no further state. */
export const paperKind = {
  kind: paperType,
  noun,
  table: 'libraryPaper',
  moves: paperMoves,
  stateName: (state) => paperStates[state as PaperState] ?? state,
  lock: async (ctx, id) => {
    const { rows } =
      await sql<Paper>`select * from library_paper where id = ${id} and category = '2' and ref_id is null for update`.execute(ctx.db)
    return found(rows[0], noun)
  },
  turns: {
    author: (ctx, row) => ctx.group.id === row.authorGroup,
    supervisor: (ctx, row) => ctx.principal.scope.supervised.includes(row.projectCode),
  },
  hinder: () => undefined,
  todos: (row) => todosOf(row),
} as const satisfies Kind<Paper, typeof paperMoves>

export const columnName = (column: string): string => paperColumns[column as PaperColumn] ?? column
export const cellPage = ({ projectCode, placeId, work, col }: Pick<Paper, 'projectCode' | 'placeId' | 'work' | 'col'>): string =>
  `/useMonitor2?project=${projectCode}&cell=${placeId ?? ''}.${work ?? ''}.${col ?? ''}`

export function todosOf(row: Pick<Paper, 'projectCode' | 'state' | 'name' | 'placeId' | 'work' | 'col' | 'authorGroup'>): Todo[] {
  const link = cellPage(row)
  const words = `${lotWork(row.work ?? '')?.name ?? ''}${columnName(row.col ?? '')}：${row.name}`
  if (row.state === '1') return [{ turn: 'supervisor', codes: [paperMoves.approve.needs], title: `审核质量资料 ${words}`, link, due: null }]
  if (row.state !== '3') return []
  return [{ turn: 'author', forGroup: row.authorGroup, codes: [paperMoves.submit.needs], title: `补正质量资料 ${words}`, link, due: null }]
}
