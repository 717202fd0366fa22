import { taskStates } from '@zhugong/contract/measuring/moves'
import { getMeasureTask, type MeasureTaskDetail } from '@zhugong/contract/measuring/tasks'
import { createImprovement } from '@zhugong/contract/quality/improvement'
import { measureSource } from '@zhugong/contract/quality/improvement-moves'
import { Button } from 'antd'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Course } from '#kit/course.tsx'
import { DetailSkeleton, ErrorPanel, Pairs } from '#kit/feedback.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { useGo } from '#kit/page.tsx'
import { FixForm } from './fix-form.tsx'
import { RetestForm } from './retest-form.tsx'
import { TaskEntry } from './task-entry.tsx'
import { anyProject, paths, Rate, TaskTag } from './words.tsx'

/** A task in full height: its plan and points, and what is to be done now. */
export function TaskDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useCall(
    getMeasureTask,
    { params: { id }, query: anyProject },
    { quiet: true, offline: true, staleMs: 0 },
  )
  return (
    <PageDrawer
      open
      size={1280}
      rootClassName="zg-drawer measuring-drawer"
      title={
        data ? (
          <span className="zg-row zg-gap-6 zg-middle">
            {data.taskName} <TaskTag row={data} />
          </span>
        ) : (
          '实测实量任务'
        )
      }
      onClose={onClose}
    >
      {error && !data ? <ErrorPanel error={error} retry={refetch} /> : !data ? <DetailSkeleton /> : <Body task={data} onClose={onClose} />}
    </PageDrawer>
  )
}

/** The task was handed in: what failed is known. */
const isMeasured: readonly string[] = [taskStates.toFix, taskStates.toRetest, taskStates.done]

function Body({ task, onClose }: { task: MeasureTaskDetail; onClose: () => void }) {
  const go = useGo()
  const failed = isMeasured.includes(task.state) ? task.currentPoints - task.qualifiedPoints : 0
  const allowedActions = new Set(task.actions.map((one) => one.action))
  return (
    <div className="measuring-task">
      <Pairs
        items={[
          { label: '编号', value: task.taskNo },
          { label: '部位', value: task.placeName },
          { label: '模板', value: `${task.templateName}，目标 ${task.targetRate}%` },
          { label: '责任分包', value: task.unitCorp },
          { label: '测量人员', value: task.memberName },
          { label: '要求完成', value: task.deadline },
          { label: '测点', value: `${task.currentPoints} / ${task.totalPoints}` },
          {
            label: '合格率',
            value: (
              <>
                <Rate value={task.passRate} target={task.targetRate} />
                {task.firstRate !== task.passRate && <span className="zg-2">（首次 {task.firstRate}%）</span>}
              </>
            ),
          },
        ]}
      />
      {failed > 0 && task.corpCode !== null && (
        <Can call={createImprovement}>
          <Button
            onClick={() =>
              go(paths.improvement, {
                projectCode: task.projectCode,
                source: measureSource,
                checks: task.taskNo,
                corp: task.corpCode ?? undefined,
              })
            }
          >
            {failed} 个不合格测点生成改进单
          </Button>
        </Can>
      )}
      {allowedActions.has('fix') && <FixForm task={task} onDone={onClose} />}
      {allowedActions.has('retest') ? <RetestForm task={task} onDone={onClose} /> : <TaskEntry task={task} onDone={onClose} />}
      <Course lines={task.timeline} />
    </div>
  )
}
