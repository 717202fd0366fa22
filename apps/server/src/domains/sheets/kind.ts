import { dictName } from '@zhugong/contract/settings/dictionaries'
import { asksNotice, type SheetAction, sheetMoves, sheetStates } from '@zhugong/contract/sheets/moves'
import { type PartySeat, partySeats, sheetSeatRights } from '@zhugong/contract/sheets/seats'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Todo } from '../process/public.ts'
import { sheetSeats } from './seats.ts'

/** Process type; also the kind of the source of its notices. */
export const sheetType = 'manualsheet'

/** A sheet with what its rules ask beyond its own columns. */
export type Sheet = Row<'manualsheet'> & {
  /** Notices that were made from it. */
  notices: number
  /** Seats that are filled by a valid signature, or by a refusal. */
  filled: string[]
  /** The project has a supervising company (监理). */
  supervised: boolean
}

export const selectSheet = sql`select m.*,
  (select count(*)::int from rectify r where r.source_kind = ${sheetType} and r.source_id = m.id and r.state <> '8') as notices,
  array(select distinct s.seat from process_signature s where s.kind = ${sheetType} and s.object_id = m.id and s.void_at is null) as filled,
  exists (select from project_corp u where u.project_code = m.project_code and u.corp_type = '007' and u.exit_time is null) as supervised
  from manualsheet m`

/** 监督记录单: written and signed by officers of an authority, then signed by the three parties of the site. */
export const sheetKind: Kind<Sheet, typeof sheetMoves> & { seats: typeof sheetSeats } = {
  kind: sheetType,
  noun: '监督记录单',
  table: 'manualsheet',
  moves: sheetMoves,
  stateName: (state) => dictName('manualSheetState', state) ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<Sheet>`${selectSheet} where m.id = ${id} for update of m`.execute(ctx.db)
    return found(rows[0], '监督记录单')
  },
  turns: {
    author: (ctx, row) => ctx.group.id === row.groupId,
    owner: (ctx, row) => ctx.group.id === row.ownerGroup,
    contractor: (ctx, row) =>
      ctx.group.type === groupTypes.project
        ? ctx.group.code === row.projectCode
        : ctx.group.type === groupTypes.corporation && ctx.group.code === row.corpCode,
    supervisor: (ctx, row) => ctx.principal.scope.supervised.includes(row.projectCode),
  },
  hinder: (ctx, row, action) => hindrances[action]?.(ctx, row),
  seats: sheetSeats,
  todos: (row) => todosOf(row),
}

const hindrances: Partial<Record<SheetAction, (ctx: Context, row: Sheet) => string | undefined>> = {
  urge: (ctx, row) => (row.urgedAt && formatDay(row.urgedAt) === formatDay(ctx.clock.now()) ? '今天已经催过，每天至多一次' : undefined),
  archive: (_ctx, row) =>
    row.opinion && asksNotice.includes(row.opinion) && row.notices === 0 ? '处理意见要求整改，请先派生整改单再归档' : undefined,
}

/** Parties that exist on the site and have neither signed nor refused. */
export const openParties = (row: Sheet): PartySeat[] =>
  (Object.keys(partySeats) as PartySeat[]).filter(
    (seat) => !row.filled.includes(seat) && (seat !== 'owner' || row.ownerGroup !== null) && (seat !== 'supervisor' || row.supervised),
  )

function todosOf(row: Sheet): Todo[] {
  const link = pageOf(row.id)
  const name = `${dictName('superviseDocType', row.docType) ?? '监督记录'}${row.code ? ` ${row.code}` : ''}`
  const authors = { turn: 'authority', forGroup: row.groupId, codes: [sheetMoves.archive.needs], due: null }
  if (row.state === sheetStates.signed) return [{ ...authors, title: `归档${name}`, link }]
  if (row.state !== sheetStates.signing) return []
  const todo = { title: `签字：${name}`, link, due: null }
  return openParties(row).map(
    (seat): Todo => ({
      ...todo,
      turn: partyTurns[seat],
      codes: [sheetSeatRights[seat].needs],
      ...(seat === 'owner' && row.ownerGroup ? { forGroup: row.ownerGroup } : {}),
    }),
  )
}
/** The words that `waitsFor` knows; the owner is one group. */
const partyTurns: Readonly<Record<PartySeat, string>> = { owner: 'owner', contractor: 'responsible', supervisor: 'supervisor' }

export const pageOf = (id: string): string => `/jgt/manualsheet/details?id=${id}`

export const stepLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(sheetMoves).map(([action, { label }]) => [action, label])),
  create: '起草',
  signed: '三方签毕',
}
