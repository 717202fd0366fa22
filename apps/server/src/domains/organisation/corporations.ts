import { isOn } from '@zhugong/contract/kit/enable'
import * as contract from '@zhugong/contract/organisation/corporations'
import { type CorporationDetail, corporationDetail } from '@zhugong/contract/organisation/model'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { addDays, formatDay } from '#kit/clock'
import type { Context } from '#kit/context'
import { allOf, contains, pageSlice } from '#kit/list'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { exportOf } from '../exports/registry.ts'
import { linkOf } from '../files/public.ts'
import {
  corporationConditions,
  corporationOrder,
  countCorporations,
  getRawCorporation,
  licenceWarningDays,
  mayEditCorporation,
  type RawCorporation,
  selectCorporations,
  toCorporationRow,
} from './corporation-rows.ts'
import { createCorporation, removeCorporation, switchCorporation, updateCorporation } from './corporation-writes.ts'

export function corporationRoutes(serve: Serve) {
  serve(contract.listCorporations, listCorporations)
  serve(contract.corporationFigures, corporationFigures)
  serve(contract.pickCorporations, pickCorporations)
  serve(contract.findCorporation, findCorporation)
  serve(contract.getCorporation, getCorporation)
  serve(contract.createCorporation, createCorporation)
  serve(contract.updateCorporation, updateCorporation)
  serve(contract.removeCorporation, removeCorporation)
  serve(contract.switchCorporation, switchCorporation)
}

export const listCorporations: HandlerOf<typeof contract.listCorporations> = async ({ query }, ctx) => {
  const { limit, offset } = pageSlice(query)
  const where = corporationConditions(query)
  const { rows } =
    await sql<RawCorporation>`select * from (${selectCorporations}) c where ${where} order by ${corporationOrder(query.sort)} limit ${limit} offset ${offset}`.execute(
      ctx.db,
    )
  return { list: rows.map(toCorporationRow), total: await countCorporations(ctx, where) }
}

const corporationFigures: HandlerOf<typeof contract.corporationFigures> = async (_input, ctx) => {
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<{ total: number; licenceEnding: number; licenceEnded: number; incomplete: number }>`
      select count(*)::int as total,
        count(*) filter (where safety_license_end between ${today}::date and ${addDays(today, licenceWarningDays)}::date)::int as licence_ending,
        count(*) filter (where safety_license_end < ${today}::date)::int as licence_ended,
        count(*) filter (where license_file is null or link_phone is null or num_nulls(corp_type, legal_man, register_date, reg_capital) > 0 or (corp_kind @> '{4}' and safety_license_no is null))::int as incomplete
      from corporation`.execute(ctx.db)
  return rows[0] ?? { total: 0, licenceEnding: 0, licenceEnded: 0, incomplete: 0 }
}

const pickCorporations: HandlerOf<typeof contract.pickCorporations> = async ({ query }, ctx) => {
  const rows = await ctx.db
    .selectFrom('corporation')
    .select(['corpCode', 'corpName', 'areaCode'])
    .where('enable', '=', '1')
    .where(allOf(...contains('corpName', query.name)))
    .orderBy('corpName')
    .limit(200)
    .execute()
  return { list: rows.map((r) => ({ code: r.corpCode, name: r.corpName, areaCode: r.areaCode })), total: rows.length }
}

const findCorporation: HandlerOf<typeof contract.findCorporation> = async ({ query }, ctx) => {
  const visible = await ctx.db.selectFrom('corporation').select('corpName').where('corpCode', '=', query.corpCode).executeTakeFirst()
  // The company library cannot be browsed, but a caller with the exact code gets the company's name.
  const known =
    visible ?? (await ctx.system.selectFrom('corporation').select('corpName').where('corpCode', '=', query.corpCode).executeTakeFirst())
  return { found: known !== undefined, corpCode: query.corpCode, corpName: known?.corpName ?? null, visible: visible !== undefined }
}

export const getCorporation: HandlerOf<typeof contract.getCorporation> = ({ params }, ctx) => detail(ctx, params.corpCode)

async function detail(ctx: Context, corpCode: string): Promise<CorporationDetail> {
  const c = await getRawCorporation(ctx, corpCode)
  const parts = await sql<{
    id: string
    projectCode: string
    projectName: string
    prjStatus: string
    corpType: string
    entryTime: string
    exitTime: string | null
    onSite: number
    pmName: string | null
  }>`
    select pc.id, pc.project_code, p.name as project_name, p.prj_status, pc.corp_type, pc.entry_time, pc.exit_time, pc.pm_name,
      (select count(*)::int from project_worker pw where pw.project_code = pc.project_code and pw.corp_code = pc.corp_code and pw.exit_time is null) as on_site
    from project_corp pc join project p using (project_code) where pc.corp_code = ${corpCode} order by pc.entry_time desc, pc.id`.execute(
    ctx.db,
  )
  const trades = await sql<{ code: string | null; count: number }>`
    select work_type as code, count(*)::int as count from project_worker where corp_code = ${corpCode} and exit_time is null group by 1 order by 2 desc limit 12`.execute(
    ctx.db,
  )
  return rowOf(corporationDetail, c, {
    ...toCorporationRow(c),
    legalManIdCardNumber: c.legalManIdCardMask,
    licenseUrl: linkOf(ctx, c.licenseFile),
    canEdit: mayEditCorporation(ctx, c),
    parts: parts.rows.map((p) => ({ ...p, corpTypeName: dictName('projectCorpType', p.corpType) })),
    trades: trades.rows.map((t) => ({
      code: t.code ?? '',
      name: t.code ? (dictName('workerType', t.code) ?? t.code) : '管理人员',
      count: t.count,
    })),
  })
}

export function registerCorporationExport(): void {
  exportOf(
    contract.corporationList,
    {
      title: '企业列表',
      widths: { corpName: 32, corpCode: 22, linkMan: 24, missing: 24, createTime: 20 },
      count: (ctx, query) => countCorporations(ctx, corporationConditions(query)),
      async *rows(ctx, query) {
        const where = corporationConditions(query)
        const { rows } =
          await sql<RawCorporation>`select * from (${selectCorporations}) c where ${where} order by ${corporationOrder(query.sort)}`.execute(
            ctx.db,
          )
        for (const row of rows) yield toCorporationRow(row)
      },
    },
    {
      corpKind: (c) => c.corpKindName,
      corpType: (c) => c.corpTypeName,
      areaCode: (c) => c.areaName,
      linkMan: (c) => `${c.linkMan} ${c.linkPhone ?? ''}`.trim(),
      missing: (c) => c.missing.join('、'),
      enable: (c) => (isOn(c.enable) ? '启用' : '停用'),
    },
  )
}
