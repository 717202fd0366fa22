import { z } from 'zod'
import { protocol } from './protocol.ts'

/** Longest data segment in bytes: by the standard, and for stations with many factors. */
export const segmentLimits = { standard: 1024, most: 4096 } as const

export const maxLength = z
  .number({ error: '最大长度应为整数' })
  .int('最大长度应为整数')
  .min(segmentLimits.standard, `最大长度至少 ${segmentLimits.standard} 字节`)
  .max(segmentLimits.most, `最大长度最多 ${segmentLimits.most} 字节`)

/** HJ 212-2017, 6.3.2: the password field PW holds at most 9 characters. */
const longestPassword = 9

/**
 * Checksums met in the field. Stations swap the two bytes, use the ordinary Modbus CRC, or CRC-16/IBM (ARC: polynomial 8005, initial value
 * 0). The administrator sets one per station; the platform never tries several silently.
 */
export const crcModes = {
  standard: '标准 CRC16（HJ 212）',
  standardSwapped: '标准 CRC16，低字节在前',
  modbus: 'Modbus CRC16',
  modbusSwapped: 'Modbus CRC16，低字节在前',
  ibm: 'CRC16-IBM（初值 0）',
} as const
export type CrcMode = keyof typeof crcModes
export const crcModeKeys = Object.keys(crcModes) as [CrcMode, ...CrcMode[]]
export const crcModeField = z.enum(crcModeKeys, { error: '校验方式不支持' })

const access = z.object({
  protocol: z.literal('hj212'),
  mn: z.string().regex(/^\w{5,40}$/, 'MN 应为 5～40 位字母、数字或下划线'),
  password: z
    .string()
    .min(6, '密码至少 6 位')
    .max(longestPassword, `密码最多 ${longestPassword} 位（HJ 212-2017 的 PW 字段）`)
    .regex(/^[\x21-\x3a\x3c-\x7e]+$/, '密码不能含空格、分号或中文')
    .optional(),
  units: z.record(z.string(), z.enum(['ug', 'mg'], { error: '单位应为 ug 或 mg' })).optional(),
  crcMode: crcModeField.default('standard'),
  maxLength: maxLength.optional(),
})

/** Dust and noise stations, HJ 212. */
export const hj212 = protocol(access)({
  name: 'HJ 212',
  accessName: 'HJ 212',
  access,
  keyOf: ({ mn }) => mn,
  // Codes and their date are set on the station's page and are kept.
  stored: ({ mn, units, crcMode, maxLength: length }, before) => ({
    mn,
    units: units || undefined,
    crcMode: crcMode ?? 'standard',
    maxLength: (length ?? before?.maxLength) || undefined,
    codes: before?.codes || undefined,
    codesSince: before?.codesSince || undefined,
  }),
  adopted: (deviceSn) => ({ mn: deviceSn }),
  usualPort: 8212,
  passwordLength: longestPassword,
  hasSecret: true,
  usualOf: ['environment'],
  sheetColumn: 'mn',
  triable: true,
  connType: '6',
  params: { unitTsp: ['units', 'tsp'] },
  commands: {
    'hj212.getTime': '读取现场机时间',
    'hj212.setInterval': '设置实时数据间隔',
    'hj212.getInterval': '读取实时数据间隔',
    'hj212.setMinuteInterval': '设置分钟数据间隔',
    'hj212.getMinuteInterval': '读取分钟数据间隔',
    'hj212.setTimeouts': '设置超时与重发',
    'hj212.setPassword': '更换现场机密码',
    'hj212.start': '开始实时数据',
    'hj212.stop': '停止实时数据',
    'hj212.history': '补采历史数据',
    'hj212.control': '现场机控制',
  },
  hints: {
    time: 'DataTime 缺失或不是有效时间，没有保存：应为 yyyyMMddHHmmss，如 20261121083000',
    type: '有值不是数字，没有保存：因子应写作“编码-Rtd=数字”，如 a34002-Rtd=92',
    structure: '数据段的格式不对：核对字段与分号、逗号，以及协议版本',
    crc: '校验不符：核对设备的校验方式（报文日志里写明与哪一种相符）',
    empty: '报文里没有平台认识的因子：核对编码，或在环境网关的“因子对应”中填写',
    tooLarge: '报文超过长度上限，没有保存：减少一帧里的因子，或在设备“接入”中放宽帧长上限（最多 4096 字节）',
  },
})
/** The protocol of the stations that have pages of their own (环境网关). */
export const stationProtocol = 'hj212'
