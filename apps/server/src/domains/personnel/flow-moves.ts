import * as contract from '@zhugong/contract/personnel/flow'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'

export function moveRoutes(serve: Serve) {
  serve(contract.flowMoves, flowMoves)
}

/** An entry within this time after an exit elsewhere counts as a move; a later one counts as a return. */
const movesWithin = '30 days'
type Edge = NonNullable<(typeof contract.flowMoves)['types']>['out']['edges'][number]

type Came = { kind: 'new' | 'again' | 'place'; from: string | null; to: string; n: number }
type Left = { from: string; reason: string | null; n: number }

/** Display names of teams or sites. People without a team are the site management. */
async function namesOf(db: Context['db'], byTeam: boolean, codes: readonly string[]): Promise<(code: string) => string> {
  const { rows } = byTeam
    ? await sql<{ code: string; name: string }>`select id as code, team_name as name from team where id = any (${codes})`.execute(db)
    : await sql<{ code: string; name: string }>`
        select project_code as code, coalesce(short_name, name) as name from project where project_code = any (${codes})`.execute(db)
  const nameOf = new Map(rows.map((n) => [n.code, n.name]))
  return (code) => nameOf.get(code) ?? (code === 'none' ? '管理人员' : code)
}

function edgesOf(came: readonly Came[], left: readonly Left[], named: (code: string) => string): Edge[] {
  const edges = new Map<string, Edge>()
  const add = (edge: Edge) => {
    const key = `${edge.fromKind}/${edge.from}/${edge.toKind}/${edge.to}`
    edges.set(key, { ...edge, count: edge.count + (edges.get(key)?.count ?? 0) })
  }
  for (const { kind, from: place, to, n } of came) {
    const isPlace = kind === 'place' && place !== null
    if (isPlace && place === to) continue
    add({
      fromKind: isPlace ? 'place' : kind === 'new' ? 'new' : 'again',
      from: isPlace ? place : kind,
      fromName: isPlace ? named(place) : kind === 'new' ? '首次登记' : '再次进场',
      toKind: 'place',
      to,
      toName: named(to),
      count: n,
    })
  }
  for (const { from: place, reason, n } of left)
    add({
      fromKind: 'place',
      from: place,
      fromName: named(place),
      toKind: 'left',
      to: reason ?? '9',
      toName: `退场：${dictName('exitReason', reason) ?? '其他'}`,
      count: n,
    })
  return [...edges.values()].sort((a, b) => b.count - a.count)
}

/**
 * Moves in the period: new stays with the stay before each, and ended stays without a successor. A change of team within a project ends
 * one stay and starts another (personnel/move.ts), so it shows only in the view by team.
 */
const flowMoves: HandlerOf<typeof contract.flowMoves> = async ({ query }, ctx) => {
  const today = formatDay(ctx.clock.now())
  const from = addDays(today, 1 - query.days)
  const since = new Date(startOfDay(from))
  const projects = projectsFor(ctx, query.projectCode)
  const within = (stay: string) => allOf(...inProjects(`${stay}.projectCode`, projects))
  const byTeam = query.by === 'team'
  const place = (stay: string) => (byTeam ? sql`coalesce(${sql.ref(`${stay}.teamId`)}, 'none')` : sql.ref(`${stay}.projectCode`))
  const came = await sql<Came>`
    select case when b.id is null then 'new' when b.exit_time is not null and b.exit_time < w.entry_time - ${movesWithin}::interval
        or ${byTeam} = false and b.project_code = w.project_code then 'again' else 'place' end as kind,
      case when b.id is not null then ${place('b')} end as from, ${place('w')} as to, count(*)::int as n
    from project_worker w left join lateral (select s.* from project_worker s
      where s.worker_id = w.worker_id and s.id <> w.id and s.entry_time < w.entry_time and ${within('s')} order by s.entry_time desc limit 1) b on true
    where ${within('w')} and w.entry_time >= ${since}
      -- Another team of the same project is no entry.
      and (${byTeam} or b.id is null or b.project_code <> w.project_code or b.exit_time is null or b.exit_time < w.entry_time - interval '1 minute')
    group by 1, 2, 3`.execute(ctx.db)
  const left = await sql<Left>`
    select ${place('w')} as from, w.exit_reason as reason, count(*)::int as n from project_worker w
    where ${within('w')} and w.exit_time >= ${since}
      and not exists (select 1 from project_worker s where s.worker_id = w.worker_id and s.id <> w.id and ${within('s')}
        and s.entry_time >= w.exit_time - interval '1 day' and s.entry_time < w.exit_time + ${movesWithin}::interval)
    group by 1, 2`.execute(ctx.db)
  const codes = [...new Set([...came.rows.flatMap((r) => [r.from, r.to]), ...left.rows.map((r) => r.from)])].filter((c): c is string => !!c)
  const named = await namesOf(ctx.db, byTeam, codes)
  return { from, edges: edgesOf(came.rows, left.rows, named) }
}
