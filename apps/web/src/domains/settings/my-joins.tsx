import { answerJoin, type JoinRequest } from '@zhugong/contract/access/joins'
import { getMyAccount } from '@zhugong/contract/identity/my-account'
import { Button } from 'antd'
import { useAct } from '#kit/call.ts'
import { Card } from '#kit/feedback.tsx'

/** Invitations to join groups; they take effect only when accepted. */
export function MyJoins({ joins }: { joins: readonly JoinRequest[] }) {
  const act = useAct(answerJoin, { success: '已答复', refreshes: [getMyAccount] })
  if (joins.length === 0) return null
  return (
    <Card title="加入机构的邀请" remark="接受后您成为该机构的成员；您的密码、手机仍只由您管理" flush>
      <dl>
        {joins.map((one) => (
          <div className="set-line" key={one.id}>
            <dt>{one.groupName}</dt>
            <dd>
              {one.administrator ? '管理员' : one.roleNames.join('、') || '没有角色'}
              {one.deadline && `，至 ${one.deadline}`}
              <div className="zg-2">
                {one.by} {one.createTime} 邀请，{one.expiresTime} 前有效
              </div>
            </dd>
            <dd className="acts">
              <Button loading={act.running} type="primary" onClick={() => void act.run({ params: { id: one.id }, body: { accept: true } })}>
                接受
              </Button>{' '}
              <Button
                onClick={() =>
                  void act.afterRequesting(
                    { thing: `谢绝“${one.groupName}”的邀请`, consequence: '对方可以再次邀请。', verb: '谢绝' },
                    { params: { id: one.id }, body: { accept: false } },
                  )
                }
              >
                谢绝
              </Button>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
