import type { KeyboardEvent } from 'react'
import { dark } from '#kit/colors.ts'
import { span } from '#kit/format.ts'
import { byBuilding, type LoadTone, loadTone, type Place, tiltScale } from './platform-state.ts'

export interface DrawnPlatform extends Place {
  id: string
  name: string
  percent: number | undefined
  word: string
  isOld: boolean
}

const [width, height] = [760, 420]
const inks: Record<LoadTone, string> = { fine: dark.fine, warning: dark.warning, alarm: dark.alarm }
const face = { left: 20, right: 410, top: 34, foot: 392 }
const mostFloors = 40

/** Building fronts with platforms at their floors, and the selected one enlarged beside them. */
export function PlatformScene({
  platforms,
  selected,
  onSelect,
  large,
}: {
  platforms: readonly DrawnPlatform[]
  selected: string
  onSelect: (id: string) => void
  large: LargeProps
}) {
  const buildings = byBuilding(platforms)
  const top = Math.min(mostFloors, Math.max(6, ...platforms.map((one) => one.floor ?? 0)) + 2)
  const each = (face.right - face.left) / Math.max(1, buildings.length)
  return (
    <div className="mon-plan">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width="100%"
        height="100%"
        preserveAspectRatio="xMidYMid meet"
        role="group"
        aria-label={`${platforms.length} 个卸料平台在楼面上的位置`}
      >
        <line x1={0} x2={width} y1={face.foot} y2={face.foot} stroke={dark.edge} strokeWidth={2} />
        {buildings.map(({ building, platforms: own }, i) => (
          <Face
            key={building}
            name={building}
            x={face.left + i * each}
            room={each}
            floors={top}
            platforms={own}
            selected={selected}
            onSelect={onSelect}
          />
        ))}
        <Large {...large} />
      </svg>
    </div>
  )
}

function Face({
  name,
  x,
  room,
  floors,
  platforms,
  selected,
  onSelect,
}: {
  name: string
  x: number
  room: number
  floors: number
  platforms: readonly DrawnPlatform[]
  selected: string
  onSelect: (id: string) => void
}) {
  const wide = Math.min(120, room * 0.5)
  const left = x + 8
  const step = (face.foot - face.top) / floors
  const lines = Array.from({ length: floors }, (_, i) => face.foot - i * step)
  return (
    <g>
      <rect x={left} y={face.top} width={wide} height={face.foot - face.top} fill={dark.raised} stroke={dark.edge} />
      {lines.map((y) => (
        <line key={y} x1={left} x2={left + wide} y1={y} y2={y} stroke={dark.line} />
      ))}
      <text x={left + wide / 2} y={height - 10} textAnchor="middle" fontSize={13} fill={dark.text}>
        {name}
      </text>
      {platforms.map((one, i) => (
        <Small
          key={one.id}
          one={one}
          x={left + wide}
          y={one.floor === undefined ? face.top + 14 + i * 24 : face.foot - Math.min(floors, one.floor) * step}
          isChosen={one.id === selected}
          onSelect={onSelect}
        />
      ))}
    </g>
  )
}

function Small({
  one,
  x,
  y,
  isChosen,
  onSelect,
}: {
  one: DrawnPlatform
  x: number
  y: number
  isChosen: boolean
  onSelect: (id: string) => void
}) {
  const color = one.isOld || one.percent === undefined ? dark.stale : inks[loadTone(one.percent)]
  const choose = () => onSelect(one.id)
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    choose()
  }
  return (
    <>
      <g
        role="button"
        tabIndex={0}
        data-hit
        className="meter-node"
        aria-label={`${one.name}，${one.word}${one.percent === undefined || one.word.includes('%') ? '' : `，载重 ${one.percent.toFixed(0)} %`}`}
        aria-pressed={isChosen}
        onClick={choose}
        onKeyDown={key}
      >
        <rect x={x} y={y - 6} width={30} height={8} fill={color} />
        <line x1={x} x2={x + 28} y1={y - 24} y2={y - 6} stroke={color} strokeWidth={1.5} />
        {isChosen && <rect x={x - 3} y={y - 27} width={38} height={33} fill="none" stroke={dark.accent} strokeWidth={2} />}
      </g>
      <text x={x + 40} y={y + 2} fontSize={13} pointerEvents="none" fill={one.isOld ? dark.gone : dark.text}>
        {one.floor === undefined ? '' : `${one.floor} 层 `}
        {one.percent === undefined ? '--' : `${one.percent.toFixed(0)} %`}
      </text>
    </>
  )
}

export interface LargeProps {
  name: string
  percent: number | undefined
  weight: number | undefined
  tiltX: number | undefined
  tiltY: number | undefined
  board: string
  isUnset: boolean
  /** How long material has been there, and the permitted time, ms. */
  lies: number | undefined
  mayLie: number
  isOld: boolean
}
const mid = { x: 590, y: 250 }
const deck = { wide: 200, deep: 16 }

/** The selected platform from the front, with its tilt and load. */
function Large({ name, percent, weight, tiltX, tiltY, board, isUnset, lies, mayLie, isOld }: LargeProps) {
  const tone = loadTone(percent)
  const color = isOld ? dark.stale : inks[tone]
  const tall = Math.min(1.1, (percent ?? 0) / 100) * 90
  const lean = Math.max(-20, Math.min(20, (tiltX ?? 0) * tiltScale))
  const words = `${name}，载重 ${weight?.toFixed(2) ?? '--'} 吨，${percent?.toFixed(0) ?? '--'} %，倾角 ${tiltX?.toFixed(2) ?? '--'}° 与 ${tiltY?.toFixed(2) ?? '--'}°，${board}`
  const late = lies !== undefined && lies > mayLie
  const x0 = mid.x - deck.wide / 2
  const mark = (share: number) => mid.y - deck.deep / 2 - share * 90
  return (
    <g>
      <title>{words}</title>
      <text x={mid.x} y={46} textAnchor="middle" fontSize={15} fontWeight={600} fill={dark.text}>
        {name}
      </text>
      <g transform={`rotate(${lean} ${mid.x} ${mid.y})`}>
        <rect x={x0} y={mid.y - deck.deep / 2} width={deck.wide} height={deck.deep} fill={dark.line} stroke={dark.edge} />
        <rect x={x0 + 16} y={mid.y - deck.deep / 2 - tall} width={deck.wide - 32} height={tall} fill={color} opacity={0.85} />
        <path
          d={`M${x0} ${mid.y - 8} L${x0} ${mid.y - 66} M${x0 + deck.wide} ${mid.y - 8} L${x0 + deck.wide} ${mid.y - 66}`}
          stroke={dark.edge}
          strokeWidth={4}
        />
        <path
          d={`M${x0} ${mid.y - 60} L${mid.x - 40} ${mid.y - 150} M${x0 + deck.wide} ${mid.y - 60} L${mid.x + 40} ${mid.y - 150}`}
          stroke={dark.accent}
          strokeWidth={2}
        />
        {[0.8, 1].map((share) => (
          <g key={share}>
            <line
              x1={x0 - 6}
              x2={x0 + deck.wide + 6}
              y1={mark(share)}
              y2={mark(share)}
              stroke={share === 1 ? dark.alarm : dark.warning}
              strokeDasharray="6 4"
            />
            <text x={x0 + deck.wide + 12} y={mark(share) + 4} fontSize={12} fill={share === 1 ? dark.limit : dark.limitWarning}>
              {share * 100} %
            </text>
          </g>
        ))}
      </g>
      <line x1={x0 - 20} x2={x0 + deck.wide + 20} y1={mid.y + 12} y2={mid.y + 12} stroke={dark.hairline} strokeDasharray="3 4" />
      <g textAnchor="middle">
        <text x={mid.x} y={mid.y + 44} fontSize={26} fontWeight={600} fill={isOld ? dark.stale : tone === 'fine' ? dark.text : color}>
          {`${weight?.toFixed(2) ?? '--'} t　${percent?.toFixed(0) ?? '--'} %`}
        </text>
        <text x={mid.x} y={mid.y + 68} fontSize={13} fill={isUnset ? dark.limit : dark.text}>
          {isUnset ? '未设置限载，按 1.5 t 判断' : board}
        </text>
        <text x={mid.x} y={mid.y + 90} fontSize={13} fill={late ? dark.limitWarning : dark.label}>
          {lies === undefined ? '平台上没有材料' : `已滞留 ${span(lies)} / ${span(mayLie)}`}
        </text>
        <text x={mid.x} y={mid.y + 112} fontSize={12} fill={dark.label}>
          {`倾角放大 ${tiltScale} 倍，X ${tiltX?.toFixed(2) ?? '--'}°　Y ${tiltY?.toFixed(2) ?? '--'}°`}
        </text>
      </g>
    </g>
  )
}
