import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { envDevice, envInfo, openEnvDevices } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { findEnvReadings } from '@zhugong/contract/monitoring/environment/environment-lists'
import type { NightPermit } from '@zhugong/contract/monitoring/environment/night-permits'
import { useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { dark } from '#kit/colors.ts'
import { useFamily } from '#kit/family.ts'
import { Panel } from '#kit/feedback.tsx'
import { Swatch } from '#kit/filled.tsx'
import { day, minuteOfDay, shortTime, span, time, timeOfDay } from '#kit/format.ts'
import { metresFrom } from '#kit/geo.ts'
import { isStale } from '#kit/live.ts'
import { numberIn } from '../crane-state.ts'
import { DustInstruments, DustTrend } from './dust-instruments.tsx'
import { EnvironmentPlan, type SprayLine, type StationMark, sprayColors, sprayWordColors } from './environment-plan.tsx'
import './environment.css'
import { EventList, eventsOf } from '../family-events.tsx'
import {
  type Desk,
  FamilyMonitor,
  MonitorFrame,
  RailPanel,
  type Readings,
  railOf,
  ScenePanel,
  useEveryMs,
  useReadings,
} from '../family-monitor.tsx'
import { toneAgainst } from '../gauge.tsx'
import { MonitorActions } from '../monitor-actions.tsx'
import '../monitoring.css'
import { ReplayBar } from '../replay-bar.tsx'
import { useReplay } from '../use-replay.ts'
import { NightPermits, usePermitNow } from './night-permits.tsx'
import { type Run, SprayPanel, seconds, sprayOf, sprayThen, useSprays } from './spray.tsx'

const family = 'environment'

export default function EnvironmentPage() {
  return (
    <FamilyMonitor family={family} module="environment" unit="监测站" emptyHint="登记扬尘噪声监测站后，这里显示实时数据">
      {(desk) => <Stations desk={desk} />}
    </FamilyMonitor>
  )
}

const stages: Readonly<Record<string, string>> = { earthwork: '土方阶段', structure: '主体结构阶段' }

function Stations({ desk: today }: { desk: Desk }) {
  const { projectCode, site, selected } = today
  const often = useEveryMs(60_000)
  const file = useCall(envDevice, { params: { id: selected } }, { quiet: true, keepPrevious: true, ...often })
  const info = useCall(envInfo, { params: { id: selected } }, { quiet: true, ...often })
  const places = useCall(openEnvDevices, { query: { projectCode, size: 200 } }, { quiet: true, staleMs: 600_000 })
  const kind = useFamily(family)
  const { sprays, spraysAsked, ids, runs, dayStart } = useSprays(projectCode, today.replay)
  const present = useReadings(today, info.data, ids)
  const replay = useReplay(today, present, findEnvReadings)
  const { desk, seen } = replay ?? { desk: today, seen: present }
  const { live } = desk
  const { readings, reading, limits, now, intervalMs } = seen
  const offlineMs = (kind.data?.offlineSeconds ?? 600) * 1000
  const params = file.data?.deviceId === selected ? file.data.params : undefined
  const lines = sprays.map(
    (one): SprayLine => ({
      id: one.id,
      ...(replay ? sprayThen(one.name, runs.data?.list ?? [], now) : sprayOf(one.name, one.online, readings.get(one.id))),
    }),
  )

  const rail = railOf(desk, seen, (row, own, at) => {
    const pm10 = numberIn(own?.values, 'pm10')
    const stale = at === undefined || isStale({ at, paceMs: own?.paceMs }, now, intervalMs)
    const over = toneAgainst(limits, 'pm10', pm10)
    return {
      label: row.name,
      note: row.installPlace && row.installPlace !== row.name ? row.installPlace : (row.modelName ?? row.deviceSn),
      fine: pm10 === undefined ? '在线' : `PM10 ${pm10.toFixed(0)}`,
      tone: over === 'fine' ? undefined : over,
      more:
        stale && at !== undefined
          ? [
              `最后 PM10 ${pm10?.toFixed(0) ?? '--'}，不参与喷淋`,
              ...(row.online ? [`满 ${span(offlineMs)}（${timeOfDay(at + offlineMs)}）判离线`] : []),
            ]
          : [],
    }
  })
  const placeById = useMemo(
    () =>
      new Map(
        (places.data?.list ?? []).flatMap(({ deviceId, lng, lat }) =>
          lng === null || lat === null ? [] : [[deviceId, metresFrom(site.origin, [lng, lat])] as const],
        ),
      ),
    [places.data, site],
  )
  const marks = rail.flatMap(({ id, name, status, at }): StationMark[] => {
    const place = placeById.get(id)
    const row = live.devices.find((one) => one.id === id)
    if (!place || !row) return []
    const pm10 = numberIn(readings.get(id)?.values, 'pm10')?.toFixed(0) ?? '--'
    const stale = at === undefined || isStale({ at, paceMs: readings.get(id)?.paceMs }, now, intervalMs)
    return [
      {
        id,
        label: name,
        at: place,
        stale: stale || !row.online,
        shown: status,
        text: stale && at !== undefined ? `${pm10}，${span(now - at)}前` : `PM10 ${pm10}`,
      },
    ]
  })
  const speed = numberIn(reading?.values, 'windSpeed')
  const from = numberIn(reading?.values, 'windDirection')
  const stage = stages[String(params?.stage)]
  const name = desk.device?.name ?? ''
  const [permits, setPermits] = useState(false)
  const permit = usePermitNow(projectCode)

  return (
    <MonitorFrame
      className="env"
      said={<Rules limits={limits} stage={stage} noise={info.data?.noiseLimit} permit={permit} />}
      actions={
        <MonitorActions
          desk={today}
          service={{ label: '校准窗口', kind: 'calibration' }}
          more={[
            { label: '夜间施工许可', onClick: () => setPermits(true) },
            { label: '联动规则', href: '/reg2_execManage', needs: 'rules.view' },
          ]}
        />
      }
      foot={replay && <ReplayBar replay={replay} desk={today} feature="readings.environment" />}
    >
      <div className="env-left">
        <RailPanel desk={desk} unit={`监测站 ${live.devices.length} 个`} items={rail} />
        <Panel title="喷淋设备" actions={<span className="mon-legend">{spraysAsked.data ? `${lines.length} 台` : ''}</span>}>
          <ul className="env-sprays">
            {lines.map((one) => (
              <li key={one.id}>
                <span
                  className={`mon-dot ${one.state === 'standby' || one.state === 'offline' ? '' : 'mon-dot-full'}`}
                  style={{ color: one.state === 'standby' ? dark.label : sprayColors[one.state] }}
                />
                {one.name}
                <span style={{ color: sprayWordColors[one.state] }}>{one.word}</span>
              </li>
            ))}
            {lines.length === 0 && spraysAsked.data && <li className="none">未安装喷淋</li>}
          </ul>
        </Panel>
        <Today desk={desk} runs={runs.data?.list ?? []} dayStart={dayStart} />
      </div>
      <ScenePanel
        legend={
          <>
            <span className="optional">
              <Swatch color={sprayColors.running} />
              运行
            </span>
            <span className="optional">
              <Swatch color={sprayColors.standby} />
              待命
            </span>
            <span className="optional dry">··· 无水</span>
            <span className="optional mon-doubt">橙色为推算扩散方向</span>
            {shortTime(reading?.at)} 更新
          </>
        }
      >
        <EnvironmentPlan
          site={site}
          stations={marks}
          selected={selected}
          sprays={lines}
          wind={speed === undefined || from === undefined ? undefined : { speed, from }}
          windStale={seen.stale}
          onSelect={desk.select}
        />
      </ScenePanel>
      <DustInstruments desk={desk} seen={seen} info={info.data} dayStart={dayStart} stage={stage} />
      <DustTrend deviceId={selected} name={name} seen={seen} background={numberIn(params, 'pm10Background')} runs={runs.data?.list ?? []} />
      <SprayPanel
        past={replay !== undefined}
        sprays={lines}
        runs={runs.data?.list ?? []}
        error={runs.data ? undefined : runs.error}
        retry={runs.refetch}
      />
      {permits && <NightPermits projectCode={projectCode} onClose={() => setPermits(false)} />}
    </MonitorFrame>
  )
}

/** The rules in force, and the next change of the noise limit. */
function Rules({
  limits,
  stage,
  noise,
  permit,
}: {
  limits: Readings['limits']
  stage: string | undefined
  noise: OutputFor<typeof envInfo>['noiseLimit'] | undefined
  permit: NightPermit | undefined
}) {
  const of = (key: string) => limits.find((one) => one.alarmKey === key)?.text
  const tsp = limits.find((one) => one.alarmKey === 'tspHourly')?.value
  const said = [
    of('pm10Warning') ?? of('pm10Alarm'),
    `${stage ?? '施工阶段未填'}${tsp ? `，TSP 限值 ${tsp}` : ''}`,
    noise && `噪声${noise.period} ${noise.value} dB，${minuteOfDay(noise.until)} 起换限值`,
    permit && `夜间施工许可 ${permit.permitNo} 至 ${time(permit.until).slice(5, 16)}，超标仍告警`,
  ]
  const words = said.filter(Boolean).join('；')
  return <span title={words}>{words}</span>
}

/** Today's exceedances, spray runs and events. */
function Today({ desk: { live, ...desk }, runs, dayStart }: { desk: Desk; runs: readonly Run[]; dayStart: number }) {
  const today = live.alarms.filter((one) => one.startTime >= dayStart && one.alarmKey !== 'offline')
  const minutes = Math.round(runs.reduce((sum, one) => sum + seconds(one), 0) / 60)
  const water = runs.reduce((sum, one) => sum + (numberIn(one.data, 'waterVolume') ?? 0), 0)
  const over = today.filter((one) => one.level <= 3)
  const events = [
    ...eventsOf(live),
    ...runs.map((one) => ({ at: one.time, text: `${one.deviceName} 喷淋 ${Math.round(seconds(one) / 60)} 分`, color: dark.text })),
  ]
  return (
    <Panel title={desk.replay ? `${day(dayStart)} 当日` : '今天'} grows>
      <dl className="env-today">
        <div>
          <dt>超标告警</dt>
          <dd>
            {over.length > 0 && <small>未恢复 {over.filter((one) => one.active).length}</small>} <b>{over.length} 次</b>
          </dd>
        </div>
        <div>
          <dt>预警</dt>
          <dd>
            <b>{today.length - over.length} 次</b>
          </dd>
        </div>
        <div>
          <dt>喷淋</dt>
          <dd>
            <small>
              {minutes} 分{water > 0 ? ` · ${water.toFixed(water < 10 ? 1 : 0)} m³` : ''}
            </small>{' '}
            <b>{runs.length} 次</b>
          </dd>
        </div>
      </dl>
      <EventList events={events} onAlarm={desk.openAlarm} />
    </Panel>
  )
}
