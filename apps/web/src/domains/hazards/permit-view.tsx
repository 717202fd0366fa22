import { CheckOutlined, ClockCircleOutlined, CloseCircleOutlined, PlayCircleOutlined, PrinterOutlined, SendOutlined } from '@ant-design/icons'
import { mostHazardPhotos } from '@zhugong/contract/hazards/moves'
import { type PermitAction, permitMoves } from '@zhugong/contract/hazards/permit-moves'
import { gasLimits } from '@zhugong/contract/hazards/permit-rules'
import { changePermit, getPermit, type PermitDetail, permitPeople, removePermit, signPermit } from '@zhugong/contract/hazards/permits'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Course, type CourseLooks } from '#kit/course.tsx'
import { Card, Notice, Pairs, RiskBadge, Tag } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { LongText, NumberInput, TimeInput, Upload } from '#kit/inputs.tsx'
import { hrefOf, useGo, usePage } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Handling, type ItemAction, Lines, WorkItem } from '#kit/work-item.tsx'
import { PlanBoard } from '../places/public.tsx'
import { anyProject, Countdown, PermitTag, paths } from './hazard-words.tsx'
import { Person } from './permit-form.tsx'

const { Field } = formOf(changePermit)
type Body = BodyOf<typeof changePermit>
const runningMs = 60_000

export function PermitView({ id }: { id: string }) {
  const page = usePage()
  const print = usePrint('workPermitSheet')
  const read = useCall(getPermit, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0, everyMs: runningMs })
  const file = read.data
  return (
    <WorkItem
      title={file && `${file.level ?? ''}${file.typeName} ${file.part}`}
      tags={
        file && (
          <>
            <PermitTag row={file} /> <Countdown row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              { label: '编号', value: file.code ?? '草稿' },
              { label: '作业单位', value: file.corpName },
              { label: '时间', value: `${file.startTime.slice(5, 16)} 至 ${file.endTime.slice(5, 16)}` },
              { label: '监护人', value: file.guardian },
              { label: '批准', value: file.approvedBy ?? `${file.approverName}批准` },
            ]
          : []
      }
      actions={
        file?.code && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'workPermitSheet', exportType: 'pdf', query: { id } } })}
          >
            打印作业票
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
            <Course lines={file.timeline} looks={looks} bad={['reject', 'extendRefuse', 'overdue']} />
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
  approve: { icon: <CheckOutlined />, color: colors.fine },
  reject: { icon: <CloseCircleOutlined />, color: colors.danger },
  start: { icon: <PlayCircleOutlined />, color: colors.fine },
  overdue: { icon: <ClockCircleOutlined />, color: colors.danger },
  close: { icon: <CheckOutlined />, color: colors.text2 },
}

function Content({ file }: { file: PermitDetail }) {
  return (
    <>
      {file.weather.map((one) => (
        <Notice key={one} tone="warning">
          {one}，此刻不宜{file.typeName}
        </Notice>
      ))}
      {file.state === '6' && <Notice tone="danger">已到结束时间，没有完工确认。请停止作业并补办完工确认。</Notice>}
      {file.extending && file.extendTo && (
        <Notice tone="info">
          申请延至 {file.extendTo.slice(5, 16)}：{file.extendReason}
        </Notice>
      )}
      {file.embers && file.embersFrom && <Notice tone="warning">动火已结束，{file.embersFrom.slice(11, 16)} 起检查余火并完工确认。</Notice>}
      {file.checks.length > 0 && <Lines title="此刻条件" lines={file.checks} />}
      <Card title="人员" remark="证书与在场为此刻状态">
        <div className="zg-scrolls">
          <table className="hazard-people">
            <thead>
              <tr>
                <th>岗位</th>
                <th>姓名</th>
                <th>班组</th>
                <th>操作证</th>
                <th>此刻</th>
              </tr>
            </thead>
            <tbody>
              {file.people.map((one) => (
                <tr key={`${one.role}${one.workerId}${one.until ?? ''}`} data-former={one.until ? '' : undefined}>
                  <td>{one.roleName}</td>
                  <td>{one.name}</td>
                  <td>{one.teamName ?? '--'}</td>
                  <td>{one.licences.join('、') || '--'}</td>
                  <td>
                    {one.until ? (
                      `监护至 ${one.until.slice(5, 16)}`
                    ) : one.unfit ? (
                      <span className="tone-danger">{one.unfit}</span>
                    ) : (
                      <Tag tone={one.inside ? 'fine' : 'warning'}>{one.inside ? '在场' : '不在场'}</Tag>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      {file.gas.length > 0 && (
        <Card
          title="气体检测"
          remark={`氧 ${gasLimits.oxygenLow}–${gasLimits.oxygenHigh} %，可燃气低于 ${gasLimits.combustible} %LEL，一氧化碳不超过 ${gasLimits.carbonMonoxide}、硫化氢不超过 ${gasLimits.hydrogenSulfide} mg/m³`}
        >
          <div className="zg-scrolls">
            <table className="hazard-people">
              <thead>
                <tr>
                  <th>时间</th>
                  <th>检测点</th>
                  <th>检测人</th>
                  <th>氧 %</th>
                  <th>可燃气 %LEL</th>
                  <th>一氧化碳</th>
                  <th>硫化氢</th>
                  <th>结论</th>
                </tr>
              </thead>
              <tbody>
                {file.gas.map((one) => (
                  <tr key={one.id}>
                    <td className="zg-num">{one.at.slice(5, 16)}</td>
                    <td>{one.spot}</td>
                    <td>{one.tester}</td>
                    <td className="zg-num">{one.oxygen}</td>
                    <td className="zg-num">{one.combustible}</td>
                    <td className="zg-num">{one.carbonMonoxide}</td>
                    <td className="zg-num">{one.hydrogenSulfide}</td>
                    <td>
                      <Tag tone={one.faults.length > 0 ? 'danger' : 'fine'}>{one.faults.length > 0 ? '不合格' : '合格'}</Tag>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
      )}
      <Card title="安全措施">
        <ul className="hazard-patrols">
          {file.measures.map((one) => (
            <li key={one.seq}>
              <Tag tone={one.done ? 'fine' : 'warning'}>{one.done ? '已确认' : '未确认'}</Tag>
              <span>{one.text}</span>
              {one.photos.length > 0 && <Papers files={one.photos} name={one.text} />}
            </li>
          ))}
        </ul>
      </Card>
      {file.plans.map((plan) => (
        <Card key={plan.id} title={`平面图 ${plan.name}`}>
          <PlanBoard plan={plan} marks={file.pin ? [{ key: file.id, label: '票', x: file.pin.x, y: file.pin.y, title: file.part }] : []} />
        </Card>
      ))}
      <Card title="作业">
        <Pairs
          items={[
            { label: '项目', value: file.projectName },
            { label: '作业内容', value: file.content },
            { label: '位置', value: file.placeName },
            { label: '申请方', value: file.authorGroupName },
            { label: '起重设备', value: file.device?.name },
            {
              label: '关联危险源',
              value: file.hazard && (
                <>
                  <RiskBadge level={file.hazard.riskLevel} word={false} />{' '}
                  <Link className="zg-link" to={hrefOf(paths.detail, { id: file.hazard.id })}>
                    {file.hazard.name}
                  </Link>
                </>
              ),
            },
            { label: '批准时间', value: file.approvedAt?.slice(0, 16) },
            { label: '开工', value: file.startedAt?.slice(0, 16) },
            { label: '动火结束', value: file.endedAt?.slice(0, 16) },
            { label: '完工确认', value: file.closedAt?.slice(0, 16) },
            ...(file.closeNote ? [{ label: '完工情况', value: file.closeNote, wide: true }] : []),
          ]}
        />
        {[file.startPhotos, file.finishPhotos, file.closePhotos].some((some) => some.length > 0) && (
          <Papers files={[...file.startPhotos, ...file.finishPhotos, ...file.closePhotos]} name="现场" />
        )}
      </Card>
      <SignaturesCard rows={file.signatures} call={signPermit} id={file.id} />
    </>
  )
}

type Open = Exclude<PermitAction, 'save' | 'submit'>
/** The usual next step first. */
const offered: readonly Open[] = ['approve', 'start', 'close', 'finish', 'extendPass', 'gas', 'handover', 'extend', 'extendRefuse', 'reject']
const dangers: readonly Open[] = ['reject', 'extendRefuse']

function Handle({ file }: { file: PermitDetail }) {
  const go = useGo()
  const page = usePage()
  const [open, setOpen] = useState<Open | undefined>(undefined)
  const act = useAct(changePermit, { success: '已办理' })
  const removal = useAct(removePermit, { success: '草稿已删除', onDone: () => page.leave(`${paths.list}?kind=permit`) })
  const { id, version } = file
  const key = { params: { id }, query: anyProject }
  const may = (action: PermitAction) => file.actions.some((one) => one.action === action)
  const first = offered.find(may)
  const actions: ItemAction[] = [
    ...(may('submit') ? [{ label: file.state === '5' ? '修改后重新提交' : '继续填写', main: true, run: () => go(paths.form, { permit: id }) }] : []),
    ...offered.filter(may).map((action) => ({
      label: labelOf(action, file),
      main: action === first,
      danger: dangers.includes(action),
      run: () => setOpen(action),
    })),
    ...(may('save') && file.state === '0'
      ? [
          {
            label: '删除草稿',
            danger: true,
            run: () => removal.afterRequesting({ thing: '删除作业票草稿', consequence: '草稿和其中的照片不再保留。', verb: '删除草稿' }, key),
          },
        ]
      : []),
  ]
  return (
    <>
      <Handling remark={file.stateName} actions={actions} busy={act.running || removal.running} none={waits[file.state] ?? ''} />
      {open && (
        <FormDrawer
          key={open}
          act={act}
          open
          narrow
          title={labelOf(open, file)}
          remark={file.part}
          onClose={() => setOpen(undefined)}
          initial={initialOf(open, file)}
          input={(body) => ({ ...key, body: { ...(body as Body), action: open, version } as Body })}
        >
          <ActionFields open={open} file={file} />
        </FormDrawer>
      )}
    </>
  )
}

const labelOf = (action: Open, file: PermitDetail): string =>
  action === 'close' && file.startedAt === null ? '未作业，关闭' : action === 'close' && file.endedAt ? '余火检查并完工' : permitMoves[action].label

const initialOf = (open: Open, { version, endTime, guardian }: PermitDetail): Values => ({
  action: open,
  version,
  opinion: '',
  photos: [],
  ...(open === 'extend' ? { extendTo: endTime } : {}),
  ...(open === 'gas' ? { tester: guardian } : {}),
})

function ActionFields({ open, file }: { open: Open; file: PermitDetail }) {
  switch (open) {
    case 'approve':
    case 'reject':
    case 'extendPass':
    case 'extendRefuse':
      return (
        <Field name="opinion" label="意见" span="all">
          <LongText rows={3} />
        </Field>
      )
    case 'gas':
      return (
        <>
          <Field name="oxygen" label="氧含量">
            <NumberInput unit="%" min={0} precision={1} />
          </Field>
          <Field name="combustible" label="可燃气">
            <NumberInput unit="%LEL" min={0} precision={1} />
          </Field>
          <Field name="carbonMonoxide" label="一氧化碳">
            <NumberInput unit="mg/m³" min={0} precision={1} />
          </Field>
          <Field name="hydrogenSulfide" label="硫化氢">
            <NumberInput unit="mg/m³" min={0} precision={1} />
          </Field>
          <Field name="spot" label="检测点">
            <Input placeholder="例如 井底、井中" />
          </Field>
          <Field name="tester" label="检测人">
            <Input />
          </Field>
        </>
      )
    case 'handover':
      return <Handover file={file} />
    case 'extend':
      return (
        <>
          <Field name="extendTo" label="延至" span="all" help="须重新批准">
            <TimeInput />
          </Field>
          <Field name="opinion" label="延时理由" span="all">
            <LongText rows={2} />
          </Field>
        </>
      )
    case 'start':
      return (
        <Field name="photos" label="现场照片" span="all">
          <Upload max={mostHazardPhotos} camera="environment" />
        </Field>
      )
    case 'finish':
      return (
        <Field name="photos" label="现场照片" span="all" required>
          <Upload max={mostHazardPhotos} camera="environment" />
        </Field>
      )
    case 'close':
      return (
        <>
          <Field name="photos" label={file.endedAt ? '余火检查照片' : '完工照片'} span="all" required={file.startedAt !== null}>
            <Upload max={mostHazardPhotos} camera="environment" />
          </Field>
          <Field name="note" label="完工情况" span="all">
            <LongText rows={2} />
          </Field>
        </>
      )
  }
}

function Handover({ file }: { file: PermitDetail }) {
  const { projectCode, type, people: named } = file
  const people = useCall(permitPeople, { query: { projectCode, type } }, { quiet: true }).data?.people
  const busy = new Set(named.filter((one) => one.until === null).map((one) => one.workerId))
  return (
    <>
      <Field name="guardianId" label="接班监护人" span="all">
        <Person people={people} reason={(one) => (busy.has(one.workerId) ? '已在本票' : one.inside ? null : '不在场')} />
      </Field>
      <Field name="note" label="交接情况" span="all">
        <LongText rows={2} />
      </Field>
    </>
  )
}

const waits: Readonly<Record<string, string>> = {
  0: '草稿由申请方提交',
  1: '等待批准',
  2: '等待开工确认',
  3: '作业中，由项目完工确认',
  4: '已关闭',
  5: '已驳回，由申请方修改后重新提交',
  6: '等待补办完工确认',
}
