import type { RectifyScene } from './media/rectify-scene.ts'

/** A problem as inspectors write it, with the answer of the site and what a second look may find missing. */
export interface ProblemWords {
  /** Which pair of pictures shows it before and after. */
  scene: RectifyScene
  /** Code of dictionary rectifyCategory. */
  category: string
  description: string
  /** Place, said after the name of the building. */
  place: string
  requirement: string
  clause: string | null
  measure: string
  /** Why an answer to it was returned. */
  fault: string
}

const rails = { scene: 'rail', category: '01', clause: 'JGJ 80-2016 第 4.1.1 条', fault: '照片不是同一部位，且缺中间横杆' } as const
const openings = { scene: 'opening', category: '01', clause: 'JGJ 80-2016 第 4.2.1 条', fault: '盖板未固定，可随意移动' } as const
const boxes = { scene: 'box', category: '01', clause: 'JGJ 59-2011 第 3.14 节 施工用电', fault: '照片看不到锁具和巡检记录' } as const
const cables = { scene: 'cable', category: '01', clause: 'JGJ 59-2011 第 3.14 节 施工用电', fault: '仍有约 10 m 电缆拖在地面' } as const
const passages = { scene: 'passage', category: '07', clause: 'GB 50720-2011 第 3.3.1 条', fault: '通道一侧仍堆有模板，净宽不足' } as const
const ties = {
  scene: 'tie',
  category: '03',
  clause: 'JGJ 59-2011 第 3.3 节 扣件式钢管脚手架',
  fault: '只补了东立面，北立面未见整改',
} as const
const bases = { scene: 'base', category: '04', clause: 'JGJ 59-2011 第 3.17 节 塔式起重机', fault: '积水已抽，集水井和排水沟未做' } as const
const fires = { scene: 'hotWork', category: '07', clause: 'GB 50720-2011 第 6.3.1 条', fault: '未附动火许可证和监护人签字' } as const
const props = { scene: 'props', category: '03', clause: 'JGJ 59-2011 第 3.12 节 模板支架', fault: '立杆间距实测仍超方案 150 mm' } as const
const soils = { scene: 'soil', category: '06', clause: null, fault: '西侧土堆仍未覆盖' } as const
const stacks = { scene: 'stack', category: '05', clause: 'JGJ 59-2011 第 3.2 节 文明施工', fault: '标识牌未挂，堆高仍超 2 m' } as const
const walls = { scene: 'wall', category: '02', clause: null, fault: '复测仍有 3 点超差' } as const

export const problems: readonly ProblemWords[] = [
  {
    ...rails,
    description: '楼层临边防护栏杆缺失，长约 12 m，下方有人作业',
    place: '五层南侧',
    requirement: '按 1.2 m 高双道栏杆搭设防护，挂密目网和警示标志，验收后方可作业',
    measure: '已搭设双道防护栏杆并挂密目网，设挡脚板，安全员验收合格',
  },
  {
    ...rails,
    description: '楼梯踏步临边未设防护栏杆',
    place: '三至四层楼梯间',
    requirement: '安装定型化楼梯防护栏杆，逐层检查',
    measure: '三至六层楼梯均安装定型化栏杆，共 8 跑',
  },
  {
    ...rails,
    description: '卸料平台两侧防护挡板缺失一块，限载牌脱落',
    place: '八层东侧',
    requirement: '补齐硬质挡板，恢复限载牌，作业前检查',
    measure: '挡板已补齐并满铺，限载牌已重新悬挂，列入班前检查',
  },
  {
    ...rails,
    description: '屋面女儿墙高度不足处未设临边防护',
    place: '裙房屋面',
    requirement: '沿周边加设防护栏杆，拆除须办理手续',
    measure: '屋面周边已加设栏杆共 46 m，张贴拆除审批告知',
  },
  {
    ...openings,
    description: '预留洞口未覆盖，洞口短边约 600 mm',
    place: '四层 6 轴',
    requirement: '洞口用盖板覆盖并固定，涂刷警示标识',
    measure: '本层 7 处预留洞口全部加盖固定并编号',
  },
  {
    ...openings,
    description: '电梯井口防护门缺失，井道内未按每两层设水平网',
    place: '六层 2# 电梯井',
    requirement: '安装不低于 1.5 m 的防护门，井道内补设水平安全网',
    measure: '防护门已安装上锁，井道每两层张设水平网并清理杂物',
  },
  {
    ...openings,
    description: '后浇带两侧防护不到位，无盖板',
    place: '地下一层',
    requirement: '后浇带满铺模板覆盖，两侧设警示',
    measure: '后浇带已满铺覆盖，两侧刷警示线',
  },
  {
    ...boxes,
    description: '分配电箱箱门敞开未上锁，无巡检记录',
    place: '一层钢筋加工棚',
    requirement: '箱门上锁，张贴接线图和责任人，每日巡检',
    measure: '已上锁并张贴接线图、责任人，电工每日巡检签字',
  },
  {
    ...boxes,
    description: '开关箱一闸多机，两台切割机共用一个漏电保护器',
    place: '二层木工加工区',
    requirement: '落实“一机一闸一漏一箱”，拆除多接线路',
    measure: '增设开关箱 2 只，逐台试跳漏保合格',
  },
  {
    ...boxes,
    description: '末级开关箱漏电保护器试跳失灵',
    place: '七层',
    requirement: '更换合格漏电保护器并全面试跳',
    measure: '已更换并对全楼 31 只开关箱试跳，记录附后',
  },
  {
    ...cables,
    description: '电缆沿地面明敷，穿越车辆通道无保护',
    place: '北侧施工道路',
    requirement: '架空或埋地穿管，过路处加保护',
    measure: '电缆已改为沿围挡架空，过路段穿钢管埋深 0.7 m',
  },
  {
    ...cables,
    description: '电缆绝缘破损处仅用胶带缠绕，浸于积水中',
    place: '地下二层',
    requirement: '更换破损电缆，架空离地，抽排积水',
    measure: '破损段已更换，电缆架空，积水已抽排',
  },
  {
    ...cables,
    description: '照明灯具使用 220 V 电压，潮湿场所未用安全电压',
    place: '地下一层设备房',
    requirement: '潮湿场所照明改用不大于 24 V 的安全电压',
    measure: '已改装 24 V 低压灯带 180 m',
  },
  {
    ...passages,
    description: '消防通道被模板、方木堵塞，消防车无法通行',
    place: '东侧环形道路',
    requirement: '立即清理，划线禁停禁堆，净宽不小于 4 m',
    measure: '通道已清空，净宽 4.5 m，划禁停线并设专人巡查',
  },
  {
    ...passages,
    description: '疏散楼梯内堆放保温材料',
    place: '三层北楼梯',
    requirement: '清空楼梯间，材料移入仓库并配灭火器',
    measure: '保温材料已全部移入仓库，楼梯间畅通',
  },
  {
    ...passages,
    description: '临时消防立管压力不足，楼层消火栓无水带',
    place: '十层',
    requirement: '检修加压泵，配齐水带水枪',
    measure: '加压泵已检修，出水压力正常，水带水枪配齐',
  },
  {
    ...ties,
    description: '脚手架连墙件缺失 4 处，局部被拆除未恢复',
    place: '东立面 12 至 14 步',
    requirement: '按两步三跨恢复连墙件，经验收后使用',
    measure: '缺失连墙件已全部恢复，扭矩抽检合格，监理验收签字',
  },
  {
    ...ties,
    description: '作业层脚手板未满铺，存在探头板',
    place: '北立面 9 步',
    requirement: '脚手板满铺绑牢，消除探头板',
    measure: '脚手板已满铺绑扎，挡脚板补齐',
  },
  {
    ...ties,
    description: '脚手架剪刀撑搭接长度不足，扣件松动',
    place: '南立面',
    requirement: '剪刀撑搭接不小于 1 m，不少于 2 个旋转扣件，全面紧固',
    measure: '已接长加固 6 处，扣件全面复拧',
  },
  {
    ...ties,
    description: '悬挑层底部未封闭，建筑垃圾坠落风险大',
    place: '六层悬挑层',
    requirement: '悬挑层满铺硬质封闭，清理架上垃圾',
    measure: '悬挑层已用模板硬封闭，架上垃圾清运完毕',
  },
  {
    ...bases,
    description: '塔吊基础积水，深约 20 cm，排水沟堵塞',
    place: '2# 塔吊',
    requirement: '抽排积水，疏通排水沟，设集水井，复测垂直度',
    measure: '积水已抽排，新做集水井一座，垂直度复测 1.6‰',
  },
  {
    ...bases,
    description: '塔吊标准节螺栓松动 3 只，未见紧固记录',
    place: '1# 塔吊',
    requirement: '停机紧固全部螺栓并标记，补月检记录',
    measure: '停机后全部复紧并划线标记，月检记录已补',
  },
  {
    ...bases,
    description: '施工升降机层门可从外侧开启',
    place: '施工升降机九层',
    requirement: '更换层门插销，保证只能由司机开启',
    measure: '全部层门插销更换为内侧操作，逐层试验合格',
  },
  {
    ...fires,
    description: '动火作业无监护人，未配灭火器，未清理周边可燃物',
    place: '二层机电管井',
    requirement: '立即停止动火，办理动火证，设监护人，配灭火器和接火斗',
    measure: '已办理二级动火证，监护人到岗，配灭火器 2 具、接火斗',
  },
  {
    ...fires,
    description: '氧气瓶与乙炔瓶间距不足 5 m，乙炔瓶卧放',
    place: '一层钢构加工区',
    requirement: '气瓶间距不小于 5 m，距明火不小于 10 m，直立固定，加防震圈',
    measure: '气瓶分车直立固定，间距 6 m，防震圈和回火阀齐全',
  },
  {
    ...fires,
    description: '焊渣飞溅至下层密目网，无接火措施',
    place: '幕墙龙骨焊接处',
    requirement: '焊点下方设接火斗和阻燃布，专人看火',
    measure: '每个焊点设接火斗，下方铺阻燃布，看火人到岗',
  },
  {
    ...props,
    description: '模板支撑立杆间距超方案，实测 1.2 m，方案 0.9 m',
    place: '五层梁板支架',
    requirement: '按专项方案加密立杆，补扫地杆，经验收方可浇筑',
    measure: '已加密立杆 64 根，扫地杆贯通，监理复验合格',
  },
  {
    ...props,
    description: '支撑架扫地杆缺失，立杆底部悬空',
    place: '地下一层顶板支架',
    requirement: '补齐纵横扫地杆，立杆底加垫板顶紧',
    measure: '扫地杆全部补齐，悬空立杆加垫木顶紧',
  },
  {
    ...props,
    description: '可调顶托伸出长度超过 300 mm',
    place: '门厅高支模区',
    requirement: '调整立杆高度，顶托外露不大于 200 mm',
    measure: '更换立杆 22 根，顶托外露控制在 180 mm 以内',
  },
  {
    ...props,
    description: '混凝土强度未达到要求即拆除后浇带支撑',
    place: '三层后浇带',
    requirement: '立即回顶，按同条件试块强度办理拆模审批',
    measure: '后浇带两侧已回顶，拆模改为试块报告审批制',
  },
  {
    ...soils,
    description: '裸土未覆盖，面积约 400 ㎡',
    place: '西侧预留场地',
    requirement: '裸土全部覆盖防尘网，作业面湿法作业',
    measure: '裸土覆盖防尘网 420 ㎡，每日洒水三次',
  },
  {
    ...soils,
    description: '出场车辆未冲洗，门口带泥约 30 m',
    place: '2# 大门',
    requirement: '恢复洗车设施，冲洗干净方可上路，清扫路面',
    measure: '洗车台水泵已更换，路面清洗完毕，门卫逐车检查',
  },
  {
    ...soils,
    description: '切割作业无喷淋降尘',
    place: '材料加工区',
    requirement: '切割机加装喷淋，封闭作业',
    measure: '切割机已加装喷淋并移入封闭棚',
  },
  {
    ...stacks,
    description: '钢管、扣件随意堆放，堆高超 2 m，无标识牌',
    place: '南侧堆场',
    requirement: '按平面布置分类码放，限高挂牌',
    measure: '材料分类码放，堆高 1.6 m，标识牌齐全',
  },
  {
    ...stacks,
    description: '楼层建筑垃圾未及时清运',
    place: '四至六层',
    requirement: '工完场清，垃圾袋装下运，严禁抛掷',
    measure: '四至六层清理完毕，明确楼层清运责任人',
  },
  {
    ...stacks,
    description: '基坑边 1 m 内堆放钢筋原材',
    place: '基坑北侧',
    requirement: '坑边 2 m 内不得堆载，立即移走并设警戒线',
    measure: '钢筋已移至加工场，坑边设警戒线和限载牌',
  },
  {
    ...walls,
    description: '填充墙砌体灰缝不饱满，瞎缝 5 处',
    place: '四层 3 至 5 轴',
    requirement: '凿除返工，砂浆饱满度不低于 80 %',
    measure: '瞎缝处已拆除重砌，百格网检查饱满度 86 %',
  },
  {
    ...walls,
    description: '剪力墙钢筋间距偏差大，保护层垫块缺失',
    place: '七层核心筒',
    requirement: '调整间距，补齐垫块，隐蔽验收合格后封模',
    measure: '钢筋间距已调整，垫块按 0.8 m 梅花布置，监理验收',
  },
  {
    ...walls,
    description: '混凝土柱根部烂根、露筋',
    place: '三层 KZ-6',
    requirement: '报修补方案，剔凿后用高一级灌浆料修补',
    measure: '按方案剔凿至密实层，灌浆料修补并养护 7 天',
  },
  {
    ...walls,
    description: '卫生间墙根未做混凝土反坎',
    place: '五层病房卫生间',
    requirement: '补做 200 mm 高 C20 反坎',
    measure: '五层 12 间卫生间反坎全部补做',
  },
]

/** Clauses under which a problem of a scene is a major hazard (房屋市政工程生产安全重大事故隐患判定标准 2022 版). */
export const majorClauses: Partial<Record<RectifyScene, string>> = {
  tie: '房屋市政工程生产安全重大事故隐患判定标准（2022 版）第七条 脚手架工程',
  rail: '房屋市政工程生产安全重大事故隐患判定标准（2022 版）第九条 高处作业',
  props: '房屋市政工程生产安全重大事故隐患判定标准（2022 版）第六条 模板工程',
}
