import type * as contract from '@zhugong/contract/documents/supervision'
import { missingOf, type PaperSource, paperSources, supervisionRow } from '@zhugong/contract/documents/supervision'
import { stopNotices } from '@zhugong/contract/rectify/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { allOf, anyOf, type Condition, condition, contains, daysBetween, filtersOf, inProjects, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { seesProject } from '#kit/sees-project'
import type { HandlerOf } from '#kit/serve'

/**
 * Where papers of supervision come from: one entry for each kind of record, with the same columns. A record is never copied; row-level
 * security of its own table says who sees it.
 */
const sources: Readonly<Record<PaperSource, { link: (id: string) => string; rows: RawBuilder<unknown> }>> = {
  plan: {
    link: (id) => `/jgt/checkplan/details?id=${id}`,
    rows: sql`select 'plan' as source, c.id, c.project_code, c.code, case when c.discipline = '2' then '107' else '101' end as doc_type,
        (c.approve_at at time zone 'Asia/Shanghai')::date as check_date, true as signed, c.version_no, c.state in ('5', '6') as filed
      from check_plan c where c.state in ('3', '4', '5', '6')`,
  },
  sheet: {
    link: (id) => `/jgt/manualsheet/details?id=${id}`,
    rows: sql`select 'sheet', m.id, m.project_code, m.code, m.doc_type, m.check_date, m.state in ('2', '3'), 1, m.state = '3'
      from manualsheet m where m.state in ('1', '2', '3')`,
  },
  daycheck: {
    link: (id) => `/jgt/daycheck/details?id=${id}`,
    rows: sql`select 'daycheck', d.id, d.project_code, d.code, case when d.discipline <@ '{2}' then '104' else '103' end,
        (d.submit_at at time zone 'Asia/Shanghai')::date, true, 1, d.state in ('2', '5')
      from day_check d where d.state in ('2', '3', '4', '5')`,
  },
  rectify: {
    link: (id) => `/safetySupervisionRectification/details?id=${id}`,
    rows: sql`select 'rectify', r.id, r.project_code, r.code,
        case when r.notice_type = any (${[...stopNotices]}::text[]) then '202' when r.category = '02' then '204' else '201' end,
        (r.issue_time at time zone 'Asia/Shanghai')::date, r.state <> '1', 1, r.state in ('7', '8')
      from rectify r where r.origin = 'gov' and r.code is not null and r.state not in ('0', '8')`,
  },
  reply: {
    link: (id) => `/safetySupervisionRectification/details?id=${id}`,
    rows: sql`select 'reply', r.id, r.project_code, r.code,
        case when r.category = '02' and r.notice_type <> all (${[...stopNotices]}::text[]) then '205' else '203' end,
        (r.close_time at time zone 'Asia/Shanghai')::date, true, 1, true
      from rectify r where r.origin = 'gov' and r.code is not null and r.state = '7'`,
  },
  stop: {
    link: (id) => `/jgt/stopapply/details?id=${id}`,
    rows: sql`select 'stop', s.id, s.project_code, s.doc_code, case s.type when '1' then '301' when '2' then '302' else '303' end,
        (s.decide_time at time zone 'Asia/Shanghai')::date, true, 1, true
      from stopapply s where s.doc_code is not null`,
  },
}
const papers = sql`(${sql.join(
  Object.values(sources).map((one) => one.rows),
  sql` union all `,
)})`

type Query = Partial<NonNullable<(typeof contract.listSupervision)['types']>['parsed']['query']>
export type PaperReader = Pick<Context, 'db' | 'scope' | 'scopeChecks'>

export const paperConditions = (ctx: PaperReader, query: Query): Condition =>
  allOf(
    ...inProjects('t.projectCode', projectsFor(ctx, query.projectCode)),
    // What row-level security alone would let through is narrowed to the project that is asked for.
    ...(query.projectCode && query.projectCode !== '*' ? [condition(sql`t.project_code = ${query.projectCode}`)] : []),
    filtersOf(query, {
      projectCode: 'elsewhere',
      part: (part) => condition(sql`left(t.doc_type, 1) = ${part}`),
      docType: [anyOf, 't.docType'],
      code: [contains, 't.code'],
      checkDate: [daysBetween, 't.checkDate'],
      signed: (signed) => condition(sql`t.signed = ${signed === 'true'}`),
      source: [anyOf, 't.source'],
    }),
  )

interface Raw {
  source: PaperSource
  id: string
  projectCode: string
  code: string | null
  docType: string
  checkDate: string | null
  signed: boolean
  versionNo: number
  filed: boolean
  projectName: string
}

export async function readPapers(ctx: PaperReader, where: Condition, sort: Query['sort'], slice?: { limit: number; offset: number }) {
  const order = sort
    ? orderBy(sort, { docType: 't.docType', checkDate: 't.checkDate' }, 'docType', 't.id')
    : sql`t.doc_type, t.check_date desc nulls last, t.id`
  const { rows } = await sql<Raw>`select t.source, t.id, t.project_code, t.code, t.doc_type, t.check_date, t.signed, t.version_no, t.filed,
      j.name as project_name
    from ${papers} t join project j on j.project_code = t.project_code where ${where} order by ${order}
    ${slice ? sql`limit ${slice.limit} offset ${slice.offset}` : sql``}`.execute(ctx.db)
  return rows.map((raw) =>
    rowOf(supervisionRow, raw, {
      id: `${raw.source} ${raw.id}`,
      name: nameOf(raw.docType),
      docTypeName: nameOf(raw.docType),
      sourceName: paperSources[raw.source],
      link: sources[raw.source].link(raw.id),
    }),
  )
}
const nameOf = (docType: string): string => dictName('superviseDocType', docType) ?? docType

export async function countPapers(ctx: PaperReader, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${papers} t where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

async function directoryOf(ctx: Pick<PaperReader, 'db'>, where: Condition) {
  const { rows } = await sql<{ docType: string; count: number; signed: number }>`select t.doc_type, count(*)::int as count,
      (count(*) filter (where t.signed))::int as signed from ${papers} t where ${where} group by t.doc_type order by t.doc_type`.execute(
    ctx.db,
  )
  return rows.map((one) => ({ ...one, name: nameOf(one.docType) }))
}

/** What the supervision file of a project lacks. */
export const missingOfProject = async (ctx: PaperReader, projectCode: string): Promise<string[]> =>
  missingOf(await directoryOf(ctx, paperConditions(ctx, { projectCode })))

export const listSupervision: HandlerOf<typeof contract.listSupervision> = async ({ query }, ctx) => {
  await seesProject(ctx, query.projectCode)
  const where = paperConditions(ctx, query)
  const directory = await directoryOf(ctx, paperConditions(ctx, { projectCode: query.projectCode }))
  return {
    list: await readPapers(ctx, where, query.sort, pageSlice(query)),
    total: await countPapers(ctx, where),
    directory,
    missing: query.projectCode === '*' ? null : missingOf(directory),
  }
}
