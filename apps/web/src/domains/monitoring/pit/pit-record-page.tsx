import { FormOutlined, ImportOutlined, PrinterOutlined } from '@ant-design/icons'
import type { List } from '@zhugong/contract/kit/list'
import { pitSources } from '@zhugong/contract/monitoring/pit/pit-live'
import { importSurvey } from '@zhugong/contract/monitoring/pit/pit-surveys'
import { findPitDays, findPitPoints, pitDayList, pitReadingList } from '@zhugong/contract/monitoring/pit/pits'
import { Button, Segmented, Select } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Empty, type FigureProps, FigureStrip, Pairs, Tag } from '#kit/feedback.tsx'
import { day as dayOf, measure, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Rows } from '../family-analysis.tsx'
import { FamilyRecord, RecordPanel, useRecord } from '../family-record.tsx'
import { type FamilyScope, useFamilyScope } from '../family-scope.tsx'
import './pit.css'
import { marks, shareWords, valueWords } from './pit-state.ts'
import { SurveyImport } from './survey-import.tsx'
import { SurveyLog } from './survey-log.tsx'

type RowOf<L> = L extends List<unknown, unknown, infer Row, string, string> ? Row : never
type Reading = Extract<RowOf<typeof pitReadingList>, { id: string }>

const allKinds = 'all'
const views = { reading: '读数', day: '逐日（含缺测）', survey: '导入记录' } as const
const isView = (text: string | null): text is keyof typeof views => text !== null && text in views

/** What was measured, by whom, and is it complete? */
export default function PitRecordPage() {
  const scope = useFamilyScope({ family: 'foundationPit', usual: '7' })
  const query = usePageQuery()
  const kind = query.get('compare') ?? allKinds
  const by = query.get('by')
  const view = isView(by) ? by : 'reading'
  const points = useCall(findPitPoints, { query: { projectCode: scope.projectCode, groupBy: 'point', size: 1000 } }, { quiet: true })
  const today = useCall(
    findPitDays,
    { query: { projectCode: scope.projectCode, groupBy: 'day', startTime: `${dayOf(Date.now())} 00:00:00`, size: 1000 } },
    { quiet: true, everyMs: 300_000 },
  )
  const kinds = useMemo(() => [...new Map((points.data?.list ?? []).map((one) => [one.pointType, one.pointTypeName]))], [points.data])
  const rows = today.data?.list ?? []
  const done = rows.filter((one) => one.value !== null)
  const over = done.filter((one) => Math.max(one.share ?? 0, one.rateShare ?? 0) >= marks[0])
  const figures: FigureProps[] = [
    { label: '今日应测 / 已测', value: `${rows.length} / ${done.length}`, unit: '点' },
    { label: '超预警', value: over.length, unit: '点', remark: '今日，累计或速率达到 70 %', tone: over.length > 0 ? 'warning' : undefined },
    { label: '今日尚缺', value: rows.length - done.length, unit: '点', tone: rows.length > done.length ? 'warning' : undefined },
    { label: '人工', value: done.filter((one) => one.manual).length, unit: '点', remark: '今日末次为人工测量' },
  ]
  const filter = kind === allKinds ? {} : { pointType: kind }
  const bar = (
    <div className="zg-card fam-bar">
      <Segmented
        aria-label="读数或逐日"
        value={view}
        options={Object.entries(views).map(([value, label]) => ({ value, label }))}
        onChange={(value) => scope.put({ by: value === 'reading' ? undefined : String(value), record: undefined })}
      />
      {view !== 'survey' && (
        <Select
          aria-label="监测项目"
          className="pit-kind-choice"
          value={kind}
          options={[{ value: allKinds, label: '全部项目' }, ...kinds.map(([value, label]) => ({ value, label }))]}
          onChange={(value) => scope.put({ compare: value === allKinds ? undefined : value, record: undefined })}
        />
      )}
    </div>
  )
  const shared = {
    scope,
    figures,
    loading: today.isPending,
    bar,
    filter,
    pitName: points.data?.list.find((one) => !scope.deviceId || one.deviceId === scope.deviceId)?.pitName,
  }
  return view === 'day' ? <Days {...shared} /> : view === 'survey' ? <Surveys {...shared} /> : <Readings {...shared} />
}

/** Actions above every view: reports, and import of a survey. */
function Acts({ scope, pitName }: Pick<ViewProps, 'scope' | 'pitName'>) {
  const [importing, setImporting] = useState(false)
  const { projectCode } = scope
  const day = dayOf(scope.period.to - 1)
  return (
    <>
      <PitReport kind="pitDaily" projectCode={projectCode} pitName={pitName} day={day} />
      <PitReport kind="pitWeekly" projectCode={projectCode} pitName={pitName} day={day} />
      <Can call={importSurvey}>
        <Button
          type="primary"
          icon={<ImportOutlined />}
          disabled={projectCode === '*'}
          title={projectCode === '*' ? '人工监测按项目导入，请先选择项目' : undefined}
          onClick={() => setImporting(true)}
        >
          导入人工监测
        </Button>
      </Can>
      {importing && (
        <SurveyImport
          projectCode={projectCode}
          onDone={() => {
            setImporting(false)
            scope.put({ by: 'survey', record: undefined })
          }}
          onClose={() => setImporting(false)}
        />
      )}
    </>
  )
}

/** Imports are shown for the site, regardless of point and period. */
function Surveys({ scope, figures, loading, bar, pitName }: ViewProps) {
  return (
    <ListShell
      strip={<FigureStrip items={figures} loading={loading} />}
      above={bar}
      titleActions={<Acts scope={scope} pitName={pitName} />}
    >
      <SurveyLog projectCode={scope.projectCode} own={scope.own} />
    </ListShell>
  )
}

interface ViewProps {
  scope: FamilyScope
  figures: readonly FigureProps[]
  loading: boolean
  bar: React.ReactNode
  filter: { pointType?: string }
  pitName: string | undefined
}

function Readings({ scope, figures, loading, bar, filter, pitName }: ViewProps) {
  const query = useMemo(() => ({ ...scope.query, ...filter }), [scope.query, filter])
  const list = useListPage(pitReadingList, { scope: query, own: scope.own, defaultSort: '-time' })
  const { record, open, close } = useRecord(scope, list.rows, (row) => row.id)
  const columns: ColumnOf<typeof pitReadingList>[] = [
    ...(scope.projectCode === '*' ? [{ key: 'projectName' as const, width: 176, value: (r: Reading) => r.projectName }] : []),
    { key: 'pointCode', width: 92, locked: true, filter: 'text', value: (r) => r.pointCode },
    { key: 'time', width: 152, sort: true, value: (r) => time(r.time) },
    { key: 'value', width: 100, align: 'right', value: (r) => measure(r.value, 2) },
    { key: 'unit', width: 60, value: (r) => r.unit },
    { key: 'change', width: 100, align: 'right', value: (r) => measure(r.change, 2) },
    { key: 'ratePerDay', width: 104, align: 'right', value: (r) => measure(r.ratePerDay, 2) },
    { key: 'control', width: 84, align: 'right', value: (r) => measure(r.control, 0) },
    {
      key: 'share',
      width: 120,
      align: 'right',
      value: (r) => <span className={(r.share ?? 0) >= marks[0] ? 'tone-warning' : ''}>{measure(r.share, 0)}</span>,
    },
    {
      key: 'source',
      width: 84,
      value: (r) => (
        <>
          {r.source === 'manual' && <FormOutlined />} {pitSources[r.source]}
        </>
      ),
    },
    {
      key: 'receivedAt',
      width: 152,
      weak: true,
      value: (r) => (r.receivedAt - r.time > 30 * 60_000 ? <span className="tone-warning">{time(r.receivedAt)}</span> : time(r.receivedAt)),
    },
    { key: 'quality', width: 92, hidden: true, value: (r) => Object.keys(r.quality ?? {}).join('、') || null },
    { key: 'pitName', width: 100, hidden: true, value: (r) => r.pitName },
    { key: 'pointType', width: 120, hidden: true, value: (r) => r.pointType },
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit="测点"
      periods={['1', '7', '30']}
      figures={figures}
      loading={loading}
      above={bar}
      titleActions={<Acts scope={scope} pitName={pitName} />}
      detail={record && <ReadingDetail key={record.id} row={record} onClose={close} />}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="id"
        unit="条"
        onRow={open}
        rowClass={(row) => (record?.id === row.id ? 'ant-table-row-selected' : '')}
        emptyHint="这段时间没有读数，逐日视图里能看到哪天缺测"
      />
    </FamilyRecord>
  )
}

function Days({ scope, figures, loading, bar, filter, pitName }: ViewProps) {
  const query = useMemo(() => ({ ...scope.query, ...filter, groupBy: 'day' as const }), [scope.query, filter])
  const list = useListPage(pitDayList, { scope: query, own: [...scope.own, 'groupBy'], defaultSort: '-time' })
  const columns: ColumnOf<typeof pitDayList>[] = [
    { key: 'day', width: 104, locked: true, value: (r) => r.day },
    { key: 'pitName', width: 100, hidden: true, value: (r) => r.pitName },
    { key: 'pointCode', width: 92, locked: true, filter: 'text', value: (r) => r.pointCode },
    { key: 'pointType', width: 124, value: (r) => r.pointTypeName },
    { key: 'time', width: 152, value: (r) => (r.time === null ? <Tag tone="warning">缺测</Tag> : time(r.time)) },
    { key: 'value', width: 100, align: 'right', value: (r) => measure(r.value, 2) },
    { key: 'unit', width: 60, value: (r) => r.unit },
    { key: 'change', width: 100, align: 'right', value: (r) => measure(r.change, 2) },
    { key: 'ratePerDay', width: 104, align: 'right', value: (r) => measure(r.ratePerDay, 2) },
    { key: 'control', width: 84, align: 'right', value: (r) => measure(r.control, 0) },
    {
      key: 'share',
      width: 120,
      align: 'right',
      value: (r) => <span className={(r.share ?? 0) >= marks[0] ? 'tone-warning' : ''}>{measure(r.share, 0)}</span>,
    },
    {
      key: 'manual',
      width: 100,
      filterKey: 'missing',
      filter: 'single',
      options: [{ value: 'true', label: '只看缺测' }],
      value: (r) => (r.value === null ? null : r.manual ? '人工' : '自动'),
    },
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit="测点"
      periods={['1', '7', '30']}
      figures={figures}
      loading={loading}
      above={bar}
      titleActions={<Acts scope={scope} pitName={pitName} />}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey={(row) => `${row.deviceId}${row.pointCode}${row.day}`}
        unit="行"
        emptyHint="范围内没有在用的测点"
        actions={(row) => [{ label: '曲线', href: hrefOf('/foundationPit/monitor', { deviceId: row.deviceId }) }]}
      />
    </FamilyRecord>
  )
}

const reports = { pitDaily: '监测日报', pitWeekly: '监测周报' } as const

/** Report of a day, or of the seven days ending with it. */
function PitReport({
  kind,
  projectCode,
  pitName,
  day,
}: {
  kind: keyof typeof reports
  projectCode: string
  pitName: string | undefined
  day: string
}) {
  const may = [useCan('foundation-pit.report'), useCan('export.run')].every(Boolean)
  const print = usePrint(kind)
  if (!may) return null
  return (
    <Button
      icon={<PrinterOutlined />}
      disabled={projectCode === '*' || !pitName}
      title={projectCode === '*' ? '报告按项目出具，请先选择项目' : undefined}
      loading={print.running}
      onClick={() =>
        void print.run({
          body: { feature: kind, exportType: 'pdf', query: { projectCode, pitName: pitName ?? '', day }, columns: [] },
        })
      }
    >
      {kind === 'pitDaily' ? day : `截至 ${day}`} {reports[kind]}
    </Button>
  )
}

function ReadingDetail({ row, onClose }: { row: Reading; onClose: () => void }) {
  return (
    <RecordPanel title={`${row.pointCode} ${time(row.time)}`} onClose={onClose}>
      <Pairs
        items={[
          { label: '本次值', value: valueWords(row.value, row.unit) },
          { label: '本次变化', value: valueWords(row.change, row.unit) },
          { label: '速率', value: row.ratePerDay === null ? '速率不足以计算' : `${measure(row.ratePerDay, 2)} ${row.unit}/d` },
          { label: '占控制值', value: shareWords(row.share) },
          { label: '来源', value: pitSources[row.source] },
          { label: '录入', value: time(row.receivedAt) },
        ]}
      />
      {row.receivedAt - row.time > 30 * 60_000 && <p className="tone-warning">录入比测量晚 30 分钟以上，两个时间都保留</p>}
      {row.profile.length > 0 ? (
        <>
          <h3>各深度位移（{row.unit}）</h3>
          <Rows
            table={{ head: ['深度 m', '位移'], rows: row.profile.map((one) => [one.depth.toFixed(1), measure(one.value, 2)]) }}
            height={360}
          />
        </>
      ) : (
        row.pointType === 'deepHorizontal' && <Empty small text="这次没有上报各深度的值" />
      )}
      <Link to={hrefOf('/foundationPit/monitor', { deviceId: row.deviceId })}>看曲线与剖面</Link>
    </RecordPanel>
  )
}
