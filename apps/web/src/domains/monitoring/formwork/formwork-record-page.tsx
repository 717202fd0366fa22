import { findPours, formworkMarks, formworkReadingList, pourList } from '@zhugong/contract/monitoring/formwork/formwork'
import { formworkInfo, formworkLine } from '@zhugong/contract/monitoring/formwork/formwork-live'
import { Button, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Notice, Pairs } from '#kit/feedback.tsx'
import { measure, thousands, time, timeOfDay } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { usePrint } from '#kit/use-print.ts'
import { numberIn } from '../crane-state.ts'
import { AlarmLines, FamilyRecord, RecordCurve, RecordPanel, useAlarmsWithin, useRecord } from '../family-record.tsx'
import { type FamilyScope, useFamilyScope } from '../family-scope.tsx'
import { replayText } from '../replay.ts'
import './formwork.css'
import type { Pour } from './formwork-state.ts'

/** Below this percentage of intervals with data a pour's extremes are unreliable. */
const leastData = 90

/** Record of each pour, and its raw readings. */
export default function FormworkRecordPage() {
  const byReading = usePageQuery().get('by') === 'reading'
  const pours = useFamilyScope({ family: 'highFormwork', usual: '90' })
  const readings = useFamilyScope({ family: 'highFormwork', usual: '1', one: true })
  const bar = (
    <div className="zg-card fam-bar">
      <Segmented
        aria-label="浇筑或读数"
        value={byReading ? 'reading' : 'pour'}
        options={[
          { value: 'pour', label: '浇筑' },
          { value: 'reading', label: '读数' },
        ]}
        onChange={(value) => pours.put({ by: value === 'reading' ? 'reading' : undefined, record: undefined, period: undefined })}
      />
    </div>
  )
  return byReading ? <Readings scope={readings} bar={bar} /> : <Pours scope={pours} bar={bar} />
}

function Pours({ scope, bar }: { scope: FamilyScope; bar: React.ReactNode }) {
  const query = useMemo(() => ({ ...scope.query, groupBy: 'pour' as const, kind: 'pour' as const }), [scope.query])
  const list = useListPage(pourList, { scope: query, own: [...scope.own, 'groupBy', 'kind'] })
  const all = useCall(findPours, { query: { ...query, size: 1000 } }, { quiet: true, keepPrevious: true })
  const { record, open, close } = useRecord(scope, list.rows, (row) => row.key)
  const rows = all.data?.list ?? []
  const whole = rows.length > 0 ? rows.reduce((sum, one) => sum + one.dataPercent, 0) / rows.length : undefined
  const number = (value: (r: Pour) => number | null, decimals: number) => (r: Pour) => measure(value(r), decimals)
  const columns: ColumnOf<typeof pourList>[] = [
    ...(scope.projectCode === '*' ? [{ key: 'projectName' as const, width: 176, value: (r: Pour) => r.projectName }] : []),
    { key: 'pourName', width: 230, locked: true, value: (r) => r.pourName },
    { key: 'startTime', width: 152, value: (r) => time(r.startTime) },
    { key: 'hours', width: 112, align: 'right', value: (r) => r.hours.toFixed(1) },
    { key: 'maxAxialForce', width: 124, align: 'right', value: number((r) => r.maxAxialForce, 2) },
    {
      key: 'maxAxialForcePercent',
      width: 150,
      align: 'right',
      value: (r) => (
        <span className={(r.maxAxialForcePercent ?? 0) >= formworkMarks.warning ? 'tone-danger' : ''}>
          {measure(r.maxAxialForcePercent, 1)}
        </span>
      ),
    },
    { key: 'worstPoint', width: 92, value: (r) => r.worstPoint },
    { key: 'maxDisplacement', width: 128, align: 'right', value: number((r) => r.maxDisplacement, 2) },
    { key: 'maxSettlement', width: 128, align: 'right', value: number((r) => r.maxSettlement, 2) },
    { key: 'maxTilt', width: 112, align: 'right', value: number((r) => r.maxTilt, 2), hidden: true },
    {
      key: 'alarmCount',
      width: 72,
      align: 'right',
      value: (r) => (r.alarmCount > 0 ? <span className="tone-warning">{r.alarmCount}</span> : 0),
    },
    { key: 'stopSeconds', width: 128, align: 'right', value: (r) => (r.stopSeconds === null ? null : Math.round(r.stopSeconds)) },
    {
      key: 'dataPercent',
      width: 136,
      align: 'right',
      value: (r) => <span className={r.dataPercent < leastData ? 'tone-warning' : ''}>{r.dataPercent.toFixed(1)}</span>,
    },
    { key: 'bayName', width: 150, hidden: true, value: (r) => r.bayName },
    { key: 'endTime', width: 152, hidden: true, value: (r) => time(r.endTime) },
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit="测点"
      periods={['7', '30', '90']}
      loading={!all.data}
      above={bar}
      figures={[
        { label: '浇筑', value: thousands(all.data?.total), unit: '次', remark: scope.words },
        { label: '有告警', value: rows.filter((one) => one.alarmCount > 0).length, unit: '次' },
        { label: '停泵撤离', value: rows.filter((one) => one.stopSeconds !== null).length, unit: '次' },
        { label: '数据完整率', value: whole === undefined ? '--' : whole.toFixed(1), unit: '%', remark: '有数据的五分钟 ÷ 浇筑时长' },
      ]}
      detail={record && <PourDetail key={record.key} pour={record} onClose={close} />}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="key"
        unit="次"
        onRow={open}
        rowClass={(row) => (record?.key === row.key ? 'ant-table-row-selected' : '')}
        emptyHint="这段时间没有浇筑"
        actions={(row) => [
          { label: '回放', href: hrefOf('/highFormwork/index', { deviceId: row.deviceIds[0], replay: replayText(spanOf(row)) }) },
        ]}
      />
    </FamilyRecord>
  )
}

/** Longest replay of a pour. */
const longestReplay = 6 * 3_600_000
const spanOf = (pour: Pour) => ({ from: pour.startTime, to: Math.min(pour.endTime, pour.startTime + longestReplay) })

function PourDetail({ pour, onClose }: { pour: Pour; onClose: () => void }) {
  const [alarm, setAlarm] = useState<string>()
  const mayPrint = [useCan('high-formwork.export'), useCan('export.run')].every(Boolean)
  const print = usePrint('pourReport')
  const info = useCall(
    formworkInfo,
    { params: { id: pour.deviceIds[0] ?? '' } },
    { quiet: true, staleMs: 300_000, enabled: pour.deviceIds.length > 0 },
  )
  const worst = info.data?.points.find((one) => one.pointCode === pour.worstPoint)?.deviceId ?? pour.deviceIds[0]
  const span = { from: pour.startTime, to: pour.endTime }
  const alarms = useAlarmsWithin('highFormwork', pour.projectCode, worst, span)
  return (
    <RecordPanel title={pour.pourName} remark={`${pour.projectName}　${pour.bayName}`} onClose={onClose}>
      <Pairs
        items={[
          { label: '时段', wide: true, value: `${time(pour.startTime)} 至 ${timeOfDay(pour.endTime)}` },
          { label: '方量', value: pour.volume === null ? '未登记' : `${pour.volume} m³` },
          { label: '最大轴力', value: `${measure(pour.maxAxialForce)} kN，${measure(pour.maxAxialForcePercent, 1)} %` },
          { label: '最大位移', value: `${measure(pour.maxDisplacement)} mm` },
          { label: '最大沉降', value: `${measure(pour.maxSettlement)} mm` },
          { label: '撤离用时', value: pour.stopSeconds === null ? '没有停泵' : `${Math.round(pour.stopSeconds)} 秒` },
          { label: '告警', value: `${pour.alarmCount} 条，一二级 ${pour.graveCount}` },
        ]}
      />
      {pour.dataPercent < leastData && <Notice tone="warning">数据完整率 {pour.dataPercent.toFixed(1)} %，极值可能漏记</Notice>}
      <h3>{pour.worstPoint} 轴力占设计值</h3>
      {worst && (
        <RecordCurve
          call={formworkLine}
          deviceId={worst}
          span={span}
          metrics={[{ key: 'axialForcePercent', label: '占设计值', unit: '%' }]}
          limits={info.data?.limits ?? []}
          alarms={alarms.data?.list ?? []}
          height={200}
        />
      )}
      <AlarmLines alarms={alarms.data?.list ?? []} onOpen={setAlarm} />
      <div className="fam-acts">
        <Link to={hrefOf('/highFormwork/index', { deviceId: worst, replay: replayText(spanOf(pour)) })}>回放这次浇筑</Link>
        <Link to={hrefOf('/highFormwork/analyze', { record: pour.key })}>看全部测点</Link>
        {mayPrint && (
          <Button
            size="small"
            loading={print.running}
            onClick={() =>
              void print.run({
                body: {
                  feature: 'pourReport',
                  exportType: 'pdf',
                  query: { projectCode: pour.projectCode, bayName: pour.bayName, startTime: pour.startTime },
                  columns: [],
                },
              })
            }
          >
            监测报告
          </Button>
        )}
      </div>
      <AlarmDrawer id={alarm} onClose={() => setAlarm(undefined)} />
    </RecordPanel>
  )
}

function Readings({ scope, bar }: { scope: FamilyScope; bar: React.ReactNode }) {
  const list = useListPage(formworkReadingList, {
    scope: scope.query,
    own: scope.own,
    defaultSort: '-time',
    enabled: scope.deviceId !== undefined,
    waitsFor: scope.requested,
  })
  type Row = (typeof list.rows)[number]
  const metric = (key: string, decimals: number) => (r: Row) => measure(numberIn(r.values, key), decimals)
  const columns: ColumnOf<typeof formworkReadingList>[] = [
    { key: 'deviceName', width: 140, locked: true, value: (r) => r.deviceName },
    { key: 'time', width: 152, sort: true, value: (r) => time(r.time) },
    { key: 'axialForce', width: 124, align: 'right', value: metric('axialForce', 2) },
    { key: 'axialForcePercent', width: 132, align: 'right', value: metric('axialForcePercent', 1) },
    { key: 'horizontalDisplacement', width: 128, align: 'right', value: metric('horizontalDisplacement', 2) },
    { key: 'settlement', width: 128, align: 'right', value: metric('settlement', 2) },
    { key: 'tiltX', width: 100, align: 'right', value: metric('tiltX', 3) },
    { key: 'tiltY', width: 100, align: 'right', value: metric('tiltY', 3) },
    { key: 'batteryPercent', width: 92, align: 'right', value: metric('batteryPercent', 0) },
    { key: 'quality', width: 92, hidden: true, value: (r) => Object.keys(r.quality ?? {}).join('、') || null },
    { key: 'receivedAt', width: 152, weak: true, value: (r) => time(r.receivedAt) },
  ]
  return (
    <FamilyRecord scope={scope} unit="测点" periods={['1', '7', '30']} above={bar}>
      <DataTable list={list} columns={columns} rowKey={(row) => `${row.deviceId}${row.time}`} unit="条" emptyHint="这段时间测点没有上报" />
    </FamilyRecord>
  )
}
