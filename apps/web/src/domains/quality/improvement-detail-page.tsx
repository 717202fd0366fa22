import { CheckOutlined, CloseOutlined, EditOutlined, PrinterOutlined, SendOutlined } from '@ant-design/icons'
import { changeImprovement, getImprovement, type ImprovementDetail, removeImprovement } from '@zhugong/contract/quality/improvement'
import { causeNames, improvementStates, recurrenceDays } from '@zhugong/contract/quality/improvement-moves'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Notice, Pairs } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import { Handling, ItemText, Timeline, WorkItem } from '#kit/work-item.tsx'
import { Deadline, StateTag } from '../checks/public.tsx'
import { SeriesEffect } from '../measures/public.tsx'
import { NoticeHandling, NoticeProblems } from '../rectify/public.tsx'
import { anyProject, checkPaths, improvementPaths as paths, VerdictTag } from './quality-words.tsx'
import './quality.css'

/** The responsible company replies, 监理 reviews, the quality engineer verifies after weeks. */
export default function ImprovementDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择质量改进" hint="从质量改进列表打开一份">
          <Button onClick={() => go(paths.list)}>去质量改进列表</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Work key={id} id={id} />
    </div>
  )
}

function Work({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getImprovement, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const print = usePrint('qualityImprovementSheet')
  const file = read.data
  return (
    <WorkItem
      title={file && `${file.code ?? '质量改进草稿'} ${file.title}`}
      tags={
        file && (
          <>
            <StateTag row={file} /> <VerdictTag row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '责任单位', value: file.corpName },
              { label: '期限', value: <Deadline row={file} />, tone: file.overdueDays ? 'danger' : undefined },
              { label: '验证日期', value: file.recheckAfter },
              {
                label: `${recurrenceDays} 天内复发`,
                value: file.recurrence === null ? '未闭合' : `${file.recurrence} 次`,
                tone: file.recurrence ? 'danger' : undefined,
              },
            ]
          : []
      }
      actions={
        file?.code && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'qualityImprovementSheet', exportType: 'pdf', query: { id } } })}
          >
            打印
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
            {file.state === improvementStates.draft ? (
              <Draft file={file} />
            ) : file.state === improvementStates.closed ? (
              <Verify file={file} />
            ) : (
              file.noticeId && <NoticeHandling id={file.noticeId} />
            )}
            <Course file={file} />
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

function Draft({ file }: { file: ImprovementDetail }) {
  const go = useGo()
  const page = usePage()
  const removal = useAct(removeImprovement, { success: '草稿已删除', onDone: () => page.leave(paths.list) })
  const may = file.actions.some((one) => one.action === 'issue')
  const actions = may
    ? [
        { label: '继续填写', main: true, run: () => go(paths.form, { id: file.id }) },
        {
          label: '删除草稿',
          danger: true,
          run: () =>
            removal.afterRequesting(
              { thing: `删除草稿 ${file.title}`, consequence: '已写的原因和措施不再保留；问题仍在各自的检查中。', verb: '删除草稿' },
              { params: { id: file.id }, query: anyProject },
            ),
        },
      ]
    : []
  return <Handling actions={actions} busy={removal.running} none="草稿由编制方下发" />
}

/** Closed is not verified. */
function Verify({ file }: { file: ImprovementDetail }) {
  const act = useAct(changeImprovement, { success: '已验证' })
  const [opinion, setOpinion] = useState('')
  const may = file.actions.some((one) => one.action === 'effective')
  const none =
    file.verdict !== null
      ? `已由 ${file.verdictBy ?? ''} 验证`
      : (file.verifyInDays ?? 0) > 0
        ? `整改已闭合，${file.verifyInDays} 天后（${file.recheckAfter}）由编制方验证`
        : '整改已闭合，等待编制方验证'
  const judge = (action: 'effective' | 'ineffective') =>
    act.run({ params: { id: file.id }, query: anyProject, body: { version: file.version, action, opinion } }, { fieldsShown: true })
  return (
    <Handling
      remark={may ? `闭合后已复发 ${file.recurrence ?? 0} 次` : undefined}
      actions={
        may
          ? [
              { label: '验证有效', main: true, run: () => judge('effective') },
              { label: '验证无效，续开改进', danger: true, run: () => judge('ineffective') },
            ]
          : []
      }
      busy={act.running}
      none={none}
    >
      {may && (
        <ItemText
          label="验证情况"
          hint="抽查了哪些部位，结果怎样"
          value={opinion}
          onChange={setOpinion}
          problem={act.fieldErrors.opinion}
        />
      )}
    </Handling>
  )
}

function Content({ file }: { file: ImprovementDetail }) {
  return (
    <>
      {file.overdueDays > 0 && <Notice tone="danger">整改期限已过 {file.overdueDays} 天。</Notice>}
      {file.verdict === 'ineffective' && (
        <Notice tone="danger">
          验证无效：{file.verdictOpinion}
          {file.followedBy && (
            <>
              {' '}
              续开的改进单：<Link to={hrefOf(paths.detail, { id: file.followedBy.id })}>{file.followedBy.code ?? '草稿'}</Link>
            </>
          )}
        </Notice>
      )}
      {file.verdict === 'effective' && <Notice tone="fine">验证有效：{file.verdictOpinion}</Notice>}
      <Card title="一、问题" remark={`${file.qualityProblemName}，${file.sourceName}发现 ${file.findingCount} 个`}>
        <ul className="quality-findings">
          {file.findings.map((one) => (
            <li key={`${one.kind} ${one.id}`}>
              <p>
                {one.part}：{one.text}
                {one.measured && <b> {one.measured}</b>}
                <br />
                <span className="zg-2">
                  {one.kindName} {one.page ? <Link to={one.page}>{one.code}</Link> : one.code} {one.at.slice(0, 10)}
                </span>
              </p>
              {one.photos[0] && <Thumb src={one.photos[0]} name={one.text} width={72} height={54} />}
            </li>
          ))}
        </ul>
      </Card>
      <Card title="二、原因" remark={file.causes.map((one) => causeNames[one]).join('、')}>
        <Pairs
          items={[
            ...file.causeTexts.map(({ group, text }) => ({ label: causeNames[group], value: text, wide: true })),
            ...file.whys.map((why, i) => ({ label: `追问 ${i + 1}`, value: why, wide: true })),
          ]}
        />
      </Card>
      <Card title="三、整改" remark={file.lines.length > 0 ? `${file.lines.length} 项` : undefined}>
        <ul className="check-lines">
          {file.lines.map((one) => (
            <li key={one.part + one.text}>
              {one.part}：{one.text}
              {one.person && <span className="zg-2">（{one.person}）</span>}
            </li>
          ))}
        </ul>
      </Card>
      {file.noticeId && <NoticeProblems id={file.noticeId} />}
      <Card title="四、预防">
        <p className="zg-pre">{file.prevention}</p>
      </Card>
      {file.state !== improvementStates.draft && (
        <SeriesEffect startDate={file.startDate} weeks={file.weeks} name={file.qualityProblemName} />
      )}
      <Card title="五、验证" remark={file.targetRate === null ? undefined : `目标合格率 ${file.targetRate}%`}>
        {file.recurrences.length === 0 ? (
          <Empty
            small
            text={file.recurrence === null ? '整改尚未闭合' : '闭合后没有再发现同类问题'}
            hint={`闭合后 ${recurrenceDays} 天内同一单位的同一通病记为复发`}
          />
        ) : (
          <ul className="check-lines">
            {file.recurrences.map((one) => (
              <li key={one.id}>
                <Link to={hrefOf(checkPaths.detail, { id: one.checkId })}>{one.checkCode}</Link> {one.part}：{one.description}{' '}
                <span className="zg-2">{one.checkTime.slice(0, 16)}</span>
              </li>
            ))}
          </ul>
        )}
        {file.follows && (
          <p>
            续自 <Link to={hrefOf(paths.detail, { id: file.follows.id })}>{file.follows.code ?? '上一份改进单'}</Link>
          </p>
        )}
      </Card>
    </>
  )
}

const looks: Readonly<Record<string, { icon: React.ReactNode; color: string }>> = {
  issue: { icon: <SendOutlined />, color: colors.primary },
  effective: { icon: <CheckOutlined />, color: colors.fine },
  ineffective: { icon: <CloseOutlined />, color: colors.danger },
}

function Course({ file }: { file: ImprovementDetail }) {
  return (
    <Timeline
      steps={file.timeline.map((one) => ({
        id: one.id,
        time: one.at,
        icon: looks[one.action]?.icon ?? <EditOutlined />,
        color: looks[one.action]?.color ?? colors.text2,
        title: one.label,
        lines: [{ text: `${one.byName} · ${one.groupName}`, bad: false }, ...(one.opinion ? [{ text: one.opinion, bad: false }] : [])],
      }))}
    />
  )
}
