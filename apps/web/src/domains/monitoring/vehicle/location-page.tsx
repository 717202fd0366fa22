import { type DeviceRow, listDevices } from '@zhugong/contract/equipment/endpoints'
import { toPlace } from '@zhugong/contract/kit/plane'
import { truckTrack } from '@zhugong/contract/monitoring/vehicle/vehicles'
import { commandResults } from '@zhugong/contract/telemetry/commands'
import { sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button, Segmented } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, ErrorPanel, FigureStrip, Known, Pairs, RiskBadge, Tag } from '#kit/feedback.tsx'
import { age, measure, time } from '#kit/format.ts'
import type { LngLat } from '#kit/geo.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useLatest, useNow } from '#kit/live.ts'
import type { Reading } from '#kit/live-store.ts'
import { SiteMap } from '#kit/map.tsx'
import type { MapLine } from '#kit/map-props.ts'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { takeReading, useSite } from '../family-live.ts'
import { labelOf, type Motion, motionWords, oldPlaceMs, pointStateOf, type TruckNow, truckOf } from './truck-state.ts'
import { areasOf, routesOf, useVehicleFences, VehicleFences } from './vehicle-fences.tsx'
import '../monitoring.css'
import './vehicle.css'

const everyMs = 15_000
const mostTrucks = 500
/** A text to a driver expires after this many seconds. */
const textSeconds = 120

type Shown = 'all' | 'odd' | Motion

/** Where are the trucks, and which are loaded and uncovered? */
export default function LocationPage() {
  const projectCode = useProjectCode()
  const { active, path } = usePage()
  const go = useGo()
  const query = usePageQuery()
  const [shown, setShown] = useState<Shown>('all')
  const fleet = useCall(
    listDevices,
    { query: { projectCode, family: 'truckMonitor', with: 'latest', status: '1', size: mostTrucks } },
    { quiet: true, keepPrevious: true, everyMs: active ? everyMs : undefined },
  )
  const rows = fleet.data?.list ?? []
  useEffect(() => {
    for (const row of fleet.data?.list ?? []) takeReading(row.id, row.latest)
  }, [fleet.data])
  const now = useNow(5_000)
  const readings = useLatest(
    rows.map((row) => row.id),
    projectCode === '*' ? undefined : projectCode,
  )
  const all = rows.map((row) => ({ row, reading: readings.get(row.id), now: truckOf(readings.get(row.id), row.online) }))
  const fences = useVehicleFences(projectCode)
  const { site } = useSite(projectCode)
  const fence = useMemo(() => {
    const [lng = 0, lat = 0] = site?.origin ?? []
    return (site?.fence ?? []).map(([x, y]): LngLat => {
      const place = toPlace({ lng, lat }, x, y)
      return [place.lng, place.lat]
    })
  }, [site])
  const [editing, setEditing] = useState(false)
  const isOdd = (one: (typeof all)[number]) => one.row.openLevel !== null || one.now.isUncovered
  const listed = all.filter((one) => shown === 'all' || (shown === 'odd' ? isOdd(one) : one.now.motion === shown))
  const chosen = all.find((one) => one.row.id === query.get('deviceId'))
  const trail = useTrail(chosen?.row.id)
  const choose = (id: string | undefined) => go(path, { deviceId: id }, { replace: true })
  const count = (motion: Motion) => all.filter((one) => one.now.motion === motion).length
  return (
    <PageShell
      fill
      remark="点位超过 90 秒未更新显示为最后位置；选中车辆显示近 1 小时轨迹"
      actions={projectCode !== '*' && <Button onClick={() => setEditing(true)}>路线与消纳场 {fences.length}</Button>}
    >
      <div className="mon-stack">
        <FigureStrip
          loading={!fleet.data}
          items={[
            { label: '行驶', value: count('driving'), unit: '辆' },
            { label: '停车、熄火', value: count('standing') + count('off'), unit: '辆' },
            { label: '离线', value: count('away'), unit: '辆' },
            {
              label: '违规',
              value: all.filter(isOdd).length,
              unit: '辆',
              remark: '未密闭行驶或有未处理告警',
              tone: all.some(isOdd) ? 'danger' : undefined,
            },
          ]}
        />
        <div className="truck-stage">
          <div className="zg-card truck-map">
            {fleet.error && !fleet.data ? (
              <ErrorPanel error={fleet.error} retry={fleet.refetch} />
            ) : rows.length === 0 && !fleet.isPending ? (
              <Empty text="范围内没有车辆" hint="登记车载终端后，这里显示车辆位置" />
            ) : (
              <SiteMap
                label={`车辆位置，共 ${all.filter((one) => one.now.at).length} 辆`}
                height="100%"
                selected={chosen?.row.id}
                onPoint={choose}
                areas={[
                  ...(fence.length > 2 ? [{ id: 'site', ring: fence, label: '工地', kind: 'fence' as const }] : []),
                  ...areasOf(fences),
                ]}
                lines={[...routesOf(fences, colors.lineStrong), ...trail]}
                points={listed.flatMap(({ row, now: truck }) =>
                  truck.at
                    ? [{ id: row.id, at: truck.at, state: pointStateOf(truck, row.openLevel), label: labelOf(row.name, truck), size: 7 }]
                    : [],
                )}
              />
            )}
          </div>
          <div className="truck-side">
            {chosen && (
              <TruckCard row={chosen.row} truck={chosen.now} reading={chosen.reading} at={now} onClose={() => choose(undefined)} />
            )}
            <Card
              title="车辆"
              remark={fleet.data && `${listed.length} 辆`}
              flush
              actions={
                <Segmented
                  aria-label="状态"
                  size="small"
                  value={shown}
                  options={[
                    { value: 'all', label: '全部' },
                    { value: 'driving', label: '行驶' },
                    { value: 'away', label: '离线' },
                    { value: 'odd', label: '违规' },
                  ]}
                  onChange={(value) => setShown(value as Shown)}
                />
              }
            >
              {listed.length === 0 ? (
                <Known of={fleet}>
                  <Empty small text="没有符合的车辆" />
                </Known>
              ) : (
                listed.map(({ row, now: truck, reading }) => (
                  <button
                    key={row.id}
                    type="button"
                    className="zg-bare truck-row"
                    aria-current={row.id === chosen?.row.id ? 'true' : undefined}
                    onClick={() => choose(row.id)}
                  >
                    <strong>{row.name}</strong>
                    <StateTag truck={truck} level={row.openLevel} />
                    <small>
                      {[
                        row.projectName,
                        truck.load,
                        truck.cover,
                        reading && now - reading.at > oldPlaceMs ? `${age(reading.at)}的位置` : '',
                      ]
                        .filter(Boolean)
                        .join(' · ')}
                    </small>
                  </button>
                ))
              )}
            </Card>
          </div>
        </div>
      </div>
      {editing && <VehicleFences projectCode={projectCode} around={fence} onClose={() => setEditing(false)} />}
    </PageShell>
  )
}

const trailMs = 3_600_000
const trailPoints = 400

/** The selected truck's track of the last hour, if the caller may see it. */
function useTrail(deviceId: string | undefined): MapLine[] {
  const may = useCan('vehicle.track')
  const since = Math.floor(useNow(60_000) / 60_000) * 60_000 - trailMs
  const { data } = useCall(
    truckTrack,
    { query: { deviceId, startTime: time(since), points: trailPoints } },
    { quiet: true, keepPrevious: true, enabled: may && deviceId !== undefined },
  )
  const track = data?.list.find((one) => one.deviceId === deviceId)
  return (track?.segments ?? []).map((segment, i) => ({
    id: `trail${i}`,
    path: segment.map(({ lng, lat }): LngLat => [lng, lat]),
    color: colors.primary,
    width: 3,
  }))
}

function StateTag({ truck, level }: { truck: TruckNow; level: number | null }) {
  if (level !== null) return <RiskBadge level={level} />
  if (truck.isUncovered) return <Tag tone="warning">未密闭行驶</Tag>
  const tone = truck.motion === 'driving' ? 'running' : truck.motion === 'away' ? 'neutral' : 'fine'
  return (
    <Tag tone={tone}>
      {motionWords[truck.motion]}
      {truck.motion === 'driving' && truck.speed !== undefined ? ` ${truck.speed.toFixed(0)} km/h` : ''}
    </Tag>
  )
}

function TruckCard({
  row,
  truck,
  reading,
  at,
  onClose,
}: {
  row: DeviceRow
  truck: TruckNow
  reading: Reading | undefined
  at: number
  onClose: () => void
}) {
  const mayTrack = useCan('vehicle.track')
  const mayWatch = useCan('vehicle.video')
  const mayTalk = useCan('vehicle.talk')
  const act = useAct(sendCommand, {
    success: false,
    onDone: ({ result, message }) =>
      result === commandResults.done ? notify.success(message || '终端已应答') : notify.info(message || '终端没有应答'),
  })
  const say = async () => {
    const text = await askReason(`向 ${row.name} 下发文字`, '文字内容')
    if (text) await act.run({ params: { id: row.id }, body: { cmd: 'device.text', params: { text }, expireSeconds: textSeconds } })
  }
  const isOld = reading !== undefined && at - reading.at > oldPlaceMs
  return (
    <Card
      title={row.name}
      remark={row.projectName}
      actions={
        <Button type="text" size="small" onClick={onClose}>
          关闭
        </Button>
      }
    >
      <Pairs
        items={[
          { label: '状态', value: <StateTag truck={truck} level={row.openLevel} /> },
          { label: '速度', value: truck.speed === undefined ? null : `${truck.speed.toFixed(0)} km/h` },
          { label: '载重', value: truck.load },
          { label: '顶盖', value: truck.cover },
          { label: '货箱', value: truck.body },
          { label: '位置时间', value: reading ? <span className={isOld ? 'tone-warning' : ''}>{time(reading.at).slice(5)}</span> : null },
          { label: '坐标', value: truck.at ? `${measure(truck.at[0], 5)}，${measure(truck.at[1], 5)}` : null, wide: true },
        ]}
      />
      <div className="fam-acts">
        {mayTrack && <Link to={hrefOf('/vehicle/track', { deviceId: row.id })}>轨迹</Link>}
        {mayWatch && <Link to={hrefOf('/vehicle/video', { deviceId: row.id })}>视频</Link>}
        <Link to={hrefOf('/administrationDetails', { id: row.id })}>档案</Link>
        {mayTalk && (
          <>
            <Button
              size="small"
              loading={act.running}
              disabled={!row.online}
              onClick={() => void act.run({ params: { id: row.id }, body: { cmd: 'device.locate', expireSeconds: 30 } })}
            >
              点名
            </Button>
            <Button size="small" loading={act.running} disabled={!row.online} onClick={() => void say()}>
              下发文字
            </Button>
          </>
        )}
      </div>
    </Card>
  )
}
