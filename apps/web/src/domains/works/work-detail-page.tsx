import { CheckOutlined, PrinterOutlined, RollbackOutlined, SendOutlined } from '@ant-design/icons'
import { getWork, type WorkDetail } from '@zhugong/contract/works/calls'
import { signWork } from '@zhugong/contract/works/seats'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { colors } from '#kit/colors.ts'
import { Course, type CourseLooks } from '#kit/course.tsx'
import { Card, Empty, Notice, Pairs, RiskBadge, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { WorkItem } from '#kit/work-item.tsx'
import { WorkHandling } from './work-handling.tsx'
import { WorkMonitor } from './work-monitor.tsx'
import { WorkRail } from './work-rail.tsx'
import { Gaps, MonitorTag, paths, WorkStateTag } from './work-words.tsx'
import './works.css'

/** Is this work allowed to be in the state it is in? One file per work. */
export default function WorkDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择危大工程" hint="从危大工程列表打开一项">
          <Button onClick={() => go(paths.list)}>去危大工程</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <WorkFile key={id} id={id} />
    </div>
  )
}

function WorkFile({ id }: { id: string }) {
  const page = usePage()
  const print = usePrint('bigprojectFile')
  const read = useCall(getWork, { params: { id }, query: { projectCode: '*' } }, { quiet: true, staleMs: 0 })
  const file = read.data
  return (
    <WorkItem
      lead={file && <RiskBadge level={file.riskLevel} />}
      title={file?.name}
      tags={
        file && (
          <>
            <WorkStateTag row={file} />
            {file.overScale && <Tag tone="danger">超规模</Tag>}
            {file.monitorState !== 'none' && <MonitorTag state={file.monitorState} />}
          </>
        )
      }
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '部位', value: file.part },
              { label: '规模', value: file.size || '--' },
              { label: '计划', value: `${file.planStartDate} 至 ${file.planEndDate}` },
            ]
          : []
      }
      actions={
        file && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'bigprojectFile', exportType: 'pdf', query: { id } } })}
          >
            打印档案
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
            <WorkHandling file={file} />
            <Course lines={file.timeline} looks={looks} bad={['reject', 'return']} />
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

function Content({ file }: { file: WorkDetail }) {
  return (
    <>
      {file.grave && <Notice tone="danger">{file.grave}，请立即核查。</Notice>}
      <WorkRail file={file} />
      <Card title="概况" remark={file.code} actions={<Gaps gaps={file.gaps} />}>
        <Pairs
          items={[
            { label: '类别', value: file.categoryName, wide: true },
            { label: '单位工程', value: file.unitName },
            { label: '位置', value: file.placeName },
            { label: '施工单位', value: file.constructionName },
            { label: '专业分包', value: file.subName },
            { label: '方案通过', value: file.planPassDate },
            { label: '实际开始', value: file.actualStartDate },
            { label: '实际完成', value: file.actualEndDate },
          ]}
        />
      </Card>
      <Card title="方案与审签" remark={file.planName ?? undefined}>
        <Pairs
          items={[
            { label: '专项方案', value: <Papers files={file.planFiles} name="方案" />, wide: true },
            ...(file.revisionNote ? [{ label: '修改说明', value: file.revisionNote, wide: true }] : []),
          ]}
        />
      </Card>
      {file.overScale && <Review file={file} />}
      <Disclosure file={file} />
      <WorkMonitor devices={file.devices} party={file.monitorOrg} />
      {file.notices.length > 0 && <Notices file={file} />}
      {(file.acceptDate || file.acceptPhotos.length > 0) && (
        <Card title="验收" remark={file.acceptDate ?? undefined}>
          <Papers files={file.acceptPhotos} name="验收标识牌" />
        </Card>
      )}
      <SignaturesCard rows={file.signatures} call={signWork} id={file.id} />
    </>
  )
}

function Review({ file }: { file: WorkDetail }) {
  return (
    <Card title="专家论证" remark={file.reviewDate ?? '尚未论证'}>
      <Pairs
        items={[
          {
            label: '结论',
            value: file.reviewResultName ?? (
              <>
                超规模方案须由 5 名以上专家论证。<Link to="/person/expert/list">去抽取专家</Link>
              </>
            ),
            wide: true,
          },
          { label: '意见', value: file.reviewConclusion, wide: true },
          {
            label: '专家',
            value: file.experts.map((one) => `${one.name}（${one.workUnit}${one.role === '组长' ? '，组长' : ''}）`).join('、'),
            wide: true,
          },
          { label: '论证报告', value: <Papers files={file.reviewReport ? [file.reviewReport] : []} name="论证报告" />, wide: true },
        ]}
      />
    </Card>
  )
}

function Disclosure({ file }: { file: WorkDetail }) {
  const named = (people: WorkDetail['receivers']) => people.map((one) => `${one.name}（${one.post}）`).join('、')
  return (
    <Card title="交底与现场监督" remark={file.disclosureDate ?? '尚未交底'}>
      <Pairs
        items={[
          { label: '交底人', value: file.discloser },
          { label: '接受交底', value: file.receivers.length ? `${file.receivers.length} 人` : null },
          { label: '名单', value: named(file.receivers), wide: true },
          { label: '交底内容', value: file.disclosureText, wide: true },
          { label: '现场监督', value: named(file.inspectors), wide: true },
          { label: '公告牌与警示标志', value: <Papers files={file.warnPhotos} name="公告牌" />, wide: true },
          { label: '监测方案', value: <Papers files={file.monitorFiles} name="监测方案" />, wide: true },
        ]}
      />
    </Card>
  )
}

function Notices({ file }: { file: WorkDetail }) {
  return (
    <Card title="检查与整改" remark={`${file.notices.filter((one) => one.open).length} / ${file.notices.length} 未闭合`}>
      <ul className="zg-work-lines">
        {file.notices.map((one) => (
          <li key={one.id}>
            <Link to={one.link}>{one.code}</Link> 期限 {one.deadline} <Tag tone={one.open ? 'danger' : 'fine'}>{one.stateName}</Tag>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const looks: CourseLooks = {
  submit: { icon: <SendOutlined />, color: colors.primary },
  pass: { icon: <CheckOutlined />, color: colors.fine },
  passRevised: { icon: <CheckOutlined />, color: colors.fine },
  accept: { icon: <CheckOutlined />, color: colors.fine },
  return: { icon: <RollbackOutlined />, color: colors.danger },
  reject: { icon: <RollbackOutlined />, color: colors.danger },
}
