import { PlusOutlined } from '@ant-design/icons'
import { createHazard, listHazards } from '@zhugong/contract/hazards/calls'
import { createPermit } from '@zhugong/contract/hazards/permits'
import { Button, Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import type { Around } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { HazardTable } from './hazard-table.tsx'
import { paths } from './hazard-words.tsx'
import { PermitTable } from './permit-table.tsx'
import { RiskMap } from './risk-map.tsx'
import './hazards.css'

const views = [
  { value: 'source', label: '危险源清单' },
  { value: 'permit', label: '作业票' },
  { value: 'map', label: '四色图' },
]

/** Which dangers are live today, who controls them, and which permits run now? */
export default function HazardListPage() {
  const query = usePageQuery()
  const go = useGo()
  const view = query.get('view') === 'map' ? 'map' : query.get('kind') === 'permit' ? 'permit' : 'source'
  const around: Around = {
    actions: (
      <>
        <Can call={createPermit}>
          <Button icon={<PlusOutlined />} onClick={() => go(paths.form, { kind: 'permit' })}>
            开作业票
          </Button>
        </Can>
        <Can call={createHazard}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.form)}>
            新建危险源
          </Button>
        </Can>
      </>
    ),
    strip: <Strip />,
    views: (
      <Segmented
        options={views}
        value={view}
        onChange={(next) => go(paths.list, next === 'map' ? { view: 'map' } : next === 'permit' ? { kind: 'permit' } : {})}
      />
    ),
  }
  if (view === 'map') return <RiskMap around={around} />
  return view === 'permit' ? <PermitTable around={around} /> : <HazardTable around={around} />
}

function Strip() {
  const scope = useProjectScope()
  const { data } = useCall(listHazards, { query: { ...scope, page: 1, size: 1 } }, { quiet: true, keepPrevious: true, everyMs: 60_000 })
  const permits = data?.permits
  return (
    <FigureStrip
      loading={!data}
      items={[
        {
          label: '一级风险',
          value: thousands(data?.counts.first),
          unit: '处',
          tone: data?.counts.first ? 'danger' : undefined,
          href: `${paths.list}?riskLevel=1&live=true`,
        },
        { label: '二级风险', value: thousands(data?.counts.second), unit: '处', href: `${paths.list}?riskLevel=2&live=true` },
        {
          label: '巡查逾期',
          value: thousands(data?.counts.overdue),
          unit: '处',
          tone: data?.counts.overdue ? 'warning' : undefined,
          href: `${paths.list}?overdue=true`,
        },
        { label: '今日作业票', value: thousands(permits?.today), unit: '张', href: `${paths.list}?kind=permit&tab=today` },
        { label: '作业中', value: thousands(permits?.running), unit: '张', href: `${paths.list}?kind=permit&state=3` },
        {
          label: '超时未关闭',
          value: thousands(permits?.overdue),
          unit: '张',
          tone: permits?.overdue ? 'danger' : undefined,
          href: `${paths.list}?kind=permit&state=6`,
        },
      ]}
    />
  )
}
