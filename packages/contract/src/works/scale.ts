import { dictionaryOf } from '../settings/dictionaries.ts'

/** Parameters of size of a dangerous work, in the units in which 建办质〔2018〕31号 states its thresholds. */
export const sizeKeys = {
  depth: { label: '开挖深度', unit: 'm' },
  height: { label: '高度', unit: 'm' },
  span: { label: '跨度', unit: 'm' },
  totalLoad: { label: '施工总荷载', unit: 'kN/㎡' },
  lineLoad: { label: '集中线荷载', unit: 'kN/m' },
  pointLoad: { label: '单点集中荷载', unit: 'kN' },
  pieceWeight: { label: '单件起吊重量', unit: 'kN' },
  liftWeight: { label: '起重量', unit: 'kN' },
  weight: { label: '结构重量', unit: 'kN' },
} as const
export type SizeKey = keyof typeof sizeKeys
export type Sizes = Readonly<Partial<Record<SizeKey, number | null | undefined>>>

interface Scale {
  /** The parameters that describe a work of this category. */
  asks: readonly SizeKey[]
  /** The category of the works above these thresholds; any one of them suffices. */
  over?: { category: string; from: Readonly<Partial<Record<SizeKey, number>>> }
}

const pit: Scale = { asks: ['depth'], over: { category: '103', from: { depth: 5 } } }
const formwork: Scale = {
  asks: ['height', 'span', 'totalLoad', 'lineLoad'],
  over: { category: '203', from: { height: 8, span: 18, totalLoad: 15, lineLoad: 20 } },
}
const bearing: Scale = { asks: ['height', 'pointLoad'], over: { category: '205', from: { pointLoad: 7 } } }
const hoisting: Scale = { asks: ['pieceWeight'], over: { category: '304', from: { pieceWeight: 100 } } }
const machine: Scale = { asks: ['liftWeight', 'height'], over: { category: '305', from: { liftWeight: 300, height: 200 } } }
const raised = (category: string, height: number): Scale => ({ asks: ['height'], over: { category, from: { height } } })
const steel: Scale = { asks: ['span', 'pieceWeight'], over: { category: '708', from: { span: 36 } } }
const shaft: Scale = { asks: ['depth'], over: { category: '709', from: { depth: 16 } } }

/** Thresholds by category (dictionary hazardCategory, level two); a category that is not named asks for nothing and grows into none. */
const scales: Readonly<Record<string, Scale>> = {
  101: pit,
  102: pit,
  103: { asks: ['depth'] },
  201: { asks: ['height'] },
  202: formwork,
  203: { asks: formwork.asks },
  204: bearing,
  205: { asks: bearing.asks },
  301: hoisting,
  302: { asks: ['pieceWeight'] },
  303: machine,
  304: { asks: ['pieceWeight'] },
  305: { asks: machine.asks },
  401: raised('407', 50),
  402: raised('408', 150),
  403: raised('409', 20),
  404: { asks: ['height'] },
  405: raised('408', 150),
  406: { asks: ['height'] },
  407: { asks: ['height'] },
  408: { asks: ['height'] },
  409: { asks: ['height'] },
  501: { asks: ['height'] },
  502: { asks: ['height'] },
  503: { asks: ['height'] },
  601: { asks: ['span'] },
  701: raised('707', 50),
  702: steel,
  703: shaft,
  704: { asks: ['depth'] },
  705: { asks: ['pieceWeight'] },
  707: { asks: ['height'] },
  708: { asks: ['span'] },
  709: { asks: ['depth'] },
  710: { asks: ['weight'] },
}

/** The parameters to ask for a category. */
export const sizesOf = (category: string | null | undefined): readonly SizeKey[] => (category ? (scales[category]?.asks ?? []) : [])

/** For example 高度≥8 m、跨度≥18 m; empty for a category that grows into none. */
export const thresholdsOf = (category: string): string =>
  Object.entries(scales[category]?.over?.from ?? {})
    .map(([key, from]) => `${sizeKeys[key as SizeKey].label}≥${from} ${sizeKeys[key as SizeKey].unit}`)
    .join('、')

const itemOf = (category: string) =>
  dictionaryOf('hazardCategory')?.items.find((one) => one.code === category) as { parent?: string; overScale?: boolean } | undefined

/** Whether the code is a category of level two, which is what a work has. */
export const isWorkCategory = (category: string): boolean => itemOf(category)?.parent !== undefined

/** Whether the dictionary calls the category one of a size for which experts have to argue the plan. */
export const isOverCategory = (category: string): boolean => itemOf(category)?.overScale === true

/** Categories whose plan has to name a monitoring party or linked devices (住建部令第37号 第二十条). */
const monitored: readonly string[] = ['102', '103', '203', '205', '601', '710']
export const needsMonitor = (category: string): boolean => monitored.includes(category)

/** What the typed sizes make of a category. */
interface Judged {
  /** The category given, or the one that its sizes have grown into. */
  category: string
  overScale: boolean
  /** The sizes that made it so, for example 高度 9 m ≥ 8 m. */
  reasons: string[]
}

/**
 * Judges the scale of a work from its category and sizes (建办质〔2018〕31号 附件一、二): 9 m of formwork under 202 is 203 and over-scale. The
 * judgement only goes up: an over-scale category stays one whatever its sizes.
 */
export function judgeScale(category: string, sizes: Sizes): Judged {
  const over = scales[category]?.over
  const reasons = Object.entries(over?.from ?? {}).flatMap(([key, from]) => {
    const value = sizes[key as SizeKey]
    const { label, unit } = sizeKeys[key as SizeKey]
    return value !== null && value !== undefined && value >= from ? [`${label} ${value} ${unit} ≥ ${from} ${unit}`] : []
  })
  const grown = over && reasons.length > 0 ? over.category : category
  return { category: grown, overScale: isOverCategory(grown), reasons }
}

/** The sizes of a work in words, for example 高度 9 m，跨度 20 m. */
export const sizeText = (category: string, sizes: Sizes): string =>
  sizesOf(category)
    .flatMap((key) =>
      sizes[key] === null || sizes[key] === undefined ? [] : [`${sizeKeys[key].label} ${sizes[key]} ${sizeKeys[key].unit}`],
    )
    .join('，')
