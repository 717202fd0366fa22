import {
  CheckOutlined,
  CloseOutlined,
  EditOutlined,
  PrinterOutlined,
  RollbackOutlined,
  SearchOutlined,
  SendOutlined,
  WarningFilled,
} from '@ant-design/icons'
import { getStop, type StopDetail, type StopEffect } from '@zhugong/contract/stops/calls'
import { stopTypes } from '@zhugong/contract/stops/moves'
import { signStop } from '@zhugong/contract/stops/seats'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Timeline, WorkItem } from '#kit/work-item.tsx'
import { ChecksCard, SiteCheckForm } from './stop-checks.tsx'
import { StopHandling } from './stop-handling.tsx'
import { StopStateTag, shortType } from './stop-words.tsx'
import './stops.css'

/** Each node's person decides with everything in view: what is asked for, how it was found, and what the decision changes. */
export default function StopDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择申请" hint="从停工申请列表打开一份">
          <Button onClick={() => go('/jgt/stopapply')}>去停工申请</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <StopWork key={id} id={id} />
    </div>
  )
}

function StopWork({ id }: { id: string }) {
  const page = usePage()
  const print = usePrint('stopPaper')
  const read = useCall(getStop, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  const file = read.data
  const paper = (which: 'form' | 'decision') =>
    void print.run({ body: { feature: 'stopPaper', exportType: 'pdf', query: { id, paper: which } } })
  return (
    <WorkItem
      title={file && `${shortType(file)} ${file.code ?? '草稿'}`}
      tags={file && <StopStateTag row={file} />}
      facts={file ? factsOf(file) : []}
      actions={
        file && (
          <>
            <Button icon={<PrinterOutlined />} loading={print.running} onClick={() => paper('form')}>
              打印申请表
            </Button>
            {file.docCode && (
              <Button icon={<PrinterOutlined />} loading={print.running} onClick={() => paper('decision')}>
                打印告知书（{file.docType}）
              </Button>
            )}
          </>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <StopHandling file={file} />
            <Course file={file} />
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

const factsOf = (file: StopDetail) => [
  { label: '项目', value: file.projectName },
  { label: '项目状态', value: file.prjStatusName },
  ...(file.type === stopTypes.stop
    ? [
        { label: '停工', value: file.stopDate },
        { label: '计划复工', value: file.planResumeDate, tone: file.overdueDays ? ('danger' as const) : undefined },
      ]
    : []),
  ...(file.stoppedDays === null ? [] : [{ label: '已停', value: `${file.stoppedDays} 天` }]),
  ...(file.waitDays ? [{ label: '本节点等待', value: `${file.waitDays} 天` }] : []),
]

function Content({ file }: { file: StopDetail }) {
  const checks = file.actions.some((one) => one.action === 'pass')
  return (
    <>
      {file.overdueDays > 0 && <Notice tone="danger">超计划复工日 {file.overdueDays} 天：请建设单位申请复工，或说明原因。</Notice>}
      {file.effects.length > 0 && <Effects file={file} />}
      <Application file={file} />
      {checks ? <SiteCheckForm file={file} /> : file.checks.length > 0 && <ChecksCard checks={file.checks} />}
      <Opinions file={file} />
      <SignaturesCard rows={file.signatures} call={signStop} id={file.id} />
    </>
  )
}

/** What the decision changes, listed before it is taken. */
function Effects({ file }: { file: StopDetail }) {
  const blocks = file.effects.filter((one) => one.level === 'block').length
  return (
    <Card title="同意后的影响" remark={blocks ? `${blocks} 项须先解决` : '办理前请核对'}>
      <dl className="stop-effects">
        {file.effects.map((one) => (
          <Effect key={`${one.label}${one.value}`} effect={one} />
        ))}
      </dl>
    </Card>
  )
}

const effectTones = { info: '', warn: 'tone-warning', block: 'tone-danger' } as const

export function Effect({ effect: { label, value, link, level } }: { effect: StopEffect }) {
  return (
    <div className={effectTones[level]}>
      <dt>
        {level !== 'info' && <WarningFilled aria-hidden="true" />} {label}
      </dt>
      <dd>
        {value}{' '}
        {link && (
          <Link className="stop-more" to={link}>
            查看
          </Link>
        )}
      </dd>
    </div>
  )
}

function Application({ file }: { file: StopDetail }) {
  const isStop = file.type === stopTypes.stop
  return (
    <Card title="申请表">
      <Pairs
        items={[
          { label: '申请类型', value: file.typeName, wide: true },
          { label: '申请单位', value: file.applyCorp },
          { label: '经办人', value: file.applicantName },
          { label: '提交时间', value: file.submitTime },
          ...(isStop
            ? [
                { label: '停工原因', value: file.reasonTypeName },
                { label: '停工日期', value: file.stopDate },
                { label: '计划复工日期', value: file.planResumeDate },
                { label: '停工期间考勤', value: file.affectAttendance ? '停计，日考勤记“停工”' : '照常统计' },
                { label: '值守人员', value: file.guardPersons },
                { label: '实际复工', value: file.resumedDay },
              ]
            : []),
          { label: '详细原因', value: file.reason, wide: true },
          ...(isStop ? [{ label: '在施部位及安全保障措施', value: file.ongoingParts, wide: true }] : []),
          ...(file.type === stopTypes.end
            ? [{ label: '竣工验收证明', value: <Papers files={file.completeCert} name="证明" />, wide: true }]
            : []),
          { label: '三方盖章附件', value: <Papers files={file.attachments} name="附件" />, wide: true },
        ]}
      />
    </Card>
  )
}

function Opinions({ file }: { file: StopDetail }) {
  const lines = [
    ...(file.audit ? [{ who: '监理意见', ...file.audit }] : []),
    ...(file.officers
      ? [{ who: '现场核查', byName: file.officers, groupName: '', at: file.checkDate ?? '', passed: null, opinion: null }]
      : []),
    ...(file.decided ? [{ who: '监管意见', ...file.decided }] : []),
  ]
  if (lines.length === 0) return null
  return (
    <Card title="意见与文书">
      <ul className="zg-work-lines">
        {lines.map(({ who, byName, groupName, at, passed, opinion }) => (
          <li key={who}>
            <b>{who}</b>{' '}
            {passed === null ? <Tag tone="running">已安排</Tag> : <Tag tone={passed ? 'fine' : 'danger'}>{passed ? '同意' : '驳回'}</Tag>}{' '}
            {opinion}
            <span className="zg-2">
              （{[groupName, byName].filter(Boolean).join(' ')}，{at.slice(0, 16)}）
            </span>
          </li>
        ))}
        {file.docCode && (
          <li>
            <b>告知书</b> {file.docCode}
          </li>
        )}
      </ul>
    </Card>
  )
}

const looks: Readonly<Record<string, { icon: ReactNode; color: string }>> = {
  submit: { icon: <SendOutlined />, color: colors.primary },
  agree: { icon: <CheckOutlined />, color: colors.fine },
  approve: { icon: <CheckOutlined />, color: colors.fine },
  pass: { icon: <CheckOutlined />, color: colors.fine },
  arrange: { icon: <SearchOutlined />, color: colors.primary },
  reject: { icon: <RollbackOutlined />, color: colors.danger },
  fail: { icon: <RollbackOutlined />, color: colors.danger },
  withdraw: { icon: <CloseOutlined />, color: colors.text2 },
}

function Course({ file }: { file: StopDetail }) {
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
          ...(one.opinion ? [{ text: one.opinion, bad: one.action === 'reject' || one.action === 'fail' }] : []),
        ],
      }))}
    />
  )
}
