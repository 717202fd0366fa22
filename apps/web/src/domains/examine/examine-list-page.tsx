import { PlusOutlined } from '@ant-design/icons'
import { createExamine, type ExamineRow, examineList, listExamines, type RoundLine } from '@zhugong/contract/examine/calls'
import { Button, Segmented } from 'antd'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, FigureStrip, TableSkeleton } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Deadline } from '../checks/public.tsx'
import { GradeTag, gradeOptions, marks } from '../scoring/public.tsx'
import { ExamineTrend } from './examine-trend.tsx'
import { draftState, ExamineTag, paths, roundOptions } from './examine-words.tsx'
import './examine.css'

const tabs = [
  { value: '', label: '全部' },
  { value: 'todo', label: '待我处理' },
  { value: 'own', label: '我检查的' },
  { value: 'open', label: '未闭合' },
]

/** Are the routine checks done, and with what score? */
export default function ExamineListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const list = useListPage(examineList, { scope, defaultSort: '-checkTime', tabs: ['tab'] })
  const { data } = useCall(listExamines, { query: { ...scope, size: 1 } }, { quiet: true })
  const columns = useColumns().filter((column) => !(column.key === 'projectName' && oneProject))
  const counts = data?.counts
  const rhythm = data?.rhythm
  const sum = (key: 'due' | 'done') => rhythm?.reduce((n, one) => n + one[key], 0)
  return (
    <ListShell
      actions={
        <Can call={createExamine}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.form)}>
            新建检查
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            {
              label: '本周已检 / 应检',
              value: rhythm ? `${sum('done')} / ${sum('due')}` : '--',
              unit: rhythm ? '次' : '',
              remark: rhythm ? undefined : oneProject ? '停工期间不要求' : '选择一个项目后显示',
            },
            { label: '平均得分', value: counts?.meanScore ?? '--', unit: '分', remark: '近 8 周' },
            { label: '问题', value: thousands(counts?.problems), unit: '个', remark: '近 8 周' },
            {
              label: '未闭合',
              value: thousands(counts?.open),
              unit: '次',
              tone: counts?.open ? 'warning' : undefined,
              href: `${paths.list}?tab=open`,
            },
            {
              label: '逾期',
              value: thousands(counts?.overdue),
              unit: '次',
              tone: counts?.overdue ? 'danger' : undefined,
              href: `${paths.list}?overdue=true`,
            },
          ]}
        />
      }
      above={
        oneProject && (
          <div className="examine-above">
            {(rhythm || !data) && <Rhythm lines={rhythm ?? undefined} />}
            <ExamineTrend projectCode={scope.projectCode} />
          </div>
        )
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="次"
        search={{ key: 'code', placeholder: '编号' }}
        toolbar={<Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />}
        onRow={(row) => go(...pageOf(row))}
        emptyHint="按 JGJ 59 检查表逐项自查：从“新建检查”开始"
        filterWords={{ overdue: { title: '逾期', words: { true: '已逾期' } }, today: { title: '检查时间', words: { true: '今天' } } }}
        actions={(row) => [{ label: row.state === draftState ? '继续检查' : '查看', href: hrefOf(...pageOf(row)) }]}
      />
    </ListShell>
  )
}

const pageOf = ({ id, state }: ExamineRow): [string, { id: string }] => [state === draftState ? paths.form : paths.detail, { id }]

/** What this week asks for, form by form. */
function Rhythm({ lines }: { lines: readonly RoundLine[] | undefined }) {
  return (
    <Card title="本周节奏" remark="日巡查每天，周检与带班每周，月检每月">
      {!lines && <TableSkeleton rows={4} columns={2} />}
      <ul className="examine-rhythm">
        {lines?.map((one) => (
          <li key={one.round}>
            <span>{one.name}</span>
            <span className="examine-bar">
              <Filled part={one.done} whole={one.due} />
            </span>
            <span className="zg-num">{one.due === 0 ? '本周不要求' : `${one.done} / ${one.due}`}</span>
            <span className={one.missed > 0 ? 'tone-danger' : 'zg-2'}>
              {one.missed > 0 ? `漏检 ${one.missed} 次` : one.done < one.due ? '待检' : one.due > 0 ? '已完成' : ''}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function useColumns(): ColumnOf<typeof examineList>[] {
  const dicts = useDicts('inspectType', 'rectifyState')
  return [
    { key: 'code', width: 190, locked: true, filter: 'text', value: (r) => r.code ?? <span className="zg-2">草稿</span> },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    { key: 'round', width: 110, keeps: true, filter: 'multi', options: roundOptions, value: (r) => r.roundName },
    {
      key: 'inspectType',
      width: 100,
      weak: true,
      filter: 'multi',
      options: dicts.options('inspectType').filter((one) => ownTypes.includes(one.value)),
      value: (r) => r.inspectTypeName,
    },
    { key: 'checkTime', width: 140, sort: true, filter: 'date-range', value: (r) => r.checkTime.slice(0, 16) },
    { key: 'checkers', width: 130, filter: 'text', value: (r) => r.checkers.join('、') },
    { key: 'part', width: 130, filter: 'text', value: (r) => r.part },
    { key: 'sheetCount', width: 76, align: 'right', weak: true, value: (r) => r.sheetCount },
    { key: 'score', width: 90, align: 'right', keeps: true, sort: true, filter: 'numeric-range', value: (r) => marks(r.score) },
    { key: 'grade', width: 92, keeps: true, filter: 'multi', options: gradeOptions, value: (r) => <GradeTag grade={r.grade} /> },
    { key: 'problemCount', width: 84, align: 'right', sort: true, filter: 'numeric-range', value: (r) => r.problemCount },
    {
      key: 'openCount',
      width: 84,
      align: 'right',
      keeps: true,
      value: (r) => <span className={r.openCount > 0 ? 'tone-danger' : undefined}>{r.openCount}</span>,
    },
    { key: 'deadline', width: 160, sort: true, filter: 'date-range', value: (r) => <Deadline row={r} /> },
    {
      key: 'state',
      width: 140,
      keeps: true,
      filter: 'multi',
      options: dicts.options('rectifyState'),
      value: (r) => <ExamineTag row={r} />,
    },
  ]
}
/** 企业自查, 项目自查, 监理检查 in dictionary inspectType. */
const ownTypes: readonly string[] = ['11', '12', '13']
