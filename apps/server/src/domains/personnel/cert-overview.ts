import * as contract from '@zhugong/contract/personnel/certificates'
import { licencesByTrade, licencesFor, papersByPost } from '@zhugong/contract/personnel/rules'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import { projectsFor } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { joinLicence, licenceHolds, licenceIs } from '../labour/public.ts'
import { daysUntil, duesWith, isRequested } from './cert-dues.ts'
import { ignoreCerts, remindCerts } from './cert-notices.ts'
import { countStock } from './cert-stock.ts'
import { licenceFigures } from './people-figures.ts'

export function certOverviewRoutes(serve: Serve) {
  serve(contract.certFigures, certFigures)
  serve(contract.certCoverage, certCoverage)
  serve(contract.remindCerts, remindCerts)
  serve(contract.ignoreCerts, ignoreCerts)
}

const weeksAhead = 13
const specialTrades = Object.keys(licencesByTrade)

const certFigures: HandlerOf<typeof contract.certFigures> = async ({ query }, ctx) => {
  const today = formatDay(ctx.clock.now())
  const projects = projectsFor(ctx, query.projectCode)
  const within = allOf(...inProjects('w.projectCode', projects))
  const yesterday = new Date(startOfDay(addDays(today, -1)))
  const { rows } = await sql<{
    urgency: string
    state: string
    kind: string
    validEnd: string | null
    certType: string | null
    specialType: string | null
    workType: string | null
    post: string | null
    n: number
    passed: number
  }>`
    select d.urgency, d.state, d.kind, d.valid_end, d.cert_type, d.special_type, d.work_type, d.post, count(*)::int as n,
      count(*) filter (where d.urgency = 'expired' and exists (select 1 from attendance_event e
        where e.project_code = d.project_code and e.worker_id = d.worker_id and e.time >= ${yesterday}))::int as passed
    from (${duesWith(within, today)}) d group by 1, 2, 3, 4, 5, 6, 7, 8`.execute(ctx.db)
  const open = rows.filter((r) => r.state !== 'ignored')
  const sum = (of: typeof rows, value: 'n' | 'passed' = 'n') => of.reduce((all, r) => all + r[value], 0)
  const at = (urgency: string) => open.filter((r) => r.urgency === urgency)
  const weeks = Array.from({ length: weeksAhead }, (_, week) => {
    const own = open.filter((r) => r.validEnd && r.validEnd >= today && Math.floor(daysUntil(r.validEnd, today) / 7) === week)
    const required = sum(own.filter((r) => r.kind !== 'cert' || isRequested(r, r.certType, r.specialType)))
    return { from: addDays(today, week * 7), to: addDays(today, week * 7 + 6), required, other: sum(own) - required }
  })
  const { rows: licences } = await sql<{ asked: number; held: number; pending: number }>`
    select count(*)::int as asked, count(*) filter (where ${licenceHolds('w', today)})::int as held,
      count(*) filter (where ${licenceIs('w', 'pending', today)})::int as pending
    from project_worker w ${joinLicence('w')} where ${within} and w.exit_time is null and w.work_type = any (${specialTrades})`.execute(
    ctx.db,
  )
  const { missing, expired } = await licenceFigures(ctx, within)
  const here = { projectCode: query.projectCode, onSite: '1' as const }
  return {
    expired: sum(at('expired')),
    expiredPassed: sum(at('expired'), 'passed'),
    missing: sum(at('missing').filter((r) => r.state !== 'review')),
    firstInReview: sum(at('missing').filter((r) => r.state === 'review')),
    within30: sum(at('30')),
    within60: sum(at('60')),
    within90: sum(at('90')),
    ignored: sum(rows) - sum(open),
    review: sum(open.filter((r) => r.state === 'review')),
    weeks,
    total: await countStock(ctx, here),
    waiting: await countStock(ctx, { ...here, auditStatus: ['0'] }),
    asked: licences[0]?.asked ?? 0,
    held: licences[0]?.held ?? 0,
    lacking: { missing, expired, pending: licences[0]?.pending ?? 0 },
  }
}

interface Covered {
  projectCode: string
  projectName: string
  code: string
  needed: number
  valid: number
  expiring: number
  pending: number
  expired: number
  missing: number
  lacking: { workerId: string; name: string; teamName: string | null }[] | null
}
const namedAtMost = 30

const certCoverage: HandlerOf<typeof contract.certCoverage> = async ({ query }, ctx) => {
  const today = formatDay(ctx.clock.now())
  const within = allOf(...inProjects('w.projectCode', projectsFor(ctx, query.projectCode)))
  const lacking = sql`(jsonb_agg(jsonb_build_object('workerId', w.worker_id, 'name', w.worker_name, 'teamName', t.team_name) order by w.worker_name)
    filter (where not holds)) as lacking`
  const trades = await sql<Covered>`
    select w.project_code, pr.name as project_name, w.work_type as code, count(*)::int as needed, ${lacking},
      count(*) filter (where state = 'valid')::int as valid, count(*) filter (where state = 'expiring')::int as expiring,
      count(*) filter (where state = 'pending')::int as pending, count(*) filter (where state = 'expired')::int as expired,
      count(*) filter (where state = 'missing')::int as missing
    from (select w.*, ${licenceHolds('w', today)} as holds,
        case ${sql.join(
          ['valid', 'expiring', 'expired', 'pending'].map((state) => sql`when ${licenceIs('w', state, today)} then ${sql.lit(state)}`),
          sql` `,
        )} else 'missing' end as state
      from project_worker w ${joinLicence('w')} where ${within} and w.exit_time is null and w.work_type = any (${specialTrades})) w
      join project pr using (project_code) left join team t on t.id = w.team_id
    group by 1, 2, 3`.execute(ctx.db)
  const kinds = sql.join(
    Object.entries(papersByPost).map(([post, types]) => sql`when ${sql.lit(post)} then ${sql.lit(`{${types.join(',')}}`)}::text[]`),
    sql` `,
  )
  const soon = addDays(today, 30)
  const posts = await sql<Covered>`
    select w.project_code, pr.name as project_name, w.post as code, count(*)::int as needed, ${lacking},
      count(*) filter (where ends > ${soon}::date)::int as valid, count(*) filter (where ends between ${today}::date and ${soon}::date)::int as expiring,
      count(*) filter (where pending and not holds)::int as pending,
      count(*) filter (where ends < ${today}::date and not pending)::int as expired, count(*) filter (where ends is null and not pending)::int as missing
    from (select w.*, held.ends, coalesce(held.pending, false) as pending, coalesce(held.ends >= ${today}::date, false) as holds
      from project_worker w left join lateral (
        select max(coalesce(c.valid_end, 'infinity'::date)) filter (where c.audit_status = '1' and c.status in ('1', '4')) as ends,
          bool_or(c.audit_status = '0') as pending
        from worker_cert c where c.worker_id = w.worker_id and c.cert_type = any (case w.post ${kinds} end)) held on true
      where ${within} and w.exit_time is null and w.post = any (${Object.keys(papersByPost)})) w
      join project pr using (project_code) left join team t on t.id = w.team_id
    group by 1, 2, 3`.execute(ctx.db)
  const list = [
    ...posts.rows.map((row) => ({ ...row, isPost: true, name: dictName('managerPost', row.code) ?? row.code, paper: papersOf(row.code) })),
    ...trades.rows.map((row) => ({
      ...row,
      isPost: false,
      name: dictName('workerType', row.code) ?? row.code,
      paper: licencesFor(row.code)
        .map((kind) => dictName('specialCertType', kind))
        .join(' 或 '),
    })),
  ]
    .map((row) => ({ ...row, lacking: (row.lacking ?? []).slice(0, namedAtMost) }))
    .sort((a, b) => a.projectName.localeCompare(b.projectName, 'zh') || Number(b.isPost) - Number(a.isPost) || (a.code < b.code ? -1 : 1))
  return { list, total: list.length }
}
const papersOf = (post: string) => (papersByPost[post] ?? []).map((type) => dictName('certType', type)).join(' 或 ')
