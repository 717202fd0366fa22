import { craneReadingList } from '@zhugong/contract/telemetry/crane-lists'
import { towerDevice, towerInfo, towerLine } from '@zhugong/contract/telemetry/endpoints'
import { useCall } from '#kit/call.ts'
import { dark } from '#kit/colors.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useFamily } from '#kit/family.ts'
import { Empty, Panel, Tag } from '#kit/feedback.tsx'
import { measure, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { CraneSide } from './crane-side.tsx'
import { numberIn, poseIn, shapeOf } from './crane-state.ts'
import { aroundReading, type CurvePresets, FamilyReading, ReadingPanel, ReadingValue } from './family-reading.tsx'
import { useRecord } from './family-record.tsx'
import { useFamilyScope } from './family-scope.tsx'
import { qualityNames } from './gauge.tsx'
import './monitoring.css'

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

/** What exactly did this crane do between 14:00 and 14:20? */
export default function CraneReadingPage() {
  const scope = useFamilyScope({ family, usual: '1', one: true })
  const go = useGo()
  const list = useListPage(craneReadingList, {
    scope: scope.query,
    own: scope.own,
    defaultSort: '-time',
    enabled: scope.deviceId !== undefined,
    waitsFor: scope.asked,
  })
  const info = useCall(
    towerInfo,
    { params: { id: scope.deviceId ?? '' } },
    { quiet: true, enabled: scope.deviceId !== undefined, staleMs: 300_000 },
  )
  const kind = useFamily(family)
  const { record, open, close } = useRecord(scope, list.rows, (row) => String(row.time))
  const label = (key: string) => kind.data?.metrics.find((one) => one.key === key)?.label ?? key
  type Row = (typeof list.rows)[number]
  const number = (
    key: 'load' | 'loadPercent' | 'momentPercent' | 'radius' | 'hookHeight' | 'windSpeed' | 'tilt',
    width: number,
    decimals: number,
  ) => ({
    key,
    width,
    align: 'right' as const,
    filter: 'numeric-range' as const,
    value: (r: Row) => <ReadingValue row={r} metric={key} decimals={decimals} />,
  })
  const columns: ColumnOf<typeof craneReadingList>[] = [
    {
      key: 'time',
      width: 140,
      locked: true,
      sort: true,
      value: (r) => <span title={`接收 ${time(r.receivedAt)}`}>{time(r.time).slice(5)}</span>,
    },
    number('load', 92, 2),
    { key: 'ratedLoad', width: 100, align: 'right', hidden: true, value: (r) => measure(numberIn(r.values, 'ratedLoad')) },
    number('loadPercent', 118, 0),
    number('momentPercent', 118, 0),
    number('radius', 96, 1),
    number('hookHeight', 110, 1),
    { key: 'slewAngle', width: 100, align: 'right', value: (r) => measure(numberIn(r.values, 'slewAngle'), 1) },
    number('windSpeed', 104, 1),
    number('tilt', 104, 2),
    { key: 'fall', width: 64, align: 'right', hidden: true, value: (r) => measure(numberIn(r.values, 'fall'), 0) },
    {
      key: 'sensorStatus',
      width: 92,
      hidden: true,
      value: (r) => kind.data?.metrics.find((one) => one.key === 'sensorStatus')?.values?.[String(r.values.sensorStatus)] ?? null,
    },
    { key: 'driverName', width: 84, value: (r) => (typeof r.values.driverName === 'string' ? r.values.driverName : null) },
    {
      key: 'quality',
      width: 108,
      value: (r) =>
        Object.entries(r.quality ?? {})
          .map(([key, word]) => `${label(key)} ${qualityNames[word] ?? word}`)
          .join('、') || '正常',
    },
    { key: 'late', width: 64, value: (r) => (r.flag === 1 ? <Tag>补传</Tag> : null) },
    { key: 'receivedAt', width: 140, hidden: true, value: (r) => time(r.receivedAt) },
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
        rowKey={(row) => String(row.time)}
        unit="条"
        onRow={open}
        rowClass={(row) => (record && row.time === record.time ? 'ant-table-row-selected' : '')}
        emptyHint="这段时间没有读数"
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

/** The crane as it stood with this reading, and the alarms around it. */
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
