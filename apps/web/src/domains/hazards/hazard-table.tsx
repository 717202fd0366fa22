import { type HazardRow, hazardList, listHazards } from '@zhugong/contract/hazards/calls'
import { controlLevels, draftHazard, hazardStates } from '@zhugong/contract/hazards/moves'
import { Segmented } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, RiskBadge } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { type Around, ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ZipButton } from '#kit/zip-button.tsx'
import { usePlaceFilter } from '../places/public.tsx'
import { HazardTag, paths } from './hazard-words.tsx'

const tabs = [
  { value: '', label: '全部' },
  { value: 'todo', label: '待我处理' },
  { value: 'draft', label: '草稿' },
]

/** The hazards of the sites. */
export function HazardTable({ around }: { around: Around }) {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(hazardList, { scope, defaultSort: 'riskLevel', tabs: ['tab'], own: ['kind', 'view'] })
  const columns = useColumns()
  return (
    <ListShell actions={around.actions} strip={around.strip} above={<Ranking />}>
      <DataTable
        list={list}
        columns={columns}
        unit="处"
        search={{ key: 'name', placeholder: '危险源' }}
        toolbar={
          <>
            {around.views}
            <Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />
          </>
        }
        onRow={(row) => go(paths.detail, { id: row.id })}
        emptyHint="辨识现场的危险源，评价等级，定责任人和巡查频次"
        filterWords={{
          overdue: { title: '巡查', words: { true: '已逾期' } },
          live: { title: '管控', words: { true: '未解除' } },
        }}
        selection={{
          unit: '处',
          disabled: (row) => row.state === draftHazard,
          actions: (rows, clear) => (
            <ZipButton
              feature="hazardCard"
              label="打印风险告知牌"
              query={{ ids: rows.map((row) => row.id) }}
              count={rows.length}
              onDone={clear}
            />
          ),
        }}
        actions={(row) => [{ label: '查看', href: hrefOf(paths.detail, { id: row.id }) }]}
      />
    </ListShell>
  )
}

/** Sites by their live hazards of level 1 and 2, for whoever looks at several. */
function Ranking() {
  const scope = useProjectScope()
  const { data } = useCall(
    listHazards,
    { query: { ...scope, page: 1, size: 1 } },
    { quiet: true, keepPrevious: true, enabled: scope.projectCode === '*' },
  )
  if (scope.projectCode !== '*' || !data?.rank.length) return null
  return (
    <Card title="一、二级风险项目排序" className="hazard-rank">
      <ol>
        {data.rank.map((one) => (
          <li key={one.projectCode}>
            <span>{one.projectName}</span>
            <b className={one.first > 0 ? 'tone-danger' : undefined}>一级 {one.first}</b>
            <b>二级 {one.second}</b>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function useColumns(): ColumnOf<typeof hazardList>[] {
  const dicts = useDicts('hazardSource', 'riskLevel')
  const projectCode = useProjectCode()
  const places = usePlaceFilter(projectCode)
  const states = Object.entries(hazardStates).map(([value, label]) => ({ value, label }))
  const controls = Object.entries(controlLevels).map(([value, label]) => ({ value, label }))
  const all: ColumnOf<typeof hazardList>[] = [
    { key: 'name', width: 170, locked: true, filter: 'text', sort: true, value: (r) => r.name },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    {
      key: 'riskLevel',
      width: 96,
      keeps: true,
      sort: true,
      filter: 'multi',
      options: dicts.options('riskLevel'),
      value: (r) => <RiskBadge level={r.riskLevel} />,
    },
    {
      key: 'hazardSource',
      width: 160,
      filter: 'multi',
      options: dicts.options('hazardSource'),
      value: (r) => r.hazardSourceNames.join('、'),
    },
    { key: 'part', width: 140, filter: 'text', value: (r) => r.part },
    {
      key: 'placeName',
      width: 140,
      weak: true,
      filter: places && 'tree-cascader',
      filterKey: 'place',
      tree: places,
      value: (r) => r.placeName,
    },
    { key: 'score', width: 84, align: 'right', weak: true, sort: true, value: (r) => <span className="zg-num">{r.score}</span> },
    { key: 'controlLevel', width: 96, filter: 'multi', options: controls, value: (r) => r.controlLevelName },
    { key: 'corpName', width: 150, weak: true, value: (r) => r.corpName },
    { key: 'responsible', width: 96, filter: 'text', value: (r) => r.responsible },
    { key: 'checkEvery', width: 124, align: 'right', weak: true, value: (r) => r.checkEvery },
    {
      key: 'lastCheck',
      width: 136,
      sort: true,
      filter: 'date-range',
      value: (r) => r.lastCheck && <span className="zg-num">{r.lastCheck.slice(0, 16)}</span>,
    },
    { key: 'nextCheck', width: 150, sort: true, value: (r) => <NextCheck row={r} /> },
    {
      key: 'bigProjectName',
      width: 150,
      weak: true,
      filter: 'text',
      value: (r) =>
        r.bigProjectId && (
          <Link
            className="zg-link"
            to={hrefOf('/jgt/bigproject/details', { id: r.bigProjectId })}
            onClick={(event) => event.stopPropagation()}
          >
            {r.bigProjectName}
          </Link>
        ),
    },
    { key: 'state', width: 100, keeps: true, filter: 'multi', options: states, value: (r) => <HazardTag row={r} /> },
  ]
  return projectCode === '*' ? all : all.filter((column) => column.key !== 'projectName')
}

export function NextCheck({ row }: { row: Pick<HazardRow, 'nextCheck' | 'overdueDays'> }) {
  if (row.nextCheck === null) return null
  return (
    <span className={row.overdueDays > 0 ? 'tone-danger' : undefined}>
      <span className="zg-num">{row.nextCheck}</span>
      {row.overdueDays > 0 && ` 逾期 ${row.overdueDays} 天`}
    </span>
  )
}
