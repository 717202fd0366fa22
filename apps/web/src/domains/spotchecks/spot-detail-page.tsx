import { CheckOutlined, ExperimentOutlined, FileDoneOutlined, PrinterOutlined, SendOutlined } from '@ant-design/icons'
import { itemResults } from '@zhugong/contract/scoring/score'
import { changeSpotCheck, getSpotCheck, type SpotDetail } from '@zhugong/contract/spotchecks/calls'
import { mostSpotFiles, type SpotAction, spotMoves } from '@zhugong/contract/spotchecks/moves'
import { areaRebound } from '@zhugong/contract/spotchecks/readings'
import { Button, Input } from 'antd'
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
import { PassInput } from '#kit/pass-input.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Handling, type ItemAction, WorkItem } from '#kit/work-item.tsx'
import { kindWords, LabDue, paths, ResultTag, StateTag } from './spot-words.tsx'
import './spotchecks.css'

const { Field } = formOf(changeSpotCheck)
type Body = BodyOf<typeof changeSpotCheck>

/** The result, and what followed. */
export default function SpotDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择质量抽查" hint="从质量抽查列表打开一次">
          <Button onClick={() => go(paths.list)}>去质量抽查</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Spot key={id} id={id} />
    </div>
  )
}

const looks: CourseLooks = {
  submitOnSite: { icon: <CheckOutlined />, color: colors.primary },
  submitSample: { icon: <ExperimentOutlined />, color: colors.primary },
  report: { icon: <FileDoneOutlined />, color: colors.primary },
  amend: { icon: <FileDoneOutlined />, color: colors.warning },
  issue: { icon: <SendOutlined />, color: colors.danger },
  close: { icon: <CheckOutlined />, color: colors.fine },
}

function Spot({ id }: { id: string }) {
  const page = usePage()
  const print = usePrint('spotcheckSheet')
  const read = useCall(getSpotCheck, { params: { id } }, { quiet: true, staleMs: 0 })
  const file = read.data
  return (
    <WorkItem
      title={file && `${kindWords(file)} ${file.part}`}
      tags={
        file && (
          <>
            <StateTag row={file} /> <ResultTag row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              { label: '编号', value: file.code ?? '草稿' },
              { label: '项目', value: file.projectName },
              { label: '抽查日期', value: file.checkDate },
              { label: '标准值', value: file.designValue || '--' },
              { label: '实测值', value: file.actualValue ?? '--', tone: file.result === itemResults.wrong ? 'danger' : undefined },
            ]
          : []
      }
      actions={
        file?.code && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'spotcheckSheet', exportType: 'pdf', query: { id } } })}
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
        file && (
          <>
            <Handle file={file} />
            <Course lines={file.timeline} looks={looks} bad={['issue']} />
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

function Content({ file }: { file: SpotDetail }) {
  return (
    <>
      {file.lateDays > 0 && (
        <Notice tone="danger">
          检测报告已超期 {file.lateDays} 天（期限 {file.labDue}）。
        </Notice>
      )}
      {file.batch?.blocked && (
        <Notice tone="danger">
          材料批次 <Link to={hrefOf('/material/details', { id: file.batch.id })}>{file.batch.words}</Link> 已停用。
        </Notice>
      )}
      {file.waitingFloors.length > 0 && (
        <Notice tone="danger">
          其上 {file.waitingFloors.length} 层须等待处理结论：{file.waitingFloors.join('、')}
        </Notice>
      )}
      {file.notice && (
        <Notice tone={file.notice.closed ? 'info' : 'warning'}>
          整改单 <Link to={file.notice.link}>{file.notice.code}</Link> {file.notice.stateName}，期限 {file.notice.deadline}
        </Notice>
      )}
      <Readings file={file} />
      <Reports file={file} />
      <Card title="抽查">
        <Pairs
          items={[
            { label: '抽查单位', value: file.checkerGroupName },
            { label: '抽查人', value: file.checkers.join('、') },
            { label: '检测方法', value: file.method },
            { label: '责任单位', value: file.corpName },
            { label: '单体', value: file.unitName },
            { label: '位置', value: file.placeName },
            { label: '样品编号', value: file.sampleNo },
            { label: '检测机构', value: file.labOrg },
            { label: '报告期限', value: <LabDue row={file} /> },
            { label: '供应商', value: file.supplier },
            {
              label: '材料批次',
              value: file.batch && <Link to={hrefOf('/material/details', { id: file.batch.id })}>{file.batch.words}</Link>,
            },
            ...(file.handle ? [{ label: '处理要求', value: file.handle, wide: true }] : []),
            ...(file.photos.length ? [{ label: '照片', value: <Papers files={file.photos} name="抽查" />, wide: true }] : []),
          ]}
        />
      </Card>
    </>
  )
}

function Readings({ file }: { file: SpotDetail }) {
  const { readings } = file
  return (
    <Card title="检测记录" remark={file.testName}>
      {readings.test === 'rebound' && (
        <div className="zg-scrolls">
          <table className="spot-sheet">
            <thead>
              <tr>
                <th>测区</th>
                <th colSpan={16}>回弹值</th>
                <th>碳化 mm</th>
                <th>平均</th>
              </tr>
            </thead>
            <tbody>
              {readings.areas.map((area) => (
                <tr key={area.name}>
                  <th scope="row">{area.name}</th>
                  {area.readings.map((one, i) => (
                    <td key={i} className="zg-num">
                      {one}
                    </td>
                  ))}
                  <td className="zg-num">{area.carbonation}</td>
                  <td className="zg-num">{areaRebound(area.readings)?.toFixed(1)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {'note' in readings && <p>{readings.note}</p>}
      {file.calculation.length > 0 && (
        <ol className="spot-lines">
          {file.calculation.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ol>
      )}
    </Card>
  )
}

function Reports({ file }: { file: SpotDetail }) {
  if (file.sampleNo === null && file.reports.length === 0) return null
  return (
    <Card title="检测报告" remark={file.reports.length > 1 ? '首次报告保留' : undefined}>
      {file.reports.length === 0 ? (
        <Empty small text={`样品 ${file.sampleNo ?? ''} 已送 ${file.labOrg ?? ''}`} hint="报告尚未录入" />
      ) : (
        <ul className="zg-work-lines">
          {file.reports.map((one) => (
            <li key={one.id}>
              <b>
                {one.stageName} {one.reportNo}
              </b>{' '}
              <Tag tone={one.passed ? 'fine' : 'danger'}>{one.passed ? '合格' : '不合格'}</Tag> {one.actualValue}{' '}
              <span className="zg-2">
                {one.labOrg} {one.reportDate} · {one.byName} 录入
              </span>
              {one.reason && <p className="tone-warning">更改原因：{one.reason}</p>}
              <Papers files={one.files} name="报告" />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

type Open = 'report' | 'amend' | 'issue' | 'close'
const usualDays = 7

function Handle({ file }: { file: SpotDetail }) {
  const go = useGo()
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const act = useAct(changeSpotCheck, { success: '已办理' })
  const { id, version } = file
  const may = (action: SpotAction) => file.actions.some((one) => one.action === action)
  const opens = (action: Open, main: boolean): ItemAction[] =>
    may(action) ? [{ label: spotMoves[action].label, main, danger: action === 'issue', run: () => setOpen(action) }] : []
  const actions: ItemAction[] = [
    ...(may('save') ? [{ label: '继续填写', main: true, run: () => go(paths.edit, { id }) }] : []),
    ...opens('report', true),
    ...opens('issue', true),
    ...opens('close', true),
    ...opens('amend', false),
  ]
  return (
    <>
      <Handling remark={file.stateName} actions={actions} busy={act.running} none={waits[file.state] ?? ''} />
      {open && (
        <FormDrawer
          key={open}
          act={act}
          open
          title={spotMoves[open].label}
          remark={file.part}
          onClose={() => setOpen(undefined)}
          initial={{
            action: open,
            version,
            id,
            ...(open === 'issue' ? { deadline: day(Date.now() + usualDays * 86_400_000) } : { reportDate: day(Date.now()), files: [] }),
          }}
          input={(body) => ({ body: { ...(body as Body), action: open, version, id } as Body })}
        >
          {open === 'issue' ? (
            <>
              <Field name="handle" label="处理要求" span="all">
                <LongText rows={3} />
              </Field>
              <Field name="deadline" label="整改期限">
                <DayInput min={day(Date.now())} />
              </Field>
              <Field name="person" label="整改人">
                <Input />
              </Field>
            </>
          ) : (
            <ReportFields changed={open === 'amend'} />
          )}
        </FormDrawer>
      )}
    </>
  )
}

const waits: Readonly<Record<string, string>> = {
  0: '草稿由抽查人提交',
  1: '等待检测报告',
  2: '抽查合格',
  3: '等待抽查方下发整改',
  4: '等待整改与复检',
  5: '复检合格，已闭合',
}

function ReportFields({ changed }: { changed: boolean }) {
  return (
    <>
      <Field name="reportNo" label="报告编号">
        <Input />
      </Field>
      <Field name="reportDate" label="报告日期">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="actualValue" label="实测值">
        <Input />
      </Field>
      <Field name="passed" label="结论">
        <PassInput />
      </Field>
      {changed && (
        <Field name="reason" label="更改原因" span="all" help="首次报告仍然保留">
          <LongText rows={2} />
        </Field>
      )}
      <Field name="files" label="检测报告" span="all">
        <Upload max={mostSpotFiles} accept="image/*,application/pdf" maxMb={100} />
      </Field>
    </>
  )
}
