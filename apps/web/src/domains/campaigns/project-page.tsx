import { campaignStanding } from '@zhugong/contract/campaigns/checks'
import { dayCheckStates } from '@zhugong/contract/daychecks/moves'
import { Button } from 'antd'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { anywhere } from './campaign-acts.ts'
import { CheckTag } from './campaign-words.tsx'
import { Air, Alarms, Cameras, Machines, Notices, Parties, People, Scores } from './project-blocks.tsx'
import './campaigns.css'

/** What the group should know of a site before it arrives; every block reads by itself. */
export default function CampaignProjectPage() {
  const taskId = usePageQuery().get('taskId') ?? ''
  const go = useGo()
  const read = useCall(
    campaignStanding,
    { params: { taskId }, query: anywhere },
    { quiet: true, staleMs: 0, offline: true, enabled: taskId !== '' },
  )
  if (!taskId)
    return (
      <PageShell>
        <Empty text="未选择受检项目" hint="从省市检查打开一个项目">
          <Button onClick={() => go('/jgt/provinces/list')}>去省市检查</Button>
        </Empty>
      </PageShell>
    )
  if (read.error)
    return (
      <PageShell>
        <ErrorPanel error={read.error} retry={read.refetch} />
      </PageShell>
    )
  if (!read.data)
    return (
      <PageShell>
        <DetailSkeleton />
      </PageShell>
    )
  const { task, campaignName } = read.data
  const isOpen = task.state === dayCheckStates.planned || task.state === dayCheckStates.running
  return (
    <PageShell
      remark={`${task.projectName} · ${campaignName} · ${task.groupName ?? ''} · ${task.checkers.join('、')}`}
      actions={
        <>
          <CheckTag row={task} />
          {isOpen ? (
            task.checkId && (
              <Button type="primary" onClick={() => go('/jgt/provinces/project/momomerCheck', { taskId })}>
                {task.state === dayCheckStates.planned ? '签到开始' : '继续检查'}
              </Button>
            )
          ) : (
            <Button onClick={() => go('/jgt/provinces/checkResult', { taskId })}>检查结果</Button>
          )}
        </>
      }
    >
      <div className="campaign-brief">
        {task.missingSheets.length > 0 && <Notice tone="warning">未检 {task.missingSheets.join('、')}，不参与排名</Notice>}
        <Parties projectCode={task.projectCode} />
        <People projectCode={task.projectCode} />
        <Notices projectCode={task.projectCode} />
        <Scores projectCode={task.projectCode} />
        <Machines projectCode={task.projectCode} />
        <Alarms projectCode={task.projectCode} />
        <Air projectCode={task.projectCode} />
        <Cameras projectCode={task.projectCode} />
        <Card title="本次督查" remark="按专业">
          {task.disciplines.length === 0 ? (
            <Empty small text="名单锁定后派发检查" />
          ) : (
            <ul className="campaign-lines">
              {task.disciplines.map((one) => (
                <li key={one.code}>
                  {one.name}
                  {one.byName ? <Tag tone="fine">{one.byName} 已提交</Tag> : <Tag tone="neutral">未提交</Tag>}
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
    </PageShell>
  )
}
