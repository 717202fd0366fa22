import type { ReactNode } from 'react'

export interface HeatCell {
  /** What stands in it; empty for nothing. */
  text: string
  /** 0 to 1: how dark. */
  share: number
  /** Read by screen readers and shown on hover. */
  words: string
  /** Stands out, whatever its shade. */
  bad?: boolean
  /** Nobody works then. */
  rest?: boolean
}

/** Never so dark that the figure on it could not be read. */
const shadeOf = (share: number) => `rgba(21,88,214,${(0.04 + share * 0.54).toFixed(2)})`

/** A table of shades: a row per unit, a column per day or hour, each cell a button that leads to its people. */
export function HeatBoard({
  label,
  heads,
  rows,
  onCell,
}: {
  label: string
  heads: readonly ReactNode[]
  rows: readonly { key: string; title: ReactNode; cells: readonly (HeatCell | undefined)[] }[]
  onCell: (row: string, column: number) => void
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keys
    <section className="att-heat" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th />
            {heads.map((head, i) => (
              <th key={i} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.title}</th>
              {row.cells.map((cell, i) => (
                <td key={i} className={cell?.rest ? 'rest' : ''}>
                  {cell && (
                    <button
                      type="button"
                      className={cell.bad ? 'bad' : ''}
                      style={cell.bad || cell.rest ? {} : { background: shadeOf(cell.share) }}
                      title={cell.words}
                      aria-label={cell.words}
                      onClick={() => onCell(row.key, i)}
                    >
                      {cell.text}
                    </button>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
