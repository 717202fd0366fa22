import { hourMs } from '@zhugong/contract/kit/time'
import { minuteOfDay } from '#kit/format.ts'
import { useSize } from '../plan-view.tsx'
import type { Span } from '../replay.ts'
import './lift.css'
import { floorMarks } from './lift-state.ts'
import { fullRow, type RunLine } from './run-day.ts'

interface DiagramProps {
  lines: readonly RunLine[]
  span: Span
  floors: number
  ratedPersons: number
  chosen: string | undefined
  idOf: (line: RunLine) => string
  onPick: (line: RunLine) => void
}

const left = 52
const right = 14
const top = 12
const foot = 24

/** A day of a lift: floor against time, one line per run. Violations are thick and red; the longest sequence of full runs has a bar at the top. */
export function RunDiagram(props: DiagramProps) {
  const [ref, width, height] = useSize<HTMLDivElement>()
  return (
    <div className="lift-day" ref={ref}>
      {width > 0 && <Drawn {...props} width={width} height={height} />}
    </div>
  )
}

function Drawn({
  lines,
  span,
  floors,
  ratedPersons,
  chosen,
  idOf,
  onPick,
  width,
  height,
}: DiagramProps & { width: number; height: number }) {
  const x = (at: number) => left + ((at - span.from) / (span.to - span.from)) * (width - left - right)
  const y = (floor: number) => height - foot - ((floor - 1) / Math.max(1, floors - 1)) * (height - foot - top - 8)
  const perFloor = (height - foot - top) / Math.max(1, floors)
  const step = [1, 2, 3, 4, 6, 12, 24].find((one) => x(span.from + one * hourMs) - left > 44) ?? 24
  const hours = Math.ceil((span.to - span.from) / hourMs / step)
  const waiting = fullRow(lines, ratedPersons)
  const bad = lines.filter((one) => one.bad).length
  const press = (line: RunLine) => (event: React.KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return
    event.preventDefault()
    onPick(line)
  }
  return (
    <svg width={width} height={height} role="group" aria-label={`运行图，${lines.length} 次运行，${bad} 次违章，方向键在表格中逐条查看`}>
      {floorMarks(floors, perFloor, 20).map((floor) => (
        <g key={floor}>
          <line x1={left} x2={width - right} y1={y(floor)} y2={y(floor)} className="grid" />
          <text x={left - 6} y={y(floor) + 4} textAnchor="end" className="axis">
            {floor} 层
          </text>
        </g>
      ))}
      {Array.from({ length: hours + 1 }, (_, i) => span.from + i * step * hourMs)
        .filter((at) => at <= span.to)
        .map((at) => (
          <text key={at} x={x(at)} y={height - 6} textAnchor="middle" className="axis">
            {minuteOfDay(at)}
          </text>
        ))}
      {waiting && waiting.runs > 1 && (
        <g>
          <rect x={x(waiting.from)} y={2} width={Math.max(3, x(waiting.to) - x(waiting.from))} height={5} className="full" />
          <title>{`${minuteOfDay(waiting.from)} 至 ${minuteOfDay(waiting.to)} 连续 ${waiting.runs} 次上行满员`}</title>
        </g>
      )}
      {lines.map((line) => (
        <path
          key={idOf(line)}
          role="button"
          tabIndex={line.bad ? 0 : -1}
          aria-label={line.words}
          className="run"
          data-cage={line.run.cage}
          data-bad={line.bad}
          data-chosen={idOf(line) === chosen}
          d={`M${x(line.from.at).toFixed(1)} ${y(line.from.floor).toFixed(1)}L${x(line.to.at).toFixed(1)} ${y(line.to.floor).toFixed(1)}`}
          onClick={() => onPick(line)}
          onKeyDown={press(line)}
        >
          <title>{line.words}</title>
        </path>
      ))}
    </svg>
  )
}
