import { PhoneOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { getHelmet, helmetPositions, helmetStates, listHelmets } from '@zhugong/contract/monitoring/helmet/helmets'
import { onGround, whereabouts } from '@zhugong/contract/monitoring/site'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Empty, Notice, Panel } from '#kit/feedback.tsx'
import { span, time } from '#kit/format.ts'
import { isStale } from '#kit/live.ts'
import { useGo } from '#kit/page.tsx'
import type { Point } from '../crane-geometry.ts'
import { type MachineStatus, numberIn } from '../crane-state.ts'
import { EventList, eventsOf } from '../family-events.tsx'
import { type Desk, FamilyMonitor, MonitorFrame, RailPanel, railOf, useEveryMs, useReadings } from '../family-monitor.tsx'
import '../monitoring.css'
import { replayText } from '../replay.ts'
import { type Called, HelmetCall, useMayCall } from './helmet-call.tsx'
import { BroadcastLog, CircleOnPlan, CirclePanel } from './helmet-circle.tsx'
import './helmet.css'
import { HelmetPlan, type PersonMark } from './helmet-plan.tsx'
import { type Circle, nearest, wearingWord } from './helmet-state.ts'
import { PlaceDays } from './place-days.tsx'

const mostHelmets = 500
const trackMs = 30 * 60_000

export default function HelmetLocationPage() {
  return (
    <FamilyMonitor family="smartHelmet" module="helmet" unit="安全帽" emptyHint="登记安全帽并绑定佩戴人后，这里显示人员位置">
      {(desk) => <People desk={desk} />}
    </FamilyMonitor>
  )
}

type Row = OutputFor<typeof listHelmets>['list'][number]
interface Placed extends PersonMark {
  name: string
  row: Row | undefined
  status: MachineStatus
  where: ReturnType<typeof whereabouts> | undefined
  time: number | undefined
  online: boolean
}

function People({ desk }: { desk: Desk }) {
  const { projectCode, selected, live, site } = desk
  const everyMs = useEveryMs(30_000)
  const info = useCall(getHelmet, { params: { id: selected } }, { quiet: true, keepPrevious: true, ...everyMs })
  const places = useCall(helmetPositions, { query: { projectCode } }, { quiet: true, ...everyMs })
  const rows = useCall(listHelmets, { query: { projectCode, category: '700', size: mostHelmets } }, { quiet: true, ...everyMs })
  const seen = useReadings(desk, info.data)
  const { readings, now } = seen
  const go = useGo()
  const [calling, setCalling] = useState<readonly Called[]>()
  const [circling, setCircling] = useState(false)
  const [circle, setCircle] = useState<Circle>()
  const [open, setOpen] = useState<'log' | 'days'>()
  const mayCall = useMayCall()
  const mayTrack = useCan('helmet.track')
  const mayLocate = useCan('helmet.location')
  const rowById = useMemo(() => new Map((rows.data?.list ?? []).map((one) => [one.deviceId, one])), [rows.data])
  const placeById = useMemo(() => new Map((places.data?.list ?? []).map((one) => [one.deviceId, one])), [places.data])
  const nameOf = (id: string, fallback: string) => rowById.get(id)?.workerName ?? placeById.get(id)?.workerName ?? fallback

  const wordOf = (id: string) => {
    const row = rowById.get(id)
    return row && wearingWord(row)
  }

  const rail = railOf(desk, seen, (row) => ({
    label: nameOf(row.id, row.name),
    note: [rowById.get(row.id)?.teamName, rowById.get(row.id)?.batteryPercent != null && `电量 ${rowById.get(row.id)?.batteryPercent} %`]
      .filter(Boolean)
      .join(' · '),
    fine: wordOf(row.id) ?? '在线',
    tone: wordOf(row.id) === '未佩戴' ? 'warning' : undefined,
  }))
  const people = rail.map(({ id, name: device, status, at: heard }): Placed => {
    const reading = readings.get(id)
    const known = placeById.get(id)
    const newer = reading && reading.at >= (known?.time ?? 0)
    const lng = (newer ? numberIn(reading.values, 'longitude') : undefined) ?? known?.lng ?? undefined
    const lat = (newer ? numberIn(reading.values, 'latitude') : undefined) ?? known?.lat ?? undefined
    const at: Point | undefined = lng === undefined || lat === undefined ? undefined : onGround(site.origin, [lng, lat])
    const where = at && whereabouts(site, at)
    const online = live.online.get(id) ?? false
    const past =
      !online || heard === undefined || isStale({ at: heard, paceMs: reading?.paceMs }, now, seen.intervalMs) || known?.positioned === false
    const name = nameOf(id, device)
    return {
      id,
      label: past && heard !== undefined ? `${name} ${span(now - heard)}前` : name,
      name,
      row: rowById.get(id),
      status,
      where,
      at,
      online,
      time: heard,
      past,
      tone: status.tone === 'fine' && where?.zone ? 'alarm' : status.tone,
      named: !past && (status.tone === 'alarm' || where?.zone !== undefined),
      state: `${where?.words ?? '未定位'}，${status.word}`,
    }
  })
  const inZone = people.filter((one) => one.online && one.where?.zone)
  const outside = people.filter((one) => one.online && one.where?.outside)
  const lost = people.filter((one) => !one.online && one.row?.wearing !== false)
  const chosen = people.find((one) => one.id === selected)
  const call = (one: Placed) => setCalling([{ deviceId: one.id, name: one.name }])

  return (
    <MonitorFrame
      className="mon-map"
      said="位置只在工作时间和围栏附近采集；查看个人轨迹会留痕，本人可见"
      actions={
        <>
          <Button onClick={() => go('/helmet/monitoring')}>安全帽状态</Button>
          <Button onClick={() => go('/helmet/alarm')}>告警记录</Button>
          <Button onClick={() => setOpen('log')}>播报记录</Button>
          <Button onClick={() => setOpen('days')}>位置保存期</Button>
          {mayCall && mayLocate && (
            <Button type="primary" aria-pressed={circling} onClick={() => setCircling(!circling)}>
              圈选群呼
            </Button>
          )}
        </>
      }
    >
      <div className="mon-left">
        <RailPanel desk={desk} unit={`安全帽 ${live.devices.length} 顶`} items={rail}>
          <EventList events={eventsOf(live, (device) => device)} onAlarm={desk.openAlarm} />
        </RailPanel>
      </div>
      <div className="mon-plan-panel">
        <Panel title="人员分布" actions={<span className="mon-legend">灰色为过时的位置</span>}>
          {!mayLocate && <Notice tone="info">没有查看实时位置的权限，只显示人数与状态</Notice>}
          <HelmetPlan
            site={site}
            people={people}
            selected={selected}
            onSelect={desk.select}
            label={`人员平面：在线 ${places.data?.online ?? '--'} 人，危险区内 ${inZone.length} 人，围栏外 ${outside.length} 人`}
          >
            {(projection) => circling && <CircleOnPlan circle={circle} projection={projection} onChange={setCircle} />}
          </HelmetPlan>
        </Panel>
      </div>
      <div className="mon-right">
        <Panel title={chosen?.name ?? '人员'} actions={<span className="mon-legend">{chosen?.status.word}</span>}>
          <dl className="helmet-facts">
            <Fact label="在线" value={places.data?.online} />
            <Fact label="危险区内" value={inZone.length} tone="danger" />
            <Fact label="围栏外" value={outside.length} tone="warning" />
            <Fact label="未定位" value={places.data?.unpositioned} tone="warning" />
          </dl>
          {circling ? (
            <CirclePanel
              circle={circle}
              people={people}
              chosen={chosen}
              now={now}
              site={site}
              projectCode={projectCode}
              onChange={setCircle}
              onClose={() => {
                setCircling(false)
                setCircle(undefined)
              }}
            />
          ) : (
            <div className="helmet-card">
              {chosen ? (
                <>
                  <dl>
                    <Line label="班组" value={chosen.row?.teamName ?? '--'} />
                    <Line label="位置" value={chosen.where?.words ?? '未定位'} />
                    <Line label="状态" value={helmetStates[chosen.row?.status ?? ''] ?? '--'} />
                    <Line label="佩戴" value={(chosen.row && wearingWord(chosen.row)) ?? '--'} />
                    <Line label="电量" value={`${chosen.row?.batteryPercent ?? '--'} %`} />
                    <Line label="心率" value={chosen.row?.heartRate ? `${chosen.row.heartRate} 次/分` : (chosen.row?.heartState ?? '--')} />
                    <Line label="更新" value={chosen.time === undefined ? '--' : time(chosen.time)} />
                  </dl>
                  <div className="acts">
                    {mayCall && (
                      <Button ghost icon={<PhoneOutlined />} disabled={!chosen.online} onClick={() => call(chosen)}>
                        呼叫
                      </Button>
                    )}
                    {mayTrack && <TrackButton deviceId={chosen.id} now={now} />}
                  </div>
                  <h3>最近的 3 人</h3>
                  <ul>
                    {nearest(people, chosen.id, 3).map(({ person, metres }) => (
                      <li key={person.id}>
                        <button type="button" className="zg-bare" onClick={() => desk.select(person.id)}>
                          <span>{person.name}</span>
                          <span>{metres.toFixed(0)} m</span>
                        </button>
                      </li>
                    ))}
                  </ul>
                </>
              ) : (
                <Empty small text="没有人员" />
              )}
              <Names title="危险区内" people={inZone} none="没有人在危险区" onPick={desk.select} words={(one) => one.where?.zone ?? ''} />
              <Names
                title="失联"
                people={lost.slice(0, 8)}
                none="没有失联"
                onPick={desk.select}
                words={(one) => (one.time === undefined ? '尚无数据' : `${span(now - one.time)}前`)}
              />
              {mayCall && inZone.length > 0 && (
                <Button danger onClick={() => setCalling(inZone.map((one) => ({ deviceId: one.id, name: one.name })))}>
                  向危险区内 {inZone.length} 人播报
                </Button>
              )}
            </div>
          )}
        </Panel>
      </div>
      {open === 'log' && <BroadcastLog projectCode={projectCode} onClose={() => setOpen(undefined)} />}
      {open === 'days' && <PlaceDays projectCode={projectCode} onClose={() => setOpen(undefined)} />}
      {calling && <HelmetCall people={calling} onClose={() => setCalling(undefined)} />}
    </MonitorFrame>
  )
}

function Fact({ label, value, tone }: { label: string; value: number | undefined; tone?: 'danger' | 'warning' }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd data-tone={value ? tone : undefined}>{value ?? '--'}</dd>
    </div>
  )
}

const Line = ({ label, value }: { label: string; value: string }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
)

function TrackButton({ deviceId, now }: { deviceId: string; now: number }) {
  const go = useGo()
  return (
    <Button ghost onClick={() => go('/helmet/track', { deviceId, span: replayText({ from: now - trackMs, to: now }) })}>
      最近 30 分轨迹
    </Button>
  )
}

interface NamesProps {
  title: string
  none: string
  people: readonly Placed[]
  words: (one: Placed) => string
  onPick: (id: string) => void
}

function Names({ title, none, people, words, onPick }: NamesProps) {
  return (
    <>
      <h3>
        {title} {people.length}
      </h3>
      <ul>
        {people.length === 0 && <li>{none}</li>}
        {people.map((one) => (
          <li key={one.id}>
            <button type="button" className="zg-bare" onClick={() => onPick(one.id)}>
              <span>{one.name}</span>
              <span>{words(one)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}
