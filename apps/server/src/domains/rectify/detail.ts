import { AppError } from '@zhugong/contract/kit/errors'
import { dayMs } from '@zhugong/contract/kit/time'
import type { getRectify, RectifyDetail, RectifyLine, RectifyOrigin } from '@zhugong/contract/rectify/calls'
import { mustVisit } from '@zhugong/contract/rectify/moves'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { linksOf, photoNotesOf } from '../files/public.ts'
import { pinOf, placeNameOf, planPictures } from '../places/public.ts'
import { historyOf, offersFor, signaturesOf } from '../process/public.ts'
import { doerOf, rectifyKind, stepLabels } from './kind.ts'
import type { Notice } from './notice.ts'
import { fromBelowOf, passedOnOf } from './passed-on.ts'
import { penaltiesOf } from './penalty.ts'
import { roundsOf } from './rounds.ts'
import { rowFor } from './rows.ts'
import { sourceOf } from './sources.ts'
import { after, before } from './stages.ts'

export const readRectify: HandlerOf<typeof getRectify> = ({ params: { id } }, ctx) => detailOf(ctx, id)

/**
 * A notice with its problems, rounds and history, and what the caller may do.
 * @throws AppError `notFound` when it is not visible, or not of the wanted origin
 */
export async function detailOf(ctx: Context, id: string, origin?: RectifyOrigin): Promise<RectifyDetail> {
  const row = found(await rowFor(ctx, id), '整改单')
  if (origin && row.origin !== origin) throw new AppError('notFound', '整改单不存在或已删除')
  const { rows } = await sql<Notice>`select r.*,
      exists (select from rectify_extension x where x.rectify_id = r.id and x.agreed is null) as extend_asked
    from rectify r where r.id = ${id}`.execute(ctx.db)
  const notice = found(rows[0], '整改单')
  const actions = offersFor(ctx, rectifyKind, notice)
  const timeline = await historyOf(ctx, rectifyKind.kind, id, stepLabels)
  const lines = await linesOf(ctx, notice, rectifyKind.turns.responsible?.(ctx, notice) ?? false)
  return {
    ...row,
    majorClause: notice.majorClause,
    source: sourceLink(notice),
    waiting: waitingText(notice, timeline.at(-1)?.at, ctx.clock.now()),
    mustVisit: mustVisit(row),
    lines,
    plans: await planPictures(
      ctx,
      lines.map((one) => one.pin?.planId ?? null),
    ),
    rounds: await roundsOf(ctx, id),
    extensions: await extensionsOf(ctx, id),
    passedOn: await passedOnOf(ctx, id),
    timeline,
    signatures: await signaturesOf(ctx, rectifyKind, notice),
    penalties: await penaltiesOf(ctx, notice),
    actions,
  }
}

/** Problems with their answers. Unsent answers are shown to the side that writes them. */
async function linesOf(ctx: Context, notice: Notice, ownSide: boolean): Promise<RectifyLine[]> {
  const { id } = notice
  // Known by name, as persons are written on a notice.
  const stays = sql`select from project_worker w where w.project_code = l.project_code and w.corp_code = l.corp_code and w.worker_name = l.person`
  const lines = await sql<Row<'rectifyLine'> & { personLeft: boolean; placeName: string | null }>`select l.*,
      ${placeNameOf('l.place_id')} as place_name,
      l.person is not null and exists (${stays}) and not exists (${stays} and w.exit_time is null) as person_left
    from rectify_line l where l.rectify_id = ${id} order by l.seq`.execute(ctx.db)
  const fromBelow = ownSide ? await fromBelowOf(ctx, id) : () => null
  const earlier = await earlierAt(ctx, notice, [...new Set(lines.rows.flatMap((one) => one.placeId ?? []))])
  const answers = await sql<Row<'rectifyAnswer'>>`select * from rectify_answer
    where rectify_id = ${id} and (not draft or ${ownSide}) order by round`.execute(ctx.db)
  const notes = await photoNotesOf(ctx, id)
  const notesOf = (stage: string, files: readonly string[]) => files.map((file) => notes.get(`${stage} ${file}`) ?? null)
  const byLine = Map.groupBy(answers.rows, (one) => one.lineId)
  return lines.rows.map(
    ({ id: lineId, seq, description, part, clause, requirement, person, personLeft, photos, voices, state, placeName, ...at }) => ({
      id: lineId,
      seq,
      description,
      part,
      placeId: at.placeId,
      placeName,
      pin: pinOf(at),
      earlier: earlier.get(at.placeId ?? '') ?? [],
      clause,
      requirement,
      person,
      personLeft,
      photos: linksOf(ctx, photos),
      photoNotes: notesOf(before, photos),
      voices: linksOf(ctx, voices),
      state,
      answers: (byLine.get(lineId) ?? []).map((a) => ({
        ...pick(
          a,
          'round',
          'measure',
          'doneDate',
          'person',
          'byName',
          'draft',
          'reviewPassed',
          'reviewOpinion',
          'recheckPassed',
          'recheckOpinion',
        ),
        photos: linksOf(ctx, a.photos),
        photoNotes: notesOf(after(a.round), a.photos),
        at: formatInstant(a.at),
      })),
      fromBelow: fromBelow({ description, part }),
    }),
  )
}

/** Earlier problems shown of one place. */
const mostEarlier = 5

/** By place: problems of other notices there, or in it, found before this one. */
async function earlierAt(ctx: Context, notice: Notice, placeIds: readonly string[]): Promise<Map<string, RectifyLine['earlier']>> {
  if (placeIds.length === 0) return new Map()
  type Raw = Pick<Notice, 'id' | 'state' | 'origin'> & { placeId: string; text: string; checkDate: string }
  const { rows } = await sql<Raw>`select w.id as place_id, e.* from unnest(${[...placeIds]}::text[]) as w (id) cross join lateral (
      select r.id, r.state, r.origin, r.check_date, l.description as text
      from rectify_line l join rectify r on r.id = l.rectify_id
      where l.place_id in (select q.id from site_place q where q.path @> array[w.id]) and r.id <> ${notice.id}
        and r.shown_at is not null and r.check_date <= ${notice.checkDate} and r.shown_at < ${notice.shownAt ?? new Date(ctx.clock.now())}
      order by r.check_date desc, l.id limit ${mostEarlier}) e`.execute(ctx.db)
  const shown = rows.map(({ placeId, checkDate, state, ...one }) => ({
    placeId,
    line: { ...one, at: checkDate, stateName: rectifyKind.stateName(state) },
  }))
  return new Map([...Map.groupBy(shown, (one) => one.placeId)].map(([place, list]) => [place, list.map((one) => one.line)]))
}

async function extensionsOf(ctx: Context, id: string): Promise<RectifyDetail['extensions']> {
  const { rows } = await sql<Row<'rectifyExtension'>>`select * from rectify_extension where rectify_id = ${id} order by at, id`.execute(
    ctx.db,
  )
  return rows.map(({ id: own, untilDay, reason, byName, at, agreed, opinion, decidedBy }) => ({
    id: own,
    until: untilDay,
    reason,
    byName,
    at: formatInstant(at),
    agreed,
    opinion,
    decidedBy,
  }))
}

/** The record the notice comes from, as a link. */
function sourceLink(notice: Notice): RectifyDetail['source'] {
  const source = sourceOf(notice)
  return source && notice.sourceId
    ? { title: source.title, page: source.page(notice.sourceId), handling: source.noticePage?.(notice.id) ?? null }
    : null
}

const sides: Readonly<Record<string, string>> = { responsible: '责任单位', supervisor: '监理', issuer: '下发方' }

/** For example: 等待监理复核整改，已 2 天. */
function waitingText(notice: Notice, since: number | undefined, now: number): string {
  const doer = doerOf(notice.state)
  if (!doer) return `整改单${rectifyKind.stateName(notice.state)}`
  const days = since === undefined ? 0 : Math.floor((now - since) / dayMs)
  return `等待${sides[doer.turn] ?? ''}${doer.verb}${days > 0 ? `，已 ${days} 天` : ''}`
}
