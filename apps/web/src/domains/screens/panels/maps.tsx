import { projectStates } from '@zhugong/contract/organisation/codes'
import { type KeyboardEvent, useMemo } from 'react'
import { charWidth } from '#kit/format.ts'
import { type CallData, seconds, useFeed } from '../hub.ts'
import { Level, Panel } from '../panel.tsx'
import { inArea, type PanelProps, said, useWall } from '../wall-state.ts'
import { alarmsEvery } from './alarms.tsx'
import { Jibs, levelsOf, useCranes } from './cranes.tsx'
import { around, type Box, bannerPlace, type Project, placed, rateBands, siteTones, toneOf } from './map-places.ts'
import { markOf } from './marks.ts'
import { apart, frameOf, pathOf, placeOf, type XY } from './plane.ts'

const mainEvery = seconds(60)
const { building, stopped } = projectStates

/** Makes an SVG element clickable by mouse and keyboard; on a wall (no `act`) it is not. */
const pressed = (act: (() => void) | undefined, label: string) =>
  act && {
    role: 'button',
    tabIndex: 0,
    'aria-label': label,
    onClick: act,
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') act()
    },
  }

const classOf = (rate: number | null) => (rate === null ? 'none' : (rateBands.find((band) => rate >= band.from)?.name ?? 'none'))

const shortName = ({ name }: Project) => (name.length > 11 ? `${name.slice(0, 10)}…` : name)
/** Box of a label centred at `x`. */
const labelBox = (x: number, y: number, width: number, height: number): Box => ({ x: x - width / 2, y, width, height })
type District = CallData<'main'>['districts'][number]
const rateSaid = (district: District | undefined) =>
  district && district.weekRate !== null ? `出勤率 ${said(district.weekRate, '%')}%` : '出勤率 --'
/** Sites under construction and all sites, as in the district table. */
const countSaid = (district: District | undefined) => (district ? `在建 ${district.building} / ${district.projects}` : '')

export function ProjectMap({ title, w, h }: PanelProps) {
  const { area, setArea, open, setting } = useWall()
  const feed = useFeed('main', mainEvery)
  const alarms = useFeed('alarms', alarmsEvery)
  const width = w * 238 - 16
  const height = h * 164 - 16
  const data = feed.data
  const projects = useMemo(() => inArea(data?.projects ?? [], area), [data, area])
  const centre = setting?.centre
  const spots = useMemo(() => placed(projects, centre, width, height), [projects, centre, width, height])
  const beyond = projects.length - spots.length
  const worst = new Map<string, CallData<'alarms'>['list'][number]>()
  for (const one of alarms.data?.list ?? []) {
    const known = worst.get(one.projectCode)
    if (!known || one.level < known.level) worst.set(one.projectCode, one)
  }
  const districts = [...Map.groupBy(spots, ({ p }) => p.areaCode)].map(([code, own]) => {
    const district = data?.districts.find((one) => one.areaCode === code)
    return {
      code,
      own,
      district,
      name: district?.name ?? own[0]?.p.areaName ?? '',
      x: own.reduce((n, one) => n + one.x, 0) / own.length,
      y: Math.max(34, Math.min(...own.map((one) => one.y)) - 36),
    }
  })
  const called = spots
    .flatMap((spot) => {
      const alarm = worst.get(spot.p.projectCode)
      return alarm && (alarm.level === 1 || setting?.incident === spot.p.projectCode) ? [{ spot, alarm }] : []
    })
    .sort((a, b) => a.alarm.level - b.alarm.level || b.alarm.startTime - a.alarm.startTime)
    .slice(0, 3)
  const taken: Box[] = [
    ...districts.map(({ x, y, name, district }) =>
      labelBox(x, y - 20, Math.max(charWidth(name) * 10, charWidth(`${rateSaid(district)} ${countSaid(district)}`) * 7), 42),
    ),
    ...spots.map(({ p, x, y }) => labelBox(x, y - 12, Math.max(24, charWidth(shortName(p)) * 6.5), 50)),
  ]
  const banners = called.map(({ spot, alarm }) => {
    const words = `${spot.p.name} ${alarm.alarmLabel}`
    const size = { width: charWidth(words) * 7.2 + 26, height: 32 }
    const box = bannerPlace(spot, size, taken, { x: 6, y: 6, width: width - 12, height: height - 42 })
    taken.push(box)
    return { spot, alarm, words, box }
  })
  return (
    <Panel title={title} feeds={[feed]} everyMs={mainEvery} bare narrows empty={projects.length === 0 && '没有项目'}>
      <svg
        className="wall-map"
        viewBox={`0 0 ${width} ${height}`}
        role={open ? 'group' : 'img'}
        aria-label={`${spots.length} 个项目的位置示意`}
      >
        <defs>
          <pattern id="wall-grid" width="40" height="40" patternUnits="userSpaceOnUse">
            <path d="M40 0H0V40" />
          </pattern>
          <radialGradient id="wall-halo">
            <stop offset="0" className="wall-halo-in" />
            <stop offset="1" className="wall-halo-out" />
          </radialGradient>
        </defs>
        <rect width={width} height={height} fill="url(#wall-grid)" />
        {districts.map(({ code, own, district }) => {
          const outline = around(
            own.map(({ x, y }): XY => [x, y]),
            62,
          )
          return <path key={code} className={`wall-land wall-land-${classOf(district?.weekRate ?? null)}`} d={pathOf(outline)} />
        })}
        {districts.map(({ code, district, name, x, y }) => (
          <g
            key={code}
            className="wall-place"
            {...pressed(
              open && (() => setArea(area === code ? undefined : code)),
              // The accessible name must begin with the visible text (WCAG 2.5.3).
              `${name} ${rateSaid(district)} ${countSaid(district)}`,
            )}
          >
            <text className="wall-place-name" x={x} y={y}>
              {name}
            </text>
            <text className="wall-place-note" x={x} y={y + 19}>
              {rateSaid(district)} {countSaid(district)}
            </text>
          </g>
        ))}
        {spots.map(({ p, x, y }) => {
          const alarm = worst.get(p.projectCode)
          const grave = alarm && alarm.level <= 2
          const tone = toneOf(p, alarm?.level)
          return (
            <g
              key={p.projectCode}
              className={`wall-site wall-site-${tone}`}
              {...pressed(
                open && (() => open(`/gov/project?projectCode=${p.projectCode}`)),
                [...new Set([grave ? alarm.level : '', shortName(p), p.name])].filter(Boolean).join(' '),
              )}
            >
              <title>{`${p.name}：在场 ${p.onSite} 人，待处理告警 ${p.openAlarms}，设备 ${p.online}/${p.devices} 在线`}</title>
              {grave && <circle className={alarm.level === 1 ? 'wall-pulse' : 'wall-ring'} cx={x} cy={y} r="19" />}
              {p.prjStatus === building || p.prjStatus === stopped ? (
                <circle className="wall-pin" cx={x} cy={y} r={grave ? 11 : 6.5} />
              ) : (
                <rect className="wall-pin" x={x - 6} y={y - 6} width="12" height="12" />
              )}
              {grave && (
                <text className="wall-pin-level" x={x} y={y + 5}>
                  {alarm.level}
                </text>
              )}
              <text className="wall-site-name" x={x} y={y + (grave ? 34 : 24)}>
                {shortName(p)}
              </text>
            </g>
          )
        })}
        {banners.map(({ spot, alarm, words, box }) => {
          const up = box.y < spot.y
          return (
            <g key={alarm.id} className={`wall-call wall-call-${alarm.level}`}>
              <path d={`M${spot.x} ${up ? spot.y - 20 : spot.y + 20}V${up ? box.y + box.height : box.y}`} />
              <rect {...box} />
              <text x={box.x + box.width / 2} y={box.y + 21}>
                {words}
              </text>
            </g>
          )
        })}
      </svg>
      <div className="wall-legend">
        {Object.entries(siteTones).map(([tone, word]) => (
          <span key={tone} className="wall-key">
            <i className={`wall-dot-${tone}`} />
            {word}
          </span>
        ))}
        <span className="wall-key">
          <i className="wall-dot-square" />
          方形为未开工或已完工
        </span>
        {districts.length > 0 && (
          <span className="wall-key">
            区县近 7 日出勤率
            {rateBands.map(({ name, word }) => (
              <span key={name} className="wall-key">
                <i className={`wall-swatch wall-land-${name}`} />
                {word}
              </span>
            ))}
          </span>
        )}
        <em>{beyond > 0 ? `另有 ${beyond} 个项目在图外或没有坐标；` : ''}辖区示意图，不作边界依据</em>
      </div>
    </Panel>
  )
}

/** Minimum distance of two marks; their radius is 11. */
const leastApart = 28

/** Site plan with turning jibs and all devices that have a position on it. */
export function SitePlan({ title, params, w, h }: PanelProps) {
  const { setting } = useWall()
  const main = useFeed('main', mainEvery)
  const alarms = useFeed('alarms', alarmsEvery)
  const devices = useFeed('devices', seconds(300), { query: {} })
  const { feed: craneFeed } = useCranes()
  const width = w * 238 - 16
  const height = h * 164 - 16
  const site = main.data?.site
  const plan = site?.sitePlan
  const layers = params.layers as readonly string[] | undefined
  const shows = (family: string) => !layers || layers.includes(family)
  const cranes = shows('towerCrane') ? (craneFeed.data?.cranes ?? []) : []
  const frame = useMemo(() => {
    const fence = plan?.fence ?? []
    const reach = cranes.flatMap((c): XY[] => [
      [c.x - c.jibLength * 0.75, c.y - c.jibLength * 0.75],
      [c.x + c.jibLength * 0.75, c.y + c.jibLength * 0.75],
    ])
    const points: XY[] = [...fence, ...reach]
    return frameOf(
      points.length > 1
        ? points
        : [
            [0, 0],
            [200, 140],
          ],
      width,
      height,
    )
  }, [plan, cranes, width, height])
  const levels = levelsOf(alarms.data?.list ?? [])
  const own = new Map(devices.data?.list.map((one) => [one.id, one]))
  const put = setting?.placed ?? []
  const spots = [
    ...(site?.machines ?? [])
      .filter((m) => m.family !== 'towerCrane' && shows(m.family) && !put.some((one) => one.deviceId === m.id))
      .map((m) => ({ id: m.id, name: m.name, family: m.family, online: m.state !== 'offline', at: frame.at(m.x, m.y) })),
    ...put.flatMap((one) => {
      const device = own.get(one.deviceId)
      return device && device.family !== 'towerCrane' && shows(device.family)
        ? [{ ...device, at: frame.at(...placeOf(plan?.fence ?? [], one)) }]
        : []
    }),
  ]
  const marks = apart(spots, leastApart)
  return (
    <Panel title={title} feeds={[main]} everyMs={mainEvery} bare>
      <svg
        className="wall-map"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={`工地平面图，塔机 ${cranes.length} 台，其他设备 ${marks.length} 台`}
      >
        <defs>
          <pattern id="wall-fine-grid" width="40" height="40" patternUnits="userSpaceOnUse">
            <path d="M40 0H0V40" />
          </pattern>
        </defs>
        <rect width={width} height={height} fill="url(#wall-fine-grid)" />
        {plan && (
          <g className="wall-ground">
            <path className="wall-fence" d={pathOf(plan.fence.map(([x, y]) => frame.at(x, y)))} />
            {plan.roads.map((road, i) => (
              <path key={i} className="wall-road" d={pathOf(road.map(([x, y]) => frame.at(x, y))).replace('Z', '')} />
            ))}
            {plan.zones.map((zone) => (
              <path key={zone.name} className="wall-zone" d={pathOf(zone.points.map(([x, y]) => frame.at(x, y)))} />
            ))}
            {plan.buildings.map((one) => {
              const points = one.points.map(([x, y]) => frame.at(x, y))
              const x = points.reduce((n, p) => n + p[0], 0) / points.length
              const y = Math.min(...points.map((p) => p[1])) + 12
              return (
                <g key={one.name}>
                  <path className="wall-building" d={pathOf(points)} />
                  <text className="wall-building-name" x={x} y={y + 5}>
                    {one.name} {one.floorsUp > 0 && `${one.floorsUp}F`}
                  </text>
                </g>
              )
            })}
            {shows('faceGate') &&
              plan.gates.map((gate) => {
                const [x, y] = frame.at(gate.x, gate.y)
                return (
                  <g key={gate.name}>
                    <rect className="wall-gate" x={x - 9} y={y - 4} width="18" height="8" />
                    <text className="wall-plan-name" x={x} y={y + 20} textAnchor="middle">
                      {gate.name}
                    </text>
                  </g>
                )
              })}
          </g>
        )}
        <Jibs cranes={cranes} at={frame.at} k={frame.k} alarmed={levels} />
        {marks.map((mark) => {
          const level = levels.get(mark.id)
          return (
            <g
              key={mark.id}
              className={`wall-machine${mark.online ? '' : ' wall-machine-off'}${level && level <= 2 ? ' wall-machine-alarm' : ''}`}
            >
              <title>{`${mark.name}${mark.online ? '' : ' 离线'}`}</title>
              <circle cx={mark.at[0]} cy={mark.at[1]} r="11" />
              <text x={mark.at[0]} y={mark.at[1] + 4.5}>
                {markOf(mark.family)[0]}
              </text>
            </g>
          )
        })}
      </svg>
      {site && (
        <div className="wall-legend">
          <b>{site.name}</b>
          <span>{site.phaseName ?? site.prjStatusName}</span>
          {[...new Map(marks.map(({ family }) => markOf(family)))].map(([letter, word]) => (
            <span key={letter} className="wall-key">
              <b className="wall-letter">{letter}</b>
              {word}
            </span>
          ))}
          <em>{alarmWords(levels)}</em>
        </div>
      )}
    </Panel>
  )
}
const alarmWords = (levels: ReadonlyMap<string, number>) => {
  const grave = [...levels.values()].filter((level) => level <= 2).length
  return grave ? (
    <>
      <Level level={Math.min(...levels.values())} /> {grave} 台设备有一、二级告警
    </>
  ) : (
    '设备没有一、二级告警'
  )
}
