import { groupTypes } from '@zhugong/contract/access/group-types'
import { changeRectify, getRectify, type RectifyDetail } from '@zhugong/contract/rectify/calls'
import { mostPhotos } from '@zhugong/contract/rectify/moves'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card, Notice } from '#kit/feedback.tsx'
import { Upload } from '#kit/inputs.tsx'
import { useGroupType } from '#kit/me.ts'
import { useGo, usePage } from '#kit/page.tsx'
import { ItemText, WorkItem } from '#kit/work-item.tsx'
import { AnswerFields, type Filled, filledOf } from './answer-fields.tsx'
import { NeedsNotice } from './needs-notice.tsx'
import { RectifyProblems } from './rectify-problems.tsx'
import { RectifyStateTag } from './rectify-words.tsx'
import { RectifyPage } from './rectify-work.tsx'
import { VisitTag } from './reply-words.tsx'

/** At the window of the authority: writes down what a site answers on paper. A site that comes here answers for itself. */
export default function ProxyReplyPage() {
  const isAuthority = useGroupType() === groupTypes.government
  if (!isAuthority) return <RectifyPage from={{ path: '/safetySupervisionRectification/list', name: '监管整改' }} />
  return <NeedsNotice>{(id) => <PaperReply id={id} />}</NeedsNotice>
}

function PaperReply({ id }: { id: string }) {
  const page = usePage()
  const go = useGo()
  const read = useCall(getRectify, { params: { id } }, { quiet: true, staleMs: 0 })
  const file = read.data
  const may = file?.actions.some((one) => one.action === 'proxyReply')
  return (
    <WorkItem
      title={file && (file.code ?? '整改单')}
      tags={
        file && (
          <>
            <RectifyStateTag row={file} /> {file.mustVisit && <VisitTag />}
          </>
        )
      }
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '责任单位', value: file.corpName },
              { label: '期限', value: file.deadline, tone: file.overdueDays ? 'danger' : undefined },
            ]
          : []
      }
      actions={file && <Button onClick={() => go('/jgt/project/project_detail', { id })}>通知详情</Button>}
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={file && may && <Handover file={file} />}
    >
      {file && !may && <Notice tone="info">现在不能代录：{file.waiting}。</Notice>}
      {file && !may && <RectifyProblems file={file} />}
      {file && may && <ProxyForm file={file} />}
    </WorkItem>
  )
}

/** What writing down means. */
function Handover({ file }: { file: RectifyDetail }) {
  return (
    <Card title="代录须知">
      <ul className="zg-work-lines">
        <li>责任单位没有账号或无法上网时，凭其签字盖章的纸质整改报告代录。</li>
        <li>记录上长期显示“代录”，写明代录人和原因。</li>
        <li>代录人不能复查这份回复，请由 {file.issuerGroupName} 的其他两名监督员复查。</li>
        <li>附有总监签字的监理复核单时，直接进入复查；否则仍由监理复核。</li>
      </ul>
    </Card>
  )
}

function ProxyForm({ file }: { file: RectifyDetail }) {
  const page = usePage()
  const open = file.lines.filter((line) => line.state === 'open')
  const [typed, setTyped] = useState<Record<string, Filled>>({})
  const [reason, setReason] = useState('')
  const [scans, setScans] = useState<string[]>([])
  const [reviewSheet, setReviewSheet] = useState<string[]>([])
  const [opinion, setOpinion] = useState('')
  const act = useAct(changeRectify, { success: '已代录', onDone: () => page.leave(`/jgt/project/huifu?id=${file.id}`) })
  const lines = open.map((line) => ({ id: line.id, ...(typed[line.id] ?? filledOf(line)) }))
  const send = () =>
    act.run(
      { body: { id: file.id, version: file.version, action: 'proxyReply', lines, opinion, reason, scans, reviewSheet } },
      { fieldsShown: true },
    )
  return (
    <>
      <RectifyProblems file={file}>
        {(line) =>
          line.state === 'open' && (
            <AnswerFields
              line={line}
              value={typed[line.id] ?? filledOf(line)}
              onChange={(next) => setTyped((now) => ({ ...now, [line.id]: { ...(now[line.id] ?? filledOf(line)), ...next } }))}
              problems={act.fieldErrors}
            />
          )
        }
      </RectifyProblems>
      <Card title="纸质材料">
        <div className="zg-work-form">
          <label className="zg-label" htmlFor="proxy-scans">
            整改报告扫描件
            <span className="must" aria-hidden="true">
              *
            </span>
          </label>
          <Upload id="proxy-scans" max={mostPhotos} value={scans} onChange={setScans} camera="environment" />
          {act.fieldErrors.scans && <small className="tone-danger">{act.fieldErrors.scans}</small>}
          <label className="zg-label" htmlFor="proxy-sheet">
            监理复核单（总监已签字）
          </label>
          <Upload id="proxy-sheet" max={mostPhotos} value={reviewSheet} onChange={setReviewSheet} camera="environment" />
          <ItemText
            label="代录原因"
            hint="例如：项目没有账号，送来纸质整改报告"
            value={reason}
            onChange={setReason}
            problem={act.fieldErrors.reason}
          />
          <label className="zg-label" htmlFor="proxy-opinion">
            总体说明
          </label>
          <Input.TextArea
            id="proxy-opinion"
            rows={2}
            maxLength={500}
            value={opinion}
            onChange={(event) => setOpinion(event.target.value)}
          />
          <p className="zg-row zg-gap-6">
            <Button type="primary" size="large" loading={act.running} onClick={() => void send()}>
              提交代录
            </Button>
            {act.fieldErrors.lines && <span className="tone-danger">{act.fieldErrors.lines}</span>}
          </p>
        </div>
      </Card>
    </>
  )
}
