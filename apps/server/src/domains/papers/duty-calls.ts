import { AppError } from '@zhugong/contract/kit/errors'
import { dutyOf, dutySources, mostDaysBack } from '@zhugong/contract/papers/duties'
import type * as contract from '@zhugong/contract/papers/safety'
import type { DutyRow } from '@zhugong/contract/papers/safety'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import { type Context, found, groupTypes, oneProject } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { pageSlice } from '#kit/list'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'
import { linksOf } from '../files/public.ts'
import { fileNames } from './cell.ts'
import { dutyRecord, findDutyRecords } from './duty-records.ts'
import { countsOf, daysIn, dutiesFor, type Obligation, obligationsOf } from './duty-rows.ts'
import { libraryOf, requireOpenProject } from './project.ts'
import { addVersion, authorOf, insertPaper } from './writes.ts'

const managerCode = 'safety-management.review'
const mostChoices = 200
const refuse = (field: string, message: string) => new AppError('invalidInput', message, { field })

export const listSafety: HandlerOf<typeof contract.listSafety> = async ({ query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const { rows, list, since, reason, today } = await dutiesFor(ctx, query)
  const { limit, offset } = pageSlice(query)
  return {
    list: await withFiles(ctx, list.slice(offset, offset + limit)),
    total: list.length,
    counts: countsOf(rows, today),
    days: daysIn(rows, query.month, today),
    since,
    sinceReason: reason,
    manages: ctx.group.type === groupTypes.project && ctx.codes.has(managerCode),
  }
}

async function withFiles(ctx: Context, rows: readonly Obligation[]): Promise<DutyRow[]> {
  const keys = rows.map((one) => one.id)
  const { rows: kept } = await sql<{ key: string; files: string[] }>`select p.duty || ' ' || p.period as key, v.files
    from library_paper p join library_version v on v.paper_id = p.id and v.version_no = p.version_no
    where p.project_code = any (${[...new Set(rows.map((one) => one.projectCode))]}) and p.category = '3'
      and p.duty || ' ' || p.period = any (${keys})`.execute(ctx.db)
  const names = await fileNames(
    ctx,
    kept.flatMap((one) => one.files),
  )
  return rows.map((row) => {
    const files = kept.find((one) => one.key === row.id)?.files ?? []
    return { ...row, files: linksOf(ctx, files).map((url, at) => ({ url, name: names.get(files[at] ?? '') ?? `文件 ${at + 1}` })) }
  })
}

/** The obligation of a project. @throws AppError `invalidInput` */
function obligation(rows: readonly Obligation[], { duty, period }: { duty: string; period: string }, at = 'period'): Obligation {
  const row = rows.find((one) => one.owed && one.duty === duty && one.period === period)
  if (!row) throw refuse(at, '该项目没有这一期应归资料')
  return row
}

export const createSafetyPaper: HandlerOf<typeof contract.createSafetyPaper> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  await requireOpenProject(ctx, projectCode)
  const row = obligation((await obligationsOf(ctx, projectCode)).rows, body)
  if (row.state === 'filed') throw new AppError('refused', `${row.item} ${row.due} 已归，不必再传`)
  const id = ctx.newId()
  const today = formatDay(ctx.clock.now())
  await insertOnce(ctx, row, { id, name: body.name, validEnd: body.validEnd, workDate: row.due < today ? row.due : today })
  await addVersion(ctx, { id, projectCode }, 1, body.files)
  ctx.note('上传安全资料', id)
  return { id }
}

interface Filing {
  id: string
  name: string
  validEnd?: string | null
  workDate: string
  refSource?: string
  refId?: string
}
const insertOnce = (ctx: Context, { projectCode, duty, period }: Obligation, given: Filing) =>
  insertPaper(ctx, {
    ...{ category: '3', projectCode, duty, period, shownAt: new Date(ctx.clock.now()), state: '2' },
    ...{
      placeId: null,
      work: null,
      col: null,
      approver: null,
      approvedAt: null,
      reason: null,
      validEnd: null,
      refSource: null,
      refId: null,
    },
    ...given,
    ...authorOf(ctx),
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? new AppError('conflict', '该项刚由他人归档，请刷新') : error
  })

export const linkSafetyRecord: HandlerOf<typeof contract.linkSafetyRecord> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  await requireOpenProject(ctx, projectCode)
  const record = await dutyRecord(ctx, projectCode, body.source, body.refId)
  if (!record) throw refuse('refId', '记录不存在或不属于该项目')
  const { rows } = await obligationsOf(ctx, projectCode)
  const today = formatDay(ctx.clock.now())
  let linked = 0
  for (const [at, item] of body.items.entries()) {
    const row = obligation(rows, item, `items.${at}.period`)
    if (row.state === 'filed') continue
    const id = ctx.newId()
    const workDate = record.day < today ? record.day : today
    await insertOnce(ctx, row, { id, name: record.name, workDate, refSource: record.source, refId: record.id })
    linked++
  }
  if (linked === 0) throw new AppError('refused', '所选资料都已归，不必关联')
  ctx.note('关联安全记录', record.id)
  return { linked }
}

export const listSafetyRecords: HandlerOf<typeof contract.listSafetyRecords> = async ({ query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const rows = await findDutyRecords(ctx, libraryOf(ctx, query.projectCode), query.keyword ?? '', mostChoices)
  const list = rows.map(({ source, id, name, day }) => ({ source, sourceName: dutySources[source], id, name, date: day }))
  return { list, total: list.length }
}

/** Only whoever manages this site; the code is held by its manager and by its administrator, who stands in. */
export const exemptDuty: HandlerOf<typeof contract.exemptDuty> = async ({ query, body }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  await requireOpenProject(ctx, projectCode)
  const { duty, period, exempt, reason } = body
  const row = obligation((await obligationsOf(ctx, projectCode)).rows, body)
  if (exempt) {
    if (row.state === 'filed') throw new AppError('refused', `${dutyOf(duty)?.name ?? ''}已归，不必免除`)
    await sql`insert into library_exempt (id, project_code, duty, period, reason, by_id, by_name, at)
      values (${ctx.newId()}, ${projectCode}, ${duty}, ${period}, ${reason}, ${ctx.user.id}, ${ctx.user.name}, ${new Date(ctx.clock.now())})
      on conflict (project_code, duty, period) do update set reason = excluded.reason, by_id = excluded.by_id, by_name = excluded.by_name,
        at = excluded.at`.execute(ctx.db)
  } else {
    const gone =
      await sql`delete from library_exempt where project_code = ${projectCode} and duty = ${duty} and period = ${period} returning id`.execute(
        ctx.db,
      )
    found(gone.rows[0], '免除')
  }
  ctx.note(`${exempt ? '免除' : '恢复'}应归资料 ${row.item} ${row.due}`, projectCode)
  return undefined
}

export const setSafetySince: HandlerOf<typeof contract.setSafetySince> = async ({ query, body: { since, reason } }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  await requireOpenProject(ctx, projectCode)
  const today = formatDay(ctx.clock.now())
  if (since > today) throw refuse('since', '起算日不能晚于今天')
  if (since < addDays(today, -mostDaysBack)) throw refuse('since', `起算日最早为 ${addDays(today, -mostDaysBack)}`)
  await sql`insert into library_since (project_code, since, reason, by_name, at)
    values (${projectCode}, ${since}::date, ${reason}, ${ctx.user.name}, ${new Date(ctx.clock.now())})
    on conflict (project_code) do update set since = excluded.since, reason = excluded.reason, by_name = excluded.by_name, at = excluded.at`.execute(
    ctx.db,
  )
  ctx.note('设置安全资料起算日', projectCode)
  return undefined
}
