import { CheckOutlined, EditOutlined, SendOutlined } from '@ant-design/icons'
import { signInspection } from '@zhugong/contract/checks/seats'
import { majorLevel } from '@zhugong/contract/rectify/moves'
import { changeInspection, getInspection, type InspectionDetail } from '@zhugong/contract/scoring/inspections'
import { inspectionMoves, scoringState } from '@zhugong/contract/scoring/moves'
import { grades } from '@zhugong/contract/scoring/score'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import { Handling, ItemText, Signatures, Timeline, WorkItem } from '#kit/work-item.tsx'
import { Change, GradeTag, InspectionStateTag, marks, Sideways } from './score-words.tsx'
import { SheetTable } from './sheet-table.tsx'
import './scoring.css'

const listPath = '/safetyInspection/list'

/** Points, their reasons, the problems and where they stand. */
export default function InspectionDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择安全巡检" hint="从安全巡检列表打开一次">
          <Button onClick={() => go(listPath)}>去安全巡检</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Inspection key={id} id={id} />
    </div>
  )
}

interface PartProps {
  file: InspectionDetail
}

function Inspection({ id }: { id: string }) {
  const page = usePage()
  const go = useGo()
  const read = useCall(getInspection, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  const print = usePrint('safetyInspectionSheet')
  const file = read.data
  const isScoring = file?.state === scoringState
  return (
    <WorkItem
      title={file && (file.code ?? `${file.inspectTypeName}（未提交）`)}
      tags={
        file && (
          <>
            <GradeTag grade={file.grade} />
            <InspectionStateTag row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              {
                label: isScoring ? '当前得分' : '得分',
                value: marks(file.score),
                tone: file.grade === grades.failed ? 'danger' : undefined,
              },
              { label: '项目', value: file.projectName },
              { label: '检查单位', value: file.checkerGroupName },
              { label: '检查时间', value: file.checkTime.slice(0, 16) },
              { label: '问题', value: `${file.problemCount} 个，未闭合 ${file.openCount}` },
            ]
          : []
      }
      actions={
        file &&
        (isScoring ? (
          <Button type="primary" onClick={() => go('/safetyInspection/edit', { id })}>
            继续检查
          </Button>
        ) : (
          <Can code="inspection.export">
            <Button
              loading={print.running}
              onClick={() => void print.run({ body: { feature: 'safetyInspectionSheet', exportType: 'pdf', query: { id } } })}
            >
              打印评分汇总表
            </Button>
          </Can>
        ))
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <Signing file={file} />
            {!isScoring && <SignaturesCard rows={file.signatures} call={signInspection} id={file.id} />}
            <Signatures
              signed={file.signs.map(({ side, name, groupName, at }) => ({
                role: side === 'site' ? '受检单位' : '监理',
                name: `${name}（${groupName}）`,
                at: at.slice(0, 16),
              }))}
            />
            <Course file={file} />
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

function Content({ file }: PartProps) {
  const lost = file.sheets.flatMap((sheet) => sheet.items.filter((item) => item.photos.length > 0).map((item) => ({ sheet, item })))
  return (
    <>
      <Notice tone={file.grade === grades.failed ? 'danger' : file.grade === grades.good ? 'fine' : 'warning'}>{file.reason}。</Notice>
      <nav className="scoring-anchors" aria-label="本页内容">
        <a href="#scoring-summary">汇总表</a>
        <a href="#scoring-sheets">分项表 {file.sheets.length}</a>
        <a href="#scoring-problems">
          问题 {file.problemCount} / 未闭合 {file.openCount}
        </a>
        {lost.length > 0 && <a href="#scoring-photos">照片 {lost.reduce((n, { item }) => n + item.photos.length, 0)}</a>}
      </nav>
      <Summary file={file} />
      <div id="scoring-sheets" className="scoring-sheets">
        {file.sheets.map((sheet) => (
          <SheetTable key={sheet.id} sheet={sheet} />
        ))}
      </div>
      <Problems file={file} />
      {lost.length > 0 && (
        <div id="scoring-photos">
          <Card title="照片" remark="失分项的现场照片">
            <div className="zg-row zg-wrap zg-gap-6">
              {lost.flatMap(({ item }) => item.photos.map((src) => <Thumb key={src} src={src} name={item.name} width={120} height={90} />))}
            </div>
          </Card>
        </div>
      )}
      <Card title="任务">
        <Pairs
          items={[
            { label: '检查类型', value: file.inspectTypeName },
            { label: '检查人', value: file.checkers.join('、') },
            { label: '检查范围', value: file.part },
            { label: '备注', value: file.remark },
          ]}
        />
      </Card>
    </>
  )
}

function Summary({ file }: PartProps) {
  const { previous } = file
  return (
    <div id="scoring-summary">
      <Card
        title="汇总表"
        flush
        remark={
          previous
            ? `与上次 ${previous.checkTime.slice(0, 10)}（${marks(previous.score)} 分，${previous.gradeName}）比较${previous.sameSheets ? '' : '；两次检查的类别不同，总分不能直接比'}`
            : '本项目第一次巡检'
        }
        actions={previous && <Link to={hrefOf('/safetyInspection/details', { id: previous.id })}>看上次</Link>}
      >
        <Sideways label="汇总表">
          <table className="scoring-table">
            <thead>
              <tr>
                <th scope="col">检查项目</th>
                <th scope="col" className="num">
                  满分
                </th>
                <th scope="col" className="num">
                  分项得分
                </th>
                <th scope="col" className="num">
                  汇总得分
                </th>
                <th scope="col" className="num">
                  上次
                </th>
                <th scope="col">变化</th>
              </tr>
            </thead>
            <tbody>
              {file.categories.map((one) => (
                <tr key={one.code} className={one.score === null ? 'zg-2' : ''}>
                  <td>{one.name}</td>
                  <td className="num">{one.weight}</td>
                  <td className={`num ${one.score === 0 ? 'tone-danger' : ''}`}>{one.score === null ? '未查' : marks(one.score)}</td>
                  <td className="num">{marks(one.points)}</td>
                  <td className="num">{marks(one.previous)}</td>
                  <td>
                    <Change now={one.score} then={one.previous} />
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">合计（缺项按实查折算）</th>
                <td className="num">100</td>
                <td />
                <td className="num">
                  <b>{marks(file.score)}</b>
                </td>
                <td className="num">{marks(previous?.score)}</td>
                <td>
                  <Change now={file.score} then={previous?.score ?? null} />
                </td>
              </tr>
            </tfoot>
          </table>
        </Sideways>
      </Card>
    </div>
  )
}

function Problems({ file }: PartProps) {
  return (
    <div id="scoring-problems">
      <Card title="问题" remark={file.problems.length ? `${file.problems.length} 个，每个单位、每个期限一份整改单` : undefined}>
        {file.problems.length === 0 ? (
          <Empty small text={file.state === scoringState ? '提交时按不合格项生成' : '没有发现问题'} />
        ) : (
          <ul className="scoring-problems">
            {file.problems.map((one) => (
              <li key={one.id}>
                <div className="zg-row zg-wrap zg-gap-6">
                  <b>
                    {one.seq}. {one.part}
                  </b>
                  {one.dangerLevel === majorLevel && <Tag tone="danger">{one.dangerLevelName}</Tag>}
                  <span className="zg-end">
                    {one.notice ? (
                      <>
                        <Tag tone={one.notice.passed ? 'fine' : 'warning'}>{one.notice.passed ? '已闭合' : one.notice.stateName}</Tag>{' '}
                        <Link to={hrefOf('/safetyP/abarbeitung/details', { id: one.notice.id })}>{one.notice.code ?? '整改单'}</Link>
                      </>
                    ) : null}
                  </span>
                </div>
                <p>{one.description}</p>
                {one.placeName && <p className="zg-2">位置：{one.placeName}</p>}
                <p className="zg-2">
                  {one.corpName}
                  {one.person && ` · ${one.person}`} · 期限 {one.deadline} · 要求：{one.requirement}
                </p>
                <div className="zg-row zg-wrap zg-gap-6">
                  {one.photos.map((src) => (
                    <Thumb key={src} src={src} name={one.part} width={96} height={72} />
                  ))}
                </div>
              </li>
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}

function Signing({ file }: PartProps) {
  const act = useAct(changeInspection, { success: '已签字' })
  const [opinion, setOpinion] = useState('')
  const mine = (['sign', 'signSupervisor'] as const).filter((action) => file.actions.some((one) => one.action === action))
  if (file.state === scoringState) return null
  return (
    <Handling
      remark={file.signs.length === 0 ? '受检单位、监理尚未签字' : undefined}
      busy={act.running}
      actions={mine.map((action) => ({
        label: inspectionMoves[action].label,
        main: true,
        run: () =>
          act.run(
            { params: { id: file.id }, query: { projectCode: '*' }, body: { version: file.version, action, opinion } },
            { fieldsShown: true },
          ),
      }))}
      none={file.signs.length > 0 ? '没有待您办理的事项' : '等待受检单位和监理签字'}
    >
      {mine.length > 0 && (
        <ItemText
          label="签字意见"
          hint="对得分和问题的意见，可写“属实”"
          value={opinion}
          onChange={setOpinion}
          problem={act.fieldErrors.opinion}
        />
      )}
    </Handling>
  )
}

const looks: Readonly<Record<string, { icon: ReactNode; color: string }>> = {
  submit: { icon: <SendOutlined />, color: colors.primary },
  sign: { icon: <CheckOutlined />, color: colors.fine },
  signSupervisor: { icon: <CheckOutlined />, color: colors.fine },
}

function Course({ file }: PartProps) {
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
