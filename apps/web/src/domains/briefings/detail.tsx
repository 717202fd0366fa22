import { CheckOutlined, CloseCircleOutlined, EditOutlined, PrinterOutlined, SendOutlined } from '@ant-design/icons'
import { type BriefingDetail, getGangBriefing, getManagerBriefing } from '@zhugong/contract/briefings/calls'
import { type BriefingType, briefingStates } from '@zhugong/contract/briefings/moves'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Course, type CourseLooks } from '#kit/course.tsx'
import { Card, Empty, Notice, Pairs } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { usePrint } from '#kit/use-print.ts'
import { WorkItem } from '#kit/work-item.tsx'
import { anyProject, DoubtTags, detailOf, doubtSentence, StateTag } from './briefing-words.tsx'
import { Handle } from './handle.tsx'
import { People } from './people.tsx'
import { Points, SpeakButton } from './speak.tsx'
import './briefings.css'

export function DetailPage({ type, list, listName }: { type: BriefingType; list: string; listName: string }) {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择交底" hint={`从${listName}打开一次交底`}>
          <Button onClick={() => go(list)}>去{listName}</Button>
        </Empty>
      </PageShell>
    )
  return <div className="zg-page zg-scrolls">{type === 'technical' ? <OfManagers key={id} id={id} /> : <OfGang key={id} id={id} />}</div>
}

const live = { quiet: true, staleMs: 0, offline: true } as const

function OfGang({ id }: { id: string }) {
  return <Briefing read={useCall(getGangBriefing, { params: { id }, query: anyProject }, live)} />
}
function OfManagers({ id }: { id: string }) {
  return <Briefing read={useCall(getManagerBriefing, { params: { id }, query: anyProject }, live)} />
}

interface Read {
  data: BriefingDetail | undefined
  error: Error | null
  refetch: () => unknown
}

function Briefing({ read }: { read: Read }) {
  const page = usePage()
  const print = usePrint('briefingSheet')
  const file = read.data
  return (
    <WorkItem
      title={file?.name}
      tags={
        file && (
          <>
            <StateTag row={file} /> <DoubtTags row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              { label: '编号', value: file.code ?? '草稿' },
              { label: '项目', value: file.projectName },
              { label: '部位', value: file.part },
              { label: file.type === 'technical' ? '类型' : '班组', value: file.kindName ?? file.teamName },
              { label: '交底日期', value: file.date },
            ]
          : []
      }
      actions={
        file?.code && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'briefingSheet', exportType: 'pdf', query: { id: file.id } } })}
          >
            打印签字单
          </Button>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <Handle file={file} />
            <Course lines={file.timeline} looks={looks} bad={['void', 'redo']} />
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

const looks: CourseLooks = {
  begin: { icon: <SendOutlined />, color: colors.primary },
  finish: { icon: <CheckOutlined />, color: colors.fine },
  archive: { icon: <CheckOutlined />, color: colors.text2 },
  amend: { icon: <EditOutlined />, color: colors.warning },
  void: { icon: <CloseCircleOutlined />, color: colors.danger },
  redo: { icon: <CloseCircleOutlined />, color: colors.danger },
}

function Content({ file }: { file: BriefingDetail }) {
  const other = (one: { id: string; code: string | null }) => (
    <Link to={hrefOf(...detailOf({ id: one.id, type: file.type }, 'site'))}>{one.code ?? '草稿'}</Link>
  )
  return (
    <>
      {file.state === briefingStates.void && (
        <Notice tone="danger">本交底已作废，不再作为作业依据。{file.replacedBy && <>已由 {other(file.replacedBy)} 替代。</>}</Notice>
      )}
      {file.replaces && <Notice tone="info">替代已作废的 {other(file.replaces)}。</Notice>}
      {file.doubts.length > 0 && <Notice tone="danger">签字存疑：{doubtSentence(file)}。</Notice>}
      {file.late && <Notice tone="warning">交底日期 {file.date}，签字在这之后才发起。</Notice>}
      {file.work?.hindrance && <Notice tone="danger">{file.work.hindrance}</Notice>}
      <People file={file} />
      <Card title="交底内容" remark={`内容摘要 ${file.digest.slice(0, 16)}`} actions={<SpeakButton content={file.content} />}>
        <Points content={file.content} />
      </Card>
      {file.files.length > 0 && (
        <Card title="附件">
          <Papers files={file.files} name="附件" />
        </Card>
      )}
      {file.scans.length > 0 && (
        <Card title="纸质签字单">
          <Papers files={file.scans} name="签字单" />
        </Card>
      )}
      <Card title="交底">
        <Pairs
          items={[
            ...(file.workTypeName ? [{ label: '工种', value: file.workTypeName }] : []),
            { label: '单位', value: file.corpName },
            { label: '交底人', value: file.discloser },
            ...(file.witness ? [{ label: '安全员（见证）', value: file.witness }] : []),
            {
              label: '危大工程',
              value: file.work && (
                <>
                  <Link to={hrefOf('/jgt/bigproject/details', { id: file.work.id })}>{file.work.name}</Link> {file.work.stateName}
                </>
              ),
            },
            ...(file.measures.length > 0
              ? [
                  {
                    label: '引用的安全措施',
                    value: file.measures.map((one) => (
                      <div key={one.id}>
                        <Link to={hrefOf('/safetyMeasuresdetail', { id: one.id })}>{one.name}</Link>{' '}
                        <span className="zg-2">{one.hazardName}</span>
                      </div>
                    )),
                    wide: true,
                  },
                ]
              : []),
          ]}
        />
      </Card>
    </>
  )
}
