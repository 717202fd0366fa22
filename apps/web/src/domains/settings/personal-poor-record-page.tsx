import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { auditStates } from '@zhugong/contract/personnel/codes'
import { listMyBadRecords } from '@zhugong/contract/settings/my-person'
import { listMyRequests } from '@zhugong/contract/settings/my-requests'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { Button } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Card, DetailSkeleton, Empty, ErrorPanel, Pairs, Tag } from '#kit/feedback.tsx'
import { Thumb } from '#kit/viewers.tsx'
import { AppealDrawer, DisputeDrawer } from './ask-drawers.tsx'
import { NoPerson } from './link-person.tsx'
import { useOwnFile } from './use-own-file.ts'
import './settings.css'

type Record_ = OutputFor<typeof listMyBadRecords>['list'][number]

/** The user's bad records and how long they count. */
export default function PersonalPoorRecordPage() {
  const file = useOwnFile()
  const read = useCall(listMyBadRecords, {}, { quiet: true, enabled: Boolean(file.person), staleMs: 15_000 })
  const open = useCall(
    listMyRequests,
    { query: { state: approvalStates.running, size: 100 } },
    { quiet: true, enabled: Boolean(file.person), staleMs: 15_000 },
  )
  const error = file.error ?? read.error
  if (error) return <ErrorPanel error={error} retry={read.refetch} />
  if (!file.known) return <DetailSkeleton />
  if (!file.person) return <NoPerson shows="这里列出登记在本人名下的不良记录、影响期和依据" />
  if (!read.data) return <DetailSkeleton />
  const { list } = read.data
  const runningFor = (id: string) => open.data?.list.find((one) => one.badId === id)
  const now = list.filter((one) => one.counts || one.auditStatus === auditStates.waiting)
  const past = list.filter((one) => !now.includes(one))
  if (list.length === 0) return <Empty text="无不良记录" />
  return (
    <>
      {now.length === 0 ? (
        <Empty small text="目前没有有影响的记录" />
      ) : (
        now.map((one) => <Entry key={one.id} entry={one} running={runningFor(one.id)} />)
      )}
      {past.length > 0 && (
        <>
          <h2 className="zg-2">历史</h2>
          {past.map((one) => (
            <Entry key={one.id} entry={one} running={runningFor(one.id)} />
          ))}
        </>
      )}
    </>
  )
}

type Running = OutputFor<typeof listMyRequests>['list'][number] | undefined

function Entry({ entry, running }: { entry: Record_; running: Running }) {
  const [isOpen, setIsOpen] = useState(false)
  const waiting = entry.auditStatus === auditStates.waiting
  return (
    <Card
      title={entry.badRecordTypeName ?? '不良记录'}
      remark={`${entry.occurrenceDate}，${entry.projectName ?? entry.projectCode}`}
      actions={
        <>
          {running && (
            <Tag tone="running">
              {running.kindName}：待{running.node ?? '办理'}
            </Tag>
          )}
          <Tag tone={waiting ? 'running' : entry.counts ? 'warning' : 'neutral'}>
            {waiting
              ? '待认定'
              : entry.revokedDay
                ? `申诉成立，${entry.revokedDay} 撤销`
                : entry.counts
                  ? `影响至 ${entry.validUntil}`
                  : '已过影响期'}
          </Tag>
          {!running && (waiting || entry.counts) && <Button onClick={() => setIsOpen(true)}>{waiting ? '有异议' : '申诉'}</Button>}
        </>
      }
    >
      <Pairs
        items={[
          { label: '严重程度', value: entry.badRecordLevelName },
          { label: '认定级别', value: entry.actionDegreeName },
          { label: '扣分', value: entry.score },
          { label: '单位', value: entry.corpName },
          { label: '认定单位', value: entry.auditedName },
          { label: '详细情况', value: entry.reason, wide: true },
          { label: '处理结果', value: entry.processResult, wide: true },
        ]}
      />
      <div className="set-pictures">
        {entry.files.map((one) => (
          <Thumb key={one} src={one} name="证据" width={72} height={54} />
        ))}
      </div>
      {isOpen && waiting && (
        <DisputeDrawer
          of={{
            subject: 'bad',
            badId: entry.id,
            says: `${entry.badRecordTypeName ?? '不良记录'} ${entry.occurrenceDate}：${entry.reason}`,
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
      {isOpen && !waiting && (
        <AppealDrawer
          bad={{ id: entry.id, name: `${entry.badRecordTypeName ?? '不良记录'} ${entry.occurrenceDate}`, until: entry.validUntil }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Card>
  )
}
