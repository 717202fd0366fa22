import { liftReadingList } from '@zhugong/contract/monitoring/lift-lists'
import { liftDevice, liftInfo, liftLine } from '@zhugong/contract/monitoring/lift-live'
import { cageNames } from '@zhugong/contract/monitoring/lift-runs'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Panel, Tag } from '#kit/feedback.tsx'
import { measure, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { numberIn } from '../crane-state.ts'
import { aroundReading, type CurvePresets, FamilyReading, ReadingPanel, ReadingValue } from '../family-reading.tsx'
import { useRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { qualityNames } from '../gauge.tsx'
import '../monitoring.css'
import { cageThen } from './cage-then.ts'
import { headingIn, headingWords, isRunning, liftParams, openDoors } from './lift-state.ts'
import { Shaft } from './shaft.tsx'

const family = 'lifter'
const presets: CurvePresets = {
  height: {
    label: '高度与载重',
    metrics: [
      { key: 'height', label: '高度', unit: 'm' },
      { key: 'loadPercent', label: '载重百分比', unit: '%' },
    ],
  },
  persons: { label: '人数', metrics: [{ key: 'personCount', label: '人数', unit: '人' }] },
  speed: { label: '速度', metrics: [{ key: 'speed', label: '运行速度', unit: 'm/s' }] },
  wind: { label: '风速', metrics: [{ key: 'windSpeed', label: '风速', unit: 'm/s' }] },
}

/** What did this cage do between two times? */
export default function LiftReadingPage() {
  const scope = useFamilyScope({ family, usual: '1', one: true })
  const go = useGo()
  const known = scope.deviceId !== undefined
  const list = useListPage(liftReadingList, {
    scope: scope.query,
    own: scope.own,
    defaultSort: '-time',
    enabled: known,
    waitsFor: scope.asked,
  })
  const info = useCall(liftInfo, { params: { id: scope.deviceId ?? '' } }, { quiet: true, enabled: known, staleMs: 300_000 })
  const { record, open, close } = useRecord(scope, list.rows, (row) => String(row.time))
  type Row = (typeof list.rows)[number]
  const number = (
    key: 'load' | 'loadPercent' | 'personCount' | 'height' | 'floor' | 'speed' | 'windSpeed',
    width: number,
    decimals: number,
  ) => ({
    key,
    width,
    align: 'right' as const,
    filter: 'numeric-range' as const,
    value: (r: Row) => <ReadingValue row={r} metric={key} decimals={decimals} />,
  })
  const door = (key: 'frontDoorOpen' | 'rearDoorOpen') => ({
    key,
    width: 84,
    value: (r: Row) =>
      r.values[key] === true ? (
        <Tag tone={isRunning(r.values) ? 'danger' : 'neutral'}>{isRunning(r.values) ? '运行中开' : '开'}</Tag>
      ) : (
        '关'
      ),
  })
  const columns: ColumnOf<typeof liftReadingList>[] = [
    {
      key: 'time',
      width: 140,
      locked: true,
      sort: true,
      value: (r) => <span title={`接收 ${time(r.receivedAt)}`}>{time(r.time).slice(5)}</span>,
    },
    { key: 'cage', width: 72, value: (r) => cageNames[String(r.values.cage)] ?? null },
    number('height', 92, 1),
    number('floor', 92, 0),
    { key: 'direction', width: 68, value: (r) => headingWords[headingIn(r.values)] },
    number('speed', 126, 2),
    number('personCount', 92, 0),
    number('loadPercent', 126, 0),
    number('load', 92, 2),
    door('frontDoorOpen'),
    door('rearDoorOpen'),
    { key: 'doorLocked', width: 92, hidden: true, value: (r) => (r.values.doorLocked === true ? '闭合' : '未闭') },
    number('windSpeed', 104, 1),
    { key: 'tiltX', width: 92, align: 'right', hidden: true, value: (r) => measure(numberIn(r.values, 'tiltX')) },
    { key: 'tiltY', width: 92, align: 'right', hidden: true, value: (r) => measure(numberIn(r.values, 'tiltY')) },
    { key: 'driverName', width: 84, value: (r) => (typeof r.values.driverName === 'string' ? r.values.driverName : null) },
    {
      key: 'quality',
      width: 108,
      hidden: true,
      value: (r) =>
        Object.values(r.quality ?? {})
          .map((word) => qualityNames[word] ?? word)
          .join('、') || '正常',
    },
    { key: 'late', width: 64, value: (r) => (r.flag === 1 ? <Tag>补传</Tag> : null) },
    { key: 'receivedAt', width: 140, hidden: true, value: (r) => time(r.receivedAt) },
  ]
  const watch = (row: Row) => go('/equipment/lifter', { deviceId: row.deviceId, replay: aroundReading(row) })
  return (
    <FamilyReading
      scope={scope}
      unit="升降机"
      presets={presets}
      call={liftLine}
      limits={info.data?.limits}
      drawn={(one) => one.alarmKey !== 'offline'}
      remark={`${scope.words}；跨天的曲线为 5 分钟均值`}
      detail={
        record && (
          <ReadingDetail key={record.time} row={record} projectCode={scope.projectCode} onClose={close} onWatch={() => watch(record)} />
        )
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey={(row) => String(row.time)}
        unit="条"
        onRow={open}
        rowClass={(row) => (record && row.time === record.time ? 'ant-table-row-selected' : '')}
        emptyHint="这段时间没有读数"
        actions={(row) => [{ label: '回放', onClick: () => watch(row) }]}
      />
    </FamilyReading>
  )
}

interface DetailProps {
  row: {
    deviceId: string
    deviceName: string
    time: number
    receivedAt: number
    values: Record<string, unknown>
    quality: Record<string, string> | null
  }
  projectCode: string
  onClose: () => void
  onWatch: () => void
}

/** The cage as it stood with this reading, and the alarms around it. */
function ReadingDetail({ row, projectCode, onClose, onWatch }: DetailProps) {
  const file = useCall(liftDevice, { params: { id: row.deviceId } }, { quiet: true, staleMs: 300_000 })
  const params = liftParams(file.data?.params)
  const doors = openDoors(row.values)
  return (
    <ReadingPanel
      row={row}
      family={family}
      projectCode={projectCode}
      remark={doors.length > 0 ? `，${doors.join('、')}开` : ''}
      onClose={onClose}
    >
      <div className="mon lift-then">
        <Panel title="当时的位置">
          <Shaft name={row.deviceName} params={params} cages={[cageThen(row, params)]} selected={row.deviceId} onSelect={onWatch} />
        </Panel>
      </div>
      <button type="button" className="zg-bare zg-link" onClick={onWatch}>
        在实时画面回放这一刻
      </button>
    </ReadingPanel>
  )
}
