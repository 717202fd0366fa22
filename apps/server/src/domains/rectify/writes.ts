import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { partTypes } from '@zhugong/contract/labour/codes'
import type { changeRectify, createRectify } from '@zhugong/contract/rectify/calls'
import { fullStop, majorLevel } from '@zhugong/contract/rectify/moves'
import { docTypeOf } from '@zhugong/contract/rectify/papers'
import { sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import { dropPhotoUses, fileIdsOf, findingLeadMs, keptFiles, keptVoices, showPhotoUses, usePhotos } from '../files/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import { placeColumns } from '../places/public.ts'
import type { Outcome } from '../process/public.ts'
import { drawNumber } from '../process/public.ts'
import type { Notice } from './notice.ts'
import { photosBelow } from './passed-on.ts'
import { lastReplier, openRound } from './rounds.ts'
import { requireInTime, sourceOf } from './sources.ts'
import { after, before } from './stages.ts'

type Body = ParsedFor<typeof changeRectify>['body']
export type BodyOf<A extends Body['action']> = Extract<Body, { action: A }>
type Given = ParsedFor<typeof createRectify>['body']
/** A problem; what another record finds may have no place. */
type Line = Omit<Given['lines'][number], 'placeId' | 'pin'> & Partial<Pick<Given['lines'][number], 'placeId' | 'pin'>>
/** What the issuer writes. */
export type Fields = Omit<Given, 'id' | 'projectCode' | 'action' | 'sourceKind' | 'sourceId' | 'lines'> & { lines: readonly Line[] }

/** The columns a draft fills; the addressed company must be on the site. */
export async function draftValues(ctx: Context, projectCode: string, given: Fields) {
  await requirePresentUnit(ctx, projectCode, given.corpCode)
  const today = formatDay(ctx.clock.now())
  if (given.checkDate > today) throw new AppError('invalidInput', '检查日期不能晚于今天', { field: 'checkDate' })
  if (given.deadline < today) throw new AppError('invalidInput', '整改期限不能早于今天', { field: 'deadline' })
  if (given.level === majorLevel && !given.majorClause)
    throw new AppError('invalidInput', '重大隐患须填写判定条款', { field: 'majorClause' })
  if (given.noticeType === fullStop && ctx.group.type !== groupTypes.government)
    throw new AppError('invalidInput', '全面停工整改通知书由监管机构下发', { field: 'noticeType' })
  const { lines: _lines, ...columns } = given
  return columns
}

/**
 * Replaces the problems of a draft.
 * @throws AppError `invalidInput` at the field that does not fit what the notice comes from
 */
export async function writeLines(
  ctx: Context,
  row: Pick<Notice, 'id' | 'projectCode' | 'corpCode' | 'shownAt' | 'groups' | 'sourceKind' | 'sourceId' | 'checkDate' | 'deadline'>,
  lines: Fields['lines'],
): Promise<void> {
  await requireInTime(ctx, row, row.deadline)
  const old = await sql<{
    photos: string[]
    voices: string[]
  }>`delete from rectify_line where rectify_id = ${row.id} returning photos, voices`.execute(ctx.db)
  const carried = row.sourceId === null ? undefined : await sourceOf(row)?.photosOf?.(ctx, row.sourceId)
  const known = [...old.rows.flatMap((one) => [...one.photos, ...one.voices]), ...(carried ?? [])]
  const { id: rectifyId, projectCode, corpCode, shownAt, groups } = row
  const used: string[] = []
  const places = await placeColumns(ctx, projectCode, lines, (at, name) => `lines.${at}.${name}`)
  for (const [at, { photos, voices: spoken, placeId: _place, pin: _pin, ...line }] of lines.entries()) {
    const kept = await keptFiles(ctx, fileIdsOf(photos), known, `lines.${at}.photos`)
    const voices = await keptVoices(ctx, spoken, known, `lines.${at}.voices`)
    await ctx.db
      .insertInto('rectifyLine')
      .values({
        id: ctx.newId(),
        rectifyId,
        projectCode,
        corpCode,
        shownAt,
        groups,
        seq: at + 1,
        ...line,
        ...places[at],
        photos: kept,
        voices,
      })
      .execute()
    used.push(...kept)
  }
  // A record that the notice comes from has judged its photographs itself.
  if (row.sourceId !== null) return
  await dropPhotoUses(ctx, rectifyId, before, used)
  const notBefore = new Date(startOfDay(row.checkDate) - findingLeadMs)
  await usePhotos(ctx, {
    kind: '整改单',
    objectId: rectifyId,
    stage: before,
    projectCode,
    corpCode,
    shownAt,
    groups,
    files: used,
    notBefore,
  })
}

/** What issuing sets: from now on the site knows of the notice, by its number. */
export async function issueValues(ctx: Context, row: Pick<Notice, 'id' | 'projectCode' | 'category' | 'noticeType' | 'origin'>) {
  const shownAt = new Date(ctx.clock.now())
  await sql`update rectify_line set shown_at = ${shownAt} where rectify_id = ${row.id}`.execute(ctx.db)
  await showPhotoUses(ctx, row.id, shownAt)
  return { shownAt, issueTime: shownAt, code: await numberOf(ctx, row) }
}

/** 工程质量 in dictionary rectifyCategory. */
const quality = '02'

const wordOf: Readonly<Record<string, string>> = { 201: '安整', 202: '停整', 204: '质整' }
/**
 * The number of a notice. An authority's paper is numbered by its type (监督文书 201 安全, 202 停工, 204 质量), a site's by project and
 * trade.
 */
async function numberOf(
  ctx: Context,
  { projectCode, category, noticeType, origin }: Pick<Notice, 'projectCode' | 'category' | 'noticeType' | 'origin'>,
) {
  if (origin === 'gov') {
    const docType = docTypeOf({ noticeType, category })
    const { year, no } = await drawNumber(ctx, ctx.group.id, docType)
    return `${ctx.group.name}${wordOf[docType]}〔${year}〕第${String(no).padStart(4, '0')}号`
  }
  const trade = category === quality ? 'ZL' : 'AQ'
  const { rows } = await sql<{
    name: string
  }>`select coalesce(short_name, name) as name from project where project_code = ${projectCode}`.execute(ctx.db)
  const { year, no } = await drawNumber(ctx, projectCode, trade)
  return `${rows[0]?.name ?? projectCode}-${trade}-${year}-${String(no).padStart(3, '0')}`
}

type Answers = BodyOf<'reply'>['lines']
const shortestMeasure = 5

/** Stores answers to the open problems of this round, and answers their number. Sent ones need a measure and a photo for every open problem. */
export async function writeAnswers(ctx: Context, row: Notice, given: Answers, draft: boolean): Promise<number> {
  const { rows: open } = await sql<{ id: string; seq: number; earlier: string[] }>`
    select l.id, l.seq, coalesce((select a.photos from rectify_answer a where a.line_id = l.id order by a.round desc limit 1), '{}') as earlier
    from rectify_line l where l.rectify_id = ${row.id} and l.state = 'open' order by l.seq`.execute(ctx.db)
  const byId = new Map(given.map((one) => [one.id, one]))
  const strange = given.find((one) => !open.some((line) => line.id === one.id))
  if (strange) throw new AppError('invalidInput', '所回复的问题不在待整改之列', { field: 'lines' })
  const site = await sql<{ id: string }>`select id from tenant where type = 3 and code = ${row.projectCode}`.execute(ctx.system)
  // A draft is known to the writer's group and to the site, which completes it.
  const groups = [...new Set([ctx.group.id, ...site.rows.map((one) => one.id)])]
  const round = row.returns + 1
  const below = await photosBelow(ctx, row.id)
  for (const { id, seq, earlier } of open) {
    const one = byId.get(id)
    if (!draft && (!one || one.measure.length < shortestMeasure))
      throw new AppError('invalidInput', `第 ${seq} 个问题：整改措施至少 ${shortestMeasure} 个字`, { field: `lines.${seq - 1}.measure` })
    if (!draft && one?.photos.length === 0)
      throw new AppError('invalidInput', `第 ${seq} 个问题：须附整改后照片`, { field: `lines.${seq - 1}.photos` })
    if (!one) continue
    const photos = await keptFiles(ctx, fileIdsOf(one.photos), [...earlier, ...below], `lines.${seq - 1}.photos`)
    const values = {
      measure: one.measure,
      photos,
      doneDate: one.doneDate ?? null,
      person: one.person ?? null,
      byId: ctx.user.id,
      byName: ctx.user.name,
      at: new Date(ctx.clock.now()),
      draft,
      shownAt: draft ? null : new Date(ctx.clock.now()),
      groups,
    }
    await ctx.db
      .insertInto('rectifyAnswer')
      .values({ lineId: id, round, rectifyId: row.id, projectCode: row.projectCode, corpCode: row.corpCode, ...values })
      .onConflict((oc) => oc.columns(['lineId', 'round']).doUpdateSet(values))
      .execute()
    await usePhotos(ctx, {
      kind: '整改回复',
      objectId: row.id,
      stage: after(round),
      projectCode: row.projectCode,
      corpCode: row.corpCode,
      shownAt: values.shownAt,
      groups,
      files: photos,
      notBefore: new Date(startOfDay(row.checkDate)),
    })
  }
  const { rows: sent } = await sql<{ photos: string[] }>`
    select photos from rectify_answer where rectify_id = ${row.id} and round = ${round}`.execute(ctx.db)
  const kept = sent.flatMap((one) => one.photos)
  await dropPhotoUses(ctx, row.id, after(round), kept)
  if (!draft) await sql`update rectify_line set state = 'answered' where rectify_id = ${row.id} and state = 'open'`.execute(ctx.db)
  return open.length
}

export async function hasSupervisor(ctx: Context, projectCode: string): Promise<boolean> {
  const { rows } =
    await sql`select from project_corp where project_code = ${projectCode} and corp_type = ${partTypes.supervisor} and exit_time is null limit 1`.execute(
      ctx.system,
    )
  return rows.length > 0
}

type Verdicts = BodyOf<'jlReturn'>['lines']
/** Condition on `rectify_answer a`: the newest sent answer to each problem. */
const lastAnswers = (row: Notice) => sql`a.rectify_id = ${row.id} and not a.draft
  and a.round = (select max(b.round) from rectify_answer b where b.line_id = a.line_id and not b.draft)`

/** @throws AppError when a named problem is not among those that wait for a verdict */
async function requireAnswered(ctx: Context, row: Notice, failed: Verdicts): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from rectify_line where rectify_id = ${row.id} and state = 'answered'`.execute(
    ctx.db,
  )
  if (failed.some((one) => !rows.some((line) => line.id === one.id)))
    throw new AppError('invalidInput', '所选问题不在待复核之列', { field: 'lines' })
}

/** The verdict of 监理 on the answers that wait for it; failed problems are open again. */
export async function review(ctx: Context, row: Notice, failed: Verdicts, opinion: string | null): Promise<void> {
  await requireAnswered(ctx, row, failed)
  await sql`update rectify_answer a set review_passed = true, review_opinion = coalesce(${opinion}, a.review_opinion) where ${lastAnswers(row)}
    and exists (select from rectify_line l where l.id = a.line_id and l.state = 'answered')`.execute(ctx.db)
  for (const { id, opinion: why } of failed) {
    await sql`update rectify_answer a set review_passed = false, review_opinion = ${why} where ${lastAnswers(row)} and a.line_id = ${id}`.execute(
      ctx.db,
    )
    await sql`update rectify_line set state = 'open' where id = ${id} and rectify_id = ${row.id}`.execute(ctx.db)
  }
}

/** The issuer's verdict: what is not named as failed is closed. */
export async function recheck(ctx: Context, row: Notice, failed: Verdicts, opinion: string | null): Promise<void> {
  await requireAnswered(ctx, row, failed)
  const ids = failed.map((one) => one.id)
  await sql`update rectify_answer a set recheck_passed = true, recheck_opinion = ${opinion} where ${lastAnswers(row)}
    and exists (select from rectify_line l where l.id = a.line_id and l.state = 'answered') and a.line_id <> all (${ids})`.execute(ctx.db)
  await sql`update rectify_line set state = 'passed' where rectify_id = ${row.id} and state = 'answered' and id <> all (${ids})`.execute(
    ctx.db,
  )
  for (const { id, opinion: why } of failed) {
    await sql`update rectify_answer a set recheck_passed = false, recheck_opinion = ${why} where ${lastAnswers(row)} and a.line_id = ${id}`.execute(
      ctx.db,
    )
    await sql`update rectify_line set state = 'open' where id = ${id} and rectify_id = ${row.id}`.execute(ctx.db)
  }
}

/** Sends the answers of this round; answers the next state: to 监理 where the project has one and has not signed the paper. */
export async function sendReply(ctx: Context, row: Notice, given: BodyOf<'reply'> | BodyOf<'proxyReply'>): Promise<Outcome<Notice>> {
  const paper = given.action === 'proxyReply' ? given : undefined
  const lines = await writeAnswers(ctx, row, given.lines, false)
  const to = (await hasSupervisor(ctx, row.projectCode)) && !paper?.reviewSheet.length ? '4' : '5'
  await openRound(ctx, row, { lines, opinion: given.opinion, to, ...(paper ? { paper } : {}) })
  if (paper?.reviewSheet.length) await review(ctx, row, [], '纸质复核意见见附件')
  return {
    to,
    values: { replyTime: new Date(ctx.clock.now()), replierId: ctx.user.id },
    opinion: paper ? `代录，${paper.reason}${given.opinion ? `：${given.opinion}` : ''}` : given.opinion,
  }
}

/** Names other people for open problems. */
export async function assignLines(ctx: Context, row: Notice, given: BodyOf<'assign'>['lines']): Promise<Outcome<Notice>> {
  const notified: string[] = []
  for (const { id, person } of given) {
    const { rows } = await sql<{ seq: number }>`update rectify_line set person = ${person}
      where id = ${id} and rectify_id = ${row.id} and state = 'open' returning seq`.execute(ctx.db)
    if (!rows[0]) throw new AppError('invalidInput', '所选问题不在待整改之列', { field: 'lines' })
    notified.push(`问题 ${rows[0].seq} 由${person}整改`)
  }
  return { opinion: notified.join('；') }
}

/** An authority rechecks with two officers, neither of whom wrote the reply down. */
export async function requireSecond(ctx: Context, row: Notice, second: string | null | undefined): Promise<void> {
  if (row.origin !== 'gov') return
  if (!second) throw new AppError('invalidInput', '监管复查须有两名监督员，请填写第二名', { field: 'second' })
  if (second === ctx.user.name) throw new AppError('invalidInput', '第二名复查人不能是本人', { field: 'second' })
  if (second === (await lastReplier(ctx, row.id))) throw new AppError('invalidInput', '第二名复查人不能是回复的代录人', { field: 'second' })
}

export async function applyExtension(ctx: Context, row: Notice, { until, reason }: BodyOf<'applyExtend'>): Promise<Outcome<Notice>> {
  if (until <= row.deadline) throw new AppError('invalidInput', `新期限须晚于现期限 ${row.deadline}`, { field: 'until' })
  const { id: rectifyId, projectCode, corpCode, groups } = row
  const at = new Date(ctx.clock.now())
  await ctx.db
    .insertInto('rectifyExtension')
    .values({ id: ctx.newId(), rectifyId, projectCode, corpCode, shownAt: at, groups, untilDay: until, reason, byName: ctx.user.name, at })
    .execute()
  return { opinion: `延至 ${until}：${reason}` }
}

export async function decideExtension(ctx: Context, row: Notice, { agree, opinion }: BodyOf<'decideExtend'>): Promise<Outcome<Notice>> {
  const { rows } = await sql<{
    untilDay: string
  }>`update rectify_extension set agreed = ${agree}, opinion = ${opinion || null}, decided_by = ${ctx.user.name}
    where rectify_id = ${row.id} and agreed is null returning until_day`.execute(ctx.db)
  const until = rows[0]?.untilDay ?? row.deadline
  const values = agree ? { deadline: until, extendCount: row.extendCount + 1 } : {}
  return { values, opinion: `${agree ? `同意延至 ${until}` : '不同意延期'}${opinion ? `：${opinion}` : ''}` }
}
