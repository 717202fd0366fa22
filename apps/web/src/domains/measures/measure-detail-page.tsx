import { CameraOutlined, CheckOutlined, ClockCircleOutlined, SendOutlined } from '@ant-design/icons'
import { changeMeasure, getMeasure, type MeasureDetail, removeMeasure } from '@zhugong/contract/measures/measures'
import type { MeasureAction } from '@zhugong/contract/measures/moves'
import { archivedMeasure, draftMeasure, measureMoves } from '@zhugong/contract/measures/moves'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Course, type CourseLooks } from '#kit/course.tsx'
import { Card, Empty, Notice, Pairs, RiskBadge, Tag } from '#kit/feedback.tsx'
import { amount, fileNameFrom } from '#kit/format.ts'
import { DayInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { Handling, type ItemAction, ItemPhotos, ItemText, WorkItem } from '#kit/work-item.tsx'
import { SeriesEffect } from './measure-effect.tsx'
import { anyProject, DoneTag, LastDay, paths, StateTag } from './measure-words.tsx'
import './measures.css'

/** The responsible person proves that it is done, 监理 confirms; did it help? */
export default function MeasureDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择安全措施" hint="从安全措施列表打开一项">
          <Button onClick={() => go(paths.list)}>去安全措施列表</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Measure key={id} id={id} />
    </div>
  )
}

function Measure({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getMeasure, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const file = read.data
  return (
    <WorkItem
      lead={file && <RiskBadge level={file.riskLevel} />}
      title={file?.name}
      tags={
        file && (
          <>
            <StateTag row={file} /> <DoneTag row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '责任单位', value: file.corpName },
              { label: '责任人', value: file.responsible },
              { label: '截止', value: <LastDay row={file} />, tone: file.overdueDays ? 'danger' : undefined },
              { label: '措施费', value: file.cost === null ? '--' : `${amount(file.cost)} 元` },
            ]
          : []
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <Handle file={file} />
            <Course lines={file.timeline} looks={looks} bad={['late']} />
          </>
        )
      }
    >
      {file && (
        <>
          {file.overdueDays > 0 && <Notice tone="danger">到期 {file.overdueDays} 天，尚无落实照片。</Notice>}
          <Card title="措施内容">
            <p className="measure-text">{file.content}</p>
          </Card>
          <Photos file={file} />
          {file.seriesName && <SeriesEffect startDate={file.startDate} weeks={file.weeks} name={file.seriesName} />}
          <Facts file={file} />
        </>
      )}
    </WorkItem>
  )
}

type Open = 'implement' | 'extend' | 'archive'

function Handle({ file }: { file: MeasureDetail }) {
  const go = useGo()
  const page = usePage()
  const [open, setOpen] = useState<Open>()
  const removal = useAct(removeMeasure, { success: '草稿已删除', onDone: () => page.leave(paths.list) })
  const may = (action: MeasureAction) => file.actions.some((one) => one.action === action)
  const { id } = file
  const toggle = (action: Open) => () => setOpen(open === action ? undefined : action)
  const actions: ItemAction[] = [
    ...(may('submit') ? [{ label: '修改并提交', main: true, run: () => go(paths.form, { id }) }] : []),
    ...(may('save')
      ? [
          {
            label: '删除草稿',
            danger: true,
            run: () =>
              removal.afterRequesting(
                { thing: `删除措施草稿“${file.name}”`, consequence: '草稿不再保留。', verb: '删除草稿' },
                { params: { id }, query: anyProject },
              ),
          },
        ]
      : []),
    ...(may('implement')
      ? [{ label: measureMoves.implement.label, main: !file.done && open !== 'implement', run: toggle('implement') }]
      : []),
    ...(may('archive') ? [{ label: measureMoves.archive.label, main: open !== 'archive', run: toggle('archive') }] : []),
    ...(may('extend') ? [{ label: measureMoves.extend.label, run: toggle('extend') }] : []),
  ]
  return (
    <Handling actions={actions} busy={removal.running} none={waitsFor(file)}>
      {open === 'implement' && may('implement') && <Implement file={file} onDone={() => setOpen(undefined)} />}
      {open === 'extend' && may('extend') && <Extend file={file} onDone={() => setOpen(undefined)} />}
      {open === 'archive' && may('archive') && <Archive file={file} />}
    </Handling>
  )
}

const waitsFor = ({ state, done }: MeasureDetail): string => {
  if (state === archivedMeasure) return '措施已归档'
  if (state === draftMeasure) return '草稿由编制人提交'
  return done ? '等待监理确认归档' : '等待责任单位上传落实照片'
}

interface StepProps {
  file: MeasureDetail
  onDone?: () => void
}

function Implement({ file, onDone }: StepProps) {
  const act = useAct(changeMeasure, { success: '落实照片已上传', onDone })
  const [photos, setPhotos] = useState<string[]>([])
  const [note, setNote] = useState('')
  const send = () =>
    act.run(
      { params: { id: file.id }, query: anyProject, body: { action: 'implement', version: file.version, photos, note } },
      { fieldsShown: true },
    )
  return (
    <div className="zg-work-form">
      <ItemPhotos label="落实后照片" required value={photos} onChange={setPhotos} problem={act.fieldErrors.photos} />
      <ItemText label="落实情况" hint="做了什么，由谁完成" value={note} onChange={setNote} problem={act.fieldErrors.note} />
      <Button type="primary" loading={act.running} onClick={() => void send()}>
        提交落实情况
      </Button>
    </div>
  )
}

function Extend({ file, onDone }: StepProps) {
  const act = useAct(changeMeasure, { success: '已延长', onDone })
  const [until, setUntil] = useState<string>()
  const [reason, setReason] = useState('')
  const send = () =>
    act.run(
      { params: { id: file.id }, query: anyProject, body: { action: 'extend', version: file.version, until: until ?? '', reason } },
      { fieldsShown: true },
    )
  return (
    <div className="zg-work-form">
      <label htmlFor="measure-until" className="zg-label">
        延至
      </label>
      <DayInput id="measure-until" min={file.endDate} value={until ?? null} onChange={setUntil} />
      {act.fieldErrors.until && <small className="tone-danger">{act.fieldErrors.until}</small>}
      <ItemText label="延长理由" hint="为什么期限内完不成" value={reason} onChange={setReason} problem={act.fieldErrors.reason} />
      <Button loading={act.running} onClick={() => void send()}>
        确定延长
      </Button>
    </div>
  )
}

function Archive({ file }: StepProps) {
  const act = useAct(changeMeasure, { success: '已归档' })
  const [opinion, setOpinion] = useState('')
  const send = async () => {
    const sure = await confirmDanger({
      thing: `归档“${file.name}”`,
      consequence: '措施办结，不能再上传照片或延长。',
      verb: '归档',
      keep: '再看看',
    })
    if (sure)
      await act.run(
        { params: { id: file.id }, query: anyProject, body: { action: 'archive', version: file.version, opinion } },
        { fieldsShown: true },
      )
  }
  return (
    <div className="zg-work-form">
      <label htmlFor="measure-opinion" className="zg-label">
        监理意见
      </label>
      <Input.TextArea
        id="measure-opinion"
        rows={2}
        maxLength={500}
        placeholder="可不填"
        value={opinion}
        onChange={(event) => setOpinion(event.target.value)}
      />
      <Button type="primary" loading={act.running} onClick={() => void send()}>
        确认归档
      </Button>
    </div>
  )
}

function Photos({ file }: { file: MeasureDetail }) {
  return (
    <Card title="落实前后">
      <div className="measure-sides">
        <div>
          <h3>落实前</h3>
          <Shots photos={file.photos} name="落实前" none="没有照片" />
        </div>
        <div>
          <h3>落实后</h3>
          {file.works.length === 0 && <span className="zg-2">尚未上传</span>}
          {[...file.works].reverse().map((one) => (
            <div key={one.id} className="zg-work-done">
              <p>{one.note}</p>
              <Shots photos={one.photos} name="落实后" none="没有照片" />
              {one.photoNotes.map(
                (note, i) =>
                  note && (
                    <p key={one.photos[i]} className="tone-warning">
                      第 {i + 1} 张：{note}
                    </p>
                  ),
              )}
              <small className="zg-2">
                {one.byName} {one.at.slice(0, 16)}
              </small>
            </div>
          ))}
        </div>
      </div>
    </Card>
  )
}

function Shots({ photos, name, none }: { photos: readonly string[]; name: string; none: string }) {
  if (photos.length === 0) return <span className="zg-2">{none}</span>
  return (
    <div className="zg-row zg-wrap zg-gap-6">
      {photos.map((src) => (
        <Thumb key={src} src={src} name={name} width={120} height={90} />
      ))}
    </div>
  )
}

function Facts({ file }: { file: MeasureDetail }) {
  return (
    <Card title="责任与费用">
      <Pairs
        items={[
          { label: '针对危险源', value: file.hazardSourceName },
          { label: '位置', value: file.placeName ?? '全场' },
          { label: '起止', value: `${file.startDate} 至 ${file.endDate}` },
          { label: '编制', value: file.authorGroupName },
          { label: '措施费', value: file.cost === null ? null : `${amount(file.cost)} 元` },
          {
            label: '费用凭证',
            wide: true,
            value:
              file.vouchers.length === 0 ? null : (
                <span className="zg-row zg-wrap zg-gap-6">
                  {file.vouchers.map((src) => (
                    <a key={src} href={src}>
                      {fileNameFrom(src)}
                    </a>
                  ))}
                </span>
              ),
          },
        ]}
      />
      {file.problems.length > 0 && (
        <ul className="measure-problems">
          {file.problems.slice(0, shownProblems).map((one) => (
            <li key={one.id}>
              <Tag tone={one.closed ? 'fine' : 'warning'}>{one.closed ? '已闭合' : '未闭合'}</Tag>{' '}
              <Link to={hrefOf('/securityCheck/securityCheckdetail', { id: one.checkId })}>
                {one.part}：{one.description}
              </Link>{' '}
              <span className="zg-2">{one.checkTime.slice(0, 10)}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
const shownProblems = 10

const looks: CourseLooks = {
  submit: { icon: <SendOutlined />, color: colors.primary },
  implement: { icon: <CameraOutlined />, color: colors.fine },
  extend: { icon: <ClockCircleOutlined />, color: colors.warning },
  late: { icon: <ClockCircleOutlined />, color: colors.danger },
  archive: { icon: <CheckOutlined />, color: colors.fine },
}
