import { exportStatus } from '@zhugong/contract/exports/endpoints'
import { listTodos } from '@zhugong/contract/home/endpoints'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useEnter } from '#kit/enter.ts'
import { useExports } from '#kit/export-state.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, FigureStrip } from '#kit/feedback.tsx'
import { fileSize, time } from '#kit/format.ts'
import { useMe } from '#kit/me.ts'
import { useGo } from '#kit/page.tsx'
import { TaskRow } from './task-list.tsx'
import './home.css'

const dueWords = [
  ['overdue', '逾期'],
  ['today', '今天'],
  ['week', '本周'],
  ['later', '以后'],
] as const

/** What waits for me, everywhere, and what of mine is under way? */
export default function WorkbenchPage() {
  const go = useGo()
  const enter = useEnter()
  const info = useMe((me) => me.info)
  const [kind, setKind] = useState('')
  const { data, error, refetch } = useCall(
    listTodos,
    { query: { group: '*', size: 100, kind: kind || undefined } },
    { quiet: true, everyMs: 60_000, keepPrevious: true },
  )
  const { tasks: exports } = useExports(true)
  if (error && !data) return <ErrorPanel error={error} retry={refetch} />
  if (!data) return <DetailSkeleton />
  const sections = dueWords.map(([due, title]) => ({ title, rows: data.list.filter((t) => t.due === due) }))
  const overdue = data.groups.reduce((n, g) => n + g.overdue, 0)
  return (
    <main className="workbench">
      <header className="zg-page-title">
        <h1>工作台</h1>
        <span className="trail">
          {info?.name} 的全部身份，共 {data.groups.length} 个
        </span>
        <div className="right">
          <Button onClick={() => go('/main')}>返回首页</Button>
        </div>
      </header>
      <FigureStrip
        items={[
          { label: '待我处理', value: data.total, unit: '项', remark: `来自 ${data.groups.filter((g) => g.count).length} 个身份` },
          {
            label: '已逾期',
            value: overdue,
            unit: '项',
            remark: overdue ? '先处理这些' : '没有逾期',
            tone: overdue ? 'danger' : undefined,
          },
          { label: '一二级告警', value: data.graveAlarms, unit: '条', remark: '未接单或未处置' },
          { label: '我的导出', value: exports.length, unit: '个', remark: '保留 7 天' },
        ]}
      />
      <div className="workbench-body">
        <Card
          title="待办"
          actions={
            <Segmented
              size="small"
              value={kind}
              onChange={setKind}
              options={[
                { label: '全部', value: '' },
                { label: '告警', value: 'alarm' },
                { label: '证书', value: 'certificate' },
                { label: '合同', value: 'contract' },
                { label: '劳务预警', value: 'labourAlarm' },
              ]}
            />
          }
          flush
        >
          {data.list.length === 0 ? (
            <Empty text="没有待办，辛苦了" hint="新的告警、到期与审核会出现在这里" />
          ) : (
            sections.map((s) =>
              s.rows.length ? (
                <section key={s.title} className="workbench-section">
                  <h3>
                    {s.title} <span className="zg-2">{s.rows.length}</span>
                  </h3>
                  {s.rows.map((task) => (
                    <div key={`${task.groupId}${task.id}`} className="workbench-row">
                      <span className="zg-2 group">{task.groupName}</span>
                      <TaskRow task={task} first={false} withProject />
                    </div>
                  ))}
                </section>
              ) : null,
            )
          )}
        </Card>
        <div className="workbench-right">
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
