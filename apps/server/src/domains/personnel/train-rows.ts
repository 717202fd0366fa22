import {
  entryTypes,
  type TrainMark,
  type TrainRow,
  trainColumns,
  trainedDays,
  trainRow,
  trainSoonDays,
} from '@zhugong/contract/personnel/train-model'
import type { listTrained, trainFigures as trainFiguresCall } from '@zhugong/contract/personnel/training'
import { sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, type Condition, condition, daysBetween, inProjects, orderBy } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf } from '#kit/serve'
import { workName } from './cert-dues.ts'
import { cursor, flag, type ListScope } from './people-filters.ts'
import { stayConditions } from './stay-rows.ts'

type Parsed = NonNullable<(typeof listTrained)['types']>['parsed']['query']
export type TrainQuery = Partial<Omit<Parsed, 'view'>>

type RawTrained = Row<'projectWorker'> & {
  corpName: string | null
  teamName: string | null
  projectName: string | null
  lastPass: Date | null
  /** One record per type in this stay: the newest passed one, else the newest. */
  marks: { type: string; date: string; hours: number; passed: boolean }[] | null
  hours: number
  lastTrain: string | null
}

const trained = sql`left join lateral (
    select coalesce(sum(x.hours) filter (where x.passed), 0)::float as hours, max(x.train_date) filter (where x.passed) as last_train
    from worker_training x where x.project_worker_id = w.id and x.passed is not null) tr on true`
/** The last gate passage since this stay began. */
const gate = sql`left join attendance_presence ap on ap.project_code = w.project_code and ap.worker_id = w.worker_id and ap.time >= w.entry_time`
const marksOf = sql`(select jsonb_agg(jsonb_build_object('type', n.training_type, 'date', n.train_date, 'hours', n.hours, 'passed', n.passed)) from (
    select distinct on (x.training_type) x.training_type, x.train_date, x.hours, x.passed from worker_training x
    where x.project_worker_id = w.id and x.passed is not null order by x.training_type, x.passed desc, x.train_date desc) n) as marks`

const typeOf = (column: string) => trainColumns[column as keyof typeof trainColumns]?.type
function trainConditions(ctx: ListScope, query: TrainQuery): Condition {
  const lacked = (query.lack ?? []).flatMap((column) => typeOf(column) ?? [])
  return allOf(
    // Only people in place; the other filters are those of every list of stays.
    stayConditions(ctx, { ...query, stationed: '1', missing: undefined, certState: undefined }),
    ...flag('w.entryTrained', query.entryTrained),
    ...lacked.map((type) =>
      condition(
        sql`(not exists (select 1 from worker_training x where x.project_worker_id = w.id and x.training_type = ${type} and x.passed)
          and not (w.entry_trained and ${entryTypes.includes(type)}))`,
      ),
    ),
    ...daysBetween('tr.lastTrain', query.lastTrain),
    ...(query.trainHours?.low === undefined ? [] : [condition(sql`tr.hours >= ${query.trainHours.low}`)]),
    ...(query.trainHours?.high === undefined ? [] : [condition(sql`tr.hours <= ${query.trainHours.high}`)]),
    ...(query.passedGate ? [condition(query.passedGate === '1' ? sql`ap.time is not null` : sql`ap.time is null`)] : []),
  )
}
/** Untrained people with the latest gate passage come first. */
const trainOrder = (sort: TrainQuery['sort']) =>
  sort === undefined
    ? sql`w.entry_trained, ap.time desc nulls last, w.id`
    : orderBy(sort, { entryTrained: 'w.entryTrained!', name: 'w.workerName', entryTime: 'w.entryTime!' }, 'entryTrained', 'w.id')

const shownColumns = sql`w.*, c.corp_name, t.team_name, pr.name as project_name, ${marksOf}`
const shownJoins = sql`left join corporation c on c.corp_code = w.corp_code left join team t on t.id = w.team_id
  left join project pr on pr.project_code = w.project_code`
const source = (ctx: ListScope, query: TrainQuery) => sql`
  select w.*, tr.hours, tr.last_train, ap.time as last_pass, row_number() over (order by ${trainOrder(query.sort)}) as place
  from project_worker w ${trained} ${gate} where ${trainConditions(ctx, query)}`

export async function trainRows(ctx: ListScope, query: TrainQuery, page: { limit: number; offset: number }): Promise<TrainRow[]> {
  const { rows } = await sql<RawTrained>`
    select ${shownColumns} from (${source(ctx, query)} order by place limit ${page.limit} offset ${page.offset}) w ${shownJoins}
    order by w.place`.execute(ctx.db)
  const today = formatDay(ctx.clock.now())
  return rows.map((row) => toTrained(row, today))
}
export async function countTrained(ctx: ListScope, query: TrainQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from project_worker w ${trained} ${gate} where ${trainConditions(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
export async function* streamTrained(ctx: ListScope, query: TrainQuery): AsyncIterable<TrainRow> {
  const today = formatDay(ctx.clock.now())
  const raw = sql<RawTrained>`select ${shownColumns} from (${source(ctx, query)}) w ${shownJoins} order by w.place`
  for await (const row of cursor<RawTrained>(ctx, raw)) yield toTrained(row, today)
}
/** One stay as the list shows it, current or ended. */
export async function trainedStay(ctx: ListScope, stayId: string): Promise<TrainRow | undefined> {
  const { rows } = await sql<RawTrained>`
    select ${shownColumns} from (select w.*, tr.hours, tr.last_train, ap.time as last_pass from project_worker w ${trained} ${gate}
      where w.id = ${stayId}) w ${shownJoins}`.execute(ctx.db)
  return rows[0] && toTrained(rows[0], formatDay(ctx.clock.now()))
}

function toTrained(w: RawTrained, today: string): TrainRow {
  const byType = new Map((w.marks ?? []).map((m) => [m.type, m]))
  const since = addDays(today, -trainedDays)
  const marks = Object.fromEntries(
    Object.entries(trainColumns).map(([column, { type }]): [string, TrainMark] => {
      const m = byType.get(type)
      if (!m) return [column, { state: w.entryTrained && entryTypes.includes(type) ? 'covered' : 'none', date: null, hours: 0 }]
      return [column, { state: !m.passed ? 'failed' : m.date < since ? 'due' : 'passed', date: m.date, hours: m.hours }]
    }),
  )
  return rowOf(trainRow, w, {
    name: w.workerName,
    workTypeName: workName(w),
    entryTime: formatInstant(w.entryTime),
    marks,
    lastPass: w.lastPass ? formatInstant(w.lastPass) : null,
  })
}

const mostTeams = 40
export const trainFigures: HandlerOf<typeof trainFiguresCall> = async ({ query }, ctx) => {
  const today = formatDay(ctx.clock.now())
  const { projectCode } = query
  const within = allOf(...inProjects('w.projectCode', projectsFor(ctx, projectCode)))
  const { rows } = await sql<{ teamId: string | null; teamName: string | null; onSite: number; untrained: number }>`
    select w.team_id, t.team_name, count(*)::int as on_site, count(*) filter (where not w.entry_trained)::int as untrained
    from project_worker w left join team t on t.id = w.team_id where ${within} and w.exit_time is null group by 1, 2`.execute(ctx.db)
  const sum = (key: 'onSite' | 'untrained') => rows.reduce((n, r) => n + r[key], 0)
  const untrained = sum('untrained')
  return {
    onSite: sum('onSite'),
    trained: sum('onSite') - untrained,
    untrained,
    untrainedPassed: await countTrained(ctx, { projectCode, entryTrained: '0', passedGate: '1' }),
    due: await countTrained(ctx, {
      projectCode,
      entryTrained: '1',
      lastTrain: { from: undefined, to: addDays(today, trainSoonDays - trainedDays) },
    }),
    teams: rows
      .filter((r) => r.untrained > 0)
      .sort((a, b) => b.untrained - a.untrained || b.onSite - a.onSite)
      .slice(0, mostTeams)
      .map((r) => ({ ...r, teamName: r.teamName ?? '管理人员' })),
  }
}
