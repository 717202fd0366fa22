interface Template {
  code: string
  title: string
  /** Beginnings of the codes of the trades (dictionary workerType) that it is for. */
  trades: readonly string[]
  /** Beginnings of the categories of dangerous works (dictionary hazardCategory). */
  hazards: readonly string[]
  points: readonly string[]
}

const everybody = [
  '上岗前确认身体状况良好，酒后、疲劳、带病不得作业。',
  '进入现场正确佩戴安全帽并系好帽带，穿防滑鞋，不得穿拖鞋、硬底鞋。',
] as const
const emergency = '发现险情立即停止作业、撤离到安全地点并报告班组长和安全员，不得盲目施救。'

/** Content that a briefing starts from; each is copied and edited. */
export const briefingTemplates: readonly Template[] = [
  {
    code: 'scaffold',
    title: '脚手架搭设与拆除',
    trades: ['03'],
    hazards: ['4'],
    points: [
      ...everybody,
      '架子工须持有效特种作业操作证，证件与本人一致方可上架。',
      '2 m 以上作业全程系挂安全带，高挂低用，移动时双钩交替。',
      '立杆间距、步距、连墙件按方案设置，连墙件随架体同步搭设，不得滞后两步。',
      '脚手板满铺、绑牢，无探头板；作业层外侧设 1.2 m 防护栏杆和 180 mm 挡脚板。',
      '架体材料不得超载堆放，严禁抛掷扣件和杆件，工具放入工具袋。',
      '拆除自上而下逐层进行，连墙件随架体逐层拆除，严禁整片推倒；下方设警戒并有专人看守。',
      '六级及以上大风、雨雪、大雾停止作业，复工前检查架体。',
      emergency,
    ],
  },
  {
    code: 'formwork',
    title: '模板安装与拆除',
    trades: ['05', '24'],
    hazards: ['2'],
    points: [
      ...everybody,
      '支撑立杆底部设垫板，扫地杆、水平杆、剪刀撑按方案设置，未经验收不得上料。',
      '临边、洞口先防护后作业，2 m 以上无防护时系挂安全带。',
      '模板堆放不超过 1.5 m，不得堆在临边和脚手架上。',
      '使用圆盘锯时防护罩齐全，木屑及时清理，作业区配灭火器，严禁烟火。',
      '拆模须有拆模申请，混凝土强度达到要求后自上而下拆除，下方不得有人。',
      '起吊大模板由信号工指挥，吊物下方严禁站人。',
      emergency,
    ],
  },
  {
    code: 'rebar',
    title: '钢筋制作与绑扎',
    trades: ['02'],
    hazards: [],
    points: [
      ...everybody,
      '钢筋机械专人操作，防护罩完好，切断机刀口前不得用手直接送短料。',
      '搬运长钢筋注意前后方向和架空线路，吊运两点绑扎、捆绑牢固。',
      '绑扎立柱、墙体钢筋须在操作平台上作业，不得攀爬钢筋骨架。',
      '不得在楼板钢筋上集中堆料，作业层临边防护齐全。',
      '用电设备一机一闸一漏，电缆架空不拖地，下班断电锁箱。',
      emergency,
    ],
  },
  {
    code: 'concrete',
    title: '混凝土浇筑',
    trades: ['04', '14'],
    hazards: [],
    points: [
      ...everybody,
      '浇筑前确认模板支撑已验收，浇筑中安排专人看模，异常立即停止。',
      '泵管固定牢靠，不得与脚手架、模板支撑连接；布料机下方和软管末端 3 m 内不得站人。',
      '振捣器操作者穿绝缘鞋、戴绝缘手套，使用前检查漏电保护器。',
      '清洗泵管时管口前方 10 m 内不得有人。',
      '夜间浇筑照明充足，临边洞口有防护和警示灯。',
      emergency,
    ],
  },
  {
    code: 'masonry',
    title: '砌筑与抹灰',
    trades: ['01', '19', '25'],
    hazards: [],
    points: [
      ...everybody,
      '室内脚手架搭设牢固，不得用砖垛、油桶搭设；脚手板上堆砖不超过三皮。',
      '不得站在墙顶砌筑、画线、清扫或行走。',
      '临边外墙作业面向里操作，落物方向设警戒。',
      '物料提升不得载人，卸料平台防护门随用随关。',
      '切割砌块、瓷砖戴护目镜和防尘口罩。',
      emergency,
    ],
  },
  {
    code: 'electric',
    title: '临时用电',
    trades: ['13', '10', '12'],
    hazards: [],
    points: [
      ...everybody,
      '电工持证上岗，其他人员不得拆接电线。',
      '三级配电两级保护，开关箱一机一闸一漏一箱，漏电保护器每日试跳。',
      '停电检修挂牌、上锁、验电，专人监护。',
      '电缆埋地或架空，过路穿管，不得拖地、绑在脚手架上。',
      '潮湿场所、金属容器内照明使用安全电压。',
      '发生触电先断电源，再施救，并立即拨打 120。',
    ],
  },
  {
    code: 'lifting',
    title: '起重吊装与机械安拆',
    trades: ['08', '17', '18'],
    hazards: ['3'],
    points: [
      ...everybody,
      '司机、信号司索工、安拆工持证上岗，信号统一，对讲机频道专用。',
      '吊装前检查吊索具、限位和力矩限制器，警戒区拉设并有专人看守。',
      '严格执行十不吊：超载、信号不清、捆绑不牢、吊物上站人、斜拉斜吊等不吊。',
      '吊物下方严禁站人和通行，长料加溜绳。',
      '安装、顶升、拆卸作业统一指挥，夜间和六级以上大风停止作业。',
      emergency,
    ],
  },
  {
    code: 'earth',
    title: '土方开挖与基坑',
    trades: ['15', '16'],
    hazards: ['1', '6'],
    points: [
      ...everybody,
      '开挖遵循开槽支撑、先撑后挖、分层开挖、严禁超挖。',
      '坑边 2 m 内不得堆土堆料，临边设 1.2 m 防护栏杆，上下走专用通道。',
      '机械回转半径内不得站人，人机配合由专人指挥。',
      '每日查看监测数据和坑壁，渗漏、裂缝、位移增大立即撤人报告。',
      '开挖前核对地下管线，遇不明管线停止作业。',
      '雨后先检查边坡和支护，确认安全再下坑。',
      emergency,
    ],
  },
  {
    code: 'hotwork',
    title: '焊接与动火',
    trades: ['27', '21', '22'],
    hazards: ['7'],
    points: [
      ...everybody,
      '焊工持证上岗，动火前办理作业票，清除周围 10 m 内可燃物。',
      '配备灭火器和接火斗，设专人监护，作业后监护不少于 30 分钟。',
      '氧气瓶与乙炔瓶间距不小于 5 m，距明火不小于 10 m，乙炔瓶直立并装回火器。',
      '焊机一次线不超过 5 m，二次线双线到位，不得借用钢筋、管道作回路。',
      '高处动火系安全带，下方设警戒。',
      emergency,
    ],
  },
  {
    code: 'waterproof',
    title: '防水施工',
    trades: ['23'],
    hazards: [],
    points: [
      ...everybody,
      '地下室、水池等通风不良处先通风、检测，作业中保持通风，设专人监护。',
      '防水涂料、卷材、溶剂分开存放，作业区严禁烟火，配备灭火器。',
      '热熔施工办理动火票，火焰喷枪不得对人，余火熄灭后离开。',
      '接触涂料戴防护手套和口罩，出现头晕立即撤到通风处。',
      emergency,
    ],
  },
  {
    code: 'general',
    title: '通用作业',
    trades: [''],
    hazards: ['5'],
    points: [
      ...everybody,
      '走安全通道，不跨越警戒线，不擅自拆除防护设施和安全标志。',
      '高处、临边、洞口作业系挂安全带，工具材料不得抛掷。',
      '不操作与本工种无关的机械设备和电气开关。',
      '材料码放整齐，工完场清，消防通道保持畅通。',
      emergency,
    ],
  },
]

const startsWith = (code: string) => (part: string) => code.startsWith(part)

/** Templates for a trade or a category of dangerous works, the fitting ones first. */
export function templatesFor({ workType, category }: { workType?: string | null | undefined; category?: string | null | undefined }) {
  const fits = (one: Template) =>
    (workType ? one.trades.some((part) => part !== '' && startsWith(workType)(part)) : false) ||
    (category ? one.hazards.some(startsWith(category)) : false)
  return [...briefingTemplates.filter(fits), ...briefingTemplates.filter((one) => !fits(one))]
}

/** The content of a template: one numbered point a line. */
export const contentOf = ({ points }: Pick<Template, 'points'>): string => points.map((one, i) => `${i + 1}. ${one}`).join('\n')

/** The points of a content, without their numbers. */
export const pointsOf = (content: string): string[] =>
  content
    .split('\n')
    .map((line) => line.trim().replace(/^\d{1,2}(?:、\s*|\.(?!\d)\s*)/, ''))
    .filter(Boolean)

/** Adds points behind the others and numbers them anew. */
export const withPoints = (content: string, more: readonly string[]): string => contentOf({ points: [...pointsOf(content), ...more] })
