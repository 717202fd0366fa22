import { byProtocol } from '../protocols/catalogue.ts'

/** States of equipment records and their texts, shared by server and web. */
export const factoryRoles = { maker: '制造', sale: '销售', rent: '租赁', install: '安装', maintain: '维保' } as const
export type FactoryRole = keyof typeof factoryRoles
/** Roles of a provider, as opposed to a manufacturer. */
export const providerRoles = ['sale', 'rent', 'install', 'maintain'] as const

export const dockStates = { '0': '未测', '1': '进行中', '2': '通过', '3': '失效' } as const

const { poll: _polled, ...connecting } = byProtocol(({ name }) => name)
/** Protocols that a model may speak; polled meters by the protocol of the meter. */
export const protocolNames = {
  ...connecting,
  modbus: 'Modbus',
  dlt645: 'DL/T 645',
  cjt188: 'CJ/T 188',
} as const

/** How a device's data is received, by the protocol of its connection. */
export const accessProtocols = byProtocol(({ accessName }) => accessName)

export const registerTypes = {
  u16: 'U16',
  i16: 'I16',
  u32abcd: 'U32 ABCD',
  u32cdab: 'U32 CDAB',
  f32: 'F32',
  dlt645: 'DL/T 645 数据标识',
  cjt188: 'CJ/T 188 数据标识',
} as const

export const deviceOrigins = { '1': '手工', '2': '导入', '3': '认领', '4': '开放接口' } as const

export const dueKinds = {
  service: '服务费',
  sim: '流量卡',
  calibration: '检定校准',
  fallArrester: '防坠器标定',
  inspection: '检验',
  lifetime: '使用年限',
} as const
/** Legally required: if overdue, they can be dismissed only with a document that proves the renewal. */
export const dueKindsWithPaper: readonly string[] = ['calibration', 'fallArrester', 'inspection']
export const noticeStates = { '0': '未通知', '1': '已通知', '2': '已处理' } as const

export const dockingTypes = { '2': 'HTTP 推送', '3': 'HTTP 拉取' } as const
export const dockingAuths = { none: '不鉴权', header: '请求头密钥', query: '地址参数密钥', signature: 'HMAC 签名' } as const
export const runResults = { running: '进行中', ok: '成功', partial: '部分接收', failed: '失败' } as const
export const matchStates = { '1': '已匹配', '2': '型号未匹配', '3': '项目未匹配', '4': '已消失' } as const

export const faceStates = { '0': '待下发', '1': '已下发', '2': '设备拒绝', '3': '待移除' } as const

/** The codes above and those of machines, by name. */
export const deviceStatus = { waiting: '0', inUse: '1', refused: '2', off: '3' } as const
export const dockState = { untested: '0', running: '1', passed: '2', broken: '3' } as const
export const noticeState = { untold: '0', told: '1', done: '2' } as const
export const dockingType = { push: '2', pull: '3' } as const
export const matchState = { matched: '1', noModel: '2', noProject: '3', gone: '4' } as const
