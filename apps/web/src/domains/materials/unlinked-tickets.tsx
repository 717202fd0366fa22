import { findTickets } from '@zhugong/contract/monitoring/weigh/weigh-lists'
import { Button } from 'antd'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { Card, Known, Notice } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { hrefOf } from '#kit/page.tsx'

const shown = 10

/** Complete deliveries over the weighbridge of which no batch is registered: one click begins one. */
export function UnlinkedTickets({ projectCode, onReceive }: { projectCode: string; onReceive: ((ticket: string) => void) | undefined }) {
  const read = useCall(findTickets, { query: { projectCode, unlinked: true, size: 20, page: 1, sort: '-time' } }, { quiet: true })
  const tickets = read.data?.list ?? []
  return (
    <Card title="未登记的进场磅单" remark={read.data ? `近 7 日 ${read.data.total} 张` : undefined}>
      <Known of={read} rows={2}>
        {tickets.length === 0 ? (
          <Notice tone="fine">近 7 日的进场磅单都已登记到批次。</Notice>
        ) : (
          <div className="zg-scrolls">
            <table className="material-plain">
              <thead>
                <tr>
                  <th>磅单号</th>
                  <th>时间</th>
                  <th>车牌</th>
                  <th>货物</th>
                  <th>供应商</th>
                  <th className="right">实重 / 面单（t）</th>
                  <th>
                    <span className="zg-heard">操作</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {tickets.slice(0, shown).map((one) => (
                  <tr key={one.id}>
                    <td>
                      <Link to={hrefOf('/loadometer/detail', { id: one.id })}>{one.billNo}</Link>
                    </td>
                    <td className="zg-num">{time(one.time).slice(5, 16)}</td>
                    <td>{one.plateNo}</td>
                    <td>
                      {one.material} {one.spec}
                    </td>
                    <td>{one.supplier}</td>
                    <td className="right zg-num">
                      {one.actualWeight?.toFixed(2) ?? '--'} / {one.billWeight?.toFixed(2) ?? '--'}
                    </td>
                    <td className="right">
                      {onReceive && (
                        <Button size="small" onClick={() => onReceive(one.id)}>
                          登记进场
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </Known>
    </Card>
  )
}
