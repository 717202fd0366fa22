import { getMyAccount, type MutedChannels, muteMyNotices, type NoticeKind, noticeKinds } from '@zhugong/contract/identity/my-account'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Card } from '#kit/feedback.tsx'
import type { Account } from './my-account.ts'

const kinds = Object.entries(noticeKinds) as [NoticeKind, string][]
const channels = [
  ['2', '短信', 'sms'],
  ['4', '邮件', 'mail'],
] as const

/** Notices by kind and channel. In-app messages and level 1 alarms cannot be switched off. */
export function NoticeMatrix({ account }: { account: Account }) {
  const [muted, setMuted] = useState<MutedChannels>(account.muted)
  const act = useAct(muteMyNotices, { refreshes: [getMyAccount] })
  const changed = kinds.flatMap(([kind, name]) =>
    channels
      .filter(([code]) => (muted[kind] ?? []).includes(code) !== (account.muted[kind] ?? []).includes(code))
      .map(([code, label]) => `${name}${label}：${(muted[kind] ?? []).includes(code) ? '接收 → 不接收' : '不接收 → 接收'}`),
  )
  const turn = (kind: NoticeKind, code: '2' | '4', on: boolean) =>
    setMuted({ ...muted, [kind]: on ? (muted[kind] ?? []).filter((one) => one !== code) : [...(muted[kind] ?? []), code] })
  return (
    <Card
      title="通知"
      remark="一级告警不受此设置影响；没有短信和邮件时站内消息始终可见"
      actions={
        changed.length > 0 && (
          <>
            <Button onClick={() => setMuted(account.muted)}>撤销修改</Button>
            <Button type="primary" loading={act.running} onClick={() => void act.run({ body: { muted } })}>
              保存
            </Button>
          </>
        )
      }
      flush
    >
      <table className="set-table">
        <thead>
          <tr>
            <th>消息</th>
            <th>站内</th>
            {channels.map(([code, label, ready]) => (
              <th key={code}>
                {label}
                {!account.ready[ready] && <span className="zg-2">（本平台未接入）</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map(([kind, name]) => (
            <tr key={kind}>
              <td>{name}</td>
              <td>
                <Checkbox checked disabled aria-label={`${name}站内`} />
              </td>
              {channels.map(([code, label, ready]) => (
                <td key={code}>
                  <Checkbox
                    aria-label={`${name}${label}`}
                    disabled={!account.ready[ready]}
                    checked={!(muted[kind] ?? []).includes(code)}
                    onChange={(event) => turn(kind, code, event.target.checked)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {changed.length > 0 && (
        <ul className="zg-differences zg-card-body">
          {changed.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </Card>
  )
}
