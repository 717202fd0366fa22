import { findFormworkReadings, formworkMarks, listPourSteps, pourStepKinds } from '@zhugong/contract/monitoring/formwork/formwork'
import { formworkInfo, formworkLine } from '@zhugong/contract/monitoring/formwork/formwork-live'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { dark } from '#kit/colors.ts'
import { Empty, ErrorPanel, Notice, Panel } from '#kit/feedback.tsx'
import { measure, minuteOfDay, shortTime, time } from '#kit/format.ts'
import { useLiveState } from '#kit/live.ts'
import { EventList, eventsOf } from '../family-events.tsx'
import { type Desk, FamilyMonitor, MonitorFrame, RailPanel, railOf, useEveryMs, useReadings } from '../family-monitor.tsx'
import { Gauge, ticksOf } from '../gauge.tsx'
import { MetricTrend } from '../metric-trend.tsx'
import { MonitorActions } from '../monitor-actions.tsx'
import { ReplayBar } from '../replay-bar.tsx'
import { useReplay } from '../use-replay.ts'
import { BayPlan, BaySide } from './bay-plan.tsx'
import './formwork.css'
import { clockWords, currentPour, metricName, pointColors, pointWords, silence, verdictFor, withReading } from './formwork-state.ts'
import { PourActions } from './pour-actions.tsx'
import { ZeroBay } from './zero-bay.tsx'

const trendMs = 10 * 60_000
/** Number of worst points shown as gauges. */
const worstShown = 4
const usualVolume = 140

/** May the pour continue? */
export default function FormworkLivePage() {
  return (
    <FamilyMonitor
      family="highFormwork"
      module="high-formwork"
      unit="高支模测点"
      emptyHint="登记测点并设置设计值后，浇筑时在这里看能否继续"
    >
      {(desk) => <Bay desk={desk} />}
    </FamilyMonitor>
  )
}

function Bay({ desk: today }: { desk: Desk }) {
  const { projectCode, selected, site } = today
  const info = useCall(formworkInfo, { params: { id: selected } }, { quiet: true, keepPrevious: true, ...useEveryMs(5_000) })
  const bayName = info.data?.bayName ?? ''
  const steps = useCall(
    listPourSteps,
    { query: { projectCode, bayName, size: 100 } },
    { quiet: true, enabled: bayName !== '', ...useEveryMs(15_000) },
  )
  const present = useReadings(today, info.data)
  const replay = useReplay(today, present, findFormworkReadings)
  const { desk, seen } = replay ?? { desk: today, seen: present }
  const { readings, now } = seen
  const linked = useLiveState()
  const pour = currentPour(steps.data?.list ?? [])
  const last = steps.data?.list[0]
  const registered = last !== undefined && last.kind !== 'end'
  const pouring = replay ? false : registered || (info.data?.pouring ?? false)
  const points = useMemo(
    () =>
      (info.data?.points ?? [])
        .map((one) => withReading(one, readings.get(one.deviceId), now, replay !== undefined))
        .sort((a, b) => (b.share ?? -1) - (a.share ?? -1)),
    [info.data, readings, now, replay],
  )
  const verdict = verdictFor(points, pouring)
  const chosen = points.find((one) => one.deviceId === selected)
  const start = pour[0]
  const volume = pour.findLast((one) => one.volume !== null)?.volume
  const stopped = pour.findLast((one) => one.kind === 'stop')
  const waiting = last?.kind === 'stop' && stopped
  const rail = railOf(desk, seen, (row) => {
    const point = points.find((one) => one.deviceId === row.id)
    return {
      label: point?.pointCode ?? row.name,
      note: point
        ? `${measure(point.axialForce, 1)} kN / ${point.designForce ?? '未设设计值'}　电量 ${point.batteryPercent ?? '--'} %`
        : (row.modelName ?? ''),
      fine: point ? `${Math.round(point.share ?? 0)} %` : '在线',
      tone: point?.state === 'alarm' || point?.state === 'silent' ? 'alarm' : point?.state === 'warning' ? 'warning' : undefined,
    }
  })
  const doubted = pouring
    ? points.filter((one) => (one.silentSeconds ?? 0) >= silence.doubt)
    : points.filter((one) => one.state === 'silent')
  return (
    <MonitorFrame
      className="bay"
      said={
        info.data &&
        `${bayName}　支撑高 ${measure(chosen?.supportHeight, 1)} m，跨度 ${measure(chosen?.span, 1)} m，测点 ${points.length} 个`
      }
      actions={
        <>
          {!replay && !registered && bayName !== '' && <ZeroBay projectCode={projectCode} bayName={bayName} />}
          {!replay && <PourActions projectCode={projectCode} bayName={bayName} last={last} />}
          <MonitorActions desk={today} service={{ label: '测点检修', kind: 'sensorChange' }} />
        </>
      }
      foot={replay && <ReplayBar replay={replay} desk={today} feature="readings.highFormwork" />}
    >
      <div className="bay-verdict" data-verdict={replay ? 'idle' : verdict.verdict} role="status" aria-live="assertive">
        <strong>{replay ? `回放 ${time(now)}` : verdict.text}</strong>
        <span>
          {registered && start
            ? `浇筑 ${clockWords(now - start.at)}，已浇 ${volume ?? 0} m³`
            : pouring
              ? '测点按浇筑节奏上报，尚未登记开始'
              : last
                ? `上次浇筑 ${time(start?.at)} 至 ${minuteOfDay(last.at)}，${volume ?? '--'} m³`
                : steps.data
                  ? '还没有登记过浇筑'
                  : ''}
        </span>
      </div>
      {waiting && (
        <div className="bay-wait">
          <Notice tone="danger">已停泵 {clockWords(now - waiting.at)}，等待确认“人员已撤离”</Notice>
        </div>
      )}
      <div className="bay-left">
        <RailPanel desk={desk} unit={info.data ? `测点 ${points.length} 个` : '测点'} items={rail} />
      </div>
      <Panel
        title="平面"
        remark={pouring ? '灰色为已浇部分，按登记方量推算' : undefined}
        actions={<span className="mon-legend">圆环为占限值，{shortTime(chosen?.time)} 更新</span>}
      >
        {linked === 'offline' && <Notice tone="danger">实时通道已断开，每 10 秒读取一次，请用对讲机确认现场</Notice>}
        {info.error && !info.data ? (
          <ErrorPanel error={info.error} retry={info.refetch} />
        ) : (
          <BayPlan
            points={points}
            origin={site.origin}
            selected={selected}
            pouring={pouring}
            filled={registered ? Math.min(1, (volume ?? 0) / usualVolume) : undefined}
            onSelect={desk.select}
          />
        )}
      </Panel>
      <Panel
        title={`最大 ${Math.min(worstShown, points.length)} 点`}
        remark="占限值"
        actions={<span className="mon-legend">80 预警　100 停</span>}
      >
        {points.length === 0 ? (
          <Empty small text="尚未收到数据" />
        ) : (
          <div className="mon-gauges">
            {points.slice(0, worstShown).map((one) => (
              <Gauge
                key={one.deviceId}
                label={one.pointCode}
                remark={one.state === 'unset' ? pointWords.unset : `${metricName(one.worstMetric)} ${measure(one.axialForce, 1)} kN`}
                value={one.share ?? undefined}
                unit="%"
                decimals={0}
                high={120}
                ticks={[
                  { at: formworkMarks.warning, text: '80', tone: 'warning' },
                  { at: formworkMarks.stop, text: '100', tone: 'alarm' },
                ]}
                tone={one.state === 'alarm' ? 'alarm' : one.state === 'warning' ? 'warning' : 'fine'}
                at={one.time ?? undefined}
                now={now}
                stale={one.state === 'silent' || (pouring && (one.silentSeconds ?? 0) >= silence.doubt)}
              />
            ))}
            <div className="mon-sub">
              {pouring ? '超过 15 秒没有数据' : '失联'} <span>{doubted.length} 个</span>
            </div>
            <ul className="bay-silent">
              {doubted.length === 0 && <li>没有</li>}
              {doubted.map((one) => (
                <li key={one.deviceId} style={silentInk(one.state)}>
                  {one.pointCode}　{one.silentSeconds ?? '--'} 秒
                </li>
              ))}
            </ul>
            <div className="mon-sub">浇筑过程</div>
            <ul className="bay-silent">
              {pour.length === 0 && steps.data && <li>没有登记</li>}
              {[...pour].reverse().map((one) => (
                <li key={one.id} title={one.note ?? ''}>
                  {shortTime(one.at)}　{pourStepKinds[one.kind]}　{one.volume === null ? '' : `${one.volume} m³`}　{one.byName}
                </li>
              ))}
            </ul>
            <EventList events={eventsOf(desk.live)} onAlarm={desk.openAlarm} />
          </div>
        )}
      </Panel>
      <div className="bay-low">
        <Panel title="支架侧面" remark={chosen?.pointCode} actions={<span className="mon-legend">位移、沉降已放大</span>}>
          <BaySide point={chosen} />
        </Panel>
        <MetricTrend
          key={selected}
          call={formworkLine}
          deviceId={selected}
          metric="axialForcePercent"
          title="轴力占设计值 近 10 分钟"
          remark={chosen?.pointCode}
          legend={(seconds) => `每 ${seconds} 秒`}
          spanMs={trendMs}
          points={120}
          readings={seen}
          high={110}
          room={8}
          drawn={{
            ticks: [0, 50],
            decimals: 0,
            peak: true,
            limits: ticksOf(seen.limits, 'axialForcePercent', 100).map(({ at, tone }) => ({
              at,
              tone: tone === 'alarm' ? ('alarm' as const) : ('warning' as const),
              text: `${at} %`,
            })),
          }}
        />
      </div>
    </MonitorFrame>
  )
}

const silentInk = (state: keyof typeof pointColors) => ({ color: state === 'silent' ? pointColors.silent : dark.limitWarning })
