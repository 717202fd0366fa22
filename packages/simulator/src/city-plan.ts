/** The hand-written part of the invented city: projects, companies, and the people and devices of its story. */

export const cityName = '云泽市'

/** Short names of the projects with a role in the story. */
export const story = { main: '滨江医院东院区', busy: '东湾综合体', dusty: '云东智谷二期', green: '云东中学' }

/** Area codes of a real prefecture, because the server checks them; the names are invented. */
export const areaCodes = { province: '420000', city: '420200', binjiang: '420202', yundong: '420203' }

export interface CorpPlan {
  key: string
  name: string
  /** Codes of dictionary corpKind. */
  kinds: string[]
  corpType: string
  areaCode: string
  legalMan: string
  regCapital: number
  qualifications: { type: string; trade: string; level: string; endInDays: number }[]
  /** Days until the work-safety licence expires; undefined for companies that need none. */
  safetyLicenceDays?: number
}

const building = (level: string, endInDays = 900) => ({ type: '3', trade: '71401001', level: `3-${level}`, endInDays })
const special = (trade: string, level: string, endInDays = 700) => ({ type: '3', trade, level: `3-${level}`, endInDays })
// The trade dictionary has no trade for supervision; the building branch is the usual entry.
const supervising = (level: string) => ({ type: '4', trade: '71401001', level: `4-${level}`, endInDays: 1100 })

export const corpPlans: CorpPlan[] = [
  {
    key: 'yunze',
    name: '云泽建工集团',
    kinds: ['4'],
    corpType: '151',
    areaCode: '420200',
    legalMan: '顾长河',
    regCapital: 50_000,
    qualifications: [building('78'), special('71401010', '77'), special('71402001', '77')],
    safetyLicenceDays: 640,
  },
  {
    key: 'dingli',
    name: '鼎力架业劳务公司',
    kinds: ['6'],
    corpType: '173',
    areaCode: '420202',
    legalMan: '程定川',
    regCapital: 800,
    qualifications: [special('71402010', '77')],
    safetyLicenceDays: 72,
  },
  {
    key: 'hengsheng',
    name: '恒升机械租赁公司',
    kinds: ['8', '4'],
    corpType: '173',
    areaCode: '420203',
    legalMan: '石恒',
    regCapital: 3_000,
    qualifications: [special('71402002', '76')],
    safetyLicenceDays: 410,
  },
  {
    key: 'anjie',
    name: '安捷机电安装公司',
    kinds: ['4'],
    corpType: '173',
    areaCode: '420200',
    legalMan: '尹安',
    regCapital: 5_000,
    qualifications: [special('71402012', '77'), special('71402005', '76', 58)],
    safetyLicenceDays: 530,
  },
  {
    key: 'zhengheng',
    name: '正衡工程监理公司',
    kinds: ['5'],
    corpType: '159',
    areaCode: '420200',
    legalMan: '沈正',
    regCapital: 1_200,
    qualifications: [supervising('88')],
  },
  {
    key: 'hongtu',
    name: '宏图幕墙工程公司',
    kinds: ['4'],
    corpType: '173',
    areaCode: '420202',
    legalMan: '范宏图',
    regCapital: 2_000,
    qualifications: [special('71402013', '77')],
    safetyLicenceDays: 290,
  },
  {
    key: 'weijian',
    name: '云泽市卫生建设投资公司',
    kinds: ['1'],
    corpType: '151',
    areaCode: '420200',
    legalMan: '高远志',
    regCapital: 20_000,
    qualifications: [],
  },
  {
    key: 'zhongchu',
    name: '中楚建设集团',
    kinds: ['4'],
    corpType: '160',
    areaCode: '420200',
    legalMan: '罗楚雄',
    regCapital: 36_000,
    qualifications: [building('77')],
    safetyLicenceDays: 820,
  },
  {
    key: 'donghu',
    name: '东湾商业发展公司',
    kinds: ['1'],
    corpType: '173',
    areaCode: '420202',
    legalMan: '杜明远',
    regCapital: 30_000,
    qualifications: [],
  },
  {
    key: 'huaan',
    name: '华安建筑劳务公司',
    kinds: ['6'],
    corpType: '173',
    areaCode: '420202',
    legalMan: '曾华安',
    regCapital: 600,
    qualifications: [special('71402010', '76')],
    safetyLicenceDays: 200,
  },
  {
    key: 'jiangtan',
    name: '江滩置业公司',
    kinds: ['1'],
    corpType: '173',
    areaCode: '420202',
    legalMan: '任江',
    regCapital: 10_000,
    qualifications: [],
  },
  {
    key: 'binjianli',
    name: '滨城建设监理公司',
    kinds: ['5'],
    corpType: '159',
    areaCode: '420202',
    legalMan: '姚秉公',
    regCapital: 600,
    qualifications: [supervising('86')],
  },
  {
    key: 'chuyuan',
    name: '楚垣建设公司',
    kinds: ['4'],
    corpType: '173',
    areaCode: '420203',
    legalMan: '黎楚垣',
    regCapital: 12_000,
    qualifications: [building('77')],
    safetyLicenceDays: 700,
  },
  {
    key: 'zhongxin',
    name: '众信建筑劳务公司',
    kinds: ['6'],
    corpType: '173',
    areaCode: '420203',
    legalMan: '易众',
    regCapital: 500,
    qualifications: [special('71402010', '76')],
    safetyLicenceDays: 350,
  },
  {
    key: 'zhongding',
    name: '中鼎工程监理公司',
    kinds: ['5'],
    corpType: '159',
    areaCode: '420203',
    legalMan: '贺中鼎',
    regCapital: 800,
    qualifications: [supervising('88')],
  },
  {
    key: 'kechuang',
    name: '云东科创投资公司',
    kinds: ['1'],
    corpType: '151',
    areaCode: '420203',
    legalMan: '汤科',
    regCapital: 25_000,
    qualifications: [],
  },
  {
    key: 'tongda',
    name: '通达设备租赁公司',
    kinds: ['8', '4'],
    corpType: '173',
    areaCode: '420203',
    legalMan: '毛通',
    regCapital: 1_500,
    qualifications: [special('71402002', '76')],
    safetyLicenceDays: 480,
  },
  {
    key: 'jiaoyu',
    name: '云东区教育工程管理中心',
    kinds: ['1'],
    corpType: '190',
    areaCode: '420203',
    legalMan: '康立学',
    regCapital: 3_000,
    qualifications: [],
  },
  {
    key: 'shizheng',
    name: '云泽市政工程公司',
    kinds: ['4'],
    corpType: '151',
    areaCode: '420200',
    legalMan: '邵通路',
    regCapital: 18_000,
    qualifications: [special('71401010', '77'), special('71402001', '76')],
    safetyLicenceDays: 610,
  },
  {
    key: 'chengtou',
    name: '滨江城市建设投资公司',
    kinds: ['1'],
    corpType: '151',
    areaCode: '420202',
    legalMan: '孟城',
    regCapital: 40_000,
    qualifications: [],
  },
]

/** Codes of workerType. */
export const trades = {
  mason: '010',
  rebar: '020',
  scaffold: '031',
  climbing: '032',
  concrete: '040',
  formwork: '051',
  machine: '060',
  duct: '070',
  craneDriver: '081',
  wiring: '101',
  pipe: '110',
  electrician: '131',
  digger: '153',
  pileRig: '160',
  signal: '171',
  erector: '180',
  plaster: '191',
  paint: '192',
  tile: '193',
  curtainWall: '211',
  waterproof: '230',
  carpenter: '241',
  welder: '271',
  survey: '301',
  helper: '390',
  manager: '900',
} as const
export type Trade = keyof typeof trades

export interface TeamPlan {
  name: string
  trade: Trade
  /** Number of people by trade; the first is the team's own trade. */
  people: [Trade, number][]
  nightShift?: number
}

export interface UnitPlan {
  corp: string
  /** Code of projectCorpType. */
  role: string
  /** Key of the contracting unit; for subcontractors only. */
  parent?: string
  pm: string
  /** [post, number]; people from `named` are used first. */
  managers?: [string, number][]
  teams?: TeamPlan[]
  exitedDaysAgo?: number
}

const team = (name: string, trade: Trade, count: number, ...others: [Trade, number][]): TeamPlan => ({
  name,
  trade,
  people: [[trade, count], ...others],
})
const night = (plan: TeamPlan, nightShift: number): TeamPlan => ({ ...plan, nightShift })

export interface ProjectPlan {
  key: string
  name: string
  shortName: string
  areaCode: string
  category: string
  status: '003' | '005'
  startDaysAgo: number
  planDays: number
  phase: string
  progress: number
  owner: string
  contractor: string
  units: UnitPlan[]
  address: string
  origin: { lng: number; lat: number }
  functionNum: string
  structureType: string | null
  area: number | null
  length: number | null
  floorsUp: number
  floorsDown: number
  invest: number
  price: number
  prjSize: string
  fundSource: string
  linkMan: string
  description: string
  /** A site without problems: certificates valid, contracts signed, nobody suspended. */
  green: boolean
  /** Share of people in place who come on an ordinary day. */
  attendance: number
  unitProjects: { name: string; type: string; part: string; area: number; height: number; up: number; down: number; progress: number }[]
}

export const projectPlans: ProjectPlan[] = [
  {
    key: 'hospital',
    name: '滨江医院东院区项目',
    shortName: '滨江医院东院区',
    areaCode: '420202',
    category: '01',
    status: '003',
    startDaysAgo: 411,
    planDays: 730,
    phase: '3',
    progress: 58,
    owner: 'weijian',
    contractor: 'yunze',
    address: '云泽市滨江区滨江东路 188 号',
    origin: { lng: 115.0742, lat: 30.2268 },
    functionNum: '304',
    structureType: '2',
    area: 126_400,
    length: null,
    floorsUp: 19,
    floorsDown: 2,
    invest: 98_600,
    price: 71_250,
    prjSize: '01',
    fundSource: '7',
    linkMan: '李敏',
    green: false,
    attendance: 0.912,
    description: '三级综合医院东院区，含门诊楼、住院楼、医技楼、感染楼及地下车库，设计床位 800 张。东南侧紧邻青石小学，设禁吊区。',
    units: [
      { corp: 'weijian', role: '008', pm: '高远志' },
      {
        corp: 'yunze',
        role: '009',
        pm: '刘振华',
        managers: [
          ['1009', 1],
          ['1011', 1],
          ['1029', 1],
          ['1018', 4],
          ['1017', 3],
          ['1016', 6],
          ['1022', 1],
          ['1023', 2],
          ['1020', 2],
          ['1021', 1],
          ['1025', 3],
          ['1026', 1],
          ['1027', 2],
          ['1031', 1],
          ['1013', 5],
        ],
        teams: [team('钢筋一班', 'rebar', 45), team('钢筋二班', 'rebar', 41), night(team('木工一班', 'formwork', 34, ['concrete', 18]), 9)],
      },
      {
        corp: 'zhengheng',
        role: '007',
        pm: '何秀峰',
        managers: [
          ['1001', 1],
          ['1024', 1],
          ['1003', 1],
          ['1004', 3],
          ['1006', 6],
        ],
      },
      {
        corp: 'dingli',
        role: '006',
        parent: 'yunze',
        pm: '程定川',
        teams: [team('架子一班', 'scaffold', 22), team('架子二班', 'scaffold', 19), team('附着脚手架班', 'climbing', 22)],
      },
      {
        corp: 'hengsheng',
        role: '002',
        parent: 'yunze',
        pm: '石恒',
        teams: [night(team('机械租赁班', 'craneDriver', 9, ['signal', 8], ['machine', 1]), 5), team('安装拆卸班', 'erector', 9)],
      },
      {
        corp: 'anjie',
        role: '001',
        parent: 'yunze',
        pm: '尹安',
        teams: [team('机电一班', 'electrician', 19, ['wiring', 18]), team('机电二班', 'pipe', 20, ['duct', 8], ['welder', 6])],
      },
      {
        corp: 'hongtu',
        role: '001',
        parent: 'yunze',
        pm: '范宏图',
        teams: [team('幕墙一班', 'curtainWall', 30, ['welder', 3], ['mason', 8])],
      },
    ],
    unitProjects: [
      { name: '门诊楼 A', type: '2', part: '1', area: 21_800, height: 28.5, up: 6, down: 2, progress: 72 },
      { name: '住院楼 B', type: '2', part: '1', area: 58_600, height: 82.4, up: 19, down: 2, progress: 54 },
      { name: '医技楼 C', type: '2', part: '1', area: 19_300, height: 34.8, up: 7, down: 2, progress: 61 },
      { name: '感染楼 D', type: '2', part: '1', area: 8_900, height: 22.1, up: 5, down: 1, progress: 66 },
      { name: '地下车库', type: '5', part: '4', area: 17_800, height: 3.9, up: 0, down: 2, progress: 40 },
    ],
  },
  {
    key: 'dongwan',
    name: '东湾综合体项目',
    shortName: '东湾综合体',
    areaCode: '420202',
    category: '01',
    status: '003',
    startDaysAgo: 268,
    planDays: 900,
    phase: '2',
    progress: 27,
    owner: 'donghu',
    contractor: 'zhongchu',
    address: '云泽市滨江区东湾大道 66 号',
    origin: { lng: 115.0918, lat: 30.2195 },
    functionNum: '302',
    structureType: '4',
    area: 188_000,
    length: null,
    floorsUp: 32,
    floorsDown: 3,
    invest: 165_000,
    price: 118_400,
    prjSize: '01',
    fundSource: '3',
    linkMan: '许志强',
    green: false,
    attendance: 0.9,
    description: '商业、办公、酒店综合体，两座塔楼，地下三层，基坑开挖深度 15.2 米。',
    units: [
      { corp: 'donghu', role: '008', pm: '杜明远' },
      {
        corp: 'zhongchu',
        role: '009',
        pm: '许志强',
        managers: [
          ['1009', 1],
          ['1011', 1],
          ['1029', 1],
          ['1018', 3],
          ['1017', 2],
          ['1016', 5],
          ['1022', 1],
          ['1023', 1],
          ['1020', 1],
          ['1021', 1],
          ['1025', 2],
          ['1031', 1],
        ],
        teams: [team('钢筋班', 'rebar', 42), night(team('混凝土班', 'concrete', 26), 8), team('杂工班', 'helper', 12)],
      },
      {
        corp: 'zhengheng',
        role: '007',
        pm: '韦国良',
        managers: [
          ['1001', 1],
          ['1003', 1],
          ['1004', 2],
          ['1006', 4],
        ],
      },
      {
        corp: 'huaan',
        role: '006',
        parent: 'zhongchu',
        pm: '曾华安',
        teams: [team('木工班', 'formwork', 58), team('架子班', 'scaffold', 24), team('砌筑班', 'mason', 14)],
      },
      {
        corp: 'hengsheng',
        role: '002',
        parent: 'zhongchu',
        pm: '石恒',
        teams: [night(team('塔机班', 'craneDriver', 8, ['signal', 8], ['erector', 4]), 4)],
      },
      { corp: 'anjie', role: '001', parent: 'zhongchu', pm: '尹安', teams: [team('机电班', 'electrician', 8, ['pipe', 8])] },
    ],
    unitProjects: [
      { name: '1# 塔楼', type: '3', part: '1', area: 76_000, height: 138, up: 32, down: 3, progress: 31 },
      { name: '2# 塔楼', type: '3', part: '1', area: 52_000, height: 98, up: 24, down: 3, progress: 26 },
      { name: '裙房及地下室', type: '3', part: '4', area: 60_000, height: 24, up: 5, down: 3, progress: 22 },
    ],
  },
  {
    key: 'jiangtan',
    name: '江滩公寓二期项目',
    shortName: '江滩公寓二期',
    areaCode: '420202',
    category: '01',
    status: '005',
    startDaysAgo: 520,
    planDays: 820,
    phase: '3',
    progress: 63,
    owner: 'jiangtan',
    contractor: 'yunze',
    address: '云泽市滨江区江滩路 21 号',
    origin: { lng: 115.0587, lat: 30.2101 },
    functionNum: '100',
    structureType: '3',
    area: 64_200,
    length: null,
    floorsUp: 26,
    floorsDown: 1,
    invest: 42_000,
    price: 26_800,
    prjSize: '02',
    fundSource: '3',
    linkMan: '周建平',
    green: false,
    attendance: 0.16,
    description: '住宅及配套，三栋高层。临边防护整改未闭合，停工整改中。',
    units: [
      { corp: 'jiangtan', role: '008', pm: '任江' },
      {
        corp: 'yunze',
        role: '009',
        pm: '周建平',
        managers: [
          ['1009', 1],
          ['1011', 1],
          ['1018', 2],
          ['1017', 1],
          ['1016', 3],
          ['1022', 1],
          ['1023', 1],
          ['1020', 1],
        ],
        teams: [team('钢筋班', 'rebar', 18), team('木工班', 'formwork', 22)],
      },
      {
        corp: 'binjianli',
        role: '007',
        pm: '姚秉公',
        managers: [
          ['1001', 1],
          ['1004', 1],
          ['1006', 2],
        ],
      },
      { corp: 'dingli', role: '006', parent: 'yunze', pm: '程定川', teams: [team('架子班', 'scaffold', 16)] },
      { corp: 'huaan', role: '006', parent: 'yunze', pm: '曾华安', teams: [team('砌筑班', 'mason', 18)] },
      { corp: 'hengsheng', role: '002', parent: 'yunze', pm: '石恒', teams: [team('塔机班', 'craneDriver', 4, ['signal', 3])] },
    ],
    unitProjects: [
      { name: '5# 楼', type: '1', part: '1', area: 22_000, height: 78.6, up: 26, down: 1, progress: 68 },
      { name: '6# 楼', type: '1', part: '1', area: 22_000, height: 78.6, up: 26, down: 1, progress: 61 },
    ],
  },
  {
    key: 'zhigu',
    name: '云东智谷二期项目',
    shortName: '云东智谷二期',
    areaCode: '420203',
    category: '01',
    status: '003',
    startDaysAgo: 186,
    planDays: 640,
    phase: '2',
    progress: 24,
    owner: 'kechuang',
    contractor: 'chuyuan',
    address: '云泽市云东区科创大道 9 号',
    origin: { lng: 115.1386, lat: 30.2042 },
    functionNum: '301',
    structureType: '2',
    area: 92_500,
    length: null,
    floorsUp: 15,
    floorsDown: 2,
    invest: 68_000,
    price: 45_300,
    prjSize: '01',
    fundSource: '8',
    linkMan: '蒋文远',
    green: false,
    attendance: 0.93,
    description: '研发办公园区二期，土方与主体穿插施工，扬尘重点监管项目。',
    units: [
      { corp: 'kechuang', role: '008', pm: '汤科' },
      {
        corp: 'chuyuan',
        role: '009',
        pm: '蒋文远',
        managers: [
          ['1009', 1],
          ['1011', 1],
          ['1018', 3],
          ['1017', 2],
          ['1016', 4],
          ['1022', 1],
          ['1023', 1],
          ['1020', 1],
          ['1025', 2],
        ],
        teams: [
          team('钢筋班', 'rebar', 30),
          night(team('土方班', 'digger', 16, ['helper', 8]), 6),
          team('水电班', 'electrician', 6, ['pipe', 8]),
        ],
      },
      {
        corp: 'zhongding',
        role: '007',
        pm: '白启文',
        managers: [
          ['1001', 1],
          ['1004', 2],
          ['1006', 3],
        ],
      },
      {
        corp: 'zhongxin',
        role: '006',
        parent: 'chuyuan',
        pm: '易众',
        teams: [team('木工班', 'formwork', 36), team('架子班', 'scaffold', 18), team('防水班', 'waterproof', 8)],
      },
      {
        corp: 'tongda',
        role: '002',
        parent: 'chuyuan',
        pm: '毛通',
        teams: [night(team('起重班', 'craneDriver', 5, ['signal', 5], ['erector', 3]), 2)],
      },
    ],
    unitProjects: [
      { name: 'A 座', type: '2', part: '1', area: 38_000, height: 64.2, up: 15, down: 2, progress: 28 },
      { name: 'B 座', type: '2', part: '4', area: 31_000, height: 52.6, up: 12, down: 2, progress: 19 },
    ],
  },
  {
    key: 'school',
    name: '云东中学迁建项目',
    shortName: '云东中学',
    areaCode: '420203',
    category: '01',
    status: '003',
    startDaysAgo: 330,
    planDays: 560,
    phase: '4',
    progress: 78,
    owner: 'jiaoyu',
    contractor: 'chuyuan',
    address: '云泽市云东区学府路 3 号',
    origin: { lng: 115.1541, lat: 30.1987 },
    functionNum: '304',
    structureType: '1',
    area: 41_800,
    length: null,
    floorsUp: 6,
    floorsDown: 1,
    invest: 24_600,
    price: 17_900,
    prjSize: '02',
    fundSource: '7',
    linkMan: '崔海燕',
    green: true,
    attendance: 0.955,
    description: '48 班初级中学，教学楼、综合楼、体育馆，装饰装修阶段。',
    units: [
      { corp: 'jiaoyu', role: '008', pm: '康立学' },
      {
        corp: 'chuyuan',
        role: '009',
        pm: '崔海燕',
        managers: [
          ['1009', 1],
          ['1011', 1],
          ['1018', 2],
          ['1017', 2],
          ['1016', 3],
          ['1022', 1],
          ['1023', 1],
          ['1020', 1],
        ],
        teams: [team('抹灰班', 'plaster', 22), team('水电班', 'electrician', 8, ['pipe', 10])],
      },
      {
        corp: 'zhongding',
        role: '007',
        pm: '苏文清',
        managers: [
          ['1001', 1],
          ['1004', 1],
          ['1006', 2],
        ],
      },
      {
        corp: 'zhongxin',
        role: '006',
        parent: 'chuyuan',
        pm: '易众',
        teams: [team('镶贴班', 'tile', 24), team('油漆班', 'paint', 20), team('架子班', 'scaffold', 12)],
      },
      { corp: 'tongda', role: '002', parent: 'chuyuan', pm: '毛通', teams: [team('升降机班', 'craneDriver', 3, ['signal', 2])] },
    ],
    unitProjects: [
      { name: '教学楼', type: '2', part: '6', area: 22_400, height: 23.8, up: 6, down: 1, progress: 82 },
      { name: '体育馆', type: '2', part: '1', area: 6_200, height: 18.2, up: 2, down: 0, progress: 66 },
    ],
  },
  {
    key: 'tunnel',
    name: '沿江二路综合管廊工程',
    shortName: '沿江二路管廊',
    areaCode: '420202',
    category: '02',
    status: '003',
    startDaysAgo: 142,
    planDays: 480,
    phase: '2',
    progress: 31,
    owner: 'chengtou',
    contractor: 'shizheng',
    address: '云泽市滨江区沿江二路（江汉街至南门大道）',
    origin: { lng: 115.0834, lat: 30.2069 },
    functionNum: '000',
    structureType: null,
    area: null,
    length: 2_860,
    floorsUp: 0,
    floorsDown: 1,
    invest: 31_500,
    price: 22_700,
    prjSize: '02',
    fundSource: '6',
    linkMan: '许国强',
    green: false,
    attendance: 0.88,
    description: '双舱综合管廊 2.86 公里，明挖法施工，钻孔灌注桩支护。',
    units: [
      { corp: 'chengtou', role: '008', pm: '孟城' },
      {
        corp: 'shizheng',
        role: '009',
        pm: '许国强',
        managers: [
          ['1009', 1],
          ['1011', 1],
          ['1018', 2],
          ['1017', 1],
          ['1016', 3],
          ['1022', 1],
          ['1023', 1],
          ['1025', 2],
        ],
        teams: [night(team('桩机班', 'pileRig', 8, ['helper', 4]), 4), team('钢筋班', 'rebar', 14), team('模板班', 'formwork', 12)],
      },
      {
        corp: 'binjianli',
        role: '007',
        pm: '潘志清',
        managers: [
          ['1001', 1],
          ['1004', 1],
          ['1006', 2],
        ],
      },
      { corp: 'huaan', role: '006', parent: 'shizheng', pm: '曾华安', teams: [team('土方班', 'digger', 10, ['helper', 6])] },
    ],
    unitProjects: [
      { name: '1 标段 K0+000–K1+400', type: '8', part: '5', area: 9_800, height: 0, up: 0, down: 1, progress: 42 },
      { name: '2 标段 K1+400–K2+860', type: '8', part: '2', area: 10_200, height: 0, up: 0, down: 1, progress: 19 },
    ],
  },
]

/** People of the story. `tail` are the last four characters of the ID number; `entryDaysAgo` counts back from today. */
export interface NamedWorker {
  project: string
  team?: string
  post?: string
  name: string
  gender?: '1' | '2'
  nation?: string
  age: number
  area?: string
  tail?: string
  phone?: string
  entryDaysAgo?: number
  /** Days until the special-operations certificate expires; negative = expired. */
  certDays?: number
  certNo?: string
  formal?: '0' | '1' | '2'
  leader?: boolean
  trade?: Trade
}

export const namedWorkers: NamedWorker[] = [
  { project: 'hospital', post: '1009', name: '刘振华', age: 47 },
  { project: 'hospital', post: '1011', name: '孙志远', age: 43 },
  { project: 'hospital', post: '1029', name: '王建国', age: 45 },
  { project: 'hospital', post: '1018', name: '周立新', age: 38 },
  { project: 'hospital', post: '1022', name: '李敏', gender: '2', age: 35 },
  { project: 'hospital', post: '1001', name: '何秀峰', age: 52 },
  { project: 'dongwan', post: '1009', name: '许志强', age: 44 },
  { project: 'dongwan', post: '1001', name: '韦国良', age: 50 },
  { project: 'jiangtan', post: '1009', name: '周建平', age: 49 },
  { project: 'zhigu', post: '1009', name: '蒋文远', age: 46 },
  { project: 'school', post: '1009', name: '崔海燕', gender: '2', age: 42 },
  { project: 'tunnel', post: '1009', name: '许国强', age: 48 },
  {
    project: 'hospital',
    team: '机械租赁班',
    name: '陈大勇',
    age: 46,
    area: '420690',
    tail: '1235',
    entryDaysAgo: 263,
    certDays: 12,
    certNo: '鄂A042024006183',
    leader: true,
  },
  { project: 'hospital', team: '机械租赁班', name: '马成林', age: 41, entryDaysAgo: 254, certDays: 418 },
  { project: 'hospital', team: '架子一班', name: '田光明', age: 46, tail: '2213', entryDaysAgo: 263, certDays: 366, leader: true },
  { project: 'hospital', team: '架子一班', name: '向自强', nation: '15', age: 51, tail: '0917', entryDaysAgo: 267, certDays: 12 },
  { project: 'hospital', team: '架子一班', name: '胡志刚', age: 55, tail: '2710', entryDaysAgo: 267, certDays: 27 },
  { project: 'hospital', team: '架子一班', name: '覃业军', nation: '15', age: 29, tail: '4115', entryDaysAgo: 92, certDays: 540 },
  { project: 'hospital', team: '架子一班', name: '邓永发', age: 58, tail: '1919', entryDaysAgo: 267, certDays: -5, formal: '2' },
  { project: 'hospital', team: '架子一班', name: '邱长春', age: 44, entryDaysAgo: 240, certDays: 233 },
  {
    project: 'hospital',
    team: '架子二班',
    name: '詹文斌',
    age: 40,
    area: '421190',
    tail: '3312',
    entryDaysAgo: 92,
    certDays: 301,
    leader: true,
  },
  {
    project: 'hospital',
    team: '架子二班',
    name: '谭世林',
    nation: '15',
    age: 44,
    area: '422890',
    tail: '0851',
    entryDaysAgo: 92,
    certDays: 187,
  },
  {
    project: 'hospital',
    team: '架子二班',
    name: '田大军',
    nation: '15',
    age: 31,
    area: '422890',
    tail: '1332',
    entryDaysAgo: 92,
    certDays: 622,
  },
  { project: 'hospital', team: '钢筋一班', name: '彭秋生', age: 38, tail: '3618', entryDaysAgo: 254, leader: true },
  {
    project: 'hospital',
    team: '钢筋一班',
    name: '阿依古丽·买买提',
    gender: '2',
    nation: '05',
    age: 33,
    area: '653190',
    tail: '0022',
    entryDaysAgo: 172,
  },
  { project: 'hospital', team: '钢筋一班', name: '石金山', age: 53, area: '420590', tail: '1037', entryDaysAgo: 254 },
  { project: 'hospital', team: '钢筋一班', name: '邹建华', age: 49, area: '421090', tail: '6810', entryDaysAgo: 254 },
  { project: 'hospital', team: '钢筋一班', name: '马小龙', age: 24, tail: '4017', entryDaysAgo: 2, formal: '0' },
  { project: 'hospital', team: '钢筋一班', name: '秦冬梅', gender: '2', age: 44, entryDaysAgo: 230 },
  { project: 'hospital', team: '钢筋二班', name: '鲁国平', age: 42, tail: '6013', entryDaysAgo: 219, leader: true },
  { project: 'hospital', team: '钢筋二班', name: '万小兵', age: 36, tail: '0038', entryDaysAgo: 219 },
  { project: 'hospital', team: '钢筋二班', name: '李桂珍', gender: '2', age: 47, tail: '5224', entryDaysAgo: 197 },
  { project: 'hospital', team: '钢筋二班', name: '杨光明', age: 35, area: '420390', tail: '2714', entryDaysAgo: 197 },
  { project: 'hospital', team: '钢筋二班', name: '龚伟', age: 33, entryDaysAgo: 160 },
]

/** Staff of governments and head offices, who are on no site. */
export const officePeople: { account: string; name: string; title: string; government?: string; corp?: string }[] = [
  { account: 'city-fang', name: '方启年', title: '市局工程质量安全处处长', government: '420200001' },
  { account: 'city-xu', name: '许文静', title: '市局专家库管理员', government: '420200001' },
  { account: 'bj-zhao', name: '赵启明', title: '监督员', government: '420202001' },
  { account: 'bj-qian', name: '钱红', title: '监督员', government: '420202001' },
  { account: 'bj-sun', name: '孙立', title: '监督员', government: '420202001' },
  { account: 'bj-wu', name: '吴静', title: '监督科科长', government: '420202001' },
  { account: 'bj-zheng', name: '郑涛', title: '监督员', government: '420202001' },
  { account: 'yd-wang', name: '王海', title: '监督员', government: '420203001' },
  { account: 'yunze-lu', name: '陆明章', title: '集团安全总监', corp: 'yunze' },
  { account: 'chuyuan-li', name: '黎楚垣', title: '总经理', corp: 'chuyuan' },
  { account: 'hengsheng-shi', name: '石恒', title: '设备部经理', corp: 'hengsheng' },
  { account: 'dingli-cheng', name: '程定川', title: '劳务负责人', corp: 'dingli' },
  { account: 'weijian-xia', name: '夏文博', title: '建设单位代表', corp: 'weijian' },
  { account: 'jiangtan-he', name: '何向东', title: '建设单位代表', corp: 'jiangtan' },
]
