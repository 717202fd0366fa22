import { z } from 'zod'
import type { ActionRights } from './endpoint.ts'

/**
 * One transition of a record with states of its own (a rectification notice, a check, a permit), as data. The server's executor, the
 * buttons of the page, the call's schema and the generated tests read the same table.
 */
export interface Move<State extends string = string> extends ActionRights {
  label: string
  /** States in which it can be taken. */
  from: readonly State[]
  /** The next state; null: unchanged. With several the kind's `write` chooses one. */
  to: State | readonly State[] | null
  /** Whose turn it must be; the kind defines each on the server. */
  turn: string
  /** Fields of the body beside `action` and `version`. */
  asks: z.ZodRawShape
  /** Not written to the history: a draft is nobody else's business. */
  unlogged?: true
}
type Moves = Readonly<Record<string, Move>>

type BodyOf<M extends Moves, Key extends z.ZodRawShape> = {
  [A in keyof M & string]: z.ZodObject<{ action: z.ZodLiteral<A>; version: z.ZodNumber } & Key & M[A]['asks']>
}[keyof M & string]

/** The body of the changing call: one shape per action. `key` are fields that every action carries, such as the id. */
export function moveBody<const M extends Moves, const Key extends z.ZodRawShape>(moves: M, key: Key) {
  const shapes = Object.entries(moves).map(([action, { asks }]) =>
    z.object({ action: z.literal(action), version: z.number().int(), ...key, ...asks }),
  )
  const body = z.discriminatedUnion('action', shapes as unknown as [z.ZodObject<{ action: z.ZodLiteral<string> }>])
  return body as unknown as z.ZodType<z.output<BodyOf<M, Key>>, z.input<BodyOf<M, Key>>>
}

/** The rights of each action, for the `actions` of the endpoint. */
export const rightsOfMoves = (moves: Moves): Readonly<Record<string, ActionRights>> =>
  Object.fromEntries(Object.entries(moves).map(([action, { needs, acts }]) => [action, { needs, acts }]))

/** Every permission code that some action asks for. */
export const codesOfMoves = (moves: Moves): readonly string[] => [...new Set(Object.values(moves).flatMap(({ needs }) => needs))]

/** An action that the caller may take now. */
export const allowedAction = z.object({ action: z.string(), label: z.string() })
export type AllowedAction = z.output<typeof allowedAction>

/** One line of a record's history. */
export const logLine = z.object({
  id: z.string(),
  action: z.string(),
  label: z.string(),
  byName: z.string(),
  groupName: z.string(),
  opinion: z.string().nullable(),
  /** Epoch milliseconds. */
  at: z.number(),
})
export type LogLine = z.output<typeof logLine>
