import { PrinterOutlined } from '@ant-design/icons'
import { changeDayCheck, type DayCheckDetail, getDayCheck } from '@zhugong/contract/daychecks/calls'
import { remarkDays } from '@zhugong/contract/daychecks/moves'
import { signDayCheck } from '@zhugong/contract/daychecks/seats'
import { closedState, majorLevel, returnedState } from '@zhugong/contract/rectify/moves'
import { grades } from '@zhugong/contract/scoring/score'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import { WorkItem } from '#kit/work-item.tsx'
import { GradeTag, marks, SheetTable, Sideways } from '../scoring/public.tsx'
import { DayStateTag, PresenceTable } from './day-words.tsx'
import { useIsRegulator } from './regulator.ts'
import './daychecks.css'

/** What was found, how many points, what must be done by when: the sheet that is handed over. */
export default function DayResultPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择检查" hint="从日常检查列表打开一次">
          <Button onClick={() => go('/jgt/daycheck')}>去日常检查</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Result key={id} id={id} />
    </div>
  )
}

function Result({ id }: { id: string }) {
  const page = usePage()
  const print = usePrint('daycheckRecord')
  const read = useCall(getDayCheck, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  const file = read.data
  return (
    <WorkItem
      title={file && (file.code ?? `${file.inspectTypeName}（未提交）`)}
      tags={
        file && (
          <>
            <GradeTag grade={file.grade} />
            <DayStateTag row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              { label: '得分', value: marks(file.score), tone: file.grade === grades.failed ? 'danger' : undefined },
              { label: '项目', value: file.projectName },
              { label: '检查单位', value: file.checkerGroupName },
              { label: '检查时间', value: file.checkTime.slice(0, 16) },
              { label: '整改', value: `未闭合 ${file.openRectify} / ${file.allRectify}` },
            ]
          : []
      }
      actions={
        file?.code && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'daycheckRecord', exportType: 'pdf', query: { id } } })}
          >
            打印抽查记录
          </Button>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file?.code && (
          <>
            <SignaturesCard rows={file.signatures} call={signDayCheck} id={file.id} />
            <Remark file={file} />
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

function Content({ file }: { file: DayCheckDetail }) {
  const tone = file.grade === grades.failed ? 'danger' : file.grade === grades.good ? 'fine' : 'warning'
  return (
    <>
      {file.score !== null && <Notice tone={tone}>{file.reason}。</Notice>}
      <Card title="结论">
        <Pairs
          items={[
            { label: '检查结论', value: file.conclusionName },
            { label: '检查类型', value: `${file.inspectTypeName}（${file.disciplineNames.join('、')}）` },
            { label: '形象进度', value: file.progressName },
            { label: '检查人员', value: file.checkers.join('、') },
            { label: '检查情况', value: file.summary, wide: true },
          ]}
        />
      </Card>
      {file.score !== null && <Summary file={file} />}
      <FoundProblems file={file} />
      <Notices file={file} />
      {file.presence.length > 0 && (
        <Card title="到岗核查" remark="签到时刻的门禁记录">
          <PresenceTable rows={file.presence} />
        </Card>
      )}
      {file.units.map((unit) => (
        <Card key={unit.id} title={unit.name} remark={unit.wrong ? `不合格 ${unit.wrong} 项` : '没有不合格项'}>
          <div className="scoring-sheets">
            {unit.sheets.map((sheet) => (
              <SheetTable key={sheet.id} sheet={sheet} />
            ))}
          </div>
        </Card>
      ))}
    </>
  )
}

/** The summary as it is printed: full marks, points, and those scaled to what was checked. */
function Summary({ file }: { file: DayCheckDetail }) {
  const { previous, districtMean } = file
  const beside = [
    previous && previous.score !== null ? `上次 ${previous.checkTime.slice(0, 10)} ${marks(previous.score)} 分` : '',
    districtMean === null ? '' : `本区今年平均 ${marks(districtMean)} 分`,
  ]
  return (
    <Card title="评分汇总" remark={beside.filter(Boolean).join('，') || '本项目第一次评分检查'} flush>
      <Sideways label="评分汇总">
        <table className="scoring-table">
          <thead>
            <tr>
              <th scope="col">检查项目</th>
              <th scope="col" className="num">
                应得
              </th>
              <th scope="col" className="num">
                实得
              </th>
              <th scope="col" className="num">
                折算（百分制）
              </th>
              <th scope="col" className="num">
                上次
              </th>
            </tr>
          </thead>
          <tbody>
            {file.categories.map((one) => (
              <tr key={one.code}>
                <td>{one.name}</td>
                <td className="num">{one.weight}</td>
                <td className="num">{one.points === null ? <span className="zg-2">缺项</span> : marks(one.points)}</td>
                <td className="num">{marks(one.score)}</td>
                <td className="num">{marks(one.previous)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">总计</th>
              <td className="num">{file.categories.reduce((sum, one) => sum + (one.points === null ? 0 : one.weight), 0)}</td>
              <td className="num">{marks(file.categories.reduce((sum, one) => sum + (one.points ?? 0), 0))}</td>
              <td className="num">
                <b>{marks(file.score)}</b>
              </td>
              <td className="num">{marks(previous?.score)}</td>
            </tr>
          </tfoot>
        </table>
      </Sideways>
    </Card>
  )
}

export function FoundProblems({ file }: { file: DayCheckDetail }) {
  const regulates = useIsRegulator()
  if (file.problems.length === 0) return null
  return (
    <Card title="问题" remark={`${file.problems.length} 个`}>
      <ul className="day-problems">
        {file.problems.map((one) => (
          <li key={one.id}>
            <p>
              {one.seq}. <b>{one.part}</b> {one.description} {one.dangerLevel === majorLevel && <Tag tone="danger">重大隐患</Tag>}
              {one.mended && <Tag tone="fine">当场改正</Tag>}
            </p>
            {one.clause && <span className="zg-2">依据：{one.clause}</span>}
            <span className="zg-2">
              要求：{one.requirement}；{one.corpName}，{one.mended ? one.mended : `期限 ${one.deadline}`}
              {one.notice && (
                <>
                  {' · '}
                  <Link className="zg-in-text" to={noticePage(regulates, one.notice.id)}>
                    {one.notice.code}
                  </Link>{' '}
                  {one.notice.stateName}
                </>
              )}
            </span>
            <span className="scoring-thumbs">
              {[...one.photos, ...one.mendedPhotos].map((src) => (
                <Thumb key={src} src={src} name={one.part} width={96} height={72} />
              ))}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const noticePage = (regulates: boolean, id: string): string =>
  hrefOf(regulates ? '/jgt/project/project_detail' : '/safetySupervisionRectification/details', { id })

export function Notices({ file }: { file: DayCheckDetail }) {
  const regulates = useIsRegulator()
  if (file.notices.length === 0) return null
  return (
    <Card title="整改通知" remark={`${file.notices.length} 份，未闭合 ${file.openRectify}`}>
      <ul className="day-problems">
        {file.notices.map((one) => (
          <li key={one.id}>
            <span className="zg-row zg-wrap zg-gap-6">
              <Link className="zg-in-text" to={noticePage(regulates, one.id)}>
                {one.code}
              </Link>{' '}
              {one.noticeTypeName} · {one.corpName}
              <span className="zg-2 zg-end">期限 {one.deadline}</span>
              <Tag tone={one.state === closedState ? 'fine' : one.state === returnedState ? 'danger' : 'running'}>{one.stateName}</Tag>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What the site wants kept beside the result: once, within three days. */
function Remark({ file }: { file: DayCheckDetail }) {
  const id = useId()
  const [text, setText] = useState('')
  const act = useAct(changeDayCheck, { success: '说明已提交' })
  if (file.remark)
    return (
      <Card title="受检单位说明" remark={`${file.remark.byName} ${file.remark.at.slice(0, 16)}`}>
        <p>{file.remark.text}</p>
      </Card>
    )
  if (!file.actions.some((one) => one.action === 'remark')) return null
  return (
    <Card title="受检单位说明" remark={`检查提交后 ${remarkDays} 天内可提交一次`}>
      <label className="zg-label" htmlFor={id}>
        说明
      </label>
      <Input.TextArea id={id} rows={3} maxLength={500} value={text} onChange={(event) => setText(event.target.value)} />
      {act.fieldErrors.opinion && <small className="tone-danger">{act.fieldErrors.opinion}</small>}
      <Button
        loading={act.running}
        disabled={!text.trim()}
        onClick={() =>
          void act.run(
            {
              params: { id: file.id },
              query: { projectCode: '*' },
              body: { action: 'remark', version: file.version, opinion: text.trim() },
            },
            { fieldsShown: true },
          )
        }
      >
        提交说明
      </Button>
    </Card>
  )
}
