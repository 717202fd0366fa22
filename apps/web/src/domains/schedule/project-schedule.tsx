import { DownloadOutlined, ImportOutlined, PictureOutlined, PlusOutlined, PrinterOutlined } from '@ant-design/icons'
import {
  changeSchedule,
  createScheduleTask,
  listScheduleTasks,
  type ScheduleTasks,
  type TaskRow,
  type TaskTab,
  taskTabs,
} from '@zhugong/contract/schedule/calls'
import { mostTasks, type ScheduleAction } from '@zhugong/contract/schedule/moves'
import { Button, Segmented, Select } from 'antd'
import { useState } from 'react'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Course } from '#kit/course.tsx'
import { Card, Empty, FigureStrip, Known, Notice } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Bases } from './bases.tsx'
import { Gantt } from './gantt.tsx'
import { savePicture } from './gantt-picture.ts'
import { PlanImport } from './plan-import.tsx'
import { ReportDrawer } from './report-drawer.tsx'
import { SCurve } from './s-curve.tsx'
import { paths, toneOfDelay } from './schedule-words.tsx'
import { TaskDrawer } from './task-drawer.tsx'
import { useDates } from './use-dates.ts'

type Opened = { kind: 'report' | 'edit'; task: TaskRow } | { kind: 'add' | 'import' }

/** The plan of one project: bars, curve and versions. */
export function ProjectSchedule({ projectCode, chosen }: { projectCode: string; chosen: boolean }) {
  const search = usePageQuery()
  const tab = taskTab(search.get('tab'))
  const unit = search.get('unit') ?? ''
  const query = { projectCode, view: 'tasks' as const, page: 1, size: mostTasks, tab, unit: unit || undefined }
  const read = useCall(listScheduleTasks, { query }, { quiet: true, keepPrevious: true })
  const data = read.data
  return (
    <PageShell remark={data?.projectName} actions={data && <Papers projectCode={projectCode} data={data} />}>
      <div className="zg-stack-12">
        <Strip data={data} project={chosen ? projectCode : undefined} />
        <Known of={read} rows={10}>
          {data && <Plan projectCode={projectCode} data={data} tab={tab} unit={unit} chosen={chosen} />}
        </Known>
      </div>
    </PageShell>
  )
}

const isTab = (text: string | null): text is TaskTab => text !== null && Object.hasOwn(taskTabs, text)
const taskTab = (text: string | null): TaskTab | undefined => (isTab(text) ? text : undefined)

function Strip({ data, project }: { data: ScheduleTasks | undefined; project: string | undefined }) {
  const figures = data?.figures
  const href = (tab: TaskTab) => hrefOf(paths.management, { project, tab })
  const late = figures?.finishDeviation ?? 0
  return (
    <FigureStrip
      loading={!data}
      items={[
        { label: '总进度 计划 / 实际', value: figures ? `${figures.planPercent} / ${figures.percent}` : '--', unit: '%' },
        {
          label: '滞后任务',
          value: thousands(data?.counts.late),
          unit: '项',
          tone: data?.counts.late ? 'warning' : undefined,
          href: href('late'),
        },
        {
          label: '严重滞后',
          value: thousands(data?.counts.severe),
          unit: '项',
          tone: data?.counts.severe ? 'danger' : undefined,
          href: href('severe'),
        },
        {
          label: '预计竣工偏差',
          value: figures ? late : '--',
          unit: '天',
          tone: toneOfDelay(late),
          remark: figures && `计划 ${figures.planEnd}`,
        },
      ]}
    />
  )
}

function Papers({ projectCode, data }: { projectCode: string; data: ScheduleTasks }) {
  const print = usePrint('schedulePaper')
  const sheet = usePrint('scheduleTask')
  if (data.total === 0) return null
  return (
    <>
      <Button icon={<PictureOutlined />} onClick={() => savePicture(data)}>
        图片
      </Button>
      <Can code="inspection.export">
        <Button
          icon={<DownloadOutlined />}
          loading={sheet.running}
          onClick={() => void sheet.run({ body: { feature: 'scheduleTask', exportType: 'xlsx', query: { projectCode, view: 'tasks' } } })}
        >
          Excel
        </Button>
      </Can>
      <Button
        icon={<PrinterOutlined />}
        loading={print.running}
        onClick={() => void print.run({ body: { feature: 'schedulePaper', exportType: 'pdf', query: { projectCode } } })}
      >
        打印
      </Button>
    </>
  )
}

interface PlanProps {
  projectCode: string
  data: ScheduleTasks
  tab: TaskTab | undefined
  unit: string
  chosen: boolean
}

function Plan({ projectCode, data, tab, unit, chosen }: PlanProps) {
  const go = useGo()
  const [opened, setOpened] = useState<Opened>()
  const [rebasing, setRebasing] = useState(false)
  const dates = useDates(data.list)
  const act = useAct(changeSchedule, { onDone: () => dates.forget() })
  const may = (action: ScheduleAction) => data.head?.actions.some((one) => one.action === action) ?? false
  const version = data.head?.version ?? 0
  const filter = (more: { tab?: string; unit?: string }) =>
    go(paths.management, { project: chosen ? projectCode : undefined, tab, unit: unit || undefined, ...more }, { replace: true })
  const query = { projectCode }
  const decide = async (action: 'approveBaseline' | 'returnBaseline' | 'submitBaseline') => {
    if (action === 'returnBaseline') {
      const opinion = await askReason('退回进度基准', '意见')
      if (opinion) await act.run({ query, body: { action, version, opinion } })
      return
    }
    const sure = await confirmDanger({
      thing: action === 'submitBaseline' ? '提交进度基准' : '批准进度基准',
      consequence: action === 'submitBaseline' ? '提交后不能再修改，由监理批准。' : '批准后按这些日期计算滞后。',
      verb: action === 'submitBaseline' ? '提交' : '批准',
    })
    if (sure) await act.run({ query, body: { action, version, opinion: '' } })
  }
  const save = async () => {
    if (!rebasing) return act.run({ query, body: { action: 'plan', version, changes: dates.changes } })
    const reason = await askReason('变更基准', '变更原因')
    if (!reason) return undefined
    const done = await act.run({ query, body: { action: 'rebase', version, reason, changes: dates.changes } })
    if (done) setRebasing(false)
    return done
  }
  const editing = data.mayPlan || rebasing
  return (
    <>
      {data.head?.state && data.counts.unexplained > 0 && (
        <Notice tone="warning">有 {data.counts.unexplained} 项任务滞后超过 7 天还没有说明原因，请在填报时补上。</Notice>
      )}
      <Card
        title="计划与实际"
        remark={data.head ? `${data.head.stateName}${data.head.baseNo > 0 ? `，基准第 ${data.head.baseNo} 版` : ''}` : undefined}
        actions={
          <span className="schedule-actions">
            {dates.changes.length > 0 ? (
              <>
                <Button onClick={dates.forget}>放弃改动</Button>
                <Button type="primary" loading={act.running} onClick={() => void save()}>
                  {rebasing ? '提交变更' : '保存'} {dates.changes.length} 项
                </Button>
              </>
            ) : (
              <>
                {data.mayPlan && (
                  <>
                    <Button icon={<ImportOutlined />} onClick={() => setOpened({ kind: 'import' })}>
                      导入计划
                    </Button>
                    <Can call={createScheduleTask}>
                      <Button icon={<PlusOutlined />} onClick={() => setOpened({ kind: 'add' })}>
                        新增任务
                      </Button>
                    </Can>
                  </>
                )}
                {may('submitBaseline') && (
                  <Button type="primary" loading={act.running} onClick={() => void decide('submitBaseline')}>
                    提交基准
                  </Button>
                )}
                {may('returnBaseline') && <Button onClick={() => void decide('returnBaseline')}>退回</Button>}
                {may('approveBaseline') && (
                  <Button type="primary" loading={act.running} onClick={() => void decide('approveBaseline')}>
                    批准基准
                  </Button>
                )}
                {may('rebase') && <Button onClick={() => setRebasing(!rebasing)}>{rebasing ? '退出变更' : '变更基准'}</Button>}
              </>
            )}
          </span>
        }
        flush
      >
        <div className="schedule-bar">
          <Segmented
            options={[{ value: '', label: '全部' }, ...Object.entries(taskTabs).map(([value, label]) => ({ value, label }))]}
            value={tab ?? ''}
            onChange={(next) => filter({ tab: next || undefined })}
          />
          <Select
            allowClear
            aria-label="单体"
            placeholder="全部单体"
            className="schedule-unit"
            value={unit || undefined}
            options={data.units.map((one) => ({ value: one.id, label: one.name }))}
            onChange={(next) => filter({ unit: next || undefined })}
          />
          {unit && (
            <Button type="link" onClick={() => go(paths.detail, { id: unit })}>
              看该单体详情
            </Button>
          )}
          {editing && <span className="zg-2">拖动灰色计划条改日期；选中后按 ← → 移动，Shift + ← → 改结束日</span>}
        </div>
        {data.list.length === 0 ? (
          <Empty
            text={tab || unit ? '没有符合条件的任务' : '还没有进度计划'}
            hint={data.mayPlan ? '导入 Excel 或 Project 的 XML，或逐项新增' : undefined}
          />
        ) : (
          <Gantt
            tasks={data.list}
            today={data.today}
            stops={data.stops}
            datesOf={dates.of}
            onMove={editing ? dates.move : undefined}
            onOpen={(task) => (data.mayPlan && !rebasing ? setOpened({ kind: 'edit', task }) : setOpened({ kind: 'report', task }))}
          />
        )}
      </Card>
      <Card title="S 曲线" remark="累计完成百分比，每周一点">
        <SCurve points={data.curve} />
      </Card>
      {data.head && data.head.bases.length > 0 && <Bases bases={data.head.bases} />}
      {data.head && <Course lines={data.head.timeline} looks={{}} bad={['returnBaseline']} />}
      {opened?.kind === 'import' && <PlanImport projectCode={projectCode} onClose={() => setOpened(undefined)} />}
      {(opened?.kind === 'add' || opened?.kind === 'edit') && (
        <TaskDrawer
          projectCode={projectCode}
          data={data}
          task={opened.kind === 'edit' ? opened.task : undefined}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened?.kind === 'report' && (
        <ReportDrawer projectCode={projectCode} task={opened.task} mayReport={may('report')} onClose={() => setOpened(undefined)} />
      )}
    </>
  )
}
