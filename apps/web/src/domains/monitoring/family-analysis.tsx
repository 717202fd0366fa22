import { DownloadOutlined } from '@ant-design/icons'
import { leastCoverage } from '@zhugong/contract/telemetry/analysis'
import { Button, Segmented } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useCan } from '#kit/can.tsx'
import { Chart, type ChartOption } from '#kit/chart.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel, type FigureProps, FigureStrip, Known, Notice } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { usePage, usePageQuery } from '#kit/page.tsx'
import './family.css'
import { type FamilyScope, ScopeBar } from './family-scope.tsx'
import { before, periodQueryOf, periodWords } from './period.ts'

const ExportDialog = lazy(() => import('#kit/export.tsx').then((file) => ({ default: file.ExportDialog })))

/** What a period is laid beside: nothing, the one before it, or another machine in the same time. */
export interface Beside {
  words: string
  query: FamilyScope['query']
}

const none = 'none'
const previous = 'previous'

export function useBeside(scope: FamilyScope): Beside | undefined {
  const wanted = usePageQuery().get('compare') ?? none
  const { deviceId: _own, startTime: _from, endTime: _to, ...places } = scope.query
  if (wanted === previous) {
    const span = before(scope.period)
    return {
      words: periodWords(span),
      query: { ...places, deviceId: scope.deviceId || undefined, ...periodQueryOf(span) },
    }
  }
  const other = scope.devices.find((one) => one.id === wanted)
  if (!other || other.id === scope.deviceId) return undefined
  return { words: other.name, query: { ...places, deviceId: other.id, ...periodQueryOf(scope.period) } }
}

interface Read<Told> {
  data: Told | undefined
  error: Error | null
  refetch: () => unknown
}

interface FamilyAnalysisProps<Told> {
  scope: FamilyScope
  unit: string
  periods: readonly string[]
  /** The period itself, as its call answered. */
  told: Read<Told>
  /** The sentence the page exists for. */
  sentence: (told: Told) => ReactNode
  /** Share of what was to be measured, in percent. */
  coverage: (told: Told) => number
  /** Each with its definition as its remark. */
  figures: (told: Told) => readonly FigureProps[]
  /** The rows behind the pictures as a file: the list's name and what it is asked with. */
  file: {
    feature: string
    title: string
    query: Readonly<Record<string, unknown>>
    columns: readonly string[]
    total: number
    export: string
  }
  actions?: ReactNode
  children: (told: Told) => ReactNode
}

/** An analysis of a family: machine, period and what it is laid beside; one sentence, figures with their definitions, pictures that support it. */
export function FamilyAnalysis<Told>({
  scope,
  unit,
  periods,
  told,
  sentence,
  coverage,
  figures,
  file,
  actions,
  children,
}: FamilyAnalysisProps<Told>) {
  const compare = usePageQuery().get('compare') ?? none
  const page = usePage()
  const [taking, setTaking] = useState(false)
  const mayTake = [useCan('export.run'), useCan(file.export)].every(Boolean)
  const { data } = told
  const share = data === undefined ? undefined : coverage(data)
  return (
    <PageShell>
      <div className="fam-analysis">
        <div className="zg-card fam-bar">
          <ScopeBar scope={scope} periods={periods} unit={unit} />
          <span className="fam-device">
            <Choice
              aria-label="对比"
              clear={false}
              value={compare}
              options={[
                { value: none, label: '不对比' },
                { value: previous, label: '对比上一时段' },
                ...scope.devices.filter((one) => one.id !== scope.deviceId).map((one) => ({ value: one.id, label: `对比 ${one.name}` })),
              ]}
              onChange={(value) => scope.put({ compare: value === none ? undefined : value })}
            />
          </span>
          <span className="right">
            {actions}
            {mayTake && (
              <Button icon={<DownloadOutlined />} disabled={data === undefined} onClick={() => setTaking(true)}>
                导出数据
              </Button>
            )}
          </span>
        </div>
        {scope.one && !scope.deviceId ? (
          scope.loading ? (
            <DetailSkeleton />
          ) : (
            <Card>
              <Known of={scope.asked}>
                <Empty text={`没有在用的${unit}`} hint="登记并接入设备后，这里给出分析" />
              </Known>
            </Card>
          )
        ) : told.error && data === undefined ? (
          <Card>
            <ErrorPanel error={told.error} retry={told.refetch} />
          </Card>
        ) : data === undefined ? (
          <DetailSkeleton />
        ) : (
          <>
            <Card>
              <p className="fam-said">{sentence(data)}</p>
              <p className="zg-2">
                {scope.deviceName ?? `全部${unit}`}，{scope.words}，有效数据 {share?.toFixed(1)} %
              </p>
            </Card>
            {share !== undefined && share < leastCoverage && (
              <Notice tone="warning">
                有效数据 {share.toFixed(1)} %，不足 {leastCoverage} %：以下数字仅供参考，请先查设备为什么没有上报
              </Notice>
            )}
            <FigureStrip
              items={figures(data).map((one) =>
                share !== undefined && share < leastCoverage ? { ...one, remark: <>{one.remark}（数据不足）</> } : one,
              )}
            />
            <div className="fam-charts">{children(data)}</div>
          </>
        )}
      </div>
      {taking && page.active && (
        <Suspense>
          <ExportDialog {...file} onClose={() => setTaking(false)} />
        </Suspense>
      )}
    </PageShell>
  )
}

export interface Table {
  head: readonly string[]
  rows: readonly (readonly (string | number | null)[])[]
}

interface ChartCardProps {
  title: string
  /** What is counted, and how. */
  definition: string
  /** In words, for whoever does not see it. */
  label: string
  option: ChartOption
  table: Table
  wide?: boolean
  height?: number
  /** Opens the records behind a bar or a point, by its place in the table. */
  onPick?: (row: number) => void
  empty?: string | undefined
}

/** A picture with its definition, and the table behind it. */
export function ChartCard({ title, definition, label, option, table, wide = false, height = 240, onPick, empty }: ChartCardProps) {
  const [view, setView] = useState('picture')
  return (
    <Card
      className={wide ? 'wide' : ''}
      title={title}
      remark={definition}
      actions={
        <Segmented
          aria-label={`${title} 图或表`}
          size="small"
          value={view}
          options={[
            { value: 'picture', label: '图' },
            { value: 'table', label: '表' },
          ]}
          onChange={(value) => setView(value)}
        />
      }
    >
      {empty ? (
        <Empty small text={empty} />
      ) : view === 'picture' ? (
        <Chart label={label} option={option} height={height} onClick={onPick && ((event) => onPick(event.dataIndex))} />
      ) : (
        <Rows table={table} height={height} onPick={onPick} />
      )}
    </Card>
  )
}

/** Words begin at the left, figures end at the right; a figure may carry its unit or stand for none. */
const isWords = (table: Table, n: number): boolean => {
  const told = table.rows.map((row) => row[n]).filter((cell) => cell !== null && cell !== undefined && cell !== '' && cell !== '--')
  return told.length > 0 && told.every((cell) => typeof cell === 'string' && !/^[-+−]?\d/.test(cell))
}

export function Rows({ table, height, onPick }: { table: Table; height: number; onPick?: ((row: number) => void) | undefined }) {
  const kinds = table.head.map((_, n) => (isWords(table, n) ? 'word' : undefined))
  return (
    // What scrolls must be reached by the keys, though nothing in it may take them.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <div className="fam-scroll" style={{ maxHeight: height }} tabIndex={0}>
      <table className="fam-table">
        <thead>
          <tr>
            {table.head.map((one, n) => (
              <th key={one} scope="col" className={kinds[n]}>
                {one}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, i) => (
            <tr key={String(row[0])}>
              {row.map((cell, n) => (
                <td key={table.head[n]} className={kinds[n]}>
                  {n === 0 && onPick ? (
                    <button type="button" className="zg-bare zg-link" onClick={() => onPick(i)}>
                      {cell}
                    </button>
                  ) : (
                    (cell ?? '--')
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
