import { PlusOutlined } from '@ant-design/icons'
import { groupTypes } from '@zhugong/contract/access/group-types'
import { changeDayCheck, createDayCheck, type DayCheckRow, dayCheckList, listDayChecks } from '@zhugong/contract/daychecks/calls'
import { dayCheckStates } from '@zhugong/contract/daychecks/moves'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useGroupType, useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ZipButton } from '#kit/zip-button.tsx'
import { GradeTag, gradeOptions, marks } from '../scoring/public.tsx'
import { DayStateTag } from './day-words.tsx'
import { TodayMap } from './today-map.tsx'
import { WeekView } from './week-view.tsx'

const path = '/jgt/daycheck'
const { planned, running, cancelled } = dayCheckStates

/** Which sites do I go to today, what did I leave unfinished, and with what result? */
export default function DayListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const groupType = useGroupType()
  const regulates = groupType === groupTypes.government || groupType === groupTypes.platform
  const [view, setView] = useState<'list' | 'week' | 'map'>('list')
  const list = useListPage(dayCheckList, { scope, defaultSort: '-urgency', tabs: ['tab'] })
  const { data } = useCall(listDayChecks, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const columns = useColumns(regulates).filter((column) => !(column.key === 'projectName' && oneProject))
  const act = useAct(changeDayCheck, { success: '检查已取消' })
  const mayAssign = useCan(createDayCheck)
  const cancel = async (row: DayCheckRow) => {
    const opinion = await askReason(`取消 ${row.projectName} ${row.plannedDate} 的检查`, '取消原因')
    if (opinion)
      await act.run({ params: { id: row.id }, query: { projectCode: '*' }, body: { action: 'cancel', version: row.version, opinion } })
  }
  const figure = (label: string, count: number | undefined, tab: string, tone?: 'danger' | 'warning') => ({
    label,
    value: thousands(count),
    unit: '次',
    tone: count ? tone : undefined,
    href: `${path}?tab=${tab}`,
  })
  const average = { label: '本月平均得分', value: marks(counts?.monthScore), unit: '分' }
  return (
    <ListShell
      actions={
        <Can call={createDayCheck}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(`${path}/edit`)}>
            新建检查
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={
            regulates
              ? [
                  figure('今日任务', counts?.today, 'today', 'warning'),
                  figure('检查中', counts?.running, 'running'),
                  figure('待整改', counts?.open, 'open', 'danger'),
                  average,
                ]
              : [figure('待整改', counts?.open, 'open', 'danger'), average]
          }
        />
      }
    >
      {view === 'week' ? (
        <WeekView projectCode={scope.projectCode} onList={() => setView('list')} />
      ) : view === 'map' ? (
        <TodayMap projectCode={scope.projectCode} onList={() => setView('list')} />
      ) : (
        <DataTable
          list={list}
          columns={columns}
          unit="次"
          search={{ key: 'code', placeholder: '检查编号' }}
          toolbar={
            <>
              <Segmented
                options={[
                  { value: '', label: '全部' },
                  ...(regulates
                    ? [
                        { value: 'mine', label: '我的任务' },
                        { value: 'today', label: '今日' },
                        { value: 'running', label: '检查中' },
                      ]
                    : []),
                  { value: 'open', label: '待整改' },
                ]}
                value={list.filters.tab ?? ''}
                onChange={(tab) => list.setFilter('tab', tab || undefined)}
              />
              {regulates && (
                <>
                  <Button onClick={() => setView('week')}>周日历</Button>
                  <Button onClick={() => setView('map')}>今日地图</Button>
                </>
              )}
            </>
          }
          selection={{
            unit: '次',
            disabled: (row) => row.code === null,
            actions: (rows, clear) => (
              <ZipButton
                feature="daycheckRecord"
                query={{ ids: rows.map((row) => row.id) }}
                count={rows.length}
                label="下载抽查记录"
                onDone={clear}
              />
            ),
          }}
          onRow={(row) => go(...pageFor(row, regulates))}
          emptyHint={regulates ? '从“新建检查”安排第一次检查，或由监督计划生成' : '监督机构提交检查后列在这里'}
          filterWords={{ locationAbnormal: { title: '签到异常', words: { true: '有', false: '无' } } }}
          actions={(row) => [
            { label: actionOf(row), href: hrefOf(...pageFor(row, regulates)) },
            ...(row.state === planned && mayAssign ? [{ label: '取消', danger: true, onClick: () => void cancel(row) }] : []),
          ]}
        />
      )}
    </ListShell>
  )
}

const actionOf = ({ state, mine }: DayCheckRow) => (mine && state === planned ? '去检查' : mine && state === running ? '继续检查' : '查看')

/** One's own running check is gone on with; the site reads the result. */
function pageFor({ id, state, mine }: DayCheckRow, regulates: boolean): [string, { id: string }] {
  if (!regulates) return [`${path}/checkResult`, { id }]
  return [mine && (state === planned || state === running) ? `${path}/edit` : `${path}/details`, { id }]
}

function useColumns(regulates: boolean): ColumnOf<typeof dayCheckList>[] {
  const dicts = useDicts('inspectType', 'checkDiscipline', 'projectPhase', 'checkResult', 'dayCheckState')
  return [
    {
      key: 'code',
      width: 200,
      locked: true,
      filter: 'text',
      value: (r) => r.code ?? <span className="zg-2">{r.state === cancelled ? '已取消' : '未提交'}</span>,
    },
    { key: 'projectName', width: 180, keeps: true, value: (r) => r.projectName },
    { key: 'inspectType', width: 120, weak: true, filter: 'multi', options: dicts.options('inspectType'), value: (r) => r.inspectTypeName },
    {
      key: 'discipline',
      width: 100,
      weak: true,
      filter: 'multi',
      options: dicts.options('checkDiscipline'),
      value: (r) => r.disciplineNames.join('、'),
    },
    {
      key: 'checkDate',
      width: 130,
      keeps: true,
      sort: true,
      filter: 'date-range',
      value: (r) => (r.state === planned || r.state === cancelled ? `计划 ${r.plannedDate}` : r.checkTime.slice(0, 16)),
    },
    { key: 'checkers', width: 130, filter: 'text', value: (r) => r.checkers.join('、') },
    { key: 'progress', width: 110, weak: true, filter: 'multi', options: dicts.options('projectPhase'), value: (r) => r.progressName },
    {
      key: 'unitCount',
      width: 70,
      weak: true,
      align: 'right',
      value: (r) => (r.state === running ? `${r.doneCount} / ${r.unitCount}` : r.unitCount),
    },
    { key: 'score', width: 76, keeps: true, align: 'right', sort: true, filter: 'numeric-range', value: (r) => marks(r.score) },
    { key: 'grade', width: 84, filter: 'multi', options: gradeOptions, value: (r) => <GradeTag grade={r.grade} /> },
    { key: 'conclusion', width: 150, weak: true, filter: 'multi', options: dicts.options('checkResult'), value: (r) => r.conclusionName },
    {
      key: 'openRectify',
      width: 84,
      align: 'right',
      sort: true,
      value: (r) => (r.allRectify ? `${r.openRectify} / ${r.allRectify}` : '--'),
    },
    {
      key: 'locationAbnormal',
      width: 92,
      weak: !regulates,
      filter: 'single',
      options: [
        { value: 'true', label: '有' },
        { value: 'false', label: '无' },
      ],
      value: (r) => (r.locationAbnormal ? <Tag tone="warning">异常</Tag> : null),
    },
    {
      key: 'state',
      width: 150,
      keeps: true,
      filter: 'multi',
      options: dicts.options('dayCheckState'),
      value: (r) => <DayStateTag row={r} />,
    },
  ]
}
