import { BellOutlined, NotificationOutlined } from '@ant-design/icons'
import { listMessages } from '@zhugong/contract/notify/endpoints'
import { Link } from 'react-router'
import { useCall } from '#kit/call.ts'
import { time } from '#kit/format.ts'
import { MaintenanceLine } from '#kit/maintenance.tsx'
import { useMe } from '#kit/me.ts'

const shownMessages = 3

/** Notice of the user's group and the newest unread messages; the space is reserved while they load. */
export function NoticeStrip() {
  const notice = useMe((me) => me.info?.help.notice)
  const { data } = useCall(listMessages, { query: { unread: true, size: shownMessages } }, { quiet: true, everyMs: 60_000 })
  return (
    <section className="zg-card notice-strip" aria-label="公告与消息">
      <MaintenanceLine className="" />
      {notice && (
        <p>
          <NotificationOutlined aria-hidden />
          <b>公告</b>
          <span title={notice}>{notice}</span>
        </p>
      )}
      <p>
        <BellOutlined aria-hidden />
        <b>消息</b>
        {data && <span className="zg-2">{data.counts.unread ? `未读 ${data.counts.unread}` : '没有未读消息'}</span>}
        {data?.list.map((one) => (
          <Link key={one.id} to="/workbench" title={`${time(one.time)} ${one.title}`}>
            {one.title}
          </Link>
        ))}
      </p>
    </section>
  )
}
