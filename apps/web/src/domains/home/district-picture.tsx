import type { HomeProject } from '@zhugong/contract/home/endpoints'
import { isPlaced, type Place } from '@zhugong/contract/organisation/place'
import { colors } from '#kit/colors.ts'
import { useEnter } from '#kit/enter.ts'
import { riskLevels } from '#kit/format.ts'
import { labelPlaces } from './label-places.ts'

const width = 720
const height = 380
const padding = 70

/** Converts the score of a project's need for a visit to one of four levels. */
export const levelOf = (score: number): 1 | 2 | 3 | 4 => (score >= 60 ? 1 : score >= 40 ? 2 : score >= 20 ? 3 : 4)

type Pin = HomeProject & Place

/** Projects by position, without administrative borders: a sketch of the area, not a map. */
export function DistrictPicture({ projects }: { projects: readonly HomeProject[] }) {
  const enterScope = useEnter()
  const placed = projects.filter(isPlaced)
  const lngs = placed.map((p) => p.lng)
  const lats = placed.map((p) => p.lat)
  const spanX = Math.max(0.01, Math.max(...lngs) - Math.min(...lngs))
  const spanY = Math.max(0.01, Math.max(...lats) - Math.min(...lats))
  const at = (p: Pin) =>
    [
      padding + ((p.lng - Math.min(...lngs)) / spanX) * (width - 2 * padding),
      height - padding - ((p.lat - Math.min(...lats)) / spanY) * (height - 2 * padding),
    ] as const
  const enter = (code: string, name: string) => void enterScope({ projectCode: code, projectName: name }, '/main')
  const byNeed = [...placed].sort((a, b) => b.score - a.score)
  // Projects of level 4 get a small label below their dot, unless another label needs the space.
  const pins = byNeed.map((p) => {
    const [x, y] = at(p)
    const level = levelOf(p.score)
    const label = level === 4 ? p.name : `${p.name} ${p.score}`
    const size = level === 4 ? 12 : 13
    return {
      p,
      x,
      y,
      level,
      label,
      width: [...label].reduce((n, c) => n + (c.charCodeAt(0) > 255 ? size : size * 0.56), level === 4 ? 6 : 18),
    }
  })
  const places = labelPlaces(pins, { width, height: height - 24 })
  return (
    <svg className="home-district" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${placed.length} 个项目的位置示意`}>
      <defs>
        <pattern id="home-grid" width="36" height="36" patternUnits="userSpaceOnUse">
          <path d="M36 0H0V36" fill="none" stroke={colors.hairline} />
        </pattern>
        <filter id="home-soft" filterUnits="userSpaceOnUse" x={-width} y={-height} width={3 * width} height={3 * height}>
          <feGaussianBlur stdDeviation="22" />
        </filter>
      </defs>
      {/* Wider than the drawing, so that the background fills a wide card. */}
      <rect x={-width} width={3 * width} height={height} fill={colors.raised} />
      <Neighbourhoods projects={placed} at={at} />
      <rect x={-width} width={3 * width} height={height} fill="url(#home-grid)" />
      {[...pins.entries()].reverse().map(([i, { p, x, y, level, label, width: labelWidth }]) => {
        const box = places[i]
        if (!box) return null
        if (level === 4) {
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: the same project can be entered from the table below by keyboard
            <g key={p.projectCode} className="home-pin" onClick={() => enter(p.projectCode, p.name)}>
              <circle cx={x} cy={y} r="7" fill="#8FB0EC" stroke={colors.white} strokeWidth="2" />
              <text x={box.x + 3} y={box.y + 17} fontSize="12" fill={colors.text2}>
                {label}
              </text>
            </g>
          )
        }
        const { ground, ink, line: edge } = riskLevels[level]
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
              stroke={level === 3 ? edge : colors.white}
              strokeWidth="1.5"
            />
            <text x={x} y={y + 5} fontSize="14" fontWeight="700" textAnchor="middle" fill={ink}>
              {level}
            </text>
            <rect x={box.x} y={box.y} width={labelWidth} height={box.height} rx="4" fill={colors.white} stroke={edge} />
            <text x={box.x + 9} y={box.y + 17.5} fontSize="13" fontWeight="600" fill={colors.text}>
              {p.name}{' '}
              <tspan fill={riskLevels[level].text} fontWeight="700">
                {p.score}
              </tspan>
            </text>
          </g>
        )
      })}
      <text x={width - 12} y={height - 10} fontSize="12" textAnchor="end" fill={colors.text2}>
        按项目坐标示意，不作边界依据
      </text>
    </svg>
  )
}

/** A soft patch with the district's name around its projects; shows the location without drawing a border. */
function Neighbourhoods({ projects, at }: { projects: readonly Pin[]; at: (p: Pin) => readonly [x: number, y: number] }) {
  const tints = [colors.primaryWash, colors.fineSoft, '#FCEFD9', '#EDE4FA', '#DDF1F4']
  const names = [...new Set(projects.map((p) => p.areaName))].filter(Boolean)
  return names.map((name, i) => {
    const points = projects.filter((p) => p.areaName === name).map(at)
    const top = points.reduce((a, b) => (b[1] < a[1] ? b : a))
    const [sumX, sumY] = points.reduce(([sx, sy], [x, y]) => [sx + x, sy + y], [0, 0])
    const tint = tints[i % tints.length] ?? colors.primaryWash
    return (
      <g key={name}>
        <g filter="url(#home-soft)" stroke={tint} strokeLinecap="round" strokeWidth="120">
          {points.map(([x, y]) => (
            <line key={`${x} ${y}`} x1={x} y1={y} x2={sumX / points.length} y2={sumY / points.length + 0.01} />
          ))}
        </g>
        <text x={Math.max(16, top[0] - 90)} y={Math.max(30, top[1] - 34)} fontSize="15" fontWeight="600" fill="#8A97A8" letterSpacing="2">
          {name}
        </text>
      </g>
    )
  })
}
