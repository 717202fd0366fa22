/** What the quality library holds of each lot (检验批): its columns in the order of the matrix. */
export const paperColumns = {
  lot: '检验批验收',
  hidden: '隐蔽验收',
  retest: '材料复验',
  measure: '实测记录',
  test: '试块报告',
  photo: '影像',
} as const
export type PaperColumn = keyof typeof paperColumns
export const columnKeys = Object.keys(paperColumns) as [PaperColumn, ...PaperColumn[]]

/** Works (分项) by division and sub-division of GB 50300-2013 (dictionary qualityCheckItem), with the columns that each must fill. */
export interface LotWork {
  code: string
  name: string
  /** Dictionary qualityCheckItem; its first two digits are the division (分部). */
  item: string
  needs: readonly PaperColumn[]
}
const rebarNeeds = ['lot', 'hidden', 'retest', 'photo'] as const
const concreteNeeds = ['lot', 'measure', 'test'] as const
const waterproofNeeds = ['lot', 'hidden', 'retest', 'photo'] as const

export const lotWorks: readonly LotWork[] = [
  { code: 'earth', name: '土方开挖', item: '0105', needs: ['lot', 'photo'] },
  { code: 'baseRebar', name: '基础钢筋', item: '0102', needs: rebarNeeds },
  { code: 'baseConcrete', name: '基础混凝土', item: '0102', needs: concreteNeeds },
  { code: 'baseWaterproof', name: '地下防水', item: '0107', needs: waterproofNeeds },
  { code: 'formwork', name: '模板', item: '0201', needs: ['lot'] },
  { code: 'rebar', name: '钢筋', item: '0201', needs: rebarNeeds },
  { code: 'concrete', name: '混凝土', item: '0201', needs: concreteNeeds },
  { code: 'masonry', name: '砌体', item: '0202', needs: ['lot', 'retest', 'measure'] },
  { code: 'plaster', name: '一般抹灰', item: '0302', needs: ['lot', 'measure'] },
  { code: 'waterproof', name: '厨卫防水', item: '0303', needs: waterproofNeeds },
]
export const workCodes = lotWorks.map((one) => one.code) as [string, ...string[]]
export const lotWork = (code: string): LotWork | undefined => lotWorks.find((one) => one.code === code)

/** Below ground the same work belongs to the foundation. */
export const foundationOf: Readonly<Record<string, string>> = {
  rebar: 'baseRebar',
  concrete: 'baseConcrete',
  waterproof: 'baseWaterproof',
}
/** The works that a quality check of a sub-division is filed under. */
export const workOfItem: Readonly<Record<string, string>> = {
  '0105': 'earth',
  '0102': 'baseConcrete',
  '0107': 'baseWaterproof',
  '0201': 'concrete',
  '0202': 'masonry',
  '0302': 'plaster',
  '0303': 'waterproof',
}
/** By the first digit of a measured item (dictionary measureItem). */
export const workOfMeasure: Readonly<Record<string, string>> = { 1: 'concrete', 2: 'masonry', 3: 'plaster' }
/** By material category: its work, and the column of its report. */
export const workOfMaterial: Readonly<Record<string, { work: string; column: PaperColumn }>> = {
  '01': { work: 'rebar', column: 'retest' },
  '04': { work: 'concrete', column: 'test' },
  '06': { work: 'masonry', column: 'retest' },
  '07': { work: 'waterproof', column: 'retest' },
}

export const divisionOf = (item: string): string => item.slice(0, 2)

/** 齐, 缺, 待监理; `none`: this work needs nothing there. */
export const cellStates = { full: '齐', missing: '缺', waiting: '待监理', none: '不需' } as const
export type CellState = keyof typeof cellStates

/** What a cell holds: papers and records that are accepted, those that wait for 监理, and all. */
export interface CellCount {
  done: number
  waiting: number
  count: number
}

/** The word of a cell. A paper that waits comes first; one that was only uploaded, returned or failed fills no gap. */
export function cellState(needed: boolean, { done, waiting }: Pick<CellCount, 'done' | 'waiting'>): CellState {
  if (waiting > 0) return 'waiting'
  if (done > 0) return 'full'
  return needed ? 'missing' : 'none'
}

/** Days after the work within which its paper is uploaded; later ones are 后补. */
export const lateAfterDays = 7
const dayMs = 86_400_000
/** Both yyyy-MM-dd. */
export const isLate = (workDate: string, uploadDate: string): boolean =>
  (Date.parse(uploadDate) - Date.parse(workDate)) / dayMs > lateAfterDays
