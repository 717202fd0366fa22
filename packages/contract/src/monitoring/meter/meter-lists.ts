import { z } from 'zod'
import { viewOf } from '../../kit/endpoint.ts'
import { paged } from '../../kit/fields.ts'
import { listOf, sortBy } from '../../kit/list.ts'
import { periodQuery } from '../../telemetry/model.ts'
import { electricRecords, meterReading, meterReadingFilters, settlement, settlementFilters } from './meters.ts'

/** Readings and consumption of one meter. */
export const findMeterReadings = viewOf(electricRecords, {
  query: periodQuery.extend({ ...meterReadingFilters, sort: sortBy('time') }),
  response: paged(meterReading),
})
export const meterReadingList = listOf(findMeterReadings, {
  feature: 'meterReading',
  columns: {
    deviceName: '表计',
    time: '时间',
    reading: '读数',
    usage: '用量',
    estimated: '估算',
    rollback: '换表、翻转',
    entered: '人工登记',
    activePower: '有功功率（kW）',
    voltageA: 'A 相电压（V）',
    voltageB: 'B 相电压（V）',
    voltageC: 'C 相电压（V）',
    currentA: 'A 相电流（A）',
    currentB: 'B 相电流（A）',
    currentC: 'C 相电流（A）',
    powerFactor: '功率因数',
    residualCurrent: '漏电流（mA）',
    cableTemperature: '线缆温度（℃）',
    flowRate: '流量（m³/h）',
    pressure: '管压（MPa）',
  },
})

/** Monthly consumption per unit. */
export const findSettlements = viewOf(electricRecords, {
  query: periodQuery.extend({
    ...settlementFilters,
    groupBy: z.literal('meter,month'),
    sort: sortBy('usage', 'quotaPercent', 'month'),
  }),
  response: paged(settlement),
})
export const settlementList = listOf(findSettlements, {
  feature: 'meterSettlement',
  columns: {
    projectName: '项目',
    area: '用途',
    corpName: '使用单位',
    deviceName: '表计',
    month: '月份',
    startReading: '起表底',
    endReading: '止表底',
    ratio: '倍率',
    usage: '用量',
    quota: '定额',
    quotaPercent: '定额占比（%）',
    rollbacks: '换表、翻转',
    manualReads: '人工抄表',
    amount: '金额（元）',
    locked: '月结',
  },
})
