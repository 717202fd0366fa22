import {
  type BriefingAction,
  type BriefingState,
  type BriefingType,
  briefingStateNames,
  briefingStates,
  gangMoves,
  managerMoves,
} from '@zhugong/contract/briefings/moves'
import type { Move } from '@zhugong/contract/kit/process'
import { type RawBuilder, sql } from 'kysely'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'
import { briefingSeats } from './seats.ts'

export type Briefing = Row<'briefing'> & {
  /** Receivers who can still sign and have neither signed nor been excused. */
  waiting: number
  /** Another briefing has taken its place. */
  replaced: boolean
}

type BriefingMoves = Readonly<Record<BriefingAction, Move<BriefingState>>>
type BriefingKind = Kind<Briefing, BriefingMoves> & Required<Pick<Kind<Briefing, BriefingMoves>, 'seats'>>

const nouns: Readonly<Record<BriefingType, string>> = { safetyPTechnical: '安全技术交底', technical: '方案与监督交底' }

const kindWith = (type: BriefingType, moves: BriefingMoves): BriefingKind => ({
  kind: type,
  noun: nouns[type],
  table: 'briefing',
  moves,
  stateName: (state) => briefingStateNames[state as BriefingState] ?? state,
  lock: (ctx, id) => readBriefingRow(ctx, { id, type, lock: true }),
  turns: {
    author: (ctx, row) => ctx.group.id === row.authorGroup,
    overseer,
    reader: () => true,
  },
  hinder: (ctx, row, action) => hindrances[action]?.(row, ctx),
  seats: (ctx, row) => briefingSeats(ctx, row),
  todos: (row) => todosOf(row),
})

/** 安全技术交底 of gangs, and 方案与监督交底 of managers: what differs between them is who may write. */
export const gangKind = kindWith('safetyPTechnical', gangMoves)
export const managerKind = kindWith('technical', managerMoves)
export const kindOf = (type: BriefingType): BriefingKind => (type === 'technical' ? managerKind : gangKind)

/** Whoever looks at the site from outside: the authority, 监理, or the company above whoever wrote it. */
function overseer(ctx: Context, row: Briefing): boolean {
  if (ctx.group.id === row.authorGroup) return false
  return ctx.group.type === groupTypes.government || ctx.group.type === groupTypes.corporation
}

/** Whether receiver `r` of `briefing b` has signed; `g` is the signature. */
export const hasSigned = sql`(g.id is not null or r.paper_at is not null)`
/** The signature of receiver `r` of `briefing b`. */
export const signatureOf = sql`left join process_signature g on g.kind = b.type and g.object_id = b.id and g.seat = r.id
  and g.void_at is null and not g.refused`
const left = sql`exists (select from project_worker w where w.id = r.stay_id and w.exit_time is not null)`

const waiting: RawBuilder<number> = sql<number>`(select count(*)::int from briefing_receiver r ${signatureOf}
  where r.briefing_id = b.id and not ${hasSigned} and r.absent_reason is null and not ${left})`
const replaced: RawBuilder<boolean> = sql<boolean>`exists (select from briefing n where n.replaces_id = b.id and n.state <> '9')`

/** One record; `lock`: for a change. @throws AppError `notFound` */
export async function readBriefingRow(
  ctx: Pick<Context, 'db'>,
  { id, type, lock = false }: { id: string; type: BriefingType; lock?: boolean },
): Promise<Briefing> {
  if (lock) await sql`select from briefing where id = ${id} and type = ${type} for update`.execute(ctx.db)
  const { rows } = await sql<Briefing>`select b.*, ${waiting} as waiting, ${replaced} as replaced
    from briefing b where b.id = ${id} and b.type = ${type}`.execute(ctx.db)
  return found(rows[0], nouns[type])
}

const dayMs = 86_400_000
const hindrances: Partial<Record<BriefingAction, (row: Briefing, ctx: Context) => string | undefined>> = {
  finish: ({ waiting }) => (waiting > 0 ? `还有 ${waiting} 人未签字，请补签或标记未到` : undefined),
  remind: ({ remindedAt }, ctx) =>
    remindedAt !== null && ctx.clock.now() - remindedAt.getTime() < dayMs ? '24 小时内已督促过' : undefined,
}

const pages: Readonly<Record<BriefingType, string>> = {
  safetyPTechnical: '/safetyP/technical/details',
  technical: '/safety/technical/details',
}
export const pageOf = ({ id, type }: Pick<Briefing, 'id' | 'type'>): string => `${pages[type]}?id=${id}`

export function todosOf(
  row: Pick<Briefing, 'id' | 'type' | 'name' | 'authorGroup' | 'state' | 'waiting' | 'redo' | 'replaced' | 'date'>,
): Todo[] {
  const own = { turn: 'author', forGroup: row.authorGroup, link: pageOf(row), due: null }
  const { needs } = gangMoves.begin
  if (row.state === briefingStates.void) return row.redo && !row.replaced ? [{ ...own, codes: [needs], title: `重新交底 ${row.name}` }] : []
  if (row.state !== briefingStates.signing) return []
  // Managers sign with their own accounts: on the site, and in the companies that take part.
  const signers: Todo[] =
    row.type === 'technical' ? [{ turn: 'responsible', codes: [needs], title: `签收交底 ${row.name}`, link: pageOf(row), due: null }] : []
  return [{ ...own, codes: [needs], title: `收齐签字 ${row.name}` }, ...signers]
}

export const briefingLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(gangMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
}
