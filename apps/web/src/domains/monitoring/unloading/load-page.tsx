import { findLoads, loadList, platformReadingList } from '@zhugong/contract/monitoring/unloading/unloading-lists'
import { unloadingInfo, unloadingLine } from '@zhugong/contract/monitoring/unloading/unloading-live'
import { Segmented } from 'antd'
import { useState } from 'react'
import { AlarmDrawer } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, Known, Notice, Pairs, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { measure, shortTime, span, time, timeOfDay } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { AlarmLines, FamilyRecord, RecordCurve, RecordPanel, recordId, useAlarmsWithin, useRecord } from '../family-record.tsx'
import { type FamilyScope, useFamilyScope } from '../family-scope.tsx'
import { replayText } from '../replay.ts'
import { loadOf } from './load-words.ts'

const family = 'unloadingPlatform'
const readings = 'reading'
/** Seconds after which material lies too long. */
const longStay = 7_200
/** Longest period drawn as a curve. */
const drawnMs = 86_400_000
/** A platform reports once a minute. */
const seldomSeconds = 120

/** What was put on this platform, when, how heavy, how long? */
export default function LoadPage() {
  const scope = useFamilyScope({ family, usual: '1', one: true })
  const mode = usePageQuery().get('by') === readings ? readings : 'load'
  const known = scope.deviceId !== undefined
  const info = useCall(unloadingInfo, { params: { id: scope.deviceId ?? '' } }, { quiet: true, keepPrevious: true, enabled: known })
  const loads = useCall(findLoads, { query: { ...scope.query, size: 1 } }, { quiet: true, keepPrevious: true, enabled: known })
  const sums = loads.data?.sums
  const { period } = scope
  const shared = {
    scope,
    titleActions: (
      <Segmented
        aria-label="内容"
        value={mode}
        options={[
          { value: 'load', label: '装卸' },
          { value: readings, label: '读数' },
        ]}
        onChange={(value) => scope.put({ by: value === readings ? readings : undefined, record: undefined, sort: undefined })}
      />
    ),
    figures: [
      { label: '上料次数', value: sums?.loads, unit: '次', remark: scope.words },
      {
        label: '最大载重',
        value: measure(sums?.maxWeight, 2),
        unit: 't',
        remark: info.data?.ratedLoad === null ? '未设置限载' : `限载 ${info.data?.ratedLoad ?? '--'} t`,
      },
      { label: '最长滞留', value: sums ? span(sums.longestSeconds * 1000) : '--' },
      { label: '超载次数', value: sums?.overloads, unit: '次', tone: sums?.overloads ? ('danger' as const) : undefined },
    ],
    loading: loads.isPending && known,
    above: (
      <>
        {info.data?.loadedSince != null && period.open && (
          <Notice tone="info">
            进行中：自 {shortTime(info.data.loadedSince)} 起有材料，已 {span(info.data.now - info.data.loadedSince)}，清空后列入记录
          </Notice>
        )}
        {scope.deviceId && (
          <Card title="载重" remark="所选时段最后 24 小时，限载百分比">
            <RecordCurve
              call={unloadingLine}
              deviceId={scope.deviceId}
              span={{ from: Math.max(period.from, period.to - drawnMs), to: period.to }}
              metrics={[{ key: 'weightPercent', label: '载重', unit: '%' }]}
              limits={info.data?.limits ?? []}
              height={150}
            />
          </Card>
        )}
      </>
    ),
  }
  if (!known && scope.settled)
    return (
      <FamilyRecord scope={scope} unit="卸料平台" periods={['1']}>
        <Known of={scope.requested}>
          <Empty text="范围内没有卸料平台" hint="登记后显示装卸与读数" />
        </Known>
      </FamilyRecord>
    )
  // The content above the list depends on the platform: until it is known nothing is rendered, so that nothing shifts.
  if (info.isPending)
    return (
      <FamilyRecord {...shared} above={undefined} unit="卸料平台" periods={['1']}>
        <TableSkeleton />
      </FamilyRecord>
    )
  return mode === readings ? <Values {...shared} /> : <Loads {...shared} />
}

type Shared = Omit<Parameters<typeof FamilyRecord>[0], 'unit' | 'periods' | 'children' | 'detail'> & { scope: FamilyScope }

function Loads(shared: Shared) {
  const { scope } = shared
  const list = useListPage(loadList, {
    scope: scope.query,
    own: scope.own,
    defaultSort: '-time',
    enabled: scope.deviceId !== undefined,
    waitsFor: scope.requested,
  })
  const { record, open, close } = useRecord(scope, list.rows, recordId)
  const columns: ColumnOf<typeof loadList>[] = [
    { key: 'startTime', width: 140, locked: true, value: (r) => time(loadOf(r).startTime).slice(5) },
    { key: 'endTime', width: 140, sort: 'time', value: (r) => time(loadOf(r).endTime).slice(5) },
    { key: 'maxWeight', width: 116, align: 'right', filter: 'numeric-range', value: (r) => measure(loadOf(r).maxWeight, 2) },
    {
      key: 'maxWeightPercent',
      width: 132,
      align: 'right',
      locked: true,
      sort: true,
      filter: 'numeric-range',
      value: (r) => {
        const percent = loadOf(r).maxWeightPercent
        return (
          <span className={(percent ?? 0) >= 100 ? 'tone-danger' : (percent ?? 0) >= 80 ? 'tone-warning' : ''}>{measure(percent, 1)}</span>
        )
      },
    },
    {
      key: 'durationSeconds',
      title: '滞留',
      width: 116,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => {
        const { durationSeconds: seconds } = loadOf(r)
        return seconds === null ? null : <span className={seconds > longStay ? 'tone-warning' : ''}>{span(seconds * 1000)}</span>
      },
    },
    {
      key: 'overload',
      width: 84,
      filter: 'single',
      options: [
        { value: '1', label: '超载' },
        { value: '0', label: '未超载' },
      ],
      value: (r) => (loadOf(r).overload ? <Tag tone="danger">超载</Tag> : '否'),
    },
    { key: 'teamName', width: 108, value: (r) => loadOf(r).teamName },
    {
      key: 'source',
      width: 96,
      weak: true,
      value: (r) => (loadOf(r).cut ? <Tag tone="warning">数据中断</Tag> : loadOf(r).byPlatform ? '平台识别' : '设备上报'),
    },
  ]
  return (
    <FamilyRecord
      {...shared}
      unit="卸料平台"
      periods={['1', '7', '30']}
      detail={record && <LoadDetail key={recordId(record)} row={record} onClose={close} />}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey={recordId}
        unit="次"
        onRow={open}
        rowClass={(row) => (record && recordId(row) === recordId(record) ? 'ant-table-row-selected' : '')}
        emptyHint="这段时间没有上料"
        actions={(row) => [
          {
            label: '回放',
            href: hrefOf('/unloading', {
              deviceId: row.deviceId,
              replay: replayText({ from: loadOf(row).startTime - 60_000, to: loadOf(row).endTime + 60_000 }),
            }),
          },
        ]}
      />
    </FamilyRecord>
  )
}

function LoadDetail({
  row,
  onClose,
}: {
  row: Parameters<typeof recordId>[0] & Parameters<typeof loadOf>[0] & { deviceName: string; projectCode: string }
  onClose: () => void
}) {
  const load = loadOf(row)
  const around = { from: load.startTime - 300_000, to: load.endTime + 300_000 }
  const info = useCall(unloadingInfo, { params: { id: row.deviceId } }, { quiet: true, staleMs: 300_000 })
  const alarms = useAlarmsWithin(family, row.projectCode, row.deviceId, around)
  const [alarmId, setAlarmId] = useState<string>()
  const curve = {
    everySeconds: seldomSeconds,
    call: unloadingLine,
    deviceId: row.deviceId,
    span: around,
    limits: info.data?.limits ?? [],
    alarms: alarms.data?.list ?? [],
  }
  return (
    <RecordPanel
      title={`${row.deviceName} ${timeOfDay(load.startTime)}`}
      remark={load.cut ? '期间数据中断，清空时间为最后一次上报' : undefined}
      onClose={onClose}
    >
      <Pairs
        items={[
          { label: '最大载重', value: load.maxWeight === null ? null : `${measure(load.maxWeight, 2)} t` },
          { label: '限载百分比', value: load.maxWeightPercent === null ? null : `${measure(load.maxWeightPercent, 1)} %` },
          { label: '滞留', value: load.durationSeconds === null ? null : span(load.durationSeconds * 1000) },
          { label: '班组', value: load.teamName },
        ]}
      />
      <h3>载重</h3>
      <RecordCurve {...curve} metrics={[{ key: 'weightPercent', label: '载重', unit: '%' }]} />
      <h3>倾角</h3>
      <RecordCurve {...curve} height={140} metrics={[{ key: 'tilt', label: '合成倾角', unit: '°' }]} />
      <h3>期间告警</h3>
      <AlarmLines alarms={alarms.data?.list ?? []} onOpen={setAlarmId} />
      <AlarmDrawer id={alarmId} onClose={() => setAlarmId(undefined)} />
    </RecordPanel>
  )
}

function Values(shared: Shared) {
  const { scope } = shared
  const list = useListPage(platformReadingList, {
    scope: { ...scope.query, kind: readings },
    own: scope.own,
    defaultSort: '-time',
    enabled: scope.deviceId !== undefined,
    waitsFor: scope.requested,
  })
  const value = (key: string, digits: number) => (r: (typeof list.rows)[number]) => {
    const n = r.values[key]
    return typeof n === 'number' ? n.toFixed(digits) : null
  }
  const columns: ColumnOf<typeof platformReadingList>[] = [
    { key: 'time', width: 160, locked: true, sort: true, value: (r) => time(r.time) },
    { key: 'weight', width: 108, align: 'right', value: value('weight', 2) },
    { key: 'weightPercent', width: 132, align: 'right', value: value('weightPercent', 1) },
    { key: 'tilt', width: 116, align: 'right', value: value('tilt', 2) },
    { key: 'batteryPercent', width: 100, align: 'right', value: value('batteryPercent', 0) },
    { key: 'receivedAt', width: 160, weak: true, value: (r) => time(r.receivedAt) },
  ]
  return (
    <FamilyRecord {...shared} unit="卸料平台" periods={['1', '7', '30']}>
      <DataTable list={list} columns={columns} rowKey={(row) => `${row.deviceId}${row.time}`} unit="条" emptyHint="这段时间平台没有上报" />
    </FamilyRecord>
  )
}
