import { PlusOutlined } from '@ant-design/icons'
import { groupTypes } from '@zhugong/contract/access/group-types'
import { majorLevel } from '@zhugong/contract/rectify/moves'
import { createInspection, type InspectionRow, inspectionList, listInspections } from '@zhugong/contract/scoring/inspections'
import { inspectionTypes, scoringState } from '@zhugong/contract/scoring/moves'
import { Button, Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGroupType, useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { InspectionCharts } from './inspection-charts.tsx'
import { InspectionRanking } from './inspection-ranking.tsx'
import { GradeTag, gradeOptions, InspectionStateTag, marks } from './score-words.tsx'
import './scoring.css'

const path = '/safetyInspection/list'
const editPath = '/safetyInspection/edit'

/** How many points, where are they lost, and how does this site stand beside the others? */
export default function InspectionListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const isSite = useGroupType() === groupTypes.project
  const list = useListPage(inspectionList, { scope, defaultSort: '-checkTime', tabs: ['tab'] })
  const { data } = useCall(listInspections, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const columns = useColumns().filter((column) => !(column.key === 'projectName' && oneProject))
  return (
    <ListShell
      actions={
        !isSite && (
          <Can call={createInspection}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => go(editPath)}>
              新建巡检
            </Button>
          </Can>
        )
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            {
              label: oneProject ? '本月得分' : '本月最近得分',
              value: counts?.monthScore == null ? '--' : marks(counts.monthScore),
              unit: '分',
            },
            { label: '等级', value: counts?.monthGrade ?? '本月未巡检', tone: counts?.monthGrade === '不合格' ? 'danger' : undefined },
            {
              label: '未闭合',
              value: thousands(counts?.open),
              unit: '次',
              href: `${path}?tab=open`,
              tone: counts?.open ? 'warning' : undefined,
            },
            {
              label: '距上次检查',
              value: counts?.daysSince ?? '--',
              unit: '天',
              tone: counts?.daysSince != null && counts.daysSince > longestGap ? 'danger' : undefined,
            },
          ]}
        />
      }
      above={oneProject ? <InspectionCharts projectCode={scope.projectCode} /> : <InspectionRanking />}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="次"
        search={{ key: 'code', placeholder: '巡检编号' }}
        toolbar={
          <Segmented
            options={[
              { value: '', label: '全部' },
              { value: 'open', label: '未闭合' },
              ...(isSite ? [] : [{ value: 'scoring', label: '检查中' }]),
            ]}
            value={list.filters.tab ?? ''}
            onChange={(tab) => list.setFilter('tab', tab || undefined)}
          />
        }
        onRow={(row) => go(...pageFor(row))}
        emptyHint={isSite ? '企业、监理对本项目的安全巡检提交后列在这里' : '从“新建巡检”开始第一次评分'}
        filterWords={{ dangerLevel: { title: '重大隐患', words: { true: '有', false: '无' } } }}
        actions={(row) => [{ label: row.state === scoringState ? '继续检查' : '查看', href: hrefOf(...pageFor(row)) }]}
      />
    </ListShell>
  )
}

/** A company scores its sites every month. */
const longestGap = 31

const pageFor = ({ id, state }: InspectionRow): [string, { id: string }] => [
  state === scoringState ? editPath : '/safetyInspection/details',
  { id },
]

function useColumns(): ColumnOf<typeof inspectionList>[] {
  const dicts = useDicts('inspectType', 'rectifyState', 'safetyCheckItem')
  const categories = dicts.tree('safetyCheckItem').map(({ value, label }) => ({ value, label: String(label) }))
  return [
    { key: 'code', width: 190, locked: true, filter: 'text', value: (r) => r.code ?? <span className="zg-2">未提交</span> },
    { key: 'projectName', width: 160, value: (r) => r.projectName },
    {
      key: 'inspectType',
      width: 110,
      weak: true,
      filter: 'multi',
      options: dicts.options('inspectType').filter((one) => inspectionTypes.includes(one.value)),
      value: (r) => r.inspectTypeName,
    },
    { key: 'checkTime', width: 140, sort: true, filter: 'date-range', value: (r) => r.checkTime.slice(0, 16) },
    { key: 'checkerGroupName', width: 180, weak: true, value: (r) => r.checkerGroupName },
    { key: 'checkers', width: 140, weak: true, filter: 'text', value: (r) => r.checkers.join('、') },
    {
      key: 'sheetCount',
      weak: true,
      width: 84,
      align: 'right',
      value: (r) => (r.state === scoringState ? `${r.doneCount} / ${r.sheetCount}` : r.sheetCount),
    },
    { key: 'score', width: 84, align: 'right', keeps: true, sort: true, filter: 'numeric-range', value: (r) => marks(r.score) },
    { key: 'grade', width: 92, keeps: true, filter: 'multi', options: gradeOptions, value: (r) => <GradeTag grade={r.grade} /> },
    { key: 'weakest', width: 130, keeps: true, filter: 'multi', options: categories, value: (r) => r.weakestName },
    {
      key: 'problemCount',
      width: 130,
      keeps: true,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => (r.openCount > 0 ? `${r.problemCount}（未闭合 ${r.openCount}）` : r.problemCount),
    },
    {
      key: 'dangerLevel',
      width: 100,
      filter: 'single',
      options: [
        { value: 'true', label: '有' },
        { value: 'false', label: '无' },
      ],
      value: (r) => (r.dangerLevel === majorLevel ? <Tag tone="danger">{r.dangerLevelName}</Tag> : null),
    },
    {
      key: 'state',
      width: 130,
      keeps: true,
      filter: 'multi',
      options: [
        { value: scoringState, label: '检查中' },
        ...dicts.options('rectifyState').filter((one) => !['0', '8'].includes(one.value)),
      ],
      value: (r) => <InspectionStateTag row={r} />,
    },
  ]
}
