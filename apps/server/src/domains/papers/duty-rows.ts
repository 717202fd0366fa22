import {
  type Due,
  type Duty,
  daysLeft,
  duesOf,
  duties,
  dutyGroups,
  dutySources,
  dutyState,
  dutyStates,
  mostDaysBack,
  rhythms,
} from '@zhugong/contract/papers/duties'
import type * as contract from '@zhugong/contract/papers/safety'
import type { DutyCounts, DutyRow } from '@zhugong/contract/papers/safety'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import { pick } from '#kit/pick'
import { workedDays } from '../daylogs/public.ts'
import { byPeriod, type DutyRecord, dutyRecords, type Expiring, expiringOf, nodesOf, periodKey, recordLink } from './duty-records.ts'
import { libraryOf } from './project.ts'

type Query = Partial<NonNullable<(typeof contract.listSafety)['types']>['parsed']['query']>
/** Who asks decides what he may take back, and whether he sees certificates of people. */
type ObligationReader = Pick<Context, 'db' | 'clock' | 'codes'> & { user: Pick<Context['user'], 'id'> }
type DutyReader = ObligationReader & Pick<Context, 'scope' | 'scopeChecks' | 'projectCode' | 'group'>
type Paper = Row<'libraryPaper'>
export type Obligation = Omit<DutyRow, 'files'>

/** The longest month. */
const monthDays = 31

/** From which day a site owes papers. */
export async function sinceOf(ctx: Pick<Context, 'db'>, projectCode: string, today: string) {
  const { rows } = await sql<{ begun: string | null; since: string | null; reason: string | null }>`
    select coalesce(p.actual_start_date, p.start_date)::text as begun, s.since::text as since, s.reason
    from project p left join library_since s using (project_code) where p.project_code = ${projectCode}`.execute(ctx.db)
  const { begun, since, reason } = rows[0] ?? { begun: null, since: null, reason: null }
  const least = addDays(today, -mostDaysBack)
  const wanted = since ?? begun ?? today
  return { since: wanted < least ? least : wanted, reason }
}

interface Facts {
  projectCode: string
  today: string
  records: Map<string, DutyRecord>
  papers: Map<string, Paper>
  exempt: Map<string, Row<'libraryExempt'>>
}

/** Every obligation of a project with how it stands, and every paper that ends. A handful of statements for any number of them. */
export async function obligationsOf(
  ctx: ObligationReader,
  projectCode: string,
): Promise<{ rows: Obligation[]; since: string; reason: string | null }> {
  const today = formatDay(ctx.clock.now())
  const { since, reason } = await sinceOf(ctx, projectCode, today)
  const worked = await workedDays(ctx, projectCode, since, addDays(today, monthDays))
  const calendar = { since, today, works: (day: string) => worked.has(day) }
  const papers = await sql<Paper>`select * from library_paper where project_code = ${projectCode} and category = '3'`.execute(ctx.db)
  const exempt = await sql<Row<'libraryExempt'>>`select * from library_exempt where project_code = ${projectCode}`.execute(ctx.db)
  const key = (one: { duty: string | null; period: string | null }) => `${one.duty} ${one.period}`
  const facts: Facts = {
    projectCode,
    today,
    records: byPeriod(await dutyRecords(ctx, projectCode, since)),
    papers: new Map(papers.rows.map((one) => [key(one), one])),
    exempt: new Map(exempt.rows.map((one) => [key(one), one])),
  }
  const nodes = await nodesOf(ctx, projectCode)
  const names = new Map(nodes.map((one) => [one.id, one.name]))
  const dues = nodes.map(({ id, due }) => ({ period: id, due }))
  // A site that has not begun, or whose works are over, owes nothing but its past.
  const active = worked.size > 0
  const owed = duties.flatMap((duty) =>
    active ? duesOf(duty.rhythm, calendar, dues).map((one) => toRow(duty, one, facts, ctx.user.id, names.get(one.period))) : [],
  )
  const ending = [...(await expiringOf(ctx, projectCode, today)), ...papers.rows.flatMap((one) => uploadedEnd(one, today))].map((one) =>
    endingRow(one, projectCode, today),
  )
  return { rows: [...owed, ...ending].toSorted((a, b) => a.due.localeCompare(b.due) || a.id.localeCompare(b.id)), since, reason }
}

function toRow(duty: Duty, { period, due }: Due, facts: Facts, userId: string, node: string | undefined): Obligation {
  const paper = facts.papers.get(`${duty.code} ${period}`)
  const record = facts.records.get(periodKey(duty.source, duty.rhythm, period))
  const waived = facts.exempt.get(`${duty.code} ${period}`)
  const filed = paper !== undefined || record !== undefined
  const state = dutyState({ due, today: facts.today, filed, exempt: waived !== undefined, expires: false })
  return {
    id: `${duty.code} ${period}`,
    projectCode: facts.projectCode,
    duty: duty.code,
    period,
    ...pick(duty, 'group', 'rhythm', 'source'),
    groupName: dutyGroups[duty.group],
    item: node ? `${duty.name}（${node}）` : duty.name,
    rhythmName: rhythms[duty.rhythm],
    due,
    left: daysLeft(due, facts.today),
    state,
    stateName: dutyStates[state],
    sourceName: paper?.refSource ? `关联：${paper.name}` : paper ? `上传：${paper.name}` : dutySources[duty.source],
    link: paper?.refSource
      ? recordLink(paper.refSource as DutyRecord['source'], paper.refId ?? '')
      : record && !paper
        ? recordLink(record.source, record.id)
        : null,
    filedBy: paper?.authorName ?? record?.by ?? null,
    filedAt: paper ? formatInstant(paper.createTime) : (record?.day ?? null),
    late: paper?.refId === null && paper.late,
    paperId: paper && paper.createBy === userId ? paper.id : null,
    reason: filed ? null : (waived?.reason ?? null),
    owed: true,
  }
}

/** The end of an uploaded paper, as a row of its own while it is near. */
function uploadedEnd({ id, name, validEnd }: Paper, today: string): { source: 'paper'; id: string; name: string; until: string }[] {
  if (validEnd === null || validEnd < addDays(today, -monthDays) || validEnd > addDays(today, monthDays - 1)) return []
  return [{ source: 'paper', id, name, until: validEnd }]
}

function endingRow(
  { source, id, name, until }: Omit<Expiring, 'source'> & { source: Expiring['source'] | 'paper' },
  projectCode: string,
  today: string,
): Obligation {
  const group = source === 'worker' ? 'cert' : 'duty'
  const state = dutyState({ due: until, today, filed: false, exempt: false, expires: true })
  return {
    id: `${source} ${id}`,
    projectCode,
    duty: source,
    period: id,
    group,
    groupName: dutyGroups[group],
    item: name,
    rhythm: 'once',
    rhythmName: '到期换证',
    due: until,
    left: daysLeft(until, today),
    state,
    stateName: dutyStates[state],
    source,
    sourceName: dutySources[source],
    link: source === 'worker' ? '/person/certificate' : null,
    filedBy: null,
    filedAt: null,
    late: false,
    paperId: null,
    reason: null,
    owed: false,
  }
}

/** Due by now: what is due today counts once it is there. */
const isOwed = (row: Obligation, today: string) => row.owed && row.due <= today && row.state !== 'exempt' && row.state !== 'open'
const tabs: Readonly<Record<NonNullable<Query['tab']>, (row: Obligation, today: string) => boolean>> = {
  owed: isOwed,
  filed: (row, today) => isOwed(row, today) && row.state === 'filed',
  overdue: (row) => row.state === 'overdue',
  soon: (row) => row.state === 'ending',
}

export function dutiesIn(rows: readonly Obligation[], query: Query, today: string): Obligation[] {
  const { tab, group, item, rhythm, due, state, source, sort } = query
  const kept = rows.filter(
    (one) =>
      (!tab || tabs[tab](one, today)) &&
      (!group?.length || group.includes(one.group)) &&
      (!item || one.item.includes(item)) &&
      (!rhythm?.length || rhythm.includes(one.rhythm)) &&
      (!due?.from || one.due >= due.from.slice(0, 10)) &&
      (!due?.to || one.due <= due.to.slice(0, 10)) &&
      (!state || one.state === state) &&
      (!source?.length || source.includes(one.source)),
  )
  const order = Object.keys(dutyGroups)
  if (sort === 'due') return kept
  if (sort === '-due') return kept.toReversed()
  if (sort === 'group') return kept.toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group))
  if (sort === '-group') return kept.toSorted((a, b) => order.indexOf(b.group) - order.indexOf(a.group))
  // What is left to do, the most urgent first; then what is filed, the newest first.
  const rank = { overdue: 0, ending: 1, open: 2, filed: 3, exempt: 4 } as const
  return kept.toSorted(
    (a, b) => rank[a.state] - rank[b.state] || (rank[a.state] < 3 ? a.due.localeCompare(b.due) : b.due.localeCompare(a.due)),
  )
}

export function countsOf(rows: readonly Obligation[], today: string): DutyCounts {
  const n = (tab: NonNullable<Query['tab']>) => dutiesIn(rows, { tab }, today).length
  const [owed, filed] = [n('owed'), n('filed')]
  return { owed, filed, rate: owed === 0 ? null : Math.round((filed / owed) * 1000) / 10, overdue: n('overdue'), soon: n('soon') }
}

/** Each day of a month up to today, or of the last 31 days. */
export function daysIn(rows: readonly Obligation[], month: string | undefined, today: string) {
  const first = month ? `${month}-01` : addDays(today, 1 - monthDays)
  const days: { day: string; owed: number; filed: number }[] = []
  for (let day = first; day <= today && (!month || day.startsWith(month)); day = addDays(day, 1)) {
    const own = rows.filter((one) => one.due === day && isOwed(one, today))
    days.push({ day, owed: own.length, filed: own.filter((one) => one.state === 'filed').length })
  }
  return days
}

/** The obligations that the list of a query counts. @throws AppError without one project that the caller sees */
export async function dutiesFor(ctx: DutyReader, query: Query) {
  const projectCode = libraryOf(ctx, query.projectCode)
  const read = await obligationsOf(ctx, projectCode)
  const today = formatDay(ctx.clock.now())
  return { ...read, projectCode, today, list: dutiesIn(read.rows, query, today) }
}
