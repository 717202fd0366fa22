import { type HistoryKind, historyKinds, objectHistory } from '@zhugong/contract/access/history'
import { Button, Pagination } from 'antd'
import { type ReactNode, useState } from 'react'
import { useCall } from './call.ts'
import { useGrants } from './can.tsx'
import { Empty, ErrorPanel, TableSkeleton } from './feedback.tsx'
import { PageDrawer } from './overlay.tsx'
import type { RowAction } from './row-actions.tsx'

export interface Told {
  kind: HistoryKind
  /** Its id or code. */
  object: string
  name: string
}

const perPage = 20

/** Who changed a thing, when and how. */
function HistoryDrawer({ told, onClose }: { told: Told; onClose: () => void }) {
  const [page, setPage] = useState(1)
  const { kind, object, name } = told
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

/** The history of things of a page: the drawer, and what opens it in a row. */
export function useHistory(): { drawer: ReactNode; row: (told: Told) => RowAction; show: (told: Told) => void } {
  const [told, setTold] = useState<Told>()
  return {
    drawer: told && <HistoryDrawer key={`${told.kind} ${told.object}`} told={told} onClose={() => setTold(undefined)} />,
    row: (one) => ({ label: '变更记录', needs: historyKinds[one.kind], onClick: () => setTold(one) }),
    show: setTold,
  }
}

/** The same beside one thing, as a button. */
export function HistoryButton(told: Told) {
  const history = useHistory()
  const may = useGrants((grants) => grants.features).includes(historyKinds[told.kind])
  if (!may) return null
  return (
    <>
      <Button onClick={() => history.show(told)}>变更记录</Button>
      {history.drawer}
    </>
  )
}
