import { liftReadingList } from '@zhugong/contract/monitoring/lift/lift-lists'
import { liftDevice, liftInfo, liftLine } from '@zhugong/contract/monitoring/lift/lift-live'
import { cageNames } from '@zhugong/contract/monitoring/lift/lift-runs'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Panel, Tag } from '#kit/feedback.tsx'
import { measure } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { numberIn } from '../crane-state.ts'
import { readingColumns } from '../cycles/columns.tsx'
import { aroundReading, type CurvePresets, FamilyReading, ReadingPanel, readingNumber, readingTable } from '../family-reading.tsx'
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

/** Readings of one lift. */
export default function LiftReadingPage() {
  const scope = useFamilyScope({ family, usual: '1', one: true })
  const go = useGo()
  const known = scope.deviceId !== undefined
  const list = useListPage(liftReadingList, {
    scope: scope.query,
    own: scope.own,
    defaultSort: '-time',
    enabled: known,
    waitsFor: scope.requested,
  })
  const info = useCall(liftInfo, { params: { id: scope.deviceId ?? '' } }, { quiet: true, enabled: known, staleMs: 300_000 })
  const { record, open, close } = useRecord(scope, list.rows, (row) => String(row.time))
  const door = (key: 'frontDoorOpen' | 'rearDoorOpen') => ({
    key,
    width: 84,
    value: (r: { values: Readonly<Record<string, unknown>> }) =>
      r.values[key] === true ? (
        <Tag tone={isRunning(r.values) ? 'danger' : 'neutral'}>{isRunning(r.values) ? '运行中开' : '开'}</Tag>
      ) : (
        '关'
      ),
  })
  const columns: ColumnOf<typeof liftReadingList>[] = [
    readingColumns.time,
    { key: 'cage', width: 72, value: (r) => cageNames[String(r.values.cage)] ?? null },
    readingNumber('height', 92, 1),
    readingNumber('floor', 92, 0),
    { key: 'direction', width: 68, value: (r) => headingWords[headingIn(r.values)] },
    readingNumber('speed', 126, 2),
    readingNumber('personCount', 92, 0),
    readingNumber('loadPercent', 126, 0),
    readingNumber('load', 92, 2),
    door('frontDoorOpen'),
    door('rearDoorOpen'),
    { key: 'doorLocked', width: 92, hidden: true, value: (r) => (r.values.doorLocked === true ? '闭合' : '未闭') },
    readingNumber('windSpeed', 104, 1),
    { key: 'tiltX', width: 92, align: 'right', hidden: true, value: (r) => measure(numberIn(r.values, 'tiltX')) },
    { key: 'tiltY', width: 92, align: 'right', hidden: true, value: (r) => measure(numberIn(r.values, 'tiltY')) },
    readingColumns.driverName,
    {
      key: 'quality',
      width: 108,
      hidden: true,
      value: (r) =>
        Object.values(r.quality ?? {})
          .map((word) => qualityNames[word] ?? word)
          .join('、') || '正常',
    },
    readingColumns.late,
    readingColumns.receivedAt,
  ]
  const watch = (row: { deviceId: string; time: number }) => go('/equipment/lifter', { deviceId: row.deviceId, replay: aroundReading(row) })
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
        {...readingTable(record, open)}
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

/** The cage's position at a reading, and the alarms before it. */
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
