import {
  openStates,
  type Requirement,
  requirements,
  type StopState,
  stopStateNames,
  stopStates,
  travelMoves,
} from '@zhugong/contract/documents/travel-moves'
import { sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Stated, Todo } from '../process/public.ts'

/** One paper with one recipient. */
export type Stop = Row<'travelStop'> & Stated & { title: string; requirement: Requirement }
export type RawStop = Row<'travelStop'> & { title: string; requirement: Requirement }

export const toStated = (row: RawStop): Stop => ({
  ...row,
  projectCode: null,
  corpCode: null,
  shownAt: row.updateTime,
  groups: [row.toGroup, row.fromGroup],
})

export const travelPage = (paperId: string): string => `/useMonitor5?id=${paperId}`

/** What a recipient does first after reading. */
export const afterReading = (requirement: Requirement): StopState =>
  requirement === requirements.read ? stopStates.done : requirement === requirements.forward ? stopStates.toForward : stopStates.toSubmit

export const travelKind: Kind<Stop, typeof travelMoves> = {
  kind: 'documentTravel',
  noun: '分级资料',
  table: 'travelStop',
  moves: travelMoves,
  stateName: (state) => stopStateNames[state as StopState] ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<RawStop>`select s.*, p.title, p.requirement from travel_stop s join travel_paper p on p.id = s.paper_id
      where s.id = ${id} for update of s`.execute(ctx.db)
    return toStated(found(rows[0], '分级资料'))
  },
  turns: {
    recipient: (ctx, row) => row.toGroup === ctx.group.id,
    sender: (ctx, row) => row.fromGroup === ctx.group.id,
  },
  hinder: (ctx, row, action) => {
    if (action !== 'forward') return undefined
    if (ctx.group.type === groupTypes.project) return '项目没有下级单位'
    return row.requirement === requirements.read ? '本件只需阅知' : undefined
  },
  todos: (row) => todosOf(row),
}

export function todosOf(row: Stop): Todo[] {
  const link = travelPage(row.paperId)
  if (row.state === stopStates.submitted)
    return [
      {
        turn: 'sender',
        forGroup: row.fromGroup,
        codes: [travelMoves.accept.needs],
        title: `接收${row.toName}上报的“${row.title}”`,
        link,
        due: null,
      },
    ]
  if (!openStates.includes(row.state)) return []
  const verb =
    row.state === stopStates.unread
      ? '签阅'
      : row.state === stopStates.toForward
        ? '转发'
        : row.state === stopStates.returned
          ? '重新上报'
          : '上报'
  const codes =
    row.state === stopStates.unread
      ? [travelMoves.read.needs]
      : row.state === stopStates.toForward
        ? [travelMoves.forward.needs]
        : [travelMoves.submit.needs]
  return [{ turn: 'recipient', forGroup: row.toGroup, codes, title: `${verb}“${row.title}”`, link, due: row.deadline }]
}

interface Target {
  id: string
  name: string
  type: number
}
/**
 * The groups of the next level: an authority's districts, or without them the sites that it supervises; a company's sites. Their names are no
 * secret, and no request role reads the groups of others.
 */
export async function targetsOf(ctx: Pick<Context, 'system' | 'group' | 'scope'>): Promise<Target[]> {
  const { group, scope } = ctx
  if (group.type === groupTypes.project) return []
  if (group.type === groupTypes.platform || group.type === groupTypes.government) {
    const above = group.type === groupTypes.platform ? sql`g.parent_gov_code is null` : sql`g.parent_gov_code = ${group.code}`
    const { rows } = await sql<Target>`select t.id, t.name, t.type from tenant t join government g on g.gov_code = t.code
      where t.type = ${groupTypes.government} and g.enable = '1' and ${above} order by t.name`.execute(ctx.system)
    if (rows.length > 0) return rows
  }
  const run = scope.projects.filter((code) => !scope.limited.includes(code) && !scope.supervised.includes(code))
  const { rows } = await sql<Target>`select t.id, t.name, t.type from tenant t where t.type = ${groupTypes.project}
    and t.code = any (${run}) and t.enable = '1' order by t.name`.execute(ctx.system)
  return rows
}
