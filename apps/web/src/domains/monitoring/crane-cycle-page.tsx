import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { markCraneCycle } from '@zhugong/contract/monitoring/record-fixes'
import { craneCycleList, findCycles } from '@zhugong/contract/telemetry/crane-lists'
import { towerInfo, towerLine } from '@zhugong/contract/telemetry/endpoints'
import { type Cycle, cycleOf, type LoadPlace } from '@zhugong/contract/telemetry/known-records'
import { Button, Tooltip } from 'antd'
import { useMemo, useState } from 'react'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Pairs, Tag } from '#kit/feedback.tsx'
import { measure, time, timeOfDay } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { AlarmLines, FamilyRecord, RecordCurve, RecordPanel, recordId, useAlarmsWithin, useRecord } from './family-record.tsx'
import { useFamilyScope } from './family-scope.tsx'
import { useIllegalMark } from './illegal-mark.ts'
import { LaidPaths, LoadPath, mostPaths } from './load-paths.tsx'
import { replayText } from './replay.ts'

const family = 'towerCrane'
/** A lift as the list holds it. */
type CycleRow = OutputFor<typeof findCycles>['list'][number]
const placeWords = ({ radius, angle, height }: LoadPlace) =>
  radius === null || angle === null
    ? '--'
    : `${radius.toFixed(0)} m / ${Math.round(angle) % 360}°${height === null ? '' : ` / 高 ${height.toFixed(0)} m`}`

/** What was lifted, from where to where, by whom, and which lifts broke the rules? */
export default function CraneCyclePage() {
  const scope = useFamilyScope({ family, usual: '1' })
  const go = useGo()
  const list = useListPage(craneCycleList, { scope: scope.query, own: scope.own, defaultSort: '-startTime' })
  const { record, open, close } = useRecord(scope, list.rows, recordId)
  const { today } = useToday(scope.query)
  const mark = useIllegalMark(markCraneCycle, '吊装', cycleOf)
  const [laid, setLaid] = useState<readonly CycleRow[]>([])
  const watch = (row: CycleRow) => {
    const cycle = cycleOf(row)
    go('/tower/monitor', { deviceId: row.deviceId, replay: replayText({ from: cycle.startTime - 30_000, to: cycle.endTime + 30_000 }) })
  }
  const columns: ColumnOf<typeof craneCycleList>[] = [
    { key: 'cycleNo', width: 96, filter: 'text', hidden: true, value: (r) => cycleOf(r).cycleNo },
    ...(scope.projectCode === '*' ? [{ key: 'projectName' as const, width: 160, value: (r: CycleRow) => r.projectName }] : []),
    { key: 'deviceName', width: 96, filter: 'text', value: (r) => r.deviceName },
    { key: 'startTime', width: 132, locked: true, sort: true, value: (r) => time(cycleOf(r).startTime).slice(5) },
    { key: 'durationSeconds', width: 92, align: 'right', sort: true, filter: 'numeric-range', value: (r) => cycleOf(r).durationSeconds },
    { key: 'maxLoad', width: 100, align: 'right', sort: true, filter: 'numeric-range', value: (r) => measure(cycleOf(r).maxLoad) },
    {
      key: 'maxLoadPercent',
      width: 100,
      align: 'right',
      filter: 'numeric-range',
      hidden: true,
      value: (r) => measure(cycleOf(r).maxLoadPercent, 0),
    },
    {
      key: 'maxMomentPercent',
      width: 110,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => (
        <span className={(cycleOf(r).maxMomentPercent ?? 0) >= 100 ? 'tone-danger' : ''}>{measure(cycleOf(r).maxMomentPercent, 0)}</span>
      ),
    },
    { key: 'from', width: 128, value: (r) => placeWords(cycleOf(r).from) },
    { key: 'to', width: 128, value: (r) => placeWords(cycleOf(r).to) },
    {
      key: 'maxWindSpeed',
      width: 100,
      align: 'right',
      filter: 'numeric-range',
      weak: true,
      value: (r) => measure(cycleOf(r).maxWindSpeed, 1),
    },
    { key: 'overMomentCount', width: 92, align: 'right', hidden: true, value: (r) => cycleOf(r).overMomentCount },
    { key: 'fall', width: 64, align: 'right', hidden: true, value: (r) => cycleOf(r).fall },
    {
      key: 'illegal',
      width: 84,
      filter: 'single',
      options: [
        { value: '1', label: '违章' },
        { value: '0', label: '未违章' },
      ],
      value: (r) => (cycleOf(r).illegal ? <Tag tone="danger">违章</Tag> : '否'),
    },
    { key: 'illegalReason', width: 160, hidden: true, weak: true, value: (r) => cycleOf(r).illegalReason },
    { key: 'driverName', width: 88, filter: 'text', value: (r) => cycleOf(r).driverName ?? <span className="tone-warning">未识别</span> },
    {
      key: 'source',
      width: 96,
      filter: 'single',
      options: [
        { value: 'device', label: '设备上报' },
        { value: 'platform', label: '平台识别' },
      ],
      value: (r) => (cycleOf(r).cut ? <Tag tone="warning">数据中断</Tag> : cycleOf(r).byPlatform ? '平台识别' : '设备上报'),
    },
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit="塔机"
      periods={['1', '7', '30']}
      loading={today === undefined}
      figures={[
        { label: '今日吊次', value: today?.cycles, unit: '吊' },
        { label: '平均时长', value: today ? Math.round(today.averageSeconds) : undefined, unit: '秒', remark: '今日' },
        {
          label: '超力矩吊次',
          value: today?.overMoment,
          unit: '吊',
          remark: '达到额定力矩',
          tone: today?.overMoment ? 'danger' : undefined,
        },
        {
          label: '违章吊次',
          value: today?.illegal,
          unit: '吊',
          remark: '超力矩、超风速、人工标记',
          tone: today?.illegal ? 'warning' : undefined,
        },
      ]}
      detail={record && <CycleDetail key={recordId(record)} row={record} onClose={close} onWatch={() => watch(record)} />}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey={recordId}
        unit="吊"
        onRow={open}
        rowClass={(row) => (record && recordId(row) === recordId(record) ? 'ant-table-row-selected' : '')}
        selection={{
          unit: '吊',
          actions: (rows) => (
            <Tooltip title={rows.length > mostPaths ? `一次最多叠加 ${mostPaths} 吊` : undefined}>
              <Button disabled={rows.length > mostPaths} onClick={() => setLaid(rows)}>
                路径叠加
              </Button>
            </Tooltip>
          ),
        }}
        emptyHint="这段时间没有吊装，或塔机没有上报"
        actions={(row) => [
          { label: '回放', onClick: () => watch(row) },
          { label: '读数', href: hrefOf('/tower/monitoringRecord', { deviceId: row.deviceId, period: readingsOf(cycleOf(row)) }) },
          mark(row),
        ]}
      />
      {laid.length > 0 && <LaidPaths rows={laid} onClose={() => setLaid([])} />}
    </FamilyRecord>
  )
}

const readingsOf = (cycle: Cycle) => replayText({ from: cycle.startTime, to: Math.max(cycle.endTime, cycle.startTime + 60_000) })

/** The strip tells of today, whatever period is listed: of the same machine and projects. */
function useToday({ projectCode, deviceId }: { projectCode: string; deviceId?: string }) {
  const { data } = useCall(findCycles, { query: { projectCode, deviceId, size: 1 } }, { quiet: true, staleMs: 30_000 })
  return { today: data?.today }
}

function CycleDetail({ row, onClose, onWatch }: { row: CycleRow; onClose: () => void; onWatch: () => void }) {
  const cycle = cycleOf(row)
  const span = useMemo(
    () => ({ from: cycle.startTime, to: Math.max(cycle.endTime, cycle.startTime + 10_000) }),
    [cycle.startTime, cycle.endTime],
  )
  const info = useCall(towerInfo, { params: { id: row.deviceId } }, { quiet: true, staleMs: 300_000 })
  const alarms = useAlarmsWithin(family, row.projectCode, row.deviceId, span)
  const [alarmId, setAlarmId] = useState<string>()
  const limits = info.data?.limits ?? []
  const curve = { call: towerLine, deviceId: row.deviceId, span, limits, alarms: alarms.data?.list ?? [] }
  return (
    <RecordPanel
      title={`${row.deviceName} ${timeOfDay(cycle.startTime)}`}
      remark={cycle.cut ? '吊装中数据中断，结束时间为最后一次上报' : undefined}
      onClose={onClose}
    >
      <Pairs
        items={[
          { label: '司机', value: cycle.driverName ?? <span className="tone-warning">未识别</span> },
          { label: '时长', value: cycle.durationSeconds === null ? null : `${cycle.durationSeconds} 秒` },
          { label: '最大吊重', value: cycle.maxLoad === null ? null : `${measure(cycle.maxLoad)} t` },
          { label: '最大力矩', value: cycle.maxMomentPercent === null ? null : `${measure(cycle.maxMomentPercent, 0)} %` },
          { label: '最大风速', value: cycle.maxWindSpeed === null ? null : `${measure(cycle.maxWindSpeed, 1)} m/s` },
          { label: '倍率', value: cycle.fall },
          ...(cycle.illegalReason
            ? [{ label: cycle.illegal ? '违章' : '违章已取消', wide: true, value: `${cycle.illegalReason}（${cycle.illegalBy ?? '--'}）` }]
            : []),
        ]}
      />
      <h3>力矩与吊重</h3>
      <RecordCurve
        {...curve}
        metrics={[
          { key: 'momentPercent', label: '力矩百分比', unit: '%' },
          { key: 'load', label: '吊重', unit: 't' },
        ]}
      />
      <h3>吊钩高度</h3>
      <RecordCurve {...curve} height={140} metrics={[{ key: 'hookHeight', label: '吊钩高度', unit: 'm' }]} />
      <LoadPath row={row} />
      <h3>期间告警</h3>
      <AlarmLines alarms={alarms.data?.list ?? []} onOpen={setAlarmId} />
      <button type="button" className="zg-bare zg-link" onClick={onWatch}>
        在实时画面回放这一吊
      </button>
      <AlarmDrawer id={alarmId} onClose={() => setAlarmId(undefined)} />
    </RecordPanel>
  )
}
