import { projectStates } from '@zhugong/contract/organisation/codes'
import type { ProjectRow } from '@zhugong/contract/organisation/model'
import { isPlaced } from '@zhugong/contract/organisation/place'
import { Button } from 'antd'
import { useState } from 'react'
import { Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { SiteMap } from '#kit/map.tsx'
import { stateTones } from './project-words.ts'

export function ProjectMap({ list, total, enter }: { list: readonly ProjectRow[]; total: number; enter: (row: ProjectRow) => void }) {
  const [chosen, setChosen] = useState<string>()
  const placed = list.filter(isPlaced)
  const row = placed.find((p) => p.projectCode === chosen)
  return (
    <div className="org-map zg-card">
      <SiteMap
        label="项目分布"
        height="100%"
        selected={chosen}
        points={placed.map((p) => ({
          id: p.projectCode,
          at: [p.lng, p.lat],
          state: p.openAlarms
            ? 'alarm'
            : p.prjStatus === projectStates.stopped
              ? 'warning'
              : p.prjStatus === projectStates.building
                ? 'normal'
                : 'offline',
          label: p.name,
          size: 7,
        }))}
        onPoint={setChosen}
      />
      <div className="org-map-note zg-2">
        本页 {list.length} 个项目，{list.length - placed.length} 个没有坐标；符合条件共 {total} 个
      </div>
      {row && (
        <section className="org-map-card" aria-label={row.name}>
          <strong>{row.name}</strong>
          <div>
            <Tag tone={stateTones[row.prjStatus] ?? 'neutral'} icon={false}>
              {row.prjStatusName}
            </Tag>{' '}
            {row.areaName} · {row.categoryName}
          </div>
          <div>
            在册 {thousands(row.onSite)} 人，待处理告警 {row.openAlarms}
          </div>
          <div className="zg-2">{row.contractorCorpName}</div>
          <Button type="primary" size="small" onClick={() => enter(row)}>
            进入项目
          </Button>
        </section>
      )}
    </div>
  )
}
