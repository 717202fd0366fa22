import type { ReadinessRow } from '@zhugong/contract/onboarding/endpoints'
import { isPlaced } from '@zhugong/contract/organisation/place'
import { Button } from 'antd'
import { useState } from 'react'
import { SiteMap } from '#kit/map.tsx'
import { ReadinessBar } from './readiness-bar.tsx'
import type { RowActs } from './row-acts.tsx'
import { stuckSaid } from './step-words.ts'

const stateOf = (row: ReadinessRow) =>
  row.stuck === null ? 'normal' : row.steps.some(({ state }) => state === 'broken') ? 'alarm' : 'warning'

/** Sites of the current page on a map, coloured by onboarding progress. */
export function NavigationMap({ rows, total, acts }: { rows: readonly ReadinessRow[]; total: number; acts: RowActs }) {
  const [chosen, setChosen] = useState<string>()
  const placed = rows.filter(isPlaced)
  const row = placed.find((one) => one.projectCode === chosen)
  return (
    <div className="onb-map zg-card">
      <SiteMap
        label="项目分布与就绪度"
        height="100%"
        selected={chosen}
        points={placed.map((one) => ({
          id: one.projectCode,
          at: [one.lng, one.lat],
          state: stateOf(one),
          label: `${one.name} ${one.readiness}%`,
          size: 7,
        }))}
        onPoint={setChosen}
      />
      <p className="note zg-2">
        本页 {rows.length} 个项目，{rows.length - placed.length} 个没有坐标；符合条件共 {total} 个
      </p>
      {row && (
        <section className="chosen" aria-label={row.name}>
          <strong>{row.name}</strong>
          <ReadinessBar readiness={row.readiness} steps={row.steps} />
          <p>{stuckSaid(row)}</p>
          <Button size="small" onClick={() => acts.details(row)}>
            详情
          </Button>{' '}
          <Button size="small" type="primary" onClick={() => acts.open(row)}>
            进入项目
          </Button>
        </section>
      )}
    </div>
  )
}
