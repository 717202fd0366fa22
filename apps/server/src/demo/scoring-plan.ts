import type { RectifyScene } from './media/rectify-scene.ts'

/** Which scored inspections the demonstration has: at which sites, by whom, how many days ago, and what came out. */
export interface InspectionPlan {
  /** Key of the site: its accounts begin with it. */
  site: string
  /** Account that holds it; its group is the checking side. */
  by: string
  inspectType: string
  age: number
  /** The score it comes to, about. */
  score: number
  /** Problems that became notices. */
  problems: number
  /** How many of them are still open. */
  open: number
  sheets: readonly string[]
  /** A 保证项目 that got no point. */
  zero?: string
  signed?: boolean
}

const tower = ['01', '02', '0301', '05', '06', '07', '0802', '0901', '10']
const pit = ['01', '02', '04', '06', '07', '0901', '10']
const tunnel = ['01', '02', '04', '05', '07', '0902', '10']

/** Fourteen submitted ones, the newest first at each site. */
export const inspections: readonly InspectionPlan[] = [
  { site: 'hospital', by: 'yunze-lu', inspectType: '11', age: 5, score: 81.607, problems: 7, open: 5, sheets: tower },
  { site: 'hospital', by: 'hospital-jl', inspectType: '13', age: 19, score: 78.4, problems: 5, open: 1, sheets: tower, signed: true },
  { site: 'hospital', by: 'yunze-lu', inspectType: '11', age: 36, score: 79.3, problems: 6, open: 0, sheets: tower, signed: true },
  { site: 'hospital', by: 'yunze-lu', inspectType: '05', age: 63, score: 76.2, problems: 6, open: 0, sheets: tower, signed: true },
  { site: 'hospital', by: 'yunze-lu', inspectType: '11', age: 128, score: 73.8, problems: 8, open: 0, sheets: pit, signed: true },
  { site: 'dongwan', by: 'dongwan-jl', inspectType: '13', age: 8, score: 77.5, problems: 5, open: 3, sheets: tower },
  { site: 'dongwan', by: 'dongwan-jl', inspectType: '13', age: 31, score: 75.1, problems: 4, open: 0, sheets: tower, signed: true },
  { site: 'dongwan', by: 'dongwan-jl', inspectType: '02', age: 70, score: 72.4, problems: 6, open: 0, sheets: tower, signed: true },
  { site: 'jiangtan', by: 'yunze-lu', inspectType: '11', age: 12, score: 84.7, problems: 3, open: 1, sheets: pit },
  { site: 'jiangtan', by: 'yunze-lu', inspectType: '11', age: 45, score: 80.9, problems: 4, open: 0, sheets: pit, signed: true },
  { site: 'tunnel', by: 'tunnel-jl', inspectType: '13', age: 9, score: 76, problems: 6, open: 4, sheets: tunnel, zero: '070002' },
  { site: 'zhigu', by: 'chuyuan-li', inspectType: '11', age: 7, score: 87.6, problems: 3, open: 1, sheets: tower },
  { site: 'zhigu', by: 'zhigu-jl', inspectType: '13', age: 40, score: 83.2, problems: 4, open: 0, sheets: tower, signed: true },
  { site: 'school', by: 'chuyuan-li', inspectType: '11', age: 16, score: 82.3, problems: 4, open: 2, sheets: tower },
]

/** One that is being scored: four of its seven sheets are done. */
export const running = {
  site: 'jiangtan',
  by: 'yunze-lu',
  sheets: ['01', '02', '04', '06', '07', '0901', '10'],
  done: 4,
  checkers: ['陆明章', '何安', '秦立'],
} as const

/** Items that a company has added to the standard: they take their marks from it. */
export const ownItems: readonly { takenFrom: string; name: string; maxScore: number; rule: string }[] = [
  { takenFrom: '060004', name: '定型化临边防护', maxScore: 3, rule: '未使用集团定型化护栏，每处扣 1 分' },
  { takenFrom: '060005', name: '洞口盖板编号', maxScore: 2, rule: '盖板未编号或未登记，每处扣 0.5 分' },
  { takenFrom: '070004', name: '智能电箱在线', maxScore: 4, rule: '智能电箱离线超过 24 小时，每台扣 1 分' },
  { takenFrom: '010005', name: '实名制平台教育记录', maxScore: 3, rule: '平台无三级教育记录，每人扣 0.5 分' },
  { takenFrom: '090105', name: '群塔防碰撞系统', maxScore: 4, rule: '防碰撞系统未启用或参数不符，扣 4 分' },
  { takenFrom: '020006', name: '动火许可线上办理', maxScore: 3, rule: '未在平台办理动火许可，每次扣 1 分' },
]

/** What inspectors usually write about an item, the first of them with the picture that shows it. */
export const findings: Readonly<Record<string, { scene?: RectifyScene; words: readonly string[] }>> = {
  '010001': { words: ['安全生产责任制未按岗位签订', '考核记录缺两个月'] },
  '010002': { words: ['脚手架专项方案未经总监审批签字', '方案与现场搭设不一致'] },
  '010003': { words: ['交底未按分部分项进行', '交底签字代签'] },
  '010004': { words: ['隐患整改未形成闭环记录', '周检记录缺项'] },
  '010005': { words: ['新进场工人三级教育学时不足', '转岗人员未重新教育'] },
  '010006': { words: ['应急物资过期未更换', '半年内未组织演练'] },
  '010007': { words: ['分包安全员配备不足', '分包安全协议未附明细'] },
  '010008': { words: ['信号工证件过期', '焊工未随身携带操作证'] },
  '010010': { words: ['危险部位安全标志缺失', '标志布置与总平面图不符'] },
  '020001': { words: ['围挡局部倾斜破损', '围挡外侧堆土'] },
  '020002': { words: ['门卫未登记来访人员', '大门处未设门禁'] },
  '020003': { words: ['主要道路未硬化', '排水沟堵塞积水'] },
  '020004': { scene: 'stack', words: ['模板堆放超高且无标识', '钢筋未分类码放'] },
  '020006': { scene: 'passage', words: ['消防通道堆放材料', '灭火器压力不足'] },
  '020007': { words: ['治安责任未分解到人', '生活区无治安巡查记录'] },
  '020009': { words: ['食堂未公示健康证', '淋浴间用电未设漏电保护'] },
  '030102': { words: ['立杆底部悬空未设垫板', '基础排水不畅'] },
  '030103': { scene: 'tie', words: ['连墙件缺失，间距超方案', '顶层连墙件被拆除未恢复'] },
  '030104': { words: ['剪刀撑未连续设置', '纵向水平杆间距偏大'] },
  '030105': { words: ['作业层脚手板未满铺', '外侧挡脚板缺失'] },
  '030106': { words: ['分段搭设未验收即使用', '验收未量化'] },
  '030109': { words: ['层间水平网未封闭', '作业层与墙面间隙过大'] },
  '040002': { words: ['坡面局部渗水未处理', '锚杆张拉记录不全'] },
  '040003': { words: ['坑边排水沟破损', '降水井停泵未及时处理'] },
  '040005': { words: ['坑边 2 m 内堆放钢筋', '泥浆车临边停放'] },
  '040006': { words: ['坑边防护栏杆不连续', '上下通道坡度过陡'] },
  '040007': { words: ['监测点被遮挡', '监测报告未按频率提交'] },
  '050002': { words: ['支架基础未硬化', '底座未设垫板'] },
  '050003': { words: ['扫地杆缺失', '水平杆步距超方案'] },
  '050004': { scene: 'props', words: ['立杆间距超方案，可调托撑外露过长', '竖向剪刀撑数量不足'] },
  '050006': { words: ['浇筑前未办理验收', '交底无接受人签字'] },
  '050008': { words: ['托撑螺杆外露超 200 mm', '底座松动'] },
  '060001': { words: ['个别作业人员未系安全帽下颌带', '安全帽超期使用'] },
  '060002': { words: ['密目网破损', '安全平网内杂物未清'] },
  '060003': { words: ['高处作业未系挂安全带', '安全带低挂高用'] },
  '060004': { scene: 'rail', words: ['楼层临边防护栏杆缺失', '栏杆未设挡脚板'] },
  '060005': { scene: 'opening', words: ['预留洞口未覆盖固定', '电梯井口防护门缺失'] },
  '060006': { words: ['通道口防护棚长度不足', '防护棚单层铺设'] },
  '060010': { words: ['卸料平台限载牌缺失', '平台钢丝绳与建筑物锐角未设衬垫'] },
  '070001': { words: ['外电防护未挂警示牌', '防护设施间距不足'] },
  '070002': { words: ['保护零线未在末端重复接地', '工作零线与保护零线混用'] },
  '070003': { scene: 'cable', words: ['电缆拖地敷设未保护', '电缆过路未穿管'] },
  '070004': { scene: 'box', words: ['配电箱未上锁，一闸多机', '漏电保护器失灵'] },
  '070005': { words: ['配电室无警示标志', '配电室灭火器配置不足'] },
  '070006': { words: ['潮湿场所未用安全电压', '照明灯具金属外壳未接零'] },
  '070007': { words: ['电工巡视记录缺失', '接地电阻测试记录过期'] },
  '080201': { words: ['防坠器标定超期', '对重缓冲器缺失'] },
  '080202': { words: ['上极限开关与限位间距不足', '吊笼门联锁失灵'] },
  '080203': { words: ['停层平台防护门未关闭', '地面围栏门联锁失效'] },
  '080206': { words: ['班前检查记录缺失', '附着后未验收'] },
  '080207': { words: ['导轨架垂直度超差', '标准节螺栓松动'] },
  '090101': { words: ['力矩限制器未标定', '起重量限制器失灵'] },
  '090102': { words: ['回转限位失灵', '幅度限位间隙偏大'] },
  '090104': { words: ['钢丝绳断丝接近报废', '吊钩防脱装置缺失'] },
  '090105': { words: ['相邻塔机高差不足', '群塔作业方案未更新'] },
  '090106': { words: ['附着顶升后未联合验收', '司机交接班记录缺失'] },
  '090108': { scene: 'base', words: ['塔机基础积水', '基础接地电阻测试过期'] },
  '090202': { words: ['汽车吊支腿垫板不足', '起重机械证件不全'] },
  '090206': { words: ['信号工与司机未用对讲机', '吊装作业无专人监护'] },
  '100001': { words: ['平刨护手装置缺失', '机具未办理验收'] },
  '100002': { words: ['圆盘锯无分料器', '传动部位无防护罩'] },
  '100004': { words: ['钢筋加工区无防护棚', '对焊作业区未设防火隔离'] },
  '100005': { words: ['电焊机二次线接头破损', '未装空载降压保护器'] },
  '100007': { words: ['氧气乙炔瓶间距不足 5 m', '气瓶无防震圈'] },
}
