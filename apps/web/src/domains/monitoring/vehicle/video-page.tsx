import { listDevices } from '@zhugong/contract/equipment/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { truckVideo } from '@zhugong/contract/monitoring/vehicle/vehicles'
import { Button } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Empty, ErrorPanel, Known, Pairs, Tag } from '#kit/feedback.tsx'
import { age, shortTime } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useLatest } from '#kit/live.ts'
import { SiteMap } from '#kit/map.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import '../family.css'
import { takeReading } from '../family-live.ts'
import { TruckScreen } from './truck-screen.tsx'
import { labelOf, motionWords, pointStateOf, truckOf } from './truck-state.ts'
import '../monitoring.css'
import './vehicle.css'

const everyMs = 20_000
const mostTrucks = 500
type Channel = OutputFor<typeof truckVideo>['channels'][number]

/** What do the cameras of this truck see now? */
export default function TruckVideoPage() {
  const projectCode = useProjectCode()
  const { active, path } = usePage()
  const go = useGo()
  const query = usePageQuery()
  const fleet = useCall(
    listDevices,
    { query: { projectCode, family: 'truckMonitor', with: 'latest', status: '1', size: mostTrucks } },
    { quiet: true, keepPrevious: true, everyMs: active ? everyMs : undefined },
  )
  const rows = fleet.data?.list ?? []
  useEffect(() => {
    for (const row of fleet.data?.list ?? []) takeReading(row.id, row.latest)
  }, [fleet.data])
  const wanted = query.get('deviceId')
  const chosen = rows.find((row) => row.id === wanted) ?? rows.find((row) => row.online) ?? rows[0]
  const readings = useLatest(
    rows.map((row) => row.id),
    projectCode === '*' ? undefined : projectCode,
  )
  const truck = chosen && truckOf(readings.get(chosen.id), chosen.online)
  return (
    <PageShell fill remark="通道占用车载流量，5 分钟没有操作自动关闭">
      <div className="truck-stage">
        <div className="mon-stack">
          {fleet.error && !fleet.data ? (
            <ErrorPanel error={fleet.error} retry={fleet.refetch} />
          ) : chosen ? (
            <Wall key={chosen.id} deviceId={chosen.id} />
          ) : (
            <Known of={fleet}>
              <Empty text="范围内没有车辆" hint="登记车载终端后，这里显示车上的画面" />
            </Known>
          )}
        </div>
        <div className="truck-side">
          {chosen && truck && (
            <Card
              title={chosen.name}
              remark={chosen.projectName}
              actions={<Link to={hrefOf('/vehicle/track', { deviceId: chosen.id })}>轨迹</Link>}
            >
              <Pairs
                items={[
                  { label: '状态', value: motionWords[truck.motion] },
                  { label: '速度', value: truck.speed === undefined ? null : `${truck.speed.toFixed(0)} km/h` },
                  { label: '载重', value: truck.load },
                  { label: '顶盖', value: truck.cover },
                  { label: '货箱', value: truck.body },
                  { label: '更新', value: shortTime(readings.get(chosen.id)?.at) },
                ]}
              />
              {truck.at && (
                <SiteMap
                  label={`${chosen.name} 的位置`}
                  height={160}
                  points={[
                    {
                      id: chosen.id,
                      at: truck.at,
                      state: pointStateOf(truck, chosen.openLevel),
                      label: labelOf(chosen.name, truck),
                      size: 7,
                    },
                  ]}
                />
              )}
              <Link to={hrefOf('/vehicle/video/history', { deviceId: chosen.id })}>历史视频</Link>
            </Card>
          )}
          <Card title="车辆" remark={fleet.data && `${rows.length} 辆`} flush>
            {rows.map((row) => {
              const one = truckOf(readings.get(row.id), row.online)
              return (
                <button
                  key={row.id}
                  type="button"
                  className="zg-bare truck-row"
                  aria-current={row.id === chosen?.id ? 'true' : undefined}
                  onClick={() => go(path, { deviceId: row.id }, { replace: true })}
                >
                  <strong>{row.name}</strong>
                  <Tag tone={one.motion === 'driving' ? 'running' : one.motion === 'away' ? 'neutral' : 'fine'}>
                    {motionWords[one.motion]}
                  </Tag>
                  <small>
                    {row.projectName}
                    {one.motion === 'away' && row.lastTime
                      ? `，${age(row.lastTime)}`
                      : one.speed === undefined
                        ? ''
                        : `，${one.speed.toFixed(0)} km/h`}
                  </small>
                </button>
              )
            })}
          </Card>
        </div>
      </div>
    </PageShell>
  )
}

/** Channels of one truck; each is started by hand and closes itself. */
function Wall({ deviceId }: { deviceId: string }) {
  const video = useCall(truckVideo, { params: { id: deviceId } }, { quiet: true, staleMs: 240_000 })
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(['1']))
  const { data } = video
  const closeMs = (data?.closeAfterSeconds ?? 300) * 1000
  useEffect(() => {
    if (open.size === 0) return
    const timer = setTimeout(() => setOpen(new Set()), closeMs)
    return () => clearTimeout(timer)
  }, [open, closeMs])
  if (video.error && !data) return <ErrorPanel error={video.error} retry={video.refetch} />
  if (!data) return <Empty text="正在向终端取通道" />
  const turn = (channel: string) =>
    setOpen((now) => {
      const next = new Set(now)
      if (next.has(channel)) next.delete(channel)
      else next.add(channel)
      return next
    })
  return (
    <div className="truck-wall">
      {data.channels.map((one) => (
        <ChannelView key={one.channel} one={one} isOpen={open.has(one.channel)} onTurn={() => turn(one.channel)} lastTime={data.lastTime} />
      ))}
    </div>
  )
}

function ChannelView({ one, isOpen, onTurn, lastTime }: { one: Channel; isOpen: boolean; onTurn: () => void; lastTime: number | null }) {
  const label = `${one.channel} 通道 ${one.name}`
  const button = (
    <Button size="small" type="link" disabled={!one.online} onClick={onTurn}>
      {isOpen ? '关闭' : '打开'}
    </Button>
  )
  if (!isOpen)
    return (
      <TruckScreen
        name={label}
        url={null}
        kind={null}
        reason={one.reason ?? '通道已关闭'}
        hint={one.reason ? hintOf(one.reason, lastTime) : '点“打开”继续观看'}
        aside={button}
      />
    )
  return (
    <TruckScreen
      name={label}
      url={one.url}
      kind={one.kind}
      reason={one.reason}
      hint={one.reason ? hintOf(one.reason, lastTime) : '指令已发往终端，码流到达约需 15 秒'}
      aside={button}
    />
  )
}

const hintOf = (reason: string, lastTime: number | null): string =>
  reason === '离线'
    ? `终端最后上报 ${lastTime === null ? '时间未知' : age(lastTime)}，上线后可看`
    : reason.includes('流媒体')
      ? '请管理员在系统设置中配置流媒体服务；位置与载重不受影响'
      : '稍后再试，或查看历史视频'
