import { PrinterOutlined } from '@ant-design/icons'
import { type CivilDetail, getCivilCheck, removeCivilCheck, signCivilCheck, type WalkedPoint } from '@zhugong/contract/civil/inspection'
import { getRectify } from '@zhugong/contract/rectify/calls'
import { itemResults } from '@zhugong/contract/scoring/score'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Card, Empty, Notice, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import { Handling, WorkItem } from '#kit/work-item.tsx'
import { Course, Deadline, Facts, Notices, removalOf, StateTag } from '../checks/public.tsx'
import { LinePlans } from '../places/public.tsx'
import { NoticeHandling, NoticeProblems } from '../rectify/public.tsx'
import { anyProject, CandidateTag, marks, paths, ResultTag } from './civil-words.tsx'
import './civil.css'

/** Which spots failed and how do they look now? */
export default function CivilDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择文明施工检查" hint="从文明施工检查列表打开一次">
          <Button onClick={() => go(paths.list)}>去文明施工检查列表</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Walk key={id} id={id} />
    </div>
  )
}

const draftState = '0'

function Walk({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getCivilCheck, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const print = usePrint('civiConsInspectionSheet')
  const file = read.data
  const [chosen, setChosen] = useState<string>()
  const notice = chosen ?? file?.notices[0]?.id
  // The first notice belongs to what the page shows: without it everything below would move when it arrives.
  const first = useCall(getRectify, { params: { id: notice ?? '' } }, { quiet: true, staleMs: 0, enabled: notice !== undefined })
  const isDraft = file?.state === draftState
  return (
    <WorkItem
      title={file && (file.code ?? '文明施工检查草稿')}
      tags={
        file && (
          <>
            <StateTag row={file} /> <CandidateTag row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '得分', value: marks(file.score) },
              { label: '点位', value: `${file.pointCount} 个，不合格 ${file.points.filter(isBad).length} 个` },
              { label: '期限', value: <Deadline row={file} />, tone: file.overdueDays ? 'danger' : undefined },
              { label: '问题', value: file.problemCount ? `闭合 ${file.passedCount} / ${file.problemCount}` : '未发现' },
            ]
          : []
      }
      actions={
        file?.code && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'civiConsInspectionSheet', exportType: 'pdf', query: { id } } })}
          >
            打印记录表
          </Button>
        )
      }
      waiting={!file || (notice !== undefined && chosen === undefined && first.isPending)}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            {isDraft ? <Draft file={file} /> : notice && <NoticeHandling id={notice} />}
            <Course file={file} />
          </>
        )
      }
    >
      {file && (
        <>
          {file.overdueDays > 0 && <Notice tone="danger">最早的期限已过 {file.overdueDays} 天。</Notice>}
          <Areas file={file} />
          <LinePlans
            plans={file.plans}
            lines={file.points.map((one, i) => ({
              id: one.pointId,
              seq: i + 1,
              description: `${one.name}${isBad(one) ? `：${failsOf(one)}` : ''}`,
              placeName: one.placeName,
              pin: one.pin,
              closed: !isBad(one) || (one.open === 0 && !isDraft),
            }))}
          />
          <Points file={file} />
          <Notices file={file} chosen={notice} onChoose={setChosen} />
          {!isDraft && notice && <NoticeProblems key={notice} id={notice} />}
          {!isDraft && <SignaturesCard rows={file.signatures} call={signCivilCheck} id={file.id} />}
          <Facts file={file} />
        </>
      )}
    </WorkItem>
  )
}

const isBad = ({ items }: Pick<WalkedPoint, 'items'>) => items.some((one) => one.result === itemResults.wrong)
const failsOf = ({ items }: Pick<WalkedPoint, 'items'>) =>
  items
    .filter((one) => one.result === itemResults.wrong)
    .map((one) => one.name)
    .join('、')

function Draft({ file }: { file: CivilDetail }) {
  const go = useGo()
  const page = usePage()
  const removal = useAct(removeCivilCheck, { success: '草稿已删除', onDone: () => page.leave(paths.list) })
  const actions = file.actions.some((one) => one.action === 'submit')
    ? [
        { label: '继续检查', main: true, run: () => go(paths.edit, { id: file.id }) },
        {
          label: '删除草稿',
          danger: true,
          run: () => removal.afterRequesting(removalOf(file.part), { params: { id: file.id }, query: anyProject }),
        },
      ]
    : []
  return <Handling actions={actions} busy={removal.running} none="草稿由检查人提交" />
}

function Areas({ file }: { file: CivilDetail }) {
  return (
    <Card title="分区得分" remark={`标准：${file.versionName}`}>
      <div className="civil-scroll">
        <table className="civil-table">
          <thead>
            <tr>
              <th>区域</th>
              <th>应得</th>
              <th>实得</th>
              <th>得分（百分制）</th>
            </tr>
          </thead>
          <tbody>
            {file.areas.map((one) => (
              <tr key={one.code}>
                <td>{one.name}</td>
                <td className="zg-num">{one.full}</td>
                <td className="zg-num">{one.got}</td>
                <td className="zg-num">{marks(one.score)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="zg-2">
        扬尘治理另行检查：<Link to="/environmental">查看环境监测</Link>
      </p>
    </Card>
  )
}

/** Points by area, the failed ones first: last month, now, and after mending in one row. */
function Points({ file }: { file: CivilDetail }) {
  const [all, setAll] = useState(false)
  const numbered = file.points.map((one, i) => ({ ...one, no: i + 1 }))
  const bad = numbered.filter((one) => isBad(one) || one.skipped !== null)
  const shown = all || bad.length === 0 ? numbered : bad
  return (
    <Card
      title="点位"
      remark={all ? `全部 ${numbered.length} 个` : `不合格和未检查 ${bad.length} 个，共 ${numbered.length} 个`}
      actions={bad.length > 0 && <Button onClick={() => setAll(!all)}>{all ? '只看不合格' : '看全部点位'}</Button>}
    >
      <ul className="civil-points">
        {[...Map.groupBy(shown, (one) => one.areaName)].map(([area, points]) => (
          <li key={area}>
            <p>
              <b>{area}</b>
            </p>
            {points.map((one) => (
              <section
                key={one.pointId}
                className="civil-point"
                data-bad={isBad(one) ? '' : undefined}
                data-good={isBad(one) || one.skipped ? undefined : ''}
              >
                <header>
                  <b>
                    {one.no}. {one.name}
                  </b>
                  <span className="zg-2">{one.placeName}</span>
                  {one.skipped ? <Tag tone="warning">未检查：{one.skipped}</Tag> : <span className="zg-num">{marks(one.score)} 分</span>}
                  {isBad(one) &&
                    file.state !== draftState &&
                    (one.open > 0 ? <Tag tone="warning">整改中</Tag> : <Tag tone="fine">已整改</Tag>)}
                </header>
                <div className="civil-sides">
                  <Shots title={one.beforeDay ? `上次 ${one.beforeDay}` : '上次'} photos={one.before} />
                  <Shots title="本次" photos={one.photos} />
                  <Shots title="整改后" photos={one.after} />
                </div>
                <ul className="check-lines">
                  {one.items
                    .filter((item) => all || item.result !== itemResults.right)
                    .map((item) => (
                      <li key={item.itemCode}>
                        <ResultTag row={item} /> {item.name}
                        {item.result === itemResults.wrong && <span className="tone-danger"> 扣 {item.deduction} 分</span>}{' '}
                        <span className="zg-2">{item.note}</span>
                      </li>
                    ))}
                </ul>
              </section>
            ))}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Shots({ title, photos }: { title: string; photos: readonly string[] }) {
  return (
    <figure>
      <figcaption className="zg-2">{title}</figcaption>
      {photos[0] ? <Thumb src={photos[0]} name={title} width={160} height={120} /> : <span className="zg-2">--</span>}
    </figure>
  )
}
