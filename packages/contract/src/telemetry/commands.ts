import { protocolCommands, protocolOf } from '../protocols/catalogue.ts'

/** Commands of the platform to devices, by name. Which of them a device takes depends on how it comes in. */
export const deviceCommands = {
  'device.reboot': '重启',
  'device.setInterval': '设置上报间隔',
  'device.setParams': '设置参数',
  'device.getParams': '查询参数',
  'device.getAttributes': '查询属性',
  'device.syncTime': '校时',
  'device.locate': '点名定位',
  'device.follow': '临时跟踪',
  'device.text': '下发文字',
  'spray.start': '启动喷淋',
  'spray.stop': '停止喷淋',
  'lift.lock': '升降机锁机',
  'crane.warn': '驾驶室喊话',
  'gate.open': '开闸',
  'gate.personUpsert': '下发人员',
  'gate.personRemove': '移除人员',
  'camera.snapshot': '抓拍',
  'helmet.call': '呼叫安全帽',
  'helmet.text': '安全帽文字',
  'meter.valve': '阀门控制',
  'video.live': '实时视频',
  'video.liveControl': '实时视频控制',
  'video.playback': '历史视频回放',
  'video.playbackControl': '回放控制',
  'video.list': '查询历史视频',
  ...protocolCommands,
} as const
export type DeviceCommand = keyof typeof deviceCommands
export const deviceCommandNames = Object.keys(deviceCommands) as [DeviceCommand, ...DeviceCommand[]]

/**
 * Commands that people working with a machine may send with a permission code of their own, by family; other families do not accept them. All other
 * commands need `device-admin.command`.
 */
export const commandCodes: Readonly<Partial<Record<DeviceCommand, Readonly<Record<string, string>>>>> = {
  'crane.warn': { towerCrane: 'tower-crane.warn', lifter: 'lifter.warn' },
  'helmet.call': { smartHelmet: 'helmet.call' },
  'helmet.text': { smartHelmet: 'helmet.call' },
  'camera.snapshot': { smartHelmet: 'helmet.call' },
  'gate.open': { truckAccess: 'vehicle-access.gate' },
  'meter.valve': { waterMeter: 'meters.valve' },
  'device.text': { truckMonitor: 'vehicle.talk' },
  'device.locate': { truckMonitor: 'vehicle.talk' },
}
/** The main valve of a fire line must be closed by hand at the valve, never remotely. */
export const isFireLine = (name: string, place: string | null): boolean => /消防/.test(`${name}${place ?? ''}`)
/** Longest spoken warning: the driver hears it while lifting. */
export const warnTextMax = 30

/** Idempotent commands: repeated when no reply comes. */
export const repeatableCommands: ReadonlySet<string> = new Set([
  'spray.stop',
  'device.syncTime',
  'device.setInterval',
  'device.setParams',
  'camera.snapshot',
  'gate.personUpsert',
  'gate.personRemove',
  'meter.valve',
])

/** Command results: 0 done, 1 and above refused by the device. */
export const commandResults = { done: 0, unreachable: -1, noReply: -2, pending: -3, expired: -4 } as const

/** Results of processing a frame and their labels. */
export const frameResults: Readonly<Record<string, string>> = {
  stored: '已存储',
  duplicate: '重复',
  late: '补传',
  clockAhead: '时钟超前',
  outOfRange: '超出量程',
  unknownKey: '含未知字段',
  flagged: '带质量标记',
  accepted: '已接受',
  part: '分包',
  sent: '已下发',
  ignored: '已忽略',
  unregistered: '未登记',
  taken: '登记冲突',
  unknownGateway: '网关不存在',
  notBound: '未绑定网关',
  notInService: '未启用',
  notAuthenticated: '未鉴权',
  wrongPassword: '密码错误',
  wrongClientId: '客户端标识错误',
  expired: '时间戳过期',
  switchedOff: '网关已停用',
  registeredBefore: '已注册',
  registrationClosed: '注册未开放',
  otherPlate: '车牌不符',
  otherTerminal: '终端不符',
  tooManyTries: '错误次数过多',
  encryptedNoKey: '加密无密钥',
  encrypted: '不支持的加密',
  unsupported: '不支持的消息',
  crc: '校验错',
  check: '校验错',
  length: '长度错',
  tail: '帧尾错',
  structure: '结构错',
  escape: '转义错',
  timeout: '超时',
  format: '格式错',
  json: '格式错',
  version: '版本错',
  tooManyItems: '条数过多',
  type: '类型错',
  time: '时间错',
  position: '位置错',
  tooOld: '时间过旧',
  empty: '无数据',
  topic: '主题不允许',
  kind: '未知类型',
  tooLarge: '内容过大',
  incomplete: '分包不全',
  exception: '设备拒绝',
  noAnswer: '没有应答',
  unit: '单位未知',
  key: '字段未知',
  signature: '签名错',
  clock: '时间戳超差',
  nonce: '随机数重复',
  disabled: '应用停用',
  forbidden: '无权访问',
  rate: '过于频繁',
  unknownRecord: '未知记录',
  unknownDevice: '未登记',
  extraTooLarge: '附加内容过大',
  oneRejected: '部分未存',
}

/** Advice for a frame that was not accepted, if the frame itself carries no hint. */
export const frameHints: Readonly<Record<string, string>> = {
  late: '数据晚到 10 分钟以上：进入曲线和统计，不触发告警；若不是补传，请给设备校时',
  clockAhead: '设备时钟比平台快 5 分钟以上：数据保存但不判断告警，请校时，并核对时区是否为东八区',
  tooOld: '设备时间早于 30 天，没有保存：多为设备时钟复位（电池没电），请校时后重发',
  time: '时间缺失或不是有效日期，没有保存：请核对时间格式',
  unregistered: '标识没有登记：在“未登记设备”中认领，或核对设备里的 MN、序列号、手机号',
  unknownGateway: '用户名不是任何网关的标识：在网关页“怎么接入”中复制用户名',
  notBound: '设备没有绑定到发来消息的网关：在网关详情的“下挂设备”中绑定',
  notInService: '设备待审核或已停用：审核通过、启用后才接收数据',
  outOfRange: '有值超出量程：已保存并标为超量程，不参与告警和统计',
  flagged: '有值带质量标记：已保存，不参与告警和统计',
  unknownKey: '有型号里没有的字段：作为附加数据保存，不参与告警和曲线，请核对字段名',
  wrongClientId: '客户端标识（client id）应为 gw:{网关编号}',
  expired: '密码里的时间戳与平台相差超过 5 分钟：请给网关校时，时间戳用毫秒',
  switchedOff: '网关已停用：在网关页启用后才能连接',
  wrongPassword: '密码或鉴权码不符：核对设备里的密码，或在“接入”中更换后重新写入',
  notAuthenticated: '终端没有先鉴权（0x0102）就发消息：请检查终端的上线流程',
  registeredBefore: '终端已注册过：若终端丢了鉴权码，在“接入”中开放注册，再让终端重新上线；若不是本单位的终端，可能有人冒用',
  registrationClosed: '终端在注册开放时间之外注册：在“接入”中开放注册，再让终端重新上线；若不是本单位的终端，可能有人冒用',
  otherPlate: '终端上报的车牌与档案不符：核对终端里的车牌，或修改设备档案',
  otherTerminal: '终端 ID 与档案或已绑定的终端不符：若是换装终端，在“接入”中按“更换终端”开放注册',
  tooManyTries: '密码或鉴权码连续错误，平台暂停核对（最长 5 分钟）：先核对设备里的密码；若不是本单位的设备，可能有人在猜密码',
  encryptedNoKey: '数据区已加密，平台没有密钥或密钥不符：在环境网关中填写 SM4 密钥',
  encrypted: '平台不支持 RSA 加密的消息：请在终端上关闭加密',
  unsupported: '平台不处理这种消息，已按“不支持”应答，可忽略',
  json: '内容不是有效的 JSON：核对引号、逗号与编码（UTF-8）',
  version: '消息版本应为 1（"v":1）',
  tooManyItems: '一次最多 500 条，请分批发送',
  topic: '只能发布到自己网关编号下的主题：site/v1/up/{网关编号}/{设备序列号}/…',
  kind: '主题末段应为 telemetry、event、record、state 或 reply',
  type: '数值类型不符，没有保存：请核对数值的写法',
  empty: '报文里没有平台认识的数据：核对指标名称或在“型号匹配”中对应',
  position: '经纬度超出范围：核对单位（百万分之一度）与南纬、西经标志',
  ignored: '平台不处理这个命令，未应答，可忽略',
  noAnswer: '设备没有应答：核对地址（从站号、表号）、波特率、接线与网关的透传设置',
  unit: '表计的计量单位不在标准之内，数值没有保存：请核对表计设置',
  key: '部分字段没有保存，见“解析”中的 rejected',
  oneRejected: '部分字段没有保存，见“解析”中的 rejected',
  rate: '发送过于频繁，请按应答中的 Retry-After 降速',
}

/** What to do about a frame, in the words of its protocol. */
export const frameHint = (protocol: string, result: string): string | undefined => protocolOf(protocol)?.hints[result] ?? frameHints[result]
