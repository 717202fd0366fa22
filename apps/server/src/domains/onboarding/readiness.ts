import { meansName } from '@zhugong/contract/kit/initials'
import { type OnboardingQuery, type ReadinessRow, readinessRow } from '@zhugong/contract/onboarding/endpoints'
import { readinessOf, stuckDays, whole } from '@zhugong/contract/onboarding/steps'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, projectsFor } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { areaPrefix } from '../access/public.ts'
import { linkOf } from '../files/public.ts'
import { type Facts, judge, type Step, stuckAt } from './judge.ts'

export type Looker = Pick<Context, 'db' | 'scope' | 'scopeChecks' | 'clock' | 'secrets' | 'user'>
type Raw = Facts & {
  name: string
  areaCode: string
  address: string
  lng: number | null
  lat: number | null
  cover: string | null
  contractorCorpName: string | null
  linkMan: string
  linkPhoneMask: string | null
  startDate: string | null
  keeper: string | null
  off: string[] | null
  starred: boolean
  enteredAt: Date | null
}
export interface Ready {
  raw: Raw
  steps: Step[]
  row: ReadinessRow
}

/**
 * Setup progress of sites: the only query for list, figures, filters, export and detail page. Evaluates all visible sites, because figures
 * and sort order need all of them.
 */
export async function readinessRows(ctx: Looker, requested?: string): Promise<Ready[]> {
  const codes = projectsFor(ctx, requested)
  const { rows } = await sql<Raw>`
    select f.*, p.prj_status, p.name, p.area_code, p.address, p.lng, p.lat, p.cover, c.corp_name as contractor_corp_name, p.link_man, p.link_phone_mask,
      p.start_date, o.off, o.keeper, coalesce(k.starred, false) as starred, k.entered_at
    from project p join zg_onboarding_facts(${codes === undefined ? null : [...codes]}::text[]) f using (project_code)
      left join corporation c on c.corp_code = p.contractor_corp_code
      left join lateral (
        select array_agg(x.step) filter (where x.not_needed is not null) as off, max(x.assignee_name) filter (where x.step = ${whole}) as keeper
        from project_onboarding x where x.project_code = p.project_code) o on true
      left join project_mark k on k.project_code = p.project_code and k.user_id = ${ctx.user.id}
    where p.enable = '1' and ${allOf(...inProjects('p.projectCode', codes))}`.execute(ctx.db)
  return rows.map((raw) => ready(ctx, raw))
}

function ready(ctx: Looker, raw: Raw): Ready {
  const now = ctx.clock.now()
  const steps = judge(raw, new Set(raw.off ?? []), now)
  const stuck = stuckAt(steps, now)
  const row: ReadinessRow = rowOf(readinessRow, raw, {
    cover: linkOf(ctx, raw.cover),
    prjStatusName: dictName('projectState', raw.prjStatus),
    areaName: areaName(raw.areaCode),
    linkPhone: raw.linkPhoneMask,
    onSite: raw.people,
    readiness: readinessOf(steps.map(({ state }) => state)),
    steps: steps.map(({ key, state }) => ({ key, state })),
    stuck: stuck?.key ?? null,
    stuckDays: stuck?.days ?? null,
    enteredTime: raw.enteredAt && formatInstant(raw.enteredAt),
  })
  return { raw, steps, row }
}

const chips = {
  ready: ({ row }: Ready) => row.stuck === null,
  long: ({ row }: Ready) => row.stuckDays !== null && row.stuckDays > stuckDays,
  new: ({ raw }: Ready, today: string) => formatDay(raw.created.getTime()).slice(0, 7) === today.slice(0, 7),
  starred: ({ row }: Ready) => row.starred,
}

/** Whether a row matches the filters. */
function isRequested(one: Ready, query: OnboardingQuery, today: string): boolean {
  const { row } = one
  const { low = 0, high = 100 } = query.readiness ?? {}
  return (
    (!query.name || meansName(row.name, query.name)) &&
    (!query.areaCode?.length || query.areaCode.some((area) => row.areaCode.startsWith(areaPrefix(area)))) &&
    (!query.prjStatus?.length || query.prjStatus.includes(row.prjStatus)) &&
    (!query.stuck?.length || (row.stuck !== null && query.stuck.includes(row.stuck))) &&
    (!query.keeper || (row.keeper ?? '').includes(query.keeper)) &&
    row.readiness >= low &&
    row.readiness <= high &&
    isWithin(row.startDate, query.startDate) &&
    (!query.chip || chips[query.chip](one, today))
  )
}

/** A missing day is outside every range. */
function isWithin(day: string | null, span: OnboardingQuery['startDate']): boolean {
  if (!span) return true
  return day !== null && day >= (span.from ?? '').slice(0, 10) && day <= (span.to ?? '9999').slice(0, 10)
}

type Key = (row: ReadinessRow) => string | number
const byText = new Intl.Collator('zh-Hans-CN')
const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : byText.compare(String(a), String(b))
const keys: Readonly<Record<'readiness' | 'name' | 'startDate' | 'stuckDays' | 'onSite', Key>> = {
  readiness: (row) => row.readiness,
  name: (row) => row.name,
  startDate: (row) => row.startDate ?? '',
  stuckDays: (row) => row.stuckDays ?? -1,
  onSite: (row) => row.onSite,
}
type SortKey = keyof typeof keys
const isSortKey = (key: string): key is SortKey => Object.hasOwn(keys, key)

/** The requested order; by default starred sites first, then the newest, then by name. */
function inOrder(rows: readonly Ready[], sort: string | undefined): Ready[] {
  const key = sort?.replace(/^-/, '') ?? ''
  if (isSortKey(key)) {
    const sign = sort?.startsWith('-') ? -1 : 1
    return rows.toSorted((a, b) => sign * compare(keys[key](a.row), keys[key](b.row)) || compare(a.row.projectCode, b.row.projectCode))
  }
  return rows.toSorted(
    (a, b) =>
      Number(b.row.starred) - Number(a.row.starred) ||
      compare(b.row.enteredTime ?? '', a.row.enteredTime ?? '') ||
      compare(a.row.name, b.row.name),
  )
}

export async function findReadiness(ctx: Looker, query: OnboardingQuery): Promise<{ rows: ReadinessRow[]; figures: Figures }> {
  const all = await readinessRows(ctx, query.projectCode)
  const today = formatDay(ctx.clock.now())
  const wanted = all.filter((one) => isRequested(one, query, today))
  const figures = {
    total: all.length,
    ready: all.filter(chips.ready).length,
    long: all.filter(chips.long).length,
    fresh: all.filter((one) => chips.new(one, today)).length,
  }
  return { rows: inOrder(wanted, query.sort).map(({ row }) => row), figures }
}
interface Figures {
  total: number
  ready: number
  long: number
  fresh: number
}
