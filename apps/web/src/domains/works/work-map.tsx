import { isPlaced } from '@zhugong/contract/organisation/place'
import { listWorks, type WorkRow } from '@zhugong/contract/works/calls'
import { everyState, workStates } from '@zhugong/contract/works/moves'
import { type ReactNode, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Empty, Known } from '#kit/feedback.tsx'
import { SiteMap } from '#kit/map.tsx'
import type { MapPoint, PointState } from '#kit/map-props.ts'
import { WorkCard } from './work-board.tsx'

/** Works read at most; they stand on far fewer sites. */
const mostWorks = 500
const shown = everyState.filter((state) => state !== workStates.closed)
/** riskLevel: 1 重大, 2 较大. */
const riskStates: Readonly<Record<string, PointState>> = { 1: 'alarm', 2: 'warning' }

interface Site {
  projectCode: string
  name: string
  lng: number
  lat: number
  works: WorkRow[]
}

/** Works that stand on one site share its place. The rows come gravest first. */
function sitesOf(rows: readonly WorkRow[]): Site[] {
  const sites = new Map<string, Site>()
  for (const row of rows.filter(isPlaced)) {
    const { projectCode, projectName, lng, lat } = row
    const site = sites.get(projectCode)
    if (site) site.works.push(row)
    else sites.set(projectCode, { projectCode, name: projectName, lng, lat, works: [row] })
  }
  return [...sites.values()]
}

/** The colour of the worst risk; a work that lacks what it must have is alarming whatever its level. */
function stateOf(works: readonly WorkRow[]): PointState {
  if (works.some((one) => one.grave !== null)) return 'alarm'
  const [worst = ''] = works.map((one) => one.riskLevel).sort()
  return riskStates[worst] ?? 'normal'
}

const pointOf = ({ projectCode, name, lng, lat, works }: Site, chosen: boolean): MapPoint => ({
  id: projectCode,
  at: [lng, lat],
  state: stateOf(works),
  label: `${name} ${works.length} 项`,
  size: chosen ? 10 : 7,
})

/** Open works on the map, by the risk of their site; a site opens its works. */
export function WorkMap({ scope, toolbar }: { scope: { projectCode: string }; toolbar: ReactNode }) {
  const read = useCall(listWorks, { query: { ...scope, state: shown.join(','), sort: '-urgency', size: mostWorks } }, { quiet: true })
  const [chosen, setChosen] = useState<string>()
  const rows = read.data?.list ?? []
  const sites = sitesOf(rows)
  const site = sites.find((one) => one.projectCode === chosen) ?? (sites.length === 1 ? sites[0] : undefined)
  const unplaced = rows.length - sites.reduce((sum, one) => sum + one.works.length, 0)
  return (
    <div className="work-board-box">
      <div className="zg-row zg-gap-6 work-board-bar">{toolbar}</div>
      <Known of={read} rows={8}>
        <p className="zg-2 work-board-bar">
          {sites.length} 个工地 {rows.length} 项未销项；颜色按工地最高风险（红 重大或手续缺失，黄 较大，绿 其他）
          {unplaced > 0 && `；${unplaced} 项的项目没有坐标，见列表`}
          {read.data && read.data.total > rows.length && `；地图显示最紧要的 ${rows.length} 项，共 ${read.data.total} 项`}
        </p>
        <div className="work-map">
          <div className="zg-card work-map-ground">
            <SiteMap
              label={`危大工程分布，${sites.length} 个工地`}
              height="100%"
              selected={site?.projectCode}
              points={sites.map((one) => pointOf(one, one === site))}
              onPoint={setChosen}
            />
          </div>
          <section className="work-map-side" aria-label={site ? `${site.name}的危大工程` : '所选工地'}>
            {site ? (
              <>
                <h2>
                  {site.name} <span className="zg-2">{site.works.length} 项</span>
                </h2>
                {site.works.map((row) => (
                  <WorkCard key={row.id} row={row} oneProject />
                ))}
              </>
            ) : (
              <Empty
                small
                text={sites.length ? '未选择工地' : '没有未销项的危大工程'}
                hint={sites.length ? '点地图上的工地查看' : undefined}
              />
            )}
          </section>
        </div>
      </Known>
    </div>
  )
}
