import { permissionModules } from '../access/codes.ts'
import type { MenuIcon } from '../access/menu-tree.ts'

/** An app as delivered: a set of permission modules, and the menus that need them. */
export interface DeliveredApp {
  code: string
  name: string
  summary: string
  /** Dictionary appCategory. */
  category: string
  icon: MenuIcon
  modules: readonly string[]
  /** Group types that the app is offered to; the platform has all apps. */
  types: readonly number[]
  /** Codes of the apps that this app requires. */
  needs?: readonly string[]
  /** Equipment on the site that the app needs, as displayed. */
  devices?: string
  /** Every group has the app without a grant, so it never ends. */
  base?: true
}

const everyone = [1, 2, 3] as const
const machine = ['device']

export const deliveredApps: readonly DeliveredApp[] = [
  {
    code: 'home',
    name: '首页',
    summary: '今天要办的事与关键数字',
    category: '15',
    icon: 'home',
    modules: ['home', 'export'],
    types: everyone,
    base: true,
  },
  {
    code: 'project',
    name: '项目与企业',
    summary: '项目登记、参建企业与项目组',
    category: '15',
    icon: 'project',
    modules: ['project', 'projectGroup', 'projectNav', 'corporation', 'government'],
    types: everyone,
    base: true,
  },
  {
    code: 'system',
    name: '综合管理',
    summary: '组织、账号、权限与应用',
    category: '15',
    icon: 'sliders',
    modules: [],
    types: everyone,
    base: true,
  },
  {
    code: 'personnel',
    name: '人员实名',
    summary: '登记、证书、合同、培训与流动',
    category: '1',
    icon: 'people',
    modules: ['personnel'],
    types: everyone,
    needs: ['labour'],
  },
  {
    code: 'labour',
    name: '劳务管理',
    summary: '参建单位、班组、黑名单与统计表',
    category: '1',
    icon: 'team',
    modules: ['labour'],
    types: everyone,
  },
  {
    code: 'attendance',
    name: '考勤管理',
    summary: '通行、日考勤、月考勤与防疫',
    category: '2',
    icon: 'clock',
    modules: ['attendance'],
    types: everyone,
    needs: ['personnel'],
    devices: '人脸门禁',
  },
  {
    code: 'alarm',
    name: '告警中心',
    summary: '设备与环境告警的接单、处置与督办',
    category: '3',
    icon: 'alert',
    modules: ['alarm'],
    types: everyone,
  },
  {
    code: 'rules',
    name: '规则引擎',
    summary: '阈值规则、执行动作与风险等级',
    category: '3',
    icon: 'bolt',
    modules: ['rules'],
    types: everyone,
    needs: ['alarm'],
  },
  {
    code: 'helmet',
    name: '智能安全帽',
    summary: '位置、呼叫与轨迹',
    category: '3',
    icon: 'helmet',
    modules: ['helmet'],
    types: everyone,
    needs: machine,
    devices: '智能安全帽、定位基站',
  },
  {
    code: 'environment',
    name: '环境监测',
    summary: '扬尘、噪声与喷淋联动',
    category: '5',
    icon: 'wind',
    modules: ['environment'],
    types: everyone,
    needs: machine,
    devices: '扬尘监测站、喷淋控制器',
  },
  {
    code: 'meters',
    name: '水电监测',
    summary: '水表、电表与用量结算',
    category: '5',
    icon: 'plug',
    modules: ['meters'],
    types: everyone,
    needs: machine,
    devices: '智能水表、智能电表',
  },
  {
    code: 'device',
    name: '设备台账',
    summary: '设备、网关与设备库',
    category: '6',
    icon: 'device',
    modules: ['device-admin'],
    types: everyone,
  },
  {
    code: 'tower-crane',
    name: '塔机监测',
    summary: '实时工况、吊装循环与群塔防碰撞',
    category: '6',
    icon: 'crane',
    modules: ['tower-crane'],
    types: everyone,
    needs: machine,
    devices: '塔机监控终端',
  },
  {
    code: 'lifter',
    name: '升降机监测',
    summary: '载重、楼层与司机识别',
    category: '6',
    icon: 'layers',
    modules: ['lifter'],
    types: everyone,
    needs: machine,
    devices: '升降机监控终端',
  },
  {
    code: 'unloading',
    name: '卸料平台',
    summary: '超载监测与移位记录',
    category: '6',
    icon: 'copies',
    modules: ['unloading'],
    types: everyone,
    needs: machine,
    devices: '卸料平台称重终端',
  },
  {
    code: 'foundation-pit',
    name: '基坑监测',
    summary: '位移、水位与轴力',
    category: '6',
    icon: 'place',
    modules: ['foundation-pit'],
    types: everyone,
    needs: machine,
    devices: '基坑传感器',
  },
  {
    code: 'high-formwork',
    name: '高支模监测',
    summary: '浇筑过程的沉降与倾角',
    category: '6',
    icon: 'building',
    modules: ['high-formwork'],
    types: everyone,
    needs: machine,
    devices: '高支模传感器',
  },
  {
    code: 'video',
    name: '视频监控',
    summary: '实时画面、回放与智能识别',
    category: '7',
    icon: 'monitor',
    modules: ['video'],
    types: everyone,
    needs: machine,
    devices: '摄像机',
  },
  {
    code: 'weighbridge',
    name: '地磅',
    summary: '过磅、对账与磅单',
    category: '8',
    icon: 'box',
    modules: ['weighbridge'],
    types: everyone,
    needs: machine,
    devices: '地磅仪表',
  },
  {
    code: 'vehicle',
    name: '车辆监测',
    summary: '定位、轨迹与车载视频',
    category: '8',
    icon: 'globe',
    modules: ['vehicle'],
    types: everyone,
    needs: machine,
    devices: '车载终端',
  },
  {
    code: 'vehicle-access',
    name: '车辆出入',
    summary: '出入记录与冲洗',
    category: '8',
    icon: 'records',
    modules: ['vehicle-access'],
    types: everyone,
    needs: machine,
    devices: '车牌识别道闸',
  },
]

/** The app of everything that no other app contains: administration, and new modules until an app claims them. */
export const remainderApp = 'system'

const byModule = new Map(deliveredApps.flatMap((app) => app.modules.map((module) => [module, app.code] as const)))
/** The delivered app that contains a permission code. */
export const appOfCode = (code: string): string => byModule.get(code.slice(0, code.indexOf('.'))) ?? remainderApp

/** The codes of an app; none for the remainder app, because its codes are never closed. */
export const codesOfApp = (app: DeliveredApp): string[] =>
  permissionModules.filter((m) => app.modules.includes(m.module)).flatMap((m) => m.permissions.map((p) => p.code))
