import { type CallData, seconds, useFeed } from '../hub.ts'
import { Bar, Digit, Panel, Rolling, type Tone } from '../panel.tsx'
import { type PanelProps, sum } from '../wall-state.ts'

interface Spot {
  key: string
  name: string
  floor: string
  /** Null if the station of the area is offline: the number is unknown, not 0. */
  count: number | null
  limit: number | null
  alarming: number
  tone: Tone
  rank: number
}
const kinds: Readonly<Record<CallData<'helmets'>['places'][number]['kind'], readonly [rank: number, tone: Tone]>> = {
  zone: [1, 'alarm'],
  outside: [2, 'warning'],
  building: [3, 'accent'],
  yard: [4, 'accent'],
}
const crowded = (count: number | null, limit: number | null): boolean => limit !== null && (count ?? 0) > limit

function spotsOf(onPlan: CallData<'helmets'> | undefined, byStation: CallData<'helmets'> | undefined): Spot[] {
  const places = (onPlan?.places ?? []).map(({ name, kind, count, alarming }): Spot => {
    const [rank, tone] = kinds[kind]
    return { key: `${kind} ${name}`, name, floor: '', count, limit: null, alarming, tone, rank }
  })
  const areas = (byStation?.areas ?? []).map(({ areaName, floorName, count, limit, alarming }): Spot => {
    const over = crowded(count, limit)
    return {
      key: `area ${areaName}`,
      name: areaName,
      floor: floorName,
      count,
      limit,
      alarming,
      tone: over ? 'alarm' : 'accent',
      rank: over ? 1 : 3,
    }
  })
  // Places with a call for help come first.
  return [...places, ...areas].sort((a, b) => b.alarming - a.alarming || a.rank - b.rank || (b.count ?? -1) - (a.count ?? -1))
}

const every = seconds(15)
/** Number of people by place; walls never show names. */
export function HelmetMap({ title, h }: PanelProps) {
  const onPlan = useFeed('helmets', every, { query: { category: '700' } })
  const byStation = useFeed('helmets', every, { query: { category: '701' } })
  const shown = [onPlan.data, byStation.data].flatMap((one) => (one ? [one] : []))
  const of = (pick: (one: CallData<'helmets'>) => number) => (shown.length === 2 ? sum(shown, pick) : undefined)
  const spots = spotsOf(onPlan.data, byStation.data)
  const most = Math.max(1, ...spots.map((one) => one.limit ?? one.count ?? 0))
  // Places with a call for help do not rotate away.
  const calling = spots.filter((one) => one.alarming > 0).slice(0, h * 2 - 1)
  const others = spots.filter((one) => !calling.includes(one))
  const total = of((one) => one.total)
  const alarming = of((one) => one.alarming)
  const unpositioned = of((one) => one.unpositioned)
  return (
    <Panel title={title} feeds={[onPlan, byStation]} everyMs={every} empty={total === 0 && '没有安全帽'} remark="按位置计数">
      <div className="wall-digits">
        <Digit label="在线" value={of((one) => one.online)} unit={`/ ${total ?? '--'}`} tone="fine" />
        <Digit label="报警" value={alarming} unit="顶" tone={alarming ? 'alarm' : 'muted'} />
        <Digit label="未定位" value={unpositioned} unit="顶" tone={unpositioned ? 'warning' : 'muted'} />
      </div>
      {calling.length > 0 && (
        <div className="wall-pinned">
          {calling.map((one) => (
            <SpotRow key={one.key} one={one} most={most} />
          ))}
        </div>
      )}
      <Rolling rows={others.length} fits={Math.max(1, h * 5 - 5 - calling.length)}>
        {others.map((one) => (
          <SpotRow key={one.key} one={one} most={most} />
        ))}
      </Rolling>
    </Panel>
  )
}

function SpotRow({ one, most }: { one: Spot; most: number }) {
  return (
    <div className={`wall-row wall-row-spot${one.count === null ? ' wall-old' : ''}`}>
      <span>
        {one.name} <small>{one.floor}</small>
      </span>
      <Bar share={((one.count ?? 0) / most) * 100} tone={one.alarming > 0 ? 'alarm' : one.tone} />
      <b className={one.alarming > 0 || one.tone === 'alarm' ? 'wall-alarm' : one.tone === 'warning' ? 'wall-warning' : ''}>
        {one.count === null ? '未知' : one.count}
        {one.limit !== null && <small> / {one.limit}</small>}
      </b>
      <em className={one.alarming > 0 ? 'wall-alarm' : ''}>{one.alarming > 0 ? `报警 ${one.alarming}` : ''}</em>
    </div>
  )
}
