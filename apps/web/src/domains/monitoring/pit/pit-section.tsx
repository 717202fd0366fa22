import { dark } from '#kit/colors.ts'
import { measure } from '#kit/format.ts'
import type { Point } from '../crane-geometry.ts'
import { pathOf, useSize, Words } from '../plan-view.tsx'
import { marks, type Outline, type PitPoint, type Placed, pointWord, stateColors, valueWords } from './pit-state.ts'
import { type Box, belowWhatStands, rowsOf, widthOf } from './pit-words.ts'

type Profile = PitPoint['profile']

interface PitSectionProps {
  placed: readonly Placed[]
  outline: Outline
  depth: number
  /** Excavated depth, metres; undefined if not reported. */
  dug: number | undefined
  selected: string
  /** Profiles of the selected inclinometer. */
  weekAgo: Profile
  first: Profile
  onSelect: (deviceId: string) => void
}

/** Fractions of the pit's width shown beside each wall, and of its depth above ground and below the bottom. */
const beside = 0.42
const above = 0.4
const below = 0.72
/** Pixels drawn for the control value of an inclinometer. */
const controlPx = 74
const settlePx = 1.6

/** Section of the pit from west to east, seen towards the north: depth to scale, movements magnified. */
export function PitSection(props: PitSectionProps) {
  const [ref, width, height] = useSize<HTMLDivElement>()
  return (
    <div className="mon-plan" ref={ref}>
      {width > 0 && <Cut {...props} width={width} height={height} />}
    </div>
  )
}

function Cut({ width, height, ...props }: PitSectionProps & { width: number; height: number }) {
  const { placed, outline, depth, dug, selected, onSelect } = props
  const wide = Math.max(6, outline.right - outline.left)
  const [left, right] = [outline.left - wide * beside, outline.right + wide * beside]
  const x = (metre: number) => ((Math.min(right, Math.max(left, metre)) - left) / (right - left)) * width
  const tall = depth * (1 + above + below)
  const y = (under: number) => ((under + depth * above) / tall) * height
  const [wallL, wallR] = [x(outline.left), x(outline.right)]
  const ground = y(0)
  const foot = y(depth * 1.5)
  const middle = (outline.left + outline.right) / 2
  const tubes = placed.filter((one) => one.point.pointType === 'deepHorizontal')
  const tubeOf = (isLeft: boolean) => {
    const own = tubes.filter((one) => one.at[0] < middle === isLeft)
    return own.find((one) => one.point.deviceId === selected) ?? own.sort((a, b) => (b.point.share ?? -1) - (a.point.share ?? -1))[0]
  }
  const outside = placed.filter((one) => ['surface', 'building', 'pipeline', 'tilt', 'crack'].includes(one.point.pointType))
  const tops = placed.filter((one) => one.point.pointType === 'topHorizontal' || one.point.pointType === 'topVertical')
  const water = placed.filter((one) => one.point.pointType === 'waterLevel')
  const struts = placed.filter((one) => one.point.pointType === 'strutForce' || one.point.pointType === 'anchorForce')
  // Labels of objects on the ground have separate rows above it, so that none overlap.
  const crown = y(-depth * 0.03)
  const current = [
    ...tops.map(({ point, at }) => ({ point, x: at[0] < middle ? wallL - 3 : wallR + 3, y: crown, isTop: true })),
    ...outside.map(({ point, at }) => ({
      point,
      x: x(at[0] < middle ? Math.min(at[0], outline.left - wide * 0.1) : Math.max(at[0], outline.right + wide * 0.1)),
      y: ground + Math.min(26, Math.abs(point.cumulative ?? 0) * settlePx),
      isTop: false,
    })),
  ]
  const markWords = (point: PitPoint) => `${point.pointCode} ${measure(point.cumulative, 1)}`
  const rows = rowsOf(
    current.map((one) => ({ at: one.x, width: widthOf(markWords(one.point)) })),
    width,
  )
  const strutAt = (i: number) => y(depth * (0.1 + 0.3 * i))
  const strutWords = (point: PitPoint, no: number) =>
    `第 ${no} 道 ${point.pointCode} ${valueWords(point.cumulative, point.unit)}，${pointWord(point)}`
  const taken: Box[] = [
    ...struts.map(({ point }, i) => ({ left: wallL + 14, top: strutAt(i) - 22, width: widthOf(strutWords(point, i + 1)), height: 28 })),
    { left: (wallL + wallR) / 2 - 60, top: y(depth) + 2, width: 120, height: 18 },
    { left: (wallL + wallR) / 2 - 60, top: y(dug ?? depth * 0.8) - 22, width: 120, height: 18 },
  ]
  const label = `剖面：设计深 ${depth} m，${dug === undefined ? '现挖深度未上报' : `现挖至 ${dug} m`}；${placed
    .map(({ point }) => `${point.pointCode} ${valueWords(point.cumulative, point.unit)} ${pointWord(point)}`)
    .join('，')}`
  const step = depth > 12 ? 4 : 2
  const levels = Array.from({ length: Math.floor((depth * 1.6) / step) + 1 }, (_, i) => i * step)
  return (
    <svg width={width} height={height} role="group" aria-label={label}>
      <defs>
        <pattern id="pit-soil" width="9" height="9" patternUnits="userSpaceOnUse">
          <circle cx="2" cy="3" r=".9" fill={dark.line} />
          <circle cx="7" cy="7" r=".7" fill={dark.line} />
        </pattern>
        <pattern id="pit-rest" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect width="1.5" height="8" fill={dark.warning} opacity=".45" />
        </pattern>
      </defs>
      <rect x={0} y={ground} width={width} height={height - ground} fill={dark.head} />
      <rect x={0} y={ground} width={width} height={height - ground} fill="url(#pit-soil)" />
      <rect x={wallL} y={y(-0.2)} width={wallR - wallL} height={y(dug ?? depth) - y(-0.2)} fill={dark.deep} />
      {dug !== undefined && dug < depth && (
        <rect x={wallL} y={y(dug)} width={wallR - wallL} height={y(depth) - y(dug)} fill="url(#pit-rest)" />
      )}
      {levels.map((one) => (
        <g key={one}>
          <line x1={0} x2={8} y1={y(one)} y2={y(one)} stroke={dark.label} />
          <Words at={[12, y(one) + 4]} anchor="start" size={12} color={dark.label}>
            {one === 0 ? '±0' : `−${one}`}
          </Words>
        </g>
      ))}
      <line x1={wallL} x2={wallR} y1={y(depth)} y2={y(depth)} stroke={dark.limitWarning} strokeDasharray="6 4" />
      <Words at={[(wallL + wallR) / 2, y(depth) + 16]} size={12} color={dark.limitWarning}>
        设计坑底 −{measure(depth, 1)} m
      </Words>
      {dug === undefined ? (
        <Words at={[(wallL + wallR) / 2, y(depth * 0.8)]} size={12} color={dark.gone}>
          现挖深度未上报
        </Words>
      ) : (
        <>
          <line x1={wallL} x2={wallR} y1={y(dug)} y2={y(dug)} stroke={dark.warning} strokeWidth={2} />
          <Words at={[(wallL + wallR) / 2, y(dug) - 7]} weight={600} color={dark.limitWarning}>
            现挖至 −{measure(dug, 1)} m
          </Words>
        </>
      )}
      {[wallL - 7, wallR].map((at) => (
        <rect
          key={at}
          x={at}
          y={y(-depth * 0.03)}
          width={7}
          height={foot - y(-depth * 0.03)}
          fill={dark.edge}
          stroke={dark.label}
          strokeWidth={0.6}
        />
      ))}
      {struts.map(({ point }, i) => (
        <Strut
          key={point.deviceId}
          point={point}
          from={wallL}
          to={wallR}
          y={strutAt(i)}
          text={strutWords(point, i + 1)}
          onSelect={onSelect}
          on={point.deviceId === selected}
        />
      ))}
      {[true, false].map((isLeft) => {
        const tube = tubeOf(isLeft)
        return tube ? (
          <Tube
            key={String(isLeft)}
            point={tube.point}
            wall={isLeft ? wallL : wallR}
            inward={isLeft ? 1 : -1}
            y={y}
            taken={taken}
            on={tube.point.deviceId === selected}
            weekAgo={tube.point.deviceId === selected ? props.weekAgo : []}
            first={tube.point.deviceId === selected ? props.first : []}
            onSelect={onSelect}
          />
        ) : null
      })}
      {current.map((one, i) => {
        const { words } = rows[i] ?? { words: one.x }
        return (
          <Mark
            key={one.point.deviceId}
            point={one.point}
            at={[one.x, one.y]}
            words={[words, crown - 16 - (rows[i]?.row ?? 0) * 15]}
            text={markWords(one.point)}
            {...(one.isTop ? {} : { trough: ground })}
            on={one.point.deviceId === selected}
            onSelect={onSelect}
          />
        )
      })}
      {water.map(({ point, at }) => {
        const isLeft = at[0] < middle
        const px = x(isLeft ? outline.left - wide * 0.26 : outline.right + wide * 0.26)
        const py = y(depth * 0.55)
        const text = `${point.pointCode} 水位 ${valueWords(point.cumulative, point.unit)}`
        const wordsWide = widthOf(text)
        const wordsX = Math.min(width - wordsWide / 2 - 4, Math.max(wordsWide / 2 + 4, px))
        const wordsY = belowWhatStands(taken, { left: wordsX - wordsWide / 2, top: py + 4, width: wordsWide, height: 16 }) + 12
        return (
          <Hit key={point.deviceId} point={point} text={text} onSelect={onSelect}>
            <line x1={px - 26} x2={px + 26} y1={py} y2={py} stroke={dark.running} strokeWidth={1.6} />
            <path d={`M ${px - 6} ${py - 10} h 12 l -6 9 z`} fill={stateColors[point.state]} />
            <Words at={[wordsX, wordsY]} size={12} color={point.deviceId === selected ? dark.accent : dark.text}>
              {text}
            </Words>
          </Hit>
        )
      })}
    </svg>
  )
}

interface HitProps {
  point: PitPoint
  /** Visible text beside it, used as accessible name for voice control. */
  text: string
  onSelect: (id: string) => void
  children: React.ReactNode
}

/** A selectable part of the drawing, by pointer or keyboard. */
export function Hit({ point, text, onSelect, children }: HitProps) {
  return (
    <g
      data-hit
      role="button"
      tabIndex={0}
      className="pit-hit"
      aria-label={`${text}，${point.pointTypeName} ${point.pointCode} ${valueWords(point.cumulative, point.unit)}，${pointWord(point)}`}
      onClick={() => onSelect(point.deviceId)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return
        event.preventDefault()
        onSelect(point.deviceId)
      }}
    >
      {children}
    </g>
  )
}

interface PartProps {
  point: PitPoint
  on: boolean
  onSelect: (id: string) => void
}

function Strut({ point, from, to, y, text, on, onSelect }: PartProps & { from: number; to: number; y: number; text: string }) {
  return (
    <Hit point={point} text={text} onSelect={onSelect}>
      <rect
        x={from}
        y={y - 5}
        width={to - from}
        height={10}
        fill={on ? dark.edge : dark.raised}
        stroke={stateColors[point.state]}
        strokeWidth={on ? 2 : 1}
      />
      <Words at={[from + 14, y - 10]} anchor="start" size={12} color={on ? dark.accent : dark.text}>
        {text}
      </Words>
    </Hit>
  )
}

function Mark({
  point,
  at: [px, py],
  words: [wordsX, wordsY],
  text,
  trough,
  on,
  onSelect,
}: PartProps & { at: Point; words: Point; text: string; trough?: number }) {
  return (
    <Hit point={point} text={text} onSelect={onSelect}>
      {trough !== undefined && (
        <path
          d={`M ${px - 44} ${trough} Q ${px} ${trough + (py - trough) * 2} ${px + 44} ${trough}`}
          fill="none"
          stroke={dark.label}
          strokeWidth={1.4}
        />
      )}
      <line x1={px} x2={px} y1={py} y2={wordsY + 4} stroke={dark.edge} />
      <circle cx={px} cy={py} r={on ? 6 : 4.5} fill={dark.deep} stroke={stateColors[point.state]} strokeWidth={2} />
      <Words at={[wordsX, wordsY]} size={12} color={on ? dark.accent : dark.text}>
        {text}
      </Words>
    </Hit>
  )
}

/** Inclinometer in its wall: now, a week ago and before excavation, with limit lines. */
function Tube({
  point,
  wall,
  inward,
  y,
  taken,
  on,
  weekAgo,
  first,
  onSelect,
}: PartProps & { wall: number; inward: 1 | -1; y: (metre: number) => number; taken: Box[]; weekAgo: Profile; first: Profile }) {
  const perMm = controlPx / Math.max(1, point.control ?? 40)
  const curve = (profile: Profile): Point[] => profile.map((one) => [wall + inward * one.value * perMm, y(one.depth)])
  const now = curve(point.profile)
  const top = point.profile.reduce<Profile[number] | undefined>(
    (best, one) => (!best || Math.abs(one.value) > Math.abs(best.value) ? one : best),
    undefined,
  )
  const color = point.state === 'fine' ? dark.accent : stateColors[point.state]
  const last = point.profile.at(-1)?.depth ?? 0
  const title = top ? `${point.pointCode} ${measure(top.value, 1)} mm` : ''
  const remark = top ? `−${measure(top.depth, 1)} m，${pointWord(point)}` : ''
  const wordsX = wall + inward * (controlPx + 16)
  const wordsWidth = Math.max(widthOf(title), widthOf(remark)) * 1.1
  const left = inward === 1 ? wordsX : wordsX - wordsWidth
  const wordsY = belowWhatStands(taken, { left, top: y(top?.depth ?? 0) - 16, width: wordsWidth, height: 34 }) + 13
  return (
    <>
      <Hit point={point} text={`${title} ${remark}`} onSelect={onSelect}>
        {point.control !== null &&
          marks.map((mark) => {
            const px = wall + inward * controlPx * (mark / 100)
            return (
              <g key={mark}>
                <line
                  x1={px}
                  x2={px}
                  y1={y((top?.depth ?? 0) * 0.7)}
                  y2={y(last)}
                  stroke={mark === 100 ? dark.limit : dark.limitWarning}
                  strokeDasharray="4 4"
                  opacity={on ? 1 : 0.5}
                />
              </g>
            )
          })}
        {first.length > 1 && <path d={pathOf(curve(first))} fill="none" stroke={dark.stale} strokeDasharray="4 4" strokeWidth={1.4} />}
        {weekAgo.length > 1 && <path d={pathOf(curve(weekAgo))} fill="none" stroke={dark.running} strokeWidth={1.6} />}
        {now.length > 1 && <path d={pathOf(now)} fill="none" stroke={color} strokeWidth={on ? 3 : 2} />}
        {top && (
          <>
            <circle cx={wall + inward * top.value * perMm} cy={y(top.depth)} r={4.5} fill={color} stroke={dark.deep} />
            <Words at={[wordsX, wordsY]} anchor={inward === 1 ? 'start' : 'end'} weight={600} color={color}>
              {title}
            </Words>
            <Words at={[wordsX, wordsY + 16]} anchor={inward === 1 ? 'start' : 'end'} size={12} color={dark.text}>
              {remark}
            </Words>
          </>
        )}
      </Hit>
      {on &&
        point.control !== null &&
        marks.map((mark) => (
          <Words
            key={mark}
            at={[wall + inward * (controlPx * (mark / 100) + (mark - marks[1]) * 0.6), y(last) + 14]}
            size={12}
            color={mark === 100 ? dark.limit : dark.limitWarning}
          >
            {measure((point.control ?? 0) * (mark / 100), 0)}
          </Words>
        ))}
    </>
  )
}
