import { maskIdCard, maskName } from '@zhugong/contract/kit/checks'
import { AppError } from '@zhugong/contract/kit/errors'
import { normalIdNumber } from '@zhugong/contract/kit/normal'
import type { EnterpriseRow, OperatorRow } from '@zhugong/contract/labour/register'
import * as contract from '@zhugong/contract/labour/register'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { allOf, anyOf, anywhere, between, condition, daysBetween, equals, filtersOf, inAreas, orderBy, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { exportOf, type ListContext } from '../exports/registry.ts'
import { byMaskedName } from './masked-name.ts'

/** The official register of companies and their qualified people, supplemented with the product's own companies. */
export function registerRoutes(serve: Serve) {
  serve(contract.listEnterprises, async ({ query }, ctx) => ({
    list: await findEnterprises(ctx, query, pageSlice(query)),
    total: await countEnterprises(ctx, query),
    figures: await figuresOf(ctx),
  }))
  serve(contract.getEnterprise, getEnterprise)
  serve(contract.listOperators, listOperators)
  serve(contract.getOperator, getOperator)
  serve(contract.listRegisterCertificates, listCertificates)
  serve(contract.uploadRegister, uploadRegister)
}

/** A licence counts as ending soon in this many last days. */
const endingDays = 90
const ownSource = '本平台档案'

interface Raw {
  corpCode: string
  corpName: string
  corpKind: string[]
  areaCode: string | null
  address: string | null
  legalMan: string | null
  regCapital: number | null
  establishDate: string | null
  safetyLicenseNo: string | null
  safetyLicenseEnd: string | null
  qualifications: { name: string; level: string; certCode: string; endDate: string | null }[]
  records: { date: string; title: string; org: string; docNo: string | null; endDate: string | null; good: boolean }[]
  source: string
  asOf: string
  registered: number | null
  safety: number | null
  here: EnterpriseRow['here']
}

/** Companies of the register, and the product's own companies visible to the caller that the register lacks. */
const select = (ctx: Pick<Context, 'clock'>): RawBuilder<unknown> => sql`
  select r.corp_code, r.corp_name, r.corp_kind, r.area_code, r.address, r.legal_man, r.reg_capital, r.establish_date, r.safety_license_no, r.safety_license_end,
    r.qualifications, r.records, r.source, r.as_of, o.registered, o.safety,
    case when c.corp_code is null then 'unknown' when c.corp_name <> r.corp_name or c.legal_man is distinct from r.legal_man
      or c.safety_license_end is distinct from r.safety_license_end then 'differs' else 'known' end as here
  from enterprise_register r left join corporation c on c.corp_code = r.corp_code
    left join lateral (select count(*) filter (where kind = '注册')::int as registered, count(*) filter (where kind = '安管')::int as safety
      from enterprise_operator where corp_code = r.corp_code having count(*) > 0) o on true
  union all
  select c.corp_code, c.corp_name, c.corp_kind, c.area_code, c.address, c.legal_man, c.reg_capital, c.establish_date, c.safety_license_no, c.safety_license_end,
    '[]'::jsonb, '[]'::jsonb, ${ownSource}, ${formatDay(ctx.clock.now())}::date, null, null, 'known'
  from corporation c where not exists (select 1 from enterprise_register r where r.corp_code = c.corp_code)`

type Query = NonNullable<(typeof contract.listEnterprises)['types']>['parsed']['query']
const conditions = (query: Partial<Query>) =>
  allOf(
    ...(query.corpKind?.length ? [condition(sql`e.corp_kind && ${[...query.corpKind]}::text[]`)] : []),
    filtersOf(query, {
      area: [inAreas, 'e.areaCode'],
      here: [anyOf, 'e.here'],
      safetyLicenseEnd: [daysBetween, 'e.safetyLicenseEnd'],
      registered: [between, 'e.registered'],
      safety: [between, 'e.safety'],
      q: (value) => condition(sql`(e.corp_name ilike ${anywhere(value)} or e.corp_code = ${value})`),
      corpKind: 'elsewhere',
    }),
  )
async function findEnterprises(
  ctx: ListContext,
  query: Partial<Query>,
  page?: { limit: number; offset: number },
): Promise<EnterpriseRow[]> {
  const order = orderBy(
    query.sort,
    { corpName: 'e.corpName!', safetyLicenseEnd: 'e.safetyLicenseEnd', registered: 'e.registered', safety: 'e.safety', asOf: 'e.asOf!' },
    'corpName',
    'e.corpCode',
  )
  const { rows } = await sql<Raw>`select * from (${select(ctx)}) e where ${conditions(query)} order by ${order}
    ${page ? sql`limit ${page.limit} offset ${page.offset}` : sql``}`.execute(ctx.db)
  return rows.map(toRow)
}
async function countEnterprises(ctx: ListContext, query: Partial<Query>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from (${select(ctx)}) e where ${conditions(query)}`.execute(ctx.db)
  return rows[0]?.n ?? 0
}
async function figuresOf(ctx: ListContext) {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<{ total: number; licenceEnded: number; qualificationEnding: number; differs: number }>`
    select count(*)::int as total, count(*) filter (where e.safety_license_end < ${today}::date)::int as licence_ended,
      count(*) filter (where exists (select 1 from jsonb_array_elements(e.qualifications) q
        where q ->> 'endDate' between ${today} and ${addDays(today, endingDays)}))::int as qualification_ending,
      count(*) filter (where e.here = 'differs')::int as differs from (${select(ctx)}) e`.execute(ctx.db)
  return rows[0] ?? { total: 0, licenceEnded: 0, qualificationEnding: 0, differs: 0 }
}

const toRow = (e: Raw): EnterpriseRow =>
  rowOf(contract.enterpriseRow, e, {
    areaName: areaName(e.areaCode),
    corpKindNames: e.corpKind.map((k) => dictName('corpKind', k) ?? k),
    qualification: e.qualifications[0] ? `${e.qualifications[0].name}${e.qualifications[0].level}` : null,
  })

export function registerEnterpriseExport(): void {
  exportOf(
    contract.enterpriseList,
    {
      title: '综合企业库',
      widths: { corpName: 30, corpCode: 22, qualification: 30 },
      async *rows(ctx, query) {
        yield* await findEnterprises(ctx, query)
      },
      count: countEnterprises,
    },
    {
      area: (e) => e.areaName,
      corpKind: (e) => e.corpKindNames.join('、'),
      here: (e) => contract.registerStates[e.here],
    },
  )
}

const daysTo = (day: string | null, today: string): number | null =>
  day === null ? null : Math.round((Date.parse(day) - Date.parse(today)) / 86_400_000)

const getEnterprise: HandlerOf<typeof contract.getEnterprise> = async ({ query }, ctx) => {
  const { rows } = await sql<Raw>`select * from (${select(ctx)}) e where e.corp_code = ${query.id}`.execute(ctx.db)
  const e = found(rows[0], '企业')
  const today = formatDay(ctx.clock.now())
  const own = await ctx.db
    .selectFrom('corporation')
    .select(['corpName', 'areaCode', 'address', 'legalMan', 'regCapital', 'establishDate', 'safetyLicenseNo', 'safetyLicenseEnd'])
    .where('corpCode', '=', e.corpCode)
    .executeTakeFirst()
  const line = (field: string, label: string, register: string | number | null, mine: string | number | null | undefined) => {
    const [a, b] = [register === null ? null : String(register), mine === null || mine === undefined ? null : String(mine)]
    return { field, label, register: a, own: b, differs: own !== undefined && a !== null && a !== b }
  }
  const kinds = await sql<{ kind: string; count: number }>`
    select kind, count(*)::int as count from enterprise_operator where corp_code = ${e.corpCode} group by 1 order by 2 desc`.execute(ctx.db)
  const { corpCode, corpName, corpKind, areaCode, address, legalMan, regCapital, establishDate, safetyLicenseNo, safetyLicenseEnd } = e
  return {
    ...toRow(e),
    fields: [
      line('corpName', '企业名称', corpName, own?.corpName),
      line('areaCode', '注册地区', areaName(areaCode), areaName(own?.areaCode)),
      line('address', '营业地址', address, own?.address),
      line('legalMan', '法定代表人', legalMan, own?.legalMan),
      line('regCapital', '注册资本（万元）', regCapital, own?.regCapital),
      line('establishDate', '成立日期', establishDate, own?.establishDate),
      line('safetyLicenseNo', '安全生产许可证', safetyLicenseNo, own?.safetyLicenseNo),
      line('safetyLicenseEnd', '安许证有效期至', safetyLicenseEnd, own?.safetyLicenseEnd),
    ],
    qualifications: e.qualifications.map((q) => ({ ...q, left: daysTo(q.endDate, today) })),
    records: e.records.map((r) => ({ ...r, over: r.endDate !== null && r.endDate < today })),
    kinds: kinds.rows,
    draft: { corpCode, corpName, corpKind, areaCode, address, legalMan, regCapital, establishDate, safetyLicenseNo, safetyLicenseEnd },
  }
}

// ---- people
interface RawOperator {
  id: string
  corpCode: string
  corpName: string
  name: string
  idCardMask: string
  idCardHash: string
  kind: string
  certName: string
  certNo: string
  trade: string | null
  validEnd: string | null
  state: string
  post: string | null
  projectName: string | null
  named: number
}
const operators = sql`
  select o.*, r.corp_name, (select count(distinct x.corp_code)::int from enterprise_operator x where x.id_card_hash = o.id_card_hash) as named
  from enterprise_operator o join enterprise_register r using (corp_code)`
const toOperator = (o: RawOperator, today: string): OperatorRow =>
  rowOf(contract.operatorRow, o, {
    // People of the register are masked.
    name: maskName(o.name),
    idCardNumber: o.idCardMask,
    state: o.validEnd !== null && o.validEnd < today ? '已过期' : o.state,
    left: daysTo(o.validEnd, today),
  })

const listOperators: HandlerOf<typeof contract.listOperators> = async ({ query }, ctx) => {
  const where = allOf(
    ...equals('o.corpCode', query.corpCode),
    // Searches only the visible part of the name; otherwise hidden characters could be guessed.
    ...byMaskedName('o.name', query.q),
    ...anyOf('o.kind', query.kind),
    ...daysBetween('o.validEnd', query.validEnd),
  )
  const { limit, offset } = pageSlice(query)
  const order = orderBy(query.sort, { name: 'o.name!', validEnd: 'o.validEnd' }, 'name', 'o.id')
  const { rows } =
    await sql<RawOperator>`select * from (${operators}) o where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(ctx.db)
  const total = await sql<{ n: number }>`select count(*)::int as n from enterprise_operator o where ${where}`.execute(ctx.db)
  const today = formatDay(ctx.clock.now())
  return { list: rows.map((o) => toOperator(o, today)), total: total.rows[0]?.n ?? 0 }
}

async function operatorOf(ctx: Context, id: string): Promise<RawOperator> {
  const { rows } = await sql<RawOperator>`select * from (${operators}) o where o.id = ${id}`.execute(ctx.db)
  return found(rows[0], '人员')
}

const getOperator: HandlerOf<typeof contract.getOperator> = async ({ query }, ctx) => {
  const o = await operatorOf(ctx, query.id)
  const today = formatDay(ctx.clock.now())
  const companies = await sql<{ corpCode: string; corpName: string; post: string | null; projectName: string | null }>`
    select distinct on (o.corp_code) o.corp_code, o.corp_name, o.post, o.project_name from (${operators}) o where o.id_card_hash = ${o.idCardHash}
    order by o.corp_code, o.post nulls last`.execute(ctx.db)
  // Linked only by the keyed hash of the number, and only to people whose stays the caller sees.
  const posts = await sql<{
    workerId: string
    projectName: string
    post: string | null
    present: boolean
    isLeader: boolean
    entryTime: Date
  }>`
    select w.worker_id, p.name as project_name, w.post, w.exit_time is null as present, w.entry_time,
      exists (select 1 from project_corp u where u.project_code = w.project_code and u.corp_code = w.corp_code and u.pm_name = w.worker_name and u.exit_time is null) as is_leader
    from project_worker w join project p using (project_code) where w.id_card_hash = ${o.idCardHash} order by w.exit_time is null desc, w.entry_time desc`.execute(
    ctx.db,
  )
  const sameName = await sql<{ n: number }>`
    select count(distinct worker_id)::int as n from project_worker where worker_name = ${o.name} and id_card_hash <> ${o.idCardHash}`.execute(
    ctx.db,
  )
  const leads = posts.rows.filter((p) => p.present && p.isLeader)
  return {
    ...toOperator(o, today),
    workerId: posts.rows[0]?.workerId ?? null,
    sameName: sameName.rows[0]?.n ?? 0,
    companies: companies.rows,
    posts: posts.rows.map(({ workerId: _id, post, entryTime, ...p }) => ({
      ...p,
      postName: dictName('managerPost', post),
      entryTime: formatInstant(entryTime).slice(0, 10),
    })),
    warnings: [
      ...(companies.rows.length > 1
        ? [`同时登记在 ${companies.rows.length} 家企业：${companies.rows.map((c) => c.corpName).join('、')}`]
        : []),
      ...(leads.length > 1 ? [`同时在 ${leads.length} 个项目任项目负责人：${leads.map((p) => p.projectName).join('、')}`] : []),
      ...(o.validEnd && o.validEnd < today ? [`${o.certName}已于 ${o.validEnd} 过期`] : []),
    ],
  }
}

const listCertificates: HandlerOf<typeof contract.listRegisterCertificates> = async ({ query }, ctx) => {
  const o = await operatorOf(ctx, query.id)
  const today = formatDay(ctx.clock.now())
  const { rows } =
    await sql<RawOperator>`select * from (${operators}) o where o.id_card_hash = ${o.idCardHash} order by o.kind, o.cert_no`.execute(ctx.db)
  const own = await sql<{ name: string; certNo: string; validEnd: string | null }>`
    select c.name, c.cert_no, c.valid_end::text as valid_end from worker_cert c join worker w on w.id = c.worker_id
    where w.id_card_hash = ${o.idCardHash} and not w.deleted order by c.valid_end desc nulls first limit 50`.execute(ctx.db)
  const registered = new Set(rows.map((r) => r.certNo))
  return {
    list: rows.map((r) => toOperator(r, today)),
    own: own.rows.map((c) => ({ ...c, matches: registered.has(c.certNo) })),
  }
}

const uploadRegister: HandlerOf<typeof contract.uploadRegister> = async ({ body }, ctx) => {
  const now = new Date(ctx.clock.now())
  if (body.asOf > formatDay(now)) throw new AppError('invalidInput', '数据日期不能晚于今天', { field: 'asOf' })
  for (const e of body.enterprises) {
    const { qualifications, ...rest } = e
    const values = { ...rest, qualifications: JSON.stringify(qualifications), source: body.source, asOf: body.asOf, updateTime: now }
    await ctx.db
      .insertInto('enterpriseRegister')
      .values(values)
      .onConflict((oc) => oc.column('corpCode').doUpdateSet(values))
      .execute()
  }
  const named = [...new Set(body.operators.map((o) => o.corpCode))]
  const known = await ctx.db
    .selectFrom('enterpriseRegister')
    .select('corpCode')
    .where('corpCode', 'in', named.length ? named : [''])
    .execute()
  const lacking = named.filter((code) => !known.some((k) => k.corpCode === code))
  if (lacking.length)
    throw new AppError('invalidInput', `人员所属企业不在名录中：${lacking.slice(0, 5).join('、')}`, { field: 'operators' })
  // The import contains all people of a company; those missing have left and are deleted.
  if (named.length) await ctx.db.deleteFrom('enterpriseOperator').where('corpCode', 'in', named).execute()
  for (const { idCardNumber, ...o } of body.operators) {
    const number = normalIdNumber(idCardNumber)
    await ctx.db
      .insertInto('enterpriseOperator')
      .values({ ...o, id: ctx.newId(), idCardHash: ctx.secrets.blindIndex('id-card', number), idCardMask: maskIdCard(number) })
      .onConflict((oc) => oc.columns(['corpCode', 'certNo']).doNothing())
      .execute()
  }
  ctx.note(`上传综合企业名录：${body.enterprises.length} 家企业，${body.operators.length} 人（${body.source}，${body.asOf}）`)
  return { enterprises: body.enterprises.length, operators: body.operators.length }
}
