import { fireStates } from '@zhugong/contract/fire/moves'
import { fireSeatRights } from '@zhugong/contract/fire/seats'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { contentHash, type Seat } from '../process/public.ts'
import type { FireCase } from './fire-case.ts'

export async function teamOf(ctx: Pick<Context, 'db'>, caseId: string): Promise<Row<'fireAssessor'>[]> {
  const { rows } = await sql<Row<'fireAssessor'>>`select * from fire_assessor where case_id = ${caseId} order by seq`.execute(ctx.db)
  return rows
}

/** What the assessors sign: everything that was written in the round, and what follows from it. */
export const signedContent = ({ id, round, digest, verdict }: Pick<FireCase, 'id' | 'round' | 'digest' | 'verdict'>) => ({
  id,
  round,
  digest,
  verdict,
})

/** One seat for every assessor of the round. */
export async function fireSeats(ctx: Pick<Context, 'db'>, row: FireCase): Promise<readonly Seat[]> {
  const content = signedContent(row)
  return (await teamOf(ctx, row.id)).map((one, i) => ({
    seat: `r${row.round}-${i + 1}`,
    role: one.expertId ? '评定专家' : '评定人员',
    own: fireSeatRights.assessor,
    // An expert has no account here.
    tablet: one.userId === null ? fireSeatRights.assessor : undefined,
    from: row.submittedAt === null ? [fireStates.onSite] : [],
    expects: one.name,
    content,
  }))
}

/** Assessors who have not signed the round as it is now. */
export async function countUnsigned(ctx: Pick<Context, 'db'>, row: FireCase): Promise<number> {
  const seats = await fireSeats(ctx, row)
  const hash = contentHash(signedContent(row))
  const { rows } = await sql<{
    seat: string
  }>`select distinct seat from process_signature where kind = 'fireAssess' and object_id = ${row.id}
    and void_at is null and not refused and hash = ${hash}`.execute(ctx.db)
  return seats.filter((one) => !rows.some(({ seat }) => seat === one.seat)).length
}
