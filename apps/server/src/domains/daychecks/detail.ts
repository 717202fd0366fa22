import type { DayCheckDetail, DayCheckUnit, getDayCheck, LastFinding } from '@zhugong/contract/daychecks/calls'
import { dayCheckStates } from '@zhugong/contract/daychecks/moves'
import { gradeNames, itemResults } from '@zhugong/contract/scoring/score'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { problemsOf } from '../checks/public.ts'
import { linksOf } from '../files/public.ts'
import { historyOf, offersFor, signaturesOf } from '../process/public.ts'
import { phrasesFor, type StoredSheet, scoreOf, sheetsOf, toSheet } from '../scoring/public.ts'
import type { DayCheck } from './day-check.ts'
import { ownSheets } from './followers.ts'
import { dayCheckKind, dayCheckType, readDayCheck, stepLabels } from './kind.ts'
import { rowFor, type Viewer } from './rows.ts'

type PageContext = Viewer & Pick<Context, 'group' | 'secrets'>

export const readDetail: HandlerOf<typeof getDayCheck> = async ({ params: { id } }, ctx) => {
  const { check, ...file } = await fileOf(ctx, id)
  const own = await ownSheets(ctx, check)
  return {
    ...file,
    writable: own ? [...own] : null,
    timeline: courseFor(ctx, await historyOf(ctx, dayCheckType, id, stepLabels)),
    signatures: await signaturesOf(ctx, dayCheckKind, check),
    actions: offersFor(ctx, dayCheckKind, check),
  }
}

/** The site reads how it went since it knows of it, not how it was planned. */
function courseFor(ctx: Pick<Context, 'group'>, lines: DayCheckDetail['timeline']): DayCheckDetail['timeline'] {
  if (ctx.group.type === groupTypes.government || ctx.group.type === groupTypes.platform) return lines
  return lines.filter(({ action }) => action === 'submit' || action === 'remark')
}

/** All of a check but what depends on the reader; page and print read the same. */
export async function fileOf(ctx: PageContext, id: string) {
  const row = found(await rowFor(ctx, id), '检查')
  const check = await readDayCheck(ctx, id)
  const stored = await sheetsOf(ctx, id)
  const isOpen = check.state === dayCheckStates.planned || check.state === dayCheckStates.running
  const now = scoreOf(stored)
  const frozen = await frozenOf(ctx, id)
  const previous = await previousOf(ctx, check)
  const { rows: words } = await sql<{ remark: string | null }>`select remark from site_check where id = ${id}`.execute(ctx.db)
  return {
    ...row,
    check,
    checkerIds: check.checkerIds,
    template: check.template,
    visitId: ctx.group.type === groupTypes.government ? check.visitId : null,
    // Whom a complaint concerns must not learn of it.
    source:
      check.sourceKind && check.sourceId && ctx.group.id === check.checkerGroup ? { kind: check.sourceKind, id: check.sourceId } : null,
    checkIn: checkInOf(ctx, check),
    presence: await presenceOf(ctx, id),
    units: await unitsOf(ctx, check, stored, isOpen),
    reason: frozen.reason ?? now.reason,
    score: isOpen ? now.score : row.score,
    grade: isOpen ? now.grade : row.grade,
    gradeName: isOpen ? now.grade && gradeNames[now.grade] : row.gradeName,
    categories: now.categories.map(({ code, name, weight, score, points }) => {
      const kept = frozen.categories.get(code)
      const own = isOpen ? { score, points } : { score: kept?.score ?? null, points: kept?.points ?? null }
      return { code, name, weight, ...own, previous: previous?.categories.get(code)?.score ?? null }
    }),
    districtMean: await districtMean(ctx, check),
    previous: previous && { id: previous.id, checkTime: previous.checkTime, score: previous.score },
    lastFindings: isOpen && previous ? await findingsOf(ctx, previous.id, previous.checkTime) : [],
    summary: words[0]?.remark ?? null,
    problems: await problemsOf(ctx, id),
    notices: await noticesOf(ctx, id),
    disciplinesDone: await disciplinesOf(ctx, id),
    submitTime: check.submitAt && formatInstant(check.submitAt),
    remark: check.remark && check.remarkAt ? { text: check.remark, byName: check.remarkBy ?? '', at: formatInstant(check.remarkAt) } : null,
  }
}

function checkInOf(ctx: PageContext, check: DayCheck): DayCheckDetail['checkIn'] {
  const { checkInAt, submitAt } = check
  if (!checkInAt) return null
  return {
    at: formatInstant(checkInAt),
    byName: check.checkInBy ?? '',
    lng: check.checkInLng,
    lat: check.checkInLat,
    outsideM: check.outsideM,
    abnormalReason: check.abnormalReason,
    photos: linksOf(ctx, check.checkInPhotos),
    stayMinutes: submitAt && Math.max(0, Math.round((submitAt.getTime() - checkInAt.getTime()) / 60_000)),
  }
}

async function presenceOf(ctx: Pick<Context, 'db'>, id: string): Promise<DayCheckDetail['presence']> {
  const { rows } = await sql<Row<'dayCheckPresence'>>`select * from day_check_presence where check_id = ${id} order by seq`.execute(ctx.db)
  return rows.map(({ post, name, state, at }) => ({
    post,
    postName: dictName('managerPost', post) ?? post,
    name,
    state,
    at: at && formatInstant(at),
  }))
}

async function unitsOf(ctx: PageContext, check: DayCheck, stored: readonly StoredSheet[], isOpen: boolean): Promise<DayCheckUnit[]> {
  type Raw = Row<'dayCheckUnit'> & Pick<Row<'unitProject'>, 'part' | 'structureType' | 'height' | 'floorsUp' | 'phase'>
  const { rows } = await sql<Raw>`select u.*, p.part, p.structure_type, p.height, p.floors_up, p.phase from day_check_unit u
    left join unit_project p on p.id = u.unit_id where u.check_id = ${check.id} order by u.seq`.execute(ctx.db)
  const phrases = isOpen ? await phrasesFor(ctx) : new Map<string, string[]>()
  return rows.map((unit) => {
    const own = stored.filter(({ sheet }) => sheet.taskId === unit.id)
    const items = own.flatMap(({ sheet, results }) => (sheet.notApplicable === null ? results : []))
    return {
      ...pick(unit, 'id', 'seq', 'unitId', 'name', 'part', 'height', 'floorsUp', 'doneBy', 'savedBy', 'version'),
      structureTypeName: dictName('structureType', unit.structureType),
      phaseName: dictName('projectPhase', unit.phase),
      judged: items.filter((one) => one.result !== itemResults.unchecked).length,
      items: items.length,
      wrong: items.filter((one) => one.result === itemResults.wrong).length,
      done: unit.doneAt !== null,
      savedAt: unit.savedAt && formatInstant(unit.savedAt),
      sheets: own.map((one) => toSheet(ctx, one, phrases)),
    }
  })
}

async function frozenOf(ctx: Pick<Context, 'db'>, id: string) {
  const score = await sql<{ reason: string | null }>`select reason from check_score where check_id = ${id}`.execute(ctx.db)
  const { rows } = await sql<Row<'checkCategory'>>`select * from check_category where check_id = ${id}`.execute(ctx.db)
  return { reason: score.rows[0]?.reason ?? null, categories: new Map(rows.map((one) => [one.category, one])) }
}

/** The last submitted daily check of the site before this one. */
async function previousOf(ctx: Pick<Context, 'db'>, check: DayCheck) {
  type Raw = { id: string; checkTime: Date; score: number | null }
  const { rows } = await sql<Raw>`select d.id, c.check_time, s.score from day_check d join site_check c on c.id = d.id
      join check_score s on s.check_id = d.id
    where d.project_code = ${check.projectCode} and d.submit_at is not null and d.id <> ${check.id} and c.check_time < ${check.checkTime}
    order by c.check_time desc, d.id desc limit 1`.execute(ctx.db)
  const last = rows[0]
  if (!last) return null
  return { ...last, checkTime: formatInstant(last.checkTime), categories: (await frozenOf(ctx, last.id)).categories }
}

/** Findings of the visit before that can be compared on the spot. */
const mostFindings = 200
async function findingsOf(ctx: PageContext, id: string, checkTime: string): Promise<LastFinding[]> {
  type Raw = Pick<Row<'checkResult'>, 'itemCode' | 'note' | 'deduction' | 'photos'> & { unitName: string | null }
  const { rows } = await sql<Raw>`select r.item_code, r.note, r.deduction, r.photos, u.name as unit_name from check_result r
    join check_sheet s on s.id = r.sheet_id left join day_check_unit u on u.id = s.task_id
    where r.check_id = ${id} and r.result = ${itemResults.wrong} limit ${mostFindings}`.execute(ctx.db)
  return rows.map(({ photos, unitName, ...one }) => ({
    ...one,
    unitName: unitName ?? '',
    photos: linksOf(ctx, photos),
    day: checkTime.slice(0, 10),
  }))
}

/** The mean of this year's scores in the project's district, over all its sites: a figure that names none of them. */
async function districtMean(ctx: Pick<PageContext, 'db' | 'clock'>, check: DayCheck): Promise<number | null> {
  const year = formatDay(check.checkTime).slice(0, 4)
  const { rows } = await sql<{
    mean: number | null
  }>`select zg_district_mean(${check.projectCode}, ${`${year}-01-01`}::date) as mean`.execute(ctx.db)
  const mean = rows[0]?.mean ?? null
  return mean === null ? null : Number(mean)
}

async function noticesOf(ctx: Pick<Context, 'db'>, id: string): Promise<DayCheckDetail['notices']> {
  type Raw = Pick<
    Row<'rectify'>,
    'id' | 'code' | 'noticeType' | 'deadline' | 'state' | 'issueTime' | 'replyTime' | 'closeTime' | 'returns'
  > & { corpName: string }
  const { rows } =
    await sql<Raw>`select r.id, r.code, r.notice_type, r.deadline, r.state, r.issue_time, r.reply_time, r.close_time, r.returns, c.corp_name
    from rectify r join corporation c on c.corp_code = r.corp_code
    where r.source_kind = ${dayCheckType} and r.source_id = ${id} order by r.notice_type desc, r.deadline, r.id`.execute(ctx.db)
  const at = (value: Date | null) => value && formatInstant(value)
  return rows.map(({ noticeType, issueTime, replyTime, closeTime, ...one }) => ({
    ...one,
    noticeTypeName: dictName('rectifyNoticeType', noticeType) ?? noticeType,
    stateName: dictName('rectifyState', one.state) ?? one.state,
    issueTime: at(issueTime),
    replyTime: at(replyTime),
    closeTime: at(closeTime),
  }))
}

async function disciplinesOf(ctx: Pick<Context, 'db'>, id: string): Promise<DayCheckDetail['disciplinesDone']> {
  const { rows } = await sql<Row<'dayCheckDiscipline'>>`select * from day_check_discipline where check_id = ${id} order by at`.execute(
    ctx.db,
  )
  return rows.map(({ discipline, byName, at }) => ({ discipline, byName, at: formatInstant(at) }))
}
