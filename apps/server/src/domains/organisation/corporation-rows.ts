import { AppError } from '@zhugong/contract/kit/errors'
import type * as contract from '@zhugong/contract/organisation/corporations'
import type { CorporationRow } from '@zhugong/contract/organisation/model'
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
  inAreas,
  instantsBetween,
  orderBy,
} from '#kit/list'
import { isOfArea } from './registration.ts'

/** A safety licence ending within this many days is worth a warning (entities.md, 企业). */
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
    ...contains('c.corpName', query.corpName),
    ...contains('c.corpCode', query.corpCode?.toUpperCase()),
    ...kinds,
    ...anyOf('c.corpType', query.corpType),
    ...inAreas('c.areaCode', query.areaCode),
    ...daysBetween('c.safetyLicenseEnd', query.safetyLicenseEnd),
    ...between('c.creditScore', query.creditScore),
    ...between('c.projectCount', query.projectCount),
    ...between('c.onSite', query.onSite),
    ...equals('c.enable', query.enable),
    ...instantsBetween('c.createTime', query.createTime),
    ...quick,
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

/** A company that the asker may switch or remove: the platform any, an authority those of its area. */
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
  return {
    id: c.id,
    corpCode: c.corpCode,
    corpName: c.corpName,
    corpType: c.corpType,
    corpTypeName: dictName('corpType', c.corpType),
    corpKind: c.corpKind,
    corpKindName: c.corpKind.map((k) => dictName('corpKind', k)).join('、'),
    areaCode: c.areaCode,
    areaName: areaName(c.areaCode),
    address: c.address,
    legalMan: c.legalMan,
    linkMan: c.linkMan,
    linkPhone: c.linkPhoneMask,
    safetyLicenseNo: c.safetyLicenseNo,
    safetyLicenseEnd: c.safetyLicenseEnd,
    creditScore: c.creditScore,
    projectCount: c.projectCount,
    onSite: c.onSite,
    missing,
    enable: c.enable,
    createTime: formatInstant(c.createTime),
    version: c.version,
  }
}
