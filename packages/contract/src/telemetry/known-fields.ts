import type { Field } from './field.ts'

/**
 * Fields of readings and records beyond a family's metrics: those decoders write themselves, and those of records the catalogue describes in prose.
 */
const number = (key: string, label: string, unit = ''): Field => ({ key, label, unit, type: 'number' })
const string = (key: string, label: string): Field => ({ key, label, unit: '', type: 'string' })
const instant = (key: string, label: string): Field => ({ key, label, unit: '', type: 'datetime' })
const flag = (key: string, label: string): Field => ({ key, label, unit: '', type: 'boolean' })

/** JT/T 808-2019, tables 23 to 27: bit fields and additional items of a position. */
export const decoderFields: readonly Field[] = [
  string('alarmBits', '终端报警字'),
  string('statusBits', '终端状态字'),
  flag('positioned', '已定位'),
  flag('accOn', 'ACC 开'),
  string('loadState', '载重状态'),
  flag('emergency', '紧急报警'),
  flag('powerCut', '主电源掉电'),
  number('longitude', '经度', '°'),
  number('latitude', '纬度', '°'),
  number('altitude', '高程', 'm'),
  number('speed', '速度', 'km/h'),
  number('direction', '方向', '°'),
  number('mileage', '里程', 'km'),
  number('fuel', '油量', 'L'),
  number('recorderSpeed', '行驶记录速度', 'km/h'),
  number('alarmEventId', '人工确认报警事件'),
  number('vehicleSignals', '车辆信号状态位'),
  number('signal', '无线信号强度'),
  number('satellites', '定位卫星数'),
]

/** Additional items of a position without a known meaning, kept as hexadecimal. */
const unnamedItem = /^item([0-9A-F]{2})$/

/** A field written by a decoder; undefined for a key only the device knows. */
export function decoderField(key: string): Field | undefined {
  const known = decoderFields.find((field) => field.key === key)
  const [, id] = unnamedItem.exec(key) ?? []
  return known ?? (id ? string(key, `附加信息 0x${id}`) : undefined)
}

/** Fields the product adds to any record. */
export const commonRecordFields: readonly Field[] = [
  string('detectedBy', '识别方'),
  string('cycleNo', '循环编号'),
  string('eventId', '事件编号'),
  instant('time', '时间'),
]

const span = [instant('startTime', '开始时间'), instant('endTime', '结束时间')]
const place = [number('longitude', '经度', '°'), number('latitude', '纬度', '°')]
const track = [
  instant('time', '时间'),
  ...place,
  number('speed', '速度', 'km/h'),
  number('direction', '方向', '°'),
  number('battery', '电量', '%'),
]

/** Fields of records the catalogue describes in prose, by family and record. */
export const proseRecordFields: Readonly<Record<string, readonly Field[]>> = {
  'environment/realtime': [string('dataFlag', '数据标记')],
  'environment/period': [
    instant('dataTime', '周期开始'),
    string('period', '周期'),
    string('values', '各指标的最小、平均、最大值'),
    string('source', '来源'),
  ],
  'electricMeter/dailyUsage': [
    string('date', '日期'),
    number('startReading', '起始读数', 'kWh'),
    number('endReading', '结束读数', 'kWh'),
    number('usage', '用电量', 'kWh'),
    number('peak', '峰', 'kWh'),
    number('flat', '平', 'kWh'),
    number('valley', '谷', 'kWh'),
  ],
  'smartHelmet/track': track,
  'smartHelmet/snapshot': [instant('time', '时间'), string('url', '照片'), ...place],
  'smartHelmet/video': [...span, string('url', '录像'), number('size', '大小', 'B')],
  'smartHelmet/call': [...span, string('peer', '对方'), string('result', '结果')],
  'baseStationHelmet/stay': [
    string('workerId', '人员'),
    string('area', '区域'),
    instant('enterTime', '进入时间'),
    instant('leaveTime', '离开时间'),
    number('durationSeconds', '停留时长', 's'),
  ],
  'truckMonitor/track': track,
  'truckMonitor/trip': [
    ...span,
    string('startPlace', '起点'),
    string('endPlace', '终点'),
    number('distanceKm', '里程', 'km'),
    number('maxSpeed', '最高速度', 'km/h'),
    number('stops', '停车次数'),
  ],
  'truckMonitor/videoClip': [string('channel', '通道'), ...span, number('size', '大小', 'B'), string('alarm', '报警')],
}
