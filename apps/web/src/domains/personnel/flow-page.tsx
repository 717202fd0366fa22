import { entryExits } from '@zhugong/contract/labour/codes'
import { exitWorkers } from '@zhugong/contract/labour/stays'
import { crossSite, flowFigures, flowList, flowMoves, grantWorkers } from '@zhugong/contract/personnel/flow'
import type { FlowRow } from '@zhugong/contract/personnel/flow-model'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { ExitDialog } from '#domains/labour/public.ts'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Chart } from '#kit/chart.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, ErrorPanel, FigureStrip, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { thousands, time } from '#kit/format.ts'
import { laterDialog } from '#kit/later-dialog.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { FlowBands } from './flow-bands.tsx'
import { useTeamOptions } from './team-options.ts'
import './personnel.css'
import { colors } from '#kit/colors.ts'

const GrantDrawer = laterDialog(() => import('./grant-drawer.tsx').then((file) => file.GrantDrawer))

/** Entries and exits by origin and destination, and people on several sites. */
export default function FlowPage() {
  const scope = useProjectScope()
  const go = useGo()
  const many = scope.projectCode === '*'
  const requested = usePageQuery().get('tab')
  const tab = requested === 'moves' || (requested === 'cross' && many) ? requested : 'list'
  const figures = useCall(flowFigures, { query: scope }, { quiet: true, staleMs: 30_000 })
  const f = figures.data
  const month = f?.days.at(-1)?.day.slice(0, 7)
  const today = f?.days.at(-1)?.day
  const net = f ? f.cameThisMonth - f.leftThisMonth : 0
  const tabs = [
    { value: 'list', label: '进退场流水' },
    { value: 'moves', label: '流向' },
    ...(many ? [{ value: 'cross', label: '同日多项目' }] : []),
  ]
  return (
    <ListShell
      remark="谁来了，谁走了，从哪来到哪去"
      titleActions={
        <Segmented
          value={tab}
          options={tabs}
          onChange={(next) => go('/flowPerson', next === 'list' ? {} : { tab: next }, { replace: true })}
        />
      }
      strip={
        <FigureStrip
          loading={!figures.data}
          items={[
            {
              label: '本月进场',
              value: thousands(f?.cameThisMonth),
              unit: '人次',
              trend: f?.days.map((d) => d.came),
              href: `/flowPerson?flowType=1&flowDate=${month}-01,${today}`,
            },
            {
              label: '本月退场',
              value: thousands(f?.leftThisMonth),
              unit: '人次',
              trend: f?.days.map((d) => d.left),
              href: `/flowPerson?flowType=0&flowDate=${month}-01,${today}`,
            },
            {
              label: '在册',
              value: thousands(f?.onSite),
              unit: '人',
              remark: f ? `本月净${net >= 0 ? '增' : '减'} ${Math.abs(net)} 人` : undefined,
              href: '/personList?stationed=1',
            },
            ...(many
              ? [
                  {
                    label: '同日多项目',
                    value: thousands(f?.crossing),
                    unit: '人次',
                    remark: '近 30 天',
                    tone: f?.crossing ? ('warning' as const) : undefined,
                    href: '/flowPerson?tab=cross',
                  },
                ]
              : []),
          ]}
        />
      }
      above={tab === 'list' && <DayBars days={f?.days ?? []} />}
    >
      {tab === 'moves' ? <Moves many={many} scope={scope} /> : tab === 'cross' ? <Crossings /> : <FlowTable many={many} scope={scope} />}
    </ListShell>
  )
}

function DayBars({ days }: { days: readonly { day: string; came: number; left: number }[] }) {
  const go = useGo()
  return (
    <Card title="近 30 天每日进退场" remark="点一天看当天的人" flush>
      <Chart
        height={128}
        label={`近 30 天进场 ${days.reduce((n, d) => n + d.came, 0)} 人次，退场 ${days.reduce((n, d) => n + d.left, 0)} 人次`}
        onClick={({ dataIndex }) => {
          const day = days[dataIndex]?.day
          if (day) go('/flowPerson', { flowDate: `${day},${day}` }, { replace: true })
        }}
        option={{
          grid: { left: 36, right: 16, top: 22, bottom: 22 },
          legend: { top: 0, right: 16, itemWidth: 10, itemHeight: 10 },
          tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
          xAxis: { type: 'category', data: days.map((d) => d.day.slice(5)) },
          yAxis: { type: 'value', minInterval: 1, axisLabel: { formatter: (v: number) => String(Math.abs(v)) } },
          series: [
            { name: '进场', type: 'bar', stack: 'all', color: colors.fine, barMaxWidth: 16, data: days.map((d) => d.came) },
            { name: '退场', type: 'bar', stack: 'all', color: colors.orange, barMaxWidth: 16, data: days.map((d) => -d.left) },
          ],
        }}
      />
    </Card>
  )
}

function FlowTable({ many, scope }: { many: boolean; scope: { projectCode: string } }) {
  const dicts = useDicts('workerType', 'exitReason', 'attendanceSource')
  const list = useListPage(flowList, { scope, fixedQuery: { view: 'flow' }, defaultSort: '-flowDate', own: ['tab'] })
  const { corps, teams } = useTeamOptions(scope)
  const [leaving, setLeaving] = useState<FlowRow>()
  const [granting, setGranting] = useState<{ rows: readonly FlowRow[]; clear: () => void }>()
  const columns: ColumnOf<typeof flowList>[] = [
    { key: 'flowDate', width: 152, locked: true, sort: true, filter: 'date-range', value: (r) => time(r.date) },
    {
      key: 'flowType',
      width: 72,
      filter: 'single',
      options: [
        { value: '1', label: '进场' },
        { value: '0', label: '退场' },
      ],
      value: (r) => (
        <Tag tone={r.flowType === entryExits.entry ? 'fine' : 'warning'} icon={false}>
          {r.flowType === entryExits.entry ? '进场' : '退场'}
        </Tag>
      ),
    },
    {
      key: 'name',
      width: 84,
      locked: true,
      sort: true,
      filter: 'text',
      value: (r) => <Link to={hrefOf('/personListDetails', { id: r.projectWorkerId, workerId: r.workerId })}>{r.name}</Link>,
    },
    { key: 'workType', width: 96, filter: 'tree-cascader', tree: dicts.tree('workerType'), value: (r) => r.workTypeName },
    { key: 'teamId', width: 120, filter: 'single', options: teams, value: (r) => r.teamName },
    { key: 'corpCode', width: 180, weak: true, filter: 'single', options: corps, value: (r) => r.corpName },
    { key: 'projectName', width: 190, hidden: !many, value: (r) => r.projectName },
    {
      key: 'other',
      width: 150,
      value: (r) => (r.other ? (r.flowType === entryExits.entry ? `来自 ${r.other}` : `去往 ${r.other}`) : null),
    },
    { key: 'exitReason', width: 110, filter: 'multi', options: dicts.options('exitReason'), value: (r) => r.exitReasonName },
    {
      key: 'stayDays',
      width: 92,
      align: 'right',
      filter: 'numeric-range',
      value: (r) => (r.stayDays === null ? null : `${r.stayDays} 天`),
    },
    { key: 'source', width: 100, weak: true, filter: 'multi', options: dicts.options('attendanceSource'), value: (r) => r.sourceName },
  ]
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        unit="条"
        search={{ key: 'name', placeholder: '姓名' }}
        actions={(r) => [
          r.onSite && { label: '退场', danger: true, needs: exitWorkers, onClick: () => setLeaving(r) },
          r.onSite && { label: '调往其他项目', needs: grantWorkers, onClick: () => setGranting({ rows: [r], clear: () => undefined }) },
          { label: '从业经历', href: hrefOf('/personnelSystem/info/resume', { id: r.workerId }) },
        ]}
        selection={{
          unit: '人',
          disabled: (r) => !r.onSite,
          actions: (rows, clear) => (
            <Can call={grantWorkers}>
              <Button onClick={() => setGranting({ rows, clear })}>调往其他项目</Button>
            </Can>
          ),
        }}
      />
      {leaving && (
        <ExitDialog
          people={[{ id: leaving.projectWorkerId, name: leaving.name, teamName: leaving.teamName }]}
          onClose={() => setLeaving(undefined)}
          onDone={() => list.refresh()}
        />
      )}
      {granting && (
        <GrantDrawer
          people={[...new Map(granting.rows.map((r) => [r.workerId, { workerId: r.workerId, name: r.name }])).values()]}
          transfer
          onClose={() => setGranting(undefined)}
          onDone={() => {
            granting.clear()
            list.refresh()
          }}
        />
      )}
    </>
  )
}

const spans = [30, 90, 180] as const
function Moves({ many, scope }: { many: boolean; scope: { projectCode: string } }) {
  const go = useGo()
  const [days, setDays] = useState<(typeof spans)[number]>(30)
  const [by, setBy] = useState<'project' | 'team'>(many ? 'project' : 'team')
  const read = useCall(flowMoves, { query: { ...scope, by, days } }, { quiet: true, keepPrevious: true, staleMs: 30_000 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const edges = read.data?.edges ?? []
  return (
    <Card
      title={`近 ${days} 天人员流向`}
      remark="左边是从哪来，右边是到哪去；30 天内到别处算调动，更晚算再次进场"
      actions={
        <>
          <Segmented
            size="small"
            value={by}
            onChange={setBy}
            options={[
              { value: 'project', label: '按项目' },
              { value: 'team', label: '按班组' },
            ]}
          />
          <Segmented size="small" value={days} onChange={setDays} options={spans.map((n) => ({ value: n, label: `${n} 天` }))} />
        </>
      }
      className="per-moves"
    >
      {!read.data ? (
        <TableSkeleton rows={6} columns={2} />
      ) : edges.length === 0 ? (
        <Empty text={`近 ${days} 天没有人员进出`} />
      ) : (
        <FlowBands
          edges={edges}
          onPick={(edge) =>
            go('/flowPerson', {
              flowType: edge.toKind === 'left' ? '0' : '1',
              exitReason: edge.toKind === 'left' ? edge.to : undefined,
              teamId: by === 'team' && edge.toKind === 'place' && edge.to !== 'none' && edge.to !== 'others' ? edge.to : undefined,
              flowDate: `${read.data?.from ?? ''},`,
            })
          }
        />
      )}
    </Card>
  )
}

/** One row per person and day, with the sites visited on a 24-hour axis. */
function Crossings() {
  const read = useCall(crossSite, { query: {} }, { quiet: true, staleMs: 30_000 })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <TableSkeleton rows={6} columns={3} />
  if (read.data.list.length === 0) return <Empty text="近 30 天没有人同一天在多个项目通行" />
  const minutes = (clock: string | null) => (clock ? Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)) : undefined)
  return (
    <div className="per-cover-scroll">
      <Card title="近 30 天同日多项目通行" remark="24 小时刻度上首次进到末次出；时间交叠的须核对人证" flush>
        {read.data.list.map((c) => (
          <div key={`${c.workerId}${c.day}`} className="per-cross">
            <div>
              <Link to={hrefOf('/personnelSystem/info/resume', { id: c.workerId })}>{c.name}</Link>
              <div className="zg-2">{c.day}</div>
            </div>
            <div className="places">
              {c.places.map((p) => {
                const [from = 0, to = from + 10] = [minutes(p.firstIn), minutes(p.lastOut)]
                return (
                  <div key={p.projectCode}>
                    <span title={p.projectName}>{p.projectName}</span>
                    <span className="clock">
                      <i style={{ left: `${(from / 1440) * 100}%`, width: `${Math.max(0.7, ((to - from) / 1440) * 100)}%` }} />
                    </span>
                    <span className="zg-num zg-2">
                      {p.firstIn ?? '--'} 至 {p.lastOut ?? '--'}
                    </span>
                  </div>
                )
              })}
            </div>
          </div>
        ))}
      </Card>
    </div>
  )
}
