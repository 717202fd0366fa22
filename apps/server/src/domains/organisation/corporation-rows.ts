import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/organisation/corporations'
import { type CorporationRow, corporationRow } from '@zhugong/contract/organisation/model'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes } from '#kit/context'
import type { Row } from '#kit/db'
import {
  allOf,
  anyOf,
  between,
  type Condition,
  condition,
  contains,
  daysBetween,
  equals,
  filtersOf,
  inAreas,
  instantsBetween,
  orderBy,
} from '#kit/list'
import { rowOf } from '#kit/row-of'
import { isOfArea } from './registration.ts'

/** Days before the end of a safety licence from which a warning is shown (entities.md, 企业). */
export const licenceWarningDays = 90

export type RawCorporation = Row<'corporation'> & { projectCount: number; onSite: number }

export const selectCorporations = sql`
  select c.*,
    (select count(distinct pc.project_code)::int from project_corp pc where pc.corp_code = c.corp_code) as project_count,
    (select count(*)::int from project_worker pw where pw.corp_code = c.corp_code and pw.exit_time is null) as on_site
  from corporation c`

export const corporationOrder = (sort: Filters['sort']) =>
  orderBy(
    sort,
    {
      corpName: 'c.corpName',
      corpCode: 'c.corpCode',
      createTime: 'c.createTime',
      creditScore: 'c.creditScore',
      safetyLicenseEnd: 'c.safetyLicenseEnd',
      projectCount: 'c.projectCount',
      onSite: 'c.onSite',
    },
    '-createTime',
    'c.corpCode',
  )

type Filters = Partial<NonNullable<(typeof contract.listCorporations)['types']>['parsed']['query']>

export function corporationConditions(query: Filters): Condition {
  const kinds = query.corpKind?.length ? [condition(sql`c.corp_kind && ${query.corpKind}`)] : []
  const quick = query.q ? [condition(sql`(${allOf(...contains('c.corpName', query.q))} or c.corp_code = ${query.q.toUpperCase()})`)] : []
  return allOf(
    ...contains('c.corpCode', query.corpCode?.toUpperCase()),
    ...kinds,
    ...quick,
    filtersOf(query, {
      corpName: [contains, 'c.corpName'],
      corpType: [anyOf, 'c.corpType'],
      areaCode: [inAreas, 'c.areaCode'],
      safetyLicenseEnd: [daysBetween, 'c.safetyLicenseEnd'],
      creditScore: [between, 'c.creditScore'],
      projectCount: [between, 'c.projectCount'],
      onSite: [between, 'c.onSite'],
      enable: [equals, 'c.enable'],
      createTime: [instantsBetween, 'c.createTime'],
      corpCode: 'elsewhere',
      corpKind: 'elsewhere',
      q: 'elsewhere',
    }),
  )
}

export async function countCorporations(ctx: Pick<Context, 'db'>, where: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${selectCorporations}) c where ${where}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}

export async function getRawCorporation(ctx: Pick<Context, 'db'>, corpCode: string): Promise<RawCorporation> {
  const { rows } = await sql<RawCorporation>`select * from (${selectCorporations}) c where corp_code = ${corpCode}`.execute(ctx.db)
  return found(rows[0], '企业')
}

/** A company the caller may disable or delete: any for the platform, those in its area for an authority. */
export async function getRegulatedCorporation(ctx: Context, corpCode: string): Promise<RawCorporation> {
  const row = await getRawCorporation(ctx, corpCode)
  if (!isOfArea(ctx, row.areaCode)) throw new AppError('forbidden', '只能办理注册地在本辖区的企业')
  return row
}

export const mayEditCorporation = (ctx: Context, row: RawCorporation) =>
  ctx.codes.has('corporation.edit') &&
  (ctx.group.type === groupTypes.platform || (ctx.group.type === groupTypes.corporation && ctx.group.code === row.corpCode))

export function toCorporationRow(c: RawCorporation): CorporationRow {
  const missing = [
    ...(c.licenseFile ? [] : ['营业执照']),
    ...(c.linkPhone ? [] : ['联系电话']),
    ...(c.corpType ? [] : ['登记注册类型']),
    ...(c.legalMan ? [] : ['法定代表人']),
    ...(c.registerDate ? [] : ['注册日期']),
    ...(c.regCapital === null ? ['注册资本'] : []),
    ...(c.corpKind.includes('4') && !c.safetyLicenseNo ? ['安全生产许可证'] : []),
  ]
  return rowOf(corporationRow, c, {
    corpTypeName: dictName('corpType', c.corpType),
    corpKindName: c.corpKind.map((k) => dictName('corpKind', k)).join('、'),
    areaName: areaName(c.areaCode),
    linkPhone: c.linkPhoneMask,
    missing,
    createTime: formatInstant(c.createTime),
  })
}
