/** One thing to look at on a machine. */
export interface UpkeepItem {
  code: string
  group: string
  name: string
  /** Part of the short check that the operator makes before the shift. */
  daily?: true
  /** A safety device: whoever repairs it holds a valid certificate. */
  safety?: true
}

/** Groups of items, in the order in which a machine is looked at. */
const groups = {
  base: '基础',
  steel: '结构件',
  bolts: '螺栓',
  ties: '附着',
  rope: '钢丝绳',
  brake: '制动',
  limit: '限位',
  moment: '力矩与载重',
  fall: '防坠',
  electric: '电气',
  sign: '标识与司机室',
} as const
type Group = keyof typeof groups

const daily = { daily: true } as const
const safety = { safety: true } as const
type Line = readonly [group: Group, name: string, marks?: Partial<Pick<UpkeepItem, 'daily' | 'safety'>>]

/** Codes stay with an item for good: group and number. */
function list(lines: readonly Line[]): readonly UpkeepItem[] {
  const counts = new Map<Group, number>()
  return lines.map(([group, name, marks]) => {
    const no = (counts.get(group) ?? 0) + 1
    counts.set(group, no)
    return { code: `${group}${String(no).padStart(2, '0')}`, group: groups[group], name, ...marks }
  })
}

const tower = list([
  ['base', '基础无积水、无沉降，地脚螺栓紧固', daily],
  ['base', '垂直度偏差不大于 4‰'],
  ['steel', '塔身、起重臂、平衡臂无裂纹、无明显变形'],
  ['steel', '回转支承、标准节连接处无开焊'],
  ['bolts', '标准节高强螺栓、销轴紧固并有防松'],
  ['bolts', '回转支承螺栓力矩符合说明书'],
  ['ties', '附着杆、锚固件无变形松动，间距符合方案'],
  ['rope', '起升钢丝绳断丝、磨损未达报废标准', daily],
  ['rope', '变幅钢丝绳与防断绳、防断轴装置完好', safety],
  ['rope', '吊钩、滑轮防脱装置完好', { ...daily, ...safety }],
  ['brake', '起升、变幅、回转制动可靠', { ...daily, ...safety }],
  ['limit', '起升高度限位灵敏可靠', { ...daily, ...safety }],
  ['limit', '幅度限位、回转限位灵敏可靠', safety],
  ['moment', '力矩限制器有效，未短接', { ...daily, ...safety }],
  ['moment', '起重量限制器有效，未短接', safety],
  ['electric', '电缆无破损，接零接地与防雷符合要求'],
  ['electric', '紧急停止、错断相保护有效', daily],
  ['sign', '铭牌、限载标志、障碍灯齐全'],
  ['sign', '司机室整洁，灭火器有效，交接班记录完整', daily],
])
const hoist = list([
  ['base', '基础与缓冲器完好，无积水', daily],
  ['steel', '导轨架、吊笼无裂纹、无变形，垂直度符合要求'],
  ['bolts', '标准节螺栓、齿条螺栓紧固'],
  ['ties', '附墙架连接牢固，间距与悬臂高度符合说明书'],
  ['rope', '对重钢丝绳与绳头固定完好'],
  ['brake', '电动机制动可靠', { ...daily, ...safety }],
  ['limit', '上下限位、极限开关灵敏可靠', { ...daily, ...safety }],
  ['limit', '吊笼门、围栏门、层门机电联锁有效', { ...daily, ...safety }],
  ['moment', '超载保护装置有效', safety],
  ['fall', '防坠安全器在标定有效期内', { ...daily, ...safety }],
  ['fall', '防坠坠落试验按期进行并有记录', safety],
  ['electric', '电缆、滑触线完好，急停、相序保护有效', daily],
  ['sign', '限载、限乘标志与操作规程齐全', daily],
])
const materialHoist = list([
  ['base', '基础无沉降，缓冲装置完好', daily],
  ['steel', '架体、吊笼无变形、无开焊'],
  ['bolts', '架体连接螺栓紧固'],
  ['ties', '附墙架或缆风绳符合方案'],
  ['rope', '钢丝绳未达报废标准，绳夹固定正确', daily],
  ['brake', '卷扬机制动可靠', { ...daily, ...safety }],
  ['limit', '上限位、防松绳装置有效', { ...daily, ...safety }],
  ['moment', '起重量限制器有效', safety],
  ['fall', '停层装置、防坠安全器有效', safety],
  ['electric', '电气接零接地，急停有效', daily],
  ['sign', '停层门、限载标志齐全，严禁载人标志醒目', daily],
])
const basket = list([
  ['base', '悬挂机构前梁外伸、配重符合要求并固定', daily],
  ['steel', '平台无变形、无开焊'],
  ['bolts', '悬挂机构与平台螺栓、销轴齐全'],
  ['rope', '工作钢丝绳、安全钢丝绳未达报废标准', daily],
  ['brake', '提升机制动可靠', { ...daily, ...safety }],
  ['limit', '上限位、急停有效', { ...daily, ...safety }],
  ['fall', '安全锁在标定有效期内，试验有效', { ...daily, ...safety }],
  ['fall', '安全绳独立固定，安全带扣挂可靠', { ...daily, ...safety }],
  ['electric', '电缆、漏电保护完好'],
  ['sign', '限载、限员标志齐全', daily],
])
const scaffold = list([
  ['base', '附着支承受力螺栓、垫板齐全，混凝土强度达到要求', daily],
  ['steel', '竖向主框架、水平支承桁架无变形'],
  ['bolts', '连接螺栓、销轴齐全紧固'],
  ['brake', '升降动力设备同步、制动可靠', safety],
  ['limit', '同步控制、荷载控制系统有效', safety],
  ['fall', '防坠落、防倾覆装置有效', { ...daily, ...safety }],
  ['electric', '升降控制柜、线路完好'],
  ['sign', '架体封闭、翻板严密，限载标志齐全', daily],
])
const mobile = list([
  ['base', '站位地基坚实，支腿垫实或轨道平直', daily],
  ['steel', '臂架、主梁无裂纹、无明显变形'],
  ['bolts', '连接螺栓、销轴齐全紧固'],
  ['rope', '钢丝绳、吊钩、滑轮未达报废标准', daily],
  ['brake', '起升、变幅、行走制动可靠', { ...daily, ...safety }],
  ['limit', '高度、行程限位灵敏可靠', { ...daily, ...safety }],
  ['moment', '力矩或起重量限制器有效', { ...daily, ...safety }],
  ['electric', '电气、液压系统无泄漏、无破损'],
  ['sign', '限载、警示标志齐全，灭火器有效', daily],
])

/** Lists by specialDeviceType; the rest are looked at as mobile machines. */
const byType: Readonly<Record<string, readonly UpkeepItem[]>> = { 1: tower, 2: hoist, 3: materialHoist, 8: basket, 9: scaffold }

/** 班前检查 in dictionary deviceInspectType. */
export const beforeShift = '1'
/** 第三方检测 and 定期检验: a test organisation writes a report. */
export const testTypes: readonly string[] = ['7', '8']

/** What is looked at on a machine of this type (specialDeviceType) in a check of this kind (deviceInspectType). */
export function itemsOf(deviceType: string, inspectType: string): readonly UpkeepItem[] {
  const all = byType[deviceType] ?? mobile
  return inspectType === beforeShift ? all.filter((one) => one.daily) : all
}

/** Every code of an item, for any machine. */
export const itemOf = (deviceType: string, code: string): UpkeepItem | undefined =>
  (byType[deviceType] ?? mobile).find((one) => one.code === code)
