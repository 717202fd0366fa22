import type { DrawFile } from '@zhugong/contract/draw/file'
import { type DrawList, drawRules, listText } from '@zhugong/contract/draw/lots'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { checkChain } from './chain.ts'
import { sha256 } from './hashes.ts'
import { resultOf, runOf } from './run.ts'

/** The published file of a draw, and whether everything in it agrees when it is computed anew. */
export async function fileOf(
  ctx: Pick<Context, 'db'>,
  kind: string,
  objectId: string,
): Promise<{ file: DrawFile; agrees: boolean; chain: { entries: number; sound: boolean } }> {
  const run = await runOf(ctx, { kind, objectId })
  const { rows } = await sql<Row<'drawResult'>>`select * from draw_result where run_id = ${run.id}`.execute(ctx.db)
  const drawn = rows[0]
  const list = JSON.parse(run.listText) as DrawList
  const same = sha256(listText(list)) === run.listHash && sha256(run.listText) === run.listHash
  const agrees =
    same &&
    (drawn === undefined ||
      (sha256(Buffer.from(drawn.seed, 'hex')) === run.commitment &&
        JSON.stringify(ordered(resultOf(run, drawn.seed, drawn.digits))) === JSON.stringify(ordered(drawn.result))))
  return {
    file: {
      rules: drawRules,
      lots: list.lots.map(({ key, classes, unit }) => ({ key, classes: [...classes], unit })),
      quotas: list.quotas.map(({ name, seats }) => ({ name, seats })),
      perUnit: list.perUnit,
      listHash: run.listHash,
      commitment: run.commitment,
      seed: drawn?.seed ?? null,
      digits: drawn?.digits ?? null,
      result: drawn ? ordered(drawn.result) : null,
    },
    agrees,
    chain: await checkChain(ctx, run.organiserGroup),
  }
}

/** With the keys in the order of the rules: the database keeps them in its own. */
const ordered = (result: DrawFile['result'] & object) => result.map(({ name, seats, reserve }) => ({ name, seats, reserve }))
