import { EditOutlined, RollbackOutlined, SendOutlined } from '@ant-design/icons'
import { type AdviceDetail, type AdviceEntry, getAdvice, unmaskAdvice } from '@zhugong/contract/advice/calls'
import { type AdviceAction, closeDays, satisfactions } from '@zhugong/contract/advice/moves'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { Timeline, WorkItem } from '#kit/work-item.tsx'
import './advice.css'
import { AnswerForm, AskForm, CloseForm, ForwardForm, NoteForm } from './advice-forms.tsx'
import { AdviceStateTag, TypeTag } from './advice-words.tsx'

const list = '/jgt/adviceReply/index'

/** Answer well, once; whoever asked reads it, asks again or closes. */
export default function AdviceReplyPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择意见" hint="从意见反馈打开一条">
          <Button onClick={() => go(list)}>去意见反馈</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Item key={id} id={id} />
    </div>
  )
}

function Item({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getAdvice, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  const file = read.data
  const may = (action: AdviceAction) => file?.actions.some((one) => one.action === action) ?? false
  return (
    <WorkItem
      title={file?.title}
      tags={file && <AdviceStateTag row={file} />}
      facts={
        file
          ? [
              { label: '类型', value: file.typeName },
              { label: '受理', value: file.addresseeName },
              { label: '提交', value: file.createTime.slice(0, 16) },
              { label: '等待', value: `${file.waitHours} 小时`, tone: file.late ? 'danger' : undefined },
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
            <About file={file} />
            {may('forward') && <ForwardForm file={file} />}
            {may('close') && <CloseForm file={file} />}
            {file.notes && <Notes file={file} mayAdd={may('note')} />}
            {file.timeline.length > 0 && <Course file={file} />}
          </>
        )
      }
    >
      {file && (
        <>
          <Thread file={file} />
          {may('reply') && <AnswerForm file={file} />}
          {may('reask') && <AskForm file={file} />}
          <AdviceState file={file} />
        </>
      )}
    </WorkItem>
  )
}

/** Whose turn it is when it is not the caller's. */
function AdviceState({ file }: { file: AdviceDetail }) {
  if (file.actions.some((one) => one.action === 'reply' || one.action === 'reask')) return null
  const words: Readonly<Record<string, string>> = {
    0: `等待${file.addresseeName}回复`,
    1: `已回复，${closeDays} 天内没有追问将自动关闭`,
    2: file.satisfaction === null ? '已关闭' : `已关闭，提交人${satisfactions[file.satisfaction as keyof typeof satisfactions]}`,
  }
  return <Notice tone="info">{words[file.state] ?? file.stateName}</Notice>
}

const entryWords = { ask: '提问', reply: '回复', forward: '转办' } as const

function Thread({ file }: { file: AdviceDetail }) {
  return (
    <Card title="往来" remark={`${file.rounds} 轮`}>
      <ol className="advice-thread">
        {file.thread.map((one) => (
          <Entry key={one.id} one={one} />
        ))}
      </ol>
    </Card>
  )
}

function Entry({ one }: { one: AdviceEntry }) {
  return (
    <li className={`advice-${one.kind}`}>
      <p className="zg-2">
        <Tag icon={false} tone={one.kind === 'reply' ? 'fine' : one.kind === 'ask' ? 'running' : 'neutral'}>
          {entryWords[one.kind]}
        </Tag>{' '}
        {one.groupName} {one.byName} <span className="zg-num">{one.at.slice(0, 16)}</span>
      </p>
      <p>{one.text}</p>
      {one.images.length > 0 && (
        <div className="zg-row zg-wrap zg-gap-6">
          {one.images.map((src) => (
            <Thumb key={src} src={src} name="附图" width={120} height={90} />
          ))}
        </div>
      )}
    </li>
  )
}

/** 举报投诉核查 in dictionary inspectType. */
const complaintCheck = '09'

function About({ file }: { file: AdviceDetail }) {
  const unmask = useAct(unmaskAdvice, { success: false })
  const go = useGo()
  const mayOrder = useCan('supervision.rectifyIssue')
  const mayCheck = useCan('supervision.checkAssign')
  const [shown, setShown] = useState<{ name: string; groupName: string }>()
  const look = async () => {
    const reason = await askReason('查看投诉人', '事由（记入办理经过和操作日志）')
    if (!reason) return
    const answer = await unmask.run({ params: { id: file.id }, query: { projectCode: '*' }, body: { reason } })
    if (answer) setShown(answer.data)
  }
  const projectCode = file.projectCode ?? undefined
  return (
    <Card title="情况" className="zg-work-handling">
      <Pairs
        items={[
          { label: '类型', value: <TypeTag row={file} /> },
          { label: '提交人', value: shown ? `${shown.name}（${shown.groupName}）` : file.submitterName },
          ...(file.submitterGroupName ? [{ label: '所在单位', value: file.submitterGroupName }] : []),
          { label: '涉及项目', value: file.projectName ?? '与项目无关' },
          ...(file.context
            ? [
                {
                  label: '未闭合整改',
                  value: <Link to={hrefOf('/jgt/project/tgzg_index', { tab: 'running', projectCode })}>{file.context.openNotices} 份</Link>,
                },
                { label: '其他投诉', value: `${file.context.earlierComplaints} 条` },
              ]
            : []),
        ]}
      />
      <p className="zg-row zg-gap-6 zg-wrap">
        {mayOrder && projectCode && file.context && (
          // The notice does not name what it comes from: whom a complaint concerns must not learn of it.
          <Button onClick={() => go('/safetySupervisionRectification/edit', { project: projectCode })}>下发整改</Button>
        )}
        {mayCheck && projectCode && file.context && (
          <Button
            onClick={() => go('/jgt/daycheck/edit', { projectCode, inspectType: complaintCheck, sourceKind: 'advice', sourceId: file.id })}
          >
            生成核查检查
          </Button>
        )}
        {file.canUnmask && !shown && (
          <Button loading={unmask.running} onClick={() => void look()}>
            查看投诉人
          </Button>
        )}
      </p>
    </Card>
  )
}

function Notes({ file, mayAdd }: { file: AdviceDetail; mayAdd: boolean }) {
  return (
    <Card title="内部备注" remark="只有本机构可见">
      {file.notes?.length === 0 && <p className="zg-2">还没有备注</p>}
      <ul className="zg-work-lines">
        {file.notes?.map((one) => (
          <li key={one.id}>
            {one.text}{' '}
            <span className="zg-2">
              {one.byName} {one.at.slice(5, 16)}
            </span>
          </li>
        ))}
      </ul>
      {mayAdd && <NoteForm file={file} />}
    </Card>
  )
}

const looks: Readonly<Record<string, { icon: ReactNode; color: string }>> = {
  reply: { icon: <SendOutlined />, color: colors.fine },
  forward: { icon: <RollbackOutlined />, color: colors.primary },
  unmask: { icon: <EditOutlined />, color: colors.danger },
}

function Course({ file }: { file: AdviceDetail }) {
  return (
    <Timeline
      steps={file.timeline.map((one) => ({
        id: one.id,
        time: one.at,
        icon: looks[one.action]?.icon ?? <EditOutlined />,
        color: looks[one.action]?.color ?? colors.text2,
        title: one.label,
        lines: [
          { text: [one.byName, one.groupName].filter(Boolean).join(' · '), bad: false },
          ...(one.opinion ? [{ text: one.opinion, bad: false }] : []),
        ],
      }))}
    />
  )
}
