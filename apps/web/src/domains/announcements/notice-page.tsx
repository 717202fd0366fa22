import { listNotices } from '@zhugong/contract/alarms/notices'
import { createAnnouncement, noticeBoxes } from '@zhugong/contract/announcements/calls'
import { Segmented } from 'antd'
import { useCan } from '#kit/can.tsx'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { SiteNotices } from '../alarms/public.tsx'
import { Received } from './received.tsx'
import { Sent } from './sent.tsx'
import { optionsOf, paths } from './words.tsx'

const tabs = { ...noticeBoxes, site: '现场通知' } as const
type Tab = keyof typeof tabs
const isTab = (value: string | null): value is Tab => value !== null && Object.hasOwn(tabs, value)

/** What must I read or sign; who has not signed mine; and what sites were asked. Addresses with `noticeId` open a notice to a site. */
export default function NoticePage() {
  const query = usePageQuery()
  const go = useGo()
  const sends = useCan(createAnnouncement)
  const seesSite = useCan(listNotices)
  const open: Tab[] = ['in', ...(sends ? ['out' as const] : []), ...(seesSite ? ['site' as const] : [])]
  const wanted = query.get('tab') ?? (query.has('noticeId') ? 'site' : 'in')
  const tab = isTab(wanted) && open.includes(wanted) ? wanted : 'in'
  const views = (
    <Segmented
      aria-label="通知"
      value={tab}
      options={optionsOf(tabs).filter(({ value }) => (open as string[]).includes(value))}
      onChange={(next) => go(paths.list, { tab: next === 'in' ? undefined : next }, { replace: true })}
    />
  )
  if (tab === 'site') return <SiteNotices views={views} />
  return tab === 'out' ? <Sent views={views} /> : <Received views={views} />
}
