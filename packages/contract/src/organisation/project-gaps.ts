/** Data that a project should have, and what is missing or has expired. Pure. */

export interface GapSource {
  shortName?: string | null
  linkPhoneMask?: string | null
  chargeEmail?: string | null
  description?: string | null
  phase?: string | null
  superviseNo?: string | null
  contractPrice?: number | null
  buildingArea?: number | null
  structureType?: string | null
  fundSource?: string | null
  investProjectCode?: string | null
  prjSize?: string | null
  builderLicenses: readonly unknown[]
  areaRule?: unknown
  lng?: number | null
  propertyNum?: string | null
  invest?: number | null
  startDate: string | null
  completeDate: string | null
  prjStatus: string
  payRollDay?: number | null
}

/** Who maintains a fact: the site itself, or the group that registered it. */
export type Keeper = 'site' | 'body'
export interface Gap {
  field: string
  label: string
  why: string
  keeper: Keeper
  /** Required by the government platform's standard (ProjectMaster). */
  reported: boolean
}

interface Fact {
  field: keyof GapSource
  label: string
  keeper: Keeper
  reported?: true
}
const facts: readonly Fact[] = [
  { field: 'shortName', label: '项目简称', keeper: 'site' },
  { field: 'linkPhoneMask', label: '联系人电话', keeper: 'site', reported: true },
  { field: 'chargeEmail', label: '负责人邮箱', keeper: 'site' },
  { field: 'description', label: '项目简介', keeper: 'site', reported: true },
  { field: 'phase', label: '形象进度', keeper: 'site' },
  { field: 'payRollDay', label: '发薪日', keeper: 'site' },
  { field: 'areaRule', label: '电子围栏', keeper: 'site' },
  { field: 'lng', label: '坐标', keeper: 'body', reported: true },
  { field: 'propertyNum', label: '建设性质', keeper: 'body' },
  { field: 'invest', label: '总投资', keeper: 'body', reported: true },
  { field: 'startDate', label: '开工日期', keeper: 'body', reported: true },
  { field: 'completeDate', label: '计划竣工日期', keeper: 'body', reported: true },
  { field: 'builderLicenses', label: '施工许可证', keeper: 'body', reported: true },
  { field: 'superviseNo', label: '监督登记号', keeper: 'body' },
  { field: 'contractPrice', label: '合同总价', keeper: 'body' },
  { field: 'buildingArea', label: '总面积', keeper: 'body', reported: true },
  { field: 'structureType', label: '结构类型', keeper: 'body' },
  { field: 'fundSource', label: '资金来源', keeper: 'body' },
  { field: 'investProjectCode', label: '投资项目代码', keeper: 'body' },
  { field: 'prjSize', label: '建设规模', keeper: 'body', reported: true },
]

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** `today` as yyyy-MM-dd; `building`: works are still in progress. */
export function gapsOf(p: GapSource, today: string, building: boolean): Gap[] {
  const missing = facts
    .filter(({ field }) => isEmpty(p[field]))
    .map(({ field, label, keeper, reported = false }): Gap => ({ field, label, why: '未填写', keeper, reported }))
  const late = building && p.completeDate !== null && p.completeDate < today
  return late
    ? [
        ...missing,
        { field: 'completeDate', label: '计划竣工日期', why: `已于 ${p.completeDate} 到期，工程仍在进行`, keeper: 'body', reported: false },
      ]
    : missing
}

/** Percentage of the facts that are present. */
export const completenessOf = (gaps: readonly Gap[]): number => Math.round(((facts.length - gaps.length) / facts.length) * 100)

/** `2026Q4`: facts are confirmed once a quarter. */
export const quarterOf = (day: string): string => `${day.slice(0, 4)}Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`
export const quarterWords = (quarter: string): string => `${quarter.slice(0, 4)} 年第 ${quarter.slice(5)} 季度`
