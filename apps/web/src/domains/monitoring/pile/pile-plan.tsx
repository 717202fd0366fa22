import { type PileEntry, pileStates } from '@zhugong/contract/monitoring/pile/pile-register'
import { day } from '#kit/format.ts'
import { useSize } from '../plan-view.tsx'
import './pile.css'

interface PlanProps {
  rows: readonly PileEntry[]
  chosen: string | undefined
  onPick: (row: PileEntry) => void
}
type Placed = PileEntry & { x: number; y: number }
const hasPlace = (row: PileEntry): row is Placed => row.x !== null && row.y !== null

/** Share of piles with coordinates from which they are drawn in plan; several sites never are. */
const enoughPlaced = 0.5
export const isPlaced = (rows: readonly PileEntry[]): boolean =>
  rows.length > 0 && rows.filter(hasPlace).length / rows.length >= enoughPlaced && new Set(rows.map((row) => row.projectCode)).size === 1

const isToday = (row: PileEntry): boolean => row.madeAt !== null && day(row.madeAt) === day(Date.now())

/** Every pile in the colour of its state, at its coordinates or in sequence. */
export function PilePlan({ rows, chosen, onPick }: PlanProps) {
  const placed = isPlaced(rows)
  const left = placed ? rows.filter((row) => !hasPlace(row)) : rows
  return (
    <>
      {placed && <Ground rows={rows.filter(hasPlace)} chosen={chosen} onPick={onPick} />}
      {left.length > 0 && (
        <div className="pile-plan">
          {left.map((row) => (
            <Dot key={row.id} row={row} isChosen={row.id === chosen} onPick={onPick} />
          ))}
        </div>
      )}
    </>
  )
}

const heightPx = 190
const roomPx = 12

/** North is up; both axes have the same scale. */
function Ground({ rows, chosen, onPick }: Omit<PlanProps, 'rows'> & { rows: readonly Placed[] }) {
  const [ref, width] = useSize<HTMLDivElement>()
  const [xs, ys] = [rows.map((row) => row.x), rows.map((row) => row.y)]
  const [west, south] = [Math.min(...xs), Math.min(...ys)]
  const [wide, deep] = [Math.max(...xs) - west, Math.max(...ys) - south]
  // A row of piles running north is rotated, because the card is wide and low.
  const turned = deep > wide
  const [across, up] = turned ? [deep, wide] : [wide, deep]
  const k = Math.min((width - 2 * roomPx) / Math.max(1, across), (heightPx - 2 * roomPx) / Math.max(1, up))
  const at = (row: Placed) => {
    const [a, b] = turned ? [row.y - south, row.x - west] : [row.x - west, row.y - south]
    return { left: roomPx + a * k, top: turned ? roomPx + b * k : heightPx - roomPx - b * k }
  }
  return (
    <div ref={ref} className="pile-ground">
      {width > 0 && rows.map((row) => <Dot key={row.id} row={row} isChosen={row.id === chosen} onPick={onPick} at={at(row)} />)}
      <span className="north">{turned ? '北 →' : '北 ↑'}</span>
    </div>
  )
}

function Dot({
  row,
  isChosen,
  onPick,
  at,
}: {
  row: PileEntry
  isChosen: boolean
  onPick: (row: PileEntry) => void
  at?: { left: number; top: number }
}) {
  const words = [row.pileNo, row.axis, pileStates[row.state], isToday(row) ? '今日成桩' : ''].filter(Boolean).join('，')
  return (
    <button
      type="button"
      className="zg-bare pile-dot"
      data-state={row.state}
      data-today={isToday(row)}
      title={words}
      aria-label={words}
      aria-pressed={isChosen}
      style={at}
      onClick={() => onPick(row)}
    />
  )
}
