import { CheckCircleFilled, CloseCircleFilled, LoadingOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { type ExportTask, type ExportType, exportStatus, listExports, mostPdfRows, submitExport } from '@zhugong/contract/exports/endpoints'
import { Button, Checkbox, Drawer, Input, Progress } from 'antd'
import { useState } from 'react'
import { call, keyOf, queryText, saveAddress, showFailure, useAct } from './call.ts'
import { useCan } from './can.tsx'
import { colors } from './colors.ts'
import { isRunning, useExportCentre, useExports } from './export-state.ts'
import { Empty, ErrorPanel, TableSkeleton } from './feedback.tsx'
import { fileSize, minuteOfDay, thousands } from './format.ts'
import { notify } from './notify.ts'
import { PageModal } from './overlay.tsx'

export interface ExportDialogProps {
  feature: string
  title: string
  query: Readonly<Record<string, unknown>>
  columns: readonly string[]
  total: number
  sensitive?: boolean
  onClose: () => void
}

/** Says what will be exported; the work goes on in the background and can be left alone. */
export function ExportDialog({ feature, title, query, columns, total, sensitive, onClose }: ExportDialogProps) {
  const client = useQueryClient()
  const [clear, setClear] = useState(false)
  const [purpose, setPurpose] = useState('')
  const maySee = useCan('export.sensitive')
  const { tasks } = useExports(true)
  const act = useAct(submitExport, {
    success: false,
    refreshes: [listExports],
    onDone: ({ id }, { body: { exportType = 'xlsx' } }) => {
      const { sent } = useExportCentre.getState()
      const one = { feature, exportType, query: filters, columns: [...columns] }
      useExportCentre.setState({ submittedAt: Date.now(), sent: { ...sent, [id]: one } })
    },
  })
  const { page: _page, size: _size, ...filters } = query
  const own = tasks.filter((task) => task.feature === feature).slice(0, 3)
  const start = (exportType: ExportType) =>
    void act
      .run({
        body: {
          feature,
          exportType,
          query: filters,
          columns: [...columns],
          ...(clear ? { sensitive: true, purpose: purpose.trim() } : {}),
        },
      })
      .then(() => client.invalidateQueries({ queryKey: keyOf(listExports) }))
  const cannot = (clear && purpose.trim().length < 2) || own.some(isRunning)
  return (
    <PageModal
      open
      width={400}
      title={`导出${title}`}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{own.some(isRunning) ? '后台继续' : '关闭'}</Button>
          <Button
            disabled={cannot || total > mostPdfRows}
            title={total > mostPdfRows ? `打印最多 ${thousands(mostPdfRows)} 行` : undefined}
            onClick={() => start('pdf')}
          >
            导出 PDF
          </Button>
          <Button type="primary" loading={act.running} disabled={cannot} onClick={() => start('xlsx')}>
            导出 Excel
          </Button>
        </>
      }
    >
      <div>
        符合筛选 <b>{thousands(total)}</b> 条，{columns.length} 列
      </div>
      {sensitive && (
        <div className="zg-above">
          <Checkbox checked={clear} disabled={!maySee} onChange={(event) => setClear(event.target.checked)}>
            含证件号明文，须填用途
          </Checkbox>
          {clear && (
            <Input
              aria-label="用途"
              maxLength={200}
              placeholder="用途，记入操作日志"
              value={purpose}
              onChange={(event) => setPurpose(event.target.value)}
            />
          )}
        </div>
      )}
      {own.length > 0 && (
        <div style={{ marginTop: 12, borderTop: '1px solid var(--line)' }}>
          {own.map((task) => (
            <ExportRow key={task.id} task={task} />
          ))}
        </div>
      )}
    </PageModal>
  )
}

/** Starts a document that is no list (badges, somebody's file, a proof); it comes in the export centre, which opens. */
export function usePrint(feature: string) {
  return useAct(submitExport, {
    success: false,
    refreshes: [listExports],
    onDone: ({ id }, { body: { query = {}, exportType = 'pdf' } }) => {
      const { sent } = useExportCentre.getState()
      useExportCentre.setState({
        open: true,
        submittedAt: Date.now(),
        sent: { ...sent, [id]: { feature, exportType, query, columns: [] } },
      })
    },
  })
}

/**
 * Files are fetched by the browser itself, straight to disk. The signed address ends after some minutes, so it is read when it is wanted:
 * a page may have shown the row for longer.
 */
async function download({ id, feature }: ExportTask): Promise<void> {
  try {
    const { list } = await call(listExports, { query: { page: 1, size: 50, feature } })
    const fresh = list.find((task) => task.id === id)
    if (fresh?.exportUrl) saveAddress(fresh.exportUrl, fresh.fileName)
    else notify.error('导出文件已过期，请重新导出')
  } catch (failure) {
    showFailure(failure)
  }
}

function ExportRow({ task }: { task: ExportTask }) {
  const sent = useExportCentre((state) => state.sent[task.id])
  const again = useAct(submitExport, {
    success: false,
    refreshes: [listExports],
    onDone: () => useExportCentre.setState({ submittedAt: Date.now() }),
  })
  const name = task.title || task.fileName
  if (isRunning(task)) {
    return (
      <div style={{ padding: '8px 0' }}>
        <div style={{ display: 'flex', gap: 6 }}>
          <LoadingOutlined style={{ color: 'var(--primary)' }} />
          {name}
          <span className="zg-2 zg-end">
            {task.progress}%{task.rows > 0 ? `，${thousands(task.rows)} 行` : ''}
          </span>
        </div>
        <Progress percent={task.progress} showInfo={false} size="small" />
      </div>
    )
  }
  const done = task.exportStatus === exportStatus.done
  return (
    <div style={{ display: 'flex', gap: 6, padding: '8px 0', alignItems: 'center' }}>
      {done ? <CheckCircleFilled style={{ color: colors.fine }} /> : <CloseCircleFilled style={{ color: colors.danger }} />}
      <span style={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }} title={name}>
        {name}
      </span>
      <span className={done ? 'zg-2 zg-nowrap' : 'tone-danger zg-nowrap'} style={{ marginLeft: 'auto', fontSize: 12 }}>
        {done ? `${minuteOfDay(task.createTime)}，${fileSize(task.bytes)}，保留 7 天` : task.message || '未完成'}
      </span>
      {done ? (
        <button type="button" className="zg-bare zg-link zg-nowrap" onClick={() => void download(task)}>
          下载
        </button>
      ) : (
        sent && (
          <button
            type="button"
            className="zg-bare zg-link zg-nowrap"
            disabled={again.running}
            onClick={() => void again.run({ body: sent })}
          >
            重试
          </button>
        )
      )}
    </div>
  )
}

/** 导出中心: own exports of the last 7 days. */
export function ExportCentre() {
  const { open } = useExportCentre()
  const { tasks, isPending, error, refetch } = useExports(open)
  return (
    <Drawer open={open} size={400} title="导出中心" onClose={() => useExportCentre.setState({ open: false })}>
      {isPending ? (
        <TableSkeleton rows={4} columns={3} />
      ) : error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : tasks.length === 0 ? (
        <Empty text="暂无数据" hint="在列表右上角点导出，文件会出现在这里，保留 7 天" />
      ) : (
        tasks.map((task) => <ExportRow key={task.id} task={task} />)
      )}
    </Drawer>
  )
}

/** Address of a file call for `<a href>` and `<img src>`, when it needs no header. @public */
export const fileAddress = (path: string, query: Record<string, unknown>): string => path + queryText(query)
