/** Registers of a site whose entries are checked as a whole. */
export const registers = { machine: '起重机械', electricMeter: '配电箱', area: '场地区域', corp: '参建单位' } as const
export type Register = keyof typeof registers
export const registerCodes = ['machine', 'electricMeter', 'area', 'corp'] as const satisfies readonly Register[]
/** Of an object that was written by hand. */
export const byHand = 'own'
export const registerName = (code: string): string => registers[code as Register] ?? '自列对象'

export const themeCodes = ['01', '02', '03', '04', '05', '06', '99'] as const
export type ThemeCode = (typeof themeCodes)[number]
/** 节后复工: its points are passed before work resumes. */
export const resumeTheme = '05' satisfies ThemeCode

interface Theme {
  name: string
  registers: readonly Register[]
  /** Name and what is asked for. */
  points: readonly (readonly [string, string])[]
}
/** What a campaign begins with; its leader changes it. */
export const themes: Readonly<Record<ThemeCode, Theme>> = {
  '01': {
    name: '防汛',
    registers: ['area'],
    points: [
      ['排水沟与集水井', '排水沟畅通无淤堵，集水井水位在警戒线以下'],
      ['水泵与备用电源', '水泵试运行正常，备用电源可切换'],
      ['基坑边坡', '坡顶无裂缝和堆载，截水沟完好'],
      ['临建与围挡', '无倾斜、开裂，抗风拉结牢固'],
      ['防汛物资', '沙袋、雨衣、照明和铁锹按清单到位'],
      ['值班与预警', '值班表上墙，预警信息逐级送达并有记录'],
    ],
  },
  '02': {
    name: '起重机械',
    registers: ['machine'],
    points: [
      ['备案与使用登记', '产权备案、检测和使用登记均在有效期内'],
      ['司机与信号工', '持证上岗，人证相符'],
      ['限位与保险装置', '力矩、起重量、高度、幅度限位灵敏可靠'],
      ['附着与标准节', '附着间距符合说明书，螺栓无松动'],
      ['吊索具', '钢丝绳、吊钩无超标磨损，卸扣配套'],
      ['基础与排水', '基础无积水、无不均匀沉降'],
      ['维保记录', '月度维保记录齐全，问题已销项'],
    ],
  },
  '03': {
    name: '临时用电',
    registers: ['electricMeter'],
    points: [
      ['箱体与门锁', '箱体完好、有门有锁，防雨措施到位'],
      ['漏电保护器', '参数匹配，试验按钮动作可靠'],
      ['一机一闸一漏', '无一闸多机，插座完好'],
      ['PE 线', 'PE 端子板连接牢固，重复接地可靠'],
      ['电缆敷设', '架空或埋地，无拖地、泡水和破损'],
      ['巡视记录', '电工每日巡视记录在箱内'],
    ],
  },
  '04': {
    name: '消防',
    registers: ['area'],
    points: [
      ['消防通道', '宽度不小于 4 m，无堆放占用'],
      ['灭火器', '数量足够、压力正常、取用方便'],
      ['消防水源', '临时消防给水有压，接口完好'],
      ['动火管理', '动火有票、有监护、有灭火器材'],
      ['易燃物存放', '分类存放，与火源保持距离'],
      ['宿舍用电', '无私拉乱接和大功率电器'],
    ],
  },
  '05': {
    name: '节后复工',
    registers: ['area', 'machine', 'corp'],
    points: [
      ['安全生产条件自查', '负责人已组织自查并签字'],
      ['人员到岗', '关键岗位人员到岗，特种作业人员持证'],
      ['复工安全教育', '全员教育和交底有签字'],
      ['设备与临电', '停用设备和配电箱复查合格后方可使用'],
      ['临边洞口与脚手架', '防护恢复，架体验收合格'],
      ['应急与值班', '应急物资齐全，带班值班安排到人'],
    ],
  },
  '06': {
    name: '高处坠落',
    registers: ['area'],
    points: [
      ['临边防护', '防护栏杆高度和挡脚板符合要求'],
      ['洞口防护', '盖板固定、有标识'],
      ['安全带与生命绳', '高处作业人员系挂可靠'],
      ['脚手架与作业平台', '满铺脚手板，验收合格'],
      ['攀登与悬空作业', '爬梯固定，悬空作业有防坠设施'],
      ['防护棚', '通道和加工区防护棚完好'],
    ],
  },
  '99': { name: '其他', registers: [], points: [['现场管理', '符合本次专项检查要求']] },
}
export const themeName = (code: string): string => themes[code as ThemeCode]?.name ?? code

/** Who ordered a campaign. */
export const orders = { own: '项目自行组织', company: '企业通知', authority: '监管部门通知' } as const
export const orderCodes = ['own', 'company', 'authority'] as const satisfies readonly (keyof typeof orders)[]
