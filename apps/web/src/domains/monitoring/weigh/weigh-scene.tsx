import { dark } from '#kit/colors.ts'
import { span } from '#kit/format.ts'
import { type MachineStatus, toneColors } from '../crane-state.ts'
import { type Plate, phaseWords } from './weigh-state.ts'

/** View box of the drawing, scaled to the available room. */
const [width, height] = [760, 500]
/** Distance of the platform below the display, and magnification of the display. */
const down = 140
const magnified = 1.5
const ground = 262
const deck = { left: 120, right: 640, top: 246 }
const wheelsAt = [232, 300, 424, 470, 516]

interface WeighSceneProps {
  name: string
  plate: Plate
  tone: MachineStatus['tone']
  /** Age of the reading if it is outdated, ms. */
  ageMs: number | undefined
  mean: number | null
}

/** Weighing platform from the side with the truck, and the bridge's display. */
export function WeighScene({ name, plate, tone, ageMs, mean }: WeighSceneProps) {
  const { phase, weight, plateNo } = plate
  const old = ageMs !== undefined
  const shown = weight === undefined ? '--' : weight.toFixed(2).replace(/^-(?=[0.]+$)/, '')
  const color = old ? dark.stale : tone === 'none' ? dark.text : toneColors[tone]
  const stands = phase === 'steady' || phase === 'moving'
  const said = `${name}，${old ? `${span(ageMs)}前的读数，` : ''}${phaseWords[phase]}，${shown} 吨${plateNo ? `，车牌 ${plateNo}` : ''}`
  return (
    <div className="mon-plan">
      <svg viewBox={`0 0 ${width} ${height}`} width="100%" height="100%" preserveAspectRatio="xMidYMid meet" role="img" aria-label={said}>
        <g transform={`translate(${(width / 2) * (1 - magnified)} 14) scale(${magnified})`}>
          <Display shown={shown} color={color} plate={plate} old={old} words={old ? `${span(ageMs)}前` : phaseWords[phase]} />
        </g>
        <g transform={`translate(0 ${down})`}>
          <line x1={0} x2={width} y1={ground + 14} y2={ground + 14} stroke={dark.edge} strokeWidth={2} />
          <Barrier x={86} isUp={phase === 'empty'} />
          <Barrier x={674} isUp={phase === 'empty'} />
          {stands && <Lorry moving={phase === 'moving'} color={old ? dark.stale : dark.accent} plateNo={plateNo} />}
          <Deck pressed={stands} />
        </g>
        {mean !== null && stands && (
          <text x={width / 2} y={height - 40} textAnchor="middle" fontSize={14} fill={dark.label}>
            该车近 5 次皮重均值 {mean.toFixed(2)} t
          </text>
        )}
      </svg>
    </div>
  )
}

function Deck({ pressed }: { pressed: boolean }) {
  const { left, right, top } = deck
  return (
    <g>
      <polygon points={`${left - 62},${ground + 14} ${left},${top} ${left},${ground + 14}`} fill={dark.raised} stroke={dark.edge} />
      <polygon points={`${right + 62},${ground + 14} ${right},${top} ${right},${ground + 14}`} fill={dark.raised} stroke={dark.edge} />
      <rect x={left} y={top} width={right - left} height={10} fill={dark.line} stroke={dark.edge} />
      {[0.04, 0.35, 0.65, 0.96].map((share) => (
        <rect
          key={share}
          x={left + share * (right - left) - 9}
          y={top + 10}
          width={18}
          height={ground + 14 - top - 10}
          fill={pressed ? dark.accent : dark.edge}
          opacity={pressed ? 0.75 : 1}
        />
      ))}
    </g>
  )
}

function Barrier({ x, isUp }: { x: number; isUp: boolean }) {
  const y = 216
  const [dx, dy] = x < width / 2 ? [isUp ? -14 : -64, isUp ? -62 : 0] : [isUp ? 14 : 64, isUp ? -62 : 0]
  return (
    <g>
      <rect x={x - 5} y={y} width={10} height={ground + 14 - y} fill={dark.line} stroke={dark.edge} />
      <line x1={x} y1={y + 6} x2={x + dx} y2={y + 6 + dy} stroke={dark.limitWarning} strokeWidth={4} strokeDasharray="10 6" />
    </g>
  )
}

/** A tipper truck from its right side. */
function Lorry({ moving, color, plateNo }: { moving: boolean; color: string; plateNo: string | undefined }) {
  return (
    <g transform={moving ? 'translate(-70 0)' : undefined}>
      <polygon points="280,142 560,142 546,218 280,218" fill={dark.raised} stroke={color} strokeWidth={2} />
      <path d="M280 142 L300 120 L540 120 L560 142 Z" fill={dark.line} stroke={color} strokeWidth={1.5} />
      <path d="M196 218 L196 178 L218 142 L266 142 L266 218 Z" fill={dark.raised} stroke={color} strokeWidth={2} />
      <polygon points="204,178 221,152 246,152 246,178" fill={dark.line} stroke={color} />
      <rect x={196} y={216} width={352} height={12} fill={dark.line} stroke={color} />
      {wheelsAt.map((x) => (
        <g key={x}>
          <circle cx={x} cy={230} r={17} fill={dark.deep} stroke={color} strokeWidth={2} />
          <circle cx={x} cy={230} r={6} fill={dark.edge} />
        </g>
      ))}
      <rect x={360} y={164} width={132} height={32} rx={4} fill={dark.deep} stroke={plateNo ? dark.limitWarning : dark.stale} />
      <text x={426} y={186} textAnchor="middle" fontSize={18} fontWeight={600} fill={plateNo ? dark.limitWarning : dark.gone}>
        {plateNo ?? '车牌未识别'}
      </text>
    </g>
  )
}

/** The display: 44 px digits, and the two lamps of every weighing instrument. */
function Display({ shown, color, plate, old, words }: { shown: string; color: string; plate: Plate; old: boolean; words: string }) {
  return (
    <g>
      <rect x={220} y={8} width={320} height={84} rx={6} fill={dark.deep} stroke={dark.edge} />
      <text x={430} y={64} textAnchor="end" fontSize={44} fontWeight={600} fill={color} className="weigh-digits">
        {shown}
      </text>
      <text x={440} y={64} fontSize={18} fill={dark.label}>
        t
      </text>
      <Lamp y={34} isOn={plate.isStable && !old} word={plate.isStable ? '稳定' : '未稳'} />
      <Lamp y={62} isOn={plate.isZero && !old} word={plate.isZero ? '零点' : '非零'} />
      <text x={232} y={84} fontSize={12} fill={old ? dark.limitWarning : dark.label}>
        {words}
      </text>
    </g>
  )
}

function Lamp({ y, isOn, word }: { y: number; isOn: boolean; word: string }) {
  return (
    <g>
      <circle cx={480} cy={y - 4} r={6} fill={isOn ? dark.fine : 'none'} stroke={isOn ? dark.fine : dark.edge} strokeWidth={2} />
      <text x={492} y={y} fontSize={13} fill={isOn ? dark.text : dark.label}>
        {word}
      </text>
    </g>
  )
}
