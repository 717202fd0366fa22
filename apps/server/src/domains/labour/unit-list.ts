import { type UnitRow, unitRow } from '@zhugong/contract/labour/model'
import * as contract from '@zhugong/contract/labour/units'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, found, projectsFor } from '#kit/context'
import type { Row } from '#kit/db'
import { allOf, anyOf, between, type Condition, contains, daysBetween, equals, filtersOf, inProjects, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import { exportOf, type ListContext } from '../exports/registry.ts'
import { linksOf } from '../files/public.ts'

type Filters = Partial<NonNullable<(typeof contract.listUnits)['types']>['parsed']['query']>

export const conditions = (ctx: ListContext, query: Filters): Condition =>
  allOf(
    ...inProjects('u.projectCode', projectsFor(ctx, query.projectCode)),
    filtersOf(query, {
      corpCode: [equals, 'u.corpCode'],
      corpName: [contains, 'u.corpName'],
      pmName: [contains, 'u.pmName'],
      corpType: [anyOf, 'u.corpType'],
      contractNo: [anyOf, 'u.contractNo'],
      stationed: [equals, 'u.stationed'],
      onSite: [between, 'u.onSite'],
      entryTime: [daysBetween, 'u.entryTime'],
      exitTime: [daysBetween, 'u.exitTime'],
      projectCode: 'elsewhere',
    }),
  )

/** Order: 建设, 总包, 监理, then the others by entry. */
const order = (sort: Filters['sort']) =>
  sort
    ? orderBy(
        sort,
        {
          corpType: 'u.corpType!',
          corpName: 'u.corpName',
          teamCount: 'u.teamCount',
          onSite: 'u.onSite',
          entryTime: 'u.entryTime!',
          exitTime: 'u.exitTime',
        },
        '-corpType',
        'u.id',
      )
    : sql`u.project_code, u.corp_type desc, u.entry_time, u.id`

async function findUnits(ctx: ListContext, query: Filters, page?: { limit: number; offset: number }): Promise<UnitRow[]> {
  const { rows } = await sql<RawUnit>`
    select * from (${select}) u where ${conditions(ctx, query)} order by ${order(query.sort)}
    ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}`.execute(ctx.db)
  return rows.map((u) => toUnit(ctx, u))
}

async function countUnits(ctx: ListContext, query: Filters): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${select}) u where ${conditions(ctx, query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

type UnitQuery = NonNullable<(typeof contract.listUnits)['types']>['parsed']['query']

export const unitPage = async ({ query }: { query: UnitQuery }, ctx: Context) => ({
  list: await findUnits(ctx, query, pageSlice(query)),
  total: await countUnits(ctx, query),
})

/** Columns hidden for companies of another contracting line. */
const hidden = '不可见'

export function registerUnitExport(): void {
  exportOf(
    contract.unitList,
    {
      title: '参建单位',
      widths: { corpName: 30, parentCorpCode: 30, projectName: 30, contractNo: 20 },
      async *rows(ctx, query) {
        yield* await findUnits(ctx, query)
      },
      count: countUnits,
    },
    {
      corpType: (u) => u.corpTypeName,
      parentCorpCode: (u) => u.parentCorpName,
      teamCount: (u) => u.teamCount ?? hidden,
      onSite: (u) => u.onSite ?? hidden,
      payType: (u) => u.payTypeName,
      stationed: (u) => (u.exitTime ? '退场' : '进场'),
    },
  )
}

export const fillUnit = (ctx: Context, u: RawUnit) => ({
  ...toUnit(ctx, u),
  pmIdCardType: u.pmIdCardType,
  pmIdCardNumber: u.pmIdCardMask,
  contractFile: linksOf(ctx, u.contractFile),
})

export type RawUnit = Row<'projectCorp'> & {
  corpName: string | null
  parentCorpName: string | null
  projectName: string
  teamCount: number
  onSite: number
}

export const select = sql`
  select u.*, c.corp_name, a.corp_name as parent_corp_name, p.name as project_name,
    (select count(*)::int from team t where t.project_code = u.project_code and t.corp_code = u.corp_code and t.exit_time is null) as team_count,
    (select count(*)::int from project_worker w where w.project_code = u.project_code and w.corp_code = u.corp_code and w.exit_time is null) as on_site
  from project_corp u join project p using (project_code) left join corporation c using (corp_code)
    left join corporation a on a.corp_code = u.parent_corp_code`

export async function getUnit(ctx: Context, id: string): Promise<RawUnit> {
  const within = allOf(...inProjects('u.projectCode', projectsFor(ctx)))
  const { rows } = await sql<RawUnit>`${select} where u.id = ${id} and ${within}`.execute(ctx.db)
  return found(rows[0], '参建单位')
}

/** A company sees all parties of a project, but people, teams and contracts only of its own contracting line. */
export const ofOwnLine = ({ scope }: Pick<Context, 'scope'>, u: { projectCode: string; corpCode: string }): boolean =>
  scope.all || !scope.limited.includes(u.projectCode) || scope.corps.includes(u.corpCode)

function toUnit(ctx: Pick<Context, 'scope'>, u: RawUnit): UnitRow {
  const own = ofOwnLine(ctx, u)
  return rowOf(unitRow, u, {
    corpName: u.corpName ?? u.corpCode,
    corpTypeName: dictName('projectCorpType', u.corpType),
    contractAmount: own ? u.contractAmount : null,
    pmPhone: u.pmPhoneMask,
    payTypeName: dictName('payChannel', u.payType),
    teamCount: own ? u.teamCount : null,
    onSite: own ? u.onSite : null,
  })
}
