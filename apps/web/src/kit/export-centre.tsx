import { CheckCircleFilled, CloseCircleFilled, LoadingOutlined } from '@ant-design/icons'
import { type ExportTask, exportStatus, listExports, submitExport } from '@zhugong/contract/exports/endpoints'
import { Drawer, Progress } from 'antd'
import { call, saveAddress, showFailure, useAct } from './call.ts'
import { colors } from './colors.ts'
import { isRunning, useExportCentre, useExports } from './export-state.ts'
import { Empty, ErrorPanel, TableSkeleton } from './feedback.tsx'
import { fileSize, minuteOfDay, thousands } from './format.ts'
import { notify } from './notify.ts'

/**
 * The browser downloads files itself, directly to disk. The signed address is requested on click: it expires after minutes, and the row may
 * have been displayed for longer.
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

export function ExportRow({ task }: { task: ExportTask }) {
  const sent = useExportCentre((state) => state.sent[task.id])
  const again = useAct(submitExport, {
    success: false,
    refreshes: [listExports],
    onDone: () => useExportCentre.setState({ submittedAt: Date.now() }),
  })
  const name = `${task.fileName || task.title}${task.filtered ? '（已筛选）' : ''}`
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
      {done ? <CheckCircleFilled style={{ color: colors.fine }} /> : <CloseCircleFilled className="tone-danger" />}
      <span className="zg-line" title={name}>
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

/** 导出中心: the user's exports of the last 7 days. */
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
