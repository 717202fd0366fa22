import { towerDevice, towerInfo, towerLine } from '@zhugong/contract/monitoring/crane/crane-endpoints'
import { craneReadingList } from '@zhugong/contract/monitoring/crane/crane-lists'
import { useCall } from '#kit/call.ts'
import { dark } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useFamily } from '#kit/family.ts'
import { Empty, Panel } from '#kit/feedback.tsx'
import { measure } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { numberIn, poseIn, shapeOf } from '../crane-state.ts'
import { readingColumns } from '../cycles/columns.tsx'
import { aroundReading, type CurvePresets, FamilyReading, ReadingPanel, readingNumber, readingTable } from '../family-reading.tsx'
import { useRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { qualityNames } from '../gauge.tsx'
import { CraneSide } from './crane-side.tsx'
import '../monitoring.css'

const family = 'towerCrane'
const presets: CurvePresets = {
  moment: {
    label: '力矩与吊重',
    metrics: [
      { key: 'momentPercent', label: '力矩百分比', unit: '%' },
      { key: 'load', label: '吊重', unit: 't' },
    ],
  },
  wind: { label: '风速', metrics: [{ key: 'windSpeed', label: '风速', unit: 'm/s' }] },
  tilt: { label: '倾角', metrics: [{ key: 'tilt', label: '合成倾角', unit: '°' }] },
}

/** Readings of one crane. */
export default function CraneReadingPage() {
  const scope = useFamilyScope({ family, usual: '1', one: true })
  const go = useGo()
  const list = useListPage(craneReadingList, {
    scope: scope.query,
    own: scope.own,
    defaultSort: '-time',
    enabled: scope.deviceId !== undefined,
    waitsFor: scope.requested,
  })
  const info = useCall(
    towerInfo,
    { params: { id: scope.deviceId ?? '' } },
    { quiet: true, enabled: scope.deviceId !== undefined, staleMs: 300_000 },
  )
  const kind = useFamily(family)
  const { record, open, close } = useRecord(scope, list.rows, (row) => String(row.time))
  const label = (key: string) => kind.data?.metrics.find((one) => one.key === key)?.label ?? key
  const columns: ColumnOf<typeof craneReadingList>[] = [
    readingColumns.time,
    readingNumber('load', 92, 2),
    { key: 'ratedLoad', width: 100, align: 'right', hidden: true, value: (r) => measure(numberIn(r.values, 'ratedLoad')) },
    readingNumber('loadPercent', 118, 0),
    readingNumber('momentPercent', 118, 0),
    readingNumber('radius', 96, 1),
    readingNumber('hookHeight', 110, 1),
    { key: 'slewAngle', width: 100, align: 'right', value: (r) => measure(numberIn(r.values, 'slewAngle'), 1) },
    readingNumber('windSpeed', 104, 1),
    readingNumber('tilt', 104, 2),
    { key: 'fall', width: 64, align: 'right', hidden: true, value: (r) => measure(numberIn(r.values, 'fall'), 0) },
    {
      key: 'sensorStatus',
      width: 92,
      hidden: true,
      value: (r) => kind.data?.metrics.find((one) => one.key === 'sensorStatus')?.values?.[String(r.values.sensorStatus)] ?? null,
    },
    readingColumns.driverName,
    {
      key: 'quality',
      width: 108,
      value: (r) =>
        Object.entries(r.quality ?? {})
          .map(([key, word]) => `${label(key)} ${qualityNames[word] ?? word}`)
          .join('、') || '正常',
    },
    readingColumns.late,
    readingColumns.receivedAt,
  ]
  return (
    <FamilyReading
      scope={scope}
      unit="塔机"
      presets={presets}
      call={towerLine}
      limits={info.data?.limits}
      detail={record && <ReadingDetail key={record.time} row={record} projectCode={scope.projectCode} onClose={close} />}
    >
      <DataTable
        list={list}
        columns={columns}
        {...readingTable(record, open)}
        actions={(row) => [{ label: '回放', onClick: () => go('/tower/monitor', { deviceId: row.deviceId, replay: aroundReading(row) }) }]}
      />
    </FamilyReading>
  )
}

interface ReadingRow {
  deviceId: string
  time: number
  receivedAt: number
  values: Record<string, unknown>
  quality: Record<string, string> | null
}

/** The crane's position at a reading, and the alarms before it. */
function ReadingDetail({ row, projectCode, onClose }: { row: ReadingRow; projectCode: string; onClose: () => void }) {
  const file = useCall(towerDevice, { params: { id: row.deviceId } }, { quiet: true, staleMs: 300_000 })
  const crane = file.data?.cranes.find((one) => one.deviceId === row.deviceId)
  const pose = poseIn(row.values)
  return (
    <ReadingPanel row={row} family={family} projectCode={projectCode} onClose={onClose}>
      {crane && pose ? (
        <div className="mon mon-drawn">
          <Panel title="当时的姿态" grows>
            <CraneSide main={{ shape: shapeOf(crane, file.data?.params), pose, color: dark.accent }} other={undefined} />
          </Panel>
        </div>
      ) : (
        <Empty small text="这条读数没有幅度或回转角" />
      )}
    </ReadingPanel>
  )
}
