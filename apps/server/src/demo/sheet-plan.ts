import type { SheetState, SheetType } from '@zhugong/contract/sheets/moves'
import type { PartySeat } from '@zhugong/contract/sheets/seats'

/** Which record sheets the demonstration has: six documents, one refused signature, one void number. */
export interface SheetPlan {
  /** Key of the site: its accounts begin with it. */
  site: string
  docType: SheetType
  state: SheetState
  /** Days ago. */
  age: number
  part: string
  progress: string
  content: string
  opinion: '1' | '2' | '3' | '4'
  problems?: readonly { description: string; clause: string; scene: string }[]
  persons?: readonly { name: string; unit: string; post: string }[]
  /** Of a sheet that waits: who has signed, and who has refused. */
  signed?: readonly PartySeat[]
  refused?: PartySeat
  onPaper?: true
  voidReason?: string
  place?: string
}

const disclosed =
  '向建设、施工、监理单位进行安全质量监督交底：监督依据与方式、各方主体责任和关键岗位到岗要求、危大工程清单及专项方案报审、监督抽查重点与整改时限。各方知悉，无异议。'
const people = [
  { name: '周立群', unit: '建设单位', post: '项目负责人' },
  { name: '梁志伟', unit: '施工单位', post: '项目经理' },
  { name: '姚建国', unit: '监理单位', post: '总监理工程师' },
  { name: '韩雪', unit: '施工单位', post: '安全员' },
]

export const sheetPlans: readonly SheetPlan[] = [
  {
    site: 'hospital',
    docType: '102',
    state: '3',
    age: 210,
    part: '项目会议室',
    progress: '1',
    content: disclosed,
    opinion: '1',
    persons: people,
  },
  {
    site: 'hospital',
    docType: '105',
    state: '1',
    age: 5,
    part: '主楼 6～9 层主体结构',
    progress: '3',
    content:
      '抽查施工单位质量行为：质量管理人员到岗；模板专项方案已审批；8 层柱混凝土试块留置缺一组；隐蔽验收记录签字齐全；实体抽测板厚 12 点，合格 11 点。',
    opinion: '3',
    problems: [
      { description: '8 层柱混凝土标养试块缺一组，未说明原因', clause: 'GB 50204 第 7.4.1 条', scene: 'base' },
      { description: '9 层楼梯间钢筋保护层垫块缺失', clause: 'GB 50204 第 5.5.3 条', scene: 'tie' },
    ],
    signed: ['owner', 'supervisor'],
  },
  {
    site: 'hospital',
    docType: '208',
    state: '0',
    age: 0,
    part: '监督站会议室',
    progress: '3',
    content: '因该项目高处作业临边防护问题反复出现，经研究决定对相关单位负责人进行约谈。请携带整改情况书面材料。',
    opinion: '3',
    problems: [{ description: '临边防护两个月内第三次缺失', clause: 'JGJ 80 第 4.1.1 条', scene: 'rail' }],
    persons: people.slice(1, 3),
    place: '滨江区建设工程监督站 302 室',
  },
  {
    site: 'hospital',
    docType: '106',
    state: '3',
    age: 96,
    part: '监理项目部',
    progress: '2',
    content: '抽查监理单位质量行为：总监理工程师到岗率 82%；规划、细则齐全；旁站记录与混凝土浇筑时间一致；监理通知 14 份已闭合 13 份。',
    opinion: '2',
    problems: [{ description: '一份监理通知逾期 3 日未闭合，当场补齐回复', clause: 'GB/T 50319 第 5.2.15 条', scene: 'base' }],
  },
  {
    site: 'dongwan',
    docType: '305',
    state: '2',
    age: 12,
    part: '3# 楼单位工程',
    progress: '6',
    content:
      '对 3# 楼竣工验收的组织形式、验收程序和执行标准进行现场监督。验收组由建设单位组织，五方到场，程序符合要求；实体抽查户内净高、栏杆高度各 10 处，均合格。',
    opinion: '1',
    persons: [
      { name: '宋立群', unit: '建设单位', post: '验收组组长' },
      { name: '陈伟', unit: '勘察单位', post: '项目负责人' },
      { name: '罗敏', unit: '设计单位', post: '项目负责人' },
    ],
  },
  {
    site: 'dongwan',
    docType: '304',
    state: '3',
    age: 20,
    part: '3# 楼 10 户',
    progress: '6',
    content:
      '抽查已完成分户验收的住宅 10 户，重点抽查室内净高、净距、门窗、防水和栏杆高度，抽查结果与分户验收记录一致，1 户阳台栏杆高度实测 1.09 米。',
    opinion: '2',
    problems: [{ description: '3-1202 户阳台栏杆高度 1.09 米，不足 1.10 米，当场调整', clause: 'GB 55031 第 3.4.3 条', scene: 'rail' }],
  },
  {
    site: 'dongwan',
    docType: '105',
    state: '3',
    age: 130,
    part: '地下室防水及回填',
    progress: '2',
    content: '抽查施工单位质量行为：防水材料复验报告齐全；卷材搭接宽度抽测 8 处，合格；回填土压实系数报告与部位对应。',
    opinion: '1',
  },
  {
    site: 'tunnel',
    docType: '102',
    state: '3',
    age: 160,
    part: '项目会议室',
    progress: '1',
    content: disclosed,
    opinion: '1',
    persons: people.slice(0, 3),
  },
  {
    site: 'tunnel',
    docType: '105',
    state: '1',
    age: 3,
    part: '明挖段 K2+120～K2+180',
    progress: '2',
    content: '抽查施工单位质量行为：支撑轴力监测报告与方案一致；底板钢筋间距抽测 20 处，合格 16 处；冠梁混凝土养护不到位。',
    opinion: '4',
    problems: [{ description: '底板钢筋间距 4 处超差，继续绑扎上层钢筋', clause: 'GB 50204 第 5.5.3 条', scene: 'tie' }],
    signed: ['owner'],
    refused: 'contractor',
  },
  {
    site: 'zhigu',
    docType: '106',
    state: '1',
    age: 6,
    part: '监理项目部',
    progress: '3',
    content: '抽查监理单位质量行为：总监理工程师当日未到岗，代表在岗；旁站记录缺 2 次；平行检验比例符合合同约定。',
    opinion: '2',
    problems: [{ description: '混凝土浇筑旁站记录缺 2 次，当场补充说明', clause: 'GB/T 50319 第 5.2.11 条', scene: 'base' }],
    signed: [],
  },
  {
    site: 'zhigu',
    docType: '102',
    state: '4',
    age: 150,
    part: '项目会议室',
    progress: '1',
    content: disclosed,
    opinion: '1',
    persons: people.slice(0, 2),
    voidReason: '参加人员填写有误，作废后重新出具',
  },
  {
    site: 'zhigu',
    docType: '102',
    state: '3',
    age: 149,
    part: '项目会议室',
    progress: '1',
    content: disclosed,
    opinion: '1',
    persons: people.slice(0, 3),
    onPaper: true,
  },
]
