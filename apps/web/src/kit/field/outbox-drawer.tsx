import { Button, Drawer } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { confirmDanger } from '../ask.ts'
import { Empty, Notice, Tag } from '../feedback.tsx'
import { shortTime } from '../format.ts'
import { useOnline } from './online.ts'
import { dropFromOutbox, sendAgain, sendOutbox, useOutbox } from './outbox.ts'
import { photosIn } from './photos.ts'
import type { Waiting } from './store.ts'
import './field.css'

/** 待传: what this account has written on this device and the server does not have yet. */
export function OutboxDrawer() {
  const { waiting, others, sending, open } = useOutbox()
  const online = useOnline()
  return (
    <Drawer open={open} size={420} title="待传" onClose={() => useOutbox.setState({ open: false })}>
      {!online && <Notice tone="warning">没有网络。内容存在本机，联网后自动发送，关闭浏览器也不会丢失。</Notice>}
      {waiting.length === 0 && <Empty text="没有待传的内容" />}
      {waiting.map((one) => (
        <Row key={one.id} letter={one} />
      ))}
      {others > 0 && <p className="zg-2">本机另有其他账号的 {others} 项待传，由其本人登录后发送。</p>}
      {waiting.some((one) => !one.refused) && (
        <p>
          <Button type="primary" size="large" loading={sending} disabled={!online} onClick={() => void sendOutbox()}>
            立即发送
          </Button>
        </p>
      )}
    </Drawer>
  )
}

function Row({ letter }: { letter: Waiting }) {
  const { title, page, lines, at, refused, body } = letter
  const [busy, setBusy] = useState(false)
  const photos = new Set(photosIn(body)).size
  const again = async (version?: number) => {
    setBusy(true)
    await sendAgain(letter, version).finally(() => setBusy(false))
  }
  const discard = async () => {
    const agreed = await confirmDanger({
      thing: `丢弃“${title}”`,
      consequence: `本机写的内容${photos > 0 ? `和 ${photos} 张照片` : ''}将被删除，服务器上的记录不变。`,
      verb: '丢弃',
      keep: '保留',
    })
    if (agreed) await dropFromOutbox(letter)
  }
  return (
    <div className="outbox-row">
      <div className="zg-row zg-gap-6">
        <strong>{title}</strong>
        <Tag tone={refused ? 'danger' : 'warning'}>{refused ? '未被接受' : '待传'}</Tag>
      </div>
      <small className="zg-2">
        {shortTime(at)}
        {photos > 0 && `，${photos} 张照片`}
      </small>
      {refused && <p className="tone-danger">{refused.message}</p>}
      <dl className="outbox-lines">
        {lines.map(({ label, text }) => (
          <div key={label}>
            <dt className="zg-2">{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div className="zg-row zg-gap-6 zg-wrap">
        <Link to={page} onClick={() => useOutbox.setState({ open: false })}>
          查看记录现状
        </Link>
        {refused && (
          <Button size="small" loading={busy} onClick={() => void again(refused.version)}>
            {refused.version === undefined ? '重新发送' : '按最新状态重新发送'}
          </Button>
        )}
        <Button size="small" danger onClick={() => void discard()}>
          丢弃
        </Button>
      </div>
    </div>
  )
}
