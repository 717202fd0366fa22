import { type HistoryKind, historyKinds, objectHistory } from '@zhugong/contract/access/history'
import { Button, Pagination } from 'antd'
import { type ReactNode, useState } from 'react'
import { useCall } from './call.ts'
import { useGrants } from './can.tsx'
import { Empty, ErrorPanel, TableSkeleton } from './feedback.tsx'
import { PageDrawer } from './overlay.tsx'
import type { RowAction } from './row-actions.tsx'

export interface HistoryTarget {
  kind: HistoryKind
  /** Id or code of the item. */
  object: string
  name: string
}

const perPage = 20

/** Who changed an item, when and how. */
function HistoryDrawer({ historyTarget: reported, onClose }: { historyTarget: HistoryTarget; onClose: () => void }) {
  const [page, setPage] = useState(1)
  const { kind, object, name } = reported
  const { data, error, refetch } = useCall(
    objectHistory,
    { query: { kind, object, page, size: perPage } },
    { quiet: true, staleMs: 0, keepPrevious: true },
  )
  return (
    <PageDrawer open size={560} title={`${name} 的变更记录`} onClose={onClose}>
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <TableSkeleton rows={6} columns={2} />
      ) : data.total === 0 ? (
        <Empty text="没有变更记录" hint="这里列出本机构对它的修改" />
      ) : (
        <>
          <ol className="zg-history">
            {data.list.map((row) => (
              <li key={row.id}>
                <span className="zg-2">
                  {row.at} {row.by}（{row.groupName || '--'}）
                </span>
                {row.summary}
              </li>
            ))}
          </ol>
          {data.total > perPage && (
            <Pagination size="small" current={page} pageSize={perPage} total={data.total} showSizeChanger={false} onChange={setPage} />
          )}
        </>
      )}
    </PageDrawer>
  )
}

/** Change history for the items of a page: the drawer, and the row action that opens it. */
export function useHistory(): {
  drawer: ReactNode
  row: (historyTarget: HistoryTarget) => RowAction
  show: (historyTarget: HistoryTarget) => void
} {
  const [result, setResult] = useState<HistoryTarget>()
  return {
    drawer: result && <HistoryDrawer key={`${result.kind} ${result.object}`} historyTarget={result} onClose={() => setResult(undefined)} />,
    row: (one) => ({ label: '变更记录', needs: historyKinds[one.kind], onClick: () => setResult(one) }),
    show: setResult,
  }
}

/** Change history of one item, as a button. */
export function HistoryButton(historyTarget: HistoryTarget) {
  const history = useHistory()
  const may = useGrants((grants) => grants.features).includes(historyKinds[historyTarget.kind])
  if (!may) return null
  return (
    <>
      <Button onClick={() => history.show(historyTarget)}>变更记录</Button>
      {history.drawer}
    </>
  )
}
