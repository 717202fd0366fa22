import type { acceptFires, drawFires, verifyFireDraw } from '@zhugong/contract/fire/calls'
import { fireStates } from '@zhugong/contract/fire/moves'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import { found } from '#kit/context'
import type { HandlerOf } from '#kit/serve'
import { drawRun, fileOf, freezeList } from '../draw/public.ts'
import { take } from '../process/public.ts'
import { fireKind } from './kind.ts'
import { acceptValues, authorities, drawnValues } from './writes.ts'

/** Kind of its draws. */
const fireDrawKind = 'fireDraw'
const className = '备案抽查'

export const acceptSeveral: HandlerOf<typeof acceptFires> = async ({ body }, ctx) => {
  for (const { id, version } of byId(body.cases))
    await take(ctx, fireKind, { id, action: 'accept', version }, (row) => acceptValues(ctx, row))
  return { accepted: body.cases.length }
}
/** Always in the same order, so that two requests do not wait for each other. */
const byId = <T extends { id: string }>(cases: readonly T[]): T[] => cases.toSorted((a, b) => (a.id < b.id ? -1 : 1))

/**
 * Draws among accepted 备案: at least one of them, and as many as the ratio asks for. Who is not drawn ends by his papers. A repeated request
 * is answered by the first draw.
 */
export const drawCases: HandlerOf<typeof drawFires> = async ({ body }, ctx) => {
  const { id, ratio, witnesses } = body
  const repeated = await ctx.db.selectFrom('fireDraw').selectAll().where('id', '=', id).executeTakeFirst()
  if (repeated) return { id, drawn: repeated.drawn, left: repeated.candidates - repeated.drawn }
  const cases = byId(body.cases)
  if (new Set(cases.map((one) => one.id)).size !== cases.length) throw new AppError('invalidInput', '申请重复', { field: 'cases' })
  const rows = []
  for (const one of cases) rows.push(await fireKind.lock(ctx, one.id))
  const seats = Math.max(1, Math.round((cases.length * ratio) / 100))
  const groups = [...new Set([ctx.group.id, ...rows.flatMap(authorities)])]
  const subject = { kind: fireDrawKind, objectId: id }
  const { listHash } = await freezeList(ctx, {
    ...subject,
    audience: groups,
    list: {
      lots: cases.map((one) => ({ key: one.id, classes: [className], unit: '' })),
      quotas: [{ name: className, seats }],
      perUnit: null,
    },
  })
  const now = new Date(ctx.clock.now())
  const [result] = await drawRun(ctx, { ...subject, groups, shownAt: now, witnesses })
  const seated = new Set(result?.seats)
  await ctx.db
    .insertInto('fireDraw')
    .values({
      id,
      organiserGroup: ctx.group.id,
      groups,
      ratio,
      candidates: cases.length,
      drawn: seated.size,
      listHash,
      drawnAt: now,
      drawnName: ctx.user.name,
    })
    .execute()
  const finishDate = formatDay(now)
  for (const { id: caseId, version } of cases)
    await take(ctx, fireKind, { id: caseId, action: 'draw', version }, async () =>
      seated.has(caseId)
        ? {
            to: fireStates.accepted,
            values: { ...(await drawnValues(ctx)), drawId: id },
            opinion: `抽中，${cases.length} 件按 ${ratio}% 抽取`,
          }
        : {
            to: fireStates.notDrawn,
            values: { inRandom: false, drawId: id, finishDate },
            opinion: `未抽中，${cases.length} 件按 ${ratio}% 抽取`,
          },
    )
  return { id, drawn: seated.size, left: cases.length - seated.size }
}

/** The published file; it agrees only if the cases stand as it says. */
export const verifyDraw: HandlerOf<typeof verifyFireDraw> = async ({ params: { id } }, ctx) => {
  found(await ctx.db.selectFrom('fireDraw').selectAll().where('id', '=', id).executeTakeFirst(), '抽取')
  const { file, agrees, chain } = await fileOf(ctx, fireDrawKind, id)
  const { rows } = await sql<{ id: string; inRandom: boolean | null }>`select id, in_random from fire_case where draw_id = ${id}`.execute(
    ctx.db,
  )
  const seats = file.result?.[0]?.seats ?? []
  return { file, agrees: agrees && rows.every((one) => one.inRandom === seats.includes(one.id)), chain }
}
