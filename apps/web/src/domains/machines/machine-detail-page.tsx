import { EditOutlined, PrinterOutlined } from '@ant-design/icons'
import { getMachine, type MachineDetail } from '@zhugong/contract/machines/calls'
import { signMachine } from '@zhugong/contract/machines/seats'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Card, Empty, Pairs, Tag } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Timeline, WorkItem } from '#kit/work-item.tsx'
import { MachineHandling } from './machine-handling.tsx'
import { Age, Crew, IotTag, MachineStateTag, paths, VerdictTag } from './machine-words.tsx'
import './machines.css'

/** Is this machine fit to run today, and who answers for it? */
export default function MachineDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择设备" hint="从监督设备列表打开一台">
          <Button onClick={() => go(paths.list)}>去监督设备</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <MachineFile key={id} id={id} />
    </div>
  )
}

type Paper = 'register' | 'receipt' | 'plate'

function MachineFile({ id }: { id: string }) {
  const page = usePage()
  const print = usePrint('spdevicePaper')
  const read = useCall(getMachine, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  const file = read.data
  const paper = (which: Paper, label: string) => (
    <Button
      icon={<PrinterOutlined />}
      loading={print.running}
      onClick={() => void print.run({ body: { feature: 'spdevicePaper', exportType: 'pdf', query: { id, paper: which } } })}
    >
      {label}
    </Button>
  )
  const hasReceipt = file && file.installCorp !== null && !file.waiting
  return (
    <WorkItem
      title={file?.name}
      tags={
        file && (
          <>
            <MachineStateTag row={file} />
            <VerdictTag row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '产权备案', value: file.recordNo ?? '未备案' },
              { label: '使用登记', value: file.useRegNo ?? '未登记' },
              { label: '下次检验', value: file.nextInspectDate ?? '--' },
            ]
          : []
      }
      actions={
        file && (
          <>
            {file.useRegNo && paper('register', '使用登记证')}
            {hasReceipt && paper('receipt', '告知回执')}
            {paper('plate', '铭牌')}
          </>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            <MachineHandling file={file} />
            <Timeline
              steps={file.timeline.map((one) => ({
                id: one.id,
                time: one.at,
                icon: <EditOutlined />,
                color: one.action === 'suspend' || one.action === 'sendBack' ? colors.danger : colors.primary,
                title: one.label,
                lines: [
                  { text: [one.byName, one.groupName].filter(Boolean).join(' · '), bad: false },
                  ...(one.opinion ? [{ text: one.opinion, bad: one.action === 'suspend' || one.action === 'sendBack' }] : []),
                ],
              }))}
            />
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

function Content({ file }: { file: MachineDetail }) {
  return (
    <>
      <div className="machine-verdict" data-usable={file.usable} role="status">
        <VerdictTag row={file} />
        {file.reasons.length === 0 ? (
          <span>手续、检测、司机证书和监测均有效</span>
        ) : (
          file.reasons.map((why) => (
            <Tag key={why} tone="danger">
              {why}
            </Tag>
          ))
        )}
      </div>
      <Card title="档案" remark={file.deviceTypeName}>
        <Pairs
          items={[
            { label: '规格型号', value: file.model },
            { label: '出厂编号', value: file.manufactureNo },
            { label: '制造厂家', value: file.manufacturer },
            { label: '出厂日期', value: file.manufactureDate },
            { label: '使用年限', value: <Age row={file} /> },
            { label: '到限日期', value: file.retireDate },
            { label: '评估延用至', value: file.appraisedUntil },
            { label: '额定力矩/载重', value: file.ratedMoment },
            { label: '产权单位', value: file.ownerCorp },
            { label: '使用单位', value: file.useName },
            { label: '安装位置', value: file.position },
            { label: '维保单位', value: file.maintainCorp },
            ...(file.suspendReason ? [{ label: '停用原因', value: file.suspendReason, wide: true }] : []),
            ...(file.appraisalFiles.length
              ? [{ label: '评估报告', value: <Papers files={file.appraisalFiles} name="评估报告" />, wide: true }]
              : []),
          ]}
        />
      </Card>
      <Card title="安装与检测">
        <Pairs
          items={[
            { label: '安装单位', value: file.installName },
            {
              label: '安装资质',
              value: file.licensed === null ? null : file.licensed ? '有效' : <span className="tone-danger">无有效资质</span>,
            },
            { label: '安装告知', value: file.installDate },
            { label: '安装高度', value: file.maxHeight === null ? null : `${file.maxHeight} m` },
            { label: '检测机构', value: file.inspectOrg },
            { label: '检测日期', value: file.inspectDate },
            { label: '联合验收', value: file.acceptDate },
            { label: '使用登记', value: file.useRegDate },
            { label: '检测报告', value: <Papers files={file.inspectReport} name="检测报告" />, wide: true },
            ...(file.installers.length ? [{ label: '安拆人员', value: <Crew people={file.installers} none="未登记" />, wide: true }] : []),
          ]}
        />
      </Card>
      <Card title="操作人员" remark={`${file.operators.length} 人`}>
        <Crew people={file.operators} none="未登记司机" />
      </Card>
      <Monitoring file={file} />
      <Stages file={file} />
      {file.notices.length > 0 && (
        <Card title="整改" remark={`${file.notices.filter((one) => one.open).length} / ${file.notices.length} 未闭合`}>
          <ul className="zg-work-lines">
            {file.notices.map((one) => (
              <li key={one.id}>
                <Link to={one.link}>{one.code}</Link> 期限 {one.deadline} <Tag tone={one.open ? 'danger' : 'fine'}>{one.stateName}</Tag>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {file.former.length > 0 && (
        <Card title="历史项目">
          <ul className="zg-work-lines">
            {file.former.map((one) => (
              <li key={`${one.projectName}${one.from}`}>
                {one.projectName} {one.position}{' '}
                <span className="zg-2">
                  {one.from} 至 {one.until ?? '今'} {one.useRegNo}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <SignaturesCard rows={file.signatures} call={signMachine} id={file.id} />
    </>
  )
}

function Monitoring({ file }: { file: MachineDetail }) {
  return (
    <Card title="实时监测" actions={file.liveLink && <Link to={file.liveLink}>打开实时监测</Link>}>
      {file.deviceName === null ? (
        <Empty small text="没有关联监测设备" />
      ) : (
        <ul className="zg-work-lines">
          <li>
            {file.deviceName} <IotTag state={file.iotState} />{' '}
            <span className="zg-2">{file.lastAt === null ? '没有数据' : `最近数据 ${time(file.lastAt)}`}</span>
          </li>
          {file.alarms.map((one) => (
            <li key={`${one.label}${one.at}`}>
              {one.label} <span className="zg-2">{one.at}</span>{' '}
              <Tag tone={one.active ? 'danger' : 'neutral'}>{one.active ? '未恢复' : '已恢复'}</Tag>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Stages({ file }: { file: MachineDetail }) {
  if (file.stages.length === 0) return null
  return (
    <Card title="生命周期">
      <ol className="machine-stages">
        {file.stages.map((one) => (
          <li key={one.key}>
            <b>{one.title}</b> <span className="zg-num">{one.date}</span> {one.unit}{' '}
            <span className="zg-2">
              {one.person} {one.at.slice(0, 16)}
            </span>
            {one.note && <p>{one.note}</p>}
            {one.files.length > 0 && <Papers files={one.files} name={one.title} />}
          </li>
        ))}
      </ol>
    </Card>
  )
}
