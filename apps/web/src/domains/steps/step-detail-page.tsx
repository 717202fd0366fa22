import { CheckOutlined, CloseCircleOutlined, EditOutlined, PrinterOutlined, SendOutlined } from '@ant-design/icons'
import { itemResults } from '@zhugong/contract/scoring/score'
import { changeStep, getStep, removeStep, type StepDetail } from '@zhugong/contract/steps/calls'
import { concealed } from '@zhugong/contract/steps/chain'
import { mostStepPhotos, type StepAction, stepMoves } from '@zhugong/contract/steps/moves'
import { signStep } from '@zhugong/contract/steps/seats'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Course, type CourseLooks } from '#kit/course.tsx'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { DayInput, LongText, Upload } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { SignatureInput } from '#kit/signature-pad.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Handling, type ItemAction, WorkItem } from '#kit/work-item.tsx'
import { LinePlans } from '../places/public.tsx'
import { emptyPoints, PointFields } from './point-fields.tsx'
import { StepChain } from './step-chain.tsx'
import { anyProject, EarlyTag, paths, ResultTag, StateTag } from './step-words.tsx'
import './steps.css'

const { Field } = formOf(changeStep)
type Body = BodyOf<typeof changeStep>

/** Was it right before it was covered? */
export default function StepDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择工序验收" hint="从项目质量管理打开一项">
          <Button onClick={() => go(paths.list)}>去项目质量管理</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Step key={id} id={id} />
    </div>
  )
}

function Step({ id }: { id: string }) {
  const page = usePage()
  const print = usePrint('qualityPSheet')
  const read = useCall(getStep, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const file = read.data
  return (
    <WorkItem
      title={file && `${file.part} ${file.workName}${file.kindName}`}
      tags={
        file && (
          <>
            <StateTag row={file} /> <EarlyTag row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              { label: '编号', value: file.code ?? '草稿' },
              { label: '项目', value: file.projectName },
              { label: '位置', value: file.placeName },
              { label: '施工单位', value: file.corpName },
              { label: '结论', value: <ResultTag row={file} /> },
            ]
          : []
      }
      actions={
        file?.code && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'qualityPSheet', exportType: 'pdf', query: { id } } })}
          >
            打印验收记录
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
            <Handle file={file} />
            <Card title="工序链">
              <StepChain chain={file.chain} />
            </Card>
            <Course lines={file.timeline} looks={looks} bad={['refuse']} />
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

const looks: CourseLooks = {
  submit: { icon: <SendOutlined />, color: colors.primary },
  accept: { icon: <CheckOutlined />, color: colors.fine },
  refuse: { icon: <CloseCircleOutlined />, color: colors.danger },
  recheck: { icon: <EditOutlined />, color: colors.warning },
  archive: { icon: <CheckOutlined />, color: colors.text2 },
}

function Content({ file }: { file: StepDetail }) {
  const later = file.chain
    .slice(file.chain.findIndex((one) => one.current) + 1)
    .filter((one) => one.early && !file.chain.some((o) => o.current && o.accepted))
  return (
    <>
      {file.early && <Notice tone="danger">本工序 {file.begunAt?.slice(0, 16)} 开工，早于上一工序验收。</Notice>}
      {later.length > 0 && <Notice tone="danger">后续工序 {later.map((one) => one.name).join('、')} 在本工序验收前已开工。</Notice>}
      {file.notice && (
        <Notice tone={file.notice.closed ? 'info' : 'warning'}>
          整改单 <Link to={hrefOf('/safetyP/abarbeitung/details', { id: file.notice.id })}>{file.notice.code}</Link> {file.notice.stateName}
          ，期限 {file.notice.deadline}
        </Notice>
      )}
      {file.rounds.map((round) => (
        <Card
          key={round.round}
          title={file.rounds.length > 1 ? `第 ${round.round} 次检查` : '检查点'}
          remark={`${round.byName} ${round.at.slice(0, 16)}`}
        >
          <div className="zg-scrolls">
            <table className="step-points">
              <thead>
                <tr>
                  <th>检查点</th>
                  <th>允许偏差 / 要求</th>
                  <th className="right">实测</th>
                  <th>结论</th>
                </tr>
              </thead>
              <tbody>
                {round.points.map((point) => (
                  <tr key={point.key}>
                    <td>
                      {point.name}
                      {point.note && <p className="zg-2">{point.note}</p>}
                      {point.photos.length > 0 && <Papers files={point.photos} name={point.name} />}
                    </td>
                    <td>{point.limit}</td>
                    <td className="right zg-num">{point.value === null ? '目测' : `${point.value} ${point.unit ?? ''}`}</td>
                    <td>
                      <Tag tone={point.passed ? 'fine' : 'danger'}>{point.passed ? '合格' : '不合格'}</Tag>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
      ))}
      <Card
        title={file.kind === concealed ? '覆盖前照片' : '现场照片'}
        remark={file.photos.length > 0 ? `${file.photos.length} 张` : undefined}
      >
        <Papers files={file.photos} name="现场" />
        {file.photoNotes.map(
          (note, i) =>
            note && (
              <p key={file.photos[i]} className="tone-warning">
                第 {i + 1} 张：{note}
              </p>
            ),
        )}
      </Card>
      <LinePlans
        plans={file.plans}
        lines={[
          {
            id: file.id,
            seq: 1,
            description: file.part,
            placeName: file.placeName,
            pin: file.pin,
            closed: file.result === itemResults.right,
          },
        ]}
      />
      <Card title="验收">
        <Pairs
          items={[
            { label: '单体', value: file.unitName },
            { label: '子分部', value: file.itemName },
            { label: '班组', value: file.gang },
            { label: '开工时间', value: file.begunAt?.slice(0, 16) },
            { label: '检查时间', value: file.checkTime.slice(0, 16) },
            { label: '检查人', value: file.checkers.join('、') },
            { label: '验收通过', value: file.acceptedAt?.slice(0, 16) },
            { label: '质量通病', value: file.problemNames.join('、') || null },
            ...(file.remark ? [{ label: '检查情况', value: file.remark, wide: true }] : []),
          ]}
        />
      </Card>
      <SignaturesCard rows={file.signatures} call={signStep} id={file.id} />
    </>
  )
}

type Open = 'accept' | 'refuse' | 'recheck'
const usualDays = 3

function Handle({ file }: { file: StepDetail }) {
  const go = useGo()
  const page = usePage()
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const act = useAct(changeStep, { success: '已办理' })
  const removal = useAct(removeStep, { success: '草稿已删除', onDone: () => page.leave(paths.list) })
  const { id, version } = file
  const key = { params: { id }, query: anyProject }
  const may = (action: StepAction) => file.actions.some((one) => one.action === action)
  const opens = (action: Open, main: boolean, danger = false): ItemAction[] =>
    may(action) ? [{ label: stepMoves[action].label, main, danger, run: () => setOpen(action) }] : []
  const actions: ItemAction[] = [
    ...(may('submit') ? [{ label: '继续填写', main: true, run: () => go(paths.form, { id }) }] : []),
    ...(may('save')
      ? [
          {
            label: '删除草稿',
            danger: true,
            run: () =>
              removal.afterRequesting(
                { thing: `删除 ${file.part} 的验收草稿`, consequence: '草稿和其中的照片不再保留。', verb: '删除草稿' },
                key,
              ),
          },
        ]
      : []),
    ...opens('accept', true),
    ...opens('refuse', false, true),
    ...opens('recheck', true),
    ...(may('archive') ? [{ label: stepMoves.archive.label, run: () => act.run({ ...key, body: { action: 'archive', version } }) }] : []),
  ]
  return (
    <>
      <Handling remark={file.stateName} actions={actions} busy={act.running || removal.running} none={waitsFor(file)} />
      {open && (
        <FormDrawer
          key={open}
          act={act}
          open
          title={stepMoves[open].label}
          remark={`${file.part} ${file.workName}${file.kindName}`}
          onClose={() => setOpen(undefined)}
          initial={
            open === 'recheck'
              ? { action: open, version, points: emptyPoints(file.work), photos: [] }
              : { action: open, version, opinion: '', deadline: day(Date.now() + usualDays * 86_400_000) }
          }
          input={(body) => ({ ...key, body: { ...(body as Body), action: open, version } as Body })}
        >
          {open === 'accept' && (
            <>
              <Field name="opinion" label="验收意见" span="all">
                <LongText rows={2} />
              </Field>
              <Field name="signature" label="监理签名" span="all">
                <SignatureInput />
              </Field>
            </>
          )}
          {open === 'refuse' && (
            <>
              <Field name="opinion" label="问题" span="all">
                <LongText rows={2} />
              </Field>
              <Field name="requirement" label="整改要求" span="all">
                <LongText rows={2} />
              </Field>
              <Field name="deadline" label="整改期限">
                <DayInput min={day(Date.now())} />
              </Field>
            </>
          )}
          {open === 'recheck' && (
            <>
              <PointFields work={file.work} online />
              <Field
                name="photos"
                label={file.kind === concealed ? '覆盖前照片' : '复验照片'}
                span="all"
                required={file.kind === concealed}
              >
                <Upload max={mostStepPhotos} />
              </Field>
              <Field name="remark" label="复验情况" span="all">
                <LongText rows={2} />
              </Field>
            </>
          )}
        </FormDrawer>
      )}
    </>
  )
}

const waits: Readonly<Record<string, string>> = {
  0: '草稿由编制人提交',
  1: '等待监理验收',
  2: '验收通过，可进行下一工序',
  3: '等待整改与复验',
  4: '已归档',
}
const waitsFor = ({ state }: StepDetail) => waits[state] ?? ''
