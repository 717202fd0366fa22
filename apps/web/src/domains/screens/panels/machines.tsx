import { dueKinds } from '@zhugong/contract/equipment/codes'
import { useState } from 'react'
import { age } from '#kit/format.ts'
import { type CallData, seconds, useFeed } from '../hub.ts'
import { Bar, Digit, Panel, Rolling, rollsFrom } from '../panel.tsx'
import { type PanelProps, percent, sum, useWall } from '../wall-state.ts'
import { EnergyUse } from './yard.tsx'

const num = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const rounded = (value: number | undefined, digits = 1): string => (value === undefined ? '--' : value.toFixed(digits))

export function DeviceOnline({ title, h }: PanelProps) {
  const every = seconds(60)
  const feed = useFeed('fleet', every)
  const data = feed.data
  const rows = [...(data?.groups ?? [])]
    .filter((one) => one.inUse > 0)
    .sort((a, b) => a.online / a.inUse - b.online / b.inUse || b.inUse - a.inUse)
  const share = data && percent(data.online, data.inUse)
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={every}
      empty={rows.length === 0 && '没有启用的设备'}
      remark={h === 1 && data ? `${data.online} / ${data.inUse}` : undefined}
    >
      {h > 1 && (
        <div className="wall-digits">
          <Digit label="在线" value={data?.online} unit="台" tone="fine" />
          <Digit
            label="离线"
            value={data && data.inUse - data.online}
            unit="台"
            tone={data && data.inUse > data.online ? 'warning' : 'muted'}
          />
          <Digit label="在线率" value={share} unit="%" tone="accent" />
        </div>
      )}
      <Rolling rows={rows.length} fits={h > 1 ? h * 5 - 5 : 3}>
        {rows.map((one) => (
          <div key={one.key} className="wall-row wall-row-bar">
            <span>{one.familyName}</span>
            <Bar share={percent(one.online, one.inUse)} tone={one.online < one.inUse ? 'warning' : 'fine'} />
            <b>
              {one.online} <small>/ {one.inUse}</small>
            </b>
          </div>
        ))}
      </Rolling>
    </Panel>
  )
}

export function DeviceColumn({ title, params, h }: PanelProps) {
  const every = seconds(600)
  const feed = useFeed('columns', every)
  const rows = [...(feed.data?.list ?? [])].sort((a, b) => b.total - a.total).slice(0, params.topN ?? 20)
  const most = Math.max(1, ...rows.map((one) => one.total))
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={every}
      empty={rows.length === 0 && '没有接入设备'}
      remark={`${sum(rows, (one) => one.total)} 台`}
    >
      <Rolling rows={rows.length} fits={h * 4 - 1}>
        {rows.map((one) => (
          <div key={one.projectCode} className="wall-row wall-row-bar">
            <span>{one.projectName}</span>
            <Bar share={(one.total / most) * 100} />
            <b>
              {one.online} <small>/ {one.total}</small>
            </b>
          </div>
        ))}
      </Rolling>
    </Panel>
  )
}

const kindName = (kind: string): string => (dueKinds as Readonly<Record<string, string>>)[kind] ?? kind
export function DueSoon({ title, params, h }: PanelProps) {
  const every = seconds(600)
  const feed = useFeed('dues', every, { query: { size: 20 } })
  const rows = feed.data?.list.slice(0, params.topN ?? 12) ?? []
  const counts = feed.data?.counts
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={every}
      empty={rows.length === 0 && '近期没有到期'}
      remark={counts && `已过期 ${counts.overdue}，30 天内 ${counts.month}`}
    >
      <Rolling rows={rows.length} fits={h * 4 - 1}>
        {rows.map((one) => (
          <div key={one.id} className="wall-row wall-row-event">
            <i className={one.daysLeft < 0 ? 'wall-square-alarm' : one.daysLeft <= 7 ? 'wall-square-warning' : 'wall-square-accent'} />
            <span>
              {one.deviceName} <small>{kindName(one.kind)}</small>
            </span>
            <em className={one.daysLeft < 0 ? 'wall-alarm' : one.daysLeft <= 7 ? 'wall-warning' : ''}>
              {one.daysLeft < 0 ? `过期 ${-one.daysLeft} 天` : `剩 ${one.daysLeft} 天`}
            </em>
          </div>
        ))}
      </Rolling>
    </Panel>
  )
}

type Station = CallData<'stations'>['list'][number]
const metrics = [
  ['pm10', 'PM10', 'μg/m³'],
  ['pm25', 'PM2.5', 'μg/m³'],
  ['noise', '噪声', 'dB'],
  ['temperature', '温度', '℃'],
  ['windSpeed', '风速', 'm/s'],
] as const

const stationsEvery = seconds(30)
export function EnvLive({ title, h }: PanelProps) {
  const { now } = useWall()
  const feed = useFeed('stations', stationsEvery)
  const [station] = [...(feed.data?.list ?? [])].sort((a, b) => Number(b.online) - Number(a.online))
  const old = station?.latest ? now - station.latest.time : 0
  const offline = station && !station.online && station.latest
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={stationsEvery}
      empty={!station && '没有扬尘监测设备'}
      remark={
        offline ? (
          <span className="wall-warning">离线 {age(station.latest?.time, now)}</span>
        ) : station?.hasSpray ? (
          station.spraying ? (
            '喷淋运行中'
          ) : (
            '喷淋待命'
          )
        ) : (
          station?.deviceName
        )
      }
    >
      <div className={`wall-env${h > 1 ? ' wall-env-tall' : ''}${offline || old > 5 * 60_000 ? ' wall-old' : ''}`}>
        {metrics.map(([key, name, unit]) => {
          const value = num(station?.latest?.values[key])
          const limit = key === 'noise' ? feed.data?.noiseLimit.value : station?.limits[key]
          const over = value !== undefined && limit !== undefined && value > limit
          return (
            <div key={key} className="wall-metric">
              <span>{name}</span>
              <b className={over ? 'wall-alarm' : ''}>{rounded(value, key === 'windSpeed' ? 1 : 0)}</b>
              <em>{limit === undefined ? unit : `限 ${limit}`}</em>
              {limit !== undefined && (
                <Bar share={value === undefined ? 0 : (value / (limit * 1.25)) * 100} tone={over ? 'alarm' : 'fine'} mark={80} />
              )}
            </div>
          )
        })}
      </div>
    </Panel>
  )
}

const worst: Readonly<Record<string, string>> = { pm10: 'PM10', pm25: 'PM2.5', noise: '噪声', tsp: 'TSP' }
const overWords = ({ state, overPercent }: Station): string =>
  state === 'silent'
    ? '离线'
    : overPercent === null
      ? '--'
      : overPercent > 0
        ? `超 ${Math.round(overPercent)}%`
        : `余 ${Math.round(-overPercent)}%`
/** Stations by how far they exceed a limit now; silent stations are counted separately, not as clean. */
export function EnvRank({ title, params, h }: PanelProps) {
  const { area } = useWall()
  const fits = rollsFrom(h)
  const main = useFeed('main', seconds(60))
  const feed = useFeed('stations', stationsEvery, { query: { size: 200 } })
  const codes = area ? new Set(main.data?.projects.filter((one) => one.areaCode === area).map((one) => one.projectCode)) : undefined
  const rows = [...(feed.data?.list ?? [])]
    .filter((one) => !codes || codes.has(one.projectCode))
    .sort((a, b) => (b.overPercent ?? -1000) - (a.overPercent ?? -1000))
    .slice(0, params.topN ?? fits)
  const data = feed.data
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={stationsEvery}
      empty={rows.length === 0 && '没有扬尘监测设备'}
      remark={area ? undefined : data && `在线 ${data.online} / ${data.online + data.offline}，超标 ${data.over}`}
      narrows
    >
      <Rolling rows={rows.length} fits={fits}>
        {rows.map((one, i) => {
          const over = (one.overPercent ?? 0) > 0
          return (
            <div key={one.deviceId} className={`wall-row wall-row-rank${one.state === 'silent' ? ' wall-old' : ''}`}>
              <i>{i + 1}</i>
              <span>
                {one.projectName} <small>{one.worstMetric ? (worst[one.worstMetric] ?? '') : ''}</small>
              </span>
              <Bar share={one.overPercent === null ? 0 : (100 + one.overPercent) * 0.6} tone={over ? 'alarm' : 'fine'} mark={60} />
              <b className={over ? 'wall-alarm' : ''}>{overWords(one)}</b>
            </div>
          )
        })}
      </Rolling>
    </Panel>
  )
}

const liftsEvery = seconds(6)
export function LifterLive(props: PanelProps) {
  const { title, h } = props
  const { now, closed } = useWall()
  const feed = useFeed('lifts', liftsEvery)
  const lifts = feed.data?.list ?? []
  const all = lifts.flatMap((lift) => lift.cages.map((cage) => ({ lift, ...cage })))
  if (feed.data && lifts.length === 0 && !closed.includes('energyUse'))
    return <EnergyUse {...props} params={{}} title="水电用量（没有升降机）" />
  const fits = h > 1 ? 4 : 2
  const first = all.length > fits ? (Math.floor(now / 10_000) * fits) % all.length : 0
  const cages = [...all, ...all].slice(first, first + Math.min(fits, all.length))
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={liftsEvery}
      empty={lifts.length === 0 && '没有升降机'}
      remark={feed.data && `运行 ${feed.data.running}，停靠 ${feed.data.stopped}，离线 ${feed.data.offline}`}
    >
      <div className="wall-lifts">
        {cages.map(({ lift, cage, latest }) => {
          const values = latest?.values ?? {}
          const load = num(values.loadPercent)
          const floor = num(values.floor)
          const moving = Math.abs(num(values.speed) ?? 0) > 0.05
          return (
            <div key={`${lift.deviceId}${cage}`} className={`wall-lift${lift.online ? '' : ' wall-old'}`}>
              <Shaft height={num(values.height)} open={values.frontDoorOpen === true || values.rearDoorOpen === true} />
              <div>
                <span>
                  {lift.deviceName} {cage === noCage ? '' : cage}
                </span>
                <b>
                  {floor ?? '--'}
                  <small>层</small> <em>{lift.online ? (moving ? (num(values.direction) === 2 ? '下行' : '上行') : '停靠') : '离线'}</em>
                </b>
                <span>
                  {num(values.personCount) ?? '--'} 人 · 载重 {rounded(load, 0)}%
                </span>
                <Bar share={load} tone={(load ?? 0) > 100 ? 'alarm' : (load ?? 0) > 90 ? 'warning' : 'fine'} />
              </div>
            </div>
          )
        })}
      </div>
    </Panel>
  )
}
/** Cage code of a lift with one cage; not shown. */
const noCage = '0'
const tallest = 100
function Shaft({ height, open }: { height: number | undefined; open: boolean }) {
  const y = 72 - (Math.min(tallest, height ?? 0) / tallest) * 64
  return (
    <svg className="wall-shaft" viewBox="0 0 28 88" aria-hidden="true">
      <path d="M6 2V86M22 2V86M2 86H26" />
      <rect className={open ? 'wall-cage-open' : 'wall-cage'} x="4" y={y} width="20" height="13" rx="1" />
    </svg>
  )
}

export function PitLive({ title, params, h }: PanelProps) {
  const every = seconds(300)
  const feed = useFeed('pits', every, { query: { groupBy: 'point', size: 100 } })
  const rows = [...(feed.data?.list ?? [])].sort((a, b) => (b.share ?? -1) - (a.share ?? -1)).slice(0, params.topN ?? 12)
  return (
    <Panel title={title} feeds={[feed]} everyMs={every} empty={rows.length === 0 && '没有基坑测点'} remark="占控制值">
      <Rolling rows={rows.length} fits={h * 4 - 1}>
        {rows.map((one) => (
          <div key={`${one.deviceId}${one.pointCode}`} className={`wall-row wall-row-rank${one.state === 'silent' ? ' wall-old' : ''}`}>
            <i />
            <span>
              {one.pointCode} <small>{one.pointTypeName}</small>
            </span>
            <Bar share={one.share} tone={(one.share ?? 0) >= 85 ? 'alarm' : (one.share ?? 0) >= 70 ? 'warning' : 'fine'} mark={85} />
            <b>{one.share === null ? '--' : `${Math.round(one.share)}%`}</b>
          </div>
        ))}
      </Rolling>
    </Panel>
  )
}

export function UnloadingLive({ title }: PanelProps) {
  const devices = useFeed('devices', seconds(300), { query: { family: 'unloadingPlatform' } })
  const list = devices.data?.list ?? []
  const [turn] = useState(() => Date.now())
  const { now } = useWall()
  const one = list[Math.floor((now - turn) / 10_000) % Math.max(1, list.length)]
  const every = seconds(20)
  const feed = useFeed('unloading', every, one ? { params: { id: one.id } } : null)
  const values = feed.data?.latest?.values ?? {}
  const share = num(values.weightPercent)
  const none = devices.data && list.length === 0
  return (
    <Panel
      title={title}
      feeds={none ? [devices] : [devices, feed]}
      everyMs={every}
      empty={none && '没有卸料平台'}
      remark={one && `${one.name}，共 ${list.length} 台`}
    >
      <div className="wall-digits">
        <Digit
          label="载重"
          value={num(values.weight)}
          unit="t"
          tone={(share ?? 0) > 100 ? 'alarm' : 'plain'}
          note={`占额定 ${rounded(share, 0)}%`}
        />
        <Digit label="倾角" value={num(values.tilt)} unit="°" />
        <Digit label="电量" value={num(values.batteryPercent)} unit="%" />
      </div>
    </Panel>
  )
}

export function DataHealth({ title }: PanelProps) {
  const every = seconds(300)
  const gateways = useFeed('gateways', every)
  const presence = useFeed('presence', seconds(30))
  const counts = gateways.data?.counts
  return (
    <Panel
      title={title}
      feeds={[gateways]}
      everyMs={every}
      remark={counts && `网关 ${counts.online} / ${counts.online + counts.offline} 在线`}
    >
      <div className="wall-digits">
        <Digit label="静默网关" value={counts?.offline} unit="台" tone={counts?.offline ? 'warning' : 'fine'} />
        <Digit label="24 小时拒收" value={counts?.refused} unit="条" tone={counts?.refused ? 'warning' : 'fine'} />
        <Digit label="搁置通行" value={presence.data?.quarantined} unit="条" tone={presence.data?.quarantined ? 'warning' : 'fine'} />
      </div>
    </Panel>
  )
}
