import { createScreenToken, listScreenTokens, revokeScreenToken, type TokenRow, tokenDays } from '@zhugong/contract/screens/endpoints'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Empty, Tag, type Tone } from '#kit/feedback.tsx'
import { age, day } from '#kit/format.ts'
import { notify } from '#kit/notify.ts'
import { PageModal } from '#kit/overlay.tsx'
import type { Whose } from './whose.ts'

const states: Readonly<Record<TokenRow['state'], readonly [string, Tone]>> = {
  on: ['运行中', 'fine'],
  idle: ['不在线', 'neutral'],
  stopped: ['已失效', 'danger'],
  expired: ['已到期', 'warning'],
  revoked: ['已吊销', 'danger'],
}

/** Links that open the wall without a login, shown once; each can be revoked at any time. */
export function WallLinks({ whose, templateId }: { whose: Whose; templateId: string | undefined }) {
  const { data } = useCall(listScreenTokens, { query: { ...whose } }, { quiet: true, everyMs: 30_000 })
  const [naming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const [link, setLink] = useState<string>()
  const issue = useAct(createScreenToken, {
    success: false,
    onDone: ({ path }) => {
      setNaming(false)
      setName('')
      setLink(`${location.origin}${path}`)
    },
  })
  const revoke = useAct(revokeScreenToken, { success: '已吊销，墙屏随即停止更新' })
  const rows = data?.list ?? []
  return (
    <Card
      title="墙屏链接"
      remark={`只读，${tokenDays} 天有效，墙屏在到期前自动续期，可随时吊销`}
      actions={
        <Can call={createScreenToken}>
          <Button size="small" onClick={() => setNaming(true)}>
            签发链接
          </Button>
        </Can>
      }
      flush
    >
      {rows.length === 0 ? (
        <Empty text="还没有墙屏链接" hint="签发后在墙屏的浏览器中打开，不需要登录" />
      ) : (
        <table className="screen-links">
          <thead>
            <tr>
              <th>墙屏</th>
              <th>状态</th>
              <th>有效期至</th>
              <th />
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <tr key={one.id}>
                <td className="name">
                  {one.name}
                  <div className="zg-2">
                    {one.templateName}，{one.createBy}签发
                  </div>
                </td>
                <td>
                  <Tag tone={states[one.state][1]}>{states[one.state][0]}</Tag>
                  <div className="zg-2">{one.seenAt ? age(one.seenAt) : '从未打开'}</div>
                </td>
                <td>
                  {day(one.expiresAt)}
                  {one.fault ? (
                    <div className="zg-2">{one.fault}</div>
                  ) : (
                    one.state !== 'revoked' && one.renewedAt && <div className="zg-2">{day(one.renewedAt)} 续期</div>
                  )}
                </td>
                <td>
                  {one.state !== 'expired' && one.state !== 'revoked' && (
                    <Can call={revokeScreenToken}>
                      <Button
                        type="link"
                        danger
                        size="small"
                        onClick={() =>
                          void revoke.afterRequesting(
                            { thing: `吊销墙屏链接“${one.name}”`, consequence: '墙屏立即停止更新，链接不能再用' },
                            { params: { id: one.id } },
                          )
                        }
                      >
                        吊销
                      </Button>
                    </Can>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <PageModal
        title="签发墙屏链接"
        open={naming}
        onCancel={() => setNaming(false)}
        okText="签发"
        okButtonProps={{ disabled: !name.trim() || !templateId }}
        confirmLoading={issue.running}
        onOk={() => templateId && void issue.run({ body: { purpose: 'screen', name: name.trim(), templateId, ...whose } })}
      >
        <Input
          aria-label="墙屏名称"
          placeholder="例如：指挥大厅"
          maxLength={30}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <p className="zg-2">
          链接只用于一块屏，只能看这一个大屏，读不到人员资料，也不能办理任何事项。墙屏开着就会自动续期；签发人离开后不再续期，到期停用。
        </p>
      </PageModal>
      <PageModal title="墙屏链接" open={link !== undefined} onCancel={() => setLink(undefined)} footer={null}>
        <p>只显示这一次，请在墙屏的浏览器中打开。</p>
        <Input.TextArea aria-label="墙屏链接" readOnly autoSize value={link ?? ''} />
        <p>
          <Button
            type="primary"
            onClick={() => {
              void navigator.clipboard?.writeText(link ?? '').then(() => notify.success('已复制'))
            }}
          >
            复制链接
          </Button>
        </p>
      </PageModal>
    </Card>
  )
}
