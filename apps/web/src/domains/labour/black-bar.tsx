import { PlusOutlined } from '@ant-design/icons'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { Button, Segmented } from 'antd'
import { Can } from '#kit/can.tsx'
import { useGo, usePage } from '#kit/page.tsx'

/** Tabs of a black list. */
const names = { effective: '生效中', todo: '待我处理', waiting: '待审核', appeal: '申诉', ended: '已结束', stats: '统计' } as const
export type BlackTab = keyof typeof names

/** Tabs of a black list in the order of use, and a button to propose an entry. */
export function BlackBar({
  tabs,
  tab,
  create,
  onCreate,
}: {
  tabs: readonly BlackTab[]
  tab: string
  create: Endpoint
  onCreate: () => void
}) {
  const go = useGo()
  const page = usePage()
  return (
    <>
      <Segmented
        options={tabs.map((value) => ({ value, label: names[value] }))}
        value={tab}
        onChange={(next) => go(page.path, { tab: next }, { replace: true })}
      />
      <Can call={create}>
        <Button type="primary" icon={<PlusOutlined />} onClick={onCreate}>
          提出列入
        </Button>
      </Can>
    </>
  )
}
