import type { ReactNode } from 'react'

export interface HeatCell {
  /** Text of the cell; may be empty. */
  text: string
  /** Intensity, 0 to 1. */
  share: number
  /** Tooltip and screen reader text. */
  words: string
  /** Highlighted regardless of its intensity. */
  bad?: boolean
  /** Rest day. */
  rest?: boolean
}

/** Background colour; light enough for the text to stay readable. */
const shadeOf = (share: number) => `rgba(21,88,214,${(0.04 + share * 0.54).toFixed(2)})`

/** Heat map: a row per unit, a column per day or hour; each cell is a button that opens its people. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable to scroll it by keyboard
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
