import { accessProtocols, dueKinds, noticeStates } from '@zhugong/contract/equipment/codes'
import { deviceList, deviceStatuses } from '@zhugong/contract/equipment/endpoints'
import { brandList } from '@zhugong/contract/equipment/library-endpoints'
import type { Quality } from '@zhugong/contract/equipment/quality'
import { dueList } from '@zhugong/contract/equipment/service-endpoints'
import { isOn } from '@zhugong/contract/kit/enable'
import { areaName } from '@zhugong/contract/settings/dictionaries'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { exportOf } from '../exports/registry.ts'
import { brandWhere } from './brands.ts'
import { findHealth, type Health } from './device-health.ts'
import { type DeviceListRow, deviceColumns, deviceTables, deviceWhere, onlineShare, toDevice } from './device-view.ts'
import { countDues, findDuesAfter } from './dues.ts'
import { soundFrameResults } from './frame-words.ts'
import { findQuality } from './quality.ts'

const pageRows = 1_000

export function registerEquipmentExports(): void {
  registerDeviceExport()
  registerBrandExport()
  registerDueExport()
}

type DeviceLine = DeviceListRow & { onlineShare: number | null; health: Health | undefined }

const percent = (n: number | null | undefined) => (n === null || n === undefined ? null : `${n}%`)
const seconds = (n: number | null | undefined) => (n === null || n === undefined ? null : `${n} 秒`)

/** Export 设备清单, for one site, all sites, or the connection page. Health columns are read only for that page (`with=health`). */
function registerDeviceExport(): void {
  exportOf(
    deviceList,
    {
      title: '设备清单',
      widths: { projectName: 30 },
      async *rows(ctx, query) {
        const now = ctx.clock.now()
        const where = deviceWhere(ctx, query, soundFrameResults)
        const healthy = query.with?.includes('health') ?? false
        let after = ''
        for (;;) {
          const { rows } = await sql<Omit<DeviceLine, 'health'>>`
            select ${deviceColumns}, ${onlineShare(now)} as online_share from ${deviceTables} where ${where} and d.id > ${after} order by d.id limit ${pageRows}`.execute(
            ctx.db,
          )
          const health = healthy
            ? await findHealth(
                ctx,
                rows.map((r) => r.id),
              )
            : undefined
          for (const row of rows) yield { ...row, health: health?.get(row.id) }
          if (rows.length < pageRows) return
          after = rows.at(-1)?.id ?? ''
        }
      },
      async count(ctx, query) {
        const where = deviceWhere(ctx, query, soundFrameResults)
        const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${deviceTables} where ${where}`.execute(ctx.db)
        return rows[0]?.n ?? 0
      },
    },
    {
      family: (r) => familyOf(r.family)?.name ?? r.family,
      areaCode: (r) => areaName(r.areaCode),
      protocol: (r) => accessProtocols[r.protocol as keyof typeof accessProtocols] ?? r.protocol,
      status: (r) => deviceStatuses[r.status as keyof typeof deviceStatuses] ?? r.status,
      online: (r) => (r.online ? '在线' : '离线'),
      onlinePercent30d: (r) => percent(r.onlineShare),
      lastTime: (r) => (r.ts ? formatInstant(r.ts) : null),
      openLevel: (r) => (r.openLevel === null ? null : `${r.openLevel} 级`),
      complete: (r) => percent(toDevice(r).complete),
      delay: (r) => seconds(r.health?.delaySeconds),
      rate: (r) => (r.health ? `${r.health.ratePerMin} / ${r.health.expectedPerMin}` : null),
      badFrames24h: (r) => r.health?.badFrames24h,
      clockSkew: (r) => seconds(r.health?.clockSkewSeconds),
      quality: (r) => r.health?.doubtful.map((key) => familyOf(r.family)?.metric(key)?.label ?? key).join('、') || null,
    },
  )
}

interface BrandLine {
  id: string
  name: string
  alias: string[]
  factoryName: string
  families: string[]
  models: number
  devices: number
  enable: string
  updateTime: Date
  quality: Quality | undefined
}

/** Export 设备品牌: the list with its figures, a few hundred rows at most. */
function registerBrandExport(): void {
  const from = sql`brand b join factory f on f.id = b.factory_id`
  exportOf(
    brandList,
    {
      title: '设备品牌',
      widths: { factoryName: 28, families: 28 },
      async *rows(ctx, query) {
        const { rows } = await sql<Omit<BrandLine, 'quality'>>`
          select b.id, b.name, b.alias, f.name as factory_name, b.families, b.enable, b.update_time,
            (select count(distinct m.root_id)::int from model m where m.brand_id = b.id) as models,
            (select count(*)::int from device d where d.brand_id = b.id) as devices
          from ${from} where ${brandWhere(query)} order by b.name, b.id limit 5000`.execute(ctx.db)
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
    },
    {
      alias: (r) => r.alias.join('、'),
      families: (r) => r.families.map((key) => familyOf(key)?.name ?? key).join('、'),
      online: (r) => percent(r.quality?.onlinePercent),
      valid: (r) => percent(r.quality?.validPercent),
      fault: (r) => r.quality?.faultPer100,
      false: (r) => percent(r.quality?.falsePercent),
      sites: (r) => r.quality?.sites,
      enable: (r) => (isOn(r.enable) ? '已启用' : '已停用'),
      updateTime: (r) => formatInstant(r.updateTime),
    },
  )
}

/** Export 设备到期 with the filters of the page. */
function registerDueExport(): void {
  exportOf(
    dueList,
    {
      title: '设备到期',
      widths: { projectName: 30, providerName: 24 },
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
    },
    {
      kind: (r) => dueKinds[r.kind as keyof typeof dueKinds] ?? r.kind,
      noticeState: (r) => noticeStates[r.noticeState as keyof typeof noticeStates] ?? r.noticeState,
    },
  )
}
