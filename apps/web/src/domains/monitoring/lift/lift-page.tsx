import { SoundOutlined } from '@ant-design/icons'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { findLiftReadings } from '@zhugong/contract/monitoring/lift/lift-lists'
import { liftDevice, liftInfo, liftLine } from '@zhugong/contract/monitoring/lift/lift-live'
import { cageNames } from '@zhugong/contract/monitoring/lift/lift-runs'
import { Button, Tooltip } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { ErrorPanel, Panel } from '#kit/feedback.tsx'
import { shortTime, span } from '#kit/format.ts'
import { isStale } from '#kit/live.ts'
import type { Reading } from '#kit/live-store.ts'
import { hrefOf } from '#kit/page.tsx'
import { CabinWarn } from '../cabin-warn.tsx'
import type { Pose } from '../crane-geometry.ts'
import { numberIn, status } from '../crane-state.ts'
import { EventList, eventsOf } from '../family-events.tsx'
import { takeReading } from '../family-live.ts'
import {
  type Desk,
  FamilyMonitor,
  MonitorFrame,
  RailPanel,
  type Readings,
  railOf,
  useEveryMs,
  useReadings,
  workCounts,
} from '../family-monitor.tsx'
import { MetricTrend, trendLimits } from '../metric-trend.tsx'
import { MonitorActions } from '../monitor-actions.tsx'
import '../monitoring.css'
import { ReplayBar } from '../replay-bar.tsx'
import { useGlide } from '../use-glide.ts'
import { useReplay } from '../use-replay.ts'
import './lift.css'
import { drawnValues } from './cage-then.ts'
import { LiftInstruments } from './lift-instruments.tsx'
import { byCage, bySide, carriedHeight, headingIn, headingWords, isRunning, type LiftParams, liftParams, shortLift } from './lift-state.ts'
import { LiftStopButton, LiftStops, StopNotice } from './lift-stop.tsx'
import { DropTestWords, LiftTests } from './lift-tests.tsx'
import { type DrawnCage, Shaft } from './shaft.tsx'

const trendMs = 10 * 60_000
const glideMs = 1_000
const sentence = '平台画面用于监督与取证，超载、限位与防坠保护由升降机自身执行'

export default function LiftPage() {
  return (
    <FamilyMonitor family="lifter" module="lifter" unit="升降机" emptyHint="登记升降机后，这里显示吊笼位置、载人与门的状态">
      {(desk) => <Lifts desk={desk} />}
    </FamilyMonitor>
  )
}

function Lifts({ desk: today }: { desk: Desk }) {
  const { selected } = today
  const often = useEveryMs()
  const file = useCall(liftDevice, { params: { id: selected } }, { quiet: true, keepPrevious: true, staleMs: 300_000, everyMs: 60_000 })
  const info = useCall(liftInfo, { params: { id: selected } }, { quiet: true, ...often })
  const present = useReadings(today, info.data)
  const replay = useReplay(today, present, findLiftReadings)
  const { desk, seen } = replay ?? { desk: today, seen: present }
  const { live } = desk
  useEffect(() => {
    for (const one of file.data?.siblings ?? []) takeReading(one.deviceId, one.latest)
  }, [file.data])

  const own = file.data?.deviceId === selected ? file.data : undefined
  const params = liftParams(own?.params)
  const names = useMemo(() => (info.data?.cages ?? []).map((one) => one.cage).sort(), [info.data])
  const [wanted, setWanted] = useState<string>()
  const cage = wanted !== undefined && names.includes(wanted) ? wanted : (names[0] ?? '0')
  const readings = useCageReadings(selected, names, info.data?.cages ?? [], seen)
  const front = names.length > 1 ? readings.get(cage) : seen.reading
  const ofCage: Readings = {
    ...seen,
    reading: front,
    stale: isStale(front, seen.now, seen.intervalMs),
    history: names.length > 1 ? seen.history?.filter((one) => one.values.cage === cage) : seen.history,
  }
  const cages = cagesIn(desk, seen, own, params, names, readings)
  const drawn = useGliding(cages)
  const ask = names.length > 1 ? { cage } : undefined

  const rail = railOf(desk, seen, (row, reading) => ({
    label: shortLift(row.name),
    note: [row.installPlace, row.modelName].filter(Boolean).join(' · ') || row.deviceSn,
    fine: isRunning(reading?.values)
      ? `${headingWords[headingIn(reading?.values)]} ${numberIn(reading?.values, 'floor') ?? '--'} 层`
      : `停 ${numberIn(reading?.values, 'floor') ?? '--'} 层`,
  }))

  return (
    <MonitorFrame
      className="mon-tower"
      said={<Due file={own} />}
      actions={<LiftActions desk={today} file={own} />}
      foot={replay && <ReplayBar replay={replay} desk={today} feature="readings.lifter" />}
    >
      <div className="mon-left">
        <RailPanel
          desk={desk}
          unit={`升降机 ${live.devices.length} 台`}
          items={rail}
          counts={workCounts(desk, seen, { working: '运行', waiting: '停止' }, isRunning)}
        >
          <EventList events={eventsOf(live, shortLift)} onAlarm={desk.openAlarm} />
        </RailPanel>
      </div>
      <div className="mon-plan-panel">
        <ShaftPanel title={own?.installPlace ?? desk.device?.name ?? ''} at={seen.reading?.at}>
          {!replay && own?.stop && <StopNotice stop={own.stop} now={seen.now} />}
          {file.error && !file.data ? (
            <ErrorPanel error={file.error} retry={file.refetch} />
          ) : (
            <Shaft
              name={own?.installPlace ?? ''}
              params={params}
              cages={drawn}
              selected={names.length > 1 ? `${selected}/${cage}` : selected}
              onSelect={(id) => {
                const [deviceId = id, side] = id.split('/')
                if (side) setWanted(side)
                if (deviceId !== selected) desk.select(deviceId)
              }}
            />
          )}
        </ShaftPanel>
      </div>
      <div className="mon-right">
        <LiftInstruments
          key={selected}
          desk={desk}
          seen={ofCage}
          cages={names}
          cage={cage}
          onCage={setWanted}
          params={params}
          record={replay ? undefined : (info.data?.lastRecord ?? undefined)}
        />
      </div>
      <div className="mon-low">
        <MetricTrend
          call={liftLine}
          deviceId={selected}
          metric="height"
          ask={ask}
          title="高度 近 10 分钟"
          legend={(bucket) => `每 ${bucket} s 一点，m`}
          spanMs={trendMs}
          points={600}
          readings={ofCage}
          high={params.maxHeight * 1.05}
          room={2}
          drawn={{
            ticks: [0, Math.round(params.maxHeight / 2)],
            limits: [{ at: params.maxHeight, text: `上限 ${params.maxHeight} m`, tone: 'alarm' }],
          }}
        />
        <MetricTrend
          call={liftLine}
          deviceId={selected}
          metric="loadPercent"
          ask={ask}
          title="载重 近 10 分钟"
          legend={(bucket) => `每 ${bucket} s 一点，%`}
          spanMs={trendMs}
          points={600}
          readings={ofCage}
          high={118}
          room={6}
          drawn={{
            ticks: [0, 50],
            peak: true,
            limits: trendLimits(seen.limits, 'loadPercent', 125, ' %'),
          }}
        />
      </div>
    </MonitorFrame>
  )
}

/** Panel of the shaft drawing. */
function ShaftPanel({ title, at, children }: { title: string; at: number | undefined; children: React.ReactNode }) {
  return (
    <Panel
      title={`${title} 立面`}
      actions={
        <span className="mon-legend">
          <span className="optional">○ 空位</span>
          <span className="optional">● 载人</span>
          {shortTime(at)} 更新
        </span>
      }
    >
      {children}
    </Panel>
  )
}

type File = OutputFor<typeof liftDevice>

/** Expiry of the safety device's calibration, shown first on the live page. */
function Due({ file }: { file: File | undefined }) {
  if (!file) return <span>{sentence}</span>
  const { safetyDeviceExpiry, expiryDays } = file
  if (safetyDeviceExpiry === null || expiryDays === null)
    return (
      <span className="lift-due-soon">
        防坠器标定到期日未填，请在设备档案补齐；
        <DropTestWords due={file} />；{sentence}
      </span>
    )
  const tone = expiryDays < 0 ? 'lift-due-over' : expiryDays <= 30 ? 'lift-due-soon' : ''
  const words = expiryDays < 0 ? `已过期 ${-expiryDays} 天，不得使用` : `${expiryDays} 天`
  return (
    <span title={sentence}>
      <span className={tone}>
        防坠器标定到期 {safetyDeviceExpiry}（{words}）
      </span>
      ；<DropTestWords due={file} />；{sentence}
    </span>
  )
}

const usualTexts = ['请勿超员，先下后上', '请关好前后门再启动', '风速偏大，请停用升降机']

function LiftActions({ desk, file }: { desk: Desk; file: File | undefined }) {
  const [warning, setWarning] = useState(false)
  const [tests, setTests] = useState(false)
  const [stops, setStops] = useState(false)
  const mayWarn = useCan('lifter.warn')
  const refused = file?.warnRefused ?? (desk.device?.online === false ? '升降机离线，喊话不能送达' : undefined)
  return (
    <>
      <MonitorActions
        desk={desk}
        service={{ label: '报维护（加节、附着、拆除）', kind: 'jacking' }}
        more={[
          { label: '运行循环', href: hrefOf('/equipment/handling', { deviceId: desk.selected }) },
          { label: '监测记录', href: hrefOf('/equipment/monitor', { deviceId: desk.selected }) },
          { label: '停用记录', onClick: () => setStops(true) },
        ]}
      >
        {file && <LiftStopButton key={file.deviceId} lift={file} />}
        {file && <Button onClick={() => setTests(true)}>试验记录</Button>}
        {mayWarn && (
          <Tooltip title={refused}>
            <Button icon={<SoundOutlined />} disabled={Boolean(refused)} onClick={() => setWarning(true)}>
              司机提醒
            </Button>
          </Tooltip>
        )}
      </MonitorActions>
      {stops && file && <LiftStops lift={file} onClose={() => setStops(false)} />}
      {tests && file && <LiftTests lift={file} onClose={() => setTests(false)} />}
      {warning && (
        <CabinWarn deviceId={desk.selected} place={`${desk.device?.name ?? ''} `} usual={usualTexts} onClose={() => setWarning(false)} />
      )}
    </>
  )
}

/** Latest reading of each cage of the selected lift; one device may report for two cages in turn. */
function useCageReadings(
  deviceId: string,
  names: readonly string[],
  requested: OutputFor<typeof liftInfo>['cages'],
  seen: Readings,
): ReadonlyMap<string, Reading> {
  const [arrived, setArrived] = useState<{ deviceId: string; readings: readonly Reading[] }>({ deviceId, readings: [] })
  const { reading, history } = seen
  useEffect(() => {
    if (!reading || names.length < 2) return
    setArrived((known) => ({
      deviceId,
      readings: [...(known.deviceId === deviceId ? known.readings : []).filter((one) => one.values.cage !== reading.values.cage), reading],
    }))
  }, [deviceId, reading, names])
  return useMemo(() => {
    if (history) return byCage(history, names)
    const first = requested.flatMap(({ cage, latest }): Reading[] =>
      latest ? [{ deviceId, at: latest.time, receivedAt: latest.receivedAt, values: { cage, ...latest.values }, quality: undefined }] : [],
    )
    return byCage([...first, ...(arrived.deviceId === deviceId ? arrived.readings : []), reading], names)
  }, [deviceId, names, requested, arrived, reading, history])
}

/** The cages in the shown shaft: those of the selected lift and of the other lifts of its building. */
function cagesIn(
  desk: Desk,
  seen: Readings,
  file: File | undefined,
  params: LiftParams,
  names: readonly string[],
  own: ReadonlyMap<string, Reading>,
): DrawnCage[] {
  const row = desk.live.devices.find((one) => one.id === desk.selected)
  const many = names.length > 1
  const mine = names.map((cage) => ({
    id: many ? `${desk.selected}/${cage}` : desk.selected,
    deviceId: desk.selected,
    cage,
    name: many ? `${row?.name ?? ''} ${cageNames[cage] ?? cage}` : (row?.name ?? ''),
    online: row?.online ?? false,
    reading: many ? own.get(cage) : seen.reading,
  }))
  const others = (file?.siblings ?? []).map((one) => ({
    id: one.deviceId,
    deviceId: one.deviceId,
    cage: one.cage,
    name: one.name,
    online: desk.live.online.get(one.deviceId) ?? one.online,
    reading: seen.readings.get(one.deviceId),
  }))
  return [...mine, ...others].sort(bySide).map((one): DrawnCage => {
    const { reading } = one
    const values = reading?.values
    const stale = !one.online || isStale(reading, seen.now, seen.intervalMs)
    const running = !stale && isRunning(values)
    return {
      id: one.id,
      cage: one.cage,
      name: one.name,
      ...drawnValues(values, params),
      height: stale
        ? numberIn(values, 'height')
        : carriedHeight(values, (seen.now - (reading?.at ?? seen.now)) / 1000, seen.intervalMs / 1000, params.maxHeight),
      running,
      stale,
      age: stale && reading ? span(seen.now - reading.at) : undefined,
      shown: status({
        online: one.online,
        reading,
        lastTime: undefined,
        intervalMs: seen.intervalMs,
        now: seen.now,
        alarm: desk.live.openAlarm(one.deviceId),
        fine: running ? headingWords[headingIn(values)] : '停止',
      }),
    }
  })
}

/** The cages with animated heights. */
function useGliding(cages: readonly DrawnCage[]): readonly DrawnCage[] {
  const key = cages.map((one) => `${one.id}:${one.height?.toFixed(2)}`).join()
  const targets = useMemo(
    () =>
      new Map(
        key.split(',').flatMap((one): [string, Pose][] => {
          const [id = '', height] = one.split(':')
          return height === undefined || height === 'undefined' ? [] : [[id, { angle: 0, radius: 0, hook: Number(height) }]]
        }),
      ),
    [key],
  )
  const poses = useGlide(targets, glideMs)
  return cages.map((one) => ({ ...one, height: one.height === undefined ? undefined : (poses.get(one.id)?.hook ?? one.height) }))
}
