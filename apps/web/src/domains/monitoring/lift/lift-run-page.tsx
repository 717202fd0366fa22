import { dayMs } from '@zhugong/contract/kit/time'
import { findLiftRuns, liftRunList } from '@zhugong/contract/monitoring/lift/lift-lists'
import { liftDevice, liftInfo, liftLine } from '@zhugong/contract/monitoring/lift/lift-live'
import { cageNames, runDirections, runOf } from '@zhugong/contract/monitoring/lift/lift-runs'
import { markLiftRun } from '@zhugong/contract/monitoring/record-fixes'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, Known } from '#kit/feedback.tsx'
import { day, measure, minuteOfDay, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { cycleColumns, driverWords } from '../cycles/columns.tsx'
import { CycleDetail, periodOf, replayOf } from '../cycles/cycle-detail.tsx'
import { FamilyRecord, recordId, useRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { useIllegalMark } from '../illegal-mark.ts'
import { periodIn, periodQueryOf } from '../period.ts'
import { liftParams } from './lift-state.ts'
import { faultsOf, runLines } from './run-day.ts'
import { RunDiagram } from './run-diagram.tsx'
import type { RunRow } from './run-row.ts'

const family = 'lifter'
const common = cycleColumns(runOf)
/** More than a lift runs in a day. */
const dayRuns = 1_000
const floors = (run: ReturnType<typeof runOf>) => `${run.startFloor ?? '--'} → ${run.endFloor ?? '--'} 层`
/** Filter words for one hour of the day, as the analysis opens it. */
const hourWords = Object.fromEntries(Array.from({ length: 24 }, (_, hour) => [`${hour},${hour}`, `${hour} 时`]))
const directionOptions = Object.entries(runDirections).map(([value, label]) => ({ value, label }))

/** Runs of lifts: floors, persons, loads, drivers and violations. */
export default function LiftRunPage() {
  const scope = useFamilyScope({ family, usual: '1', one: true })
  const go = useGo()
  const list = useListPage(liftRunList, { scope: scope.query, own: scope.own, defaultSort: '-startTime' })
  const { record, open, close } = useRecord(scope, list.rows, recordId)
  const file = useCall(
    liftDevice,
    { params: { id: scope.deviceId ?? '' } },
    { quiet: true, enabled: scope.deviceId !== undefined, staleMs: 300_000 },
  )
  const params = liftParams(file.data?.params)
  // The diagram shows one day: the last of the period.
  const last = useMemo(() => periodIn(`${day(scope.period.to - 1)},${day(scope.period.to - 1)}`, scope.period.to), [scope.period.to])
  const drawn = useCall(
    findLiftRuns,
    {
      query: {
        projectCode: scope.projectCode,
        deviceId: scope.deviceId,
        ...(last && periodQueryOf(last)),
        size: dayRuns,
      },
    },
    { quiet: true, keepPrevious: true, enabled: scope.deviceId !== undefined && last !== undefined },
  )
  const lines = useMemo(() => runLines(drawn.data?.list ?? [], params.ratedPersons, minuteOfDay), [drawn.data, params.ratedPersons])
  const today = drawn.data?.today
  const mark = useIllegalMark(markLiftRun, '运行', runOf)
  const watch = (row: RunRow) => go('/equipment/lifter', { deviceId: row.deviceId, replay: replayOf(runOf(row)) })
  const columns: ColumnOf<typeof liftRunList>[] = [
    { key: 'deviceName', width: 124, hidden: true, value: (r) => r.deviceName },
    {
      key: 'cage',
      width: 76,
      filter: 'single',
      options: Object.entries(cageNames).map(([value, label]) => ({ value, label })),
      value: (r) => cageNames[runOf(r).cage] ?? runOf(r).cage,
    },
    common.startTime,
    {
      key: 'direction',
      width: 76,
      filter: 'multi',
      options: directionOptions,
      value: (r) => runDirections[runOf(r).direction ?? ''] ?? null,
    },
    { key: 'startFloor', width: 92, align: 'right', filter: 'numeric-range', value: (r) => runOf(r).startFloor },
    { key: 'endFloor', width: 92, align: 'right', filter: 'numeric-range', value: (r) => runOf(r).endFloor },
    common.durationSeconds(96),
    {
      key: 'maxPersonCount',
      width: 96,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => {
        const { maxPersonCount } = runOf(r)
        return <span className={(maxPersonCount ?? 0) > params.ratedPersons ? 'tone-danger' : ''}>{maxPersonCount ?? '--'}</span>
      },
    },
    {
      key: 'maxLoadPercent',
      width: 116,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => (
        <span className={(runOf(r).maxLoadPercent ?? 0) > 100 ? 'tone-danger' : ''}>{measure(runOf(r).maxLoadPercent, 0)}</span>
      ),
    },
    { key: 'averageSpeed', width: 116, align: 'right', hidden: true, value: (r) => measure(runOf(r).averageSpeed) },
    { key: 'maxSpeed', width: 116, align: 'right', sort: true, filter: 'numeric-range', value: (r) => measure(runOf(r).maxSpeed) },
    { key: 'maxTilt', width: 104, align: 'right', weak: true, value: (r) => measure(runOf(r).maxTilt) },
    common.illegal(124, (r) => faultsOf(runOf(r), params.ratedPersons)[0]),
    common.illegalReason,
    common.driverName,
    { key: 'source', width: 96, hidden: true, value: common.sourceOf },
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit="升降机"
      periods={['1', '7', '30']}
      loading={!drawn.data}
      figures={[
        { label: '今日运行', value: thousands(today?.runs), unit: '次' },
        { label: '今日载人次', value: thousands(today?.persons), unit: '人次', remark: '按门或摄像估算' },
        {
          label: '今日超员',
          value: today?.overPersons,
          unit: '次',
          remark: `限 ${params.ratedPersons} 人`,
          tone: today?.overPersons ? 'danger' : undefined,
        },
        {
          label: '今日违章',
          value: today?.illegal,
          unit: '次',
          remark: '超员、超载、开门运行、人工标记',
          tone: today?.illegal ? 'warning' : undefined,
        },
      ]}
      above={
        <Card
          title={`${last ? day(last.from) : ''} 运行图`}
          remark={`${scope.deviceName ?? ''}，一线一次运行，红粗线为违章，顶端红条为连续满员；绿虚线为右笼`}
        >
          {lines.length === 0 || !last ? (
            <div className="lift-day">
              <Known of={drawn}>
                <Empty small text="当天没有运行" />
              </Known>
            </div>
          ) : (
            <RunDiagram
              lines={lines}
              span={shown(lines, last)}
              floors={Math.max(params.floors, ...lines.flatMap((one) => [one.from.floor, one.to.floor]))}
              ratedPersons={params.ratedPersons}
              chosen={record && recordId(record)}
              idOf={(line) => recordId(line.row)}
              onPick={(line) => (list.rows.some((row) => recordId(row) === recordId(line.row)) ? open(line.row) : watch(line.row))}
            />
          )}
        </Card>
      }
      detail={
        record && (
          <Detail key={recordId(record)} row={record} ratedPersons={params.ratedPersons} onClose={close} onWatch={() => watch(record)} />
        )
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey={recordId}
        unit="次"
        onRow={open}
        rowClass={(row) => (record && recordId(row) === recordId(record) ? 'ant-table-row-selected' : '')}
        filterWords={{ hour: { title: '时段', words: hourWords } }}
        emptyHint="这段时间没有运行，或升降机没有上报"
        actions={(row) => [
          { label: '回放', onClick: () => watch(row) },
          { label: '读数', href: hrefOf('/equipment/monitor', { deviceId: row.deviceId, period: periodOf(runOf(row)) }) },
          mark(row),
        ]}
      />
    </FamilyRecord>
  )
}

/** The hours in which the lift ran, rounded outwards, so that hours without runs take no space. */
function shown(lines: readonly { from: { at: number }; to: { at: number } }[], whole: { from: number; to: number }) {
  const hour = 3_600_000
  const first = Math.min(...lines.map((one) => one.from.at))
  const last = Math.max(...lines.map((one) => one.to.at))
  const from = Math.max(whole.from, whole.from + Math.floor((first - whole.from) / hour) * hour)
  const to = Math.min(whole.from + dayMs, whole.from + Math.ceil((last - whole.from) / hour) * hour)
  return { from, to: Math.max(to, from + hour) }
}

interface DetailProps {
  row: RunRow
  ratedPersons: number
  onClose: () => void
  onWatch: () => void
}

function Detail({ row, ratedPersons, onClose, onWatch }: DetailProps) {
  const run = runOf(row)
  const info = useCall(liftInfo, { params: { id: row.deviceId } }, { quiet: true, staleMs: 300_000 })
  const faults = faultsOf(run, ratedPersons)
  return (
    <CycleDetail
      family={family}
      row={row}
      cycle={run}
      called="运行"
      one="一次"
      marginMs={5_000}
      facts={[
        { label: '楼层', value: floors(run) },
        { label: '时长', value: run.durationSeconds === null ? null : `${run.durationSeconds} 秒` },
        { label: '人数', value: run.maxPersonCount === null ? null : `${run.maxPersonCount} / ${ratedPersons} 人` },
        { label: '最大载重', value: run.maxLoadPercent === null ? null : `${measure(run.maxLoadPercent, 0)} %` },
        { label: '最大速度', value: run.maxSpeed === null ? null : `${measure(run.maxSpeed)} m/s` },
        { label: '司机', value: driverWords(run.driverName) },
        { label: '违章', value: faults.length > 0 ? <span className="tone-danger">{faults.join('，')}</span> : '否' },
      ]}
      curves={[
        {
          title: '高度与载重',
          call: liftLine,
          limits: info.data?.limits ?? [],
          metrics: [
            { key: 'height', label: '高度', unit: 'm' },
            { key: 'loadPercent', label: '载重百分比', unit: '%' },
          ],
        },
      ]}
      onClose={onClose}
      onWatch={onWatch}
    />
  )
}
