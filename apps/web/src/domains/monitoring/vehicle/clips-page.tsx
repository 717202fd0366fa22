import { dayMs } from '@zhugong/contract/kit/time'
import { truckClips, truckTrack } from '@zhugong/contract/monitoring/vehicle/vehicles'
import { Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, Empty, ErrorPanel, Known, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { day, fileSize, span, time, timeOfDay } from '#kit/format.ts'
import { Choice, DayInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { SiteMap } from '#kit/map.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import '../family.css'
import { useFamilyScope } from '../family-scope.tsx'
import { DayBar } from './day-bar.tsx'
import { TruckScreen } from './truck-screen.tsx'
import { pointAt } from './truck-state.ts'
import '../monitoring.css'
import { useTruck } from './use-truck.ts'
import './vehicle.css'

const mostClips = 500
const all = 'all'

/** Is there a recording of that minute, and what does it show? */
export default function ClipsPage() {
  const scope = useFamilyScope({ family: 'truckMonitor', usual: '1', one: true })
  const query = usePageQuery()
  const go = useGo()
  const { path } = usePage()
  const at = Number(query.get('time')) || undefined
  const date = query.get('date') ?? day(at ?? Date.now())
  const dayStart = Date.parse(`${date}T00:00:00+08:00`)
  const deviceId = useTruck(scope)
  const [channel, setChannel] = useState(all)
  const clips = useCall(
    truckClips,
    {
      params: { id: deviceId ?? '' },
      query: {
        startTime: time(dayStart),
        endTime: time(dayStart + dayMs),
        size: mostClips,
        channel: channel === all ? undefined : channel,
      },
    },
    { quiet: true, keepPrevious: true, enabled: deviceId !== undefined },
  )
  const rows = clips.data?.list ?? []
  const wanted = query.get('clip')
  const chosen =
    rows.find((one) => one.id === wanted) ??
    (at === undefined ? undefined : rows.find((one) => one.startTime <= at && one.endTime > at)) ??
    rows[0]
  const show = (more: Record<string, string | undefined>) => go(path, { deviceId, date, ...more }, { replace: true })
  const [seconds, setSeconds] = useState(0)
  return (
    <PageShell fill remark="录像在车载终端或平台；终端离线时，设备上的录像上线后可取">
      <div className="mon-stack">
        <div className="zg-card fam-bar">
          <span className="fam-device">
            <Choice
              aria-label="车辆"
              clear={false}
              value={deviceId}
              options={scope.devices.map((one) => ({ value: one.id, label: one.name }))}
              onChange={(id) => show({ deviceId: id })}
            />
          </span>
          <span className="fam-days">
            <DayInput aria-label="日期" value={date} onChange={(value) => value && show({ date: value })} />
          </span>
          <Segmented
            aria-label="通道"
            value={channel}
            options={[{ value: all, label: '全部通道' }, ...['1', '2', '3', '4'].map((value) => ({ value, label: `${value} 通道` }))]}
            onChange={(value) => setChannel(String(value))}
          />
          {clips.data && !clips.data.online && <Tag tone="warning">终端离线</Tag>}
        </div>
        {clips.error && !clips.data ? (
          <ErrorPanel error={clips.error} retry={clips.refetch} />
        ) : rows.length === 0 ? (
          <Known of={[scope.requested, clips]}>
            <Empty text={deviceId ? '这一天没有录像' : '范围内没有车辆'} hint="终端上传录像目录后显示" />
          </Known>
        ) : (
          <>
            <Card title="录像" remark={`${date}，${rows.length} 段，红色为报警录像`}>
              <DayBar clips={rows} dayStart={dayStart} selected={chosen?.id} at={at} onSelect={(clip) => show({ clip })} />
              {at !== undefined && !rows.some((one) => one.startTime <= at && one.endTime > at) && (
                <Notice tone="info">{time(at)} 没有录像，显示最近的一段</Notice>
              )}
            </Card>
            <div className="truck-stage">
              {chosen && (
                <TruckScreen
                  key={chosen.id}
                  name={`${chosen.channel} 通道 ${timeOfDay(chosen.startTime)} 至 ${timeOfDay(chosen.endTime)}`}
                  url={chosen.url}
                  kind={clips.data && chosen.url ? kindOf(chosen.url) : null}
                  reason={chosen.reason}
                  hint={chosen.reason?.includes('流媒体') ? '请管理员在系统设置中配置流媒体服务' : '向终端取录像需要几秒'}
                  onTime={setSeconds}
                />
              )}
              <div className="truck-side">
                {chosen && deviceId && <Beside deviceId={deviceId} clip={chosen} at={chosen.startTime + seconds * 1000} />}
                <Card title="目录" remark={`${rows.length} 段`} flush>
                  {rows.map((one) => (
                    <button
                      key={one.id}
                      type="button"
                      className="zg-bare truck-row"
                      aria-current={one.id === chosen?.id ? 'true' : undefined}
                      onClick={() => show({ clip: one.id })}
                    >
                      <strong>
                        {timeOfDay(one.startTime)} 至 {timeOfDay(one.endTime)}
                      </strong>
                      {one.alarm ? <Tag tone="danger">{one.alarm}</Tag> : <span>{one.channel} 通道</span>}
                      <small>
                        {span(one.endTime - one.startTime)}，{fileSize(one.sizeBytes)}，{one.storage}
                        {one.reason ? `，${one.reason}` : ''}
                      </small>
                    </button>
                  ))}
                </Card>
              </div>
            </div>
          </>
        )}
      </div>
    </PageShell>
  )
}

/** Media servers indicate the format by the extension of the URL. */
const kindOf = (url: string): string => (/\.m3u8(\?|$)/.test(url) ? 'hls' : /\.flv(\?|$)/.test(url) ? 'flv' : 'mp4')

/** Position of the truck in the displayed minute. */
function Beside({
  deviceId,
  clip,
  at,
}: {
  deviceId: string
  clip: { startTime: number; endTime: number; alarm: string | null }
  at: number
}) {
  const mayTrack = useCan('vehicle.track')
  const track = useCall(
    truckTrack,
    { query: { deviceId, startTime: String(clip.startTime), endTime: String(clip.endTime), points: 300 } },
    { quiet: true, enabled: mayTrack, staleMs: 300_000 },
  )
  const one = track.data?.list[0]
  const here = one && pointAt(one.segments, at)
  return (
    <Card
      title="当时的位置"
      actions={
        mayTrack && (
          <Link to={hrefOf('/vehicle/track', { deviceId, period: `${day(clip.startTime)},${day(clip.startTime)}` })}>全天轨迹</Link>
        )
      }
    >
      {!mayTrack ? (
        <Empty small text="没有查看轨迹的权限" />
      ) : !one || one.points === 0 ? (
        <Known of={track}>
          <Empty small text="这段时间没有位置" />
        </Known>
      ) : (
        <>
          <SiteMap
            label="录像期间的轨迹与位置"
            height={180}
            lines={one.segments.map((segment, i) => ({ id: String(i), path: segment.map(({ lng, lat }) => [lng, lat] as const) }))}
            points={here ? [{ id: 'here', at: [here.lng, here.lat], state: 'person', label: timeOfDay(here.time), size: 8 }] : []}
          />
          <Pairs
            items={[
              { label: '时刻', value: time(at) },
              { label: '速度', value: here?.speed === null || here === undefined ? null : `${here.speed.toFixed(0)} km/h` },
              { label: '报警', value: clip.alarm },
            ]}
          />
        </>
      )}
    </Card>
  )
}
