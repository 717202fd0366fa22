import type { ModelRow, Register } from '@zhugong/contract/equipment/model-endpoints'
import * as calls from '@zhugong/contract/equipment/model-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { familyNamed, familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found } from '#kit/context'
import { isUniqueViolation, type Tx } from '#kit/db'
import { allOf, anyOf, between, condition, contains, equals, orderBy, pageSlice } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import type { HandlerOf, Serve } from '#kit/serve'
import { fileIdsOf, keptFiles, linkOf, linksOf } from '../files/public.ts'
import { findChanges, noteChange } from './change-log.ts'
import { checkModel, familyGivenAs, type MetricUse, type ModelContent, paramsToFill, versionDiff } from './model-rules.ts'
import { workbook } from './workbook.ts'

export interface ModelRecord {
  id: string
  rootId: string
  factoryId: string
  factoryName: string
  brandId: string
  brandName: string
  family: string
  name: string
  modelVersion: number
  protocols: string[]
  metrics: MetricUse[]
  registers: Register[]
  alarmCodes: { code: string; alarmKey: string }[]
  params: Record<string, unknown>
  photo: string | null
  docs: string[]
  remark: string | null
  devices: number
  enable: string
  dockState: string
  createTime: Date
  createBy: string | null
  updateTime: Date
  version: number
}
const columns = sql`m.id, m.root_id, m.factory_id, f.name as factory_name, m.brand_id, b.name as brand_name, m.family, m.name, m.model_version, m.protocols, m.metrics, m.registers,
  m.alarm_codes, m.params, m.photo, m.docs, m.remark, m.enable, f.dock_state, m.create_time, m.create_by, m.update_time, m.version, u.devices`
const tables = sql`model m join brand b on b.id = m.brand_id join factory f on f.id = m.factory_id
  cross join lateral (select count(*)::int as devices from device d where d.model_id = m.id) u`

const toModel = (r: ModelRecord): ModelRow => {
  const family = familyOf(r.family)
  return rowOf(calls.modelRow, r, {
    familyName: family?.name ?? r.family,
    category: family ? String(family.code) : '',
    metricCount: r.metrics.length || (family?.metrics.length ?? 0),
    hasRegisterMap: r.registers.length > 0,
    createTime: formatInstant(r.createTime),
    updateTime: formatInstant(r.updateTime),
  })
}

export async function getModelRecord(db: Tx, id: string): Promise<ModelRecord> {
  const { rows } = await sql<ModelRecord>`select ${columns} from ${tables} where m.id = ${id}`.execute(db)
  return found(rows[0], '型号')
}

export function modelRoutes(serve: Serve): void {
  serve(calls.listModels, listModels)
  serve(calls.getModel, getModel)
  serve(calls.createModel, createModel)
  serve(calls.updateModel, updateModel)
  serve(calls.removeModel, removeModel)
  serve(calls.exportModelPoints, exportModelPoints)
}

const listModels: HandlerOf<typeof calls.listModels> = async ({ query }, ctx) => {
  const families = [...(query.family ?? []), ...(query.category ?? [])].map((name) => familyNamed(name)?.key ?? name)
  const where = allOf(
    ...contains('m.name', query.name),
    ...equals('m.factory_id', query.factoryId),
    ...equals('m.brand_id', query.brandId),
    ...anyOf('m.family', families.length ? families : undefined),
    ...(query.protocols?.length ? [condition(sql`m.protocols && ${query.protocols}::text[]`)] : []),
    ...(query.hasRegisterMap === undefined ? [] : [condition(sql`(jsonb_array_length(m.registers) > 0) = ${query.hasRegisterMap}`)]),
    ...between('u.devices', query.devices),
    ...anyOf('m.enable', query.enable),
    ...(query.allVersions
      ? []
      : [condition(sql`not exists (select 1 from model n where n.root_id = m.root_id and n.model_version > m.model_version)`)]),
  )
  const order = query.sort
    ? orderBy(
        query.sort,
        {
          name: 'm.name',
          brandName: 'b.name',
          factoryName: 'f.name',
          family: 'm.family',
          devices: 'u.devices',
          updateTime: 'm.update_time',
        },
        'name',
        'm.id',
      )
    : sql`m.family, m.name, m.id`
  const { limit, offset } = pageSlice(query)
  const { rows } =
    await sql<ModelRecord>`select ${columns} from ${tables} where ${where} order by ${order} limit ${limit} offset ${offset}`.execute(
      ctx.db,
    )
  const total = await sql<{ n: number }>`select count(*)::int as n from ${tables} where ${where}`.execute(ctx.db)
  return { list: rows.map(toModel), total: total.rows[0]?.n ?? 0 }
}

const getModel: HandlerOf<typeof calls.getModel> = async ({ params }, ctx) => {
  const row = await getModelRecord(ctx.db, params.id)
  const family = familyGivenAs(row.family)
  const all = (
    await sql<ModelRecord>`select ${columns} from ${tables} where m.root_id = ${row.rootId} order by m.model_version`.execute(ctx.db)
  ).rows
  return {
    ...toModel(row),
    metrics: row.metrics.map((m) => {
      const metric = family.metric(m.key)
      return {
        key: m.key,
        label: metric?.label ?? m.key,
        unit: metric?.unit ?? '',
        precision: m.precision ?? metric?.precision ?? null,
        min: m.min ?? metric?.min ?? null,
        max: m.max ?? metric?.max ?? null,
        alias: m.alias ?? null,
      }
    }),
    ...pick(row, 'registers', 'params', 'remark'),
    alarmCodes: row.alarmCodes.map((a) => ({ ...a, label: family.alarm(a.alarmKey)?.label ?? a.alarmKey })),
    photo: linkOf(ctx, row.photo),
    docs: linksOf(ctx, row.docs),
    versions: all
      .map((v, i) => ({
        id: v.id,
        modelVersion: v.modelVersion,
        createTime: formatInstant(v.createTime),
        byName: v.createBy,
        devices: v.devices,
        diff: versionDiff(family, all[i - 1], v),
      }))
      .reverse(),
    dock: { state: row.dockState, factoryId: row.factoryId },
    changes: await findChanges(ctx.db, 'model', row.id),
  }
}

const createModel: HandlerOf<typeof calls.createModel> = async ({ body }, ctx) => {
  const family = familyGivenAs(body.family)
  checkModel(family, body)
  const brand = await usableBrand(ctx.db, body.brandId)
  const id = ctx.newId()
  let rootId = id
  let modelVersion = 1
  if (body.versionOf) {
    const before = await getModelRecord(ctx.db, body.versionOf)
    if (before.family !== family.key) throw new AppError('invalidInput', '新版本不能更换设备类别', { field: 'family' })
    rootId = before.rootId
    const { rows } = await sql<{ n: number }>`select max(model_version)::int as n from model where root_id = ${rootId}`.execute(ctx.db)
    modelVersion = (rows[0]?.n ?? 0) + 1
  }
  await guarded(
    sql`insert into model (id, root_id, factory_id, brand_id, family, name, model_version, protocols, metrics, registers, alarm_codes, params, photo, docs, remark,
          create_time, create_by, update_time)
        values (${id}, ${rootId}, ${brand.factoryId}, ${brand.id}, ${family.key}, ${body.name}, ${modelVersion}, ${body.protocols}, ${JSON.stringify(body.metrics)}::jsonb,
          ${JSON.stringify(body.registers)}::jsonb, ${JSON.stringify(body.alarmCodes)}::jsonb, ${JSON.stringify(body.params)}::jsonb, ${(await keptFiles(ctx, fileIdsOf(body.photo ? [body.photo] : [])))[0] ?? null}, ${await keptFiles(ctx, fileIdsOf(body.docs))},
          ${body.remark ?? null}, ${new Date(ctx.clock.now())}, ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(ctx.db),
  )
  await noteChange(ctx, { subject: 'model', id, act: modelVersion > 1 ? `新版本 V${modelVersion}` : '新增' })
  ctx.note(`新增设备型号 ${body.name} V${modelVersion}`, id)
  return { id, modelVersion }
}

const updateModel: HandlerOf<typeof calls.updateModel> = async ({ params, body }, ctx) => {
  const row = await getModelRecord(ctx.db, params.id)
  if (body.version !== undefined && body.version !== row.version) throw await conflictOf(ctx, 'model', { id: row.id }, '型号')
  if (body.family && familyGivenAs(body.family).key !== row.family)
    throw new AppError('invalidInput', '型号的设备类别不能更改', { field: 'family' })
  if (body.applyTo) return { id: row.id, applied: await applyModel(ctx, row, body.applyTo === 'preview') }
  const family = familyGivenAs(row.family)
  const next: ModelContent = {
    metrics: body.metrics ?? row.metrics,
    registers: body.registers ?? row.registers,
    alarmCodes: body.alarmCodes ?? row.alarmCodes,
    params: body.params ?? row.params,
  }
  checkModel(family, next)
  await requireMetricsKept(ctx.db, row, next)
  const brand =
    body.brandId && body.brandId !== row.brandId ? await usableBrand(ctx.db, body.brandId) : { id: row.brandId, factoryId: row.factoryId }
  await guarded(
    changeRow(ctx, 'model', {
      key: { id: row.id },
      version: row.version,
      noun: '型号',
      by: ctx.user.name,
      values: {
        brandId: brand.id,
        factoryId: brand.factoryId,
        name: body.name ?? row.name,
        protocols: body.protocols ?? row.protocols,
        metrics: JSON.stringify(next.metrics),
        registers: JSON.stringify(next.registers),
        alarmCodes: JSON.stringify(next.alarmCodes),
        params: JSON.stringify(next.params),
        photo:
          body.photo === undefined
            ? row.photo
            : ((await keptFiles(ctx, fileIdsOf(body.photo ? [body.photo] : []), [row.photo]))[0] ?? null),
        docs: body.docs ? await keptFiles(ctx, fileIdsOf(body.docs), row.docs) : row.docs,
        remark: body.remark === undefined ? row.remark : body.remark,
        enable: body.enable ?? row.enable,
      },
    }),
  )
  // Pollers use the model's register map, so polled devices are updated at once.
  if (body.registers) await writePollMaps(ctx.db, row.id, next.registers)
  if (body.name && body.name !== row.name) await sql`update device set model_name = ${body.name} where model_id = ${row.id}`.execute(ctx.db)
  if (brand.id !== row.brandId)
    await sql`update device d set brand_id = b.id, brand_name = b.name, factory_id = f.id, factory_name = f.name
        from brand b join factory f on f.id = b.factory_id where d.model_id = ${row.id} and b.id = ${brand.id}`.execute(ctx.db)
  const diff = versionDiff(family, row, next).filter((text) => text !== '内容没有变化')
  await noteChange(ctx, {
    subject: 'model',
    id: row.id,
    act: body.enable ? (body.enable === '1' ? '启用' : '停用') : '修改',
    detail: diff.map((text) => ({ label: text, before: null, after: null })),
  })
  ctx.note(`修改设备型号 ${row.name}`, row.id)
  return { id: row.id }
}

const removeModel: HandlerOf<typeof calls.removeModel> = async ({ params }, ctx) => {
  const row = await getModelRecord(ctx.db, params.id)
  if (row.devices > 0) throw new AppError('refused', `还有 ${row.devices} 台设备使用 ${row.name}，不能删除`)
  await sql`delete from model where id = ${row.id}`.execute(ctx.db)
  ctx.note(`删除设备型号 ${row.name}`, row.id)
}

const exportModelPoints: HandlerOf<typeof calls.exportModelPoints> = async ({ params }, ctx) => {
  const row = await getModelRecord(ctx.db, params.id)
  const family = familyGivenAs(row.family)
  const rows = (row.metrics.length ? row.metrics : family.metrics.map((m): MetricUse => ({ key: m.key }))).map((m) => {
    const metric = family.metric(m.key)
    const register = row.registers.find((r) => r.metric === m.key)
    return [
      metric?.label ?? m.key,
      m.key,
      metric?.unit ?? '',
      m.alias ?? '',
      m.min ?? metric?.min ?? '',
      m.max ?? metric?.max ?? '',
      m.precision ?? metric?.precision ?? '',
      register?.address ?? '',
      register?.code ?? '',
      register?.type ?? '',
      register?.scale ?? '',
      register?.unit ?? '',
    ]
  })
  return workbook(
    `${row.name} V${row.modelVersion} 点表`,
    ['指标', '标识', '单位', '设备侧名称', '下限', '上限', '小数位', '寄存器', '数据标识', '类型', '比例', '寄存器单位'],
    rows,
    ctx.clock.now(),
  )
}

/** Writes the register map for the polled devices of a model. */
export async function writePollMaps(db: Tx, modelId: string, registers: readonly Register[]): Promise<void> {
  const map = pollMapOf(registers)
  await sql`update poll_device set registers = ${JSON.stringify(map)}::jsonb where id in (select id from device where model_id = ${modelId})`.execute(
    db,
  )
}
/** Meters are polled by data identifier, Modbus devices by register. */
type PollPoint = string | { metric: string; address: number; table: 'holding'; type: string; scale: number; offset: number }
export const pollMapOf = (registers: readonly Register[]): PollPoint[] =>
  registers.flatMap((r): PollPoint[] => {
    if (r.type === 'dlt645' || r.type === 'cjt188') return r.code ? [r.code.toUpperCase()] : []
    return [
      {
        metric: r.metric,
        address: r.address ?? 0,
        table: 'holding',
        type: r.type === 'u32abcd' ? 'u32' : r.type,
        scale: r.scale,
        offset: 0,
      },
    ]
  })

/** Refuses to remove a metric that rules use on devices of this model. */
async function requireMetricsKept(db: Tx, row: ModelRecord, next: ModelContent): Promise<void> {
  const kept = new Set(next.metrics.map((m) => m.key))
  const gone = row.metrics.map((m) => m.key).filter((key) => !kept.has(key))
  if (gone.length === 0 || row.devices === 0 || next.metrics.length === 0) return
  const { rows } = await sql<{ name: string; key: string }>`
    select t.name, k.key from rule_trigger t cross join unnest(${gone}::text[]) k(key)
    where t.family = ${row.family} and t.enabled and t.levels::text like '%"metric": "' || k.key || '"%' limit 1`.execute(db)
  const hit = rows[0]
  if (hit) {
    const label = familyOf(row.family)?.metric(hit.key)?.label ?? hit.key
    throw new AppError('refused', `指标 ${label} 正被规则“${hit.name}”使用，不能去掉`, { field: 'metrics' })
  }
}

/** Upgrades devices on other versions to this one. Defaults fill missing values and overwrite nothing. */
async function applyModel(ctx: Context, row: ModelRecord, preview: boolean) {
  const { rows } = await sql<{
    id: string
    name: string
    projectCode: string
    projectName: string
    modelVersion: number
    params: Record<string, unknown>
  }>`
    select d.id, d.name, d.project_code, p.name as project_name, m.model_version, d.params from device d join model m on m.id = d.model_id
    join project p on p.project_code = d.project_code where m.root_id = ${row.rootId} and m.id <> ${row.id} order by p.name, d.name, d.id limit 5000`.execute(
    ctx.db,
  )
  const family = familyGivenAs(row.family)
  const changes = rows.map((d) => ({ ...d, filled: paramsToFill(row.params, d.params) }))
  if (!preview) {
    for (const one of changes) {
      await changeRow(ctx, 'device', {
        key: { id: one.id },
        version: null,
        by: ctx.user.name,
        noun: '设备',
        values: { modelId: row.id, modelName: row.name, params: sql`params || ${JSON.stringify(one.filled)}::jsonb` },
      })
      await noteChange(ctx, { subject: 'device', id: one.id, projectCode: one.projectCode, act: `型号版本改为 V${row.modelVersion}` })
    }
    await writePollMaps(ctx.db, row.id, row.registers)
    ctx.note(`型号 ${row.name} V${row.modelVersion} 应用到 ${rows.length} 台设备`, row.id)
  }
  return {
    devices: rows.length,
    changes: changes.slice(0, 200).map((d) => ({
      deviceName: d.name,
      projectName: d.projectName,
      from: `V${d.modelVersion}`,
      params: Object.keys(d.filled).map((key) => family.params.find((p) => p.key === key)?.label ?? key),
    })),
  }
}

async function usableBrand(db: Tx, id: string): Promise<{ id: string; factoryId: string }> {
  const { rows } = await sql<{
    id: string
    factoryId: string
    enable: string
  }>`select id, factory_id, enable from brand where id = ${id}`.execute(db)
  const brand = rows[0]
  if (!brand) throw new AppError('invalidInput', '品牌不存在或已删除', { field: 'brandId' })
  if (brand.enable !== '1') throw new AppError('invalidInput', '品牌已停用', { field: 'brandId' })
  return brand
}

async function guarded<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('refused', '该品牌下已有同名型号', { field: 'name' })
    throw error
  }
}
