import { DownloadOutlined } from '@ant-design/icons'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { type analysisPeriod, leastCoverage } from '@zhugong/contract/monitoring/analysis'
import { Button, Segmented } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { z } from 'zod'
import { useCall } from '#kit/call.ts'
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

/** What an analysis is compared with: the period before, or another machine in the same period. */
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

/** A call that answers a family's analysis. */
type AnalysisCall<Told> = Endpoint<{ query: z.input<typeof analysisPeriod> }, unknown, Told>

/** The analysis of the chosen period and, if one is chosen, of what it is compared with (`compared`). */
export function useAnalyses<Told>(call: AnalysisCall<Told>, scope: FamilyScope) {
  const beside = useBeside(scope)
  const options = { quiet: true, keepPrevious: true }
  const analysis = useCall(call, { query: scope.query }, { ...options, enabled: scope.deviceId !== undefined })
  const other = useCall(call, { query: beside?.query ?? scope.query }, { ...options, enabled: beside !== undefined })
  return { analysis, beside, compared: beside ? other.data : undefined }
}

interface Read<Told> {
  data: Told | undefined
  error: Error | null
  refetch: () => unknown
}

/** `coverage`: share of the expected data, in percent. */
interface Covered {
  coverage: number
}

interface FamilyAnalysisProps<Told extends Covered> {
  scope: FamilyScope
  unit: string
  /** Answer of the analysis call. */
  shown: Read<Told>
  /** The main finding in one sentence. */
  sentence: (analysis: Told) => ReactNode
  /** The definition of each figure is its remark. */
  figures: (analysis: Told) => readonly FigureProps[]
  /** Export of the data behind the charts: the list and its query. */
  file: {
    feature: string
    title: string
    query: Readonly<Record<string, unknown>>
    columns: readonly string[]
    total: number
    export: string
  }
  actions?: ReactNode
  children: (analysis: Told) => ReactNode
}

/** The analysis page of a family: machine, period and comparison; one sentence, figures with their definitions, charts. */
export function FamilyAnalysis<Told extends Covered>({
  scope,
  unit,
  shown: analysis,
  sentence,
  figures,
  file,
  actions,
  children,
}: FamilyAnalysisProps<Told>) {
  const compare = usePageQuery().get('compare') ?? none
  const page = usePage()
  const [taking, setTaking] = useState(false)
  const mayTake = [useCan('export.run'), useCan(file.export)].every(Boolean)
  const { data } = analysis
  const share = data?.coverage
  return (
    <PageShell>
      <div className="fam-analysis">
        <div className="zg-card fam-bar">
          <ScopeBar scope={scope} periods={['7', '30', '90']} unit={unit} />
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
              <Known of={scope.requested}>
                <Empty text={`没有在用的${unit}`} hint="登记并接入设备后，这里给出分析" />
              </Known>
            </Card>
          )
        ) : analysis.error && data === undefined ? (
          <Card>
            <ErrorPanel error={analysis.error} retry={analysis.refetch} />
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
  /** What the chart counts, and how. */
  definition: string
  /** Accessible description. */
  label: string
  option: ChartOption
  table: Table
  wide?: boolean
  height?: number
  /** Opens the records of a bar or point, by its row in the table. */
  onPick?: (row: number) => void
  empty?: string | undefined
}

/** A chart with its definition and its table. */
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

/** Text columns are aligned left, figures right; a figure may have a unit or be `--`. */
const isWords = (table: Table, n: number): boolean => {
  const analysis = table.rows.map((row) => row[n]).filter((cell) => cell !== null && cell !== undefined && cell !== '' && cell !== '--')
  return analysis.length > 0 && analysis.every((cell) => typeof cell === 'string' && !/^[-+−]?\d/.test(cell))
}

export function Rows({ table, height, onPick }: { table: Table; height: number; onPick?: ((row: number) => void) | undefined }) {
  const kinds = table.head.map((_, n) => (isWords(table, n) ? 'word' : undefined))
  return (
    // A scrolling area must be focusable, even if it contains nothing focusable.
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
