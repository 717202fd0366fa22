import type { CheckProblem, ProblemInput } from '@zhugong/contract/checks/problems'
import { AppError } from '@zhugong/contract/kit/errors'
import { majorLevel } from '@zhugong/contract/rectify/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, startOfDay } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { dropPhotoUses, fileIdsOf, findingLeadMs, keptFiles, keptVoices, linksOf, showPhotoUses, usePhotos } from '../files/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import { pinOf, placeColumns, placeNameOf } from '../places/public.ts'
import { issueNotice } from '../rectify/public.ts'

type Check = Row<'siteCheck'>
/** A problem with what only some kinds of check say of it. */
export type GivenProblem = ProblemInput & {
  noticeType?: string | null | undefined
  /** 通病 (dictionary qualityProblem), with the value measured and what is allowed. */
  qualityProblem?: string | null
  measured?: string | null
  standard?: string | null
}

/**
 * Replaces the problems of a check that is not submitted yet.
 * @throws AppError `invalidInput` at `problems.N.field`
 */
export async function writeProblems(ctx: Context, check: Check, problems: readonly GivenProblem[]): Promise<void> {
  const before = await sql<{ photos: string[]; mendedPhotos: string[]; voices: string[] }>`
    delete from site_check_problem where check_id = ${check.id} returning photos, mended_photos, voices`.execute(ctx.db)
  const known = before.rows.flatMap((one) => [...one.photos, ...one.mendedPhotos, ...one.voices])
  const used = await insertProblems(ctx, check, problems, known, 0)
  await dropPhotoUses(ctx, check.id, 'before', used.finding)
  await dropPhotoUses(ctx, check.id, 'after 1', used.mended)
  await keepPhotoUses(ctx, check, used)
}

/**
 * Adds problems to a check that is submitted; `issueProblems` makes notices of them.
 * @throws AppError `invalidInput` at `problems.N.field`
 */
export async function addProblems(ctx: Context, check: Check, problems: readonly GivenProblem[]): Promise<void> {
  const { rows } = await sql<{ seq: number }>`select coalesce(max(seq), 0)::int as seq from site_check_problem
    where check_id = ${check.id}`.execute(ctx.db)
  await keepPhotoUses(ctx, check, await insertProblems(ctx, check, problems, [], rows[0]?.seq ?? 0))
}

interface UsedPhotos {
  finding: string[]
  mended: string[]
}

/** `after`: the number of the last problem that the check has. */
async function insertProblems(
  ctx: Context,
  check: Check,
  problems: readonly GivenProblem[],
  known: readonly string[],
  after: number,
): Promise<UsedPhotos> {
  const places = await placeColumns(ctx, check.projectCode, problems, (at, name) => `problems.${at}.${name}`)
  const used: UsedPhotos = { finding: [], mended: [] }
  for (const [at, { photos, voices, mendedPhotos, placeId: _place, pin: _pin, ...problem }] of problems.entries()) {
    const field = (name: string) => `problems.${at}.${name}`
    await requireWhole(ctx, check, problem, mendedPhotos, field)
    const kept = {
      photos: await keptFiles(ctx, fileIdsOf(photos), known, field('photos')),
      mendedPhotos: await keptFiles(ctx, fileIdsOf(mendedPhotos), known, field('mendedPhotos')),
      voices: await keptVoices(ctx, voices, known, field('voices')),
    }
    used.finding.push(...kept.photos)
    used.mended.push(...kept.mendedPhotos)
    await ctx.db
      .insertInto('siteCheckProblem')
      .values({
        id: ctx.newId(),
        checkId: check.id,
        ...pick(check, 'projectCode', 'shownAt', 'groups'),
        seq: after + at + 1,
        noticeType: null,
        ...problem,
        ...places[at],
        ...kept,
      })
      .execute()
  }
  return used
}

async function keepPhotoUses(ctx: Context, check: Check, used: UsedPhotos): Promise<void> {
  const { id: objectId, projectCode, shownAt, groups } = check
  const notBefore = new Date(startOfDay(formatDay(check.checkTime)) - findingLeadMs)
  for (const [stage, files] of [
    ['before', used.finding],
    ['after 1', used.mended],
  ] as const)
    await usePhotos(ctx, { kind: '检查', objectId, stage, projectCode, corpCode: null, shownAt, groups, files, notBefore })
}

/** Forgets the photographs of a draft that is thrown away. */
export async function forgetProblemPhotos(ctx: Context, checkId: string): Promise<void> {
  for (const stage of ['before', 'after 1']) await dropPhotoUses(ctx, checkId, stage, [])
}

async function requireWhole(
  ctx: Context,
  check: Check,
  problem: Omit<ProblemInput, 'photos' | 'voices' | 'mendedPhotos' | 'placeId' | 'pin'>,
  mendedPhotos: readonly string[],
  field: (name: string) => string,
): Promise<void> {
  const refuse = (name: string, message: string) => new AppError('invalidInput', message, { field: field(name) })
  await requirePresentUnit(ctx, check.projectCode, problem.corpCode, field('corpCode'))
  if (problem.deadline < formatDay(ctx.clock.now())) throw refuse('deadline', '整改期限不能早于今天')
  if (problem.dangerLevel === majorLevel && !problem.majorClause) throw refuse('majorClause', '重大隐患须填写判定条款')
  if (problem.dangerLevel === majorLevel && problem.mended) throw refuse('mended', '重大隐患不能当场销项，须按整改流程复查')
  if (problem.mended && mendedPhotos.length === 0) throw refuse('mendedPhotos', '当场改正须附改正后照片')
}

/** Text fields of the notices that come from one kind of check. */
interface NoticeWords {
  /** Dictionary rectifyCategory. */
  category: string
  /** Dictionary rectifyNoticeType, for what is not mended on the spot. */
  noticeType: string
}
/** 责令立即改正 in dictionary rectifyNoticeType. */
const atOnce = '1'

/**
 * Turns the problems of a check into notices: one for each company, deadline and kind of notice, and of what was mended on the spot one closed notice for
 * each company. @returns the number of notices issued
 */
export async function issueProblems(ctx: Context, check: Check, words: NoticeWords): Promise<number> {
  const { rows } = await sql<Row<'siteCheckProblem'>>`
    select * from site_check_problem where check_id = ${check.id} and rectify_id is null order by seq`.execute(ctx.db)
  const together = Map.groupBy(rows, ({ corpCode, deadline, mended, noticeType }) =>
    mended ? `${corpCode} mended` : `${corpCode} ${deadline} ${noticeType ?? words.noticeType}`,
  )
  for (const problems of together.values()) await issueTogether(ctx, check, words, problems)
  return together.size
}

async function issueTogether(
  ctx: Context,
  check: Check,
  { category, noticeType }: NoticeWords,
  problems: readonly Row<'siteCheckProblem'>[],
): Promise<void> {
  const [first] = problems
  if (!first) return
  const major = problems.find((one) => one.dangerLevel === majorLevel)
  const responsible = problems.find((one) => one.person)?.person ?? (await managerOf(ctx, check.projectCode, first.corpCode))
  const { notice, lineIds } = await issueNotice(ctx, {
    projectCode: check.projectCode,
    source: { kind: check.kind, id: check.id },
    corpCode: first.corpCode,
    sourceType: check.inspectType,
    noticeType: first.mended ? atOnce : (first.noticeType ?? noticeType),
    category,
    level: (major ?? first).dangerLevel,
    majorClause: major?.majorClause ?? null,
    checkDate: formatDay(check.checkTime),
    deadline: first.mended ? formatDay(ctx.clock.now()) : first.deadline,
    responsiblePerson: responsible,
    lines: problems.map(({ description, part, clause, requirement, person, photos, voices, mended, mendedPhotos, ...at }) => ({
      description,
      part,
      placeId: at.placeId,
      pin: pinOf(at),
      clause,
      requirement,
      person,
      photos,
      voices,
      mended: mended ? { measure: mended, photos: mendedPhotos } : undefined,
    })),
  })
  for (const [i, { id }] of problems.entries())
    await sql`update site_check_problem set rectify_id = ${notice.id}, line_id = ${lineIds[i]} where id = ${id}`.execute(ctx.db)
}

/** Who answers for a company on the site where the checker names nobody. */
async function managerOf(ctx: Context, projectCode: string, corpCode: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`select pm_name as name from project_corp
    where project_code = ${projectCode} and corp_code = ${corpCode} and exit_time is null order by entry_time limit 1`.execute(ctx.db)
  return rows[0]?.name ?? '项目负责人'
}

/** Shows the problems together with the check that is submitted. */
export async function showProblems(ctx: Context, check: Pick<Check, 'id'>, shownAt: Date): Promise<void> {
  await sql`update site_check_problem set shown_at = ${shownAt} where check_id = ${check.id}`.execute(ctx.db)
  await showPhotoUses(ctx, check.id, shownAt)
}

/** The problems of a check with their notices; a company limited to its own rows sees only those addressed to it. */
export async function problemsOf(ctx: Pick<Context, 'db' | 'secrets' | 'clock'>, checkId: string): Promise<CheckProblem[]> {
  type Raw = Row<'siteCheckProblem'> & {
    corpName: string
    placeName: string | null
    noticeCode: string | null
    noticeState: string | null
    lineState: string | null
  }
  const { rows } =
    await sql<Raw>`select p.*, c.corp_name, ${placeNameOf('p.place_id')} as place_name, r.code as notice_code, r.state as notice_state, l.state as line_state
    from site_check_problem p join corporation c using (corp_code)
    left join rectify r on r.id = p.rectify_id left join rectify_line l on l.id = p.line_id
    where p.check_id = ${checkId} order by p.seq`.execute(ctx.db)
  return rows.map((p) => ({
    ...pick(
      p,
      'id',
      'seq',
      'description',
      'part',
      'placeId',
      'placeName',
      'itemCode',
      'clause',
      'dangerLevel',
      'noticeType',
      'majorClause',
      'requirement',
      'corpCode',
      'corpName',
      'person',
      'deadline',
      'mended',
    ),
    pin: pinOf(p),
    dangerLevelName: dictName('hiddenDangerLevel', p.dangerLevel) ?? p.dangerLevel,
    photos: linksOf(ctx, p.photos),
    voices: linksOf(ctx, p.voices),
    mendedPhotos: linksOf(ctx, p.mendedPhotos),
    notice:
      p.rectifyId && p.noticeState
        ? {
            id: p.rectifyId,
            code: p.noticeCode,
            state: p.noticeState,
            stateName: dictName('rectifyState', p.noticeState) ?? p.noticeState,
            passed: p.lineState === 'passed',
          }
        : null,
  }))
}
