import { type BinRow, binList, emptyBin, listBin, purgeDocument } from '@zhugong/contract/documents/bin'
import { changeDocument } from '@zhugong/contract/documents/calls'
import { keptDays } from '@zhugong/contract/documents/moves'
import { Button } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { call, refresh, showFailure, useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { fileSize, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectScope } from '#kit/me.ts'
import { PageModal } from '#kit/overlay.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { FolderChoice, rootKey } from './document-dialogs.tsx'
import { DocumentName, paths } from './document-words.tsx'

const everywhere = { projectCode: '*' }
/** Shown in red below this. */
const nearDays = 3

/** Get back what was lost, and know what disappears when. */
export default function BinPage() {
  const scope = useProjectScope()
  const list = useListPage(binList, { scope, defaultSort: '-deletedTime' })
  const { data } = useCall(listBin, { query: { ...scope, size: 1 } }, { quiet: true })
  const [elsewhere, setElsewhere] = useState<BinRow>()
  const change = useAct(changeDocument, { success: '已还原' })
  const purge = useAct(purgeDocument, { success: '已彻底删除' })
  const empty = useAct(emptyBin, { success: ({ purged }) => `已清空 ${purged} 条` })
  const counts = data?.counts
  const restore = (row: BinRow) =>
    change.run({ params: { id: row.id }, query: everywhere, body: { action: 'restore', version: row.version, elsewhere: false } })
  const purgeOne = (row: BinRow) =>
    purge.afterRequesting(
      {
        thing: `彻底删除 ${row.name}`,
        consequence: row.isDir ? `连同其中的 ${row.count - 1} 项一起删除，无法恢复。` : '所有版本一起删除，无法恢复。',
        verb: '彻底删除',
        typeName: row.name,
        typeLabel: '请输入名称',
      },
      { params: { id: row.id }, query: { ...everywhere, name: row.name } },
    )
  const restoreAll = async (rows: readonly BinRow[], clear: () => void) => {
    for (const { id, version } of rows)
      await call(changeDocument, { params: { id }, query: everywhere, body: { action: 'restore', version, elsewhere: false } }).catch(
        showFailure,
      )
    refresh(listBin)
    clear()
  }
  const purgeAll = async (rows: readonly BinRow[], clear: () => void) => {
    const sure = await confirmDanger({ thing: `彻底删除 ${rows.length} 条`, consequence: '无法恢复。', verb: '彻底删除' })
    if (!sure) return
    for (const { id, name } of rows) await call(purgeDocument, { params: { id }, query: { ...everywhere, name } }).catch(showFailure)
    refresh(listBin)
    clear()
  }
  return (
    <ListShell
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '条目数', value: thousands(counts?.entries), unit: '条', href: paths.bin },
            { label: '占用空间', value: fileSize(counts?.bytes) },
            {
              label: '3 日内清除',
              value: thousands(counts?.soon),
              unit: '条',
              tone: counts?.soon ? 'warning' : undefined,
              href: `${paths.bin}?soon=true`,
            },
          ]}
        />
      }
      actions={
        <Can call={emptyBin}>
          <Button
            danger
            disabled={!counts?.entries}
            loading={empty.running}
            onClick={() =>
              void empty.afterRequesting(
                { thing: `清空回收站 ${counts?.entries} 条`, consequence: '全部彻底删除，无法恢复。', verb: '清空' },
                { query: { ...scope, count: counts?.entries ?? 0 } },
              )
            }
          >
            清空
          </Button>
        </Can>
      }
    >
      <DataTable
        list={list}
        columns={useColumns()}
        unit="条"
        search={{ key: 'name', placeholder: '名称' }}
        emptyHint={`删除的资料在这里保留 ${keptDays} 天`}
        filterWords={{ soon: { title: '剩余天数', words: { true: '3 日内清除' } } }}
        selection={{
          unit: '条',
          actions: (rows, clear) => (
            <>
              {rows.every((one) => one.actions.includes('restore')) && <Button onClick={() => void restoreAll(rows, clear)}>还原</Button>}
              {rows.every((one) => one.actions.includes('purge')) && (
                <Button danger onClick={() => void purgeAll(rows, clear)}>
                  彻底删除
                </Button>
              )}
            </>
          ),
        }}
        actions={(row) => [
          row.actions.includes('restore') && { label: '还原', onClick: () => void restore(row) },
          row.actions.includes('restore') && { label: '还原到…', onClick: () => setElsewhere(row) },
          row.actions.includes('purge') && { label: '彻底删除', danger: true, onClick: () => void purgeOne(row) },
        ]}
      />
      {elsewhere && <RestoreDialog row={elsewhere} onClose={() => setElsewhere(undefined)} />}
    </ListShell>
  )
}

function RestoreDialog({ row, onClose }: { row: BinRow; onClose: () => void }) {
  const [to, setTo] = useState(rootKey)
  const act = useAct(changeDocument, { success: '已还原', onDone: onClose })
  const save = () =>
    act.run({
      params: { id: row.id },
      query: everywhere,
      body: { action: 'restore', version: row.version, elsewhere: true, to: to === rootKey ? null : to },
    })
  return (
    <PageModal
      open
      title={`还原 ${row.name}`}
      okText="还原"
      cancelText="取消"
      confirmLoading={act.running}
      onOk={() => void save()}
      onCancel={onClose}
    >
      <FolderChoice row={row} value={to} onChange={setTo} />
    </PageModal>
  )
}

function useColumns(): ColumnOf<typeof binList>[] {
  const dicts = useDicts('documentCategory')
  return [
    { key: 'name', width: 260, locked: true, sort: true, filter: 'text', value: (r) => <DocumentName row={r} /> },
    { key: 'path', width: 220, value: (r) => r.path.split('/').filter(Boolean).join(' / ') || '根目录' },
    { key: 'category', width: 120, weak: true, filter: 'multi', options: dicts.options('documentCategory'), value: (r) => r.categoryName },
    { key: 'count', width: 80, align: 'right', value: (r) => (r.isDir ? `${thousands(r.count - 1)} 项` : '--') },
    { key: 'size', width: 100, align: 'right', sort: true, value: (r) => fileSize(r.size) },
    { key: 'deletedBy', width: 100, filter: 'text', value: (r) => r.deletedBy },
    { key: 'deletedTime', width: 150, sort: true, filter: 'date-range', value: (r) => r.deletedTime.slice(0, 16) },
    {
      key: 'daysLeft',
      width: 100,
      align: 'right',
      keeps: true,
      sort: true,
      filter: 'numeric-range',
      value: (r) => <span className={r.daysLeft < nearDays ? 'tone-danger' : undefined}>{r.daysLeft} 天</span>,
    },
  ]
}
