import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { stationStates } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { findStations, stationList } from '@zhugong/contract/monitoring/environment/environment-lists'
import { Button, Segmented } from 'antd'
import { NoticeMark, useNoticeForm, useNotices } from '#domains/alarms/public.tsx'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Card, FigureStrip, Tag } from '#kit/feedback.tsx'
import { age, measure, minuteOfDay, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { SiteMap } from '#kit/map.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { numberIn } from '../crane-state.ts'
import '../family.css'

export type Station = OutputFor<typeof findStations>['list'][number]
const metricNames: Readonly<Record<string, string>> = { pm10: 'PM10', pm25: 'PM2.5', tsp: 'TSP', noise: '噪声' }
const tones = { over: 'danger', fine: 'fine', doubtful: 'warning', silent: 'neutral' } as const
const everyMs = 30_000
const isMetric = (text: string | null): text is string => text !== null && Object.hasOwn(metricNames, text)

/** Which stations are over the limit now, and which are offline? */
export default function EnvironmentOverviewPage() {
  const projectCode = useProjectCode()
  const page = usePage()
  const go = useGo()
  const requested = usePageQuery().get('by')
  const metric = isMetric(requested) ? requested : 'pm10'
  const everyMsNow = page.active ? everyMs : undefined
  const list = useListPage(stationList, {
    scope: { projectCode },
    own: ['by'],
    inUrl: true,
    everyMs: everyMsNow || undefined,
  })
  const all = useCall(findStations, { query: { projectCode, size: 1000 } }, { quiet: true, keepPrevious: true, everyMs: everyMsNow })
  const notices = useNotices(projectCode)
  const notice = useNoticeForm()
  const value = (key: string) => (row: Station) => {
    const reported = numberIn(row.latest?.values, key)
    const limit = row.limits[key]
    const over = reported !== undefined && limit !== undefined && reported > limit && row.state !== 'silent'
    return (
      <span
        className={over ? 'tone-danger' : row.state === 'silent' ? 'zg-2' : ''}
        title={limit === undefined ? undefined : `限值 ${limit}`}
      >
        {measure(reported, 0)}
      </span>
    )
  }
  const columns: ColumnOf<typeof stationList>[] = [
    { key: 'projectName', width: 168, filter: 'text', value: (r) => r.projectName },
    { key: 'deviceName', width: 92, locked: true, filter: 'text', value: (r) => r.deviceName },
    { key: 'areaName', width: 88, weak: true, value: (r) => r.areaName },
    {
      key: 'state',
      width: 96,
      filter: 'multi',
      options: Object.entries(stationStates).map(([key, label]) => ({ value: key, label })),
      value: (r) => <Tag tone={tones[r.state]}>{stationStates[r.state]}</Tag>,
    },
    {
      key: 'overPercent',
      width: 128,
      align: 'right',
      value: (r) =>
        r.overPercent === null ? null : (
          <span className={r.overPercent > 0 ? 'tone-danger' : ''}>
            {metricNames[r.worstMetric ?? ''] ?? ''} {r.overPercent > 0 ? '+' : ''}
            {r.overPercent.toFixed(0)}
          </span>
        ),
    },
    { key: 'pm10', width: 112, align: 'right', filter: 'numeric-range', value: value('pm10') },
    { key: 'pm25', width: 112, align: 'right', value: value('pm25') },
    { key: 'tsp', width: 108, align: 'right', value: value('tsp') },
    { key: 'noise', width: 92, align: 'right', value: value('noise') },
    {
      key: 'delta',
      width: 112,
      align: 'right',
      filter: 'numeric-range',
      value: (r) => (r.delta === null ? null : r.delta > 0 ? `+${r.delta}` : r.delta),
    },
    {
      key: 'spraying',
      width: 84,
      value: (r) => (r.hasSpray ? r.spraying ? <Tag tone="running">运行</Tag> : '待命' : <span className="zg-2">未安装</span>),
    },
    { key: 'lastTime', width: 100, value: (r) => (r.latest ? <span title={time(r.latest.time)}>{age(r.latest.time)}</span> : null) },
    { key: 'notice', width: 116, value: (r) => <NoticeMark notice={notices({ deviceId: r.deviceId })} /> },
  ]
  const noise = all.data?.noiseLimit
  const open = (row: { deviceId: string }) => go('/monitor/environmental', { deviceId: row.deviceId })
  return (
    <ListShell
      remark={noise && `当前噪声限值：${noise.period} ${noise.value} dB，${minuteOfDay(noise.until)} 起换限值`}
      strip={
        <FigureStrip
          loading={!all.data}
          items={[
            {
              label: '在线',
              value: all.data?.online,
              unit: '个',
              remark: all.data && `共 ${all.data.online + all.data.offline} 个`,
            },
            {
              label: '超标',
              value: all.data?.over,
              unit: '个',
              tone: all.data?.over ? 'danger' : undefined,
              remark: '对各自的限值',
              href: hrefOf(page.path, { state: 'over' }),
            },
            {
              label: '离线',
              value: all.data?.offline,
              unit: '个',
              tone: all.data?.offline ? 'warning' : undefined,
              href: hrefOf(page.path, { state: 'silent' }),
            },
            {
              label: '数据存疑',
              value: all.data?.doubtful,
              unit: '个',
              remark: '恒值或疑似遮挡',
              href: hrefOf(page.path, { state: 'doubtful' }),
            },
          ]}
        />
      }
      above={
        <Card
          title="位置"
          remark="点为监测站：红超标、绿正常、橙存疑、灰离线"
          actions={
            <Segmented
              aria-label="指标"
              value={metric}
              options={Object.entries(metricNames).map(([key, label]) => ({ value: key, label }))}
              onChange={(next) =>
                go(
                  page.path,
                  { ...Object.fromEntries(new URLSearchParams(page.search)), by: next === 'pm10' ? undefined : String(next) },
                  { replace: true },
                )
              }
            />
          }
        >
          <SiteMap
            label="监测站位置"
            height={240}
            points={(all.data?.list ?? []).flatMap((one) =>
              one.lng === null || one.lat === null
                ? []
                : [
                    {
                      id: one.deviceId,
                      at: [one.lng, one.lat] as const,
                      state: mapStates[one.state],
                      label: `${one.deviceName} ${one.state === 'silent' ? '离线' : measure(numberIn(one.latest?.values, metric), 0)}`,
                    },
                  ],
            )}
            onPoint={(deviceId) => open({ deviceId })}
          />
        </Card>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="deviceId"
        unit="个"
        onRow={open}
        emptyHint="范围内没有在用的监测站"
        actions={(row) => [
          { label: '实时', href: hrefOf('/monitor/environmental', { deviceId: row.deviceId }) },
          { label: '分析', href: hrefOf('/analysisrecord', { deviceId: row.deviceId }) },
          notice.may && { label: '通知降尘', onClick: () => notice.send(dustNotice([row])) },
        ]}
        selection={
          notice.may
            ? {
                unit: '个',
                actions: (rows: readonly Station[]) => (
                  <Button type="primary" onClick={() => notice.send(dustNotice(rows))}>
                    通知降尘
                  </Button>
                ),
              }
            : undefined
        }
      />
      {notice.form}
    </ListShell>
  )
}

/** A notice to each site about its own station and exceedance. */
const dustNotice = (rows: readonly Station[]) => ({
  kind: 'dust' as const,
  hours: 2,
  text: '请立即开启喷淋、雾炮并停止产生扬尘的作业，查明原因后答复。',
  targets: rows.map((one) => ({
    projectCode: one.projectCode,
    deviceId: one.deviceId,
    subject:
      one.overPercent !== null && one.overPercent > 0
        ? `${one.deviceName} ${metricNames[one.worstMetric ?? ''] ?? ''} 超限 ${one.overPercent.toFixed(0)} %`
        : `${one.deviceName} ${stationStates[one.state]}`,
  })),
})

const mapStates = { over: 'alarm', fine: 'normal', doubtful: 'warning', silent: 'offline' } as const
