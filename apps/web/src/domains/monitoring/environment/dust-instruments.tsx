import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { type envInfo, envLine } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { shortTime, time } from '#kit/format.ts'
import { numberIn } from '../crane-state.ts'
import './environment.css'
import { type Desk, gaugesOf, InstrumentPanel, type Readings, useEveryMs } from '../family-monitor.tsx'
import { Gauge, ticksOf, toneAgainst } from '../gauge.tsx'
import { MetricTrend } from '../metric-trend.tsx'
import { hourlyNoise, NoiseBars } from './noise-bars.tsx'
import { type Run, seconds, startOf } from './spray.tsx'

const trendMs = 150 * 60_000
/** Daily limit of GB 3095-2012 for PM10 in μg/m³: marks from this value on are limits, lower ones warnings. */
const graveDust = 150

interface DustInstrumentsProps {
  desk: Desk
  seen: Readings
  info: OutputFor<typeof envInfo> | undefined
  dayStart: number
  stage: string | undefined
}

/** Dust and noise of the selected station, with the noise of the current day's hours. */
export function DustInstruments({ desk, seen, info, dayStart, stage }: DustInstrumentsProps) {
  const { reading, limits, now } = seen
  const noiseLine = useCall(
    envLine,
    { query: { deviceId: desk.selected, startTime: time(dayStart), metrics: 'noise', points: 288 } },
    { quiet: true, keepPrevious: true, ...useEveryMs(300_000) },
  )
  const hours = useMemo(() => hourlyNoise(noiseLine.data?.list ?? [], 'noise', dayStart), [noiseLine.data, dayStart])
  const v = (key: string) => numberIn(reading?.values, key)
  const left = 60 - Math.floor((now / 60_000) % 60)
  const { plain, limited } = gaugesOf(seen)
  const mean = (key: string) => info?.hour[key]
  const noiseKey = v('leq') === undefined ? 'noise' : 'leq'
  const noiseTicks = [
    { key: 'noiseNight', word: '夜' },
    { key: 'noiseDay', word: '昼' },
  ].flatMap(({ key, word }) => {
    const found = limits.find((one) => one.alarmKey === key)
    return found?.value == null
      ? []
      : [
          {
            at: found.value,
            text: `${word} ${found.value}`,
            tone: info?.noiseLimit.value === found.value ? ('alarm' as const) : ('plain' as const),
            title: found.text,
          },
        ]
  })
  const dayLimit = limits.find((one) => one.alarmKey === 'noiseDay')?.value ?? 70
  const nightLimit = limits.find((one) => one.alarmKey === 'noiseNight')?.value ?? 55
  const loud = v(noiseKey)
  return (
    <InstrumentPanel desk={desk} reading={reading} emptyHint="监测站接入后显示读数">
      <div className="mon-gauges">
        <Gauge
          {...plain('pm10')}
          label="PM10"
          remark={mean('pm10') === undefined ? undefined : `本小时均值 ${mean('pm10')?.toFixed(0)}，剩 ${left} 分`}
          unit="μg/m³"
          decimals={0}
          high={Math.max(200, (v('pm10') ?? 0) * 1.15)}
          ticks={ticksOf(limits, 'pm10', 200)}
          tone={toneAgainst(limits, 'pm10', v('pm10'))}
          mean={mean('pm10')}
        />
        <Gauge
          {...limited('pm25', 100)}
          label="PM2.5"
          remark={mean('pm25') === undefined ? undefined : `均值 ${mean('pm25')?.toFixed(0)}`}
          unit="μg/m³"
          decimals={0}
          mean={mean('pm25')}
        />
        <Gauge {...limited('tsp', 900)} label="TSP" remark={stage} unit="μg/m³" decimals={0} mean={mean('tsp')} />
        <Gauge
          {...plain(noiseKey)}
          label={noiseKey === 'leq' ? '噪声 Leq' : '噪声'}
          remark={info?.noiseLimit.period}
          value={loud}
          unit="dB"
          low={30}
          high={90}
          ticks={noiseTicks}
          tone={loud !== undefined && info && loud > info.noiseLimit.value ? 'warning' : 'fine'}
          mean={mean(noiseKey)}
        />
        <div className="env-noise">
          <div>
            今日小时噪声 dB
            <span>
              气温 {v('temperature')?.toFixed(1) ?? '--'} ℃　湿度 {v('humidity')?.toFixed(0) ?? '--'} %
            </span>
          </div>
          <NoiseBars hours={hours} day={dayLimit} night={nightLimit} nowHour={Math.floor((now - dayStart) / 3_600_000)} />
        </div>
      </div>
    </InstrumentPanel>
  )
}

interface DustTrendProps {
  deviceId: string
  name: string
  seen: Readings
  background: number | undefined
  runs: readonly Run[]
}

/** PM10 of the last hours, with the spray runs below. */
export function DustTrend({ deviceId, name, seen, background, runs }: DustTrendProps) {
  return (
    <MetricTrend
      call={envLine}
      deviceId={deviceId}
      metric="pm10"
      title="PM10 近 150 分钟"
      remark={`${name}，分钟均值，μg/m³`}
      legend={() => `${background === undefined ? '' : '- - 区域站　'}▬ 喷淋`}
      spanMs={trendMs}
      points={400}
      readings={seen}
      high={180}
      room={10}
      drawn={{
        ticks: [0, 60],
        decimals: 0,
        limits: ticksOf(seen.limits, 'pm10', 200).map(({ at, text, tone }) => {
          const grave = tone === 'alarm' || at >= graveDust
          return { at, tone: grave ? 'alarm' : 'warning', text: `${grave ? '限值' : '预警'} ${text}` }
        }),
        reference: background === undefined ? undefined : { value: background, text: `区域站 ${background}` },
        blocks: runs.map((one) => ({
          from: startOf(one),
          to: startOf(one) + seconds(one) * 1000,
          text: `${one.deviceName} ${shortTime(startOf(one))} 喷淋`,
        })),
      }}
    />
  )
}
