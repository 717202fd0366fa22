import { endMySession, listMySessions, listMySignIns } from '@zhugong/contract/identity/endpoints'
import { endOtherSessions } from '@zhugong/contract/identity/my-account'
import { Button, Pagination } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Card, Empty, ErrorPanel, TableSkeleton, Tag } from '#kit/feedback.tsx'
import { age, epoch } from '#kit/format.ts'

const entries: Readonly<Record<string, string>> = { default: '普通登录', classic: '公用电脑', admin: '管理员入口' }

/** Sessions shown at first; accounts that several people use have dozens. */
const shownAtFirst = 3

/** The user's active sessions, this one first; unknown ones can be ended. */
export function MySessions() {
  const { data, error, refetch } = useCall(listMySessions, {}, { quiet: true, staleMs: 0 })
  const end = useAct(endMySession, { success: '已下线', refreshes: [listMySessions] })
  const endAll = useAct(endOtherSessions, { success: ({ ended }) => `已下线 ${ended} 处`, refreshes: [listMySessions] })
  const [whole, setWhole] = useState(false)
  const all = (data?.list ?? []).toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))
  const others = all.filter((one) => !one.isCurrent).length
  const askAll = () =>
    endAll.afterRequesting(
      { thing: `下线其他 ${others} 处登录`, consequence: '那些设备须重新登录；本机不受影响。', verb: '全部下线', keep: '保留' },
      {},
    )
  return (
    <Card
      title="登录设备"
      remark={data && `${data.total} 处`}
      actions={others > 0 && <Button onClick={() => void askAll()}>下线其他设备</Button>}
      flush
    >
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <TableSkeleton rows={shownAtFirst} columns={5} />
      ) : (
        <div className="set-scroll">
          <table className="set-table">
            <thead>
              <tr>
                <th>设备</th>
                <th>入口</th>
                <th>地址</th>
                <th>登录时间</th>
                <th>最近使用</th>
                <th aria-label="操作" />
              </tr>
            </thead>
            <tbody>
              {(whole ? all : all.slice(0, shownAtFirst)).map((one) => (
                <tr key={one.id}>
                  <td>
                    {one.device} {one.isCurrent && <Tag tone="running">本机</Tag>}
                  </td>
                  <td>{entries[one.entry] ?? one.entry}</td>
                  <td>{one.ip}</td>
                  <td>{one.createTime}</td>
                  <td title={one.seenTime}>{age(epoch(one.seenTime))}</td>
                  <td>
                    {!one.isCurrent && (
                      <button
                        type="button"
                        className="zg-bare zg-link zg-link-danger"
                        onClick={() => void end.run({ params: { id: one.id } })}
                      >
                        下线
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {all.length > shownAtFirst && (
            <div className="zg-card-body">
              <Button type="link" size="small" onClick={() => setWhole(!whole)}>
                {whole ? '收起' : `显示全部 ${all.length} 处`}
              </Button>
            </div>
          )}
        </div>
      )}
    </Card>
  )
}

const perPage = 20

/** All sign-ins and refused attempts. */
export function MySignIns() {
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useCall(
    listMySignIns,
    { query: { page, size: perPage } },
    { quiet: true, keepPrevious: true, staleMs: 0 },
  )
  return (
    <Card title="登录记录" remark="含被拒绝的尝试；不是本人的，请立即修改密码" flush>
      {error ? (
        <ErrorPanel error={error} retry={refetch} />
      ) : !data ? (
        <TableSkeleton rows={3} columns={4} />
      ) : data.total === 0 ? (
        <Empty small text="没有登录记录" />
      ) : (
        <>
          <div className="set-scroll">
            <table className="set-table">
              <thead>
                <tr>
                  <th>时间</th>
                  <th>结果</th>
                  <th>说明</th>
                  <th>地址</th>
                </tr>
              </thead>
              <tbody>
                {data.list.map((one) => (
                  <tr key={one.id}>
                    <td>{one.at}</td>
                    <td>
                      <Tag tone={one.result === 'ok' ? 'fine' : 'danger'}>{one.result === 'ok' ? '成功' : '被拒绝'}</Tag>
                    </td>
                    <td>{one.summary}</td>
                    <td>{one.ip}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {data.total > perPage && (
            <div className="zg-card-body">
              <Pagination size="small" current={page} pageSize={perPage} total={data.total} showSizeChanger={false} onChange={setPage} />
            </div>
          )}
        </>
      )}
    </Card>
  )
}
