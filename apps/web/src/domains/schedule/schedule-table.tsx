import { listSchedules, scheduleList } from '@zhugong/contract/schedule/calls'
import { baseStateNames, baseStates } from '@zhugong/contract/schedule/moves'
import { lateDays, severeDays } from '@zhugong/contract/schedule/plan'
import { useCall } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { Delay, paths, ScheduleTag } from './schedule-words.tsx'

/** The plans of all visible projects, the latest first. */
export function ScheduleTable() {
  const go = useGo()
  const scope = useProjectScope()
  const list = useListPage(scheduleList, { scope, defaultSort: '-delayDays', own: ['project'] })
  const { data } = useCall(listSchedules, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const figure = (label: string, count: number | undefined, query: string, tone: 'warning' | 'danger') => ({
    label,
    value: thousands(count),
    unit: '个项目',
    tone: count ? tone : undefined,
    href: `${paths.management}?${query}`,
  })
  return (
    <ListShell
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            figure('滞后', counts?.late, `delayDays=${lateDays + 1},`, 'warning'),
            figure('严重滞后', counts?.severe, `delayDays=${severeDays + 1},`, 'danger'),
            figure('一周未填报', counts?.stale, 'stale=true', 'warning'),
            figure('基准待批准', counts?.waiting, `baseState=${baseStates.submitted}`, 'warning'),
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={useColumns()}
        unit="个项目"
        onRow={(row) => go(paths.management, { project: row.projectCode })}
        emptyHint="项目提交进度基准后列在这里"
        filterWords={{ stale: { title: '填报', words: { true: '一周未填报' } } }}
        actions={(row) => [{ label: '查看', href: hrefOf(paths.management, { project: row.projectCode }) }]}
      />
    </ListShell>
  )
}

function useColumns(): ColumnOf<typeof scheduleList>[] {
  const dicts = useDicts('projectPhase', 'scheduleState')
  return [
    { key: 'projectName', width: 240, locked: true, filter: 'text', sort: true, value: (r) => r.projectName },
    { key: 'projectCode', width: 160, weak: true, value: (r) => r.projectCode },
    { key: 'phase', width: 120, filter: 'multi', options: dicts.options('projectPhase'), value: (r) => r.phaseName },
    { key: 'planPercent', width: 96, align: 'right', sort: true, filter: 'numeric-range', value: (r) => `${r.planPercent}%` },
    { key: 'percent', width: 96, align: 'right', sort: true, filter: 'numeric-range', value: (r) => <b>{r.percent}%</b> },
    { key: 'delayDays', width: 112, align: 'right', sort: true, filter: 'numeric-range', value: (r) => <Delay days={r.delayDays} /> },
    {
      key: 'finishDeviation',
      width: 128,
      align: 'right',
      value: (r) => (r.finishDeviation > 0 ? `晚 ${r.finishDeviation} 天` : '不晚于计划'),
    },
    { key: 'late', width: 88, align: 'right', value: (r) => r.late || null },
    { key: 'severe', width: 104, align: 'right', value: (r) => r.severe || null },
    {
      key: 'state',
      width: 104,
      keeps: true,
      filter: 'multi',
      options: dicts.options('scheduleState'),
      value: (r) => <ScheduleTag row={r} />,
    },
    { key: 'completeDate', width: 120, sort: true, filter: 'date-range', value: (r) => r.completeDate },
    {
      key: 'reportTime',
      width: 144,
      sort: true,
      filter: 'date-range',
      value: (r) => r.reportTime?.slice(0, 16) ?? <span className="tone-warning">从未填报</span>,
    },
    {
      key: 'baseState',
      width: 128,
      filter: 'multi',
      options: Object.entries(baseStateNames).map(([value, label]) => ({ value, label })),
      value: (r) => (
        <Tag tone={r.baseState === baseStates.approved ? 'fine' : 'warning'}>{`${r.baseStateName}${r.baseNo ? ` v${r.baseNo}` : ''}`}</Tag>
      ),
    },
    { key: 'corpName', width: 200, weak: true, value: (r) => r.corpName },
  ]
}
