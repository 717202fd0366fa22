import * as calls from '@zhugong/contract/equipment/library-endpoints'
import { checkCreditCode, checkPhone, maskPhone, normalizeCreditCode } from '@zhugong/contract/kit/checks'
import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { isUniqueViolation } from '#kit/db'
import { allOf, anyOf, between, type Condition, condition, contains, daysBetween, instantsBetween, orderBy, pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linksOf } from '../files/public.ts'
import { differences, findChanges, noteChange } from './change-log.ts'
import { type DockTest, findDockChecks } from './dock-test.ts'
import { counted, getFactoryRow, type Row, slowHours, tables, toFactory } from './factory-rows.ts'
import { findQuality, findSites } from './quality.ts'

const expiringDays = 30

const maker = condition(sql`'maker' = any (f.roles)`)
const provider = condition(sql`f.roles && '{sale,rent,install,maintain}'::text[]`)
const overlaps = (column: string, values: readonly string[] | undefined): Condition[] =>
  values?.length ? [condition(sql`${sql.ref(column)} && ${[...values]}::text[]`)] : []

export function factoryRoutes(serve: Serve): void {
  serve(calls.listFactories, listFactories)
  serve(calls.getFactory, getFactory)
  serve(calls.createFactory, createFactory)
  serve(calls.updateFactory, updateFactory)
  serve(calls.removeFactory, removeFactory)
}

type FactoryQuery = ParsedFor<typeof calls.listFactories>['query']

const kindOf = (query: FactoryQuery) => (query.kind === 'maker' ? [maker] : query.kind === 'provider' ? [provider] : [])

const factoriesWhere = (query: FactoryQuery) =>
  allOf(
    ...kindOf(query),
    ...contains('f.name', query.name),
    ...contains('f.corp_code', query.corpCode),
    ...overlaps('f.families', query.families),
    ...overlaps('f.roles', query.roles),
    ...anyOf('f.dock_state', query.dockState),
    ...anyOf('f.enable', query.enable),
    ...(query.areaCode?.length
      ? [
          condition(
            sql`(f.area_codes = '{}' or exists (select 1 from unnest(f.area_codes) c where ${sql.join(
              query.areaCode.map((code) => sql`c like ${`${code.replace(/(00){1,2}$/, '')}%`}`),
              sql` or `,
            )}))`,
          ),
        ]
      : []),
    ...between('u.devices', query.devices),
    ...daysBetween('f.service_until', query.serviceUntil),
    ...instantsBetween('f.update_time', query.updateTime),
  )

const factoryOrder = (query: FactoryQuery) =>
  orderBy(
    query.sort,
    {
      name: 'f.name',
      devices: 'u.devices',
      projects: 'u.projects',
      serviceUntil: 'f.service_until',
      repairHours: 'r.repair_hours',
      overdueRepairs: 'r.overdue_repairs',
      openTickets: 'r.open_tickets',
      updateTime: 'f.update_time',
      dockState: 'f.dock_state',
    },
    query.kind === 'provider' ? 'serviceUntil' : '-devices',
    'f.id',
  )

async function countFactories(db: Context['db'], query: FactoryQuery, at: Date) {
  const { rows } = await sql<{ all: number; passed: number; lapsed: number; expiring: number; slow: number; openTickets: number }>`
      select count(*)::int as all, count(*) filter (where f.dock_state = '2')::int as passed, count(*) filter (where f.dock_state = '3')::int as lapsed,
        count(*) filter (where f.service_until <= ${addDays(formatDay(at), expiringDays)}::date)::int as expiring,
        count(*) filter (where r.repair_hours > ${slowHours})::int as slow, coalesce(sum(r.open_tickets), 0)::int as open_tickets
      from ${tables(at)} where ${allOf(...kindOf(query))}`.execute(db)
  return rows[0] ?? { all: 0, passed: 0, lapsed: 0, expiring: 0, slow: 0, openTickets: 0 }
}

const listFactories: HandlerOf<typeof calls.listFactories> = async ({ query }, ctx) => {
  const at = new Date(ctx.clock.now())
  const where = factoriesWhere(query)
  const { limit, offset } = pageSlice(query)
  const { rows } =
    await sql<Row>`select ${counted} from ${tables(at)} where ${where} order by ${factoryOrder(query)} limit ${limit} offset ${offset}`.execute(
      ctx.db,
    )
  const total = await sql<{ n: number }>`select count(*)::int as n from ${tables(at)} where ${where}`.execute(ctx.db)
  const quality = query.with?.includes('quality')
    ? await findQuality(
        ctx.db,
        query.kind === 'provider' ? 'provider_id' : 'factory_id',
        rows.map((r) => r.id),
        ctx.clock.now(),
      )
    : undefined
  return {
    list: rows.map((r) => ({ ...toFactory(r, ctx), quality: quality?.get(r.id) })),
    total: total.rows[0]?.n ?? 0,
    counts: await countFactories(ctx.db, query, at),
  }
}

const getFactory: HandlerOf<typeof calls.getFactory> = async ({ params }, ctx) => {
  const row = await getFactoryRow(ctx.db, params.id, ctx.clock.now())
  const quality = (await findQuality(ctx.db, 'factory_id', [row.id], ctx.clock.now())).get(row.id)
  const made = await findSites(ctx.db, 'factory_id', row.id)
  const repairs = await sql<{
    id: string
    deviceName: string
    projectName: string
    at: Date
    fault: string
    doneAt: Date | null
    score: number | null
    comment: string | null
  }>`select x.id, x.device_name, p.name as project_name, x.at, x.fault, x.done_at, x.score, x.comment
      from device_repair x join project p on p.project_code = x.project_code where x.provider_id = ${row.id} order by x.at desc, x.id limit 50`.execute(
    ctx.db,
  )
  return {
    ...toFactory(row, ctx),
    quality,
    files: linksOf(ctx, row.files),
    dockTests: await findDockChecks(ctx, row.dockTests),
    byProject: made.length ? made : await findSites(ctx.db, 'provider_id', row.id),
    repairs: repairs.rows.map((r) => ({
      ...r,
      at: formatInstant(r.at),
      doneAt: r.doneAt ? formatInstant(r.doneAt) : null,
      hours: Math.round(((r.doneAt?.getTime() ?? ctx.clock.now()) - r.at.getTime()) / 360_000) / 10,
    })),
    changes: await findChanges(ctx.db, 'factory', row.id),
  }
}

const createFactory: HandlerOf<typeof calls.createFactory> = async ({ body }, ctx) => {
  const id = ctx.newId()
  const corpCode = checked(body)
  await guarded(ctx, { name: body.name, corpCode }, async () =>
    sql`insert into factory (id, name, corp_code, roles, families, contact, contact_phone, contact_phone_mask, sales_contact, sales_phone, sales_phone_mask, service_hours,
          area_codes, service_until, files, remark, create_time, create_by, update_time)
        values (${id}, ${body.name}, ${corpCode}, ${body.roles}, ${knownFamilies(body.families)}, ${body.contact ?? null}, ${ctx.secrets.seal(body.contactPhone)},
          ${masked(body.contactPhone)}, ${body.salesContact ?? null}, ${ctx.secrets.seal(body.salesPhone)}, ${masked(body.salesPhone)}, ${body.serviceHours ?? null},
          ${body.areaCodes}, ${body.serviceUntil ?? null}, ${await keptFiles(ctx, fileIdsOf(body.files))}, ${body.remark ?? null}, ${new Date(ctx.clock.now())}, ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(
      ctx.db,
    ),
  )
  await noteChange(ctx, { subject: 'factory', id, act: '新增' })
  ctx.note(`新增设备厂商 ${body.name}`, id)
  return { id }
}

const updateFactory: HandlerOf<typeof calls.updateFactory> = async ({ params, body }, ctx) => {
  const row = await getFactoryRow(ctx.db, params.id, ctx.clock.now())
  if (body.version !== undefined && body.version !== row.version) throw await conflictOf(ctx, 'factory', { id: row.id }, '厂商')
  const given = { ...body, ...(body.corpCode === undefined ? {} : { corpCode: checked(body) }) }
  const phoneOf = (
    next: string | null | undefined,
    before: Buffer | null,
    mask: string | null,
  ): readonly [Buffer | null | undefined, string | null] => (next === undefined ? [before, mask] : [ctx.secrets.seal(next), masked(next)])
  checked({ contactPhone: body.contactPhone, salesPhone: body.salesPhone })
  const [contactPhone, contactMask] = phoneOf(body.contactPhone, row.contactPhone, row.contactPhoneMask)
  const [salesPhone, salesMask] = phoneOf(body.salesPhone, row.salesPhone, row.salesPhoneMask)
  const dock = body.dock ? await judged(ctx, row, body.dock) : undefined
  await guarded(ctx, { name: body.name ?? row.name, corpCode: given.corpCode ?? null, id: row.id }, async () =>
    changeRow(ctx, 'factory', {
      key: { id: row.id },
      version: row.version,
      noun: '厂商',
      by: ctx.user.name,
      values: {
        name: body.name ?? row.name,
        corpCode: given.corpCode === undefined ? row.corpCode : given.corpCode,
        roles: body.roles ?? row.roles,
        families: body.families ? knownFamilies(body.families) : row.families,
        contact: pick(body.contact, row.contact),
        contactPhone,
        contactPhoneMask: contactMask,
        salesContact: pick(body.salesContact, row.salesContact),
        salesPhone,
        salesPhoneMask: salesMask,
        serviceHours: pick(body.serviceHours, row.serviceHours),
        areaCodes: body.areaCodes ?? row.areaCodes,
        serviceUntil: pick(body.serviceUntil, row.serviceUntil),
        files: body.files ? await keptFiles(ctx, fileIdsOf(body.files), row.files) : row.files,
        remark: pick(body.remark, row.remark),
        enable: body.enable ?? row.enable,
        dockState: dock?.state ?? row.dockState,
        dockTests: JSON.stringify(dock?.tests ?? row.dockTests),
      },
    }),
  )
  if (body.bindDevices?.length) {
    const { rows } = await sql<{
      id: string
      projectCode: string
    }>`update device set provider_id = ${row.id} where id = any (${body.bindDevices}) returning id, project_code`.execute(ctx.db)
    if (rows.length !== new Set(body.bindDevices).size) throw new AppError('notFound', '部分设备不存在或已删除', { field: 'bindDevices' })
    for (const one of rows) await noteChange(ctx, { subject: 'device', ...one, act: `供应商改为 ${row.name}` })
  }
  // The maker's name on devices is a copy.
  if (body.name && body.name !== row.name)
    await sql`update device set factory_name = ${body.name} where factory_id = ${row.id}`.execute(ctx.db)
  const detail = differences<Record<string, unknown>>(labels, row as unknown as Record<string, unknown>, given as Record<string, unknown>)
  await noteChange(ctx, {
    subject: 'factory',
    id: row.id,
    act: dock
      ? `对接测试：${{ start: '发起', pass: '标记通过', lapse: '标记失效' }[body.dock?.action ?? 'start']}`
      : body.enable
        ? body.enable === '1'
          ? '启用'
          : '停用'
        : '修改',
    detail: body.dock?.reason ? [...detail, { label: '原因', before: null, after: body.dock.reason }] : detail,
  })
  ctx.note(`修改设备厂商 ${row.name}`, row.id)
  return { id: row.id }
}

const removeFactory: HandlerOf<typeof calls.removeFactory> = async ({ params }, ctx) => {
  const row = await getFactoryRow(ctx.db, params.id, ctx.clock.now())
  if (row.models > 0) throw new AppError('refused', `${row.name} 下还有 ${row.models} 个型号，请先删除或改到其他厂商`)
  if (row.devices > 0) throw new AppError('refused', `${row.name} 名下还有 ${row.devices} 台设备，不能删除`)
  if (row.brands > 0) throw new AppError('refused', `${row.name} 下还有 ${row.brands} 个品牌，请先删除或改到其他厂商`)
  await sql`delete from factory where id = ${row.id}`.execute(ctx.db)
  ctx.note(`删除设备厂商 ${row.name}`, row.id)
}

const labels = {
  name: '名称',
  corpCode: '统一社会信用代码',
  roles: '角色',
  families: '设备类别',
  contact: '技术联系人',
  salesContact: '商务联系人',
  serviceHours: '服务时间',
  areaCodes: '覆盖区域',
  serviceUntil: '服务到期',
  remark: '备注',
  enable: '启用',
} as const

const pick = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given)
const masked = (phone: string | null | undefined) => (phone ? maskPhone(phone) : null)
export const knownFamilies = (keys: readonly string[]) => {
  const unknown = keys.find((key) => !familyOf(key))
  if (unknown) throw new AppError('invalidInput', `设备类别 ${unknown} 不存在`, { field: 'families' })
  return [...new Set(keys)]
}

/** Validates typed numbers. Returns the normal form of the company code. */
function checked(body: {
  corpCode?: string | null | undefined
  contactPhone?: string | null | undefined
  salesPhone?: string | null | undefined
}): string | null {
  const code = body.corpCode ? normalizeCreditCode(body.corpCode) : null
  const wrong = code ? checkCreditCode(code) : undefined
  if (wrong) throw new AppError('invalidInput', wrong, { field: 'corpCode' })
  for (const field of ['contactPhone', 'salesPhone'] as const) {
    const problem = body[field] ? checkPhone(body[field]) : undefined
    if (problem) throw new AppError('invalidInput', problem, { field })
  }
  return code
}

async function judged(
  ctx: Context,
  row: Row,
  requested: {
    action: 'start' | 'pass' | 'lapse'
    deviceId?: string | undefined
    protocol?: string | undefined
    reason?: string | undefined
  },
): Promise<{ state: string; tests: DockTest[] }> {
  const at = ctx.clock.now()
  const [latest, ...older] = row.dockTests
  if (requested.action === 'start') {
    if (latest?.state === '1') throw new AppError('refused', '已有一项对接测试在进行，请先给出结论')
    if (!requested.deviceId) throw new AppError('invalidInput', '请选择一台接入测试的设备', { field: 'dock.deviceId' })
    const { rows } = await sql<{
      protocol: string
    }>`select protocol from device where id = ${requested.deviceId} and factory_id = ${row.id}`.execute(ctx.db)
    const device = rows[0]
    if (!device) throw new AppError('invalidInput', '测试设备不存在或不是该厂商的设备', { field: 'dock.deviceId' })
    const test: DockTest = {
      id: ctx.newId(),
      protocol: requested.protocol || device.protocol,
      deviceId: requested.deviceId,
      startedAt: at,
      endedAt: null,
      state: '1',
      reason: null,
      by: ctx.user.name,
    }
    return { state: '1', tests: [test, ...row.dockTests].slice(0, 20) }
  }
  if (requested.action === 'lapse' && !requested.reason) throw new AppError('invalidInput', '请填写失效原因', { field: 'dock.reason' })
  const state = requested.action === 'pass' ? '2' : '3'
  if (latest?.state === '1') {
    const [seen] = await findDockChecks(ctx, [latest])
    const open = seen?.checks.filter((c) => c.state !== 'ok') ?? []
    if (requested.action === 'pass' && open.length && !requested.reason)
      throw new AppError('refused', `${open.map((c) => c.label).join('、')} 尚未通过，仍要标记通过请填写原因`)
    const checks = (seen?.checks ?? []).map((c) => (c.state === 'waiting' ? { ...c, state: 'bad' as const } : c))
    return { state, tests: [{ ...latest, state, endedAt: at, reason: requested.reason ?? null, checks }, ...older] }
  }
  if (requested.action === 'pass') throw new AppError('refused', '没有进行中的对接测试，请先发起')
  return { state, tests: row.dockTests }
}

async function guarded(
  ctx: Context,
  one: { name: string; corpCode: string | null; id?: string },
  work: () => Promise<unknown>,
): Promise<void> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from factory where (lower(name) = lower(${one.name}) or corp_code = ${one.corpCode}) and id <> ${one.id ?? ''} limit 1`.execute(
    ctx.db,
  )
  const same = rows[0]
  if (same) {
    const byName = same.name.toLowerCase() === one.name.toLowerCase()
    throw new AppError('refused', byName ? `已有同名厂商 ${same.name}` : `统一社会信用代码已属于 ${same.name}`, {
      field: byName ? 'name' : 'corpCode',
      existing: same,
    })
  }
  try {
    await work()
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '厂商名称或统一社会信用代码已存在', { field: 'name' })
    throw error
  }
}
