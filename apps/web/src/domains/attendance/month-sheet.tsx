import type { MonthlyRow } from '@zhugong/contract/attendance/months'
import { decodeCell, isUnkept, type SheetCell } from '@zhugong/contract/attendance/sheet'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { hrefOf } from '#kit/page.tsx'
import { type SheetMode, scrollToDay, sheetLayout } from './sheet-layout.ts'
import { clockText, dayWords, type Mark, markOf, visibleRows, weekdayOf } from './sheet-mark.ts'

export interface ChosenCell {
  row: MonthlyRow
  date: string
  cell: SheetCell
  /** Position of the cell in the sheet in pixels, to place the card. */
  left: number
  top: number
  /** Right edge of the sheet in pixels, to place the card. */
  sheetWidth: number
  /** The cell is low in the window, so the card opens above it. */
  above: boolean
}

interface SheetProps {
  month: string
  today: string
  rows: readonly MonthlyRow[]
  perDay: readonly number[]
  attendDays: number
  workHours: number
  restDates: readonly string[]
  mode: SheetMode
  chosen: ChosenCell | undefined
  onChoose: (cell: ChosenCell | undefined) => void
  /** Rendered inside the sheet, so that it scrolls with its cell. */
  card: ReactNode
}

const rowHeights: Record<SheetMode, number> = { mark: 28, hours: 28, times: 34 }

/** One month on one sheet: up to 1,000 people by 31 days. Only visible rows are rendered. */
export function MonthSheet(props: SheetProps) {
  const { month, today, rows, mode, chosen, onChoose } = props
  const rowHeight = rowHeights[mode]
  const box = useRef<HTMLDivElement>(null)
  const [scroll, setScroll] = useState({ top: 0, height: 600, width: 1160 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => element.clientHeight > 0 && setScroll(boxOf(element))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const dates = useMemo(() => rows[0]?.cells.map((_, i) => `${month}-${String(i + 1).padStart(2, '0')}`) ?? datesOf(month), [month, rows])
  const rest = useMemo(() => new Set(props.restDates), [props.restDates])
  const { day: dayWidth, fixed: fixedWidth, trade, whole } = sheetLayout(scroll.width, dates.length, mode)
  const todayAt = dates.indexOf(today)
  // Scroll to today once per sheet only, to keep the user's own scrolling.
  const brought = useRef('')
  useLayoutEffect(() => {
    const element = box.current
    const sheet = `${month}${mode}`
    if (!element || element.clientWidth === 0 || todayAt < 0 || brought.current === sheet) return
    brought.current = sheet
    element.scrollLeft = scrollToDay({ day: dayWidth, fixed: fixedWidth }, element.clientWidth, todayAt)
  }, [month, mode, todayAt, dayWidth, fixedWidth])
  const [from, to] = visibleRows(scroll.top, scroll.height, rowHeight, rows.length)

  const dayClass = (date: string) => `day ${date === today ? 'today' : ''} ${rest.has(date) ? 'rest' : ''}`
  const choose = (row: MonthlyRow, index: number, column: number) => {
    const cell = decodeCell(row.cells[column] ?? '')
    const date = dates[column]
    if (!cell || !date || date > today) onChoose(undefined)
    else {
      const top = 40 + index * rowHeight
      onChoose({
        row,
        date,
        cell,
        left: fixedWidth + column * dayWidth,
        top,
        sheetWidth: whole,
        above: top - scroll.top > scroll.height / 2,
      })
    }
  }
  /** Arrow keys move between cells. */
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement
    const [r, c] = [Number(target.dataset.row), Number(target.dataset.column)]
    if (Number.isNaN(r)) return
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key]
    if (event.key === 'Escape') onChoose(undefined)
    if (!step) return
    event.preventDefault()
    const next = box.current?.querySelector<HTMLElement>(`[data-row="${r + step[0]!}"][data-column="${c + step[1]!}"]`)
    next?.focus()
  }

  return (
    <div
      className="att-sheet"
      ref={box}
      style={{ '--row': `${rowHeight}px`, '--day': `${dayWidth}px`, '--trade': `${trade}px` } as React.CSSProperties}
      onScroll={(event) => setScroll(boxOf(event.currentTarget))}
    >
      <table className="att-sheet-table" aria-label={`${month} 月考勤表`} onKeyDown={walk}>
        <thead>
          <tr className="att-row att-head">
            <th scope="col" className="name">
              姓名
            </th>
            <th scope="col" className="trade">
              工种
            </th>
            {dates.map((date) => (
              <th key={date} scope="col" className={dayClass(date)} title={dayWords(date)}>
                <span>{Number(date.slice(8))}</span>
                <small>{weekdayOf(date)}</small>
              </th>
            ))}
            <Totals header cells={['出勤', '工时', '迟早', '缺卡', '缺勤']} />
          </tr>
        </thead>
        {/* Spacer in place of the rows out of view. */}
        <tbody style={{ paddingTop: from * rowHeight, paddingBottom: Math.max(0, rows.length - to) * rowHeight }}>
          {rows.slice(from, to).map((row, i) => (
            <tr className="att-row" key={row.id}>
              <th scope="row" className="name" title={`${row.name}${row.teamName ? `，${row.teamName}` : ''}，${row.corpName ?? ''}`}>
                <Link to={hrefOf('/SingleAttendance', { workerId: row.workerId, month })}>{row.name}</Link>
              </th>
              <td className="trade" title={row.workTypeName ?? ''}>
                {row.workTypeName ?? '--'}
              </td>
              {dates.map((date, column) => {
                const cell = decodeCell(row.cells[column] ?? '')
                const mark = markOf(cell, date > today, isUnkept(row.cells[column], date, row.keptFrom))
                const isChosen = chosen?.row.id === row.id && chosen.date === date
                return (
                  <td key={date} className={`${dayClass(date)} ${isChosen ? 'chosen' : ''}`}>
                    {date <= today && (
                      <button
                        type="button"
                        data-row={from + i}
                        data-column={column}
                        tabIndex={isChosen || (i === 0 && column === 0) ? 0 : -1}
                        aria-label={`${row.name} ${Number(date.slice(8))} 日 ${mark.words} ${figuresOf(cell, mode)}`.trim()}
                        onClick={() => (isChosen ? onChoose(undefined) : choose(row, from + i, column))}
                      >
                        {cellContent(cell, mark, mode)}
                      </button>
                    )}
                    {cell?.results.includes(10) && <i className="att-corner" />}
                  </td>
                )
              })}
              <Totals
                cells={[row.attendDays, row.workHours.toFixed(1), row.late + row.early || '--', row.missing || '--', row.absent || '--']}
                tones={[
                  undefined,
                  undefined,
                  row.late + row.early ? 'tone-warning' : undefined,
                  row.missing ? 'tone-danger' : undefined,
                  row.absent ? 'tone-danger' : undefined,
                ]}
              />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="att-row att-sum">
            <th scope="row" className="name both">
              当日出勤
            </th>
            {dates.map((date, i) => (
              <td key={date} className={dayClass(date)}>
                {date > today ? '' : props.perDay[i]}
              </td>
            ))}
            <Totals cells={[props.attendDays, props.workHours.toFixed(1), '', '', '']} />
          </tr>
        </tfoot>
      </table>
      {props.card}
    </div>
  )
}

const boxOf = (element: HTMLElement) => ({ top: element.scrollTop, height: element.clientHeight, width: element.clientWidth })

function cellContent(cell: SheetCell | undefined, mark: Mark, mode: SheetMode): ReactNode {
  if (mode === 'mark' || !cell || (mode === 'hours' && !cell.workHours) || (mode === 'times' && !cell.firstIn && !cell.lastOut)) {
    if (mark.text === '' && !cell?.results.includes(11)) return null
    return <span className={`att-mark att-mark-${mark.look} ${cell?.results.includes(11) ? 'att-mark-corrected' : ''}`}>{mark.text}</span>
  }
  const [first, last] = figuresOf(cell, mode).split(' ')
  if (mode === 'hours') return first
  return (
    <span className="att-times">
      <span>{first}</span> <span>{last}</span>
    </span>
  )
}

/** Figures of a cell beside its mark: hours, or first and last passage separated by a space. */
function figuresOf(cell: SheetCell | undefined, mode: SheetMode): string {
  if (mode === 'hours') return cell?.workHours ? cell.workHours.toFixed(1) : ''
  if (mode === 'mark' || !(cell?.firstIn || cell?.lastOut)) return ''
  return `${clockText(cell.firstIn) || '--'} ${clockText(cell.lastOut) || '--'}`
}

/** Totals stay visible at the right edge; `--nth` gives each its offset. */
const nth = (i: number) => ({ '--nth': i }) as React.CSSProperties

function Totals({ cells, tones = [], header }: { cells: readonly ReactNode[]; tones?: readonly (string | undefined)[]; header?: boolean }) {
  return cells.map((cell, i) => {
    const look = `total ${i === 0 ? 'first' : ''} ${i === 1 ? 'wide' : ''} ${tones[i] ?? ''}`
    return header ? (
      <th key={i} scope="col" className={look} style={nth(i)}>
        {cell}
      </th>
    ) : (
      <td key={i} className={look} style={nth(i)}>
        {cell}
      </td>
    )
  })
}

function datesOf(month: string): string[] {
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate()
  return Array.from({ length: last }, (_, i) => `${month}-${String(i + 1).padStart(2, '0')}`)
}
