import { findSprayRuns } from '@zhugong/contract/monitoring/environment/environment-lists'
import { sprayRunOf, sprayTriggers } from '@zhugong/contract/telemetry/known-records'
import { useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Card } from '#kit/feedback.tsx'
import { Swatch } from '#kit/filled.tsx'
import { shortTime, time } from '#kit/format.ts'
import { BandAxis } from '../band-axis.tsx'
import type { FamilyScope } from '../family-scope.tsx'
import '../family.css'

const most = 1_000
const look: Readonly<Record<string, { fill: string }>> = {
  linkage: { fill: colors.primary },
  timer: { fill: colors.primarySoft },
  manual: { fill: colors.amber },
}
const rowPx = 22

/** One band per spray line; colour and text tell what started each run. */
export function SprayBands({ scope }: { scope: FamilyScope }) {
  const { data } = useCall(findSprayRuns, { query: { ...scope.query, size: most, sort: 'startTime' } }, { quiet: true, keepPrevious: true })
  const runs = (data?.list ?? []).map((row) => ({ name: row.deviceName, ...sprayRunOf(row) }))
  const lines = [...new Set(runs.map((one) => one.name))].sort((a, b) => a.localeCompare(b, 'zh', { numeric: true }))
  if (scope.projectCode === '*' || lines.length === 0) return null
  const { from, to } = scope.period
  const share = (at: number) => ((Math.min(to, Math.max(from, at)) - from) / (to - from)) * 100
  return (
    <Card
      title="运行时段"
      remark={data && data.total > most ? `仅画出最早的 ${most} 次` : scope.words}
      actions={
        <span className="zg-2">
          {Object.entries(sprayTriggers).map(([key, label]) => (
            <span key={key} className="fam-key">
              <Swatch color={look[key]?.fill ?? colors.text3} />
              {label}
            </span>
          ))}
        </span>
      }
    >
      {lines.map((name) => (
        <div key={name} className="fam-band">
          <span className="zg-2 label">{name}</span>
          <svg
            width="100%"
            height={rowPx - 6}
            preserveAspectRatio="none"
            viewBox="0 0 100 10"
            role="img"
            aria-label={`${name} ${runs.filter((one) => one.name === name).length} 次`}
          >
            <rect width={100} height={10} fill={colors.sunken} />
            {runs
              .filter((one) => one.name === name)
              .map((one) => {
                const how = look[one.trigger ?? ''] ?? { fill: colors.text3 }
                return (
                  <rect
                    key={one.startTime}
                    x={share(one.startTime)}
                    width={Math.max(0.25, share(one.endTime) - share(one.startTime))}
                    height={10}
                    fill={how.fill}
                  >
                    <title>
                      {time(one.startTime)} 至 {shortTime(one.endTime)} {sprayTriggers[one.trigger ?? ''] ?? ''}
                    </title>
                  </rect>
                )
              })}
          </svg>
        </div>
      ))}
      <BandAxis from={from} to={to} />
    </Card>
  )
}
