import { dueKinds, noticeStates } from '@zhugong/contract/equipment/codes'
import { deviceFilters, deviceStatuses } from '@zhugong/contract/equipment/endpoints'
import { brandFilters, type Quality } from '@zhugong/contract/equipment/library-endpoints'
import { type DueRow, dueFilters } from '@zhugong/contract/equipment/service-endpoints'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { registerExport } from '../exports/registry.ts'
import { brandWhere } from './brands.ts'
import { type DeviceListRow, deviceColumns, deviceTables, deviceWhere, toDevice } from './device-view.ts'
import { countDues, findDuesAfter } from './dues.ts'
import { findQuality } from './quality.ts'

const pageRows = 1_000

/** 设备清单: the device list with its own filters. */
export function registerDeviceExport(): void {
  registerBrandExport()
  registerDueExport()
  registerExport({
    feature: 'device',
    title: '设备清单',
    query: deviceFilters,
    columns: [
      { key: 'name', title: '设备名称', value: (r: DeviceListRow) => r.name },
      { key: 'deviceSn', title: '序列号', value: (r) => r.deviceSn },
      { key: 'familyName', title: '类别', value: (r) => toDevice(r).familyName },
      { key: 'projectName', title: '项目', width: 30, value: (r) => r.projectName },
      { key: 'modelName', title: '型号', value: (r) => r.modelName },
      { key: 'factoryName', title: '厂家', value: (r) => r.factoryName },
      { key: 'protocol', title: '接入协议', value: (r) => r.protocol },
      { key: 'gatewayName', title: '网关', value: (r) => r.gatewayName },
      { key: 'installPlace', title: '安装位置', value: (r) => r.installPlace },
      { key: 'status', title: '状态', value: (r) => deviceStatuses[r.status as keyof typeof deviceStatuses] ?? r.status },
      { key: 'online', title: '在线', value: (r) => (r.online ? '在线' : '离线') },
      { key: 'lastTime', title: '最后数据', value: (r) => (r.ts ? formatInstant(r.ts) : null) },
      { key: 'dueDate', title: '服务到期', value: (r) => r.dueDate },
      { key: 'brandName', title: '品牌', value: (r) => r.brandName },
      { key: 'providerName', title: '供应商', value: (r) => r.providerName },
      { key: 'specialRecordNo', title: '产权备案编号', value: (r) => r.specialRecordNo },
      { key: 'ageYears', title: '使用年限', value: (r) => r.ageYears },
      { key: 'complete', title: '完整度', value: (r) => toDevice(r).complete },
    ],
    async *rows(ctx, query) {
      const where = deviceWhere(ctx, query)
      let after = ''
      for (;;) {
        const { rows } =
          await sql<DeviceListRow>`select ${deviceColumns} from ${deviceTables} where ${where} and d.id > ${after} order by d.id limit ${pageRows}`.execute(
            ctx.db,
          )
        yield* rows
        if (rows.length < pageRows) return
        after = rows.at(-1)?.id ?? ''
      }
    },
    async count(ctx, query) {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${deviceTables} where ${deviceWhere(ctx, query)}`.execute(
        ctx.db,
      )
      return rows[0]?.n ?? 0
    },
  })
}

interface BrandLine {
  id: string
  name: string
  alias: string[]
  factoryName: string
  families: string[]
  devices: number
  quality: Quality | undefined
}

/** 设备品牌: the list with its figures. A few hundred at most. */
function registerBrandExport(): void {
  const from = sql`brand b join factory f on f.id = b.factory_id`
  const percent = (n: number | null | undefined) => (n === null || n === undefined ? null : `${n}%`)
  registerExport({
    feature: 'equipmentBrand',
    title: '设备品牌',
    query: brandFilters,
    columns: [
      { key: 'name', title: '品牌', value: (r: BrandLine) => r.name },
      { key: 'alias', title: '别名', value: (r) => r.alias.join('、') },
      { key: 'factoryName', title: '厂商', width: 28, value: (r) => r.factoryName },
      { key: 'families', title: '设备类别', width: 28, value: (r) => r.families.map((key) => familyOf(key)?.name ?? key).join('、') },
      { key: 'devices', title: '设备', value: (r) => r.devices },
      { key: 'online', title: '在线率', value: (r) => percent(r.quality?.onlinePercent) },
      { key: 'valid', title: '数据有效率', value: (r) => percent(r.quality?.validPercent) },
      { key: 'fault', title: '百台月故障', value: (r) => r.quality?.faultPer100 },
      { key: 'false', title: '误报率', value: (r) => percent(r.quality?.falsePercent) },
      { key: 'sites', title: '项目数', value: (r) => r.quality?.sites },
    ],
    async *rows(ctx, query) {
      const where = brandWhere(query)
      const { rows } = await sql<Omit<BrandLine, 'quality'>>`select b.id, b.name, b.alias, f.name as factory_name, b.families,
        (select count(*)::int from device d where d.brand_id = b.id) as devices from ${from} where ${where} order by b.name, b.id limit 5000`.execute(
        ctx.db,
      )
      const quality = await findQuality(
        ctx.db,
        'brand_id',
        rows.map((r) => r.id),
        ctx.clock.now(),
      )
      for (const row of rows) yield { ...row, quality: quality.get(row.id) }
    },
    async count(ctx, query) {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${from} where ${brandWhere(query)}`.execute(ctx.db)
      return rows[0]?.n ?? 0
    },
  })
}

const dueKindName = (kind: string) => dueKinds[kind as keyof typeof dueKinds] ?? kind

/** 设备到期: what runs out, with the filters of the page. */
function registerDueExport(): void {
  registerExport({
    feature: 'deviceDue',
    title: '设备到期',
    query: dueFilters,
    columns: [
      { key: 'kind', title: '到期类型', value: (r: DueRow) => dueKindName(r.kind) },
      { key: 'deviceName', title: '设备', value: (r) => r.deviceName },
      { key: 'projectName', title: '项目', width: 30, value: (r) => r.projectName },
      { key: 'dueDate', title: '到期日', value: (r) => r.dueDate },
      { key: 'daysLeft', title: '剩余天数', value: (r) => r.daysLeft },
      { key: 'owner', title: '责任人', value: (r) => r.owner },
      { key: 'noticeState', title: '通知', value: (r) => noticeStates[r.noticeState as keyof typeof noticeStates] ?? r.noticeState },
      { key: 'providerName', title: '供应商', width: 24, value: (r) => r.providerName },
    ],
    async *rows(ctx, query) {
      let after = ''
      for (;;) {
        const rows = await findDuesAfter(ctx, query, after, pageRows)
        yield* rows
        if (rows.length < pageRows) return
        after = rows.at(-1)?.id ?? ''
      }
    },
    count: countDues,
  })
}
