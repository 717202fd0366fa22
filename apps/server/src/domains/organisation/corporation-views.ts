import { normalizeCreditCode } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import * as contract from '@zhugong/contract/organisation/corporation-views'
import { corporationBody } from '@zhugong/contract/organisation/model'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, found, oneProject, projectsFor } from '#kit/context'
import { allOf, anyOf, contains, inProjects, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { createCorporation, updateCorporation } from './corporation-writes.ts'
import { getCorporation, listCorporations } from './corporations.ts'
import { formFacts } from './form-info.ts'

export function corporationViewRoutes(serve: Serve) {
  serve(contract.listCorporationsV1, ({ query }, ctx) => listCorporations({ query }, ctx))
  serve(contract.createCorporationV1, ({ body }, ctx) => createCorporation({ body }, ctx))
  serve(contract.updateCorporationV1, async ({ params, body }, ctx) =>
    updateCorporation({ params: { corpCode: await codeOf(ctx, params.id) }, body }, ctx),
  )
  serve(contract.getCorporationV1, async ({ params }, ctx) => getCorporation({ params: { corpCode: await codeOf(ctx, params.id) } }, ctx))
  serve(contract.corporationFormInfo, (_, ctx) => ({ areaCode: ctx.group.areaCode, ...formFacts(corporationBody) }))
  serve(contract.searchDirectory, searchDirectory)
  serve(contract.findUnits, findUnits)
  serve(contract.corpTree, corpTree)
  serve(contract.userTree, userTree)
}

/** Older clients identify a company by id, newer ones by code. */
async function codeOf(ctx: Pick<Context, 'db'>, id: string): Promise<string> {
  const row = await ctx.db
    .selectFrom('corporation')
    .select('corpCode')
    .where((eb) => eb.or([eb('id', '=', id), eb('corpCode', '=', id)]))
    .executeTakeFirst()
  return found(row, '企业').corpCode
}

/** Searches the company register by exact code or by the beginning of the name. */
const searchDirectory: HandlerOf<typeof contract.searchDirectory> = async ({ query }, ctx) => {
  if (query.keyword.length < contract.leastLetters)
    throw new AppError('invalidInput', `请填写至少 ${contract.leastLetters} 个字的企业名称，或完整的统一社会信用代码`, { field: 'keyword' })
  const code = normalizeCreditCode(query.keyword)
  const begins = `${query.keyword.replace(/[\\%_]/g, '\\$&')}%`
  const { rows } = await sql<Hit>`
    select corp_code, corp_name, corp_type, area_code, address, legal_man, reg_capital::float8 as reg_capital, establish_date::text as register_date,
      status, source
    from enterprise_register where corp_code = ${code} or corp_name like ${begins} order by corp_name, corp_code limit ${contract.directoryHits}`.execute(
    ctx.db,
  )
  const known = rows.length
    ? await ctx.system
        .selectFrom('corporation')
        .select('corpCode')
        .where(
          'corpCode',
          'in',
          rows.map((r) => r.corpCode),
        )
        .execute()
    : []
  const inLibrary = new Set(known.map((one) => one.corpCode))
  return { list: rows.map((r) => ({ ...r, known: inLibrary.has(r.corpCode) })), total: rows.length }
}
interface Hit {
  corpCode: string
  corpName: string
  corpType: string | null
  areaCode: string | null
  address: string | null
  legalMan: string | null
  regCapital: number | null
  registerDate: string | null
  status: string
  source: string
}

const findUnits: HandlerOf<typeof contract.findUnits> = async ({ query }, ctx) => {
  const where = allOf(
    ...inProjects('u.projectCode', projectsFor(ctx, query.projectCode)),
    ...contains('c.corpName', query.name),
    ...anyOf('u.corpType', query.corpType),
  )
  const from = sql`project_corp u join corporation c using (corp_code) where ${where}`
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<{ id: string; projectCode: string; corpCode: string; corpName: string; corpType: string }>`
    select u.id, u.project_code, u.corp_code, c.corp_name, u.corp_type from ${from}
    order by c.corp_name, u.corp_type, u.id limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from ${from}`.execute(ctx.db)
  return { list: rows.map((u) => ({ ...u, corpTypeName: dictName('projectCorpType', u.corpType) })), total: total.rows[0]?.n ?? 0 }
}

interface UnitRow {
  corpCode: string
  name: string
  parent: string | null
  people: number
}

/** Companies in place with their headcounts; each company once, even with several parts. */
async function unitsOf(ctx: Context, projectCode: string): Promise<UnitRow[]> {
  const { rows } = await sql<UnitRow>`
    select u.corp_code, c.corp_name as name, min(u.parent_corp_code) as parent,
      (select count(*)::int from project_worker w where w.project_code = ${projectCode} and w.corp_code = u.corp_code and w.exit_time is null) as people
    from project_corp u join corporation c using (corp_code)
    where u.project_code = ${projectCode} and u.exit_time is null group by u.corp_code, c.corp_name order by c.corp_name`.execute(ctx.db)
  return rows
}

const corpTree: HandlerOf<typeof contract.corpTree> = async ({ query }, ctx) => {
  const units = await unitsOf(ctx, oneProject(ctx, query.projectCode))
  const there = new Set(units.map((u) => u.corpCode))
  const below = Map.groupBy(units, (u) => (u.parent && u.parent !== u.corpCode && there.has(u.parent) ? u.parent : null))
  // Contracts may form a cycle, so each company is drawn once.
  const drawn = new Set<string>()
  const draw = (parent: string | null): contract.BusinessNode[] =>
    (below.get(parent) ?? []).flatMap((u) => {
      if (drawn.has(u.corpCode)) return []
      drawn.add(u.corpCode)
      const children = draw(u.corpCode)
      return [
        { id: u.corpCode, kind: 'corp' as const, name: u.name, count: children.reduce((sum, c) => sum + c.count, u.people), children },
      ]
    })
  const tree = draw(null)
  const ring = units.filter((u) => !drawn.has(u.corpCode))
  return [...tree, ...ring.map((u) => ({ id: u.corpCode, kind: 'corp' as const, name: u.name, count: u.people, children: [] }))]
}

const userTree: HandlerOf<typeof contract.userTree> = async ({ query }, ctx) => {
  const projectCode = oneProject(ctx, query.projectCode)
  const units = await unitsOf(ctx, projectCode)
  const teams = await ctx.db
    .selectFrom('team')
    .select(['id', 'teamName', 'corpCode'])
    .where('projectCode', '=', projectCode)
    .where('exitTime', 'is', null)
    .orderBy('teamName')
    .execute()
  const { rows: people } = await sql<{ id: string; name: string; corpCode: string; teamId: string | null }>`
    select w.id, w.worker_name as name, w.corp_code, w.team_id from project_worker w
    where w.project_code = ${projectCode} and w.exit_time is null order by w.worker_name, w.id limit ${contract.treePeople}`.execute(ctx.db)
  const person = ({ id, name }: (typeof people)[number]): contract.BusinessNode => ({ id, kind: 'user', name, count: 1, children: [] })
  const node = (kind: 'corp' | 'team', id: string, name: string, children: contract.BusinessNode[]): contract.BusinessNode => ({
    id,
    kind,
    name,
    count: children.reduce((sum, c) => sum + c.count, 0),
    children,
  })
  return units.map((u) => {
    const own = people.filter((p) => p.corpCode === u.corpCode)
    const inTeams = teams
      .filter((t) => t.corpCode === u.corpCode)
      .map((t) => node('team', t.id, t.teamName, own.filter((p) => p.teamId === t.id).map(person)))
    const placed = new Set(teams.map((t) => t.id))
    return node('corp', u.corpCode, u.name, [...inTeams, ...own.filter((p) => !p.teamId || !placed.has(p.teamId)).map(person)])
  })
}
