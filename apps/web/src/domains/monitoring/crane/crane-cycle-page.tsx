import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { towerInfo, towerLine } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import { craneCycleList, findCycles } from '@zhugong/contract/monitoring/crane/crane-lists'
import { markCraneCycle } from '@zhugong/contract/monitoring/record-fixes'
import { cycleOf, type LoadPlace } from '@zhugong/contract/telemetry/known-records'
import { Button, Tooltip } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { measure } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { cycleColumns, driverWords } from '../cycles/columns.tsx'
import { CycleDetail, periodOf, replayOf } from '../cycles/cycle-detail.tsx'
import { FamilyRecord, recordId, useRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { useIllegalMark } from '../illegal-mark.ts'
import { LaidPaths, LoadPath, mostPaths } from './load-paths.tsx'

const family = 'towerCrane'
const common = cycleColumns(cycleOf)
type CycleRow = OutputFor<typeof findCycles>['list'][number]
const placeWords = ({ radius, angle, height }: LoadPlace) =>
  radius === null || angle === null
    ? '--'
    : `幅度 ${radius.toFixed(0)} m，${Math.round(angle) % 360}°${height === null ? '' : `，高 ${height.toFixed(0)} m`}`

/** Cycles of cranes: loads, paths, drivers and violations. */
export default function CraneCyclePage() {
  const scope = useFamilyScope({ family, usual: '1' })
  const go = useGo()
  const list = useListPage(craneCycleList, { scope: scope.query, own: scope.own, defaultSort: '-startTime' })
  const { record, open, close } = useRecord(scope, list.rows, recordId)
  const { today } = useToday(scope.query)
  const mark = useIllegalMark(markCraneCycle, '吊装', cycleOf)
  const [laid, setLaid] = useState<readonly CycleRow[]>([])
  const watch = (row: CycleRow) => go('/tower/monitor', { deviceId: row.deviceId, replay: replayOf(cycleOf(row)) })
  const columns: ColumnOf<typeof craneCycleList>[] = [
    { key: 'cycleNo', width: 96, filter: 'text', hidden: true, value: (r) => cycleOf(r).cycleNo },
    ...(scope.projectCode === '*' ? [{ key: 'projectName' as const, width: 160, value: (r: CycleRow) => r.projectName }] : []),
    { key: 'deviceName', width: 96, filter: 'text', value: (r) => r.deviceName },
    common.startTime,
    common.durationSeconds(92),
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
    { key: 'from', width: 172, value: (r) => placeWords(cycleOf(r).from) },
    { key: 'to', width: 172, value: (r) => placeWords(cycleOf(r).to) },
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
    common.illegal(84, (r) => (cycleOf(r).illegal ? '违章' : undefined)),
    common.illegalReason,
    common.driverName,
    {
      key: 'source',
      width: 96,
      filter: 'single',
      options: [
        { value: 'device', label: '设备上报' },
        { value: 'platform', label: '平台识别' },
      ],
      value: common.sourceOf,
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
      detail={record && <Detail key={recordId(record)} row={record} onClose={close} onWatch={() => watch(record)} />}
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
          { label: '读数', href: hrefOf('/tower/monitoringRecord', { deviceId: row.deviceId, period: periodOf(cycleOf(row)) }) },
          mark(row),
        ]}
      />
      {laid.length > 0 && <LaidPaths rows={laid} onClose={() => setLaid([])} />}
    </FamilyRecord>
  )
}

/** Figures of the current day, for the machine and projects of the list, whatever its period. */
function useToday({ projectCode, deviceId }: { projectCode: string; deviceId?: string }) {
  const { data } = useCall(findCycles, { query: { projectCode, deviceId, size: 1 } }, { quiet: true, staleMs: 30_000 })
  return { today: data?.today }
}

function Detail({ row, onClose, onWatch }: { row: CycleRow; onClose: () => void; onWatch: () => void }) {
  const cycle = cycleOf(row)
  const info = useCall(towerInfo, { params: { id: row.deviceId } }, { quiet: true, staleMs: 300_000 })
  const curve = { call: towerLine, limits: info.data?.limits ?? [] }
  return (
    <CycleDetail
      family={family}
      row={row}
      cycle={cycle}
      called="吊装"
      one="一吊"
      facts={[
        { label: '司机', value: driverWords(cycle.driverName) },
        { label: '时长', value: cycle.durationSeconds === null ? null : `${cycle.durationSeconds} 秒` },
        { label: '最大吊重', value: cycle.maxLoad === null ? null : `${measure(cycle.maxLoad)} t` },
        { label: '最大力矩', value: cycle.maxMomentPercent === null ? null : `${measure(cycle.maxMomentPercent, 0)} %` },
        { label: '最大风速', value: cycle.maxWindSpeed === null ? null : `${measure(cycle.maxWindSpeed, 1)} m/s` },
        { label: '倍率', value: cycle.fall },
        ...(cycle.illegalReason
          ? [{ label: cycle.illegal ? '违章' : '违章已取消', wide: true, value: `${cycle.illegalReason}（${cycle.illegalBy ?? '--'}）` }]
          : []),
      ]}
      curves={[
        {
          ...curve,
          title: '力矩与吊重',
          metrics: [
            { key: 'momentPercent', label: '力矩百分比', unit: '%' },
            { key: 'load', label: '吊重', unit: 't' },
          ],
        },
        { ...curve, title: '吊钩高度', height: 140, metrics: [{ key: 'hookHeight', label: '吊钩高度', unit: 'm' }] },
      ]}
      onClose={onClose}
      onWatch={onWatch}
    >
      <LoadPath row={row} />
    </CycleDetail>
  )
}
