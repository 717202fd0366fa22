import { PrinterOutlined } from '@ant-design/icons'
import { type DustDetail, getDustCheck, removeDustCheck } from '@zhugong/contract/dustchecks/calls'
import { getRectify } from '@zhugong/contract/rectify/calls'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Course } from '#kit/course.tsx'
import { Card, Empty, Notice, Pairs } from '#kit/feedback.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { usePrint } from '#kit/use-print.ts'
import { Thumb } from '#kit/viewers.tsx'
import { Handling, WorkItem } from '#kit/work-item.tsx'
import { NoticeHandling, NoticeProblems } from '../rectify/public.tsx'
import { DustCurve } from './dust-curve.tsx'
import { anyProject, EvidencePairs, ItemTag, paths, StateTag } from './dust-words.tsx'
import './dust.css'

/** What failed, was it covered, did the air get better? */
export default function DustDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  if (!id)
    return (
      <PageShell>
        <Empty text="未选择扬尘检查" hint="从扬尘检查打开一次">
          <Button onClick={() => go(paths.list)}>去扬尘检查</Button>
        </Empty>
      </PageShell>
    )
  return (
    <div className="zg-page zg-scrolls">
      <Check key={id} id={id} />
    </div>
  )
}

const draftState = '0'

function Check({ id }: { id: string }) {
  const page = usePage()
  const read = useCall(getDustCheck, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const print = usePrint('dustSheet')
  const [chosen, setChosen] = useState<string>()
  const file = read.data
  const notice = chosen ?? file?.notices[0]?.id
  // The first notice belongs to what the page shows: without it everything below would move when it arrives.
  const first = useCall(getRectify, { params: { id: notice ?? '' } }, { quiet: true, staleMs: 0, enabled: notice !== undefined })
  return (
    <WorkItem
      title={file && (file.code ?? '扬尘检查草稿')}
      tags={file && <StateTag row={file} />}
      facts={
        file
          ? [
              { label: '项目', value: file.projectName },
              { label: '检查时间', value: file.checkTime.slice(0, 16) },
              {
                label: '达标率',
                value: file.passRate === null ? '--' : `${file.passRate}%`,
                tone: file.failItems.length ? 'danger' : undefined,
              },
              { label: '现场 PM10', value: file.pm10 === null ? '无数据' : `${file.pm10} μg/m³` },
              { label: '结论', value: file.resultName ?? '--' },
            ]
          : []
      }
      actions={
        file?.code && (
          <Button
            icon={<PrinterOutlined />}
            loading={print.running}
            onClick={() => void print.run({ body: { feature: 'dustSheet', exportType: 'pdf', query: { id } } })}
          >
            打印记录表
          </Button>
        )
      }
      waiting={!file || (notice !== undefined && chosen === undefined && first.isPending)}
      error={read.error}
      retry={read.refetch}
      onClose={page.close}
      side={
        file && (
          <>
            {file.state === draftState ? <DraftHandling file={file} /> : notice && <NoticeHandling id={notice} />}
            {file.evidence && (
              <Card title="平台证据" remark="提交时">
                <EvidencePairs evidence={file.evidence} />
              </Card>
            )}
            <Course lines={file.timeline} />
          </>
        )
      }
    >
      {file && (
        <>
          {file.contradicted && <Notice tone="warning">检查结果全部符合，但前后一小时内监测设备有扬尘告警，请核实。</Notice>}
          {file.notices.length > 1 && (
            <div className="zg-row zg-wrap zg-gap-6">
              {file.notices.map((one) => (
                <Button key={one.id} type={one.id === notice ? 'primary' : 'default'} onClick={() => setChosen(one.id)}>
                  {one.corpName} {one.stateName}
                </Button>
              ))}
            </div>
          )}
          {file.state !== draftState && notice && <NoticeProblems key={notice} id={notice} />}
          <DustCurve curve={file.curve} sprays={file.sprays} at={Date.parse(`${file.checkTime.replace(' ', 'T')}+08:00`)} />
          <Items file={file} />
          <Card title="检查">
            <Pairs
              items={[
                { label: '检查单位', value: file.checkerGroupName },
                { label: '检查人', value: file.checkers.join('、') },
                { label: '天气', value: file.weatherName },
                { label: '响应等级', value: file.responseLevelName },
                ...(file.remark ? [{ label: '检查情况', value: file.remark, wide: true }] : []),
              ]}
            />
          </Card>
        </>
      )}
    </WorkItem>
  )
}

/** A draft is continued on the field page, or thrown away. */
function DraftHandling({ file }: { file: DustDetail }) {
  const page = usePage()
  const go = useGo()
  const removal = useAct(removeDustCheck, { success: '草稿已删除', onDone: () => page.leave(paths.list) })
  const may = file.actions.some((one) => one.action === 'submit')
  const actions = may
    ? [
        { label: '继续填写', main: true, run: () => go(paths.edit, { id: file.id }) },
        {
          label: '删除草稿',
          danger: true,
          run: () =>
            removal.afterRequesting(
              { thing: '删除扬尘检查草稿', consequence: '草稿和其中的照片不再保留。', verb: '删除草稿' },
              { params: { id: file.id }, query: anyProject },
            ),
        },
      ]
    : []
  return <Handling actions={actions} busy={removal.running} none="草稿由检查人提交" />
}

function Items({ file }: { file: DustDetail }) {
  return (
    <Card title="检查项" remark={`${file.items.length} 项`}>
      <ul className="dust-items">
        {file.items.map((one) => (
          <li key={one.code}>
            <p>
              {one.name} <ItemTag result={one.result} />
              {one.note && <span className="zg-2">（{one.note}）</span>}
            </p>
            <div className="zg-row zg-wrap zg-gap-6">
              {one.photos.map((src) => (
                <Thumb key={src} src={src} name={one.name} width={96} height={72} />
              ))}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
