import { type DeliveryState, deliveryFailed, deliveryList, deliveryStates, resendDelivery } from '@zhugong/contract/reports/endpoints'
import { useAct } from '#kit/call.ts'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { channelName, periodName, periodText, sentChannelOptions } from './report-words.ts'

const tones = { '0': 'running', '1': 'fine', '2': 'danger', '3': 'neutral' } as const
const stateOptions = Object.entries(deliveryStates).map(([value, label]) => ({ value, label }))
export const DeliveryTag = ({ state }: { state: DeliveryState }) => <Tag tone={tones[state]}>{deliveryStates[state]}</Tag>

/** Deliveries with their state and reason of failure. */
export function SentTable() {
  const list = useListPage(deliveryList, { defaultSort: '-createTime', own: ['tab'] })
  const resend = useAct(resendDelivery, { success: '已重新排队' })
  const columns: ColumnOf<typeof deliveryList>[] = [
    {
      key: 'pushName',
      width: 220,
      locked: true,
      filter: 'text',
      value: (d) => (
        <>
          {d.pushName} {d.test && <Tag icon={false}>测试</Tag>}
        </>
      ),
    },
    { key: 'period', width: 200, value: (d) => `${periodName(d.reportType)} ${periodText(d)}` },
    { key: 'receiver', width: 140, sort: true, filter: 'text', value: (d) => d.receiver },
    { key: 'channel', width: 96, filter: 'multi', options: sentChannelOptions, value: (d) => channelName(d.channel) },
    { key: 'state', width: 96, filter: 'multi', options: stateOptions, value: (d) => <DeliveryTag state={d.state} /> },
    { key: 'reason', width: 200, value: (d) => d.reason || null },
    { key: 'attempts', width: 72, value: (d) => d.attempts },
    { key: 'createTime', width: 160, sort: true, value: (d) => d.createTime },
    { key: 'sentTime', width: 160, sort: true, value: (d) => d.sentTime },
  ]
  return (
    <DataTable
      list={list}
      columns={columns}
      rowKey="id"
      unit="条"
      search={{ key: 'pushName', placeholder: '报表名称' }}
      filterWords={{ pushId: { title: '推送', words: {} } }}
      emptyHint="到发送时间后，每位接收人每个渠道记一条"
      actions={(d) =>
        d.state === deliveryFailed
          ? [{ label: '重发', needs: resendDelivery, onClick: () => void resend.run({ params: { id: d.id } }) }]
          : []
      }
    />
  )
}
