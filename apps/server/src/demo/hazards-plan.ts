/** What is dangerous on the site of the story: name, kinds of harm, part, likelihood, exposure, consequence, control level, measures. */
export type PlannedHazard = readonly [
  name: string,
  kinds: readonly string[],
  part: string,
  judged: readonly [likelihood: number, exposure: number, consequence: number],
  controlLevel: string,
  measures: readonly string[],
]

export const plannedHazards: readonly PlannedHazard[] = [
  ['深基坑开挖', ['03', '10'], '基坑东侧', [6, 6, 15], '1', ['分层分段开挖，先撑后挖', '监测值超预警立即停挖', '坑边 2 m 内不堆载']],
  ['悬挑卸料平台', ['01', '02'], '8 层南侧', [6, 6, 15], '1', ['限载牌与专人检查', '钢丝绳独立受力']],
  ['塔吊群塔作业', ['04', '02'], '1#、2# 塔吊交叉区', [6, 6, 15], '1', ['防碰撞系统在线', '交叉区统一指挥']],
  ['高支模浇筑', ['03'], '门诊大厅', [6, 3, 40], '1', ['浇筑全程监测', '分层对称浇筑', '浇筑时下方清场']],
  ['附着式升降脚手架提升', ['01', '03'], '9 层', [3, 6, 15], '2', ['提升前联合检查', '提升时下方警戒']],
  ['施工升降机安拆', ['04', '01'], '1# 升降机', [3, 6, 15], '2', ['安拆单位资质与方案核对', '安拆区警戒']],
  ['塔吊顶升', ['04'], '2# 塔吊', [3, 6, 15], '2', ['风速超限不顶升', '专业人员旁站']],
  ['钢结构吊装', ['04', '01'], '裙楼屋面', [3, 6, 15], '2', ['试吊', '设警戒区']],
  ['幕墙吊篮', ['01'], '北立面', [3, 6, 15], '2', ['安全绳独立悬挂', '每篮不超两人']],
  ['人工挖孔', ['08', '03'], '西侧支护', [3, 6, 15], '2', ['下井前检测气体', '孔口有人看守']],
  ['屋面钢梁焊接', ['07', '01'], '裙楼屋面', [3, 6, 15], '2', ['动火审批', '接火斗与看火人']],
  ['有限空间防水', ['08'], '消防水池', [3, 6, 15], '2', ['通风、检测、监护', '救援器材到位']],
  ['悬挑外架', ['01', '03'], '6 至 12 层', [3, 6, 7], '3', ['连墙件按方案', '每周检查']],
  ['楼层临边', ['01'], '各层', [3, 6, 7], '3', ['定型化防护', '拆除须审批']],
  ['电梯井口', ['01'], '各层', [3, 6, 7], '3', ['井口门上锁', '每两层水平防护']],
  ['模板拆除', ['02', '03'], '7 层', [3, 6, 7], '3', ['拆模令', '下方警戒']],
  ['钢筋加工', ['05', '06'], '加工棚', [3, 6, 7], '3', ['防护罩', '接地']],
  ['木工圆盘锯', ['05'], '木工棚', [3, 6, 7], '3', ['锯片防护罩', '戴防护镜']],
  ['总配电箱', ['06'], '变压器旁', [3, 6, 7], '3', ['持证电工巡检', '门锁完好']],
  ['二级配电箱', ['06'], '楼层', [3, 6, 7], '3', ['漏保试跳', '一机一闸']],
  ['气瓶存放', ['07'], '气瓶库', [3, 6, 7], '3', ['分库存放', '防晒防倾倒']],
  ['食堂燃气', ['07'], '生活区食堂', [3, 6, 7], '3', ['报警器', '专人管理']],
  ['宿舍用电', ['06', '07'], '生活区', [3, 6, 7], '3', ['低压照明', '禁用大功率']],
  ['混凝土泵车', ['09', '05'], '南门', [3, 6, 7], '3', ['支腿垫实', '专人指挥']],
  ['渣土车进出', ['09'], '北门', [3, 6, 7], '3', ['人车分流', '右转盲区提示']],
  ['砌体堆放', ['02'], '楼层', [1, 6, 7], '4', ['离边 1 m', '限高']],
  ['人字梯作业', ['01'], '装饰层', [1, 6, 7], '4', ['一人扶梯']],
  ['手持电动工具', ['06'], '装饰层', [1, 6, 7], '4', ['绝缘检查']],
  ['抹灰脚手板', ['01'], '装饰层', [1, 6, 7], '4', ['脚手板满铺']],
  ['材料搬运', ['02'], '各层', [1, 6, 7], '4', ['手套与安全鞋']],
  ['测量放线', ['01'], '作业层', [1, 6, 3], '4', ['临边系安全带']],
  ['养护洒水', ['06'], '作业层', [1, 6, 3], '4', ['远离电箱']],
  ['油漆存放', ['07'], '材料库', [1, 6, 7], '4', ['通风', '灭火器']],
  ['办公区用电', ['06'], '办公区', [1, 6, 3], '4', ['下班断电']],
  ['降水井', ['10'], '基坑四周', [1, 6, 7], '4', ['井口盖板']],
]

interface PlannedPermit {
  key: string
  type: string
  level: string | null
  content: string
  part: string
  /** Hours from now to start and end; whole days are counted from the morning of a day. */
  state: '0' | '1' | '2' | '3' | '4' | '5' | '6'
  late?: true
  /** Days from today to the morning on which it begins, and the hours of the day. */
  day?: number
  from?: number
  until?: number
}

/** One permit in each state, one closed late; the running one has forty minutes left. */
export const plannedPermits: readonly PlannedPermit[] = [
  { key: 'draft', type: '2', level: null, content: '外立面玻璃安装', part: '北立面 10 层', state: '0', day: 2, from: 8, until: 17 },
  { key: 'asked', type: '5', level: null, content: '消防水池防水涂刷', part: '消防水池', state: '1', day: 1, from: 8, until: 17 },
  { key: 'approved', type: '3', level: null, content: '裙楼屋面钢梁吊装', part: '裙楼屋面', state: '2', day: 1, from: 7, until: 17 },
  { key: 'running', type: '1', level: '二级', content: '屋面钢梁焊接', part: '裙楼屋面①～③轴', state: '3' },
  { key: 'closed', type: '1', level: '三级', content: '栏杆焊接', part: '3 层楼梯间', state: '4', day: -3, from: 8, until: 11 },
  { key: 'rejected', type: '1', level: '一级', content: '油漆库旁管道切割', part: '材料库', state: '5', day: 1, from: 9, until: 12 },
  { key: 'overdue', type: '4', level: null, content: '夜间照明接线', part: '7 层', state: '6', day: -1, from: 13, until: 17, late: true },
  { key: 'late', type: '1', level: '二级', content: '预埋件焊接', part: '门诊大厅', state: '4', day: -5, from: 8, until: 12, late: true },
]
/** Contents of the closed permits of the weeks before. */
export const pastPermits: readonly (readonly [type: string, level: string | null, content: string, part: string])[] = [
  ['1', '三级', '风管支架焊接', '4 层'],
  ['2', null, '外架防护网更换', '6 层东侧'],
  ['4', null, '钢筋加工棚接线', '加工棚'],
  ['6', null, '室外管沟开挖', '北侧道路'],
  ['1', '二级', '钢梁补焊', '裙楼屋面'],
  ['9', null, '大体积混凝土浇筑', '设备层'],
  ['7', null, '临时支撑拆除', '地下一层'],
  ['2', null, '幕墙龙骨安装', '南立面'],
  ['1', '三级', '消防管道焊接', '2 层'],
  ['4', null, '塔吊照明检修', '2# 塔吊'],
]
