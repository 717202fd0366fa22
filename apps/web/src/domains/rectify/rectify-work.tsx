import {
  CaretRightOutlined,
  CheckOutlined,
  ClockCircleOutlined,
  CloseOutlined,
  EditOutlined,
  PauseOutlined,
  PrinterOutlined,
  RollbackOutlined,
  SendOutlined,
} from '@ant-design/icons'
import { getRectify, type RectifyDetail } from '@zhugong/contract/rectify/calls'
import { fullStop } from '@zhugong/contract/rectify/moves'
import { signRectify } from '@zhugong/contract/rectify/seats'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Timeline, WorkItem } from '#kit/work-item.tsx'
import { PassedOn } from './pass-on.tsx'
import { PenaltyCard } from './penalty-card.tsx'
import { RectifyHandling } from './rectify-handling.tsx'
import { RectifyProblems } from './rectify-problems.tsx'
import { isStop, RectifyStateTag } from './rectify-words.tsx'
import { ReplyForm } from './reply-form.tsx'
import { ProxyTag, VisitTag } from './reply-words.tsx'
import { VerdictForm } from './verdict-form.tsx'

const looks: Readonly<Record<string, { icon: ReactNode; color: string }>> = {
  issue: { icon: <SendOutlined />, color: colors.primary },
  reply: { icon: <SendOutlined />, color: colors.primary },
  jlPass: { icon: <CheckOutlined />, color: colors.fine },
  recheckPass: { icon: <CheckOutlined />, color: colors.fine },
  jlReturn: { icon: <RollbackOutlined />, color: colors.danger },
  recheckFail: { icon: <RollbackOutlined />, color: colors.danger },
  revoke: { icon: <CloseOutlined />, color: colors.text2 },
  applyExtend: { icon: <ClockCircleOutlined />, color: colors.warning },
  stop: { icon: <PauseOutlined />, color: colors.danger },
  resume: { icon: <CaretRightOutlined />, color: colors.fine },
}

/** A notice opened by `?id=`: what was found, what was answered, whose turn it is, and the caller's own step. */
export function RectifyPage({ from }: { from: { path: string; name: string } }) {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择整改单" hint={`从${from.name}打开一份`}>
          <Button onClick={() => go(from.path)}>去{from.name}</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <RectifyWork key={id} id={id} />
    </div>
  )
}

function RectifyWork({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getRectify, { params: { id } }, { quiet: true, staleMs: 0, offline: true })
  const file = read.data
  return (
    <WorkItem
      title={file && (file.code ?? '整改草稿')}
      tags={
        file && (
          <>
            <RectifyStateTag row={file} /> {file.proxied && <ProxyTag />} {file.mustVisit && <VisitTag />}
          </>
        )
      }
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '责任单位', value: file.corpName },
              { label: '期限', value: file.deadline, tone: file.overdueDays ? 'danger' : undefined },
              { label: '问题', value: `闭合 ${file.passedCount} / ${file.problemCount}` },
              ...(file.returns ? [{ label: '退回', value: `${file.returns} 次`, tone: 'danger' as const }] : []),
            ]
          : []
      }
      actions={file && <Papers file={file} />}
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <RectifyHandling file={file} />
            <Course file={file} />
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

/** The notice on paper, and the replies to it. */
function Papers({ file }: { file: RectifyDetail }) {
  const go = useGo()
  const print = usePrint('rectifyNotice')
  return (
    <span className="zg-row zg-gap-6">
      {file.origin === 'gov' && file.rounds.length > 0 && (
        <Button onClick={() => go('/jgt/project/huifu', { id: file.id })}>查看回复</Button>
      )}
      {file.code !== null && (
        <Can code="inspection.view">
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'rectifyNotice', exportType: 'pdf', query: { id: file.id } } })}
          >
            打印通知
          </Button>
        </Can>
      )}
    </span>
  )
}

function Content({ file }: { file: RectifyDetail }) {
  const may = (action: string) => file.actions.some((one) => one.action === action)
  return (
    <>
      {file.overdueDays > 0 && (
        <Notice tone="danger">
          已逾期 {file.overdueDays} 天，{file.waiting}
        </Notice>
      )}
      {isStop(file.noticeType) && (
        <Notice tone="warning">
          {file.noticeType === fullStop ? '全面停工整改：复查合格前整个项目不得施工。' : '停工整改：所列部位整改合格前不得施工。'}
        </Notice>
      )}
      {may('reply') && file.source?.handling ? (
        <>
          <Notice tone="info">
            该整改来自{file.source.title}，回复时须填写更换部件和维修人员。<Link to={file.source.handling}>去回复</Link>
          </Notice>
          <RectifyProblems file={file} />
        </>
      ) : may('reply') ? (
        <ReplyForm file={file} />
      ) : may('jlPass') || (may('recheckPass') && file.origin === 'site') ? (
        <VerdictForm file={file} by={may('jlPass') ? 'supervisor' : 'issuer'} />
      ) : (
        <RectifyProblems file={file} />
      )}
      <PassedOn file={file} />
      {file.code !== null && <SignaturesCard rows={file.signatures} call={signRectify} id={file.id} />}
      {file.penalties.map((one) => (
        <PenaltyCard key={one.id + one.version} penalty={one} />
      ))}
      <NoticeFacts file={file} />
      <Extensions file={file} />
    </>
  )
}

function NoticeFacts({ file }: { file: RectifyDetail }) {
  return (
    <Card title="通知">
      <Pairs
        items={[
          { label: '通知类型', value: file.noticeTypeName },
          { label: '类别', value: file.categoryName },
          { label: '隐患等级', value: file.levelName },
          { label: '来源', value: file.sourceTypeName },
          { label: '检查日期', value: file.checkDate },
          { label: '下发', value: `${file.issuerGroupName} ${file.issuerName}` },
          { label: '下发时间', value: file.issueTime },
          { label: '签收', value: file.receiveTime && `${file.receiveTime}${file.deemed ? '（视同送达）' : ''}` },
          { label: '整改责任人', value: file.responsiblePerson },
          ...(file.majorClause ? [{ label: '判定条款', value: file.majorClause, wide: true }] : []),
        ]}
      />
    </Card>
  )
}

function Extensions({ file }: { file: RectifyDetail }) {
  if (file.extensions.length === 0) return null
  return (
    <Card title="延期" remark={`${file.extendCount} 次获准`}>
      <ul className="zg-work-lines">
        {file.extensions.map((one) => (
          <li key={one.id}>
            <Tag tone={one.agreed === null ? 'warning' : one.agreed ? 'fine' : 'danger'}>
              {one.agreed === null ? '待审批' : one.agreed ? '同意' : '不同意'}
            </Tag>{' '}
            延至 {one.until}：{one.reason}
            <span className="zg-2">
              （{one.byName} {one.at.slice(5, 16)}
              {one.decidedBy ? `，${one.decidedBy}${one.opinion ? `：${one.opinion}` : ''}` : ''}）
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Course({ file }: { file: RectifyDetail }) {
  return (
    <Timeline
      steps={file.timeline.map((one) => ({
        id: one.id,
        time: one.at,
        icon: looks[one.action]?.icon ?? <EditOutlined />,
        color: looks[one.action]?.color ?? colors.text2,
        title: one.label,
        lines: [
          { text: `${one.byName} · ${one.groupName}`, bad: false },
          ...(one.opinion ? [{ text: one.opinion, bad: one.action === 'jlReturn' || one.action === 'recheckFail' }] : []),
        ],
      }))}
    />
  )
}
