import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Shared } from '#kit/context'
import { betweenCodesMs } from './limits.ts'

type CodeContext = Pick<Shared, 'system' | 'clock' | 'secrets'>

/** Purpose, lifetime and attempt limit of one kind of code. */
export interface CodeKind {
  purpose: string
  /** Purpose of the keyed hash. */
  seal: string
  holdsMs: number
  tries: number
  digits: number
}

/** Owner of the code, and optionally the object it is bound to (a phone number, a file): it is not accepted for another. */
export interface CodeFor {
  subject: string
  of?: string
}

const signed = ({ subject, of }: CodeFor, code: string) => [subject, ...(of === undefined ? [] : [of]), code].join('\n')

/** Creates a code and stores its hash. Returns undefined if one was sent within the last minute; that code stays valid. */
export async function newCode(ctx: CodeContext, kind: CodeKind, whose: CodeFor): Promise<string | undefined> {
  const now = ctx.clock.now()
  const code = String(randomInt(10 ** kind.digits)).padStart(kind.digits, '0')
  const row = { codeHash: ctx.secrets.sign(kind.seal, signed(whose, code)), tries: 0, expiresAt: new Date(now + kind.holdsMs) }
  const written = await ctx.system
    .insertInto('oneTimeCode')
    .values({ purpose: kind.purpose, subject: whose.subject, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['purpose', 'subject'])
        .doUpdateSet(row)
        .where('oneTimeCode.expiresAt', '<=', new Date(now + kind.holdsMs - betweenCodesMs)),
    )
    .returning('subject')
    .executeTakeFirst()
  return written ? code : undefined
}

/** Counts the attempt before comparing the code. Returns undefined if no valid code is left. */
export async function tryCode(
  ctx: CodeContext,
  kind: CodeKind,
  whose: CodeFor,
  code: string,
): Promise<{ isRight: boolean; askedAt: number } | undefined> {
  const tried = await ctx.system
    .updateTable('oneTimeCode')
    .set({ tries: sql`tries + 1` })
    .where('purpose', '=', kind.purpose)
    .where('subject', '=', whose.subject)
    .where('expiresAt', '>', new Date(ctx.clock.now()))
    .where('tries', '<', kind.tries)
    .returning(['codeHash', 'expiresAt'])
    .executeTakeFirst()
  if (!tried) return undefined
  const isRight = ctx.secrets.verify(kind.seal, signed(whose, code), tried.codeHash)
  return { isRight, askedAt: tried.expiresAt.getTime() - kind.holdsMs }
}

/** Deletes a code after use. */
export const dropCode = (ctx: Pick<Shared, 'system'>, { purpose }: Pick<CodeKind, 'purpose'>, subject: string) =>
  ctx.system.deleteFrom('oneTimeCode').where('purpose', '=', purpose).where('subject', '=', subject).execute()
