import { deviceFilters, deviceStatuses } from '@zhugong/contract/equipment/endpoints'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import { registerExport } from '../exports/registry.ts'
import { type DeviceListRow, deviceColumns, deviceTables, deviceWhere, toDevice } from './device-view.ts'

const pageRows = 1_000

/** 设备清单: the device list with its own filters. */
export function registerDeviceExport(): void {
  registerExport({
    feature: 'device',
    title: '设备清单',
    needs: 'device-admin.view',
    query: deviceFilters,
    columns: [
      { key: 'name', title: '设备名称', value: (r: DeviceListRow) => r.name },
      { key: 'deviceSn', title: '序列号', value: (r) => r.deviceSn },
      { key: 'familyName', title: '类别', value: (r) => toDevice(r, false).familyName },
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
