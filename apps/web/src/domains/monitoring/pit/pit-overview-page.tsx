import { dayMs } from '@zhugong/contract/kit/time'
import { pitStates } from '@zhugong/contract/monitoring/pit/pit-live'
import { findPitDays, findPitPoints, findPitShares, listPitStages, pitPointList } from '@zhugong/contract/monitoring/pit/pits'
import { useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, ErrorPanel, FigureStrip, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { age, day as dayOf, measure, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { Spark } from '#kit/spark.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import '../family.css'
import './pit.css'
import { marks, type PitPoint, stateAt, stateTones, worst } from './pit-state.ts'

const trendDays = 7
const stateOptions = Object.entries(pitStates).map(([value, label]) => ({ value, label }))
const grades: Readonly<Record<string, string>> = { 1: '一级', 2: '二级', 3: '三级' }

/** Which pit and which point needs attention today? */
export default function PitOverviewPage() {
  const projectCode = useProjectCode()
  const go = useGo()
  const [since] = useState(() => time(Date.parse(`${dayOf(Date.now())}T00:00:00+08:00`) - (trendDays - 1) * dayMs))
  const scope = useMemo(() => ({ projectCode, groupBy: 'point' as const }), [projectCode])
  const list = useListPage(pitPointList, { scope, own: ['groupBy'], inUrl: true, everyMs: 60_000 })
  const all = useCall(findPitPoints, { query: { projectCode, groupBy: 'point', size: 1000 } }, { quiet: true, everyMs: 60_000 })
  const shares = useCall(findPitShares, { query: { projectCode, groupBy: 'pit,pointType', size: 1000 } }, { quiet: true, everyMs: 60_000 })
  const days = useCall(findPitDays, { query: { projectCode, groupBy: 'day', startTime: since, sort: 'time', size: 1000 } }, { quiet: true })
  const stages = useCall(listPitStages, { query: { projectCode, size: 1000 } }, { quiet: true })
  const trends = useMemo(() => {
    const found = new Map<string, number[]>()
    for (const one of days.data?.list ?? []) {
      if (one.value === null) continue
      const key = `${one.deviceId}${one.pointCode}`
      found.set(key, [...(found.get(key) ?? []), Math.abs(one.value)])
    }
    return found
  }, [days.data])
  const points = all.data?.list ?? []
  const pits = useMemo(() => pitsOf(all.data?.list ?? []), [all.data])
  const open = (deviceId: string) => go('/foundationPit/monitor', { deviceId })
  const columns: ColumnOf<typeof pitPointList>[] = [
    ...(projectCode === '*' ? [{ key: 'projectName' as const, width: 176, value: (r: PitPoint) => r.projectName }] : []),
    { key: 'pitName', width: 112, filter: 'text', value: (r) => r.pitName },
    { key: 'pointCode', width: 92, locked: true, filter: 'text', value: (r) => r.pointCode },
    {
      key: 'pointType',
      width: 124,
      filter: 'single',
      options: [...new Map(points.map((one) => [one.pointType, one.pointTypeName]))].map(([value, label]) => ({ value, label })),
      value: (r) => r.pointTypeName,
    },
    { key: 'cumulative', width: 92, align: 'right', value: (r) => measure(r.cumulative, 1) },
    { key: 'unit', width: 60, value: (r) => r.unit },
    { key: 'share', width: 116, align: 'right', value: (r) => measure(r.share, 0) },
    { key: 'ratePerDay', width: 104, align: 'right', value: (r) => measure(r.ratePerDay, 2) },
    { key: 'rateShare', width: 124, align: 'right', value: (r) => measure(r.rateShare, 0) },
    { key: 'trend', width: 92, value: (r) => <Spark values={trends.get(`${r.deviceId}${r.pointCode}`) ?? []} width={72} /> },
    { key: 'time', width: 152, value: (r) => time(r.time) },
    {
      key: 'state',
      width: 104,
      locked: true,
      filter: 'multi',
      options: stateOptions,
      value: (r) => <Tag tone={stateTones[r.state]}>{pitStates[r.state]}</Tag>,
    },
  ]
  const states = (...wanted: PitPoint['state'][]) => points.filter((one) => wanted.includes(one.state)).length
  return (
    <ListShell
      remark="份额最大的排在前面；份额是累计或速率占各自控制值的百分数"
      strip={
        <FigureStrip
          loading={!all.data}
          items={[
            { label: '基坑', value: pits.length, unit: '个', remark: `测点 ${points.length} 个` },
            { label: '超控制值', value: states('over'), unit: '点', tone: states('over') ? 'danger' : undefined },
            {
              label: '报警、预警',
              value: states('alarm', 'warning'),
              unit: '点',
              tone: states('alarm', 'warning') ? 'warning' : undefined,
            },
            { label: '失效、未设控制值', value: states('silent', 'unset'), unit: '点', remark: '不能判断是否安全' },
          ]}
        />
      }
      above={
        <>
          {all.error && !all.data ? (
            <Card>
              <ErrorPanel error={all.error} retry={all.refetch} />
            </Card>
          ) : all.isPending || shares.isPending || stages.isPending ? (
            <div className="pit-cards">
              <div className="zg-card pit-card coming">
                <TableSkeleton rows={3} columns={3} />
              </div>
            </div>
          ) : pits.length === 0 ? (
            <Card>
              <Empty text="范围内没有基坑测点" hint="登记基坑测点后，这里比较各个基坑" />
            </Card>
          ) : (
            <div className="pit-cards">
              {pits.map((pit) => {
                const stage = stages.data?.list.find((one) => one.projectCode === pit.projectCode && one.pitName === pit.pitName)
                const state = pit.share === null ? 'unset' : stateAt(pit.share)
                return (
                  <button
                    key={pit.key}
                    type="button"
                    className="zg-bare zg-card pit-card"
                    data-state={state}
                    onClick={() => open(pit.first.deviceId)}
                  >
                    <strong>
                      {pit.projectName} {pit.pitName}
                    </strong>
                    <Tag tone={stateTones[state]}>{pitStates[state]}</Tag>
                    <span className="share">
                      {pit.share === null ? '--' : pit.share.toFixed(0)}
                      <small>% {pit.first.pointCode}</small>
                    </span>
                    <DigBar depth={pit.first.depth} dug={stage?.depth} />
                    <span className="zg-2">
                      {grades[pit.first.grade ?? ''] ?? '等级未填'}，{stage ? `挖至 ${stage.depth}` : '工况未报'} /{' '}
                      {measure(pit.first.depth, 1)} m；测点 {pit.points}
                      {pit.silent > 0 && `，失效 ${pit.silent}`}；最后数据 {pit.last === null ? '无' : age(pit.last)}
                    </span>
                  </button>
                )
              })}
            </div>
          )}
          {pits.length > 0 && shares.data && (
            <Card title="基坑与监测项目" remark="格内为该项最大份额 %，点开看最大的测点">
              <Matrix shares={shares.data?.list ?? []} points={points} onOpen={open} />
            </Card>
          )}
        </>
      }
    >
      {!all.isPending && !shares.isPending && !stages.isPending && (
        <DataTable
          list={list}
          columns={columns}
          rowKey={(row) => `${row.deviceId}${row.pointCode}`}
          unit="个"
          onRow={(row) => open(row.deviceId)}
          emptyHint="没有符合条件的测点"
          actions={(row) => [
            { label: '曲线', href: hrefOf('/foundationPit/monitor', { deviceId: row.deviceId }) },
            { label: '记录', href: hrefOf('/foundationPit/record', { deviceId: row.deviceId }) },
          ]}
        />
      )}
    </ListShell>
  )
}

interface PitCard {
  key: string
  projectCode: string
  projectName: string
  pitName: string
  /** The point with the greatest share. */
  first: PitPoint
  share: number | null
  points: number
  silent: number
  last: number | null
}

/** Pits by their worst point; those without data come last. @public */
export function pitsOf(points: readonly PitPoint[]): PitCard[] {
  return [...Map.groupBy(points, (one) => `${one.projectCode} ${one.pitName}`)]
    .flatMap(([key, own]): PitCard[] => {
      const [first] = [...own].sort((a, b) => (worst(b) ?? -1) - (worst(a) ?? -1))
      if (!first) return []
      const times = own.flatMap((one) => (one.time === null ? [] : [one.time]))
      return [
        {
          key,
          projectCode: first.projectCode,
          projectName: first.projectName,
          pitName: first.pitName,
          first,
          share: worst(first),
          points: own.length,
          silent: own.filter((one) => one.state === 'silent').length,
          last: times.length > 0 ? Math.max(...times) : null,
        },
      ]
    })
    .sort((a, b) => (b.share ?? -1) - (a.share ?? -1))
}

/** Excavated share of the design depth. */
function DigBar({ depth, dug }: { depth: number | null; dug: number | undefined }) {
  const share = depth && dug !== undefined ? Math.min(1, dug / depth) : 0
  return (
    <svg
      className="dig"
      viewBox="0 0 60 34"
      role="img"
      aria-label={dug === undefined ? '开挖深度未上报' : `挖至 ${dug} 米，设计 ${depth ?? '--'} 米`}
    >
      <path d="M0 4h12v28h36V4h12" className="ground" />
      <rect x="13" y="4" width="34" height={28 * share} className="dug" />
      <line x1="13" x2="47" y1={4 + 28 * share} y2={4 + 28 * share} className="line" />
    </svg>
  )
}

function Matrix({
  shares,
  points,
  onOpen,
}: {
  shares: readonly {
    projectCode: string
    projectName: string
    pitName: string
    pointType: string
    pointTypeName: string
    points: number
    worstShare: number | null
    worstPoint: string | null
  }[]
  points: readonly PitPoint[]
  onOpen: (deviceId: string) => void
}) {
  const types = [...new Map(shares.map((one) => [one.pointType, one.pointTypeName]))]
  const pits = [...new Map(shares.map((one) => [`${one.projectCode} ${one.pitName}`, one]))]
  return (
    // What scrolls must be reached by the keys, though nothing in it may take them.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <div className="fam-scroll" tabIndex={0}>
      <table className="fam-table pit-matrix">
        <thead>
          <tr>
            <th scope="col">基坑</th>
            {types.map(([type, name]) => (
              <th key={type} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pits.map(([key, pit]) => (
            <tr key={key}>
              <td>
                {pit.projectName} {pit.pitName}
              </td>
              {types.map(([type]) => {
                const cell = shares.find((one) => `${one.projectCode} ${one.pitName}` === key && one.pointType === type)
                if (!cell) return <td key={type}>—</td>
                const point = points.find(
                  (one) =>
                    one.projectCode === pit.projectCode &&
                    one.pitName === pit.pitName &&
                    one.pointType === type &&
                    one.pointCode === (cell.worstPoint ?? one.pointCode),
                )
                const state = cell.worstShare === null ? 'unset' : stateAt(cell.worstShare)
                return (
                  <td key={type} data-state={state}>
                    <button
                      type="button"
                      className="zg-bare"
                      disabled={!point}
                      title={`${cell.points} 点，最大 ${cell.worstPoint ?? '无'}（预警 ${marks[0]}）`}
                      onClick={() => point && onOpen(point.deviceId)}
                    >
                      {cell.worstShare === null ? '无数据' : `${cell.worstShare.toFixed(0)} ${state === 'fine' ? '' : pitStates[state]}`}
                    </button>
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
