import type { ScheduleTasks, TaskRow } from '@zhugong/contract/schedule/calls'
import { dayNumber, shiftDay } from '@zhugong/contract/schedule/plan'
import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { monthsOf, rowHeight, scaleOf, widthOf, xOf } from './gantt-scale.ts'
import { barColors, Delay, delayWords } from './schedule-words.tsx'
import type { Dates } from './use-dates.ts'

interface GanttProps {
  tasks: readonly TaskRow[]
  today: string
  stops: ScheduleTasks['stops']
  /** The dates as they are on the screen, moved or not. */
  datesOf: (task: TaskRow) => Dates
  /** Undefined: the plan may not be changed. */
  onMove: ((task: TaskRow, dates: Dates) => void) | undefined
  onOpen: (task: TaskRow) => void
}

/** Rows outside the visible part that are drawn, so that fast scrolling shows no gaps. */
const spare = 8

/** Planned and actual bar of every task. Only the visible rows are in the document. */
export function Gantt({ tasks, today, stops, datesOf, onMove, onOpen }: GanttProps) {
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })
  const scale = scaleOf(tasks, today)
  const { from, days, px } = scale
  useLayoutEffect(() => {
    const { current } = box
    if (!current) return
    const look = () => setView({ top: current.scrollTop, height: current.clientHeight })
    look()
    const observer = new ResizeObserver(look)
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    // Begin where it is being built now.
    if (box.current) box.current.scrollLeft = Math.max(0, (dayNumber(today) - from) * px - 160)
  }, [from, px, today])
  const first = Math.max(0, Math.floor(view.top / rowHeight) - spare)
  const last = Math.min(tasks.length, Math.ceil((view.top + view.height) / rowHeight) + spare)
  const width = days * px
  return (
    <section
      ref={box}
      className="gantt"
      aria-label={`进度横道图，${tasks.length} 项任务`}
      onScroll={(event) => {
        const { scrollTop, clientHeight } = event.currentTarget
        setView((now) => (Math.abs(now.top - scrollTop) >= rowHeight ? { top: scrollTop, height: clientHeight } : now))
      }}
    >
      <div className="gantt-head">
        <div className="gantt-name">任务</div>
        <svg width={width} height={rowHeight} aria-hidden="true">
          {monthsOf(scale).map(({ x, label }) => (
            <g key={x}>
              <line x1={x} x2={x} y1={0} y2={rowHeight} className="gantt-month" />
              <text x={x + 4} y={20}>
                {label}
              </text>
            </g>
          ))}
        </svg>
      </div>
      <ul className="gantt-rows" style={rowsOf(tasks.length, width)}>
        {tasks.slice(first, last).map((task, i) => (
          <li key={task.id} className="gantt-row" data-critical={task.critical} style={rowAt(first + i)}>
            <button
              type="button"
              className="gantt-name zg-bare"
              data-level={Math.min(4, task.wbs.split('.').length)}
              onClick={() => onOpen(task)}
            >
              <span className="gantt-title">
                {task.wbs} {task.name}
                {task.critical && <small className="tone-danger"> 关键</small>}
              </span>
              <span className="gantt-state">
                {task.percent}% <Delay days={task.delayDays} />
                {task.weightSum !== null && <small className="tone-warning"> 下级权重合计 {task.weightSum}</small>}
              </span>
            </button>
            <div className="gantt-bars" style={sized(width)}>
              {stops.map((stop) => (
                <i
                  key={stop.from}
                  className="gantt-stop"
                  title={`停工 ${stop.from} 至 ${stop.until ?? '今'}，不计入滞后`}
                  style={between(scale, stop.from, stop.until ?? today)}
                />
              ))}
              <Bar task={task} scale={scale} dates={datesOf(task)} onMove={task.leaf ? onMove : undefined} />
              <Actual task={task} scale={scale} today={today} />
            </div>
          </li>
        ))}
        <li className="gantt-today" style={afterNames(xOf(scale, today))} title={`今天 ${today}`} />
      </ul>
    </section>
  )
}

type Scale = ReturnType<typeof scaleOf>
const rowsOf = (count: number, minWidth: number) => ({ height: count * rowHeight, minWidth })
const rowAt = (n: number) => ({ top: n * rowHeight, height: rowHeight })
const sized = (width: number) => ({ width })
const afterNames = (x: number) => ({ left: `calc(var(--gantt-name) + ${x}px)` })
const between = (scale: Scale, from: string, until: string) => ({ left: xOf(scale, from), width: widthOf(scale, from, until) })
type Part = 'whole' | 'start' | 'end'
const edgePx = 8

const shifted = ({ planStart, planEnd }: Dates, part: Part, by: number): Dates => {
  if (part === 'whole') return { planStart: shiftDay(planStart, by), planEnd: shiftDay(planEnd, by) }
  if (part === 'start') {
    const start = shiftDay(planStart, by)
    return { planStart: start > planEnd ? planEnd : start, planEnd }
  }
  const end = shiftDay(planEnd, by)
  return { planStart, planEnd: end < planStart ? planStart : end }
}

/** The planned bar, moved and stretched by pointer or keys. */
function Bar({ task, scale, dates, onMove }: { task: TaskRow; scale: Scale; dates: Dates; onMove: GanttProps['onMove'] }) {
  const dragged = useRef<{ x: number; part: Part; dates: Dates } | undefined>(undefined)
  const label = `${task.name}，计划 ${dates.planStart} 至 ${dates.planEnd}`
  const look = {
    className: task.milestone ? 'gantt-milestone' : 'gantt-plan',
    'data-leaf': task.leaf,
    title: label,
    style: between(scale, dates.planStart, shiftDay(dates.planEnd, 1)),
  }
  if (!onMove) return <i {...look} />
  const down = (event: PointerEvent<HTMLButtonElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    const at = event.clientX - left
    const part = task.milestone || width < edgePx * 3 ? 'whole' : at < edgePx ? 'start' : at > width - edgePx ? 'end' : 'whole'
    dragged.current = { x: event.clientX, part, dates }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  const drag = (event: PointerEvent<HTMLButtonElement>) => {
    const { current } = dragged
    if (!current) return
    const by = Math.round((event.clientX - current.x) / scale.px)
    const next = shifted(current.dates, current.part, by)
    if (next.planStart !== dates.planStart || next.planEnd !== dates.planEnd) onMove(task, next)
  }
  const key = (event: KeyboardEvent<HTMLButtonElement>) => {
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (by === 0) return
    event.preventDefault()
    onMove(task, shifted(dates, event.shiftKey && !task.milestone ? 'end' : 'whole', by))
  }
  return (
    <button
      type="button"
      {...look}
      aria-label={`${label}，左右键移动`}
      onPointerDown={down}
      onPointerMove={drag}
      onPointerUp={() => {
        dragged.current = undefined
      }}
      onKeyDown={key}
    />
  )
}

/** What was done: from the actual start, to the actual end or today. */
function Actual({ task, scale, today }: { task: TaskRow; scale: Scale; today: string }) {
  if (task.actualStart === null) return null
  const end = task.actualEnd ?? today
  return (
    <i
      className="gantt-actual"
      title={`实际 ${task.actualStart} 至 ${task.actualEnd ?? '今'}，${task.percent}%，${delayWords(task.delayDays)}`}
      style={Object.assign(between(scale, task.actualStart, shiftDay(end, 1)), { background: barColors[task.state] })}
    />
  )
}
