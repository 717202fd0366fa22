import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import type { Shared } from '#kit/context'
import { betweenCodesMs } from './limits.ts'

type Asker = Pick<Shared, 'system' | 'clock' | 'secrets'>

/** What codes of one kind are good for, how long, and how often one may be tried. */
export interface CodeKind {
  purpose: string
  /** Under which its hash is signed. */
  seal: string
  holdsMs: number
  tries: number
  digits: number
}

/** Whose code it is, and what it is good for beside: a code for one number or file holds for no other. */
export interface CodeFor {
  subject: string
  of?: string
}

const signed = ({ subject, of }: CodeFor, code: string) => [subject, ...(of === undefined ? [] : [of]), code].join('\n')

/** A new code, kept as its hash; undefined where one went out a moment ago, which holds. */
export async function newCode(ctx: Asker, kind: CodeKind, whose: CodeFor): Promise<string | undefined> {
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

/** A try is counted before it is looked at, and wrong ones use the code up. Undefined: nothing holds any more. */
export async function tryCode(
  ctx: Asker,
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

/** A right one is good once. */
export const dropCode = (ctx: Pick<Shared, 'system'>, { purpose }: Pick<CodeKind, 'purpose'>, subject: string) =>
  ctx.system.deleteFrom('oneTimeCode').where('purpose', '=', purpose).where('subject', '=', subject).execute()
