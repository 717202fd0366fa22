import type { TaskRow } from '@zhugong/contract/schedule/calls'
import { getScheduleUnit, type ScheduleUnit } from '@zhugong/contract/schedule/unit'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Empty, Pairs } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { WorkItem } from '#kit/work-item.tsx'
import { Elevation } from './elevation.tsx'
import { PhotoLine } from './photo-line.tsx'
import { ReportDrawer } from './report-drawer.tsx'
import { Delay, delayWords, paths, ScheduleTag } from './schedule-words.tsx'
import './schedule.css'

/** One unit of the works: where exactly is it, seen with eyes? */
export default function ScheduleDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择单体" hint="在进度管理中选一个单体">
          <Button onClick={() => go(paths.management)}>去进度管理</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Unit key={id} id={id} />
    </div>
  )
}

function Unit({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getScheduleUnit, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  const unit = read.data
  const [task, setTask] = useState<TaskRow>()
  return (
    <WorkItem
      title={unit?.name}
      tags={unit?.state && <ScheduleTag row={{ state: unit.state, stateName: unit.stateName ?? '' }} />}
      facts={
        unit
          ? [
              { label: '项目', value: unit.projectName },
              { label: '形象进度', value: unit.phaseName ?? '--' },
              { label: '计划 / 实际', value: unit.figures ? `${unit.figures.planPercent}% / ${unit.figures.percent}%` : '--' },
              { label: '滞后', value: unit.figures ? delayWords(unit.figures.delayDays) : '--' },
              { label: '计划竣工', value: unit.figures?.planEnd ?? '--' },
            ]
          : []
      }
      actions={unit && <Link to={hrefOf(paths.management, { project: unit.projectCode, unit: unit.id })}>进度管理</Link>}
      waiting={!unit}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        unit && (
          <>
            <Linked unit={unit} />
            <Reports unit={unit} />
          </>
        )
      }
    >
      {unit && (
        <>
          {unit.tasks.length === 0 ? (
            <Card title="任务">
              <Empty small text="该单体还没有进度任务" />
            </Card>
          ) : (
            <>
              <Elevation unit={unit} onOpen={setTask} />
              <PhotoLine unit={unit} />
              <Tasks unit={unit} onOpen={setTask} />
            </>
          )}
          {task && (
            <ReportDrawer projectCode={unit.projectCode} task={task} mayReport={unit.mayReport} onClose={() => setTask(undefined)} />
          )}
        </>
      )}
    </WorkItem>
  )
}

function Tasks({ unit, onOpen }: { unit: ScheduleUnit; onOpen: (task: TaskRow) => void }) {
  return (
    <Card title="任务" remark={unit.mayReport ? '点任务填报进度' : undefined}>
      <ul className="schedule-tasks">
        {unit.tasks.map((one) => (
          <li key={one.id} data-level={Math.min(4, one.wbs.split('.').length)}>
            <button type="button" className="zg-bare zg-link" onClick={() => onOpen(one)}>
              {one.wbs} {one.name}
            </button>
            <span className="zg-2 zg-num">
              {one.planStart} 至 {one.planEnd}
            </span>
            <span className="zg-num">{one.percent}%</span>
            <Delay days={one.delayDays} />
            <ScheduleTag row={one} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Linked({ unit }: { unit: ScheduleUnit }) {
  const { openQuality, measured, passRate, retest, people } = unit.linked
  return (
    <Card title="关联情况">
      <Pairs
        items={[
          { label: '未闭合质量整改', value: `${openQuality} 份`, wide: true },
          { label: '实测实量', value: passRate === null ? '尚未实测' : `${measured} 点，合格率 ${passRate}%`, wide: true },
          { label: '待复验材料（全项目）', value: `${retest} 批`, wide: true },
          {
            label: '近 7 日出勤（全项目）',
            value: people.length === 0 ? '没有考勤' : people.map((one) => `${one.trade} ${one.days} 人次`).join('、'),
            wide: true,
          },
        ]}
      />
    </Card>
  )
}

const shownReports = 20
function Reports({ unit }: { unit: ScheduleUnit }) {
  return (
    <Card title="填报记录" remark={`最近 ${Math.min(shownReports, unit.reports.length)} 次`}>
      {unit.reports.length === 0 ? (
        <Empty small text="还没有填报" />
      ) : (
        <ul className="schedule-bases">
          {unit.reports.slice(0, shownReports).map((one) => (
            <li key={one.id}>
              <b>{one.taskName}</b> {one.before}% → {one.percent}% <Delay days={one.delayDays} />
              {one.reason && <div>{one.reason}</div>}
              <div className="zg-2">
                {one.byName} {one.at.slice(0, 16)}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
