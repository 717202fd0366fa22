import { PlusOutlined } from '@ant-design/icons'
import { createWork, listWorks, type WorkRow, workList } from '@zhugong/contract/works/calls'
import { monitorStates, workGaps } from '@zhugong/contract/works/moves'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Notice, RiskBadge, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { NoticeStack } from '#kit/notice-stack.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ZipButton } from '#kit/zip-button.tsx'
import { WorkBoard } from './work-board.tsx'
import { WorkMap } from './work-map.tsx'
import { Gaps, MonitorTag, paths, WorkStateTag } from './work-words.tsx'
import './works.css'

const tabs = [
  { value: '', label: '全部' },
  { value: 'mine', label: '待我办理' },
  { value: 'open', label: '未验收' },
  { value: 'done', label: '已验收' },
]
const views = [
  { value: 'list', label: '列表' },
  { value: 'board', label: '看板' },
  { value: 'map', label: '地图' },
] as const
type View = (typeof views)[number]['value']

/** Where do dangerous works run now, and which of them without a passed plan, monitoring or acceptance? */
export default function WorkListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const [view, setView] = useState<View>('list')
  const list = useListPage(workList, { scope, defaultSort: '-urgency', tabs: ['tab'] })
  const { data } = useCall(listWorks, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const columns = useColumns()
  const figure = (label: string, count: number | undefined, query: string, tone?: 'danger' | 'warning') => ({
    label,
    value: thousands(count),
    unit: '项',
    tone: count ? tone : undefined,
    href: `${paths.list}?${query}`,
  })
  const register = (
    <Can call={createWork}>
      <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.edit)}>
        登记危大工程
      </Button>
    </Can>
  )
  const toolbar = (
    <>
      <Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />
      <Segmented options={[...views]} value={view} onChange={setView} />
    </>
  )
  return (
    <ListShell
      actions={register}
      above={<Suspects rows={data?.suspects ?? []} />}
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            figure('实施中', counts?.running, 'state=6'),
            figure('超规模', counts?.overScale, 'overScale=true&tab=open', 'warning'),
            figure('手续缺项', counts?.lacking, 'lacking=true', 'danger'),
            figure('监测告警', counts?.alarming, 'monitorState=alarm', 'danger'),
          ]}
        />
      }
    >
      {view === 'board' ? (
        <WorkBoard scope={scope} toolbar={toolbar} oneProject={oneProject} />
      ) : view === 'map' ? (
        <WorkMap scope={scope} toolbar={toolbar} />
      ) : (
        <DataTable
          list={list}
          columns={columns.filter((column) => !(column.key === 'projectName' && oneProject))}
          unit="项"
          search={{ key: 'name', placeholder: '危大工程名称' }}
          toolbar={toolbar}
          rowClass={(row) => (row.grave ? 'work-grave' : '')}
          onRow={(row) => go(paths.detail, { id: row.id })}
          emptyHint="还没有危大工程：由施工单位从“登记危大工程”开始"
          filterWords={{
            overScale: { title: '超规模', words: { true: '超规模', false: '未超' } },
            lacking: { title: '手续', words: { true: '有缺项' } },
            openRectify: { title: '整改', words: { true: '有未闭合' } },
          }}
          selection={{
            unit: '项',
            actions: (rows, clear) => (
              <ZipButton
                feature="bigprojectFile"
                query={{ ids: rows.map((row) => row.id) }}
                count={rows.length}
                label="下载档案"
                onDone={clear}
              />
            ),
          }}
          actions={(row) => [{ label: row.mine ? '办理' : '查看', href: hrefOf(paths.detail, { id: row.id }) }]}
        />
      )}
    </ListShell>
  )
}

interface Suspect {
  projectCode: string
  projectName: string
  what: string
  devices: number
}

/** Sites whose devices watch something that nobody has registered. */
function Suspects({ rows }: { rows: readonly Suspect[] }) {
  if (rows.length === 0) return null
  return (
    <NoticeStack>
      {rows.map((one) => (
        <Notice key={`${one.projectCode}${one.what}`} tone="warning">
          疑似未登记：{one.projectName} 有 {one.devices} 台{one.what}监测设备，但没有登记{one.what}危大工程{' '}
          <Link to={hrefOf('/administration', { projectCode: one.projectCode })}>查看设备</Link>
        </Notice>
      ))}
    </NoticeStack>
  )
}

function useColumns(): ColumnOf<typeof workList>[] {
  const dicts = useDicts('hazardCategory', 'riskLevel', 'bigProjectState')
  const named = (words: Readonly<Record<string, string>>) => Object.entries(words).map(([value, label]) => ({ value, label }))
  return [
    { key: 'code', width: 150, hidden: true, value: (r) => r.code },
    { key: 'projectName', width: 140, value: (r) => r.projectName },
    { key: 'name', width: 190, locked: true, filter: 'text', value: (r) => <Named row={r} /> },
    { key: 'category', width: 130, weak: true, filter: 'tree-cascader', tree: dicts.tree('hazardCategory'), value: (r) => r.categoryName },
    {
      key: 'overScale',
      width: 86,
      filter: 'single',
      options: [
        { value: 'true', label: '超规模' },
        { value: 'false', label: '未超' },
      ],
      value: (r) => (r.overScale ? <Tag tone="danger">超规模</Tag> : <span className="zg-2">未超</span>),
    },
    {
      key: 'riskLevel',
      width: 104,
      sort: true,
      filter: 'multi',
      options: dicts.options('riskLevel'),
      value: (r) => <RiskBadge level={r.riskLevel} />,
    },
    { key: 'part', width: 120, weak: true, filter: 'text', value: (r) => r.part },
    { key: 'size', width: 120, weak: true, value: (r) => r.size || '--' },
    { key: 'constructionName', width: 150, weak: true, filter: 'text', value: (r) => r.subName ?? r.constructionName },
    { key: 'planStartDate', width: 104, sort: true, filter: 'date-range', value: (r) => r.planStartDate },
    { key: 'actualStartDate', width: 104, filter: 'date-range', value: (r) => r.actualStartDate ?? '--' },
    { key: 'gaps', width: 130, keeps: true, filter: 'multi', options: named(workGaps), value: (r) => <Gaps gaps={r.gaps} /> },
    {
      key: 'monitorState',
      width: 84,
      keeps: true,
      filter: 'multi',
      options: named(monitorStates),
      value: (r) => <MonitorTag state={r.monitorState} />,
    },
    {
      key: 'openRectify',
      width: 104,
      align: 'right',
      filter: 'single',
      options: [{ value: 'true', label: '有未闭合' }],
      value: (r) => (r.openRectify ? <span className="tone-danger">{r.openRectify}</span> : <span className="zg-2">0</span>),
    },
    {
      key: 'state',
      width: 132,
      keeps: true,
      filter: 'multi',
      options: dicts.options('bigProjectState'),
      value: (r) => <WorkStateTag row={r} />,
    },
    { key: 'stateDays', width: 96, align: 'right', sort: true, hidden: true, value: (r) => r.stateDays },
  ]
}

/** The name, and beneath it why the work stands on top. */
function Named({ row }: { row: WorkRow }) {
  return (
    <span className="work-named">
      {row.name}
      {row.grave && <small className="tone-danger">{row.grave}</small>}
    </span>
  )
}
