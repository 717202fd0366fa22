import {
  CheckOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  PlayCircleOutlined,
  PrinterOutlined,
  SendOutlined,
} from '@ant-design/icons'
import { overduePermit } from '@zhugong/contract/hazards/permit-moves'
import { gasLimits } from '@zhugong/contract/hazards/permit-rules'
import { getPermit, type PermitDetail, signPermit } from '@zhugong/contract/hazards/permits'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Course, type CourseLooks } from '#kit/course.tsx'
import { Card, Notice, Pairs, RiskBadge, Tag } from '#kit/feedback.tsx'
import { hrefOf, usePage } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Lines, WorkItem } from '#kit/work-item.tsx'
import { PlanBoard } from '../places/public.tsx'
import { anyProject, Countdown, PermitTag, paths } from './hazard-words.tsx'
import { HandlePermit } from './permit-handling.tsx'

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
            <HandlePermit file={file} />
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
      {file.state === overduePermit && <Notice tone="danger">已到结束时间，没有完工确认。请停止作业并补办完工确认。</Notice>}
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
