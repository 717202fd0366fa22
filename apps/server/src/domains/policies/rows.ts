import { AppError } from '@zhugong/contract/kit/errors'
import {
  type PolicyValidity,
  policyCategories,
  policyLevels,
  policyStateOf,
  policyStates,
  policyValidities,
  validityOf,
} from '@zhugong/contract/policies/model'
import {
  type listPolicies,
  type openPolicies,
  type PolicyLine,
  type PolicyRow,
  policyLine,
  policyRow,
} from '@zhugong/contract/policies/policies'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, groupTypes } from '#kit/context'
import type { Db, Row, Tx } from '#kit/db'
import {
  allOf,
  anyOf,
  anywhere,
  type Condition,
  condition,
  contains,
  daysBetween,
  equals,
  filtersOf,
  instantsBetween,
  orderBy,
} from '#kit/list'
import { rowOf } from '#kit/row-of'

export type Policy = Row<'policy'>
export type ReadQuery = Partial<Omit<NonNullable<(typeof openPolicies)['types']>['parsed']['query'], 'id'>>
type ListQuery = Partial<NonNullable<(typeof listPolicies)['types']>['parsed']['query']>
interface Reader {
  db: Db | Tx
  clock: Context['clock']
}

/** Whether a text holds today: ended by a published text, or ended alone, it is 已废止 from that day on. */
const validity = ({ clock }: Pick<Reader, 'clock'>) => {
  const ended = (kind: 'amend' | 'repeal') => sql`exists (select from policy_link l left join policy s on s.id = l.later_id
    where l.earlier_id = p.id and l.kind = ${kind} and l.since <= ${formatDay(clock.now())}::date
      and (l.later_id is null or s.state = ${policyStateOf.published}))`
  return sql`case when ${ended('repeal')} then ${validityOf.repealed} when ${ended('amend')} then ${validityOf.amended} else ${validityOf.valid} end`
}
const validOf = (ctx: Pick<Reader, 'clock'>, values: readonly string[] | undefined): Condition[] =>
  values?.length ? [condition(sql`${validity(ctx)} = any (${[...values]})`)] : []

const published = condition(sql`p.state = ${policyStateOf.published}`)

/** What concerns the area of the caller's group: texts of its own areas and those above; for authorities also those below. */
export async function ofMyArea(ctx: Pick<Context, 'db' | 'group'>): Promise<Condition[]> {
  const { type, code } = ctx.group
  if (type !== groupTypes.government && type !== groupTypes.project) return []
  const { rows } = await sql<{ areaCode: string | null }>`select area_code from government where gov_code = ${code}
    union all select area_code from project where project_code = ${code} limit 1`.execute(ctx.db)
  const front = frontOf(rows[0]?.areaCode ?? '')
  const above = sql`${front} like p.area_front || '%'`
  return [condition(type === groupTypes.government ? sql`(${above} or p.area_front like ${`${front}%`})` : above)]
}

/** Significant front of an area code: 110000 -> 11. */
export const frontOf = (areaCode: string): string => areaCode.replace(/(00){1,2}$/, '')

type Facet = 'level' | 'category' | 'subject' | 'validity' | 'year'
const facetOf = (ctx: Pick<Reader, 'clock'>): Record<Facet, RawBuilder<unknown>> => ({
  level: sql`p.level`,
  category: sql`p.category`,
  subject: sql`p.subject`,
  validity: validity(ctx),
  year: sql`extract(year from p.issue_date)::text`,
})

/** Conditions of a reader's search; `but`: without the choice of that facet. */
function readConditions(ctx: Reader, query: ReadQuery, more: readonly Condition[], but?: Facet): Condition {
  const has = anywhere((query.keyword ?? '').trim())
  const chosen = <T>(facet: Facet, values: T) => (facet === but ? undefined : values)
  return allOf(
    published,
    ...more,
    ...(query.keyword?.trim() ? [condition(sql`(p.title ilike ${has} or p.doc_no ilike ${has} or p.body ilike ${has})`)] : []),
    ...anyOf('p.level', chosen('level', query.level)),
    ...anyOf('p.category', chosen('category', query.category)),
    ...anyOf('p.subject', chosen('subject', query.subject)),
    ...validOf(ctx, chosen('validity', query.validity)),
    ...(chosen('year', query.year)?.length
      ? [condition(sql`extract(year from p.issue_date)::text = any (${[...(query.year ?? [])]})`)]
      : []),
  )
}

const [before, around] = [24, 110]
type RawLine = Omit<Policy, 'content' | 'body' | 'areaFront' | 'docKey' | 'createBy' | 'createTime' | 'updateBy' | 'withdrawReason'> & {
  validity: PolicyValidity
  excerpt: string
}
const lineColumns = (ctx: Pick<Reader, 'clock'>, keyword = '') => sql`p.id, p.group_id, p.title, p.doc_no, p.level, p.category, p.subject,
  p.issuer, p.issue_date, p.effect_date, p.files, p.state, p.published_at, p.top_at, p.views, p.version, p.update_time,
  ${validity(ctx)} as validity,
  substr(p.body, greatest(1, strpos(lower(p.body), lower(${keyword}::text)) - ${before}::int), ${around}::int) as excerpt`

function toLine(ctx: Pick<Reader, 'clock'>, r: RawLine): PolicyLine {
  return rowOf(policyLine, r, {
    levelName: policyLevels[r.level],
    categoryName: policyCategories[r.category],
    subjectName: r.subject && (dictName('checkDiscipline', r.subject) ?? r.subject),
    upcoming: r.effectDate > formatDay(ctx.clock.now()),
    validityName: policyValidities[r.validity],
    top: r.topAt !== null,
    excerpt: r.excerpt.replace(/\s+/g, ' ').trim(),
  })
}

/** A page of results with the numbers of each facet. */
export async function searchPolicies(ctx: Reader, query: ReadQuery & { page: number; size: number }, more: readonly Condition[]) {
  const where = readConditions(ctx, query, more)
  const { rows } = await sql<RawLine>`select ${lineColumns(ctx, query.keyword?.trim())} from policy p where ${where}
    order by p.top_at desc nulls last, p.issue_date desc, p.id limit ${query.size} offset ${(query.page - 1) * query.size}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from policy p where ${where}`.execute(ctx.db)
  const facets = {} as Record<Facet, { value: string; count: number }[]>
  for (const [name, value] of Object.entries(facetOf(ctx)) as [Facet, RawBuilder<unknown>][]) {
    const counted = await sql<{ value: string; count: number }>`select ${value} as value, count(*)::int as count from policy p
      where ${readConditions(ctx, query, more, name)} and ${value} is not null group by 1 order by 1`.execute(ctx.db)
    facets[name] = name === 'year' ? counted.rows.reverse() : counted.rows
  }
  return { list: rows.map((row) => toLine(ctx, row)), total: total.rows[0]?.n ?? 0, facets }
}

/** One published text with what it changes and what changes it. @throws AppError `notFound` */
export async function publishedText(ctx: Reader, id: string, more: readonly Condition[]) {
  const { rows } = await sql<RawLine & { content: string }>`select ${lineColumns(ctx)}, p.content from policy p
    where ${allOf(published, ...equals('p.id', id), ...more)}`.execute(ctx.db)
  const row = rows[0]
  if (!row) throw new AppError('notFound', '没有这份文本，或已下架')
  type Raw = { id: string; title: string; docNo: string | null; link: 'amend' | 'repeal'; since: string; side: 'earlier' | 'later' }
  const relations = await sql<Raw>`
    select e.id, e.title, e.doc_no, l.kind as link, l.since, 'earlier' as side from policy_link l join policy e on e.id = l.earlier_id
    where l.later_id = ${id} and e.state = ${policyStateOf.published}
    union all select s.id, s.title, s.doc_no, l.kind, l.since, 'later' from policy_link l join policy s on s.id = l.later_id
    where l.earlier_id = ${id} and s.state = ${policyStateOf.published} order by since desc, id`.execute(ctx.db)
  return { ...toLine(ctx, row), content: row.content, files: row.files, relations: relations.rows }
}

export const listConditions = (ctx: Pick<Context, 'group' | 'clock'>, query: ListQuery): Condition =>
  allOf(
    ...equals('p.groupId', ctx.group.id),
    filtersOf(query, {
      projectCode: 'elsewhere',
      title: [contains, 'p.title'],
      docNo: [contains, 'p.docNo'],
      level: [anyOf, 'p.level'],
      category: [anyOf, 'p.category'],
      issuer: [contains, 'p.issuer'],
      issueDate: [daysBetween, 'p.issueDate'],
      validity: (values) => allOf(...validOf(ctx, values)),
      state: [anyOf, 'p.state'],
      updateTime: [instantsBetween, 'p.updateTime'],
    }),
  )

type RawRow = Omit<RawLine, 'excerpt'>
export async function readOwn(
  ctx: Pick<Context, 'db' | 'clock'>,
  where: Condition,
  { sort, limit, offset }: { sort?: ListQuery['sort']; limit?: number; offset?: number },
): Promise<PolicyRow[]> {
  const order = orderBy(
    sort,
    { title: 'p.title!', issueDate: 'p.issueDate!', views: 'p.views!', updateTime: 'p.updateTime!' },
    '-issueDate',
    'p.id',
  )
  const page = limit === undefined ? sql`` : sql`limit ${limit} offset ${offset ?? 0}`
  const { rows } = await sql<RawRow>`select p.id, p.group_id, p.title, p.doc_no, p.level, p.category, p.subject, p.issuer, p.issue_date,
      p.effect_date, p.files, p.state, p.published_at, p.top_at, p.views, p.version, p.update_time, ${validity(ctx)} as validity
    from policy p where ${where} order by ${order} ${page}`.execute(ctx.db)
  return rows.map(toRow)
}

const toRow = (r: RawRow): PolicyRow =>
  rowOf(policyRow, r, {
    levelName: policyLevels[r.level],
    categoryName: policyCategories[r.category],
    validityName: policyValidities[r.validity],
    stateName: policyStates[r.state as keyof typeof policyStates] ?? r.state,
    top: r.topAt !== null,
    updateTime: formatInstant(r.updateTime),
  })

export async function countOwn(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from policy p where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

/** Figures of the strip: each counts with the condition of the list it opens. */
export async function policyCounts(ctx: Pick<Context, 'db' | 'group' | 'clock'>) {
  const n = (of: RawBuilder<unknown>) => sql`(count(*) filter (where ${of}))::int`
  type Counts = Record<'published' | 'drafts' | 'withdrawn' | 'repealed', number>
  const { rows } = await sql<Counts>`select ${n(published)} as published, ${n(sql`p.state = ${policyStateOf.draft}`)} as drafts,
    ${n(sql`p.state = ${policyStateOf.withdrawn}`)} as withdrawn, ${n(sql`${validity(ctx)} = ${validityOf.repealed}`)} as repealed
    from policy p where ${listConditions(ctx, {})}`.execute(ctx.db)
  return rows[0] ?? { published: 0, drafts: 0, withdrawn: 0, repealed: 0 }
}
