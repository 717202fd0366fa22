import { asyncStates } from '@zhugong/contract/docking/codes'
import { pushRecords, recordList } from '@zhugong/contract/docking/queue'
import { objectOf } from '@zhugong/contract/docking/standard'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { asyncOptions, isFailed, isLocked, mendHref, objectOptions, opName, opOptions, statusOptions } from './docking-words.ts'
import { PushDialog } from './push-dialog.tsx'
import { RecordDrawer } from './record-drawer.tsx'
import type { TabProps } from './tab-props.ts'
import { UploadTag } from './upload-tag.tsx'

const waits = [{ value: '1', label: '等待前序' }]
const mostProjects = 500

/** Rows waiting for upload or uploaded: failed first, then the newest. */
export function QueueTab({ tabs }: TabProps) {
  const list = useListPage(recordList, { defaultSort: '-failed', own: ['tab', 'record'], inUrl: true })
  const requested = usePageQuery().get('record') ?? undefined
  const projects = useCall(pickProjects, { query: { size: mostProjects } }, { quiet: true })
  const [open, setOpen] = useState(requested)
  const [pushing, setPushing] = useState(false)
  const push = useAct(pushRecords, { success: '已重新排队' })
  const columns: ColumnOf<typeof recordList>[] = [
    {
      key: 'objectType',
      width: 116,
      locked: true,
      filter: 'multi',
      options: objectOptions,
      value: (r) => <span title={objectOf(r.objectType).upper}>{objectOf(r.objectType).name}</span>,
    },
    {
      key: 'bizName',
      width: 170,
      locked: true,
      filter: 'text',
      value: (r) => (
        <button type="button" className="zg-bare zg-link" onClick={() => setOpen(r.id)}>
          {r.bizName}
        </button>
      ),
    },
    {
      key: 'projectName',
      width: 160,
      filter: 'tree-cascader',
      filterKey: 'projectCode',
      tree: (projects.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name })),
      value: (r) => r.projectName,
    },
    { key: 'op', width: 76, filter: 'single', options: opOptions, weak: true, value: (r) => opName(r.op) },
    {
      key: 'uploadStatus',
      keeps: true,
      width: 136,
      locked: true,
      filter: 'multi',
      options: statusOptions,
      value: (r) => <UploadTag status={r.uploadStatus} />,
    },
    {
      key: 'asyncStatus',
      width: 100,
      hidden: true,
      filter: 'single',
      options: asyncOptions,
      value: (r) => r.asyncStatus && asyncStates[r.asyncStatus],
    },
    { key: 'attempts', width: 72, align: 'right', sort: true, filter: 'numeric-range', keeps: true, value: (r) => r.attempts },
    { key: 'errorText', width: 230, filter: 'text', value: (r) => r.errorText },
    {
      key: 'waitFor',
      width: 140,
      filter: 'checkbox-empty',
      options: waits,
      value: (r) => r.waitFor && `等待：${r.waitFor}`,
    },
    { key: 'queuedTime', width: 150, locked: true, sort: true, filter: 'datetime-range', value: (r) => r.queuedTime },
    { key: 'receiptTime', width: 150, filter: 'datetime-range', hidden: true, value: (r) => r.receiptTime },
    { key: 'receiptNo', keeps: true, width: 160, filter: 'text', value: (r) => r.receiptNo },
  ]
  return (
    <ListShell
      titleActions={tabs}
      actions={
        <Can call={pushRecords}>
          <Button onClick={() => setPushing(true)}>批量重推</Button>
        </Can>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        rowKey="id"
        unit="条"
        name="docking-queue"
        search={{ key: 'bizName', placeholder: '数据名称' }}
        filterWords={{
          platformId: { title: '对接平台', words: {} },
          errorCode: { title: '返回码', words: {} },
          errorField: { title: '字段', words: {} },
        }}
        emptyHint="项目加入对接平台后，人员、班组、考勤等变动自动排队上传"
        place={(r) => ({ projectCode: r.projectCode })}
        actions={(r) => [
          isFailed(r.uploadStatus) && {
            label: '重推',
            needs: pushRecords,
            onClick: () => void push.run({ body: { id: r.id } }),
          },
          isLocked(r.uploadStatus) && {
            label: '重推',
            needs: pushRecords,
            disabled: '上级已锁定该数据，重推不会被接收；需要更正请联系上级平台解锁',
          },
          isFailed(r.uploadStatus) &&
            mendHref(r.objectType, r.sourceId) !== undefined && { label: '去补录', href: mendHref(r.objectType, r.sourceId) ?? '' },
          { label: '详情', onClick: () => setOpen(r.id) },
        ]}
      />
      {open && <RecordDrawer id={open} onClose={() => setOpen(undefined)} />}
      {pushing && <PushDialog projects={projects.data?.list ?? []} onClose={() => setPushing(false)} />}
    </ListShell>
  )
}
