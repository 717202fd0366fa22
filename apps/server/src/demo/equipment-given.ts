import { createHash } from 'node:crypto'

/** The same words give the same id on every installation. */
export const idOf = (...words: (string | number)[]) =>
  createHash('md5')
    .update(['equipment', ...words].join('/'))
    .digest('hex')

interface Maker {
  name: string
  families: string[]
  contact: string
  hours: string
  dock: '0' | '1' | '2' | '3'
  brands: { name: string; alias: string[]; families: string[]; online: number; valid: number }[]
}

/** Manufacturers of the city, including one with a lapsed docking and brands entered twice. */
export const makers: readonly Maker[] = [
  {
    name: '衡安安全监控技术公司',
    families: ['towerCrane', 'lifter', 'unloadingPlatform'],
    contact: '何振',
    hours: '每日 7:00–22:00，4 小时到场',
    dock: '2',
    brands: [
      { name: '衡安', alias: ['HengAn', 'HA'], families: ['towerCrane', 'lifter', 'unloadingPlatform'], online: 0.985, valid: 0.996 },
      { name: '衡安科技', alias: [], families: ['towerCrane'], online: 0.98, valid: 0.99 },
    ],
  },
  {
    name: '岩测科技公司',
    families: ['foundationPit', 'highFormwork', 'pileFoundation'],
    contact: '严力',
    hours: '工作日 8:00–20:00',
    dock: '2',
    brands: [{ name: '岩测', alias: ['YanCe'], families: ['foundationPit', 'highFormwork', 'pileFoundation'], online: 0.97, valid: 0.99 }],
  },
  {
    name: '清源环境仪器公司',
    families: ['environment', 'sprayController'],
    contact: '秦源',
    hours: '每日 8:00–21:00',
    dock: '2',
    brands: [
      { name: '清源', alias: ['QingYuan'], families: ['environment', 'sprayController'], online: 0.965, valid: 0.95 },
      { name: '清源环境', alias: [], families: ['environment'], online: 0.95, valid: 0.93 },
    ],
  },
  {
    name: '楚电仪表公司',
    families: ['electricMeter', 'waterMeter'],
    contact: '楚明',
    hours: '工作日 8:30–17:30',
    dock: '2',
    brands: [
      { name: '楚电', alias: ['ChuDian'], families: ['electricMeter', 'waterMeter'], online: 0.99, valid: 0.999 },
      { name: '楚水', alias: [], families: ['waterMeter'], online: 0.98, valid: 0.99 },
    ],
  },
  {
    name: '准衡称重设备公司',
    families: ['weighbridge'],
    contact: '郑衡',
    hours: '工作日 8:00–18:00',
    dock: '1',
    brands: [{ name: '准衡', alias: ['ZunHeng'], families: ['weighbridge'], online: 0.96, valid: 0.99 }],
  },
  {
    name: '护行智能装备公司',
    families: ['smartHelmet', 'baseStationHelmet'],
    contact: '胡行',
    hours: '每日 9:00–18:00',
    dock: '2',
    brands: [
      { name: '护行', alias: ['HuXing'], families: ['smartHelmet'], online: 0.78, valid: 0.9 },
      { name: '护行基站', alias: [], families: ['baseStationHelmet'], online: 0.9, valid: 0.97 },
    ],
  },
  {
    name: '路明车载终端公司',
    families: ['truckMonitor'],
    contact: '卢明',
    hours: '每日 6:00–24:00',
    dock: '2',
    brands: [{ name: '路明', alias: ['LuMing'], families: ['truckMonitor'], online: 0.82, valid: 0.97 }],
  },
  {
    name: '识途智能科技公司',
    families: ['faceGate', 'truckAccess', 'videoAi'],
    contact: '史图',
    hours: '7×24 小时，2 小时到场',
    dock: '0',
    brands: [
      { name: '识途', alias: ['ShiTu', 'ST'], families: ['faceGate', 'truckAccess', 'videoAi'], online: 0.992, valid: 0.998 },
      { name: '识途视界', alias: [], families: ['videoAi'], online: 0.97, valid: 0.99 },
    ],
  },
  {
    name: '临江传感设备公司',
    families: ['foundationPit'],
    contact: '林江',
    hours: '工作日 9:00–17:00',
    dock: '3',
    brands: [{ name: '临江传感', alias: ['LinJiang'], families: ['foundationPit'], online: 0.6, valid: 0.7 }],
  },
]

export const providers = [
  { name: '楚安设备租赁公司', roles: ['rent', 'install'], until: 210, families: ['towerCrane', 'lifter', 'unloadingPlatform'] },
  { name: '恒晟机械维保公司', roles: ['maintain'], until: 19, families: [] },
  { name: '清源技术服务公司', roles: ['sale', 'install', 'maintain'], until: 95, families: ['environment', 'sprayController'] },
  {
    name: '江城智慧工地服务公司',
    roles: ['install', 'maintain'],
    until: 320,
    families: ['faceGate', 'truckAccess', 'videoAi', 'smartHelmet'],
  },
  { name: '路达车联服务公司', roles: ['rent', 'maintain'], until: 12, families: ['truckMonitor'] },
  { name: '岩土监测服务公司', roles: ['install', 'maintain'], until: 150, families: ['foundationPit', 'highFormwork', 'pileFoundation'] },
  { name: '楚电能耗服务公司', roles: ['sale', 'maintain'], until: 400, families: ['electricMeter', 'waterMeter', 'weighbridge'] },
] as const

/** Registers and identifiers from the meters' documentation. */
export const registersOf: Readonly<Record<string, { metric: string; type: string; code?: string; address?: number; scale: number }[]>> = {
  electricMeter: [{ metric: 'totalEnergy', type: 'dlt645', code: '00010000', scale: 1 }],
  waterMeter: [{ metric: 'totalFlow', type: 'cjt188', code: '901F', scale: 1 }],
}
export const protocolsOf: Readonly<Record<string, string[]>> = {
  environment: ['hj212', 'mqtt'],
  truckMonitor: ['jt808'],
  electricMeter: ['mqtt', 'dlt645', 'modbus'],
  waterMeter: ['mqtt', 'cjt188'],
  weighbridge: ['http', 'mqtt'],
}
