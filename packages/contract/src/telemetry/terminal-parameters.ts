/** Parameters of JT/T 808 terminals: table 12 of the 2019 edition, a superset of the 2013 one. */
export type ParameterType = 'BYTE' | 'WORD' | 'DWORD' | 'STRING' | 'BYTES'

export interface TerminalParameter {
  id: number
  type: ParameterType
  /** Length in bytes, for `BYTES`. */
  length?: number
  name: string
  unit: string
  min?: number
  max?: number
  /** A password: never displayed or logged. */
  secret?: boolean
}

type More = Partial<Omit<TerminalParameter, 'id' | 'type' | 'name' | 'unit'>>
const rows: readonly (readonly [id: number, type: ParameterType, name: string, unit?: string, more?: More])[] = [
  [0x0001, 'DWORD', '心跳发送间隔', 's'],
  [0x0002, 'DWORD', 'TCP 应答超时', 's'],
  [0x0003, 'DWORD', 'TCP 重传次数', '次'],
  [0x0004, 'DWORD', 'UDP 应答超时', 's'],
  [0x0005, 'DWORD', 'UDP 重传次数', '次'],
  [0x0006, 'DWORD', '短信应答超时', 's'],
  [0x0007, 'DWORD', '短信重传次数', '次'],
  [0x0010, 'STRING', '主服务器 APN'],
  [0x0011, 'STRING', '主服务器拨号用户名'],
  [0x0012, 'STRING', '主服务器拨号密码', '', { secret: true }],
  [0x0013, 'STRING', '主服务器地址'],
  [0x0014, 'STRING', '备份服务器 APN'],
  [0x0015, 'STRING', '备份服务器拨号用户名'],
  [0x0016, 'STRING', '备份服务器拨号密码', '', { secret: true }],
  [0x0017, 'STRING', '备份服务器地址'],
  [0x0018, 'DWORD', '服务器 TCP 端口（2013 版）', '', { max: 65_535 }],
  [0x0019, 'DWORD', '服务器 UDP 端口（2013 版）', '', { max: 65_535 }],
  [0x001a, 'STRING', 'IC 卡认证主服务器地址'],
  [0x001b, 'DWORD', 'IC 卡认证服务器 TCP 端口', '', { max: 65_535 }],
  [0x001c, 'DWORD', 'IC 卡认证服务器 UDP 端口', '', { max: 65_535 }],
  [0x001d, 'STRING', 'IC 卡认证备份服务器地址'],
  [0x0020, 'DWORD', '位置汇报策略（0 定时，1 定距，2 定时和定距）', '', { max: 2 }],
  [0x0021, 'DWORD', '位置汇报方案（0 按 ACC，1 按登录和 ACC）', '', { max: 1 }],
  [0x0022, 'DWORD', '驾驶员未登录汇报间隔', 's'],
  [0x0023, 'STRING', '从服务器 APN'],
  [0x0024, 'STRING', '从服务器拨号用户名'],
  [0x0025, 'STRING', '从服务器拨号密码', '', { secret: true }],
  [0x0026, 'STRING', '从服务器备份地址'],
  [0x0027, 'DWORD', '休眠时汇报间隔', 's'],
  [0x0028, 'DWORD', '紧急报警时汇报间隔', 's'],
  [0x0029, 'DWORD', '缺省汇报间隔', 's'],
  [0x002c, 'DWORD', '缺省距离汇报间隔', 'm'],
  [0x002d, 'DWORD', '驾驶员未登录汇报距离间隔', 'm'],
  [0x002e, 'DWORD', '休眠时汇报距离间隔', 'm'],
  [0x002f, 'DWORD', '紧急报警时汇报距离间隔', 'm'],
  [0x0030, 'DWORD', '拐点补传角度', '°', { max: 179 }],
  [0x0031, 'WORD', '电子围栏半径', 'm'],
  [0x0032, 'BYTES', '违规行驶时段（起止时分，BCD）', '', { length: 4 }],
  [0x0040, 'STRING', '监控平台电话号码'],
  [0x0041, 'STRING', '复位电话号码'],
  [0x0042, 'STRING', '恢复出厂设置电话号码'],
  [0x0043, 'STRING', '监控平台短信号码'],
  [0x0044, 'STRING', '接收文本报警的短信号码'],
  [0x0045, 'DWORD', '电话接听策略（0 自动，1 ACC 开时自动）', '', { max: 1 }],
  [0x0046, 'DWORD', '每次最长通话时间', 's'],
  [0x0047, 'DWORD', '当月最长通话时间', 's'],
  [0x0048, 'STRING', '监听电话号码'],
  [0x0049, 'STRING', '监管平台特权短信号码'],
  [0x0050, 'DWORD', '报警屏蔽字'],
  [0x0051, 'DWORD', '报警发送短信开关'],
  [0x0052, 'DWORD', '报警拍摄开关'],
  [0x0053, 'DWORD', '报警拍摄存储标志'],
  [0x0054, 'DWORD', '关键报警标志'],
  [0x0055, 'DWORD', '最高速度', 'km/h'],
  [0x0056, 'DWORD', '超速持续时间', 's'],
  [0x0057, 'DWORD', '连续驾驶时间门限', 's'],
  [0x0058, 'DWORD', '当天累计驾驶时间门限', 's'],
  [0x0059, 'DWORD', '最小休息时间', 's'],
  [0x005a, 'DWORD', '最长停车时间', 's'],
  [0x005b, 'WORD', '超速预警差值', '0.1 km/h'],
  [0x005c, 'WORD', '疲劳驾驶预警差值', 's'],
  [0x005d, 'WORD', '碰撞报警参数'],
  [0x005e, 'WORD', '侧翻报警角度', '°', { max: 180 }],
  [0x0064, 'DWORD', '定时拍照控制'],
  [0x0065, 'DWORD', '定距拍照控制'],
  [0x0070, 'DWORD', '图像质量（1 最好）', '', { min: 1, max: 10 }],
  [0x0071, 'DWORD', '亮度', '', { max: 255 }],
  [0x0072, 'DWORD', '对比度', '', { max: 127 }],
  [0x0073, 'DWORD', '饱和度', '', { max: 127 }],
  [0x0074, 'DWORD', '色度', '', { max: 255 }],
  [0x0080, 'DWORD', '里程表读数', '0.1 km'],
  [0x0081, 'WORD', '省域 ID'],
  [0x0082, 'WORD', '市县域 ID'],
  [0x0083, 'STRING', '车牌号'],
  [0x0084, 'BYTE', '车牌颜色'],
  [0x0090, 'BYTE', '定位模式（位 0 GPS，1 北斗，2 GLONASS，3 Galileo）'],
  [0x0091, 'BYTE', '定位模块波特率', '', { max: 5 }],
  [0x0092, 'BYTE', '定位数据输出频率', '', { max: 4 }],
  [0x0093, 'DWORD', '定位数据采集间隔', 's'],
  [0x0094, 'BYTE', '定位数据上传方式'],
  [0x0095, 'DWORD', '定位数据上传设置'],
  [0x0100, 'DWORD', 'CAN 通道 1 采集间隔', 'ms'],
  [0x0101, 'WORD', 'CAN 通道 1 上传间隔', 's'],
  [0x0102, 'DWORD', 'CAN 通道 2 采集间隔', 'ms'],
  [0x0103, 'WORD', 'CAN 通道 2 上传间隔', 's'],
  [0x0110, 'BYTES', 'CAN ID 单独采集设置', '', { length: 8 }],
]

export const terminalParameters: readonly TerminalParameter[] = rows.map(([id, type, name, unit = '', more]) => ({
  id,
  type,
  name,
  unit,
  ...more,
}))
const byId = new Map(terminalParameters.map((one) => [one.id, one]))
export const terminalParameter = (id: number): TerminalParameter | undefined => byId.get(id)

/** The platform's own names of the most used parameters. */
const names: Readonly<Record<string, number>> = {
  heartbeatSeconds: 0x0001,
  sleepIntervalSeconds: 0x0027,
  intervalSeconds: 0x0029,
  speedLimit: 0x0055,
}
/** Parameter id from our name, or from hex digits with or without 0x. */
export function parameterId(key: string): number | undefined {
  if (Object.hasOwn(names, key)) return names[key]
  return /^(0x)?(0{4})?[0-9a-f]{4}$/i.test(key) ? Number.parseInt(key.replace(/^0x/i, ''), 16) : undefined
}
export const parameterKey = (id: number): string => id.toString(16).padStart(4, '0')

const widths = { BYTE: 1, WORD: 2, DWORD: 4 } as const
/** Length of a value in bytes; undefined for texts of variable length. */
export const bytesOf = (one: TerminalParameter): number | undefined =>
  one.type === 'STRING' ? undefined : one.type === 'BYTES' ? one.length : widths[one.type]

/** The length field of a value is one byte. */
export const longestParameterText = 255
/** Limit of one message without subpackages. */
export const mostParameters = 50

export interface ParameterValue {
  parameter: TerminalParameter
  value: number | string
}
export interface ParameterError {
  key: string
  text: string
}

/** Validates values to be set: numbers may be given as text; `BYTES` as hex digits. */
export function readParameterValues(given: Readonly<Record<string, unknown>>): { values: ParameterValue[]; errors: ParameterError[] } {
  const values: ParameterValue[] = []
  const errors: ParameterError[] = []
  const entries = Object.entries(given)
  if (entries.length === 0) errors.push({ key: '', text: '请填写要设置的参数' })
  if (entries.length > mostParameters) errors.push({ key: '', text: `一次最多设置 ${mostParameters} 个参数` })
  for (const [key, raw] of entries.slice(0, mostParameters)) {
    const id = parameterId(key)
    const parameter = id === undefined ? undefined : byId.get(id)
    if (!parameter) {
      errors.push({ key, text: `参数 ${key.slice(0, 20)} 不在 JT/T 808 终端参数表中` })
      continue
    }
    const read = readValue(parameter, raw)
    if (typeof read === 'object') errors.push({ key, text: `${parameter.name}（0x${parameterKey(parameter.id)}）${read.error}` })
    else values.push({ parameter, value: read })
  }
  return { values, errors }
}

function readValue(parameter: TerminalParameter, raw: unknown): number | string | { error: string } {
  const width = bytesOf(parameter)
  if (parameter.type === 'STRING') {
    if (typeof raw !== 'string' && typeof raw !== 'number') return { error: '应为文本' }
    const text = String(raw)
    // GBK: two bytes per non-ASCII character.
    const length = [...text].reduce((sum, one) => sum + (one > '\u007f' ? 2 : 1), 0)
    return length <= longestParameterText ? text : { error: `最长 ${longestParameterText} 字节` }
  }
  if (parameter.type === 'BYTES') {
    const isHex = typeof raw === 'string' && /^([0-9a-f]{2})+$/i.test(raw) && raw.length === (width ?? 0) * 2
    return isHex ? raw.toLowerCase() : { error: `应为 ${width} 字节的十六进制` }
  }
  const n = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw
  const least = parameter.min ?? 0
  const most = parameter.max ?? 2 ** ((width ?? 4) * 8) - 1
  return typeof n === 'number' && Number.isInteger(n) && n >= least && n <= most ? n : { error: `应为 ${least}～${most} 的整数` }
}

/** A parameter for display: name, value and unit. */
export interface NamedParameter {
  id: string
  name: string
  value: number | string
  unit: string
}
export function namedParameters(values: Readonly<Record<string, number | string>>): NamedParameter[] {
  return Object.entries(values).map(([id, value]) => {
    const known = byId.get(Number.parseInt(id, 16))
    return { id, name: known?.name ?? `未知参数 0x${id}`, value, unit: known?.unit ?? '' }
  })
}
