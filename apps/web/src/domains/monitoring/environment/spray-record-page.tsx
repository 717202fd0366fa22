import { ClockCircleOutlined } from '@ant-design/icons'
import { envInfo, envLine, envRealtime } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { findSprayRuns, sprayRunList } from '@zhugong/contract/monitoring/environment/environment-lists'
import { sprayRunOf, sprayTriggers } from '@zhugong/contract/telemetry/known-records'
import type { RecordView } from '@zhugong/contract/telemetry/model'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Empty, Pairs } from '#kit/feedback.tsx'
import { measure, span as spanWords, thousands, time, timeOfDay } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { FamilyRecord, RecordCurve, RecordPanel, recordId, useRecord } from '../family-record.tsx'
import { useFamilyScope } from '../family-scope.tsx'
import { SprayBands } from './spray-bands.tsx'
import { SprayPlans } from './spray-plans.tsx'

const aroundMs = 30 * 60_000
/** In stronger wind a reduction of dust cannot be attributed to the spray. */
const windLimit = 5

/** When did which line run, why, and did it help? */
export default function SprayRecordPage() {
  const scope = useFamilyScope({ family: 'sprayController', usual: '7' })
  const list = useListPage(sprayRunList, { scope: scope.query, own: [...scope.own, 'plans'], defaultSort: '-startTime' })
  const all = useCall(findSprayRuns, { query: { ...scope.query, size: 1 } }, { quiet: true, keepPrevious: true })
  const { record, open, close } = useRecord(scope, list.rows, recordId)
  const sums = all.data?.sums
  const [plans, setPlans] = useState(usePageQuery().get('plans') !== null)
  const columns: ColumnOf<typeof sprayRunList>[] = [
    ...(scope.projectCode === '*' ? [{ key: 'projectName' as const, width: 180, value: (r: RecordView) => r.projectName }] : []),
    { key: 'deviceName', width: 112, locked: true, filter: 'text', value: (r) => r.deviceName },
    { key: 'startTime', width: 152, sort: true, value: (r) => time(sprayRunOf(r).startTime) },
    {
      key: 'durationSeconds',
      width: 108,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => thousands(sprayRunOf(r).durationSeconds),
    },
    {
      key: 'trigger',
      width: 92,
      filter: 'multi',
      options: Object.entries(sprayTriggers).map(([value, label]) => ({ value, label })),
      value: (r) => {
        const { trigger } = sprayRunOf(r)
        return trigger === null ? null : (sprayTriggers[trigger] ?? trigger)
      },
    },
    {
      key: 'waterVolume',
      width: 108,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => measure(sprayRunOf(r).waterVolume, 1),
    },
    { key: 'pm10Before', width: 112, align: 'right', value: (r) => measure(sprayRunOf(r).pm10Before, 0) },
    { key: 'pm10After', width: 112, align: 'right', value: (r) => measure(sprayRunOf(r).pm10After, 0) },
    {
      key: 'effect',
      width: 92,
      align: 'right',
      filter: 'numeric-range',
      value: (r) => {
        const { effect } = sprayRunOf(r)
        return effect === null ? null : <span className={effect > 0 ? 'tone-fine' : 'tone-warning'}>{effect.toFixed(1)}</span>
      },
    },
  ]
  return (
    <FamilyRecord
      scope={scope}
      unit="喷淋区域"
      periods={['1', '7', '30']}
      loading={!all.data}
      figures={[
        { label: '喷淋次数', value: thousands(sums?.runs), unit: '次', remark: scope.words },
        { label: '运行时长', value: sums && measure(sums.seconds / 3600, 1), unit: '小时' },
        { label: '用水量', value: thousands(sums?.water, 1), unit: 'm³' },
        {
          label: '平均降幅',
          value: sums?.effect === null ? '--' : sums?.effect.toFixed(1),
          unit: '%',
          remark: '启动与结束时 PM10 都有值的',
        },
      ]}
      above={<SprayBands scope={scope} />}
      titleActions={
        <>
          <Link to="/monitor/environmental">去实时画面启停</Link>
          <Button icon={<ClockCircleOutlined />} onClick={() => setPlans(true)}>
            定时计划
          </Button>
          {plans && (
            <SprayPlans
              projectCode={scope.projectCode}
              sprays={scope.projectCode === '*' ? [] : scope.devices}
              onClose={() => setPlans(false)}
            />
          )}
        </>
      }
      detail={record && <RunDetail key={recordId(record)} row={record} onClose={close} />}
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey={recordId}
        unit="次"
        onRow={open}
        rowClass={(row) => (record && recordId(row) === recordId(record) ? 'ant-table-row-selected' : '')}
        emptyHint="这段时间没有喷淋"
      />
    </FamilyRecord>
  )
}

function RunDetail({ row, onClose }: { row: RecordView; onClose: () => void }) {
  const run = sprayRunOf(row)
  const stations = useCall(envRealtime, { query: { projectCode: row.projectCode, size: 20 } }, { quiet: true, staleMs: 300_000 })
  const station = stations.data?.list[0]
  const span = useMemo(() => ({ from: run.startTime - aroundMs, to: run.endTime + aroundMs }), [run.startTime, run.endTime])
  const info = useCall(
    envInfo,
    { params: { id: station?.deviceId ?? '' } },
    { quiet: true, enabled: station !== undefined, staleMs: 300_000 },
  )
  const wind = useCall(
    envLine,
    {
      query: {
        deviceId: station?.deviceId ?? '',
        metrics: 'windSpeed',
        startTime: String(Math.round(run.startTime)),
        endTime: String(Math.round(run.endTime) + 300_000),
        points: 100,
      },
    },
    { quiet: true, enabled: station !== undefined },
  )
  const blown = (wind.data?.list ?? []).some((one) => (one.v.windSpeed?.[0] ?? 0) >= windLimit)
  return (
    <RecordPanel title={`${row.deviceName} ${timeOfDay(run.startTime)}`} onClose={onClose}>
      <Pairs
        items={[
          { label: '触发', value: run.trigger === null ? null : (sprayTriggers[run.trigger] ?? run.trigger) },
          { label: '时长', value: run.durationSeconds === null ? null : spanWords(run.durationSeconds * 1000) },
          { label: '用水量', value: run.waterVolume === null ? null : `${measure(run.waterVolume, 1)} m³` },
          {
            label: 'PM10',
            value:
              run.pm10Before === null || run.pm10After === null
                ? null
                : `${measure(run.pm10Before, 0)} → ${measure(run.pm10After, 0)} μg/m³`,
          },
          {
            label: '效果',
            wide: true,
            value: blown ? (
              <span className="tone-warning">期间风速达到 {windLimit} m/s，浓度变化不能归于喷淋</span>
            ) : run.effect === null ? null : (
              `下降 ${run.effect.toFixed(1)} %`
            ),
          },
        ]}
      />
      <h3>前后 30 分钟 PM10（{station?.deviceName ?? '本项目监测站'}）</h3>
      {station ? (
        <RecordCurve
          call={envLine}
          deviceId={station.deviceId}
          span={span}
          metrics={[{ key: 'pm10', label: 'PM10', unit: 'μg/m³' }]}
          limits={info.data?.limits ?? []}
          blocks={[{ from: run.startTime, to: run.endTime, text: '喷淋' }]}
          height={220}
        />
      ) : (
        <Empty small text="本项目没有监测站" hint="登记扬尘噪声监测站后可看喷淋前后的浓度" />
      )}
      <Link to={hrefOf('/monitor/environmental', { deviceId: station?.deviceId })}>查看监测站</Link>
    </RecordPanel>
  )
}
