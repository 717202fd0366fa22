import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { changeImprovement, createImprovement } from '@zhugong/contract/quality/improvement'
import { causeGroups } from '@zhugong/contract/quality/improvement-moves'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pick } from '#kit/pick'
import { siteNumber } from '../checks/public.ts'
import { requirePresentUnit } from '../labour/public.ts'
import { type Outcome, writeLog } from '../process/public.ts'
import { issueNotice } from '../rectify/public.ts'
import { type Improvement, improvementKind, improvementType } from './improvement-kind.ts'
import { type Finding, sourceNamed } from './sources.ts'

export type Body = ParsedFor<typeof changeImprovement>['body']
/** What the author writes. */
export type ImprovementFields = Omit<ParsedFor<typeof createImprovement>['body'], 'id' | 'action'>

const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })

/** The columns that a draft fills. @throws AppError `invalidInput` at the field */
async function columnsOf(ctx: Context, projectCode: string, fields: ImprovementFields) {
  const { causes, lines, findings, ...given } = fields
  await requirePresentUnit(ctx, projectCode, given.corpCode)
  if (given.deadline < formatDay(ctx.clock.now())) throw refuse('deadline', '整改期限不能早于今天')
  if (given.recheckAfter <= given.deadline) throw refuse('recheckAfter', '验证日期须晚于整改期限：整改完成后观察一段时间再验证')
  if (new Set(causes.map((one) => one.group)).size < causes.length) throw refuse('causes', '每类原因写一条')
  const sorted = causeGroups.flatMap((group) => causes.find((one) => one.group === group) ?? [])
  return {
    ...given,
    sourceKind: findings[0]?.kind ?? '',
    causes: sorted.map((one) => one.group),
    causeTexts: sorted.map((one) => one.text),
    lineParts: lines.map((one) => one.part),
    lineWords: lines.map((one) => one.text),
    linePersons: lines.map((one) => one.person ?? ''),
  }
}

/** The findings that are named, as their sources know them. @throws AppError `invalidInput` for one that the caller does not see here */
async function findingsOf(
  ctx: Context,
  projectCode: string,
  given: ImprovementFields['findings'],
): Promise<{ kind: string; finding: Finding }[]> {
  const known = new Map<string, Finding>()
  for (const [kind, ones] of Map.groupBy(given, (one) => one.kind)) {
    const found = await sourceNamed(kind)?.findings(ctx, { ids: ones.map((one) => one.id) })
    for (const one of found ?? []) if (one.projectCode === projectCode) known.set(`${kind} ${one.id}`, one)
  }
  return given.map(({ kind, id }, at) => {
    const finding = known.get(`${kind} ${id}`)
    if (!finding) throw refuse(`findings.${at}.id`, '问题不存在或不属于该项目')
    return { kind, finding }
  })
}

async function writeFindings(ctx: Context, row: Improvement, given: ImprovementFields['findings']): Promise<void> {
  // What was picked before stays as it was then.
  const kept = await sql<{
    key: string
  }>`select source_kind || ' ' || source_id as key from quality_finding where improvement_id = ${row.id}`.execute(ctx.db)
  const before = new Set(kept.rows.map((one) => one.key))
  const wanted = new Set(given.map(({ kind, id }) => `${kind} ${id}`))
  if (before.size === wanted.size && [...wanted].every((one) => before.has(one))) return
  await sql`delete from quality_finding where improvement_id = ${row.id}`.execute(ctx.db)
  const { id: improvementId, projectCode, corpCode, shownAt, groups } = row
  const found = await findingsOf(ctx, projectCode, given)
  const rows = found.map(({ kind, finding }, at) => ({
    improvementId,
    projectCode,
    corpCode,
    shownAt,
    groups,
    seq: at + 1,
    sourceKind: kind,
    sourceId: finding.id,
    ...pick(finding, 'code', 'part', 'text', 'measured', 'photos'),
    foundAt: finding.at,
  }))
  await ctx.db.insertInto('qualityFinding').values(rows).execute()
}

/** Inserts a draft; nobody but the group that writes it knows of it. */
export async function insertImprovement(
  ctx: Context,
  {
    id = ctx.newId(),
    projectCode,
    follows = null,
    ...fields
  }: ImprovementFields & { id?: string; projectCode: string; follows?: string | null },
): Promise<Improvement> {
  const columns = await columnsOf(ctx, projectCode, fields)
  await ctx.db
    .insertInto('qualityImprovement')
    .values({
      id,
      projectCode,
      ...columns,
      follows,
      groups: [ctx.group.id],
      authorGroup: ctx.group.id,
      authorGroupName: ctx.group.name,
      createBy: ctx.user.id,
      createTime: new Date(ctx.clock.now()),
    })
    .execute()
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new AppError('refused', '该编号已被使用，请重新填写', { field: 'id' }) : error
    })
  const row = await improvementKind.lock(ctx, id)
  await writeFindings(ctx, row, fields.findings)
  return row
}

/** What each action changes beside the state. */
export async function writeImprovement(ctx: Context, row: Improvement, body: Body): Promise<Outcome<Improvement>> {
  switch (body.action) {
    case 'save':
    case 'issue': {
      const { action, version: _version, ...fields } = body
      const values = await columnsOf(ctx, row.projectCode, fields)
      const next = { ...row, ...values }
      await writeFindings(ctx, next, fields.findings)
      return action === 'save' ? { values } : issue(ctx, next, values)
    }
    case 'effective':
      return { values: verdict(ctx, 'effective', body.opinion), opinion: body.opinion }
    case 'ineffective':
      await follow(ctx, row)
      return { values: verdict(ctx, 'ineffective', body.opinion), opinion: body.opinion }
  }
}

const verdict = (ctx: Context, is: 'effective' | 'ineffective', opinion: string) => ({
  verdict: is,
  verdictOpinion: opinion,
  verdictBy: ctx.user.name,
  verdictAt: new Date(ctx.clock.now()),
})

/** Letters of the series of numbers of a site's improvements. */
const series = 'ZG'
/** 工程质量, 限期整改通知书 and 一般 in dictionaries rectifyCategory, rectifyNoticeType and hiddenDangerLevel; 项目自查 in inspectType. */
const words = { category: '02', noticeType: '2', level: '1', sourceType: '12' } as const

/** It becomes known, and what is to be mended becomes a notice to the responsible company. */
async function issue(ctx: Context, row: Improvement, values: Partial<Improvement>): Promise<Outcome<Improvement>> {
  const shownAt = new Date(ctx.clock.now())
  await sql`update quality_finding set shown_at = ${shownAt}, corp_code = ${row.corpCode} where improvement_id = ${row.id}`.execute(ctx.db)
  const photos = await sql<{ photos: string[] }>`select photos from quality_finding where improvement_id = ${row.id} order by seq`.execute(
    ctx.db,
  )
  const all = photos.rows.flatMap((one) => one.photos)
  const { notice } = await issueNotice(ctx, {
    projectCode: row.projectCode,
    source: { kind: improvementType, id: row.id },
    corpCode: row.corpCode,
    ...words,
    majorClause: null,
    checkDate: formatDay(ctx.clock.now()),
    deadline: row.deadline,
    responsiblePerson: row.linePersons.find((one) => one !== '') ?? '项目负责人',
    lines: row.lineWords.map((text, at) => ({
      description: `${row.title}：${text}`.slice(0, 500),
      part: row.lineParts[at] ?? '',
      clause: null,
      requirement: text,
      person: row.linePersons[at] || null,
      // The notice shows what was found; the first of the pictures belong to its first problem.
      photos: at === 0 ? all.slice(0, mostShown) : [],
    })),
  })
  const code = await siteNumber(ctx, row.projectCode, series)
  return {
    to: '1',
    values: { ...values, shownAt, code, rectifyId: notice.id },
    opinion: `${row.lineWords.length} 项整改，验证日期 ${row.recheckAfter}`,
  }
}
const mostShown = 9

/** Days that the draft of a follow-up proposes until its deadline and until it is verified. */
const usual = { mend: 14, verify: 45 } as const

/** An improvement that did not work is followed by the draft of the next one, about the same findings. */
async function follow(ctx: Context, row: Improvement): Promise<void> {
  const now = ctx.clock.now()
  const id = ctx.newId()
  const { version: _v, verdict: _verdict, ...columns } = row
  await ctx.db
    .insertInto('qualityImprovement')
    .values({
      ...columns,
      id,
      code: null,
      shownAt: null,
      title: `${row.title.slice(0, 70)}（续）`,
      deadline: formatDay(now + usual.mend * 86_400_000),
      recheckAfter: formatDay(now + usual.verify * 86_400_000),
      rectifyId: null,
      closeTime: null,
      verdict: null,
      verdictOpinion: null,
      verdictBy: null,
      verdictAt: null,
      follows: row.id,
      state: '0',
      version: 0,
      createBy: ctx.user.id,
      createTime: new Date(now),
      updateBy: null,
      updateTime: new Date(now),
    })
    .execute()
  await sql`insert into quality_finding (improvement_id, seq, project_code, corp_code, shown_at, groups, source_kind, source_id, code, part, text, measured,
      found_at, photos)
    select ${id}, seq, project_code, corp_code, null, groups, source_kind, source_id, code, part, text, measured, found_at, photos
    from quality_finding where improvement_id = ${row.id}`.execute(ctx.db)
  const draft = await improvementKind.lock(ctx, id)
  await writeLog(ctx, improvementType, draft, { action: 'follow', from: null, to: draft.state })
}

/** The photographs of an improvement's findings, which its notice may show. */
export async function photosOfFindings(ctx: Pick<Context, 'db'>, id: string): Promise<string[]> {
  const { rows } = await sql<{ photos: string[] }>`select photos from quality_finding where improvement_id = ${id}`.execute(ctx.db)
  return rows.flatMap((one) => one.photos)
}
