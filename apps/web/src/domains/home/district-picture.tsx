import type { HomeProject } from '@zhugong/contract/home/endpoints'
import { useEnter } from '#kit/enter.ts'

const width = 720
const height = 380
const padding = 70
const badge = { 1: ['#C62828', '#fff'], 2: ['#F08C1B', '#1F2937'], 3: ['#FFD21F', '#1F2937'], 4: ['#1558D6', '#fff'] } as const

/** How far a project needs a visit, as one of the four levels, from its score. */
export const levelOf = (score: number): 1 | 2 | 3 | 4 => (score >= 60 ? 1 : score >= 40 ? 2 : score >= 20 ? 3 : 4)

/** Projects where they lie, without any drawn border: a sketch of the area, not a map of its limits. */
export function DistrictPicture({ projects }: { projects: readonly HomeProject[] }) {
  const enterScope = useEnter()
  const placed = projects.filter((p) => p.lng > 0)
  const lngs = placed.map((p) => p.lng)
  const lats = placed.map((p) => p.lat)
  const spanX = Math.max(0.01, Math.max(...lngs) - Math.min(...lngs))
  const spanY = Math.max(0.01, Math.max(...lats) - Math.min(...lats))
  const at = (p: HomeProject) =>
    [
      padding + ((p.lng - Math.min(...lngs)) / spanX) * (width - 2 * padding),
      height - padding - ((p.lat - Math.min(...lats)) / spanY) * (height - 2 * padding),
    ] as const
  const enter = (code: string, name: string) => void enterScope({ projectCode: code, projectName: name }, '/main')
  return (
    <svg className="home-district" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${placed.length} 个项目的位置示意`}>
      <defs>
        <pattern id="home-grid" width="36" height="36" patternUnits="userSpaceOnUse">
          <path d="M36 0H0V36" fill="none" stroke="#E3E8EF" />
        </pattern>
      </defs>
      <rect width={width} height={height} fill="#F7F9FC" />
      <rect width={width} height={height} fill="url(#home-grid)" />
      {[...placed]
        .sort((a, b) => a.score - b.score)
        .map((p) => {
          const [x, y] = at(p)
          const level = levelOf(p.score)
          if (level === 4) {
            return (
              <g key={p.projectCode}>
                <circle cx={x} cy={y} r="6" fill="#8FB0EC" />
                <text x={x} y={y + 22} fontSize="12" textAnchor="middle" fill="#5B6576">
                  {p.name}
                </text>
              </g>
            )
          }
          const [ground, ink] = badge[level]
          const label = `${p.name}  ${p.score}`
          const labelWidth = [...label].reduce((n, c) => n + (c.charCodeAt(0) > 255 ? 13 : 7.4), 18)
          const right = x + 20 + labelWidth > width
          const lx = right ? x - 20 - labelWidth : x + 20
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the same project can be entered from the table below by keyboard
            <g key={p.projectCode} className="home-pin" onClick={() => enter(p.projectCode, p.name)}>
              {level <= 2 && <circle cx={x} cy={y} r="20" fill={ground} opacity=".18" />}
              <rect
                x={x - 11}
                y={y - 11}
                width="22"
                height="22"
                rx="4"
                fill={ground}
                stroke={level === 3 ? '#A97F00' : '#fff'}
                strokeWidth="1.5"
              />
              <text x={x} y={y + 5} fontSize="14" fontWeight="700" textAnchor="middle" fill={ink}>
                {level}
              </text>
              <rect x={lx} y={y - 13} width={labelWidth} height="26" rx="4" fill="#fff" stroke={ground} />
              <text x={lx + 9} y={y + 4.5} fontSize="13" fontWeight="600" fill="#1F2937">
                {label}
              </text>
            </g>
          )
        })}
      <text x={width - 12} y={height - 10} fontSize="12" textAnchor="end" fill="#5B6576">
        辖区示意图，不作边界依据
      </text>
    </svg>
  )
}
