import { formworkMarks, formworkMetrics } from '@zhugong/contract/monitoring/formwork/formwork'
import { directions, washes } from '@zhugong/contract/monitoring/gateway/passage-codes'
import { isMainAmong } from '@zhugong/contract/monitoring/meter/meter-tree'
import { day, timeOfDay } from '#kit/format.ts'
import { type CallData, type Feed, seconds, useFeed } from '../hub.ts'
import { Bar, Digit, Panel, Rolling, type Tone } from '../panel.tsx'
import { type PanelProps, percent, sum, useWall } from '../wall-state.ts'

export function TruckAccess({ title, h }: PanelProps) {
  const every = seconds(60)
  const feed = useFeed('trucks', every, { query: { size: 20 } })
  const data = feed.data
  const rows = data?.list.slice(0, h > 1 ? h * 4 - 4 : 0) ?? []
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={every}
      empty={data && data.list.length === 0 && data.today.out === 0 && '没有车辆出入'}
      remark={data && `场内 ${data.today.inside} 辆`}
    >
      <div className="wall-digits">
        <Digit label="今日出场" value={data?.today.out} unit="辆" />
        <Digit label="冲洗率" value={data?.today.washPercent} unit="%" tone={(data?.today.washPercent ?? 100) < 95 ? 'warning' : 'fine'} />
        <Digit
          label="密闭率"
          value={data?.today.coverPercent}
          unit="%"
          tone={(data?.today.coverPercent ?? 100) < 95 ? 'warning' : 'fine'}
        />
      </div>
      <div className="wall-rows">
        {rows.map((one) => (
          <div key={one.id} className="wall-row wall-row-gate">
            <time>{timeOfDay(one.time)}</time>
            <span>{one.plateNo}</span>
            <em>{one.direction === directions.outward ? '出场' : '进场'}</em>
            <i
              className={
                one.washState === washes.unwashed || one.washState === washes.poor
                  ? 'wall-alarm'
                  : one.washState === washes.washed
                    ? 'wall-fine'
                    : 'wall-muted'
              }
            >
              {one.washState === washes.unwashed
                ? '未冲洗'
                : one.washState === washes.poor
                  ? '冲洗不净'
                  : one.washState === washes.washed
                    ? '已冲洗'
                    : '--'}
            </i>
          </div>
        ))}
      </div>
    </Panel>
  )
}

type Bay = CallData<'formwork'>
const verdictTones: Readonly<Record<Bay['verdict'], Tone>> = { go: 'fine', watch: 'warning', stop: 'alarm', idle: 'muted' }
const pointTones: Readonly<Record<Bay['points'][number]['state'], Tone>> = {
  fine: 'fine',
  warning: 'warning',
  alarm: 'alarm',
  unset: 'alarm',
  silent: 'alarm',
}
const bayEvery = seconds(5)
/** Up to three formwork bays. The endpoint takes a point, so each request uses one that is in none of the bays before. */
function useBays(): { bays: Bay[]; feeds: Feed[]; none: boolean } {
  const devices = useFeed('devices', seconds(300), { query: { family: 'highFormwork' } })
  const list = devices.data?.list ?? []
  const beyond = (reported: readonly (Bay | undefined)[]) => {
    const known = new Set(reported.flatMap((one) => one?.points.map(({ deviceId }) => deviceId) ?? []))
    const next = reported.every(Boolean) ? list.find(({ id }) => !known.has(id)) : undefined
    return next ? { params: { id: next.id } } : null
  }
  const first = useFeed('formwork', bayEvery, beyond([]))
  const second = useFeed('formwork', bayEvery, beyond([first.data]))
  const third = useFeed('formwork', bayEvery, beyond([first.data, second.data]))
  const none = devices.data !== undefined && list.length === 0
  const bays = [first, second, third].flatMap(({ data }) => (data ? [data] : []))
  return { bays, feeds: none ? [devices] : [devices, first], none }
}

const known = (value: number | null, digits: number, unit: string): string => (value === null ? '--' : `${value.toFixed(digits)} ${unit}`)
/** Whether the pour may continue; bays rotate, only those being poured if there are any. */
export function FormworkLive({ title, params, h }: PanelProps) {
  const { now } = useWall()
  const { bays, feeds, none } = useBays()
  const pouring = bays.filter((one) => one.pouring)
  const shown = pouring.length > 0 ? pouring : bays
  const bay = shown[Math.floor(now / 10_000) % Math.max(1, shown.length)]
  const rows = bay?.points.slice(0, params.topN ?? 12) ?? []
  return (
    <Panel
      title={title}
      feeds={feeds}
      everyMs={seconds(20)}
      empty={none && '没有高支模测点'}
      remark={bay && `${bay.bayName}，测点 ${bay.points.length} 个`}
    >
      <p className={`wall-verdict wall-${verdictTones[bay?.verdict ?? 'idle']}`}>
        {bay?.pouring || bay?.verdict === 'stop' ? bay.verdictText : '未浇筑'}
      </p>
      <Rolling rows={rows.length} fits={h * 4 - 3}>
        {rows.map((one) => (
          <div key={`${one.deviceId}${one.pointCode}`} className={`wall-row wall-row-point${one.state === 'silent' ? ' wall-old' : ''}`}>
            <span>
              {one.pointCode} <small>{one.state === 'silent' ? '失联' : (formworkMetrics[one.worstMetric ?? ''] ?? '')}</small>
            </span>
            <Bar share={one.share} tone={pointTones[one.state]} mark={formworkMarks.warning} />
            <em>{known(one.axialForce, 1, 'kN')}</em>
            <em>{known(one.settlement, 1, 'mm')}</em>
            <b>{one.share === null ? '--' : `${Math.round(one.share)}%`}</b>
          </div>
        ))}
      </Rolling>
      <p className="wall-note">
        轴力、沉降，占限值；达到 {formworkMarks.warning}% 预警，{formworkMarks.stop}% 停止浇筑
      </p>
    </Panel>
  )
}

type Sheet = CallData<'meters'>['list']
/** Total consumption at main meters; submeters are left out to avoid counting twice. */
function flowedIn(list: Sheet) {
  const mains = list.filter(isMainAmong(list))
  const limited = mains.filter((one) => one.quota !== null)
  return {
    usage: sum(mains, (one) => one.usage),
    ofQuota: percent(
      sum(limited, (one) => one.usage),
      sum(limited, (one) => one.quota ?? 0),
    ),
  }
}
/** Consumption by area; of a meter with submeters only the submeters count. */
function byArea(list: Sheet): [area: string, usage: number][] {
  const split = new Set(list.map((one) => one.parentId))
  const ends = list.filter((one) => !split.has(one.deviceId))
  return [...Map.groupBy(ends, (one) => one.area ?? '未分用途')]
    .map(([area, own]): [string, number] => [area, sum(own, (one) => one.usage)])
    .sort((a, b) => b[1] - a[1])
}

const sheetEvery = seconds(600)
export function EnergyUse({ title, h }: PanelProps) {
  const startTime = day(useWall().now)
  const power = useFeed('meters', sheetEvery, { query: { kind: 'electric' } })
  const powerToday = useFeed('meters', sheetEvery, { query: { kind: 'electric', startTime } })
  const water = useFeed('meters', sheetEvery, { query: { kind: 'water' } })
  const waterToday = useFeed('meters', sheetEvery, { query: { kind: 'water', startTime } })
  const feeds = [power, powerToday, water, waterToday]
  const none = power.data?.total === 0 && water.data?.total === 0
  const areas = byArea(power.data?.list ?? [])
  const most = Math.max(1, ...areas.map(([, usage]) => usage))
  const over = feeds.some(({ data }) => data && data.total > data.list.length)
  return (
    <Panel
      title={title}
      feeds={feeds}
      everyMs={sheetEvery}
      empty={none && '没有电表与水表'}
      remark={over ? '表计过多，只计前 1000 块' : '总表口径'}
    >
      <div className="wall-digits">
        <Energy label="今日用电" unit="kWh" today={powerToday.data?.list} month={power.data?.list} />
        <Energy label="今日用水" unit="m³" today={waterToday.data?.list} month={water.data?.list} />
      </div>
      {h > 1 && (
        <div className="wall-rows">
          {areas.slice(0, 4).map(([area, usage]) => (
            <div key={area} className="wall-row wall-row-bar">
              <span>{area} 本月</span>
              <Bar share={(usage / most) * 100} />
              <b>
                {Math.round(usage).toLocaleString('en-US')} <small>kWh</small>
              </b>
            </div>
          ))}
        </div>
      )}
    </Panel>
  )
}
function Energy({ label, unit, today, month }: { label: string; unit: string; today: Sheet | undefined; month: Sheet | undefined }) {
  const sofar = month?.length ? flowedIn(month) : undefined
  const over = (sofar?.ofQuota ?? 0) > 100
  const quota = sofar?.ofQuota == null ? '' : `，占定额 ${Math.round(sofar.ofQuota)}%`
  return (
    <Digit
      label={label}
      value={today?.length ? Math.round(flowedIn(today).usage * 10) / 10 : undefined}
      unit={unit}
      tone={over ? 'warning' : 'plain'}
      note={sofar && `本月 ${Math.round(sofar.usage).toLocaleString('en-US')}${quota}`}
    />
  )
}

export function WeighToday({ title, params, h }: PanelProps) {
  const every = seconds(120)
  const feed = useFeed('tickets', every, { query: { startTime: day(useWall().now) } })
  const data = feed.data
  const goods = [...Map.groupBy(data?.list ?? [], (one) => one.material || '未填货物')]
    .map(([material, own]) => ({
      material,
      trucks: sum(own, (one) => one.trucks),
      weight: sum(own, (one) => one.actualWeight),
      deviation: sum(own, (one) => one.deviation),
    }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, params.topN ?? 8)
  return (
    <Panel
      title={title}
      feeds={[feed]}
      everyMs={every}
      empty={data && data.sums.trucks === 0 && data.sums.waiting === 0 && '今日没有过磅'}
      remark={data && data.sums.waiting > 0 && `待二次过磅 ${data.sums.waiting} 车`}
    >
      <div className="wall-digits">
        <Digit label="车次" value={data?.sums.trucks} unit="车" />
        <Digit label="实重合计" value={data && Math.round(data.sums.actualWeight * 10) / 10} unit="t" />
        <Digit label="负差" value={data?.sums.shortTrucks} unit="车" tone={data?.sums.shortTrucks ? 'warning' : 'fine'} />
      </div>
      {h > 1 && (
        <Rolling rows={goods.length} fits={h * 4 - 4}>
          {goods.map((one) => (
            <div key={one.material} className="wall-row wall-row-goods">
              <span>{one.material}</span>
              <em>{one.trucks} 车</em>
              <b>
                {one.weight.toFixed(2)} <small>t</small>
              </b>
              <em className={one.deviation < 0 ? 'wall-warning' : ''}>
                {one.deviation > 0 ? '+' : ''}
                {one.deviation.toFixed(2)} t
              </em>
            </div>
          ))}
        </Rolling>
      )}
    </Panel>
  )
}
