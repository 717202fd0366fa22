/** Folders and files of a site, as its people keep them. A file: name, days since it came, who brought it. */
export interface FolderPlan {
  name: string
  /** Accounts that it is shared to alone, with their level. */
  only?: readonly (readonly [account: string, level: number])[]
  folders?: readonly FolderPlan[]
  files?: readonly FilePlan[]
}
export interface FilePlan {
  name: string
  age: number
  by: string
  security?: '1' | '2' | '3'
  versions?: number
  archived?: '2' | '3' | '4'
}
export interface BinPlan {
  name: string
  path: string
  by: string
  /** Days since it was deleted. */
  age: number
  /** Files of a deleted folder. */
  files?: number
}

const keeper = 'officer'
const many = (count: number, name: (n: number) => string, age: number, by: string): FilePlan[] =>
  Array.from({ length: count }, (_, i) => ({ name: name(i + 1), age: age + i, by }))

/** Three levels, some sixty files, a drawing with five versions, a folder for two persons. */
export const siteFolders: readonly FolderPlan[] = [
  {
    name: '01 施工图纸',
    folders: [
      {
        name: '结构',
        folders: [{ name: '设计变更', files: many(6, (n) => `结构设计变更单-${String(n).padStart(2, '0')}.pdf`, 12, keeper) }],
        files: [{ name: '五层梁板配筋图.pdf', age: 3, by: keeper, versions: 5 }, ...many(8, (n) => `${n}层墙柱平面图.pdf`, 40, keeper)],
      },
      { name: '建筑', files: many(6, (n) => `建筑平面图-${n}层.pdf`, 55, keeper) },
    ],
    files: [{ name: '总平面布置图.png', age: 20, by: 'pm', versions: 2, security: '1' }],
  },
  {
    name: '02 方案与交底',
    folders: [
      {
        name: '专项方案',
        files: [
          { name: '塔式起重机安装专项方案.pdf', age: 70, by: 'pm', archived: '3' },
          { name: '高大模板支撑专项方案.pdf', age: 48, by: 'pm', versions: 2 },
          { name: '深基坑支护专项方案.pdf', age: 120, by: 'pm', archived: '3' },
        ],
      },
      { name: '技术交底', files: many(10, (n) => `技术交底记录-${String(n).padStart(2, '0')}.pdf`, 6, 'safety') },
    ],
  },
  {
    name: '03 会议与往来函件',
    folders: [{ name: '监理例会', files: many(9, (n) => `第${n}次监理例会纪要.pdf`, 7, 'jl') }],
    files: many(7, (n) => `工作联系单-${String(n).padStart(3, '0')}.pdf`, 4, keeper),
  },
  {
    name: '04 合同与结算',
    only: [
      ['pm', 4],
      ['officer', 2],
    ],
    files: [
      { name: '劳务分包合同.pdf', age: 90, by: 'pm', security: '3' },
      { name: '材料采购结算汇总.pdf', age: 15, by: 'pm' },
    ],
  },
  { name: '05 影像资料', files: many(5, (n) => `现场影像-${n}.png`, 2, keeper) },
]

export const ownFiles: readonly FilePlan[] = [
  { name: '本周工作安排.pdf', age: 1, by: 'pm' },
  { name: '领导检查准备清单.pdf', age: 5, by: 'pm' },
  { name: '个人笔记.pdf', age: 9, by: 'pm' },
]

/** A dozen entries of the bin: one folder with thirty files, two with a day left. */
export const binEntries: readonly BinPlan[] = [
  { name: '旧版图纸', path: '01 施工图纸', by: keeper, age: 4, files: 30 },
  { name: '五层梁板配筋图（作废）.pdf', path: '01 施工图纸/结构', by: keeper, age: 29, files: 0 },
  { name: '临时用电平面图.pdf', path: '01 施工图纸', by: keeper, age: 29 },
  { name: '重复上传-例会纪要.pdf', path: '03 会议与往来函件/监理例会', by: keeper, age: 27 },
  ...Array.from({ length: 8 }, (_, i) => ({
    name: `工作联系单（草稿${i + 1}）.pdf`,
    path: '03 会议与往来函件',
    by: i % 2 ? 'pm' : keeper,
    age: 2 + i * 3,
  })),
]
