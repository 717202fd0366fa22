import { type CampaignDetail, changeCampaign, getCampaign } from '@zhugong/contract/campaigns/calls'
import { campaignStates } from '@zhugong/contract/campaigns/moves'
import { Button } from 'antd'
import { Link } from 'react-router'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Card, Empty, Notice } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Timeline, WorkItem } from '#kit/work-item.tsx'
import { keyOf, may } from './campaign-acts.ts'
import { CampaignStateTag, SurpriseTag } from './campaign-words.tsx'
import { DrawCards } from './draw-cards.tsx'
import { Pool } from './pool.tsx'
import { stepsOf } from './steps.tsx'
import { TaskList } from './task-list.tsx'
import './campaigns.css'

/** Chooses or draws the projects of a campaign, provably fair. */
export default function CampaignDrawPage() {
  const id = usePageQuery().get('planId') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择督查" hint="从省市检查计划管理打开一次督查">
          <Button onClick={() => go('/jgt/provinces/planManagement')}>去计划管理</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Drawing key={id} id={id} />
    </div>
  )
}

function Drawing({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getCampaign, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  const file = read.data
  return (
    <WorkItem
      title={file?.name}
      tags={
        file && (
          <>
            <SurpriseTag row={file} />
            <CampaignStateTag row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              { label: '期间', value: `${file.startDate} 至 ${file.endDate.slice(5)}` },
              { label: '方式', value: file.drawModeName },
              { label: '检查组', value: file.groups.length },
              { label: '受检项目', value: file.tasks.filter((one) => one.dropped === null).length },
            ]
          : []
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <Lock file={file} />
            <DrawCards file={file} />
            <Timeline steps={stepsOf(file.timeline)} />
          </>
        )
      }
    >
      {file && (
        <>
          {file.state === campaignStates.draft && <Notice tone="info">草稿下发后才能抽取</Notice>}
          <TaskList file={file} />
          {file.state === campaignStates.issued && <Pool file={file} />}
        </>
      )}
    </WorkItem>
  )
}

/** The last step: from here on nothing of the list changes. */
function Lock({ file }: { file: CampaignDetail }) {
  const go = useGo()
  const act = useAct(changeCampaign, {
    success: '名单已锁定，检查任务已派给各组',
    onDone: () => go(hrefOf('/jgt/provinces/checkList', { planId: file.id })),
  })
  const tasks = file.tasks.filter((one) => one.dropped === null)
  const lock = async () => {
    const sure = await confirmDanger({
      thing: `锁定 ${tasks.length} 个受检项目`,
      consequence: '锁定后名单不能更改；项目停工等原因只能由同一抽取的下一号递补。',
      verb: '锁定名单',
    })
    if (sure) await act.run({ ...keyOf(file), body: { action: 'lock', version: file.version } })
  }
  if (!may(file, 'lock'))
    return file.state === campaignStates.issued || file.state === campaignStates.draft ? null : (
      <Card title="名单">
        <p>
          名单已锁定，共 {tasks.length} 个项目。<Link to={hrefOf('/jgt/provinces/checkList', { planId: file.id })}>项目与检查</Link>
        </p>
      </Card>
    )
  const open = tasks.filter((one) => one.groupSeq === null).length
  return (
    <Card title="锁定名单" remark={open > 0 ? `还有 ${open} 个项目未分组` : `${tasks.length} 个项目已分组`}>
      <Button type="primary" block size="large" disabled={open > 0} loading={act.running} onClick={() => void lock()}>
        锁定并派发检查任务
      </Button>
    </Card>
  )
}
