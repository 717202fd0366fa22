import { dark } from '#kit/colors.ts'
import { type MachineStatus, toneColors } from '../crane-state.ts'
import { useSize, Words } from '../plan-view.tsx'
import { floorMarks, type Heading, headingWords, type LiftParams, oneBelowAnother } from './lift-state.ts'

/** A cage as drawn. */
export interface DrawnCage {
  id: string
  cage: string
  name: string
  /** Metres; undefined without a reading. */
  height: number | undefined
  floor: number | undefined
  floorDoubtful: boolean
  speed: number | undefined
  heading: Heading
  running: boolean
  /** 前门, 后门 */
  open: readonly string[]
  persons: number | undefined
  ratedPersons: number
  loadPercent: number | undefined
  driver: string | undefined
  shown: MachineStatus
  stale: boolean
  /** Age of the reading, if it is stale. */
  age: string | undefined
}

interface ShaftProps {
  name: string
  params: LiftParams
  cages: readonly DrawnCage[]
  selected: string
  /** Without it the cages cannot be selected. */
  onSelect?: (id: string) => void
}

const cageWidth = 64
/** Cages are drawn larger than the scale of the shaft, so that persons and doors are visible. */
const cageHeight = 58
const axisPx = 62
const footPx = 34
const headPx = 34
const mastPx = 14
const cardWidth = 190
/** Width in px below which cards use shorter texts. */
const fewWords = 180
/** Width in px of an open door beside its cage. */
const leafPx = 18
/** Height in px of a card and the gap below it. */
const cardRoom = 84
/** Width in px below which all cards are at the right of the mast. */
const narrowPx = 560
const over = 100

/** The shaft to scale with floors and limits, and the cages at their heights with persons and open doors. */
export function Shaft(props: ShaftProps) {
  const [ref, width, height] = useSize<HTMLDivElement>()
  return (
    <div className="mon-plan" ref={ref}>
      {width > 0 && <Drawn {...props} width={width} height={height} />}
    </div>
  )
}

function Drawn({ name, params, cages, selected, onSelect, width, height }: ShaftProps & { width: number; height: number }) {
  const { maxHeight, floors } = params
  const bottom = height - footPx
  // A cage at its highest stop is drawn above that stop.
  const k = (bottom - headPx - cageHeight) / Math.max(1, maxHeight)
  const y = (metres: number) => bottom - metres * k
  const storey = maxHeight / Math.max(1, floors)
  const marks = floorMarks(floors, storey * k, 18)
  const narrow = width < narrowPx
  const mast = axisPx + (width - axisPx) * (narrow ? 0.28 : 0.5)
  const house = { left: axisPx + 8, right: width - 12 }
  const roof = y(maxHeight) - cageHeight
  const wished = cages.map((cage) => Math.min(bottom - cardRoom, Math.max(headPx - 8, y(cage.height ?? 0) - cageHeight - 10)))
  const cardsAt = narrow ? oneBelowAnother(wished, cardRoom, bottom) : wished
  return (
    <svg width={width} height={height} role="group" aria-label={`${name}立面，${floors} 层，${maxHeight} 米`} className="lift-shaft">
      <rect x={house.left} y={roof} width={house.right - house.left} height={bottom - roof} className="house" />
      {marks.map((floor) => (
        <g key={floor}>
          <line x1={house.left} x2={house.right} y1={y((floor - 1) * storey)} y2={y((floor - 1) * storey)} className="slab" />
          <text x={axisPx} y={y((floor - 1) * storey) - 3} textAnchor="end" className="mark">
            {floor} 层
          </text>
        </g>
      ))}
      <line x1={8} x2={width - 8} y1={bottom} y2={bottom} className="ground" />
      <Words at={[axisPx, bottom + 20]} color={dark.label} size={12} anchor="end">
        ±0
      </Words>
      <line x1={house.left} x2={house.right} y1={roof} y2={roof} className="limit" />
      <Words at={[house.right - 8, roof - 6]} color={dark.limit} size={12} anchor="end">
        上限位 {maxHeight} m
      </Words>
      <Words at={[house.right - 8, bottom + 20]} color={dark.limit} size={12} anchor="end">
        下限位 0 m
      </Words>
      <Mast x={mast} top={roof - 14} bottom={bottom} />
      {cages.map((cage, i) => {
        const left = cages.length > 1 ? i % 2 === 0 : true
        return (
          <CageDrawing
            key={cage.id}
            cage={cage}
            x={left ? mast - mastPx / 2 - 4 - cageWidth : mast + mastPx / 2 + 4}
            y={y(cage.height ?? 0) - cageHeight}
            side={left ? -1 : 1}
            width={width}
            cardFrom={narrow ? mast + mastPx / 2 + 10 : undefined}
            cardY={cardsAt[i] ?? 0}
            chosen={cage.id === selected}
            onSelect={onSelect && (() => onSelect(cage.id))}
          />
        )
      })}
      {!narrow && (
        <Words at={[mast, bottom + 20]} color={dark.label} size={12}>
          高度按比例，吊笼未按比例
        </Words>
      )}
    </svg>
  )
}

/** The mast with its lattice. */
function Mast({ x, top, bottom }: { x: number; top: number; bottom: number }) {
  const step = 14
  const count = Math.max(1, Math.floor((bottom - top) / step))
  const [a, b] = [x - mastPx / 2, x + mastPx / 2]
  const lattice = Array.from({ length: count }, (_, i) => {
    const low = bottom - i * step
    return i % 2 ? `M${a} ${low}L${b} ${low - step}` : `M${b} ${low}L${a} ${low - step}`
  }).join('')
  return (
    <g className="mast">
      <path d={`M${a} ${bottom}V${top}M${b} ${bottom}V${top}${lattice}`} />
    </g>
  )
}

interface CageDrawingProps {
  cage: DrawnCage
  x: number
  y: number
  /** Side of the mast of the cage and, by default, of its card. */
  side: -1 | 1
  width: number
  /** Side of the card, if it differs. */
  cardFrom: number | undefined
  cardY: number
  chosen: boolean
  onSelect: (() => void) | undefined
}

const arrows: Readonly<Record<Heading, string>> = { up: '↑ ', down: '↓ ', still: '' }
const persons = (cage: DrawnCage) => `${cage.persons ?? '--'}/${cage.ratedPersons} 人`
const floorWords = ({ floor, floorDoubtful }: DrawnCage) =>
  floor === undefined ? '楼层未知' : floorDoubtful ? '楼层待标定' : `${floor} 层`
const motionWords = ({ heading, speed, running }: DrawnCage) =>
  running ? `${arrows[heading]}${headingWords[heading]} ${speed?.toFixed(2) ?? '--'} m/s` : '停止'

/** 左笼 or 右笼; a lift with one cage keeps its own name. */
const shortName = (name: string) => /[左右]笼$/.exec(name)?.[0] ?? name

/** State on the card, where an arrow shows the direction. */
const paceWords = (cage: DrawnCage) => (cage.running ? `${arrows[cage.heading]}${cage.speed?.toFixed(2) ?? '--'} m/s` : '停止')

function CageDrawing({ cage, x, y, side, width, cardFrom, cardY, chosen, onSelect }: CageDrawingProps) {
  const grey = cage.stale || cage.height === undefined
  const color = grey ? dark.stale : toneColors[cage.shown.tone]
  const openRunning = cage.running && cage.open.length > 0
  const words = `${cage.name}，${cage.shown.word}，${floorWords(cage)}，高 ${cage.height?.toFixed(1) ?? '--'} 米，${motionWords(cage)}，${persons(cage)}，载重 ${cage.loadPercent?.toFixed(0) ?? '--'} %${cage.open.length > 0 ? `，${cage.open.join('与')}开` : ''}${cage.age ? `，数据 ${cage.age}前` : ''}`
  const beside = side < 0 ? x - leafPx - axisPx - 12 : width - 8 - (x + cageWidth + leafPx)
  const own = Math.min(cardWidth, beside)
  const cardX = cardFrom ?? (side < 0 ? x - leafPx - own : x + cageWidth + leafPx)
  const isNarrow = cardFrom !== undefined
  const toRight = isNarrow || side > 0
  const wide = isNarrow ? Math.min(cardWidth, width - cardX - 6) : own
  const tight = wide < fewWords
  // On a phone the height is only in the gauges below.
  const where = [floorWords(cage), ...(tight ? [] : [`${cage.height?.toFixed(1) ?? '--'} m`]), paceWords(cage)]
  const press = (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onSelect?.()
  }
  const acts = onSelect
    ? ({ role: 'button', tabIndex: 0, 'aria-pressed': chosen, onClick: onSelect, onKeyDown: press } as const)
    : ({ role: 'img' } as const)
  return (
    <>
      <g {...acts} aria-label={words} data-hit className={onSelect ? 'cage' : undefined}>
        <rect x={x} y={y} width={cageWidth} height={cageHeight} rx={2} fill={dark.deep} stroke={color} strokeWidth={chosen ? 3 : 1.5} />
        <Doors x={x} y={y} open={cage.open} alarm={openRunning} grey={grey} />
        <Dots x={x} y={y} cage={cage} grey={grey} />
        <LoadBar x={x} y={y} percent={cage.loadPercent} grey={grey} />
        {cage.running && (
          <path
            d={
              cage.heading === 'down'
                ? `M${x + cageWidth / 2 - 9} ${y + cageHeight + 5}h18l-9 11z`
                : `M${x + cageWidth / 2 - 9} ${y - 5}h18l-9 -11z`
            }
            fill={color}
          />
        )}
        <path
          d={`M${toRight ? x + cageWidth + 2 : x - 2} ${y + cageHeight / 2}L${toRight ? cardX : cardX + wide} ${cardY + 38}`}
          stroke={color}
          opacity=".7"
        />
        <rect x={cardX} y={cardY} width={wide} height={78} rx={3} className="card" stroke={color} />
      </g>
      {/* Accessible description of the cage. */}
      <g fontSize={12} className="words">
        <text x={cardX + 10} y={cardY + 19} fontSize={14} fontWeight={600} fill={chosen ? dark.bright : dark.text}>
          {tight ? shortName(cage.name) : cage.name}
        </text>
        <text x={cardX + wide - 10} y={cardY + 19} textAnchor="end" fill={color}>
          {cage.age ? `${cage.age}前` : cage.shown.word}
        </text>
        <text x={cardX + 10} y={cardY + 38} fill={grey ? dark.stale : dark.text}>
          {where.join(' · ')}
        </text>
        <text x={cardX + 10} y={cardY + 55} fill={grey ? dark.stale : dark.text}>
          {persons(cage)} · {tight ? '' : '载重 '}
          {cage.loadPercent?.toFixed(0) ?? '--'} %
          {cage.open.length > 0 && <tspan fill={openRunning ? dark.alarm : dark.label}> · {cage.open.join('、')}开</tspan>}
        </text>
        <text x={cardX + 10} y={cardY + 71} fill={cage.driver ? dark.label : dark.limitWarning}>
          {cage.driver ? `司机 ${cage.driver}` : '未识别司机'}
        </text>
      </g>
    </>
  )
}

/** Door leaves at both sides; red if the cage runs with a door open. */
function Doors({ x, y, open, alarm, grey }: { x: number; y: number; open: readonly string[]; alarm: boolean; grey: boolean }) {
  const foot = y + cageHeight - 3
  const leaf = (side: 'left' | 'right', isOpen: boolean) => {
    const at = side === 'left' ? x + 3 : x + cageWidth - 3
    const swing = side === 'left' ? -14 : 14
    return isOpen ? `M${at} ${y + 14}l${swing} -8V${foot - 8}L${at} ${foot}` : `M${at} ${y + 6}V${foot}`
  }
  const tone = (isOpen: boolean) => (grey ? dark.stale : isOpen ? (alarm ? dark.alarm : dark.limitWarning) : dark.edge)
  const [front, rear] = [open.includes('前门'), open.includes('后门')]
  return (
    <g fill="none" strokeWidth={3}>
      <path d={leaf('left', front)} stroke={tone(front)} />
      <path d={leaf('right', rear)} stroke={tone(rear)} />
    </g>
  )
}

const perRow = 5
/** One dot per person; empty dots are free places, red ones are too many. */
function Dots({ x, y, cage, grey }: { x: number; y: number; cage: DrawnCage; grey: boolean }) {
  const inside = cage.persons ?? 0
  const count = Math.min(15, Math.max(cage.ratedPersons, inside))
  return (
    <g>
      {Array.from({ length: count }, (_, i) => i).map((i) => {
        const taken = i < inside
        const tone = grey ? dark.stale : i >= cage.ratedPersons ? dark.alarm : taken ? dark.accent : dark.edge
        return (
          <circle
            key={i}
            cx={x + 13 + (i % perRow) * 9.5}
            cy={y + 15 + Math.floor(i / perRow) * 11}
            r={3.4}
            fill={taken ? tone : 'none'}
            stroke={tone}
          />
        )
      })}
    </g>
  )
}

function LoadBar({ x, y, percent, grey }: { x: number; y: number; percent: number | undefined; grey: boolean }) {
  const share = Math.min(1, Math.max(0, (percent ?? 0) / 110))
  const tone = grey ? dark.stale : (percent ?? 0) >= over ? dark.alarm : (percent ?? 0) >= 90 ? dark.warning : dark.accent
  const room = cageWidth - 16
  return (
    <g>
      <rect x={x + 8} y={y + cageHeight - 12} width={room} height={5} fill={dark.hairline} />
      <rect x={x + 8} y={y + cageHeight - 12} width={room * share} height={5} fill={tone} />
      <line x1={x + 8 + room / 1.1} x2={x + 8 + room / 1.1} y1={y + cageHeight - 14} y2={y + cageHeight - 5} stroke={dark.limit} />
    </g>
  )
}
