import { PlusOutlined } from '@ant-design/icons'
import { activityList, createActivity, listActivities } from '@zhugong/contract/experts/activities'
import { halves } from '@zhugong/contract/experts/draws'
import { activityStates } from '@zhugong/contract/experts/moves'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ActivityCalendar } from './activity-calendar.tsx'
import { ActivityDrawer } from './activity-drawer.tsx'
import { ActivityView } from './activity-view.tsx'
import { inDays, today } from './days.ts'
import { ActivityStateTag } from './expert-words.tsx'
import './experts.css'

const path = '/person/expert/dailyActivity'
const states = Object.entries(activityStates).map(([value, label]) => ({ value, label }))
const views = [
  { value: 'list', label: '列表' },
  { value: 'calendar', label: '日历' },
]

/** Which reviews, checks and lessons take place, who came, and was the outcome filed? */
export default function ActivityPage() {
  const query = usePageQuery()
  const scope = useProjectScope()
  const list = useListPage(activityList, { scope, own: ['id', 'drawId', 'view'] })
  const { data } = useCall(listActivities, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const [view, setView] = useState('list')
  const [opened, setOpened] = useState(query.get('id') ?? undefined)
  const [creating, setCreating] = useState(query.get('drawId') !== null)
  const columns = useColumns()
  const toolbar = <Segmented options={views} value={view} onChange={setView} />
  const figure = (label: string, count: number | undefined, filter: string, tone?: 'warning') => ({
    label,
    value: thousands(count),
    unit: '场',
    tone: count ? tone : undefined,
    href: `${path}?${filter}`,
  })
  return (
    <ListShell
      actions={
        <Can call={createActivity}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => setCreating(true)}>
            新建活动
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            figure('未来 7 日', counts?.week, `date=${today()},${inDays(6)}`),
            figure('待召开与进行中', counts?.coming, 'state=1,2'),
            figure('待归档', counts?.unfiled, 'state=3', 'warning'),
            figure('已完成', counts?.done, 'state=4'),
          ]}
        />
      }
    >
      {view === 'calendar' ? (
        <ActivityCalendar toolbar={toolbar} onOpen={setOpened} />
      ) : (
        <DataTable
          list={list}
          columns={columns}
          unit="场"
          search={{ key: 'title', placeholder: '活动名称' }}
          toolbar={toolbar}
          onRow={(row) => setOpened(row.id)}
          emptyHint="还没有活动：抽取专家后从抽取记录新建"
          actions={(row) => [{ label: '办理', onClick: () => setOpened(row.id) }]}
        />
      )}
      {opened && <ActivityView id={opened} onClose={() => setOpened(undefined)} />}
      {creating && <ActivityDrawer drawId={query.get('drawId') ?? undefined} onClose={() => setCreating(false)} onMade={setOpened} />}
    </ListShell>
  )
}

function useColumns(): ColumnOf<typeof activityList>[] {
  const dicts = useDicts('expertActivityType')
  return [
    { key: 'code', width: 140, hidden: true, sort: true, value: (r) => <span className="zg-num">{r.code}</span> },
    { key: 'date', width: 132, locked: true, sort: true, filter: 'date-range', value: (r) => `${r.date} ${halves[r.half]}` },
    { key: 'activityType', width: 116, filter: 'multi', options: dicts.options('expertActivityType'), value: (r) => r.typeName },
    { key: 'title', width: 230, filter: 'text', value: (r) => r.title },
    { key: 'projectName', width: 180, filter: 'text', value: (r) => r.projectName },
    { key: 'place', width: 130, weak: true, value: (r) => r.place },
    {
      key: 'drawCode',
      width: 140,
      value: (r) =>
        r.drawId && (
          <Link to={hrefOf('/person/expert/list', { tab: 'draws', drawId: r.drawId })} onClick={(event) => event.stopPropagation()}>
            {r.drawCode}
          </Link>
        ),
    },
    { key: 'signed', width: 76, align: 'right', value: (r) => `${r.signed} / ${r.experts}` },
    { key: 'resultName', width: 100, value: (r) => r.resultName },
    { key: 'hasReport', width: 68, filter: 'checkbox-empty', value: (r) => (r.hasReport ? '有' : undefined) },
    { key: 'scored', width: 84, weak: true, align: 'right', value: (r) => r.scored || undefined },
    { key: 'organiserName', width: 150, weak: true, value: (r) => r.organiserName },
    { key: 'state', width: 92, keeps: true, filter: 'multi', options: states, value: (r) => <ActivityStateTag row={r} /> },
  ]
}
