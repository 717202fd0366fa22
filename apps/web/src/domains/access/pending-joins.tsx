import { listJoins, withdrawJoin } from '@zhugong/contract/access/joins'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { PageModal } from '#kit/overlay.tsx'

/** Message after inviting a person who is not yet a member of the group. */
export const requestedWords = (name: string): string => `已邀请 ${name}，由其本人在“个人设置”接受后加入`

/** People who were invited and have not answered yet; renders nothing if there are none. */
export function PendingJoins() {
  const { data } = useCall(listJoins, { query: { size: 100 } }, { quiet: true })
  const [open, setOpen] = useState(false)
  const withdraw = useAct(withdrawJoin, { success: '邀请已撤回', refreshes: [listJoins] })
  if (!data?.total) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>待接受邀请 {data.total}</Button>
      <PageModal title="待接受的邀请" open={open} onCancel={() => setOpen(false)} footer={null}>
        <dl>
          {data.list.map((one) => (
            <div className="set-line" key={one.id}>
              <dt>
                {one.userName}（{one.account}）
              </dt>
              <dd>
                {one.groupName}，{one.administrator ? '管理员' : one.roleNames.join('、') || '无角色'}
                <div className="zg-2">
                  {one.by} {one.createTime} 邀请，{one.expiresTime} 前有效
                </div>
              </dd>
              <dd className="acts">
                <Can call={withdrawJoin}>
                  <Button
                    size="small"
                    onClick={() =>
                      void withdraw.afterRequesting(
                        { thing: `撤回对 ${one.userName} 的邀请`, consequence: '对方不能再接受，可以重新邀请。', verb: '撤回' },
                        { params: { id: one.id } },
                      )
                    }
                  >
                    撤回
                  </Button>
                </Can>
              </dd>
            </div>
          ))}
        </dl>
      </PageModal>
    </>
  )
}
