import { PlusOutlined } from '@ant-design/icons'
import type { SessionRow } from '@zhugong/contract/personnel/train-model'
import { sessionStates } from '@zhugong/contract/personnel/train-model'
import { createSession, sessionList, trainBoard } from '@zhugong/contract/personnel/training'
import { Button, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { thisMonth } from '#kit/day-calendar.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { ratioOf, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { usePrint } from '#kit/use-print.ts'
import { SessionTag, sessionPaths } from './session-words.tsx'
import { TrainBoard } from './train-board.tsx'
import './personnel.css'

const views = [
  { value: '', label: '培训计划' },
  { value: 'sessions', label: '培训场次' },
]
const tabs = [
  { value: '', label: '全部' },
  { value: 'month', label: '本月' },
  { value: 'todo', label: '待登记' },
  { value: 'retest', label: '待补考' },
]

/** Which sessions are due this month, for which gang, how did the last ones go? */
export default function TrainPlanPage() {
  const go = useGo()
  const scope = useProjectScope()
  const view = usePageQuery().get('view') ?? ''
  const [month, setMonth] = useState(thisMonth)
  const read = useCall(trainBoard, { query: { ...scope, month } }, { quiet: true, keepPrevious: true })
  const now = useCall(trainBoard, { query: { ...scope, month: thisMonth() } }, { quiet: true })
  const counts = now.data?.counts
  const choice = <Segmented options={views} value={view} onChange={(next) => go(sessionPaths.list, next ? { view: next } : {})} />
  return (
    <ListShell
      remark="培训按场次排在这里；每个人的记录和缺口在“人员培训”"
      actions={
        <Can call={createSession}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(sessionPaths.form)}>
            新建培训
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            {
              label: '本月计划',
              value: thousands(counts?.planned),
              unit: '场',
              remark: counts ? `已办 ${thousands(counts.held)} 场，参训 ${thousands(counts.attended)} 人次` : undefined,
              href: `${sessionPaths.list}?view=sessions&tab=month`,
            },
            { label: '本月合格率', value: counts && counts.attended > 0 ? ratioOf(counts.passed, counts.attended) : '--' },
            {
              label: '待补考',
              value: thousands(counts?.retestSessions),
              unit: '场',
              remark: counts ? `${thousands(counts.retest)} 人次` : undefined,
              tone: counts?.retest ? 'warning' : undefined,
              href: `${sessionPaths.list}?view=sessions&tab=retest`,
            },
            {
              label: '未完成入场教育',
              value: thousands(counts?.untrained),
              unit: '人',
              tone: counts?.untrained ? 'danger' : undefined,
              href: '/person/train?entryTrained=0',
            },
          ]}
        />
      }
    >
      {view === 'sessions' ? <Sessions views={choice} /> : <TrainBoard read={read} month={month} onMonth={setMonth} views={choice} />}
    </ListShell>
  )
}

function Sessions({ views: choice }: { views: ReactNode }) {
  const go = useGo()
  const scope = useProjectScope()
  const isOne = useProjectCode() !== '*'
  const dicts = useDicts('trainingType')
  const list = useListPage(sessionList, { scope, tabs: ['tab'], own: ['view'] })
  const sheet = usePrint('trainingSheet')
  const states = Object.entries(sessionStates).map(([value, label]) => ({ value, label }))
  const all: ColumnOf<typeof sessionList>[] = [
    { key: 'startTime', width: 140, locked: true, sort: true, filter: 'date-range', value: (r) => r.startTime.slice(0, 16) },
    { key: 'name', width: 220, locked: true, sort: true, filter: 'text', value: (r) => r.name },
    { key: 'trainingType', width: 130, filter: 'multi', options: dicts.options('trainingType'), value: (r) => r.typeName },
    { key: 'projectName', width: 160, value: (r) => r.projectName },
    { key: 'trainer', width: 90, filter: 'text', value: (r) => r.trainer },
    { key: 'teams', width: 160, filter: 'text', filterKey: 'team', value: (r) => r.teams.join('、') },
    { key: 'duration', width: 72, align: 'right', value: (r) => r.duration },
    { key: 'people', width: 72, align: 'right', value: (r) => r.people },
    { key: 'attended', width: 72, align: 'right', value: (r) => r.attended },
    { key: 'passed', width: 72, align: 'right', value: (r) => (r.closed ? r.passed : null) },
    {
      key: 'retest',
      width: 84,
      align: 'right',
      keeps: true,
      value: (r) => <span className={r.retest > 0 ? 'tone-danger' : undefined}>{r.retest}</span>,
    },
    { key: 'state', width: 110, keeps: true, filter: 'multi', options: states, value: (r) => <SessionTag row={r} /> },
  ]
  const columns = isOne ? all.filter((column) => column.key !== 'projectName') : all
  const open = (r: SessionRow): [string, { id: string }] => [sessionPaths.detail, { id: r.id }]
  return (
    <DataTable
      list={list}
      columns={columns}
      name="train-plan-sessions"
      unit="场"
      search={{ key: 'name', placeholder: '培训名称' }}
      toolbar={
        <>
          {choice}
          <Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />
        </>
      }
      onRow={(r) => go(...open(r))}
      emptyHint="从“新建培训”排一场，或在“培训计划”里采纳一条建议"
      actions={(r) => [
        { label: r.state === 'closed' ? (r.retest > 0 ? '补考' : '查看') : '签到与成绩', href: hrefOf(...open(r)) },
        {
          label: '签到表',
          needs: 'personnel.export',
          onClick: () => void sheet.run({ body: { feature: 'trainingSheet', exportType: 'pdf', query: { id: r.id } } }),
        },
      ]}
    />
  )
}
