import { isOn } from '@zhugong/contract/kit/enable'
import { blackStates } from '@zhugong/contract/labour/black-codes'
import * as contract from '@zhugong/contract/organisation/company-history'
import { areaName, dictName } from '@zhugong/contract/settings/dictionaries'
import { type RawBuilder, sql } from 'kysely'
import { formatDay, formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, projectsFor } from '#kit/context'
import { allOf, anyOf, inProjects, instantsBetween, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'

/** All events of a company in one timeline. Reads the tables of several domains, like a dashboard. */
export function companyHistoryRoutes(serve: Serve) {
  serve(contract.companyHistory, companyHistory)
}

interface Raw {
  id: string
  at: Date
  kind: string
  title: string
  changes: { field: string; before: string | null; after: string | null }[]
  byName: string | null
  overSince: string | null
  link: string | null
}

/** The company itself and the platform also see its apps, and who changed its file. */
const inside = (ctx: Context, corpCode: string): boolean =>
  ctx.group.type === groupTypes.platform || (ctx.group.type === groupTypes.corporation && ctx.group.code === corpCode)

/** Drafts, proposals and rejected entries are not part of the history. */
const reported = [blackStates.recognised, blackStates.appealed, blackStates.repaired, blackStates.expired, blackStates.cancelled]
const over = [blackStates.repaired, blackStates.expired, blackStates.cancelled]

function happenings(ctx: Context, corpCode: string): RawBuilder<unknown> {
  const own = inside(ctx, corpCode)
  const parts = allOf(...inProjects('pc.projectCode', projectsFor(ctx)))
  const day = (column: string) => sql`(${sql.ref(column)}::text || ' 00:00:00+08')::timestamptz`
  return sql`
    select id, at, kind, title, changes, ${own ? sql`by_name` : sql`null::text`} as by_name, null::text as over_since, null::text as link
      from corp_event where corp_code = ${corpCode}
    union all
    select 'in:' || pc.id, pc.entry_time::timestamptz, 'project', '进入 ' || p.name, jsonb_build_array(jsonb_build_object('field', 'corpType', 'before', null, 'after', pc.corp_type)),
      null, null, '/unitListEditDetails?id=' || pc.id
      from project_corp pc join project p using (project_code) where pc.corp_code = ${corpCode} and ${parts}
    union all
    select 'out:' || pc.id, pc.exit_time::timestamptz, 'project', '退出 ' || p.name, jsonb_build_array(jsonb_build_object('field', 'corpType', 'before', pc.corp_type, 'after', null)),
      null, null, '/unitListEditDetails?id=' || pc.id
      from project_corp pc join project p using (project_code) where pc.corp_code = ${corpCode} and pc.exit_time is not null and ${parts}
    union all
    select 'record:' || r.corp_code || ':' || e.at, ((e.record ->> 'date') || ' 00:00:00+08')::timestamptz,
      case when (e.record ->> 'good')::boolean then 'good' else 'penalty' end,
      (e.record ->> 'title') || coalesce('（' || (e.record ->> 'docNo') || '）', ''), '[]'::jsonb, e.record ->> 'org',
      case when (e.record ->> 'endDate') < ${formatDay(ctx.clock.now())} then e.record ->> 'endDate' end,
      '/personalServer/intenterprise/details?id=' || r.corp_code
      from enterprise_register r cross join lateral jsonb_array_elements(r.records) with ordinality as e(record, at) where r.corp_code = ${corpCode}
    union all
    select 'black:' || b.id, ${day('b.start_date')}, 'black', '列入黑名单：' || b.reason_type, '[]'::jsonb, b.issuer,
      case when b.state = any (${over}) then coalesce(b.update_time, b.end_date::timestamptz)::date::text end, '/LaborBlackDetail?id=' || b.id
      from black_entry b where b.kind = 'corp' and b.corp_code = ${corpCode} and b.state = any (${reported})
    ${
      own
        ? sql`union all
    select 'grant:' || g.id, g.create_time, 'grant', '开通应用 ' || a.name || coalesce('，至 ' || g.deadline::text, ''), '[]'::jsonb,
      (select t.name from tenant t where t.id = g.by_group), g.revoked_at::date::text, null
      from app_grant g join app a on a.id = g.app_id join tenant t on t.id = g.group_id where t.type = 2 and t.code = ${corpCode}`
        : sql``
    }`
}

const companyHistory: HandlerOf<typeof contract.companyHistory> = async ({ params, query }, ctx) => {
  const company = found(
    await ctx.db
      .selectFrom('corporation')
      .select(['corpCode', 'creditScore', 'createTime'])
      .where('corpCode', '=', params.corpCode)
      .executeTakeFirst(),
    '企业',
  )
  const all = happenings(ctx, company.corpCode)
  const where = allOf(...anyOf('h.kind', query.kind), ...instantsBetween('h.at', query.at))
  const { limit, offset } = pageSlice(query)
  const { rows } = await sql<Raw>`select * from (${all}) h where ${where} order by h.at desc, h.id limit ${limit} offset ${offset}`.execute(
    ctx.db,
  )
  const { rows: counted } = await sql<{ kind: string; n: number }>`
    select h.kind, count(*)::int as n from (${all}) h where ${allOf(...instantsBetween('h.at', query.at))} group by 1`.execute(ctx.db)
  const counts = Object.fromEntries(counted.map(({ kind, n }) => [kind, n]))
  const requested = query.kind?.length ? query.kind : Object.keys(counts)
  return {
    list: rows.map(toHappening),
    total: requested.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0),
    counts,
    scores: await scoresOf(ctx, company),
  }
}

const toHappening = ({ changes, at, ...row }: Raw): contract.Happening => ({
  ...row,
  at: formatInstant(at),
  kindName: contract.historyKinds[row.kind as contract.HistoryKind] ?? row.kind,
  title: titleOf(row.kind, row.title, changes),
  changes: changes.map((one) => ({
    label: labels[one.field] ?? one.field,
    before: words(one.field, one.before),
    after: words(one.field, one.after),
  })),
})

const labels: Readonly<Record<string, string>> = {
  corp_name: '企业名称',
  corp_type: '登记注册类型',
  corp_kind: '业务类别',
  area_code: '注册地区',
  address: '营业地址',
  legal_man: '法定代表人',
  reg_capital: '注册资本（万元）',
  register_date: '注册日期',
  link_man: '联系人',
  safety_license_no: '安全生产许可证号',
  safety_license_end: '安许证有效期至',
  enable: '状态',
  credit_score: '信用分',
  corpType: '参建角色',
  titleLevelNum: '资质等级',
  endDate: '有效期至',
  reason: '原因与依据',
}

const prefixes: Readonly<Record<string, string>> = { change: '修改', score: '信用分调整' }
function titleOf(kind: string, title: string, changes: Raw['changes']): string {
  if (kind === 'black') return `列入黑名单：${dictName('corpBlacklistReason', title.slice('列入黑名单：'.length)) ?? title}`
  if (title) return title
  const prefix = prefixes[kind] ?? ''
  return kind === 'change' ? prefix + changes.map((one) => labels[one.field] ?? one.field).join('、') : prefix
}

function words(field: string, value: string | null): string | null {
  if (value === null) return null
  if (field === 'corp_type') return dictName('corpType', value)
  if (field === 'corpType') return dictName('projectCorpType', value)
  if (field === 'area_code') return areaName(value)
  if (field === 'enable') return isOn(value) ? '启用' : '停用'
  if (field === 'corp_kind') return (JSON.parse(value) as string[]).map((one) => dictName('corpKind', one)).join('、')
  return value
}

async function scoresOf(ctx: Pick<Context, 'db' | 'clock'>, company: { corpCode: string; creditScore: number; createTime: Date }) {
  const { rows } = await sql<{ at: Date; before: string | null; after: string | null }>`
    select e.at, c ->> 'before' as before, c ->> 'after' as after from corp_event e cross join lateral jsonb_array_elements(e.changes) c
    where e.corp_code = ${company.corpCode} and c ->> 'field' = 'credit_score' order by e.at, e.id`.execute(ctx.db)
  const first = rows[0]
  return [
    { day: formatDay(company.createTime.getTime()), score: first ? Number(first.before) : company.creditScore },
    ...rows.map((row) => ({ day: formatDay(row.at.getTime()), score: Number(row.after) })),
    { day: formatDay(ctx.clock.now()), score: company.creditScore },
  ]
}
