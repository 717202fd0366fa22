import type { FireDashboard } from '@zhugong/contract/fire/dashboard'
import { nearDays } from '@zhugong/contract/fire/deadline'
import type { Feed } from './hub.ts'
import { Panel, type Tone } from './panel.tsx'
import { apart } from './panels/plane.ts'

const [width, height] = [936, 476]
const [mx, my] = [110, 60]
/** Minimum distance of two marks, including their labels. */
const leastApart = 58

/** Colour of a case by the working days that are left. */
export const toneOfDays = (left: number | null): Tone =>
  left === null ? 'accent' : left < 0 ? 'alarm' : left <= nearDays ? 'warning' : 'fine'
const legend: readonly { tone: Tone; word: string }[] = [
  { tone: 'alarm', word: '超期' },
  { tone: 'warning', word: `剩 ${nearDays} 个工作日以内` },
  { tone: 'fine', word: '时限内' },
  { tone: 'accent', word: '未计时限' },
]

type Spot = FireDashboard['spots'][number]
interface Placed {
  projectCode: string
  name: string
  cases: Spot[]
  x: number
  y: number
}

/** Open cases by their sites, scaled to the panel; a site with several shows its most urgent one. */
function placed(spots: readonly Spot[]): Placed[] {
  const known = spots.filter((one): one is Spot & { lng: number; lat: number } => one.lng !== null && one.lat !== null && one.lng !== 0)
  const sites = [...Map.groupBy(known, (one) => one.projectCode)].map(([projectCode, cases]) => ({ projectCode, cases, at: cases[0] }))
  const lngs = known.map((one) => one.lng)
  const lats = known.map((one) => one.lat)
  const [west, east, south, north] = [Math.min(...lngs), Math.max(...lngs), Math.min(...lats), Math.max(...lats)]
  const wide = Math.max(0.004, east - west)
  const tall = Math.max(0.004, north - south)
  const points = sites.flatMap(({ projectCode, cases, at }) =>
    at
      ? [
          {
            projectCode,
            cases,
            name: at.projectName,
            at: [mx + ((at.lng - west) / wide) * (width - 2 * mx), height - my - ((at.lat - south) / tall) * (height - 2 * my)] as const,
          },
        ]
      : [],
  )
  return apart(points, leastApart).map(({ projectCode, cases, name, at: [x, y] }) => ({ projectCode, cases, name, x, y }))
}

const urgency = (left: number | null) => left ?? 1_000
const short = (name: string) => (name.length > 12 ? `${name.slice(0, 11)}…` : name)

export function FireMap({ feed, everyMs, spots }: { feed: Feed; everyMs: number; spots: FireDashboard['spots'] }) {
  const sites = placed(spots)
  return (
    <Panel
      title="在办分布"
      remark={`${spots.length} 件在办`}
      feeds={[feed]}
      everyMs={everyMs}
      empty={spots.length === 0 && '没有在办的申请'}
    >
      <svg className="wall-map" viewBox={`0 0 ${width} ${height}`} role="group" aria-label={`${sites.length} 个项目的位置示意`}>
        {sites.map(({ projectCode, cases, name, x, y }) => {
          const worst = cases.toSorted((a, b) => urgency(a.daysLeft) - urgency(b.daysLeft))[0]
          const tone = toneOfDays(worst?.daysLeft ?? null)
          const go = () =>
            void window.open(`/fireProtection/assessment?projectName=${encodeURIComponent(name)}&state=1,3,4,5`, '_blank', 'noopener')
          return (
            <g
              key={projectCode}
              className={`fire-site fire-site-${tone}`}
              role="button"
              tabIndex={0}
              aria-label={`${cases.length} ${name}`}
              onClick={go}
              onKeyDown={(event) => event.key === 'Enter' && go()}
            >
              <circle cx={x} cy={y} r="15" />
              <text className="fire-site-count" x={x} y={y + 6}>
                {cases.length}
              </text>
              <text className="fire-site-name" x={x} y={y + 36}>
                {short(name)}
              </text>
            </g>
          )
        })}
      </svg>
      <div className="wall-legend">
        {legend.map((one) => (
          <span key={one.tone} className={`wall-key wall-${one.tone}`}>
            ● {one.word}
          </span>
        ))}
        <em>位置示意，不作边界依据</em>
      </div>
    </Panel>
  )
}
