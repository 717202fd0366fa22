import { PrinterOutlined } from '@ant-design/icons'
import { changeExamine, type ExamineDetail, getExamine, removeExamine, signExamine } from '@zhugong/contract/examine/calls'
import { majorLevel } from '@zhugong/contract/rectify/moves'
import { grades } from '@zhugong/contract/scoring/score'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Card, Empty, Notice, Tag } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import { Handling, WorkItem } from '#kit/work-item.tsx'
import { Course, Deadline, Earlier, Facts, removalOf } from '../checks/public.tsx'
import { NoticeHandling, NoticeProblems } from '../rectify/public.tsx'
import { Change, GradeTag, marks, SheetTable } from '../scoring/public.tsx'
import { anyProject, draftState, ExamineTag, paths } from './examine-words.tsx'
import { Supplement } from './supplement.tsx'
import './examine.css'

/** What was found, and what is still open? */
export default function ExamineDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择项目安全检查" hint="从项目安全检查列表打开一次">
          <Button onClick={() => go(paths.list)}>去项目安全检查列表</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Check key={id} id={id} />
    </div>
  )
}

interface PartProps {
  file: ExamineDetail
}

function Check({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getExamine, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const print = usePrint('examineSheet')
  const [notice, setNotice] = useState<string>()
  const [adding, setAdding] = useState(false)
  const file = read.data
  const isDraft = file?.state === draftState
  return (
    <WorkItem
      title={file && (file.code ?? `${file.roundName}（草稿）`)}
      tags={
        file && (
          <>
            <GradeTag grade={file.grade} /> <ExamineTag row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              { label: isDraft ? '当前得分' : '得分', value: marks(file.score), tone: file.grade === grades.failed ? 'danger' : undefined },
              { label: '项目', value: file.projectName },
              { label: '检查形式', value: file.roundName },
              { label: '期限', value: <Deadline row={file} />, tone: file.overdueDays ? 'danger' : undefined },
              { label: '问题', value: `${file.problemCount} 个，未闭合 ${file.openCount}` },
            ]
          : []
      }
      actions={
        file?.code && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'examineSheet', exportType: 'pdf', query: { id } } })}
          >
            打印检查记录表
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
            <Acts file={file} onAdd={() => setAdding(true)} />
            {notice && <NoticeHandling id={notice} />}
            {!isDraft && <SignaturesCard rows={file.signatures} call={signExamine} id={file.id} />}
            <Course file={file} />
          </>
        )
      }
    >
      {file && (
        <>
          <Notice tone={file.grade === grades.failed ? 'danger' : file.grade === grades.good ? 'fine' : 'warning'}>{file.reason}。</Notice>
          {adding && <Supplement file={file} onDone={() => setAdding(false)} />}
          <Scores file={file} />
          <Problems file={file} notice={notice} onChoose={setNotice} />
          {notice && <NoticeProblems key={notice} id={notice} />}
          <div className="scoring-sheets">
            {file.sheets.map((sheet) => (
              <SheetTable key={sheet.id} sheet={sheet} />
            ))}
          </div>
          <Facts file={file} />
          {file.corps.length > 0 && <p className="zg-2">受检单位：{file.corps.map((one) => one.name).join('、')}</p>}
          <Earlier file={file} detail={paths.detail} />
        </>
      )}
    </WorkItem>
  )
}

function Acts({ file, onAdd }: PartProps & { onAdd: () => void }) {
  const go = useGo()
  const page = usePage()
  const act = useAct(changeExamine, { success: '已归档' })
  const removal = useAct(removeExamine, { success: '草稿已删除', onDone: () => page.leave(paths.list) })
  const may = (action: string) => file.actions.some((one) => one.action === action)
  const target = { params: { id: file.id }, query: anyProject }
  const actions = [
    ...(may('submit')
      ? [
          { label: '继续检查', main: true, run: () => go(paths.form, { id: file.id }) },
          { label: '删除草稿', danger: true, run: () => removal.afterRequesting(removalOf(file.part), target) },
        ]
      : []),
    ...(may('archive')
      ? [
          {
            label: '归档',
            main: true,
            run: () =>
              act.afterRequesting(
                { thing: `归档 ${file.code ?? ''}`, consequence: '归档后不能再补充整改。', verb: '归档' },
                { ...target, body: { action: 'archive' as const, version: file.version } },
              ),
          },
        ]
      : []),
    ...(may('supplement') ? [{ label: '补充整改', run: onAdd }] : []),
  ]
  return <Handling actions={actions} busy={act.running || removal.running} none="没有待您办理的事项" />
}

/** The score by category, beside the check of the same form before. */
function Scores({ file }: PartProps) {
  const { previous } = file
  return (
    <Card
      title="分项得分"
      remark={
        previous
          ? `与上次${file.roundName} ${previous.checkTime.slice(0, 10)}（${marks(previous.score)} 分，${previous.gradeName}，${previous.problemCount} 个问题）比较${previous.sameSheets ? '' : '；两次的类别不同，总分不能直接比'}`
          : `本项目第一次${file.roundName}`
      }
      actions={previous && <Link to={hrefOf(paths.detail, { id: previous.id })}>看上次</Link>}
    >
      <div className="examine-scores">
        {file.categories
          .filter((one) => one.score !== null)
          .map((one) => (
            <div key={one.code}>
              <span>
                {one.name} <span className="zg-2">权重 {one.weight}</span>
              </span>
              <span className="examine-bar">
                <Filled part={one.score ?? 0} whole={100} />
              </span>
              <b className={`zg-num ${one.score === 0 ? 'tone-danger' : ''}`}>{marks(one.score)}</b>
              <Change now={one.score} then={one.previous} />
            </div>
          ))}
        {previous && (
          <p>
            总分 {marks(file.score)}，<Change now={file.score} then={previous.score} />
          </p>
        )}
      </div>
    </Card>
  )
}

interface ProblemsProps extends PartProps {
  notice: string | undefined
  onChoose: (id: string | undefined) => void
}
/** Problems with their pictures before and after, and where their notices stand. */
function Problems({ file, notice, onChoose }: ProblemsProps) {
  const after = new Map(file.after.map((one) => [one.problemId, one.photos]))
  return (
    <Card title="问题" remark={file.problems.length > 0 ? `${file.problems.length} 个，未闭合 ${file.openCount} 个` : undefined}>
      {file.problems.length === 0 ? (
        <Empty small text={file.state === draftState ? '提交时按失分项生成' : '没有发现问题'} />
      ) : (
        <ul className="examine-problems">
          {file.problems.map((one) => (
            <li key={one.id}>
              <div className="zg-row zg-wrap zg-gap-6">
                <b>
                  {one.seq}. {one.part}
                </b>
                {one.dangerLevel === majorLevel && <Tag tone="danger">{one.dangerLevelName}</Tag>}
                {file.repeated.includes(one.id) && <Tag tone="warning">重复问题</Tag>}
                {one.notice && (
                  <span className="zg-end">
                    <Tag tone={one.notice.passed ? 'fine' : 'warning'}>{one.notice.passed ? '已闭合' : one.notice.stateName}</Tag>{' '}
                    <Link to={hrefOf('/safetyP/abarbeitung/details', { id: one.notice.id })}>{one.notice.code ?? '整改单'}</Link>{' '}
                    <Button
                      size="small"
                      aria-pressed={notice === one.notice.id}
                      onClick={() => onChoose(notice === one.notice?.id ? undefined : one.notice?.id)}
                    >
                      {notice === one.notice.id ? '收起整改' : '办理整改'}
                    </Button>
                  </span>
                )}
              </div>
              <p>{one.description}</p>
              <p className="zg-2">
                {one.corpName}
                {one.person && ` · ${one.person}`} · 期限 {one.deadline} · 要求：{one.requirement}
              </p>
              <div className="examine-pair">
                <Shots title="整改前" photos={one.photos} />
                <Shots title="整改后" photos={after.get(one.id) ?? []} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Shots({ title, photos }: { title: string; photos: readonly string[] }) {
  return (
    <figure>
      <figcaption className="zg-2">{title}</figcaption>
      <div className="zg-row zg-wrap zg-gap-6">
        {photos.length === 0 ? <span className="zg-2">--</span> : null}
        {photos.map((src) => (
          <Thumb key={src} src={src} name={title} width={120} height={90} />
        ))}
      </div>
    </figure>
  )
}
