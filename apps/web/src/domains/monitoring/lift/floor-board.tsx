import './lift.css'

interface Pair {
  from: number
  to: number
  runs: number
  persons: number
}

const shades = 4
/** With more floors than this, neighbouring floors share a row and a column. */
const mostBands = 12

/** Floors in groups of one, two, three and so on, so that the board stays readable. */
export function floorBands(pairs: readonly Pair[]): { from: number; to: number }[] {
  const floors = pairs.flatMap((one) => [one.from, one.to])
  if (floors.length === 0) return []
  const [low, high] = [Math.min(...floors), Math.max(...floors)]
  // The lowest stop is where people get in, so it keeps a row of its own.
  const wide = Math.max(1, Math.ceil((high - low) / (mostBands - 1)))
  const bands = [{ from: low, to: low }]
  for (let floor = low + 1; floor <= high; floor += wide) bands.push({ from: floor, to: Math.min(high, floor + wide - 1) })
  return bands
}

const bandName = ({ from, to }: { from: number; to: number }) => (from === to ? `${from}` : `${from}-${to}`)

/** Runs by pair of floors; darker cells have more runs. */
export function FloorBoard({ pairs, onPick }: { pairs: readonly Pair[]; onPick: (from: Range, to: Range) => void }) {
  const bands = floorBands(pairs)
  const runs = (from: Range, to: Range) =>
    pairs
      .filter((one) => one.from >= from.from && one.from <= from.to && one.to >= to.from && one.to <= to.to)
      .reduce((sum, one) => sum + one.runs, 0)
  const cells = bands.map((from) => bands.map((to) => runs(from, to)))
  const most = Math.max(1, ...cells.flat())
  return (
    <div className="lift-scroll">
      <table className="lift-floors">
        <caption className="zg-2">行为起始楼层，列为到达楼层，数字为运行次数</caption>
        <thead>
          <tr>
            <th scope="col">起 \ 到</th>
            {bands.map((to) => (
              <th key={to.from} scope="col">
                {bandName(to)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bands.map((from, i) => (
            <tr key={from.from}>
              <th scope="row">{bandName(from)} 层</th>
              {bands.map((to, n) => {
                const value = cells[i]?.[n] ?? 0
                const words = `${bandName(from)} 层到 ${bandName(to)} 层 ${value} 次`
                return (
                  <td key={to.from}>
                    {value === 0 ? (
                      <span className="none" />
                    ) : (
                      <button
                        type="button"
                        className="zg-bare"
                        data-shade={Math.ceil((value / most) * shades)}
                        title={words}
                        aria-label={words}
                        onClick={() => onPick(from, to)}
                      >
                        {value}
                      </button>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
interface Range {
  from: number
  to: number
}
