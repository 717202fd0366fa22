import type { AccessInput } from '@zhugong/contract/equipment/device-access'
import { deviceStatuses } from '@zhugong/contract/equipment/endpoints'
import * as calls from '@zhugong/contract/equipment/service-endpoints'
import { AppError } from '@zhugong/contract/kit/errors'
import { day } from '@zhugong/contract/kit/fields'
import { normalDay } from '@zhugong/contract/kit/normal'
import { byProtocol, type ProtocolKey, protocolKeys, protocols } from '@zhugong/contract/protocols/catalogue'
import { families, familyNamed } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { plainText, unreadable } from '#kit/cell-text'
import { formatDay } from '#kit/clock'
import { type Context, FileAnswer, oneProject, projectsFor } from '#kit/context'
import { allOf, inProjects } from '#kit/list'
import { offThread } from '#kit/off-thread/off-thread'
import { pick } from '#kit/pick'
import type { HandlerOf, Serve } from '#kit/serve'
import { writeXlsx } from '#kit/sheet-write'
import { type DeviceListRow, deviceColumns, deviceTables, deviceWhere, toDevice } from './device-view.ts'
import { registerDevice } from './device-write.ts'
import type { SheetWork } from './sheet-thread.ts'
import { noteTaken, requireFewTaken, serialTaken } from './taken-numbers.ts'
import { workbook } from './workbook.ts'

const maxRows = 1_000
const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The columns of the sheet. The heading line names them, in any order. */
export const importColumns = [
  { key: 'name', title: '设备名称', required: true },
  { key: 'deviceSn', title: '序列号', required: true },
  { key: 'family', title: '设备类别', required: true },
  { key: 'project', title: '项目', required: false },
  { key: 'brand', title: '品牌', required: false },
  { key: 'model', title: '型号', required: false },
  { key: 'gateway', title: '网关', required: false },
  { key: 'mn', title: 'MN（环境监测）', required: false },
  { key: 'installPlace', title: '安装位置', required: false },
  { key: 'installDate', title: '安装日期', required: false },
  { key: 'dueDate', title: '服务到期', required: false },
  { key: 'specialRecordNo', title: '产权备案编号', required: false },
  { key: 'leader', title: '负责人', required: false },
] as const
type Key = (typeof importColumns)[number]['key']
export type SheetRow = Partial<Record<Key, string>>

export interface Known {
  projects: Map<string, string>
  brands: Map<string, string>
  models: { id: string; brandId: string; family: string; name: string }[]
  gateways: Map<string, { id: string; projectCode: string }>
  /** Serial numbers in the caller's own projects. */
  serials: ReadonlySet<string>
  /** Serial numbers in other projects. Set only when rows are saved, not in a dry run. */
  foreign?: ReadonlySet<string>
}

const columnOf = byProtocol(({ sheetColumn }) => sheetColumn as Key | undefined)
/** The protocol of a row's device: the one whose column is filled in, else HTTP. */
const protocolIn = (row: SheetRow): ProtocolKey => protocolKeys.find((key) => columnOf[key] && row[columnOf[key]]) ?? 'http'

function accessIn(row: SheetRow, gatewayId: string | undefined): AccessInput {
  const protocol = protocolIn(row)
  const column = columnOf[protocol]
  return { protocol, ...protocols[protocol].adopted((column && row[column]) ?? '', gatewayId) } as AccessInput
}

/** Validates a row: errors per cell, and the parsed device if there are none. */
export function readRow(row: SheetRow, known: Known, seen: Set<string>, defaultProject: string | undefined) {
  const errors: { column: Key; text: string }[] = []
  const wrong = (column: Key, text: string) => errors.push({ column, text })
  for (const { key, title, required } of importColumns) {
    if (required && !row[key]) wrong(key, `请填写${title}`)
    const problem = unreadable(row[key] ?? '')
    if (problem) wrong(key, problem)
  }
  if (row.name && row.name.length > 100) wrong('name', '设备名称最多 100 个字')
  const sn = row.deviceSn ?? ''
  if (sn && unreadable(sn)) seen.add(sn)
  else if (sn && !/^[\w.:-]{3,64}$/.test(sn)) wrong('deviceSn', '应为 3～64 位字母、数字、点、冒号、下划线或短横线')
  else if (sn && known.serials.has(sn)) wrong('deviceSn', '序列号已存在')
  else if (sn && known.foreign?.has(sn)) wrong('deviceSn', serialTaken)
  else if (sn && seen.has(sn)) wrong('deviceSn', '与上面的行重复')
  if (sn) seen.add(sn)
  const family = row.family ? (familyNamed(row.family) ?? families.find((f) => f.name === row.family)) : undefined
  if (row.family && !family) wrong('family', '设备类别不存在')
  const projectCode = row.project ? known.projects.get(row.project) : defaultProject
  if (row.project && !projectCode) wrong('project', '项目不存在或不在您的管辖范围内')
  else if (!projectCode) wrong('project', '请填写项目')
  const brandId = row.brand ? known.brands.get(row.brand.toLowerCase()) : undefined
  if (row.brand && !brandId) wrong('brand', '品牌不在品牌库，可在品牌管理中添加别名')
  const models = row.model
    ? known.models.filter((m) => m.name.toLowerCase() === row.model?.toLowerCase() && (!brandId || m.brandId === brandId))
    : []
  if (row.model && models.length === 0) wrong('model', '型号不在型号库')
  else if (models.length > 1) wrong('model', '多个品牌有同名型号，请填写品牌')
  else if (models[0] && family && models[0].family !== family.key) wrong('model', `型号不是${family.name}`)
  const gateway = row.gateway ? known.gateways.get(row.gateway) : undefined
  if (row.gateway && !gateway) wrong('gateway', '网关不存在或已停用')
  else if (gateway && projectCode && gateway.projectCode !== projectCode) wrong('gateway', '网关属于另一个项目')
  if (row.mn && !/^\w{5,40}$/.test(row.mn)) wrong('mn', 'MN 应为 5～40 位字母、数字或下划线')
  if (row.mn && row.gateway) wrong('mn', 'MN 与网关只填其一')
  const dayIn = (key: 'installDate' | 'dueDate'): string | undefined => {
    const read = day.safeParse(normalDay(row[key] ?? ''))
    if (row[key] && !read.success) wrong(key, '日期应写成 2026-03-01')
    return read.data
  }
  const [installDate, dueDate] = [dayIn('installDate'), dayIn('dueDate')]
  return {
    errors,
    device:
      errors.length || !family || !projectCode
        ? undefined
        : {
            name: row.name ?? '',
            deviceSn: sn,
            projectCode,
            family: family.key,
            modelId: models[0]?.id,
            access: accessIn(row, gateway?.id),
            ...pick(row, 'installPlace', 'specialRecordNo', 'leader'),
            installDate,
            dueDate,
            params: {},
          },
  }
}

/** Maximum lines read: heading and rows, plus some more to detect a sheet that is too long. */
const readRows = maxRows + 20
const readingMs = 10_000

/** Lines of the first sheet below its heading. Parsed in a worker thread, since a small file may expand to a large one. */
async function readSheet(ctx: Context, body: Buffer): Promise<{ line: number; row: SheetRow }[]> {
  const rows = await offThread.run<string[][]>(
    new URL('./sheet-thread.ts', import.meta.url),
    { body, rows: readRows } satisfies SheetWork,
    {
      group: ctx.group.id,
      signal: ctx.gone,
      timeLimitMs: readingMs,
      tooLong: '文件过于复杂，读取超时，请使用导入模板',
    },
  )
  const head = rows.findIndex((r) => r.some((c) => c.replace('*', '') === '序列号'))
  if (head < 0) throw new AppError('invalidInput', '没有找到表头，请使用导入模板', { field: 'file' })
  const keys = (rows[head] ?? []).map((c) => importColumns.find((one) => plainText(one.title) === c.replace('*', ''))?.key)
  const lines = rows.flatMap((cells, i) => (i > head && cells.some((c) => c !== '') ? [{ line: i + 1, cells }] : []))
  if (lines.length > maxRows) throw new AppError('invalidInput', `一次最多导入 ${maxRows} 行`, { field: 'file' })
  return lines.map(({ line, cells }) => ({
    // Line numbers as in Excel: lines above the heading and empty rows count.
    line,
    row: Object.fromEntries(
      keys.flatMap((key, i) => {
        const text = cells[i]
        return key && text ? [[key, text]] : []
      }),
    ),
  }))
}

async function findKnown(ctx: Context, rows: readonly SheetRow[], saving: boolean): Promise<Known> {
  const projects = await sql<{ projectCode: string; name: string; shortName: string | null }>`
    select project_code, name, short_name from project p where ${allOf(...inProjects('p.project_code', projectsFor(ctx)))}`.execute(ctx.db)
  const brands = await sql<{
    id: string
    name: string
    alias: string[]
    target: string
  }>`select id, name, alias, coalesce(merged_into, id) as target from brand`.execute(ctx.db)
  const models = await sql<
    Known['models'][number]
  >`select distinct on (root_id) id, brand_id, family, name from model where enable = '1' order by root_id, model_version desc`.execute(
    ctx.db,
  )
  const gateways = await sql<{ id: string; name: string; code: string | null; projectCode: string }>`
    select id, name, code, project_code from gateway g where g.status = '1' and g.connection_type like 'mqtt%' and ${allOf(...inProjects('g.project_code', projectsFor(ctx)))}`.execute(
    ctx.db,
  )
  const serials = rows.flatMap((r) => r.deviceSn ?? [])
  // Serial numbers are unique across projects. A dry run leaves no trace, so it reports only numbers in the caller's own projects.
  const { rows: taken } = await sql<{ deviceSn: string; isOwn: boolean }>`
    select device_sn, ${ctx.scope.all} or project_code = any (${ctx.scope.all ? [] : [...ctx.scope.projects]}) as is_own
    from device where device_sn = any (${serials})`.execute(ctx.system)
  const foreign = new Set(taken.flatMap((r) => (r.isOwn ? [] : [r.deviceSn])))
  if (saving) {
    const refused = new Map(rows.flatMap((r) => (r.deviceSn && foreign.has(r.deviceSn) ? [[r.deviceSn, protocolIn(r)] as const] : [])))
    await noteTaken(
      ctx,
      [...refused].map(([number, protocol]) => ({ number, protocol })),
    )
  }
  return {
    projects: new Map(
      projects.rows.flatMap((p) => [p.projectCode, p.name, p.shortName ?? ''].filter(Boolean).map((key) => [key, p.projectCode] as const)),
    ),
    brands: new Map(brands.rows.flatMap((b) => [b.name, ...b.alias].map((name) => [name.toLowerCase(), b.target] as const))),
    models: models.rows,
    gateways: new Map(
      gateways.rows.flatMap((g) =>
        [g.name, g.code ?? ''].filter(Boolean).map((key) => [key, { id: g.id, projectCode: g.projectCode }] as const),
      ),
    ),
    serials: new Set(taken.filter((r) => r.isOwn).map((r) => r.deviceSn)),
    foreign: saving ? foreign : undefined,
  }
}

export function importRoutes(serve: Serve): void {
  serve(calls.importTemplate, importTemplate)
  serve(calls.importDevices, importDevices)
  serve(calls.exportDevices, exportDevices)
}

const importTemplate: HandlerOf<typeof calls.importTemplate> = async (_input, ctx) => {
  const projects = await sql<{
    name: string
  }>`select name from project p where ${allOf(...inProjects('p.project_code', projectsFor(ctx)))} order by name limit 200`.execute(ctx.db)
  const lists: Partial<Record<Key, string[]>> = { family: families.map((f) => f.name), project: projects.rows.map((p) => p.name) }
  const body = await writeXlsx({
    sheets: [
      {
        name: '设备导入',
        rows: [importColumns.map((c) => (c.required ? `${c.title}*` : c.title))],
        columns: importColumns.map(() => ({ width: 18 })),
        dataValidations: importColumns.flatMap((c, i) => {
          const values = lists[c.key]
          // Excel limits an inline list to 255 characters; longer lists are on the second sheet.
          const short = values && values.join(',').length < 250 ? values : undefined
          return short ? [{ range: `${letter(i)}2:${letter(i)}${maxRows + 1}`, type: 'list' as const, values: short }] : []
        }),
      },
      { name: '可选值', rows: [['设备类别', '项目'], ...spread(lists.family ?? [], lists.project ?? [])] },
    ],
  } as never)
  return new FileAnswer(`设备导入模板_${formatDay(ctx.clock.now())}.xlsx`, xlsx, Buffer.from(body as Uint8Array))
}

const importDevices: HandlerOf<typeof calls.importDevices> = async (_input, ctx) => {
  const file = await ctx.upload()
  const rows = await readSheet(ctx, file.body)
  if (rows.length === 0) throw new AppError('invalidInput', '文件里没有数据行', { field: 'file' })
  const saving = file.fields.mode === 'save'
  if (saving) await requireFewTaken(ctx)
  const known = await findKnown(
    ctx,
    rows.map(({ row }) => row),
    saving,
  )
  const fallback = ctx.projectCode !== '*' ? ctx.projectCode : ctx.group.type === 3 ? ctx.group.code : file.fields.projectCode
  const project = fallback && fallback !== '*' ? oneProject(ctx, fallback) : undefined
  const seen = new Set<string>()
  const read = rows.map(({ line, row }) => ({ line, row, ...readRow(row, known, seen, project) }))
  let saved = 0
  if (saving) {
    // All rows share the cache of settings and people.
    const together: Context = { ...ctx, asked: ctx.asked ?? new Map() }
    for (const one of read) {
      if (!one.device) continue
      await registerDevice(together, one.device, { source: '1', origin: '2' })
      saved++
    }
    ctx.note(`导入设备 ${saved} 台`)
  } else ctx.note('检查导入文件')
  return {
    saved,
    rows: read.map(({ line, row, errors }) => ({ row: line, ok: errors.length === 0, values: row as Record<string, string>, errors })),
  }
}

const exportDevices: HandlerOf<typeof calls.exportDevices> = ({ query }, ctx) => {
  const where = deviceWhere(ctx, query)
  async function* rows() {
    let after = ''
    for (let count = 0; count < 20_000; count += 1_000) {
      const { rows: part } =
        await sql<DeviceListRow>`select ${deviceColumns} from ${deviceTables} where ${where} and d.id > ${after} order by d.id limit 1000`.execute(
          ctx.db,
        )
      for (const r of part) {
        const d = toDevice(r)
        yield [
          d.name,
          d.deviceSn,
          d.familyName,
          d.projectName,
          d.factoryName,
          d.brandName,
          d.modelName,
          d.installPlace,
          d.installDate,
          d.dueDate,
          deviceStatuses[d.status as '0'] ?? d.status,
          d.online ? '在线' : '离线',
        ]
      }
      if (part.length < 1_000) return
      after = part.at(-1)?.id ?? ''
    }
  }
  return collected(rows(), ctx.clock.now())
}

/** Reads all rows inside the request's transaction; they are not available after it ends. */
async function collected(rows: AsyncIterable<readonly unknown[]>, now: number): Promise<FileAnswer> {
  const all: (readonly unknown[])[] = []
  for await (const row of rows) all.push(row)
  return workbook(
    '设备清单',
    ['设备名称', '序列号', '类别', '项目', '厂家', '品牌', '型号', '安装位置', '安装日期', '服务到期', '状态', '在线'],
    all,
    now,
  )
}

const letter = (index: number) => String.fromCharCode(65 + index)
const spread = (a: readonly string[], b: readonly string[]) =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [a[i] ?? '', b[i] ?? ''])
