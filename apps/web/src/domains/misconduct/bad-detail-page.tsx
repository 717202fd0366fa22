import { AuditOutlined, CheckOutlined, CloseOutlined, FilePdfOutlined, RollbackOutlined, SendOutlined } from '@ant-design/icons'
import { type BadActionDetail, type BadPlea, exportBadAction, getBadAction } from '@zhugong/contract/misconduct/calls'
import { badStates } from '@zhugong/contract/misconduct/codes'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { Course, type CourseLooks } from '#kit/course.tsx'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { WorkItem } from '#kit/work-item.tsx'
import { BadHandling } from './bad-handling.tsx'
import { BadStateTag, EffectCard, LevelTag, LikesCard } from './bad-words.tsx'
import './misconduct.css'

/** For both parties: fact, decision, publication, appeal, repair. */
export default function BadDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择记录" hint="从不良行为列表打开一份">
          <Button onClick={() => go('/misconduct')}>去不良行为</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <BadWork key={id} id={id} />
    </div>
  )
}

function BadWork({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getBadAction, { params: { id } }, { quiet: true, staleMs: 0 })
  const paper = useAct(exportBadAction, { success: false, refreshes: [] })
  const mayExport = useCan(exportBadAction)
  const file = read.data
  return (
    <WorkItem
      title={file && `${file.targetName} ${file.code ?? '草稿'}`}
      tags={
        file && (
          <>
            <LevelTag level={file.level} name={file.levelName} />
            <BadStateTag row={file} />
          </>
        )
      }
      facts={file ? factsOf(file) : []}
      actions={
        file?.docCode &&
        mayExport && (
          <Button icon={<FilePdfOutlined />} loading={paper.running} onClick={() => void paper.run({ params: { id } })}>
            导出认定书
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
            <BadHandling file={file} />
            {file.effect && <EffectCard effect={file.effect} remark="认定前后" />}
            {file.timeline.length > 0 && <Course lines={file.timeline} looks={looks} />}
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

const factsOf = (file: BadActionDetail) => [
  { label: '行为类别', value: file.typeName },
  { label: '扣分', value: `${file.score} 分` },
  ...(file.projectName ? [{ label: '项目', value: file.projectName }] : []),
  ...(file.daysLeft === null ? [] : [{ label: '公示剩余', value: `${file.daysLeft} 天` }]),
]

function Content({ file }: { file: BadActionDetail }) {
  const appeals = file.pleas.filter((one) => one.kind === 'appeal')
  const repairs = file.pleas.filter((one) => one.kind === 'repair')
  return (
    <>
      {file.system && file.state === badStates.draft && (
        <Notice tone="info">系统建议：整改逾期 7 天自动起草，须由监督员核实后提交，或填写原因不采纳。</Notice>
      )}
      <LikesCard likes={file.likes} />
      <Card title="事实与依据">
        <p className="bad-fact">{file.fact || '未填写'}</p>
        <Pairs
          items={[
            { label: '对象', value: `${file.targetTypeName} ${file.targetName}` },
            { label: '所属单位', value: file.corpName },
            { label: '发生日期', value: file.occurrenceDate },
            { label: '认定级别', value: file.degreeName },
            { label: '来源', value: <Source file={file} /> },
            { label: '提出', value: [file.proposeGroupName, file.proposeName, file.proposeTime?.slice(0, 16)].filter(Boolean).join(' ') },
            { label: '认定依据条款', value: file.basis, wide: true },
            ...(file.target ? [{ label: `证据 ${file.files.length}`, value: <Papers files={file.files} name="证据" />, wide: true }] : []),
          ]}
        />
      </Card>
      {file.decideTime && <Decision file={file} />}
      {file.docCode && <Publication file={file} />}
      {appeals.length > 0 && <Pleas title="申诉" pleas={appeals} granted="撤销认定" refused="维持认定" />}
      {repairs.length > 0 && <Pleas title="信用修复" pleas={repairs} granted="通过" refused="不予修复" />}
    </>
  )
}

function Source({ file }: { file: BadActionDetail }) {
  if (!file.rectifyId) return file.sourceName
  return (
    <>
      {file.sourceName}{' '}
      <Link to={hrefOf('/safetySupervisionRectification/details', { id: file.rectifyId })}>{file.rectifyCode ?? '整改单'}</Link>
    </>
  )
}

function Decision({ file }: { file: BadActionDetail }) {
  const passed = file.docCode !== null
  return (
    <Card title="认定">
      <Pairs
        items={[
          { label: '结论', value: <Tag tone={passed ? 'danger' : 'neutral'}>{passed ? '认定' : '驳回'}</Tag> },
          { label: '认定书', value: file.docCode },
          { label: '认定机构', value: file.decideGroupName },
          { label: '认定人', value: file.decideName },
          { label: '时间', value: file.decideTime?.slice(0, 16) },
          { label: '扣分', value: passed ? `${file.score} 分` : null },
          { label: '意见', value: file.decideOpinion, wide: true },
        ]}
      />
    </Card>
  )
}

function Publication({ file }: { file: BadActionDetail }) {
  return (
    <Card title="公示" remark={file.receiveTime ? undefined : '当事人签收或送达后开始'}>
      <Pairs
        items={[
          { label: '收件人', value: file.receiver },
          { label: '签收时间', value: file.receiveTime?.slice(0, 16) },
          { label: '公示起', value: file.publishStart },
          { label: '公示止', value: file.publishEnd },
          { label: '申诉期至', value: file.appealUntil },
          ...(file.serveFiles.length > 0 ? [{ label: '送达回证', value: <Papers files={file.serveFiles} name="回证" />, wide: true }] : []),
        ]}
      />
    </Card>
  )
}

function Pleas({ title, pleas, granted, refused }: { title: string; pleas: readonly BadPlea[]; granted: string; refused: string }) {
  return (
    <Card title={title}>
      {pleas.map((one) => (
        <div key={one.id} className="zg-below-12">
          <p className="bad-fact">{one.reason}</p>
          <Papers files={one.files} name="材料" />
          <p className="zg-2">
            {one.groupName} {one.byName} {one.at.slice(0, 16)}
          </p>
          {one.granted === null ? (
            <Tag tone="running">待处理</Tag>
          ) : (
            <p>
              <Tag tone={one.granted ? 'fine' : 'danger'}>{one.granted ? granted : refused}</Tag> {one.opinion}{' '}
              <span className="zg-2">
                {one.decidedName} {one.decidedAt?.slice(0, 16)}
              </span>
            </p>
          )}
        </div>
      ))}
    </Card>
  )
}

const looks: CourseLooks = {
  submit: { icon: <SendOutlined />, color: colors.primary },
  decide: { icon: <AuditOutlined />, color: colors.danger },
  reject: { icon: <RollbackOutlined />, color: colors.text2 },
  cancel: { icon: <CheckOutlined />, color: colors.fine },
  repair: { icon: <CheckOutlined />, color: colors.fine },
  uphold: { icon: <AuditOutlined />, color: colors.danger },
  drop: { icon: <CloseOutlined />, color: colors.text2 },
}
