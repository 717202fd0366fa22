import { z } from 'zod'
import { filled, nullable, text } from '../kit/fields.ts'

/** What a building is used for, as far as the thresholds of fire acceptance ask. */
export const buildingUses = {
  hall: '体育场馆、会堂、展览馆',
  terminal: '航站楼、候车候船厅',
  mall: '宾馆、饭店、商场、市场',
  theatre: '影剧院、图书馆、门诊楼、教学楼、劳动密集型车间',
  care: '托幼、养老、病房、集体宿舍',
  fun: '歌舞娱乐放映游艺',
  housing: '住宅',
  transit: '轨道交通、隧道、发电变配电',
  danger: '易燃易爆厂房仓库站场',
  state: '机关办公、调度、电信、广播电视、档案',
  office: '一般办公及其他公共建筑',
  other: '其他',
} as const
export type BuildingUse = keyof typeof buildingUses
export const useKeys = Object.keys(buildingUses) as [BuildingUse, ...BuildingUse[]]
const publicUses: readonly BuildingUse[] = ['hall', 'terminal', 'mall', 'theatre', 'care', 'fun', 'state', 'office']

/** One kind of place: by use, and above an area or a height (with both, either suffices). */
export interface PlaceRule {
  code: string
  name: string
  uses: BuildingUse[]
  /** m². */
  areaOver: number | null
  /** m. */
  heightOver: number | null
  /** It also holds where one of these places is found. */
  within: string[]
  special: boolean
  /** Codes of the projects (18) that are looked at. */
  projects: string[]
  enable: boolean
}
export interface Building {
  use: BuildingUse
  /** m² above and below ground. */
  area: number
  height: number
  floorsUp: number
}

export const otherPlace = '99'
const always = ['01', '02', '03', '05', '06', '09', '11', '15', '16']
const crowded = ['04', '07', '12', '13', '14']
const rule = (
  code: string,
  name: string,
  uses: BuildingUse[],
  more: Partial<Pick<PlaceRule, 'areaOver' | 'heightOver' | 'within' | 'special'>> & { projects?: string[] } = {},
): PlaceRule => ({
  code,
  name,
  uses,
  areaOver: null,
  heightOver: null,
  within: [],
  special: true,
  enable: true,
  ...more,
  projects: [...always, ...(more.projects ?? crowded)].sort(),
})

/** The delivered kinds of dictionary firePlace with the thresholds of 住房和城乡建设部令第 51 号 第十四条. */
export const deliveredPlaces: readonly PlaceRule[] = [
  rule('01', '体育场馆、会堂、公共展览馆、博物馆展示厅', ['hall'], { areaOver: 20_000 }),
  rule('02', '民用机场航站楼、客运车站候车室、客运码头候船厅', ['terminal'], { areaOver: 15_000 }),
  rule('03', '宾馆、饭店、商场、市场', ['mall'], { areaOver: 10_000 }),
  rule('04', '影剧院、图书馆阅览室、门诊楼、教学楼、劳动密集型车间等', ['theatre'], { areaOver: 2_500 }),
  rule('05', '托幼儿童用房、养老院、病房楼、集体宿舍等', ['care'], { areaOver: 1_000 }),
  rule('06', '歌舞娱乐放映游艺场所', ['fun'], { areaOver: 500 }),
  rule('07', '一类高层住宅建筑', ['housing'], { heightOver: 54, projects: ['04', '07', '10', '13', '14'] }),
  rule('08', '城市轨道交通、隧道工程，大型发电、变配电工程', ['transit'], { projects: [...crowded, '18'] }),
  rule('09', '易燃易爆危险品的厂房仓库站场', ['danger'], { projects: ['08', '13', '14', '17'] }),
  rule('10', '国家机关办公楼、调度楼、电信楼、广播电视楼、档案楼', ['state'], { projects: [...crowded, '18'] }),
  rule('11', '其他单体建筑面积大于 4 万㎡或高度超过 50 m 的公共建筑', ['office'], {
    areaOver: 40_000,
    heightOver: 50,
    projects: [...crowded, '10'],
  }),
  rule('12', '设有 01–06 所列场所的建设工程', [], { within: ['01', '02', '03', '04', '05', '06'] }),
  rule(otherPlace, '其他建设工程', [], { special: false, projects: [] }),
]

const fits = (one: PlaceRule, b: Building): boolean => {
  if (!one.uses.includes(b.use)) return false
  if (one.areaOver === null && one.heightOver === null) return true
  return (one.areaOver !== null && b.area > one.areaOver) || (one.heightOver !== null && b.height > one.heightOver)
}

/** Which kinds of place a building is, whether that makes it a 特殊建设工程, and which projects are looked at. */
export function placesOf(rules: readonly PlaceRule[], building: Building): { places: string[]; special: boolean; projects: string[] } {
  const open = rules.filter((one) => one.enable)
  const direct = open.filter((one) => fits(one, building)).map((one) => one.code)
  const within = open.filter((one) => one.within.some((code) => direct.includes(code))).map((one) => one.code)
  const places = [...new Set([...direct, ...within])].sort()
  const codes = places.length > 0 ? places : [otherPlace]
  return { places: codes, ...projectsFor(rules, codes) }
}

/** What follows from kinds of place that were found or added. */
export function projectsFor(rules: readonly PlaceRule[], places: readonly string[]): { special: boolean; projects: string[] } {
  const chosen = rules.filter((one) => places.includes(one.code))
  return { special: chosen.some((one) => one.special), projects: [...new Set(chosen.flatMap((one) => one.projects))].sort() }
}

/** The condition in words. */
export function placeCondition(one: Pick<PlaceRule, 'uses' | 'areaOver' | 'heightOver' | 'within'>): string {
  if (one.within.length > 0) return `设有 ${one.within.join('、')} 所列场所`
  if (one.uses.length === 0) return '不属于以上各类'
  const limits = [
    one.areaOver === null ? '' : `建筑面积 > ${one.areaOver.toLocaleString('en-US')} ㎡`,
    one.heightOver === null ? '' : `高度 > ${one.heightOver} m`,
  ].filter(Boolean)
  const uses = one.uses.length === publicUses.length ? '公共建筑' : one.uses.map((use) => buildingUses[use]).join('；')
  return [uses, limits.join(' 或 ')].filter(Boolean).join('，')
}

const mostArea = 10_000_000
const mostHeight = 1_000
/** Fields by which a kind of place is changed or added. */
export const placeFields = {
  name: filled(100, '名称'),
  uses: z
    .array(z.enum(useKeys, { error: '用途不在表中' }))
    .max(useKeys.length)
    .default([]),
  areaOver: nullable(z.number().min(0, '面积不能为负').max(mostArea, '面积过大')),
  heightOver: nullable(z.number().min(0, '高度不能为负').max(mostHeight, '高度过大')),
  within: z.array(text(2, '场所')).max(20).default([]),
  special: z.boolean(),
  projects: z.array(text(2, '项目')).min(1, '至少选择一个项目').max(18, '项目最多 18 个'),
  enable: z.boolean(),
}

export const placeRule = z.object({
  code: z.string(),
  name: z.string(),
  uses: z.array(z.enum(useKeys)),
  areaOver: z.number().nullable(),
  heightOver: z.number().nullable(),
  within: z.array(z.string()),
  special: z.boolean(),
  projects: z.array(z.string()),
  enable: z.boolean(),
})
