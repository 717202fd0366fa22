import { changeCampaign, getCampaign } from '@zhugong/contract/campaigns/calls'
import { campaignStanding, changeStanding } from '@zhugong/contract/campaigns/checks'
import { type DayCheckDetail, getDayCheck } from '@zhugong/contract/daychecks/calls'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { closedState, majorLevel } from '@zhugong/contract/rectify/moves'
import { grades } from '@zhugong/contract/scoring/score'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { day } from '#kit/format.ts'
import { DayInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGroupType } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { WorkItem } from '#kit/work-item.tsx'
import { anywhere, keyOf } from './campaign-acts.ts'
import { CheckTag, GradeTag, marks, percent } from './campaign-words.tsx'
import './campaigns.css'

type TaskResult = OutputFor<typeof campaignStanding>
const government = 1

/** The result of one project in a campaign, and what becomes of it. */
export default function CampaignResultPage() {
  const taskId = usePageQuery().get('taskId') ?? ''
  const go = useGo()
  if (!taskId)
    return (
      <PageShell>
        <Empty text="未选择受检项目" hint="从督查的项目与检查打开一个">
          <Button onClick={() => go('/jgt/provinces/list')}>去省市检查</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Result key={taskId} taskId={taskId} />
    </div>
  )
}

function Result({ taskId }: { taskId: string }) {
  const page = usePage()
  const go = useGo()
  const isAuthority = useGroupType() === government
  const read = useCall(campaignStanding, { params: { taskId }, query: anywhere }, { quiet: true, staleMs: 0 })
  const checkId = read.data?.task.checkId ?? ''
  const check = useCall(getDayCheck, { params: { id: checkId }, query: anywhere }, { quiet: true, staleMs: 0, enabled: checkId !== '' })
  const taskResult = read.data
  const task = taskResult?.task
  const isOpen = task !== undefined && ['', '0', '1'].includes(task.state)
  return (
    <WorkItem
      title={task?.projectName}
      tags={
        task && (
          <>
            <GradeTag row={task} />
            <CheckTag row={task} />
          </>
        )
      }
      facts={
        taskResult && task
          ? [
              { label: '得分', value: marks(task.score), tone: task.grade === grades.failed ? 'danger' : undefined },
              ...(isAuthority && taskResult.ranked !== null
                ? [{ label: '名次', value: task.rank === null ? '不排名' : `${task.rank} / ${taskResult.ranked}` }]
                : []),
              { label: '督查', value: taskResult.campaignName },
              { label: '检查时间', value: task.checkDate ?? '--' },
              { label: '整改率', value: percent(task.closeRate) },
            ]
          : []
      }
      actions={
        task?.checkId && (
          <Button
            onClick={() =>
              go(isOpen ? '/jgt/provinces/project/projectDetails' : '/jgt/daycheck/checkResult', isOpen ? { taskId } : { id: checkId })
            }
          >
            {isOpen ? '项目简报' : '打印与签字'}
          </Button>
        )
      }
      waiting={!taskResult}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        taskResult && (
          <>
            {isAuthority && <Handover taskId={taskId} standing={taskResult} />}
            {isAuthority && <Looks taskId={taskId} standing={taskResult} />}
            <ReportCard standing={taskResult} />
          </>
        )
      }
    >
      {taskResult && (
        <>
          {isOpen && <Notice tone="info">检查尚未提交，提交后在此公布结果。</Notice>}
          {isAuthority && taskResult.task.missingSheets.length > 0 && (
            <Notice tone="warning">未检 {taskResult.task.missingSheets.join('、')}，与其他项目不可比，不参与排名。</Notice>
          )}
          <Disciplines standing={taskResult} />
          {check.error ? (
            <ErrorPanel error={check.error} retry={check.refetch} />
          ) : check.data ? (
            <Found file={check.data} isAuthority={isAuthority} />
          ) : (
            checkId !== '' && <DetailSkeleton />
          )}
        </>
      )}
    </WorkItem>
  )
}

function Disciplines({ standing }: { standing: TaskResult }) {
  if (standing.disciplines.length === 0) return null
  return (
    <Card title="分专业得分" remark={standing.avgScore === null ? undefined : `全部受检项目平均 ${marks(standing.avgScore)} 分`}>
      <Pairs
        items={standing.disciplines.map((one) => ({
          label: one.name,
          value: `${marks(one.score)}${one.byName ? `（${one.byName}）` : ''}`,
        }))}
      />
    </Card>
  )
}

/** A score of at least this in a category is told as good practice. */
const goodFrom = 95

function Found({ file, isAuthority }: { file: DayCheckDetail; isAuthority: boolean }) {
  const good = file.categories.filter((one) => (one.score ?? 0) >= goodFrom)
  const noticePage = isAuthority ? '/jgt/project/project_detail' : '/safetySupervisionRectification/details'
  return (
    <>
      <Card title={`问题 ${file.problems.length}`} remark={file.reason} flush>
        {file.problems.length === 0 ? (
          <Empty small text="未发现问题" />
        ) : (
          <ol className="campaign-problems">
            {file.problems.map((one) => (
              <li key={one.id}>
                <div>
                  <b>{one.description}</b> {one.dangerLevel === majorLevel && <Tag tone="danger">重大隐患</Tag>}
                </div>
                <p className="zg-2">
                  {one.part} · {one.clause ?? '未引条款'} · {one.corpName} · 期限 <span className="zg-num">{one.deadline}</span>
                </p>
                {one.photos.length > 0 && (
                  <div className="campaign-thumbs">
                    {one.photos.map((src, i) => (
                      <Thumb key={src} src={src} name={`问题照片 ${i + 1}`} width={88} height={66} />
                    ))}
                  </div>
                )}
              </li>
            ))}
          </ol>
        )}
      </Card>
      {good.length > 0 && (
        <Card title="做得好的">
          <p>{good.map((one) => `${one.name} ${marks(one.score)} 分`).join('，')}</p>
        </Card>
      )}
      <Card title={`整改通知 ${file.notices.length}`} flush>
        {file.notices.length === 0 ? (
          <Empty small text="没有下发整改通知" />
        ) : (
          <div className="campaign-scroll">
            <table className="campaign-table">
              <thead>
                <tr>
                  <th>编号</th>
                  <th>类型</th>
                  <th>责任单位</th>
                  <th>下发</th>
                  <th>期限</th>
                  <th>闭合</th>
                  <th>状态</th>
                </tr>
              </thead>
              <tbody>
                {file.notices.map((one) => (
                  <tr key={one.id}>
                    <td>
                      <Link to={hrefOf(noticePage, { id: one.id })}>{one.code ?? '整改通知'}</Link>
                    </td>
                    <td>{one.noticeTypeName}</td>
                    <td>{one.corpName}</td>
                    <td className="zg-num">{one.issueTime?.slice(0, 10) ?? '--'}</td>
                    <td className="zg-num">{one.deadline}</td>
                    <td className="zg-num">{one.closeTime?.slice(0, 10) ?? '--'}</td>
                    <td>
                      <Tag tone={one.state === closedState ? 'fine' : 'warning'}>{one.stateName}</Tag>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Card>
    </>
  )
}

/** Who follows the notices up: the organiser, or the authority to which they were handed. */
function Handover({ taskId, standing }: { taskId: string; standing: TaskResult }) {
  const act = useAct(changeStanding, { success: '已办理' })
  const send = (action: 'entrust' | 'accept') => act.run({ params: { taskId }, query: anywhere, body: { action } })
  const { entrust, canEntrust, canAccept } = standing
  if (standing.task.notices === 0) return null
  return (
    <Card title="整改复查" remark={standing.recheckName}>
      {entrust ? (
        <p>
          {entrust.at.slice(0, 16)} {entrust.byName} 转办 {entrust.toName}
          {entrust.acceptedAt ? `，${entrust.acceptedAt.slice(0, 16)} 已接收` : '，待接收'}
        </p>
      ) : (
        <p>由{standing.organiserName}复查</p>
      )}
      {canEntrust && (
        <Button block loading={act.running} onClick={() => void send('entrust')}>
          转办 {canEntrust}
        </Button>
      )}
      {canAccept && (
        <Button type="primary" block size="large" loading={act.running} onClick={() => void send('accept')}>
          接收转办
        </Button>
      )}
    </Card>
  )
}

const usualLookDays = 7
const dayMs = 86_400_000

/** A further look by sample: a check of its own, which reopens nothing. */
function Looks({ taskId, standing }: { taskId: string; standing: TaskResult }) {
  const [planning, setPlanning] = useState(false)
  const [plannedDate, setPlannedDate] = useState<string | undefined>(day(Date.now() + usualLookDays * dayMs))
  const campaign = useCall(
    getCampaign,
    { params: { id: standing.campaignId }, query: anywhere },
    { quiet: true, staleMs: 0, enabled: standing.canLook },
  )
  const act = useAct(changeCampaign, { success: '已安排回头看', onDone: () => setPlanning(false) })
  const file = campaign.data
  if (standing.looks.length === 0 && !standing.canLook) return null
  return (
    <Card title="回头看" remark="另行检查，不重开已闭合的整改">
      {standing.looks.map((one) => (
        <p key={one.checkId}>
          <Link to={hrefOf('/jgt/daycheck/details', { id: one.checkId })}>
            <span className="zg-num">{one.plannedDate}</span>
          </Link>{' '}
          <Tag tone="neutral">{one.stateName}</Tag>
        </p>
      ))}
      {standing.canLook && file && (
        <Button block onClick={() => setPlanning(true)}>
          安排回头看
        </Button>
      )}
      {planning && file && (
        <FormSheet
          title="安排回头看"
          saveText="安排"
          saving={act.running}
          errors={act.fieldErrors}
          dirty={false}
          width={420}
          onClose={() => setPlanning(false)}
          onSave={() =>
            act.run(
              {
                ...keyOf(file),
                body: { action: 'furtherLook', version: file.version, taskId, plannedDate: plannedDate ?? '' },
              },
              { fieldsShown: true },
            )
          }
        >
          <label className="zg-label" htmlFor="look-day">
            检查日期
          </label>
          <DayInput id="look-day" value={plannedDate} onChange={setPlannedDate} min={day(Date.now())} />
          {act.fieldErrors.plannedDate && <p className="tone-danger">{act.fieldErrors.plannedDate}</p>}
        </FormSheet>
      )}
    </Card>
  )
}

function ReportCard({ standing }: { standing: TaskResult }) {
  if (!standing.summary) return null
  return (
    <Card title="督查通报" remark={standing.organiserName}>
      <div className="campaign-report">{standing.summary}</div>
    </Card>
  )
}
