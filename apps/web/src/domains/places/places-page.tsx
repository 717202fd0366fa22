import { type PlaceKind, placeKinds, placeWords } from '@zhugong/contract/places/kinds'
import { createPlace, listPlaces, type SitePlace } from '@zhugong/contract/places/places'
import { type PlaceNode, treeOf } from '@zhugong/contract/places/tree'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { Card, DetailSkeleton, Empty, ErrorPanel } from '#kit/feedback.tsx'
import { useProjectCode } from '#kit/me.ts'
import { usePageParam } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import type { SideNode } from '#kit/side-node.ts'
import { SidePanel } from '#kit/side-panel.tsx'
import { PlaceCard } from './place-card.tsx'
import { NewPlace } from './place-forms.tsx'
import { SeriesDrawer } from './series-drawer.tsx'
import { UnitTable } from './unit-table.tsx'
import './places.css'

/** Units of the works and the tree of places of one site: what records name to say where something is. */
export default function PlacesPage() {
  const chosen = useProjectCode()
  const projectCode = usePageParam('projectCode') || chosen
  if (projectCode === '*') return <ProjectPicker why="维护哪个项目的单体与部位" />
  return <Editor key={projectCode} projectCode={projectCode} />
}

const sideOf = (nodes: readonly PlaceNode[]): SideNode[] =>
  nodes.map(({ id: key, name, archived, children }) => ({
    key,
    title: archived ? `${name}（停用）` : name,
    ...(children.length > 0 ? { count: children.length, children: sideOf(children) } : {}),
  }))

function Editor({ projectCode }: { projectCode: string }) {
  const read = useCall(listPlaces, { query: { projectCode } }, { quiet: true })
  const may = useCan(createPlace, { projectCode })
  const [selected, setSelected] = useState<string>()
  const [adding, setAdding] = useState<{ kind: PlaceKind; parent: SitePlace | null }>()
  const [making, setMaking] = useState<{ building: SitePlace | null }>()
  const list = read.data?.list
  const tree = useMemo(() => treeOf(list ?? []), [list])
  const nodes = useMemo(() => sideOf(tree), [tree])
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data || !list) return <DetailSkeleton />
  const place = list.find((one) => one.id === selected)
  return (
    <div className="zg-page">
      <div className="zg-body place-body">
        <SidePanel
          title="部位"
          nodes={nodes}
          all={{ title: '全部', count: list.filter((one) => !one.archived).length }}
          selected={selected}
          onSelect={setSelected}
          searchPlaceholder="搜索部位"
          closed
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <section className="place-editor" aria-label={place?.fullName ?? '全部部位'} tabIndex={0}>
          {place ? (
            <PlaceCard
              key={place.id}
              projectCode={projectCode}
              place={place}
              list={list}
              plans={read.data.plans}
              may={may}
              onSelect={setSelected}
              onAdd={(kind) => setAdding({ kind, parent: place })}
              onSeries={() => setMaking({ building: place })}
            />
          ) : (
            <>
              <Overview
                list={list}
                plans={read.data.plans.length}
                may={may}
                onAdd={(kind) => setAdding({ kind, parent: null })}
                onSeries={() => setMaking({ building: null })}
              />
              <UnitTable projectCode={projectCode} />
            </>
          )}
        </section>
      </div>
      {adding && (
        <NewPlace
          projectCode={projectCode}
          kind={adding.kind}
          parent={adding.parent}
          onClose={() => setAdding(undefined)}
          onMade={setSelected}
        />
      )}
      {making && (
        <SeriesDrawer projectCode={projectCode} building={making.building} onClose={() => setMaking(undefined)} onMade={setSelected} />
      )}
    </div>
  )
}

interface OverviewProps {
  list: readonly SitePlace[]
  plans: number
  may: boolean
  onAdd: (kind: PlaceKind) => void
  onSeries: () => void
}

/** What the tree holds, and how it begins. */
function Overview({ list, plans, may, onAdd, onSeries }: OverviewProps) {
  const used = list.filter((one) => !one.archived)
  const counts = placeKinds.map((kind) => ({ kind, n: used.filter((one) => one.kind === kind).length })).filter(({ n }) => n > 0)
  return (
    <Card
      title="部位树"
      remark={counts.length > 0 ? [...counts.map(({ kind, n }) => `${placeWords[kind]} ${n}`), `平面图 ${plans}`].join(' · ') : undefined}
    >
      {used.length === 0 && <Empty small text="还没有部位" hint="先按楼栋批量生成楼层和房间，再加基坑、塔吊区、加工区、生活区等区域" />}
      {used.length > 0 && <p className="zg-2">检查、整改和安全措施按部位填写。选中左侧的楼层或区域可以上传平面图、复制房间。</p>}
      {may ? (
        <div className="place-acts">
          <Button type="primary" onClick={onSeries}>
            批量生成楼栋
          </Button>
          <Button onClick={() => onAdd('building')}>新增楼栋</Button>
          <Button onClick={() => onAdd('area')}>新增区域</Button>
        </div>
      ) : (
        <p className="zg-2">由项目部和总承包单位维护，此处只供查看。</p>
      )}
    </Card>
  )
}
