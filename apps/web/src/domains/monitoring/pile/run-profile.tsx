import type { PileKind } from '@zhugong/contract/monitoring/pile/pile-kinds'
import { leanLimit, pileLine } from '@zhugong/contract/monitoring/pile/piles'
import { useMemo } from 'react'
import { useCall } from '#kit/call.ts'
import { Panel } from '#kit/feedback.tsx'
import '../monitoring.css'
import './pile.css'
import { PileSection } from './pile-section.tsx'
import { barsOf, lineMetrics, metresOf } from './pile-state.ts'

/** Current limit used without a rule in force, A. */
const usualCurrent = 300

interface Run {
  deviceId: string
  name: string
  from: number
  to: number
  finalDepth: number | null
  maxVerticality: number | null
}

/** A finished pile by metre, as long as its readings are kept. */
export function RunProfile({
  run,
  kind,
  designDepth,
  designGrout,
  designPressure,
}: {
  run: Run
  kind: PileKind
  designDepth: number | null
  designGrout: number | null
  designPressure: number | null
}) {
  const { deviceId, from, to, finalDepth } = run
  const line = useCall(
    pileLine,
    { query: { deviceId, startTime: String(from), endTime: String(to), metrics: lineMetrics, points: 1000 } },
    { quiet: true, staleMs: 600_000 },
  )
  const metres = useMemo(() => metresOf(line.data?.list ?? [], designDepth ?? finalDepth ?? 0), [line.data, designDepth, finalDepth])
  if ((line.data?.list.length ?? 0) === 0) return null
  return (
    <div className="mon pile-then">
      <Panel title="成桩剖面">
        <PileSection
          name={run.name}
          metres={metres}
          depth={finalDepth ?? undefined}
          designDepth={designDepth ?? undefined}
          lean={run.maxVerticality ?? undefined}
          leanLimit={leanLimit}
          stale={false}
          bars={barsOf(kind, { current: usualCurrent, grout: designGrout ?? undefined, pressure: designPressure ?? undefined })}
        />
      </Panel>
    </div>
  )
}
