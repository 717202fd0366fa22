import { colors } from '#kit/colors.ts'
import { besides, columnsOption } from '../analysis-charts.ts'
import { ChartCard } from '../family-analysis.tsx'

interface Tenth {
  /** Lower bound, in percent of the rated value. */
  from: number
  count: number
}

interface TenthsCardProps {
  title: string
  definition: string
  /** What is counted: name of the series and its unit. */
  name: string
  unit: string
  /** Name of the measured percentage. */
  of: string
  empty: string
  tenths: readonly Tenth[]
  /** Compared period or machine, with its name. */
  then: readonly Tenth[] | undefined
  beside: string | undefined
  /** Opens the cycles of a bar; `range` as a numeric filter. */
  onPick: (range: string) => void
}

/** Distribution of cycles over their maximum load or moment, in steps of ten percent. */
export function TenthsCard({ title, definition, name, unit, of, empty, tenths, then, beside, onPick }: TenthsCardProps) {
  const total = tenths.reduce((sum, one) => sum + one.count, 0)
  return (
    <ChartCard
      title={title}
      definition={definition}
      label={`${title}，${tenths.length} 档`}
      empty={tenths.length === 0 ? empty : undefined}
      option={columnsOption({
        names: tenths.map((one) => `${one.from} %`),
        unit,
        series: [
          { name, values: tenths.map((one) => one.count), color: colors.primary },
          ...besides(then, beside, (old) => tenths.map((one) => old.find(({ from }) => from === one.from)?.count ?? 0), 'bars'),
        ],
      })}
      table={{
        head: [of, name, '占比 %'],
        rows: tenths.map((one) => [`${one.from} %`, one.count, Number(((one.count / Math.max(1, total)) * 100).toFixed(1))]),
      }}
      onPick={(row) => {
        const from = tenths[row]?.from
        if (from !== undefined) onPick(`${from},${from + 9.99}`)
      }}
    />
  )
}
