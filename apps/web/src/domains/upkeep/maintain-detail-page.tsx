import { PrinterOutlined } from '@ant-design/icons'
import { getMaintenance, type MaintenanceDetail } from '@zhugong/contract/upkeep/maintenance'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import { WorkItem } from '#kit/work-item.tsx'
import { DrawnSeat } from './drawn-seat.tsx'
import { MaintainForm } from './maintain-form.tsx'
import { PartList, PeopleList } from './repairs-card.tsx'
import { anyProject, paths, ResultTag } from './upkeep-words.tsx'
import './upkeep.css'

/** One job: who, what, which parts, accepted by whom? */
export default function MaintainDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择设备维保" hint="从设备维保打开一条">
          <Button onClick={() => go(paths.maintain)}>去设备维保</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Job key={id} id={id} />
    </div>
  )
}

function Job({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getMaintenance, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const print = usePrint('deviceMaintenanceSheet')
  const [correcting, setCorrecting] = useState(false)
  const file = read.data
  return (
    <WorkItem
      title={file?.code}
      tags={
        file && (
          <>
            <ResultTag row={file} /> {file.correctedBy && <Tag tone="neutral">已更正</Tag>}
            {file.corrects && <Tag tone="running">更正</Tag>}
          </>
        )
      }
      facts={
        file
          ? [
              { label: '设备', value: file.machineName },
              { label: '维保类型', value: file.typeName },
              { label: '维保日期', value: file.maintainDate },
              { label: '验收人', value: file.acceptor },
              { label: '下次维保', value: file.nextDate ?? '--', tone: file.overdueDays ? 'danger' : undefined },
            ]
          : []
      }
      actions={
        file && (
          <>
            <Button
              icon={<PrinterOutlined />}
              loading={print.running}
              onClick={() => void print.run({ body: { feature: 'deviceMaintenanceSheet', exportType: 'pdf', query: { id } } })}
            >
              打印维保记录
            </Button>
            {file.mayCorrect && <Button onClick={() => setCorrecting(true)}>补充说明与更正</Button>}
          </>
        )
      }
      waiting={!file}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={file && <Line file={file} />}
    >
      {file && (
        <>
          {file.doubts.length > 0 && (
            <Notice tone="warning">
              {file.doubts.join('；')}
              {file.cyclesDuring > 0 && `：${file.startTime}–${file.endTime ?? ''} 之间监测到 ${file.cyclesDuring} 次作业循环`}。
            </Notice>
          )}
          {file.correctedBy && (
            <Notice tone="info">
              本记录已由另一条记录更正。<Link to={hrefOf(paths.maintainDetail, { id: file.correctedBy })}>查看更正</Link>
            </Notice>
          )}
          {file.corrects && (
            <Notice tone="info">
              本记录更正了另一条记录。<Link to={hrefOf(paths.maintainDetail, { id: file.corrects })}>查看原记录</Link>
            </Notice>
          )}
          <Card title="维保内容">
            <p>{file.content}</p>
            <PartList parts={file.parts} />
          </Card>
          <Card title="维保人员" remark={file.maintainCorp}>
            <PeopleList people={file.maintainers} />
          </Card>
          <Card title="照片">
            <div className="zg-row zg-wrap zg-gap-6">
              {file.photos.map((src, i) => (
                <figure key={src} className="upkeep-photo">
                  <Thumb src={src} name="维保照片" width={160} height={120} />
                  {file.photoNotes[i] && <figcaption className="tone-danger">{file.photoNotes[i]}</figcaption>}
                </figure>
              ))}
            </div>
          </Card>
          <Facts file={file} />
          <DrawnSeat rows={file.signatures} />
          {correcting && <MaintainForm corrects={file} onClose={() => setCorrecting(false)} />}
        </>
      )}
    </WorkItem>
  )
}

function Facts({ file }: { file: MaintenanceDetail }) {
  return (
    <Card title="设备与登记">
      <Pairs
        items={[
          { label: '项目', value: file.projectName, wide: true },
          { label: '设备', value: `${file.deviceTypeName} ${file.model}` },
          { label: '产权备案编号', value: file.recordNo },
          { label: '安装位置', value: file.position },
          { label: '设备状态', value: file.machineStateName },
          { label: '作业时段', value: file.startTime && `${file.startTime}–${file.endTime ?? ''}` },
          { label: '距上次维保运行', value: file.hoursSinceLast === null ? null : `${file.hoursSinceLast} 小时` },
          { label: '登记', value: `${file.createdBy} ${file.createdAt.slice(0, 16)}` },
          {
            label: '来源检查',
            value: file.inspection && <Link to={hrefOf(paths.inspectDetail, { id: file.inspection.id })}>{file.inspection.code}</Link>,
          },
        ]}
      />
    </Card>
  )
}

/** The machine's line of jobs. */
function Line({ file }: { file: MaintenanceDetail }) {
  return (
    <Card title="本机维保" remark={`最近 ${file.line.length} 次`}>
      <ul className="zg-work-lines">
        {file.line.map((one) => (
          <li key={one.id} aria-current={one.id === file.id ? 'true' : undefined}>
            <Link to={hrefOf(paths.maintainDetail, { id: one.id })}>{one.maintainDate}</Link> {one.typeName}
            {one.parts > 0 && <Tag tone="running">更换 {one.parts} 种部件</Tag>}
            <br />
            <span className="zg-2">{one.content}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
