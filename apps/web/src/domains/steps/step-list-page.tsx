import { PlusOutlined } from '@ant-design/icons'
import { itemResults } from '@zhugong/contract/scoring/score'
import { createStep, listSteps, type StepRow, stepList } from '@zhugong/contract/steps/calls'
import { stepKinds, stepWorks } from '@zhugong/contract/steps/chain'
import { stepStates } from '@zhugong/contract/steps/moves'
import { Button, Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, FigureStrip, Tag } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { usePlaceFilter } from '../places/public.tsx'
import { StepGrid } from './step-grid.tsx'
import { EarlyTag, paths, ResultTag, StateTag } from './step-words.tsx'
import './steps.css'

const tabs = [
  { value: '', label: '全部' },
  { value: 'todo', label: '待我处理' },
  { value: 'waiting', label: '待监理验收' },
  { value: 'failed', label: '不合格' },
  { value: 'draft', label: '草稿' },
]

/** Which steps passed the three checks, and which parts wait? */
export default function StepListPage() {
  const grid = usePageQuery().get('view') === 'grid'
  return grid ? <StepGrid views={<Views grid />} /> : <Records />
}

function Views({ grid = false }: { grid?: boolean }) {
  const go = useGo()
  return (
    <Segmented
      options={[
        { value: '', label: '列表' },
        { value: 'grid', label: '楼层 × 工序' },
      ]}
      value={grid ? 'grid' : ''}
      onChange={(view) => go(paths.list, view ? { view } : {})}
    />
  )
}

function Records() {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(stepList, { scope, defaultSort: '-checkTime', tabs: ['tab'], own: ['view'] })
  const { data } = useCall(listSteps, { query: { ...scope, page: 1, size: 1 } }, { quiet: true, keepPrevious: true })
  const columns = useColumns()
  const counts = data?.counts
  const worst = data?.rank[0]
  return (
    <ListShell
      actions={
        <Can call={createStep}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.form)}>
            新建验收
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            {
              label: '待监理验收',
              value: thousands(counts?.waiting),
              unit: '项',
              tone: counts?.waiting ? 'warning' : undefined,
              href: `${paths.list}?tab=waiting`,
            },
            {
              label: '未闭合问题',
              value: thousands(counts?.failed),
              unit: '项',
              tone: counts?.failed ? 'danger' : undefined,
              href: `${paths.list}?tab=failed`,
            },
            { label: '一次通过率', value: counts?.firstPass ?? '--', unit: counts?.firstPass == null ? '' : '%' },
            {
              label: '首位通病',
              value: worst?.name ?? '--',
              remark: worst ? `${worst.count} 次` : undefined,
              href: worst && `${paths.list}?qualityProblem=${worst.code}`,
            },
          ]}
        />
      }
      right={<Ranking rank={data?.rank} />}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="项"
        search={{ key: 'part', placeholder: '部位' }}
        toolbar={
          <>
            <Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />
            <Views />
          </>
        }
        onRow={(row) => go(paths.detail, { id: row.id })}
        emptyHint="按部位逐道工序验收：上一工序通过，下一工序才能验收"
        actions={(row) => [{ label: '查看', href: hrefOf(paths.detail, { id: row.id }) }]}
      />
    </ListShell>
  )
}

/** The most frequent defects. */
function Ranking({ rank }: { rank: readonly { code: string; name: string; count: number }[] | undefined }) {
  const most = rank?.[0]?.count ?? 1
  return (
    <aside className="step-rank">
      <Card title="通病排行">
        <ol>
          {rank?.map((one) => (
            <li key={one.code}>
              <span className="name">
                {one.name} <b>{one.count}</b>
              </span>
              <span className="bar">
                <Filled part={one.count} whole={most} />
              </span>
            </li>
          ))}
        </ol>
        {rank?.length === 0 && <Empty small text="没有不合格" />}
      </Card>
    </aside>
  )
}

function useColumns(): ColumnOf<typeof stepList>[] {
  const dicts = useDicts('qualityProblem', 'itemResult')
  const projectCode = useProjectCode()
  const places = usePlaceFilter(projectCode)
  const states = Object.entries(stepStates).map(([value, label]) => ({ value, label }))
  const kinds = Object.entries(stepKinds).map(([value, label]) => ({ value, label }))
  const works = stepWorks.map(({ code, name }) => ({ value: code, label: name }))
  const all: ColumnOf<typeof stepList>[] = [
    { key: 'code', width: 196, locked: true, filter: 'text', sort: true, value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    { key: 'unitName', width: 110, weak: true, value: (r) => r.unitName },
    { key: 'part', width: 150, filter: 'text', sort: true, value: (r) => r.part },
    {
      key: 'placeName',
      width: 150,
      weak: true,
      filter: places && 'tree-cascader',
      filterKey: 'place',
      tree: places,
      value: (r) => r.placeName,
    },
    { key: 'workName', width: 104, filter: 'multi', filterKey: 'step', options: works, value: (r) => r.workName },
    { key: 'kind', width: 84, filter: 'multi', options: kinds, value: (r) => <Tag icon={false}>{r.kindName}</Tag> },
    {
      key: 'checkTime',
      width: 136,
      sort: true,
      filter: 'date-range',
      value: (r) => <span className="zg-num">{r.checkTime.slice(0, 16)}</span>,
    },
    { key: 'checkers', width: 110, filter: 'text', value: (r) => r.checkers.join('、') },
    { key: 'gang', width: 100, weak: true, value: (r) => r.gang },
    {
      key: 'result',
      width: 120,
      filter: 'multi',
      options: dicts.options('itemResult').filter((one) => one.value === itemResults.right || one.value === itemResults.wrong),
      value: (r) => <ResultTag row={r} />,
    },
    {
      key: 'problems',
      width: 150,
      filter: 'multi',
      filterKey: 'qualityProblem',
      options: dicts.options('qualityProblem'),
      value: (r) => r.problemNames.join('、'),
    },
    { key: 'state', width: 130, keeps: true, filter: 'multi', options: states, value: (r) => <States row={r} /> },
  ]
  return projectCode === '*' ? all : all.filter((column) => column.key !== 'projectName')
}

const States = ({ row }: { row: StepRow }) => (
  <>
    <StateTag row={row} /> <EarlyTag row={row} />
  </>
)
