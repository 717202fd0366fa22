import type { HomeTask } from '@zhugong/contract/home/endpoints'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { Empty, RiskBadge, Tag } from '#kit/feedback.tsx'
import { age, time } from '#kit/format.ts'

/** Tasks by severity; only the first has a primary button. */
export function TaskList({
  title = '今天要处理',
  tasks,
  count,
  withProject,
}: {
  title?: string
  tasks: readonly HomeTask[]
  /** Number of all tasks; `tasks` are the first of them. */
  count: number
  withProject?: boolean
}) {
  return (
    <section className="zg-card home-tasks">
      <div className="home-tasks-head">
        <h2>{title}</h2>
        <strong className={count ? 'count' : 'count none'}>{count}</strong>
      </div>
      <div className="home-tasks-body">
        {tasks.length === 0 ? (
          <Empty text="没有待办，辛苦了" hint="有新的告警、到期和审核时会出现在这里" />
        ) : (
          tasks.map((task, i) => <TaskRow key={task.id} task={task} first={i === 0} withProject={withProject ?? false} />)
        )}
      </div>
      <div className="home-tasks-foot">
        <span className="zg-2">{count > tasks.length ? `按轻重排列，另有 ${count - tasks.length} 项` : '按轻重排列'}</span>
        <Link to="/workbench">全部待办</Link>
      </div>
    </section>
  )
}

/** Tag of a task; for a task about several things, how many of them are overdue. */
function tagOf({ kindName, overdue, several }: HomeTask): string {
  if (!overdue) return kindName
  return several && several.late < several.count ? `${kindName} ${several.late} / ${several.count} 逾期` : `${kindName}逾期`
}

interface TaskRowProps {
  task: HomeTask
  first: boolean
  withProject: boolean
  /** Replaces the default link to the task. */
  go?: ReactNode
}
export function TaskRow({ task, first, withProject, go }: TaskRowProps) {
  return (
    <div className={`home-task ${first ? 'first' : ''} ${task.level === 1 ? 'grave' : ''}`}>
      <div className="line">
        {task.level ? <RiskBadge level={task.level} /> : <Tag tone={task.overdue ? 'danger' : 'warning'}>{tagOf(task)}</Tag>}
        <span className="zg-2" title={time(task.time)}>
          {task.several && '最早 '}
          {task.time.length > 10 ? age(task.time) : task.time.slice(5)}
        </span>
      </div>
      <div className="line">
        <div className="what">
          <b>{task.title}</b>
          <span>
            {withProject && task.projectName ? `${task.projectName}，` : ''}
            {task.reason}
          </span>
        </div>
        {go ?? (
          <Link className={`home-act ${first ? 'primary' : ''}`} to={task.link}>
            {task.action}
          </Link>
        )}
      </div>
    </div>
  )
}
