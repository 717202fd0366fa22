import { addDays } from './calendar.ts'
import type { ProjectPlan } from './city-plan.ts'
import type { Access, Behaviour, Building, Device, DeviceModel, Family, GateForm, Gateway, OpenApp, SitePlan } from './city-types.ts'
import { toWgs84 } from './geo.ts'
import type { MeterProtocol } from './meter-wire.ts'
import { idOf, stream } from './random.ts'
import type { PileMaking } from './structures.ts'

/** Device families with category code, prefix of serial numbers, and invented manufacturers. */
const familyFacts: Record<Family, { category: string; letters: string; factory: string; brand: string; model: string }> = {
  towerCrane: { category: '300', letters: 'TC', factory: '衡安安全监控技术公司', brand: '衡安', model: 'HA-TC300' },
  lifter: { category: '301', letters: 'SL', factory: '衡安安全监控技术公司', brand: '衡安', model: 'HA-SL120' },
  unloadingPlatform: { category: '302', letters: 'UP', factory: '衡安安全监控技术公司', brand: '衡安', model: 'HA-UP20' },
  foundationPit: { category: '303', letters: 'FP', factory: '岩测科技公司', brand: '岩测', model: 'YC-M8' },
  highFormwork: { category: '304', letters: 'HF', factory: '岩测科技公司', brand: '岩测', model: 'YC-G6' },
  pileFoundation: { category: '305', letters: 'PF', factory: '岩测科技公司', brand: '岩测', model: 'YC-P3' },
  environment: { category: '500', letters: 'EN', factory: '清源环境仪器公司', brand: '清源', model: 'QY-β500' },
  sprayController: { category: '501', letters: 'SP', factory: '清源环境仪器公司', brand: '清源', model: 'QY-SP8' },
  electricMeter: { category: '600', letters: 'EM', factory: '楚电仪表公司', brand: '楚电', model: 'CD-DTSY' },
  waterMeter: { category: '601', letters: 'WM', factory: '楚电仪表公司', brand: '楚电', model: 'CD-LXS' },
  weighbridge: { category: '602', letters: 'WB', factory: '准衡称重设备公司', brand: '准衡', model: 'ZH-SCS100' },
  smartHelmet: { category: '700', letters: 'SH', factory: '护行智能装备公司', brand: '护行', model: 'HX-H4' },
  baseStationHelmet: { category: '701', letters: 'BS', factory: '护行智能装备公司', brand: '护行', model: 'HX-T1' },
  truckMonitor: { category: '710', letters: 'TM', factory: '路明车载终端公司', brand: '路明', model: 'LM-808' },
  truckAccess: { category: '711', letters: 'TA', factory: '识途智能科技公司', brand: '识途', model: 'ST-LPR3' },
  faceGate: { category: '800', letters: 'FG', factory: '识途智能科技公司', brand: '识途', model: 'ST-F7' },
  videoAi: { category: '810', letters: 'VA', factory: '识途智能科技公司', brand: '识途', model: 'ST-C4K' },
}

export function deviceModels(seed: number): DeviceModel[] {
  return Object.entries(familyFacts).map(([family, fact]) => ({
    id: idOf(seed, 'model', family),
    family: family as Family,
    category: fact.category,
    factory: fact.factory,
    brand: fact.brand,
    name: fact.model,
  }))
}

interface CranePlan {
  no: number
  model: 'QTZ63' | 'QTZ80' | 'QTZ125' | 'QTZ160'
  x: number
  y: number
  jib: number
  height: number
  place: string
  behaviour?: Behaviour
}
const craneModels = {
  QTZ63: { moment: 63, maxLoad: 5, counterJib: 12 },
  QTZ80: { moment: 80, maxLoad: 6, counterJib: 12.5 },
  QTZ125: { moment: 125, maxLoad: 8, counterJib: 14 },
  QTZ160: { moment: 160, maxLoad: 10, counterJib: 15 },
}

interface SiteDraft {
  fence: [number, number][]
  buildings: Building[]
  roads: [number, number][][]
  zones?: SitePlan['zones']
  gates: { name: string; x: number; y: number }[]
  spray?: SitePlan['spray']
  cranes: CranePlan[]
  lifters: { name: string; cage: '0' | '1' | '2'; x: number; y: number; floors: number; place: string }[]
  stations: { name: string; x: number; y: number; protocol: 'mqtt' | 'hj212'; stage: 'earthwork' | 'structure'; behaviour?: Behaviour }[]
  pit?: { depth: number; points: [string, string, number, number][] }
  formwork?: [string, number, number][]
  platforms?: [string, number, number][]
  piles?: [string, number, number, PileMaking][]
  electric: string[]
  water?: string[]
  weighbridge?: 'mqtt' | 'http'
  truckAccess?: boolean
  helmets?: number
  /** Underground base stations: id, area, floor, maximum number of people, position. */
  under?: { stations: [string, string, string, number, number, number][]; tags: number; dead?: string }
  /** Meters that are polled over their own line. */
  asked?: Record<string, MeterProtocol>
  /** Gates that push over HTTP. */
  pushing?: Record<string, GateForm>
  trucks?: string[]
  cameras: string[]
}

const box = (x: number, y: number, width: number, depth: number): [number, number][] => [
  [x, y],
  [x + width, y],
  [x + width, y + depth],
  [x, y + depth],
]

const drafts: Record<string, SiteDraft> = {
  hospital: {
    fence: [
      [6.6, 155.3],
      [108, 159.2],
      [230.7, 155.3],
      [236.9, 84.3],
      [232.5, -4],
      [0, 0],
    ],
    buildings: [
      {
        name: '门诊楼 A',
        points: [
          [13.7, 28.2],
          [61.3, 28.2],
          [61.3, 72],
          [39.7, 72],
          [39.7, 53.8],
          [13.7, 53.8],
        ],
        height: 28.5,
        floorsUp: 6,
      },
      { name: '住院楼 B', points: box(83.4, 76.3, 35.7, 47.6), height: 82.4, floorsUp: 19 },
      { name: '医技楼 C', points: box(127.5, 18.5, 35.3, 33.5), height: 34.8, floorsUp: 7 },
      { name: '感染楼 D', points: box(187, 91.8, 34, 34), height: 22.1, floorsUp: 5 },
      { name: '地下车库', points: box(21.6, 105.9, 35.7, 41.5), height: 0, floorsUp: 0 },
    ],
    roads: [
      [
        [73, 0],
        [80, 78],
        [71, 150],
      ],
      [
        [80, 80],
        [180, 80],
      ],
      [
        [176, 80],
        [186, 150],
      ],
    ],
    zones: [
      {
        name: '青石小学',
        kind: 'forbidden',
        marginMeters: 5,
        points: [
          [178.7, 45.9],
          [232.9, 41.9],
          [229.8, -3.5],
          [175.1, -3.5],
        ],
      },
    ],
    gates: [
      { name: '1# 门', x: 73, y: -1 },
      { name: '2# 门', x: 3, y: 80 },
      { name: '3# 门', x: 178, y: 156 },
      { name: '4# 门', x: 234, y: 60 },
    ],
    spray: [
      {
        name: '东线',
        points: [
          [110, 157],
          [232, 154],
          [236, 84],
        ],
      },
      {
        name: '北线',
        points: [
          [8, 153],
          [104, 157],
        ],
      },
      {
        name: '西线',
        points: [
          [6, 150],
          [1, 30],
        ],
      },
      { name: '雾炮 1', points: [[186, 76]] },
      { name: '雾炮 2', points: [[66, 10]] },
    ],
    cranes: [
      { no: 1, model: 'QTZ125', x: 33.5, y: 50.3, jib: 55, height: 71, place: '门诊楼' },
      { no: 2, model: 'QTZ160', x: 96.2, y: 97.9, jib: 55, height: 92, place: '住院楼' },
      { no: 3, model: 'QTZ160', x: 141.2, y: 37.9, jib: 60, height: 85, place: '医技楼' },
      { no: 4, model: 'QTZ80', x: 204.7, y: 109.8, jib: 45, height: 62, place: '感染楼', behaviour: 'offline' },
      { no: 5, model: 'QTZ80', x: 37.5, y: 129.7, jib: 45, height: 55, place: '车库', behaviour: 'maintenance' },
      { no: 6, model: 'QTZ63', x: 150, y: 140, jib: 40, height: 40, place: '未安装', behaviour: 'notActivated' },
    ],
    lifters: [
      { name: '1# 升降机左笼', cage: '1', x: 119.1, y: 104, floors: 19, place: '住院楼 B' },
      { name: '1# 升降机右笼', cage: '2', x: 119.1, y: 107, floors: 19, place: '住院楼 B' },
      { name: '2# 升降机', cage: '0', x: 162.8, y: 36, floors: 7, place: '医技楼 C' },
    ],
    stations: [
      { name: '1# 站', x: 166, y: 136, protocol: 'mqtt', stage: 'structure' },
      { name: '2# 站', x: 52, y: 11, protocol: 'hj212', stage: 'structure', behaviour: 'stale' },
    ],
    pit: {
      depth: 9.8,
      points: [
        ['CX-05', 'deepHorizontal', 22, 104],
        ['CX-06', 'deepHorizontal', 40, 148],
        ['CX-07', 'deepHorizontal', 58, 120],
        ['SP-01', 'topHorizontal', 22, 126],
        ['SP-02', 'topHorizontal', 58, 140],
        ['SC-01', 'topVertical', 30, 148],
        ['DB-03', 'surface', 15, 120],
        ['DB-04', 'surface', 64, 130],
        ['JZ-01', 'building', 4, 140],
        ['ZL-01', 'strutForce', 40, 126],
        ['ZL-02', 'strutForce', 48, 126],
        ['SW-02', 'waterLevel', 18, 150],
      ],
    },
    formwork: [
      ['GZ-01', 46, 60],
      ['GZ-02', 50, 60],
      ['GZ-03', 54, 64],
      ['GZ-04', 50, 68],
    ],
    platforms: [
      ['住院楼 8 层北侧', 100, 124],
      ['住院楼 11 层南侧', 100, 76],
      ['医技楼 5 层', 128, 36],
    ],
    electric: ['总配电室', '住院楼分箱', '办公生活区'],
    water: ['总水表', '生活区水表', '施工区水表', '养护用水表'],
    weighbridge: 'mqtt',
    truckAccess: true,
    helmets: 20,
    under: {
      stations: [
        ['BS01', '地下车库一区', '地下一层', 20, 30, 112],
        ['BS02', '地下车库二区', '地下二层', 20, 40, 124],
        ['BS03', '设备机房', '地下三层', 8, 48, 138],
      ],
      tags: 8,
    },
    trucks: ['鄂B32817', '鄂B56093', '鄂B90117', '鄂B5K602'],
    cameras: ['1# 门岗', '3# 门岗', '制高点', '住院楼 B 东', '球机 07 医技楼东', '钢筋加工棚', '3# 塔机吊钩', '基坑北侧'],
  },
  dongwan: {
    fence: [
      [0, 0],
      [210, -6],
      [226, 120],
      [214, 176],
      [20, 182],
      [-4, 90],
    ],
    buildings: [
      { name: '1# 塔楼', points: box(38, 92, 44, 44), height: 138, floorsUp: 32 },
      { name: '2# 塔楼', points: box(134, 96, 40, 40), height: 98, floorsUp: 24 },
      { name: '裙房及地下室', points: box(24, 26, 164, 54), height: 24, floorsUp: 5 },
    ],
    roads: [
      [
        [104, -4],
        [108, 178],
      ],
      [
        [6, 86],
        [218, 86],
      ],
    ],
    gates: [
      { name: '1# 门', x: 104, y: -4 },
      { name: '2# 门', x: 110, y: 180 },
      { name: '3# 门', x: 224, y: 110 },
    ],
    cranes: [
      { no: 1, model: 'QTZ160', x: 60, y: 84, jib: 60, height: 78, place: '1# 塔楼' },
      { no: 2, model: 'QTZ160', x: 128, y: 116, jib: 58, height: 70, place: '2# 塔楼' },
      { no: 3, model: 'QTZ125', x: 150, y: 52, jib: 55, height: 62, place: '裙房' },
    ],
    lifters: [
      { name: '1# 升降机左笼', cage: '1', x: 82, y: 112, floors: 32, place: '1# 塔楼' },
      { name: '1# 升降机右笼', cage: '2', x: 82, y: 115, floors: 32, place: '1# 塔楼' },
    ],
    stations: [{ name: '1# 站', x: 108, y: 4, protocol: 'hj212', stage: 'earthwork' }],
    pit: {
      depth: 15.2,
      points: [
        ['CX-12', 'deepHorizontal', 24, 50],
        ['CX-13', 'deepHorizontal', 188, 50],
        ['SP-07', 'topHorizontal', 100, 26],
        ['ZL-05', 'strutForce', 100, 50],
        ['SW-03', 'waterLevel', 20, 26],
      ],
    },
    platforms: [
      ['1# 塔楼 10 层', 60, 136],
      ['2# 塔楼 7 层', 150, 136],
    ],
    electric: ['总配电室', '施工区分箱'],
    water: ['总水表'],
    truckAccess: true,
    pushing: { '2# 门': 'event', '3# 门': 'callback' },
    asked: { 施工区分箱: 'dlt645', 总水表: 'cjt188' },
    trucks: ['鄂B61208', '鄂B7D315', '鄂B3F871'],
    cameras: ['1# 门岗', '制高点', '基坑东侧', '1# 塔楼南'],
  },
  jiangtan: {
    fence: [
      [0, 0],
      [142, 4],
      [148, 108],
      [4, 112],
    ],
    buildings: [
      { name: '5# 楼', points: box(22, 60, 42, 18), height: 78.6, floorsUp: 26 },
      { name: '6# 楼', points: box(84, 58, 42, 18), height: 78.6, floorsUp: 26 },
    ],
    roads: [
      [
        [74, 2],
        [74, 110],
      ],
    ],
    gates: [
      { name: '1# 门', x: 74, y: 2 },
      { name: '2# 门', x: 146, y: 60 },
    ],
    cranes: [
      { no: 1, model: 'QTZ80', x: 42, y: 52, jib: 45, height: 88, place: '5# 楼' },
      { no: 2, model: 'QTZ80', x: 106, y: 50, jib: 45, height: 80, place: '6# 楼' },
    ],
    lifters: [],
    stations: [{ name: '1# 站', x: 70, y: 8, protocol: 'hj212', stage: 'structure' }],
    electric: ['总配电室'],
    cameras: ['1# 门岗', '制高点'],
  },
  zhigu: {
    fence: [
      [0, 0],
      [188, -4],
      [194, 142],
      [92, 150],
      [-6, 138],
    ],
    buildings: [
      { name: 'A 座', points: box(24, 66, 56, 42), height: 64.2, floorsUp: 15 },
      { name: 'B 座', points: box(112, 62, 52, 40), height: 52.6, floorsUp: 12 },
    ],
    roads: [
      [
        [96, -2],
        [94, 146],
      ],
    ],
    gates: [
      { name: '1# 门', x: 96, y: -2 },
      { name: '2# 门', x: -4, y: 80 },
      { name: '3# 门', x: 192, y: 70 },
    ],
    spray: [
      {
        name: '南线',
        points: [
          [2, 2],
          [184, -2],
        ],
      },
      { name: '雾炮 1', points: [[140, 40]] },
    ],
    cranes: [
      { no: 1, model: 'QTZ125', x: 52, y: 60, jib: 55, height: 58, place: 'A 座' },
      { no: 2, model: 'QTZ80', x: 138, y: 56, jib: 50, height: 46, place: 'B 座' },
    ],
    lifters: [{ name: '1# 升降机', cage: '0', x: 80, y: 88, floors: 15, place: 'A 座' }],
    stations: [
      { name: '1# 站', x: 100, y: 4, protocol: 'mqtt', stage: 'earthwork' },
      { name: '2# 站', x: 150, y: 136, protocol: 'hj212', stage: 'earthwork' },
    ],
    electric: ['总配电室'],
    asked: { 总配电室: 'modbusRtu' },
    pushing: { '2# 门': 'dahua', '3# 门': 'generic' },
    weighbridge: 'http',
    truckAccess: true,
    cameras: ['1# 门岗', '制高点', '土方区'],
  },
  school: {
    fence: [
      [0, 0],
      [160, 0],
      [166, 120],
      [2, 118],
    ],
    buildings: [
      { name: '教学楼', points: box(20, 56, 68, 30), height: 23.8, floorsUp: 6 },
      { name: '体育馆', points: box(106, 50, 40, 36), height: 18.2, floorsUp: 2 },
    ],
    roads: [
      [
        [96, 0],
        [96, 118],
      ],
    ],
    gates: [
      { name: '1# 门', x: 96, y: 0 },
      { name: '2# 门', x: 163, y: 60 },
    ],
    cranes: [{ no: 1, model: 'QTZ63', x: 98, y: 92, jib: 40, height: 36, place: '体育馆' }],
    lifters: [{ name: '1# 升降机', cage: '0', x: 88, y: 70, floors: 6, place: '教学楼' }],
    stations: [{ name: '1# 站', x: 100, y: 6, protocol: 'mqtt', stage: 'structure' }],
    electric: ['总配电室'],
    asked: { 总配电室: 'modbusTcp' },
    pushing: { '1# 门': 'operator', '2# 门': 'uniview' },
    water: ['总水表'],
    cameras: ['1# 门岗', '制高点'],
  },
  tunnel: {
    fence: [
      [0, 0],
      [420, 18],
      [422, 46],
      [2, 28],
    ],
    buildings: [
      {
        name: '1 标段',
        points: [
          [10, 8],
          [210, 17],
          [210, 24],
          [10, 15],
        ],
        height: 0,
        floorsUp: 0,
      },
      {
        name: '2 标段',
        points: [
          [214, 17],
          [412, 26],
          [412, 33],
          [214, 24],
        ],
        height: 0,
        floorsUp: 0,
      },
    ],
    roads: [
      [
        [2, 20],
        [420, 38],
      ],
    ],
    gates: [
      { name: '1# 门', x: 2, y: 14 },
      { name: '2# 门', x: 420, y: 34 },
    ],
    pushing: { '1# 门': 'adms' },
    cranes: [],
    lifters: [],
    stations: [{ name: '1# 站', x: 30, y: 22, protocol: 'hj212', stage: 'earthwork' }],
    pit: {
      depth: 7.6,
      points: [
        ['CX-21', 'deepHorizontal', 60, 12],
        ['CX-22', 'deepHorizontal', 180, 18],
        ['DB-21', 'surface', 90, 24],
        ['GX-01', 'pipeline', 140, 26],
      ],
    },
    piles: [
      ['1# 桩机', 260, 22, 'bored'],
      ['2# 桩机', 330, 26, 'bored'],
      ['3# 搅拌桩机', 150, 20, 'mixing'],
      ['4# 静压桩机', 90, 16, 'static'],
    ],
    electric: ['1 标段箱变'],
    helmets: 6,
    under: {
      stations: [
        ['BS11', '洞口', 'K0+000', 30, 12, 16],
        ['BS12', '1 标段衬砌', 'K0+120', 12, 120, 22],
        ['BS13', '1 标段掌子面', 'K0+200', 8, 205, 24],
        ['BS14', '2 标段衬砌', 'K0+300', 12, 300, 30],
        ['BS15', '2 标段掌子面', 'K0+400', 8, 400, 34],
      ],
      tags: 12,
      dead: 'BS14',
    },
    trucks: ['鄂B80772'],
    cameras: ['1# 门岗', '1 标段'],
  },
}

const controlOf: Record<string, [number, number]> = {
  topHorizontal: [30, 3],
  topVertical: [20, 2],
  deepHorizontal: [40, 3],
  column: [30, 3],
  surface: [30, 3],
  building: [20, 2],
  pipeline: [20, 2],
  strutForce: [6000, 0],
  waterLevel: [1000, 500],
}

const pileDesigns = {
  bored: { place: '支护桩', designDepth: 22, designDiameter: 0.8 },
  mixing: { place: '止水帷幕', designDepth: 14, designDiameter: 0.6, designGrout: 60 },
  static: { place: '出入口桩基', designDepth: 18, designDiameter: 0.5, designPressure: 2_400 },
} satisfies Record<PileMaking, Record<string, string | number>>

export interface Site {
  plan: SitePlan
  fence: { lng: number; lat: number }[]
  gateways: Gateway[]
  devices: Device[]
  openApps: OpenApp[]
}

/** Operators of cranes and lifts: workerIds by trade. */
export interface Operators {
  craneDrivers: string[]
  all: string[]
}

export function buildSite(seed: number, today: string, index: number, plan: ProjectPlan, projectCode: string, operators: Operators): Site {
  const draft = drafts[plan.key]!
  const random = stream(seed, 'site', plan.key)
  const gateways: Gateway[] = []
  const gateway = (letter: string, name: string) => {
    const code = `GW${String(index).padStart(2, '0')}${letter}`
    if (!gateways.some((known) => known.code === code)) {
      gateways.push({
        id: idOf(seed, 'gateway', code),
        code,
        name: `${plan.shortName} ${name}`,
        connType: '1',
        type: '1',
        projectCode,
        enable: '1',
      })
    }
    return { protocol: 'mqtt', gatewayCode: code } satisfies Access
  }
  const hoisting = () => gateway('A', '起重设备网关')
  const surroundings = () => gateway('B', '环境与能耗网关')
  const passages = () => gateway('C', '通行网关')
  const measuring = () => gateway('D', '监测与穿戴网关')
  /** Collector of a meter line, one for each protocol used on the site. */
  const collectors = {
    dlt645: ['E', '电表采集器'],
    cjt188: ['F', '水表采集器'],
    modbusTcp: ['G', 'Modbus TCP 采集器'],
    modbusRtu: ['H', 'Modbus RTU 采集器'],
  } as const
  const meterAccess = (place: string, address: string): Access => {
    const wire = draft.asked?.[place]
    if (!wire) return surroundings()
    const [letter, name] = collectors[wire]
    const { gatewayCode } = gateway(letter, name)
    const collector = gateways.find((known) => known.code === gatewayCode)
    if (collector) collector.wire = wire
    return { protocol: 'poll', gatewayCode, address: wire.startsWith('modbus') ? '1' : address }
  }
  const openApps: OpenApp[] = []
  const http = (): Access => {
    const code = `APP${String(index).padStart(2, '0')}`
    if (!openApps.some((app) => app.code === code))
      openApps.push({ code, name: `${plan.shortName} 第三方地磅对接`, projectCode, families: ['weighbridge'] })
    return { protocol: 'http', appCode: code }
  }

  const devices: Device[] = []
  const counts = new Map<Family, number>()
  const add = (
    family: Family,
    name: string,
    x: number,
    y: number,
    access: Access,
    params: Device['params'],
    more: Partial<Pick<Device, 'behaviour' | 'place' | 'operators'>> = {},
  ) => {
    const no = (counts.get(family) ?? 0) + 1
    counts.set(family, no)
    const deviceSn = `${familyFacts[family].letters}26${String(index).padStart(2, '0')}${String(no).padStart(4, '0')}`
    const own = stream(seed, 'device', deviceSn)
    const position = toWgs84(plan.origin, x, y)
    const located = ['towerCrane', 'lifter', 'environment'].includes(family)
    devices.push({
      id: idOf(seed, 'device', deviceSn),
      deviceSn,
      name,
      family,
      category: familyFacts[family].category,
      modelId: idOf(seed, 'model', family),
      projectCode,
      access,
      installPos: position,
      x,
      y,
      installTime: addDays(today, -Math.min(plan.startDaysAgo - 5, own.int(40, 360))),
      params: located ? { ...params, longitude: position.lng, latitude: position.lat } : params,
      auditState: '1',
      dueDate: addDays(today, own.int(60, 700)),
      source: '1',
      behaviour: more.behaviour ?? 'normal',
      place: more.place ?? name,
      operators: more.operators ?? [],
    })
  }

  draft.cranes.forEach((crane, i) => {
    const model = craneModels[crane.model]
    const drivers = operators.craneDrivers
    // In the story 陈大勇 drives 3# and 马成林 2#; they are the first two of their team.
    const day = plan.key === 'hospital' ? (crane.no === 3 ? 0 : crane.no === 2 ? 1 : crane.no + 1) : i
    add(
      'towerCrane',
      `${crane.no}# 塔机`,
      crane.x,
      crane.y,
      hoisting(),
      {
        craneType: '0',
        craneModel: crane.model,
        jibLength: crane.jib,
        counterJibLength: model.counterJib,
        towerHeight: crane.height,
        towerHeadHeight: 6.5,
        baseElevation: 0,
        originX: crane.x,
        originY: crane.y,
        angleOffset: 0,
        minRadius: 3,
        maxRadius: crane.jib,
        minHeight: 0,
        maxHeight: crane.height - 6,
        maxLoad: model.maxLoad,
        maxLoadRadius: Math.round((model.moment / model.maxLoad) * 10) / 10,
        tipLoad: Math.floor((model.moment / crane.jib) * 100) / 100,
        ratedMoment: model.moment,
        fallDefault: 2,
        ...(plan.key === 'hospital' && crane.no === 3 ? { slewLimitFrom: 84, slewLimitTo: 168 } : {}),
      },
      {
        behaviour: crane.behaviour ?? 'normal',
        place: crane.place,
        operators: [drivers[day % drivers.length], drivers[(day + 4) % drivers.length]].filter((id) => id !== undefined),
      },
    )
  })
  for (const [i, lifter] of draft.lifters.entries()) {
    add(
      'lifter',
      lifter.name,
      lifter.x,
      lifter.y,
      hoisting(),
      {
        ratedLoad: 2,
        ratedPersons: 9,
        maxHeight: Math.round(lifter.floors * 3.9 * 10) / 10,
        maxFloor: lifter.floors,
        ratedSpeed: 0.6,
        cageCount: lifter.cage === '0' ? '1' : '2',
        cage: lifter.cage,
        safetyDeviceExpiry: `${addDays(today, plan.green ? 320 : 18 + i * 90)}T00:00:00+08:00`,
      },
      { place: lifter.place, operators: operators.craneDrivers.slice(-2 - i).slice(0, 1) },
    )
  }
  for (const station of draft.stations) {
    const mn = idOf(seed, 'mn', plan.key, station.name).slice(0, 24).toUpperCase()
    const access: Access =
      station.protocol === 'mqtt'
        ? surroundings()
        : {
            protocol: 'hj212',
            mn,
            password: stream(seed, 'hj212', mn).int(100_000, 999_999).toString(),
            units: { tsp: 'ug', pm10: 'ug', pm25: 'ug' },
            crcMode: 'standard',
          }
    add(
      'environment',
      station.name,
      station.x,
      station.y,
      access,
      { unitTsp: 'ug', pm10Background: 77, stage: station.stage },
      { behaviour: station.behaviour ?? 'normal', place: station.name },
    )
  }
  for (const line of draft.spray ?? [])
    add('sprayController', line.name, line.points[0]![0], line.points[0]![1], surroundings(), { areaName: line.name })
  const mainMeter = devices.length
  for (const [i, place] of draft.electric.entries()) {
    add(
      'electricMeter',
      `${place}电表`,
      12 + i * 4,
      8,
      meterAccess(place, String(260_000_000_000 + index * 1000 + i)),
      {
        ratio: i === 0 ? 60 : 20,
        phase: '3',
        ratedCurrent: i === 0 ? 630 : 250,
        monthQuota: i === 0 ? 120_000 : 40_000,
        area: i === 0 ? '总表' : place.includes('生活') || place.includes('办公') ? '生活办公' : '施工',
        ...(i === 0 ? {} : { parentId: devices[mainMeter]!.id }),
        address: String(260_000_000_000 + index * 1000 + i),
      },
      { place },
    )
  }
  const mainWater = devices.length
  for (const [i, place] of (draft.water ?? []).entries()) {
    const isZone = i > 0
    const address = String(26_000_000_000_000 + i * 1000 + index)
    add('waterMeter', place, 10 + i * 4, 6, meterAccess(place, address), {
      size: isZone ? '50' : '80',
      maxFlow: isZone ? 20 : 40,
      dayQuota: isZone ? 60 : 120,
      address,
      ...(isZone
        ? { parentId: devices[mainWater]!.id, area: place.includes('生活') ? '生活办公' : '施工' }
        : (draft.water ?? []).length > 1
          ? { area: '总表' }
          : {}),
    })
  }
  for (const [place, x, y] of draft.platforms ?? [])
    add('unloadingPlatform', `${place}卸料平台`, x, y, measuring(), { platformType: '2', ratedLoad: 1.2, maxTilt: 3 }, { place })
  for (const [pointCode, pointType, x, y] of draft.pit?.points ?? []) {
    const [controlValue, controlRate] = controlOf[pointType]!
    add(
      'foundationPit',
      pointCode,
      x,
      y,
      measuring(),
      {
        safetyGrade: '1',
        depth: draft.pit!.depth,
        pointType,
        pointCode,
        initialValue: pointType === 'waterLevel' ? -6.2 : 0,
        controlValue,
        controlRate,
      },
      { place: '基坑' },
    )
  }
  for (const [pointCode, x, y] of draft.formwork ?? [])
    add(
      'highFormwork',
      `报告厅 ${pointCode}`,
      x,
      y,
      measuring(),
      { supportHeight: 9.2, span: 18, pointCode, pointType: 'axialForce', designForce: 20, phase: '1' },
      { place: '高支模 B1 报告厅' },
    )
  for (const [name, x, y, making] of draft.piles ?? []) {
    const { place, ...design } = pileDesigns[making]
    add('pileFoundation', name, x, y, measuring(), { pileType: making, ...design }, { place })
  }
  // Helmets upload pictures through an open API application; their records refer to the pictures.
  if (draft.helmets)
    openApps.push({
      code: `APP${String(index).padStart(2, '0')}H`,
      name: `${plan.shortName} 安全帽图片`,
      projectCode,
      families: ['smartHelmet'],
    })
  for (let i = 0; i < (draft.helmets ?? 0); i++) {
    const wearer = operators.all[Math.floor((i * operators.all.length) / draft.helmets!)]!
    add(
      'smartHelmet',
      `安全帽 ${String(i + 1).padStart(2, '0')}`,
      random.float(20, 120),
      random.float(10, 25),
      measuring(),
      { workerId: wearer, ...(i < 3 ? { camera: '1' } : {}) },
      { place: '随人', operators: [wearer] },
    )
  }
  for (const [stationId, areaName, floorName, areaLimit, x, y] of draft.under?.stations ?? [])
    add(
      'baseStationHelmet',
      `基站 ${stationId}`,
      x,
      y,
      measuring(),
      { stationId, areaName, floorName, areaLimit },
      { place: areaName, behaviour: draft.under?.dead === stationId ? 'offline' : 'normal' },
    )
  for (let i = 0; i < (draft.under?.tags ?? 0); i++) {
    const wearer = operators.all[Math.floor(((i + 0.5) * operators.all.length) / draft.under!.tags)]!
    add(
      'baseStationHelmet',
      `基站帽 ${String(i + 1).padStart(2, '0')}`,
      0,
      0,
      measuring(),
      { workerId: wearer },
      { place: '随人', operators: [wearer] },
    )
  }
  for (const gate of draft.gates)
    add(
      'faceGate',
      gate.name.replace(' 门', ' 闸机'),
      gate.x,
      gate.y,
      draft.pushing?.[gate.name] ? { protocol: 'push', form: draft.pushing[gate.name]! } : passages(),
      { channelName: gate.name, role: 'perimeter' },
      { place: gate.name },
    )
  if (draft.truckAccess)
    add(
      'truckAccess',
      `${draft.gates[0]!.name}车行道`,
      draft.gates[0]!.x,
      draft.gates[0]!.y,
      passages(),
      { gateName: draft.gates[0]!.name },
      { place: draft.gates[0]!.name },
    )
  if (draft.weighbridge)
    add(
      'weighbridge',
      '1# 地磅',
      draft.gates[0]!.x + 8,
      draft.gates[0]!.y + 12,
      draft.weighbridge === 'http' ? http() : passages(),
      { maxCapacity: 100, division: 20 },
      { place: draft.gates[0]!.name },
    )
  for (const [i, name] of draft.cameras.entries()) {
    // A camera named after a crane is mounted on it.
    const crane = devices.find((one) => one.family === 'towerCrane' && name.startsWith(one.name))
    add(
      'videoAi',
      name,
      20 + i * 12,
      10 + i * 8,
      passages(),
      {
        gbDeviceId: `4202${String(index).padStart(2, '0')}0000132${String(i + 1).padStart(7, '0')}`,
        channelId: String(i + 1),
        ptz: name.includes('球机') || name === '制高点' ? '1' : '0',
        ...(crane ? { craneId: crane.id } : {}),
      },
      { place: name, behaviour: plan.key === 'hospital' && name === '基坑北侧' ? 'offline' : 'normal' },
    )
  }
  ;(draft.trucks ?? []).forEach((plateNo, i) => {
    const phone = `1064${String(800_000_00 + index * 100 + i).padStart(8, '0')}`.slice(0, 12)
    add(
      'truckMonitor',
      plateNo,
      0,
      0,
      { protocol: 'jt808', phone },
      { plateNo, simNo: phone, speedLimit: 50, siteSpeedLimit: 15, bodyItem: 'E1' },
      // One truck is in the workshop: no terminal is simulated for it, so its identity is free for tests with a real terminal.
      { place: '随车', behaviour: plan.key === 'hospital' && i === (draft.trucks?.length ?? 0) - 1 ? 'offline' : 'normal' },
    )
  })

  return {
    plan: {
      projectCode,
      origin: { ...plan.origin },
      fence: draft.fence,
      buildings: draft.buildings,
      roads: draft.roads,
      zones: draft.zones ?? [],
      gates: draft.gates,
      spray: draft.spray ?? [],
    },
    fence: draft.fence.map(([x, y]) => toWgs84(plan.origin, x, y)),
    gateways,
    devices,
    openApps,
  }
}
