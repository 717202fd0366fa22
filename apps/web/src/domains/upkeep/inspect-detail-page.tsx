import { PrinterOutlined, ToolOutlined } from '@ant-design/icons'
import { suspendedMachine } from '@zhugong/contract/machines/moves'
import { getMachineCheck, type InspectionDetail, signMachineCheck } from '@zhugong/contract/upkeep/inspections'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { SignaturesCard } from '#kit/signatures.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import { WorkItem } from '#kit/work-item.tsx'
import { RepairsCard } from './repairs-card.tsx'
import { TelemetryCard } from './telemetry-card.tsx'
import { anyProject, ItemTag, itemWord, paths, ResultTag, StateTag } from './upkeep-words.tsx'
import './upkeep.css'

/** What was checked, what failed, may it run? */
export default function InspectDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择设备检查" hint="从设备检查打开一次">
          <Button onClick={() => go(paths.inspect)}>去设备检查</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Inspection key={id} id={id} />
    </div>
  )
}

function Inspection({ id }: { id: string }) {
  const page = usePage()
  const go = useGo()
  const read = useCall(getMachineCheck, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const print = usePrint('deviceInspectSheet')
  const file = read.data
  return (
    <WorkItem
      title={file?.code}
      tags={
        file && (
          <>
            <ResultTag row={file} /> <StateTag row={file} />
          </>
        )
      }
      facts={
        file
          ? [
              { label: '设备', value: file.machineName },
              { label: '检查类型', value: file.typeName },
              { label: '检查时间', value: file.checkDate.slice(0, 16) },
              { label: '设备状态', value: file.machineStateName, tone: file.machineState === suspendedMachine ? 'danger' : undefined },
              { label: '下次检查', value: file.nextDate ?? '--' },
            ]
          : []
      }
      actions={
        file && (
          <>
            <Button
              icon={<PrinterOutlined />}
              loading={print.running}
              onClick={() => void print.run({ body: { feature: 'deviceInspectSheet', exportType: 'pdf', query: { id } } })}
            >
              打印检查表
            </Button>
            <Button icon={<ToolOutlined />} onClick={() => go(paths.inspect, { machine: file.machineId, type: file.type })}>
              再检查一次
            </Button>
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
            <Notices file={file} />
            <TelemetryCard telemetry={file.telemetry} />
          </>
        )
      }
    >
      {file && (
        <>
          <MachineState file={file} />
          <Items file={file} />
          <RepairsCard rows={file.repairs} />
          <Facts file={file} />
          <SignaturesCard rows={file.signatures} call={signMachineCheck} id={file.id} />
        </>
      )}
    </WorkItem>
  )
}

/** Whether the machine stands because of the check, and whether it obeyed. */
function MachineState({ file }: { file: InspectionDetail }) {
  const { suspendedAt, releasedAt, stoppedDays, telemetry, scrapped } = file
  return (
    <>
      {scrapped && <Notice tone="danger">检查结论为报废：设备不得再使用，也不能转到其他工地。</Notice>}
      {suspendedAt && !scrapped && (
        <Notice tone={releasedAt ? 'info' : 'danger'}>
          {releasedAt
            ? `设备自 ${suspendedAt.slice(0, 16)} 停用，${releasedAt.slice(0, 16)} 复查合格解除，停用 ${stoppedDays ?? 0} 天。`
            : `设备自 ${suspendedAt.slice(0, 16)} 停用，已 ${stoppedDays ?? 0} 天：复查合格前不得作业。`}
        </Notice>
      )}
      {telemetry && telemetry.whileStopped > 0 && (
        <Notice tone="danger">
          停用期间监测到 {telemetry.whileStopped} 次作业循环，最近一次 {telemetry.lastWhileStopped}。
        </Notice>
      )}
    </>
  )
}

function Items({ file }: { file: InspectionDetail }) {
  const groups = [...Map.groupBy(file.items, (one) => one.group)]
  return (
    <Card
      title="检查项"
      remark={
        file.previous ? `与 ${file.previous.checkDate.slice(0, 10)} 的同类检查（${file.previous.resultName}）逐项对比` : '首次同类检查'
      }
    >
      <table className="upkeep-items">
        <thead>
          <tr>
            <th>分组</th>
            <th>检查内容</th>
            <th>本次</th>
            <th>上次</th>
          </tr>
        </thead>
        <tbody>
          {groups.flatMap(([group, items]) =>
            items.map((item, i) => (
              <tr key={item.code}>
                {i === 0 && (
                  <th scope="rowgroup" rowSpan={items.length}>
                    {group}
                  </th>
                )}
                <td>
                  {item.name}
                  {item.note && <span className="zg-2">（{item.note}）</span>}
                  {item.photos.map((src) => (
                    <Thumb key={src} src={src} name={item.name} width={48} height={36} />
                  ))}
                </td>
                <td>
                  <ItemTag result={item.result} />
                </td>
                <td className={item.before !== null && item.before !== item.result ? 'tone-warning' : 'zg-2'}>{itemWord(item.before)}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </Card>
  )
}

/** The notices that the problems became; each is answered and judged on its own page. */
function Notices({ file }: { file: InspectionDetail }) {
  if (file.notices.length === 0) return <Notice tone="fine">逐项合格，作为已检查的记录保存。</Notice>
  return (
    <Card title="整改" remark={`${file.problemCount} 个问题`}>
      <ul className="zg-work-lines">
        {file.notices.map((one) => (
          <li key={one.id}>
            <Link to={hrefOf(paths.defect, { id: one.id })}>{one.code}</Link> <StateTag row={one} />
            <br />
            <span className="zg-2">
              {one.corpName}，期限 {one.deadline}
            </span>
          </li>
        ))}
      </ul>
      {file.problems.map((one) => (
        <p key={one.id}>
          {one.seq}. {one.description} {one.mended && <Tag tone="fine">当场改正</Tag>}
          <br />
          {[...one.photos, ...one.mendedPhotos].map((src) => (
            <Thumb key={src} src={src} name={one.description} width={84} height={63} />
          ))}
        </p>
      ))}
    </Card>
  )
}

function Facts({ file }: { file: InspectionDetail }) {
  return (
    <Card title="检查">
      <Pairs
        items={[
          { label: '项目', value: file.projectName, wide: true },
          { label: '设备类型', value: `${file.deviceTypeName} ${file.model}` },
          { label: '产权备案编号', value: file.recordNo },
          { label: '安装位置', value: file.position },
          { label: '检查单位', value: file.checkOrg },
          { label: '检查人', value: file.checkers.join('、') },
          ...(file.remark ? [{ label: '检查情况', value: file.remark, wide: true }] : []),
          ...(file.reports.length
            ? [
                {
                  label: '报告',
                  wide: true,
                  value: file.reports.map((src, i) => (
                    <a key={src} href={src} target="_blank" rel="noreferrer">
                      报告 {i + 1}{' '}
                    </a>
                  )),
                },
              ]
            : []),
        ]}
      />
      <div className="zg-row zg-wrap zg-gap-6">
        {file.photos.map((src, i) => (
          <figure key={src} className="upkeep-photo">
            <Thumb src={src} name="检查照片" width={120} height={90} />
            {file.photoNotes[i] && <figcaption className="tone-danger">{file.photoNotes[i]}</figcaption>}
          </figure>
        ))}
      </div>
    </Card>
  )
}
