import { PrinterOutlined } from '@ant-design/icons'
import { getMaterial, type MaterialDetail } from '@zhugong/contract/materials/calls'
import { signMaterial } from '@zhugong/contract/materials/seats'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Course } from '#kit/course.tsx'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Papers } from '#kit/papers.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { WorkItem } from '#kit/work-item.tsx'
import { LinePlans } from '../places/public.tsx'
import { MaterialHandling } from './material-handling.tsx'
import { courseLooks } from './material-looks.tsx'
import { anyProject, Deviation, paths, RetestTag, SampleCount, StateTag, UseTag } from './material-words.tsx'
import './materials.css'

/** May this batch be used? */
export default function MaterialDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择材料批次" hint="从物资记录打开一批">
          <Button onClick={() => go(paths.records)}>去物资记录</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Batch key={id} id={id} />
    </div>
  )
}

function Batch({ id }: { id: string }) {
  const page = usePage()
  const print = usePrint('materialPaper')
  const read = useCall(getMaterial, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const file = read.data
  const paper = (which: 'accept' | 'sample', label: string) => (
    <Button
      icon={<PrinterOutlined />}
      loading={print.running}
      onClick={() => void print.run({ body: { feature: 'materialPaper', exportType: 'pdf', query: { id, paper: which } } })}
    >
      {label}
    </Button>
  )
  return (
    <WorkItem
      title={file && `${file.name} ${file.spec}`}
      tags={
        file && (
          <>
            <StateTag row={file} /> <UseTag row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '批号', value: file.batchNo ?? '--' },
              { label: '数量', value: `${thousands(file.quantity)} ${file.unitName}` },
              { label: '结存', value: `${thousands(leftOf(file))} ${file.unitName}` },
              { label: '进场', value: file.arriveTime.slice(0, 16) },
            ]
          : []
      }
      actions={
        file && (
          <>
            {file.state !== received && paper('accept', '进场验收单')}
            {file.samplesTaken > 0 && paper('sample', '见证取样单')}
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
            <MaterialHandling file={file} />
            <Course lines={file.timeline} looks={courseLooks} bad={['block', 'withdraw']} />
          </>
        )
      }
    >
      {file && <Content file={file} />}
    </WorkItem>
  )
}

const received = '0'
const leftOf = ({ quantity, usedQuantity }: MaterialDetail) => Math.round((quantity - usedQuantity) * 1000) / 1000
type Event = MaterialDetail['events'][number]
const of = (file: MaterialDetail, ...actions: string[]) => file.events.filter((one) => actions.includes(one.action))

function Content({ file }: { file: MaterialDetail }) {
  const corrections = of(file, 'correct')
  return (
    <>
      <div className="material-verdict" data-usable={file.usable} role="status">
        <b>{file.usable ? '可使用' : file.exited ? '已退场' : '不得使用'}</b>
        <span>{file.usable ? reasonToUse(file) : file.whyNot}</span>
      </div>
      <Card title="进场" remark={file.categoryName}>
        <Pairs
          items={[
            { label: '供应商', value: file.supplier },
            { label: '品牌/产地', value: file.brand },
            { label: '收料单位', value: file.corpName },
            { label: '车牌', value: file.plateNo },
            { label: '拟用部位', value: file.usePart },
            { label: '验收人', value: file.checkedBy },
            ...(file.photos.length ? [{ label: '到场照片', value: <Papers files={file.photos} name="到场" />, wide: true }] : []),
          ]}
        />
        <Tickets file={file} />
        {corrections.map((one) => (
          <Notice key={one.id} tone="warning">
            {one.at.slice(0, 16)} {one.operator} 更正：{one.note}
          </Notice>
        ))}
      </Card>
      <Card title="质量证明" remark={`${file.certFiles.length} 份`}>
        <Papers files={file.certFiles} name="质量证明" />
      </Card>
      {file.needRetest && <Samples file={file} />}
      {file.needRetest && <Report file={file} />}
      <Uses file={file} />
      <SpotChecks file={file} />
      <Exit file={file} />
      <SignaturesCard rows={file.signatures} call={signMaterial} id={file.id} />
    </>
  )
}

const reasonToUse = ({ needRetest, reportNo, stateName }: MaterialDetail) =>
  needRetest ? `复验合格，报告 ${reportNo ?? ''}` : `${stateName}，不需复验`

function Tickets({ file }: { file: MaterialDetail }) {
  if (file.tickets.length === 0) return <p className="zg-2 zg-above">没有关联磅单</p>
  return (
    <>
      {file.deviates && (
        <Notice tone="danger">
          过磅偏差 <Deviation row={file} />
          ，超出允许的 ±{file.tolerance}‰
        </Notice>
      )}
      <div className="zg-scrolls zg-above">
        <table className="material-plain">
          <thead>
            <tr>
              <th>磅单</th>
              <th>车牌</th>
              <th>时间</th>
              <th className="right">毛重</th>
              <th className="right">皮重</th>
              <th className="right">实重（t）</th>
              <th className="right">面单（t）</th>
            </tr>
          </thead>
          <tbody>
            {file.tickets.map((one) => (
              <tr key={one.weighId}>
                <td>
                  <Link to={hrefOf('/loadometer/detail', { id: one.weighId })}>{one.billNo}</Link>{' '}
                  {one.direction === 'out' && <Tag tone="danger">出场</Tag>}
                </td>
                <td>{one.plateNo}</td>
                <td className="zg-num">{one.weighedAt.slice(5, 16)}</td>
                <td className="right zg-num">{one.gross?.toFixed(2) ?? '--'}</td>
                <td className="right zg-num">{one.tare?.toFixed(2) ?? '--'}</td>
                <td className="right zg-num">{one.actual?.toFixed(3) ?? '--'}</td>
                <td className="right zg-num">{one.bill?.toFixed(3) ?? '--'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

function Samples({ file }: { file: MaterialDetail }) {
  const samples = of(file, 'sample')
  const sent = of(file, 'send').at(-1)
  return (
    <Card title="见证取样" remark={<SampleCount row={file} />}>
      {samples.length === 0 ? (
        <Empty small text="尚未取样" hint={`应取 ${file.samplesDue} 组，取样时由监理见证并签名`} />
      ) : (
        <ul className="zg-work-lines">
          {samples.map((one) => (
            <EventLine key={one.id} event={one} title={`样品 ${one.sampleNo ?? ''}`} />
          ))}
        </ul>
      )}
      {sent && (
        <p className="zg-above">
          送检：{sent.result} <span className="zg-2">{sent.at.slice(0, 16)}</span>
        </p>
      )}
    </Card>
  )
}

function Report({ file }: { file: MaterialDetail }) {
  const reports = of(file, 'report')
  return (
    <Card title="复验" remark={<RetestTag row={file} />}>
      {reports.length === 0 ? (
        <Empty small text={file.labOrg ? `${file.labOrg} 尚未出具报告` : '尚未送检'} />
      ) : (
        <ul className="zg-work-lines">
          {reports.map((one) => (
            <EventLine
              key={one.id}
              event={one}
              title={`报告 ${one.reportNo ?? ''}`}
              tag={<Tag tone={one.result === '合格' ? 'fine' : 'danger'}>{one.result}</Tag>}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Uses({ file }: { file: MaterialDetail }) {
  const uses = of(file, 'use')
  return (
    <>
      <Card
        title="使用部位"
        remark={uses.length > 0 ? `已领用 ${thousands(file.usedQuantity)} / ${thousands(file.quantity)} ${file.unitName}` : undefined}
      >
        {uses.length === 0 ? (
          <Empty small text="没有领用记录" />
        ) : (
          <ul className="zg-work-lines">
            {uses.map((one) => (
              <EventLine
                key={one.id}
                event={one}
                title={`${thousands(one.quantity)} ${file.unitName}`}
                more={[one.placeName ?? one.part, one.team].filter(Boolean).join(' · ')}
              />
            ))}
          </ul>
        )}
      </Card>
      <LinePlans
        plans={file.plans}
        lines={uses.map((one, i) => ({
          id: one.id,
          seq: i + 1,
          description: one.part ?? '',
          placeName: one.placeName,
          pin: one.pin,
          closed: true,
        }))}
      />
    </>
  )
}

function SpotChecks({ file }: { file: MaterialDetail }) {
  if (file.spotChecks.length === 0) return null
  return (
    <Card title="质量抽查" remark={`${file.spotChecks.length} 次`}>
      <ul className="zg-work-lines">
        {file.spotChecks.map((one) => (
          <li key={one.id}>
            <Link to={hrefOf('/qualitySpotCheckDetails', { id: one.id })}>
              {one.checkDate} {one.label}
            </Link>{' '}
            <Tag tone={one.failed ? 'danger' : 'neutral'}>{one.stateName}</Tag>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Exit({ file }: { file: MaterialDetail }) {
  const exits = of(file, 'withdraw')
  if (exits.length === 0) return null
  return (
    <Card title="退场">
      <ul className="zg-work-lines">
        {exits.map((one) => (
          <EventLine key={one.id} event={one} title={one.note ?? '退场'} />
        ))}
      </ul>
    </Card>
  )
}

function EventLine({ event, title, tag, more }: { event: Event; title: string; tag?: React.ReactNode; more?: string }) {
  return (
    <li>
      <b>{title}</b> {tag} {more}{' '}
      <span className="zg-2">
        {event.at.slice(0, 16)} {event.operator}
      </span>
      {event.note && event.note !== title && <p>{event.note}</p>}
      {event.files.length > 0 && <Papers files={event.files} name={event.actionName} />}
      {event.fileNotes.map(
        (note, i) =>
          note && (
            <p key={event.files[i]} className="tone-warning">
              第 {i + 1} 张：{note}
            </p>
          ),
      )}
    </li>
  )
}
