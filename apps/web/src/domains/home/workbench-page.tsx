import { applyForApps } from '@zhugong/contract/apps/apply-endpoints'
import { createFix } from '@zhugong/contract/attendance/fix-endpoints'
import { exportStatus } from '@zhugong/contract/exports/endpoints'
import { listTodos, snoozeTodo } from '@zhugong/contract/home/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { createTeam } from '@zhugong/contract/labour/teams'
import { listMessages, readMessages } from '@zhugong/contract/notify/endpoints'
import { registerWorker } from '@zhugong/contract/personnel/workers'
import type { ApprovalRow } from '@zhugong/contract/workflow/endpoints'
import { undecided } from '@zhugong/contract/workflow/flow'
import { Button, Dropdown, Segmented, Select } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { DecideHere, useDecidedHere } from '#domains/workflow/public.tsx'
import { useAct, useCall } from '#kit/call.ts'
import { useCanAll } from '#kit/can.tsx'
import { DayCalendar, thisMonth } from '#kit/day-calendar.tsx'
import { useEnter } from '#kit/enter.ts'
import { useExports } from '#kit/export-state.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip } from '#kit/feedback.tsx'
import { fileSize, time } from '#kit/format.ts'
import { useMe } from '#kit/me.ts'
import { hrefOf, useGo } from '#kit/page.tsx'
import { TaskRow } from './task-list.tsx'
import './home.css'

const dueWords = [
  ['overdue', '逾期'],
  ['today', '今天'],
  ['week', '本周'],
  ['later', '以后'],
] as const

/** Kinds of the waiting tasks with their numbers. The chosen kind stays on offer when its last task is done. */
const kindOptions = (byKind: OutputFor<typeof listTodos>['byKind'], chosen: string) => [
  { label: `全部类型 ${byKind.reduce((n, one) => n + one.count, 0)}`, value: '' },
  ...byKind.map(({ kind, kindName, count }) => ({ label: `${kindName} ${count}`, value: kind })),
  ...(chosen && byKind.every(({ kind }) => kind !== chosen) ? [{ label: '该类型已办完', value: chosen }] : []),
]
type Todo = OutputFor<typeof listTodos>['list'][number]

/** To-dos of the user in all groups, and the user's own applications in progress. */
export default function WorkbenchPage() {
  const go = useGo()
  const enter = useEnter()
  const info = useMe((me) => me.info)
  const [kind, setKind] = useState('')
  const [view, setView] = useState<'waiting' | 'snoozed'>('waiting')
  const [dueOn, setDueOn] = useState<string>()
  const [month, setMonth] = useState(thisMonth)
  const decided = useDecidedHere()
  const { data, error, refetch } = useCall(
    listTodos,
    { query: { group: '*', size: 100, kind: kind || undefined, dueOn, snoozed: view === 'snoozed' ? true : undefined } },
    { quiet: true, everyMs: 60_000, keepPrevious: true },
  )
  const { tasks: exports } = useExports(true)
  if (error && !data) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const sections = dueWords.map(([due, title]) => ({ title, rows: data.list.filter((t) => t.due === due) }))
  const waiting = data.groups.reduce((n, g) => n + g.count, 0)
  const overdue = data.groups.reduce((n, g) => n + g.overdue, 0)
  return (
    <main className="workbench">
      <header className="zg-page-title">
        <h1>工作台</h1>
        <span className="trail">
          {info?.name} 的全部身份，共 {data.groups.length} 个
        </span>
        <div className="right">
          <QuickCreate />
          <Button onClick={() => go('/main')}>返回首页</Button>
        </div>
      </header>
      <FigureStrip
        items={[
          {
            label: '待我处理',
            value: waiting,
            unit: '项',
            remark: data.snoozed ? `另有 ${data.snoozed} 项稍后提醒` : `来自 ${data.groups.filter((g) => g.count).length} 个身份`,
          },
          { label: '今日到期', value: data.dueToday, unit: '项', tone: data.dueToday ? 'warning' : undefined },
          {
            label: '已逾期',
            value: overdue,
            unit: '项',
            remark: overdue ? '先处理这些' : '没有逾期',
            tone: overdue ? 'danger' : undefined,
          },
          {
            label: '我发起未完',
            value: data.startedOpen,
            unit: '件',
            remark: data.startedElsewhere ? `其他身份另有 ${data.startedElsewhere} 件` : `一二级告警 ${data.graveAlarms} 条待处置`,
            href: hrefOf('/workbench/approval', { box: 'mine', state: undecided.join(',') }),
          },
        ]}
      />
      <div className="workbench-body">
        <Card
          title="待办"
          actions={
            <>
              <Select
                size="small"
                aria-label="类型"
                popupMatchSelectWidth={false}
                value={kind}
                onChange={setKind}
                options={kindOptions(data.byKind, kind)}
              />
              <Segmented
                size="small"
                aria-label="范围"
                value={view}
                onChange={setView}
                options={[
                  { label: '待办', value: 'waiting' },
                  { label: `稍后${data.snoozed ? ` ${data.snoozed}` : ''}`, value: 'snoozed' },
                ]}
              />
            </>
          }
          flush
        >
          {data.list.length === 0 ? (
            <Empty
              text={view === 'snoozed' ? '没有稍后提醒的事项' : dueOn ? `${dueOn} 没有到期的待办` : '没有待办，辛苦了'}
              hint={view === 'snoozed' || dueOn ? undefined : '新的告警、到期与审核会出现在这里'}
            />
          ) : (
            sections.map((s) =>
              s.rows.length ? (
                <section key={s.title} className="workbench-section">
                  <h3>
                    {s.title} <span className="zg-2">{s.rows.length}</span>
                  </h3>
                  {s.rows.map((task) => (
                    <div key={`${task.groupId}${task.id}`} className="workbench-row" data-several={data.groups.length > 1}>
                      {data.groups.length > 1 && <span className="zg-2 group">{task.groupName}</span>}
                      <TaskRow
                        task={task}
                        first={false}
                        withProject
                        go={
                          <Ways task={task} own={task.groupId === info?.groupId} approval={decided.get(task.id.replace('approval:', ''))} />
                        }
                      />
                    </div>
                  ))}
                </section>
              ) : null,
            )
          )}
        </Card>
        <div className="workbench-right">
          <DayCalendar
            month={month}
            onMonth={setMonth}
            counts={new Map(data.days.map((one) => [one.day, one.count]))}
            chosen={dueOn}
            onDay={setDueOn}
            remark="数字为当天到期的待办，红色已逾期；点一天只看那天"
          />
          <Messages />
          <Card title="按身份" flush>
            <ul className="home-districts">
              {data.groups.map((g) => (
                <li key={g.groupId}>
                  <b>{g.groupName}</b>
                  <span>待办 {g.count}</span>
                  <span className={g.overdue ? 'tone-danger' : 'zg-2'}>逾期 {g.overdue}</span>
                  {g.groupId === info?.groupId ? (
                    <span className="zg-2">当前</span>
                  ) : (
                    <button type="button" className="zg-bare zg-link" onClick={() => void enter({ groupId: g.groupId }, '/main')}>
                      以此身份进入
                    </button>
                  )}
                </li>
              ))}
            </ul>
          </Card>
          <Card title="我的导出" flush>
            {exports.length === 0 ? (
              <Empty small text="还没有导出" hint="在列表右上角导出，完成后在这里下载" />
            ) : (
              <ul className="home-districts">
                {exports.slice(0, 8).map((e) => (
                  <li key={e.id}>
                    <b>{e.fileName}</b>
                    <span className="zg-2">
                      {e.exportStatus === exportStatus.done
                        ? fileSize(e.bytes)
                        : e.exportStatus === exportStatus.running
                          ? `进行中 ${e.progress}%`
                          : '失败'}
                    </span>
                    <span className="zg-2">{time(e.createTime).slice(5, 16)}</span>
                  </li>
                ))}
              </ul>
            )}
          </Card>
        </div>
      </div>
    </main>
  )
}

const creates = [
  { label: '登记人员', to: '/personListEdit', call: registerWorker },
  { label: '新建班组', to: '/teamEdit', call: createTeam },
  { label: '考勤补录', to: '/checkingList', call: createFix },
  { label: '申请应用', to: '/applyCentre', call: applyForApps },
] as const

/** Forms the user may start in the active group. */
function QuickCreate() {
  const go = useGo()
  const may = useCanAll()
  return creates
    .filter((one) => may(one.call))
    .map((one) => (
      <Button key={one.to} onClick={() => go(one.to)}>
        {one.label}
      </Button>
    ))
}

const snoozes = [
  { key: '2', label: '2 小时后' },
  { key: '24', label: '明天此时' },
  { key: '72', label: '三天后' },
]

/** Actions on a to-do: open it, in the group it belongs to (named if it is not the active one), or snooze it. */
function Ways({ task, own, approval }: { task: Todo; own: boolean; approval: ApprovalRow | undefined }) {
  const enter = useEnter()
  const put = useAct(snoozeTodo, { success: false, refreshes: [listTodos] })
  const at = { groupId: task.groupId, task: task.id }
  return (
    <span className="workbench-ways">
      {own ? (
        <Link className="home-act" to={task.link}>
          {task.action}
        </Link>
      ) : (
        <button type="button" className="home-act" onClick={() => void enter({ groupId: task.groupId }, task.link)}>
          以“{task.groupName}”身份{task.action}
        </button>
      )}
      {own && approval && <DecideHere row={approval} />}
      {task.snoozedUntil ? (
        <button type="button" className="zg-bare zg-link" onClick={() => void put.run({ body: { ...at, hours: 0 } })}>
          {task.snoozedUntil.slice(5, 16)} 提醒，恢复
        </button>
      ) : (
        task.level !== 1 && (
          <Dropdown
            trigger={['click']}
            menu={{ items: snoozes, onClick: ({ key }) => void put.run({ body: { ...at, hours: Number(key) } }) }}
          >
            <button type="button" className="zg-bare zg-link">
              稍后提醒
            </button>
          </Dropdown>
        )
      )}
    </span>
  )
}

const messagesShown = 6

/** Recent messages to the user in all groups. */
function Messages() {
  const { data, error, refetch } = useCall(listMessages, { query: { size: messagesShown } }, { quiet: true, everyMs: 60_000 })
  const read = useAct(readMessages, { success: false, refreshes: [listMessages] })
  const unread = data?.counts.unread
  return (
    <Card
      title="消息"
      remark={unread ? `未读 ${unread}` : undefined}
      actions={
        !!unread && (
          <Button size="small" loading={read.running} onClick={() => void read.run({ body: { all: true } })}>
            全部已读
          </Button>
        )
      }
      flush
    >
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data || data.list.length === 0 ? (
        <Empty small text={data ? '没有消息' : '读取中'} />
      ) : (
        <ul className="home-districts">
          {data.list.map((one) => (
            <li key={one.id}>
              {one.read ? <span>{one.title}</span> : <b>{one.title}</b>}
              <span className="zg-2">{time(one.time).slice(5, 16)}</span>
              {one.read ? (
                <span className="zg-2">已读</span>
              ) : (
                <button type="button" className="zg-bare zg-link" onClick={() => void read.run({ body: { ids: [one.id] } })}>
                  标为已读
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
