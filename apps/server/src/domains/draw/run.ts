import { randomBytes } from 'node:crypto'
import { type DrawList, type DrawnQuota, drawLots, listText, streamText } from '@zhugong/contract/draw/lots'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { type Context, found } from '#kit/context'
import { isUniqueViolation, type Row } from '#kit/db'
import { addEntry } from './chain.ts'
import { hmacOf, sha256 } from './hashes.ts'

/** A draw belongs to one record of its kind, which is drawn once: a repeat is a record of its own. */
interface Subject {
  kind: string
  objectId: string
}

const seedBytes = 32

/**
 * Freezes the list, and only then makes the seed; both are hashed, the hashes are an entry of the organiser's chain. Nobody has a hand in the
 * seed, and the database refuses every later change.
 */
export async function freezeList(
  ctx: Context,
  { kind, objectId, audience, list }: Subject & { audience: string[]; list: DrawList },
): Promise<{ listHash: string; commitment: string }> {
  const text = listText(list)
  const listHash = sha256(text)
  const seed = randomBytes(seedBytes)
  const sealedSeed = ctx.secrets.seal(seed.toString('hex'))
  if (!sealedSeed) throw new Error('a seed was not sealed')
  const commitment = sha256(seed)
  const id = ctx.newId()
  await ctx.db
    .insertInto('drawRun')
    .values({
      id,
      kind,
      objectId,
      organiserGroup: ctx.group.id,
      audience,
      listText: text,
      listHash,
      commitment,
      sealedSeed,
      frozenAt: new Date(ctx.clock.now()),
      frozenBy: ctx.user.id,
      frozenName: ctx.user.name,
    })
    .execute()
  await addEntry(ctx, id, { type: 'freeze', run: id, listHash, commitment })
  return { listHash, commitment }
}

interface Witness {
  name: string
  digits: string
}

/**
 * Draws from the frozen list with the committed seed and the digits of the witnesses. `groups` see the result, the audience from `shownAt` on.
 * @throws AppError `refused` when it was drawn before
 */
export async function drawRun(
  ctx: Context,
  { kind, objectId, groups, shownAt, witnesses }: Subject & { groups: string[]; shownAt: Date | null; witnesses: readonly Witness[] },
): Promise<DrawnQuota[]> {
  const run = await runOf(ctx, { kind, objectId })
  const seed = ctx.secrets.open(run.sealedSeed)
  if (!seed || sha256(Buffer.from(seed, 'hex')) !== run.commitment) throw new Error('the sealed seed is not the committed one')
  const digits = witnesses.map((one) => one.digits)
  const result = resultOf(run, seed, digits)
  await ctx.db
    .insertInto('drawResult')
    .values({
      runId: run.id,
      groups,
      audience: run.audience,
      shownAt,
      seed,
      witnesses: witnesses.map((one) => one.name),
      digits,
      result: JSON.stringify(result),
      drawnAt: new Date(ctx.clock.now()),
      drawnBy: ctx.user.id,
      drawnName: ctx.user.name,
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '已经抽取，不能再次抽取') : error
    })
  // The seed would betray the result to whoever may see the chain, but not yet the names.
  await addEntry(ctx, run.id, { type: 'draw', run: run.id, digits, resultHash: sha256(JSON.stringify({ seed, result })) })
  return result
}

export async function runOf(ctx: Pick<Context, 'db'>, { kind, objectId }: Subject): Promise<Row<'drawRun'>> {
  const { rows } = await sql<Row<'drawRun'>>`select * from draw_run where kind = ${kind} and object_id = ${objectId}`.execute(ctx.db)
  return found(rows[0], '抽取')
}

/** The result of a run, computed anew. */
export function resultOf(
  { listText: text, listHash }: Pick<Row<'drawRun'>, 'listText' | 'listHash'>,
  seed: string,
  digits: readonly string[],
) {
  const key = Buffer.from(seed, 'hex')
  return drawLots(JSON.parse(text) as DrawList, (index) => hmacOf(key, streamText(listHash, digits, index)))
}

/** Shows the results of these records to their audience. */
export const showResults = (ctx: Pick<Context, 'db' | 'clock'>, kind: string, objectIds: readonly string[]) =>
  sql`update draw_result r set shown_at = ${new Date(ctx.clock.now())} from draw_run d
    where d.id = r.run_id and r.shown_at is null and d.kind = ${kind} and d.object_id = any (${[...objectIds]})`.execute(ctx.db)
