import type { Move } from '@zhugong/contract/kit/process'
import type { SeatRight } from '@zhugong/contract/kit/signatures'
import type { Disclosed } from '#kit/columns'
import type { Context } from '#kit/context'
import type { Tables } from '#kit/db'

/** A row with states of its own. */
export interface Stated extends Omit<Disclosed, 'projectCode'> {
  id: string
  /** Null: it belongs to the groups it names, and to no project. */
  projectCode: string | null
  state: string
  version: number
}

/** What an action changes beside the state. */
export interface Outcome<Row> {
  /** The next state, where the move leaves a choice. */
  to?: string
  /** Columns of the record itself. */
  values?: Partial<Row>
  /** Shown in the history. */
  opinion?: string | null
}

/** Who has to act now. */
export interface Todo {
  turn: string
  /** Where it is the turn of one group. */
  forGroup?: string
  codes: readonly string[]
  title: string
  link: string
  /** yyyy-MM-dd. */
  due: string | null
}

/** A place for one signature under a record. */
export interface Seat {
  /** Unique within the record, at most 32 characters. */
  seat: string
  /** As printed, for example 监督员. */
  role: string
  /** Who signs with his own account. */
  own?: SeatRight
  /** Who may have somebody without account sign on his device. */
  tablet?: SeatRight
  /** Who may record that the signature was refused. */
  refuses?: SeatRight
  /** States in which the seat can be filled by the signature call. */
  from: readonly string[]
  /** The only name that can sign here. */
  expects?: string | undefined
  /** The name that cannot sign here, because it has a seat of its own. */
  notBy?: string
  /** Name and time that the record keeps by itself. */
  known?: { name: string; at: Date } | undefined
  /** What is signed: any change of it makes the signature void. */
  content: unknown
}

/** A kind of record: its transitions (contract), and what only the server knows about them. One file beside its table. */
export interface Kind<Row extends Stated, Moves extends Readonly<Record<string, Move>>> {
  kind: string
  /** For messages, for example 整改单. */
  noun: string
  table: string & keyof Tables
  moves: Moves
  stateName(state: string): string
  /** Reads and locks the row. @throws AppError `notFound` */
  lock(ctx: Context, id: string): Promise<Row>
  /** Whether it is the caller's turn, by the word in the move. */
  turns: Readonly<Record<string, (ctx: Context, row: Row) => boolean>>
  /** Why the caller may not take this action although it is his turn, for example because he wrote the answer himself. */
  hinder(ctx: Context, row: Row, action: keyof Moves & string): string | undefined
  /** How the caller is named in the history, where that is not by name and group. */
  doer?(ctx: Context, row: Row): { id: string; name: string; groupName: string }
  /** The places for signatures under a record, in the order in which they are printed. */
  seats?(ctx: Pick<Context, 'db'>, row: Row): Promise<readonly Seat[]>
  /** Who has to act on the row as it is now. */
  todos(row: Row): readonly Todo[]
}
