import { type MachineRow, machineList } from '@zhugong/contract/machines/calls'
import { exportOf } from '../exports/registry.ts'
import { conditions, countRows, readRows, toRow } from './rows.ts'

const iotWords: Readonly<Record<string, string>> = { online: '在线', silent: '离线', none: '无' }

export function registerMachineExport(): void {
  exportOf(
    machineList,
    {
      title: '监督设备',
      widths: { projectName: 28, name: 20, recordNo: 24, useRegNo: 28, ownerCorp: 28, installName: 28, maintainCorp: 28, usable: 40 },
      async *rows(ctx, query): AsyncGenerator<MachineRow> {
        yield* (await readRows(ctx, conditions(ctx, query), query.projectCode, { sort: query.sort })).map(toRow)
      },
      count: (ctx, query) => countRows(ctx, conditions(ctx, query), query.projectCode),
    },
    {
      deviceType: (r) => r.deviceTypeName,
      ageYears: (r) => (r.ageLimit === null ? `${r.ageYears}` : `${r.ageYears} / ${r.ageLimit}`),
      operatorsOk: (r) => (r.operatorsOk === null ? '未登记' : r.operatorsOk ? '有效' : '无效'),
      iotState: (r) => iotWords[r.iotState],
      state: (r) => r.stateName,
      usable: (r) => [r.usable ? '可使用' : '不得使用', ...r.reasons].join('，'),
    },
  )
}
